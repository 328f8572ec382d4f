"""Rewards of environments in text: their parts, their weights, and progress towards the goal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Union

__all__ = ["UNREACHABLE", "Progress", "Rewards", "RewardsLike"]

UNREACHABLE = -1
"""The distance of a state from which no plan leads to the goal."""


@dataclass(frozen=True)
class Rewards:
    """The weights of the parts of a reward. The reward of a step is the sum of the parts times their weights.

    Attributes
    ----------
    goal : float
        The weight of 1 in the step that reaches the goal, and 0 in all others.
    progress : float
        The weight of the gain in progress; see `Progress`. Over an episode it sums to 1 if the goal is reached.
    valid : float
        The weight of -1 for an answer that names an action which is not valid in the state, and 0 otherwise.
    format : float
        The weight of -1 for an answer that names no action, and 0 otherwise.
    task : float
        The weight of the problem's own reward: that of an RDDL domain, or that of the settings of a PDDL domain.

    Examples
    --------
    >>> from herbrand.text import Rewards
    >>> Rewards(progress=0.5, format=0.1).total({"goal": 1.0, "progress": 0.2, "valid": 0.0, "format": 0.0, "task": 1.0})
    1.1
    """

    goal: float = 1.0
    progress: float = 0.0
    valid: float = 0.0
    format: float = 0.0
    task: float = 0.0

    def total(self, parts: Mapping[str, float]) -> float:
        """Returns the weighted sum of parts, which have the names of the attributes."""
        return float(sum(getattr(self, part.name) * parts[part.name] for part in fields(self)))

    @classmethod
    def of_language(cls, language: str) -> Rewards:
        """Returns the default weights: 1 for the goal in PDDL, 1 for the reward of the problem in RDDL; the rest is 0."""
        return cls(goal=0.0, task=1.0) if language == "rddl" else cls()


RewardsLike = Union[Rewards, Mapping[str, float], None]
"""Weights: a `Rewards`, a mapping with some of its attributes (the others are 0), or None for the defaults."""


def as_rewards(given: RewardsLike, language: str) -> Rewards:
    """Returns the weights of an argument. Raises `ValueError` if a name is unknown or a weight is no number."""
    if given is None:
        return Rewards.of_language(language)
    if isinstance(given, Rewards):
        return given
    names = [part.name for part in fields(Rewards)]
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ValueError(f"a reward has no part {unknown[0]!r}: its parts are {', '.join(names)}")
    return Rewards(**{name: float(given.get(name, 0.0)) for name in names})


class Progress:
    """The progress of an episode, by the number of steps that a shortest plan still needs.

    The potential of a state at distance d, in an episode that starts at distance D, is ``1 - min(d, 2 * D) / D``. It is 0
    at the start, 1 at the goal, and never below -1, its value where no plan leads to the goal. The progress of a step is
    the difference of the potentials after and before it, so that the best policies are those without this reward.

    If a distance is unknown, since the search for a plan reached a limit, the step has no progress; the next step with a
    known distance is compared with the last known one. If the distance at the start is unknown, 0 or infinite, no step has
    progress.

    Examples
    --------
    >>> from herbrand.text import Progress
    >>> progress = Progress(4)
    >>> [progress.to(distance) for distance in [3, None, 1, 2, 0]]
    [0.25, 0.0, 0.5, -0.25, 0.5]
    """

    def __init__(self, distance: int | None) -> None:
        self._start = distance if distance is not None and distance > 0 else None
        self._potential = 0.0

    def to(self, distance: int | None) -> float:
        """Moves to a state at this distance (None if unknown, -1 if infinite) and returns the progress of the step."""
        if self._start is None or distance is None:
            return 0.0
        most = 2 * self._start
        left = most if distance == UNREACHABLE else min(distance, most)
        before, self._potential = self._potential, 1.0 - left / self._start
        return self._potential - before

    def copy(self) -> Progress:
        """Returns an independent copy."""
        other = Progress(self._start)
        other._potential = self._potential
        return other
