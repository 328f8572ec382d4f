"""A server for the RDDLSim protocol, with the interface of ``pyRDDLGym.core.server``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from herbrand._herbrand import run_command

from .compiler.model import RDDLLiftedModel
from .debug.decompiler import RDDLDecompiler
from .env import RDDLEnv

__all__ = ["RDDLSimServer"]


class RDDLSimServer:
    """Serves an instance to one client.

    Parameters
    ----------
    domain, instance
        As for `RDDLEnv`.
    numrounds : int
        The number of rounds per session.
    time : int
        The time limit of a session in seconds.
    port : int
    seed : int, optional
    """

    def __init__(
        self, domain: Any, instance: Any, numrounds: int, time: int, port: int = 2323, seed: int | None = None
    ) -> None:
        self.env = RDDLEnv(domain, instance)
        self.roundsleft, self.time, self.port, self.seed = numrounds, time, port, seed
        self.domain, self.instance = domain, instance

    def _files(self, folder: Path) -> list[str]:
        """Returns the files of domain and instance; writes them if the arguments are not files."""
        files = [self.domain, self.instance]
        if all(isinstance(file, str | os.PathLike) and os.path.isfile(file) for file in files):
            return [os.fspath(file) for file in files]
        model: RDDLLiftedModel = self.env.model
        decompiler = RDDLDecompiler()
        texts = {
            "domain.rddl": decompiler.decompile_domain(model),
            "instance.rddl": decompiler.decompile_instance(model),
        }
        for name, text in texts.items():
            (folder / name).write_text(text)
        return [str(folder / name) for name in texts]

    def run(self) -> None:
        """Waits for a client and serves its rounds."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["herbrand", "rddl-server", *self._files(Path(folder)), "--port", str(self.port)]
            arguments += ["--rounds", str(self.roundsleft), "--time", f"{self.time}s", "--sessions", "1"]
            if self.seed is not None:
                arguments += ["--seed", str(self.seed)]
            status = run_command(arguments)
        self.env.close()
        if status != 0:
            raise RuntimeError(f"the server ended with status {status}")
