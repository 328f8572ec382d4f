"""Logs of a compilation and of episodes."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .exception import RDDLLogFolderError

__all__ = ["Logger", "SimLogger"]


def log_path(path: str, ending: str) -> Path:
    """The path of a log, in a folder that there is."""
    whole = Path(path + ending)
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RDDLLogFolderError(f"the folder {whole.parent} cannot be made: {error}") from None
    return whole


class Logger:
    """Messages with the time, one after the other.

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
        """Adds a message."""
        with open(self.filename, "a", encoding="utf-8") as file:
            file.write(f"{datetime.datetime.now()}: {msg}\n")


class SimLogger:
    """Episodes as rows of comma-separated values: time, iteration, epoch, observation, action, reward, and whether the episode is
    over. An action's columns are all action fluents; what an action leaves out is empty.

    Parameters
    ----------
    filename : str
    write_freq : int
        After how many rows they are written.
    """

    def __init__(self, filename: str, write_freq: int = 1000) -> None:
        self.filename = filename
        self.write_freq = write_freq
        self.iteration = 0
        self._columns: tuple[list[str], list[str]] | None = None
        self._rows: list[list[Any]] = []

    def clear(self, overwrite: bool = True) -> None:
        """Begins anew, at the end of the file unless it is overwritten."""
        Path(self.filename).open("w" if overwrite else "a").close()
        self.iteration, self._columns, self._rows = 0, None, []

    def begin(self, obs: list[str], actions: list[str]) -> None:
        """Says what the columns are."""
        if self._columns is None:
            self._columns = (obs, actions)
            self._rows.append(["timestamp", "iteration", "epoch", *obs, *actions, "reward", "done"])

    def log(self, obs: Mapping[str, Any], action: Mapping[str, Any], reward: float, done: bool, step: int) -> None:
        """Adds a step."""
        self.begin(list(obs), list(action))
        assert self._columns is not None
        seen = [obs.get(name, "") for name in self._columns[0]]
        taken = [action.get(name, "") for name in self._columns[1]]
        self._rows.append([datetime.datetime.now(), self.iteration, step, *seen, *taken, reward, done])
        self.iteration += 1
        if len(self._rows) >= self.write_freq:
            self._write()

    def log_free(self, text: str) -> None:
        """Adds a line of one's own."""
        self._rows.append([text])

    def _write(self) -> None:
        with open(self.filename, "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(self._rows)
        self._rows = []

    def close(self) -> None:
        """Writes what is left."""
        if self._rows:
            self._write()
