"""Plans for RDDL tasks: their options and results.

>>> import herbrand
>>> task = herbrand.load("rddl/mountain-car")
>>> plan = task.plan(lookahead=10, iterations=2, candidates=16)
>>> len(plan.actions), plan.planner
(10, 'cross-entropy')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

__all__ = ["RddlPlan", "RddlPlannerName", "RddlPlannerOptions"]

RddlPlannerName = Literal["cross-entropy", "random-shooting", "gradient", "auto", "uct"]


class RddlPlannerOptions(TypedDict, total=False):
    """The options of `RddlPlanner` and `RddlTask.plan`. See `RddlPlanner` for their meaning and defaults."""

    planner: RddlPlannerName
    lookahead: int | None
    candidates: int | None
    iterations: int | None
    scenarios: int
    time: float | None
    sharpness: float
    rate: float
    exploration: float
    leaf: Literal["random", "idle"]
    enforced: bool
    seed: int


@dataclass(frozen=True)
class RddlPlan:
    """An open-loop plan for an RDDL task; it iterates over its actions.

    Attributes
    ----------
    actions : tuple of dict
        For each step, the values of action fluents that differ from their defaults.
    mean : float
        The mean discounted return of the plan, on random draws that were not used to choose it.
    error : float
        The standard error of `mean`.
    simulated : int
        The number of steps simulated during the search.
    planner : str
        The name of the planner.
    """

    actions: tuple[dict[str, Any], ...]
    mean: float
    error: float
    simulated: int
    planner: RddlPlannerName

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.actions)
