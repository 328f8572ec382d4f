"""The names of the paper for finding environments."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ..._herbrand import RddlSuite

__all__ = ["EnvInfo", "ExampleManager"]

_PREFIX = "rddl/"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where texts are written for those who ask for their paths; it goes when the program ends."""
    return tempfile.TemporaryDirectory(prefix="herbrand-")


class EnvInfo:
    """A bundled environment: paths of its domain and its instances.

    Parameters
    ----------
    name : str
        ``"rddl/elevators"``, or without the prefix.
    """

    def __init__(self, name: str) -> None:
        self._suite = RddlSuite.bundled(name)
        self.name = self._suite.name.removeprefix(_PREFIX)

    def list_instances(self) -> list[str]:
        """The names of the instances."""
        return list(self._suite.problem_names)

    def get_domain(self) -> str:
        """The path of a file with the domain."""
        return self._write("domain", self._suite.domain_rddl())

    def get_instance(self, num: int | str) -> str:
        """The path of a file with an instance: by name, or by number from 0."""
        one = self._suite.select(num)
        return self._write(one.problem_names[0], one.instance_rddl())

    def get_visualizer(self) -> Any:
        """None: environments are shown by what `RDDLEnv.set_visualizer` has."""
        return None

    def _write(self, name: str, text: str) -> str:
        path = Path(_folder().name) / self.name / f"{name}.rddl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)


class ExampleManager:
    """The bundled environments by name."""

    @staticmethod
    def ListExamples() -> list[str]:
        """Prints the names of all environments, and returns them."""
        names = [name.removeprefix(_PREFIX) for name in RddlSuite.bundled_names()]
        print("\n".join(names))
        return names

    @staticmethod
    def GetEnvInfo(env: str) -> EnvInfo:
        """An environment's information."""
        return EnvInfo(env)
