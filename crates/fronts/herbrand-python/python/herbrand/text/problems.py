"""Problems with their sentences, as environments and graders use them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .._herbrand import RddlSuite, SessionCore, Suite, Target
from .._paths import can_be_path, exists, shortened
from ..errors import UnknownNameError
from ..limits import Limits, LimitsLike, as_limits
from ..sources import hidden_domain, suite

__all__ = ["Problems", "table_of"]

_TABLE = "domain.text.toml"
_DEFAULT = Limits(time=10, memory=2**30)


def table_of(domain: object, wording: str | os.PathLike[str] | None) -> tuple[str, str] | None:
    """Returns the name and the text of the table of sentences: the given one, or the file beside a domain."""
    if isinstance(wording, str) and ("=" in wording or not can_be_path(wording)):
        return "wording", wording
    if wording is not None:
        if not exists(wording):
            raise FileNotFoundError(f"there is no table of sentences {shortened(str(wording))}")
        return str(wording), Path(wording).read_text(encoding="utf-8")
    if exists(domain):
        path = Path(domain)
        beside = (path if path.is_dir() else path.parent) / _TABLE
        if beside.is_file():
            return str(beside), beside.read_text(encoding="utf-8")
    return None


class _Worlds:
    """A hidden domain that the agent edits: a world for each problem on which its models are judged."""

    description = "The agent edits a planning domain until it behaves like a hidden one."

    def __init__(self, name: str, targets: list[Target], start: str | None) -> None:
        self.name = name
        self.targets = targets
        self.start = start

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def problem_names(self) -> tuple[str, ...]:
        return tuple(name for target in self.targets for name in target.problem_names[:1])


def _worlds(domain: object, problem: Any) -> _Worlds | None:
    """Returns the worlds that a name such as ``"pddlworld/blocks@3"`` names; None for other arguments."""
    hidden = hidden_domain(domain)
    if hidden is None:
        return None
    from .. import pddlworld

    of, start = hidden
    problems = problem if isinstance(problem, (list, tuple)) else [problem]
    targets = [pddlworld.target(of, one) for one in problems]
    return _Worlds(str(domain), targets, None if start is None else str(start))


class Problems:
    """A domain with its problems, and a session of each that was used.

    Parameters
    ----------
    domain, problem, split
        As for `herbrand.suite`.
    wording : str or path, optional
        The path or the text of a table of sentences.
    steps : int
        The maximal number of steps of an episode.
    limits : Limits or mapping, optional
        Limits of each call.
    """

    def __init__(
        self,
        domain: Any,
        problem: Any = None,
        *,
        split: str | None = None,
        wording: str | os.PathLike[str] | None = None,
        steps: int = 100,
        limits: LimitsLike = None,
    ) -> None:
        self._domain = domain
        options: dict[str, Any] = {} if split is None else {"split": split}
        load: Any = suite
        worlds = _worlds(domain, problem)
        self.suite: Suite | RddlSuite | _Worlds = load(domain, problem, **options) if worlds is None else worlds
        self._table = table_of(domain, wording)
        self._steps = steps
        self.limits = _DEFAULT if limits is None else as_limits(limits)
        self._sessions: dict[int, SessionCore] = {}

    def __len__(self) -> int:
        return len(self.suite)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the problems."""
        return tuple(self.suite.problem_names)

    def session(self, index: int) -> SessionCore:
        """Returns the session of a problem, which is compiled on first use.

        Raises
        ------
        ParseError
            If the problem or the table of sentences has faults.
        LimitError
            If a limit is reached.
        """
        if not 0 <= index < len(self):
            raise UnknownNameError(f"there is no problem {index}: the indices are 0 to {len(self) - 1}")
        if index not in self._sessions:
            if isinstance(self.suite, Suite):
                # A faulty problem is an exception with all of its faults and their places.
                self.suite.parse_problem(index)
            options = (self._table, 0, self.limits, self._steps, 100_000)
            if isinstance(self.suite, _Worlds):
                self._sessions[index] = SessionCore(self.suite.targets[index], 0, *options, self.suite.start)
            else:
                self._sessions[index] = SessionCore(self.suite, index, *options)
        return self._sessions[index]

    def domain_text(self, index: int) -> str:
        """Returns the text of the domain; in RDDL also that of the instance, whose constants are part of the rules."""
        if isinstance(self.suite, _Worlds):
            raise ValueError("the agent is to find the domain: leave out `show_domain`")
        if isinstance(self.suite, Suite):
            return self.suite.domain.text or self.suite.domain.to_pddl()
        if self.suite.name in RddlSuite.bundled_names():
            return "\n".join(self.session(index).texts())
        return "\n".join([self.suite.domain_rddl(), self.suite.instance_rddl(index)])
