"""Logs of compilations and of episodes."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .exception import RDDLLogFolderError

__all__ = ["Logger", "SimLogger"]


def log_path(path: str, ending: str) -> Path:
    """Returns the path of a log, and creates its folder. Raises `RDDLLogFolderError` if that fails."""
    whole = Path(path + ending)
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RDDLLogFolderError(f"the folder {whole.parent} cannot be made: {error}") from None
    return whole


class Logger:
    """A log of timestamped messages.

    Parameters
    ----------
    filename : str
    """

    def __init__(self, filename: str) -> None:
        self.filename = filename

    def clear(self) -> None:
        """Empties the file."""
        Path(self.filename).write_text("", encoding="utf-8")

    def log(self, msg: str) -> None:
        """Appends a message."""
        with open(self.filename, "a", encoding="utf-8") as file:
            file.write(f"{datetime.datetime.now()}: {msg}\n")


class SimLogger:
    """A log of episodes as comma-separated values.

    The columns are time, iteration, epoch, observation, action, reward, and whether the episode is over. There is one column
    per action fluent, which is empty if the action does not set the fluent.

    Parameters
    ----------
    filename : str
    write_freq : int
        The number of rows that are buffered before they are written.
    """

    def __init__(self, filename: str, write_freq: int = 1000) -> None:
        self.filename = filename
        self.write_freq = write_freq
        self.iteration = 0
        self._columns: tuple[list[str], list[str]] | None = None
        self._rows: list[list[Any]] = []

    def clear(self, overwrite: bool = True) -> None:
        """Clears the log, or continues at the end of the file if `overwrite` is False."""
        Path(self.filename).open("w" if overwrite else "a").close()
        self.iteration, self._columns, self._rows = 0, None, []

    def begin(self, obs: list[str], actions: list[str]) -> None:
        """Sets the columns."""
        if self._columns is None:
            self._columns = (obs, actions)
            self._rows.append(["timestamp", "iteration", "epoch", *obs, *actions, "reward", "done"])

    def log(self, obs: Mapping[str, Any], action: Mapping[str, Any], reward: float, done: bool, step: int) -> None:
        """Adds the row of a step."""
        self.begin(list(obs), list(action))
        assert self._columns is not None
        seen = [obs.get(name, "") for name in self._columns[0]]
        taken = [action.get(name, "") for name in self._columns[1]]
        self._rows.append([datetime.datetime.now(), self.iteration, step, *seen, *taken, reward, done])
        self.iteration += 1
        if len(self._rows) >= self.write_freq:
            self._write()

    def log_free(self, text: str) -> None:
        """Adds a line of free text."""
        self._rows.append([text])

    def _write(self) -> None:
        with open(self.filename, "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(self._rows)
        self._rows = []

    def close(self) -> None:
        """Writes the buffered rows."""
        if self._rows:
            self._write()
