"""The paper's classes for listing bundled environments."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from herbrand import RddlSuite

from .core.visualizer.scene import SceneVisualizer

__all__ = ["EnvInfo", "ExampleManager"]

_PREFIX = "rddl/"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Returns the temporary folder for texts; it is deleted when the program ends."""
    return tempfile.TemporaryDirectory(prefix="herbrand-")


class EnvInfo:
    """A bundled environment: its description, and paths of its domain and its instances.

    Parameters
    ----------
    name : str
        A name such as ``"rddl/elevators"``, with or without the prefix.
    """

    def __init__(self, name: str) -> None:
        self._suite = RddlSuite.named(_PREFIX + name.removeprefix(_PREFIX))
        self.name = self._suite.name.removeprefix(_PREFIX)
        self.description = self._suite.description

    def list_instances(self) -> list[str]:
        """Returns the names of the instances."""
        return list(self._suite.problem_names)

    def get_domain(self) -> str:
        """Writes the domain to a file with its settings beside it, which declare its pictures, and returns its path."""
        self._write("env.toml", self._suite.settings or "")
        return self._write("domain.rddl", self._suite.domain_rddl())

    def get_instance(self, num: int | str) -> str:
        """Writes an instance, by name or index from 0, to a file, and returns its path."""
        one = self._suite.select(num)
        return self._write(f"{one.problem_names[0]}.rddl", one.instance_rddl())

    def get_visualizer(self) -> type[SceneVisualizer]:
        """Returns the class that draws the states of the environment, for `RDDLEnv.set_visualizer`."""
        return SceneVisualizer

    def _write(self, name: str, text: str) -> str:
        path = Path(_folder().name) / self.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)


class ExampleManager:
    """Access to the bundled environments by name."""

    @staticmethod
    def ListExamples() -> dict[str, str]:
        """Prints the names and descriptions of all environments, and returns them as a dict."""
        examples = {name.removeprefix(_PREFIX): RddlSuite.named(name).description for name in RddlSuite.bundled_names()}
        for name, description in examples.items():
            print(f"{name} -> {description}")
        return examples

    @staticmethod
    def GetEnvInfo(env: str) -> EnvInfo:
        """Returns the information about an environment."""
        return EnvInfo(env)
