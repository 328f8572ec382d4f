"""Plans of tasks in RDDL, and policies trained by gradients.

>>> import herbrand
>>> task = herbrand.load("rddl/mountain-car")
>>> plan = task.plan(lookahead=10, iterations=2, candidates=16)
>>> len(plan.actions), plan.method
(10, 'cross-entropy')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Method", "RddlPlan"]

Method = Literal["cross-entropy", "random-shooting", "gradient"]


@dataclass(frozen=True)
class RddlPlan:
    """A straight-line plan; iterates over its actions.

    Attributes
    ----------
    actions : tuple of dict
        By step: the values of action fluents that differ from their defaults.
    mean : float
        The mean of its discounted returns, on draws that it was not chosen by.
    error : float
        The standard error of that mean.
    simulated : int
        How many steps were simulated to find it.
    method : str
        How it was found.
    """

    actions: tuple[dict[str, Any], ...]
    mean: float
    error: float
    simulated: int
    method: Method

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.actions)
