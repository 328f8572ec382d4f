"""Plans for RDDL tasks: their options and results.

>>> import herbrand
>>> task = herbrand.load("rddl/mountain-car")
>>> plan = task.plan(lookahead=10, iterations=2, candidates=16)
>>> len(plan.actions), plan.planner
(10, 'cross-entropy')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from .._repr import OneLine

__all__ = ["OperatorName", "RddlPlan", "RddlPlannerName", "RddlPlannerOptions", "SmoothFunction", "TNormName"]

RddlPlannerName = Literal["cross-entropy", "random-shooting", "gradient", "auto", "uct"]

TNormName = Literal["product", "godel", "lukasiewicz"]
"""A conjunction of truth degrees between 0 and 1: ``a * b``, ``min(a, b)`` or ``max(0, a + b - 1)``."""

OperatorName = Literal[
    "not", "and", "or", "equivalent", "forall", "exists", "less", "equal", "if", "sign", "round", "floor", "ceil",
    "truncate", "quotient", "remainder", "min", "max", "argmin", "argmax",
]
"""An operator whose smooth function can be replaced. ``a > b`` is ``less`` of b and a; for ints, the second operand of
``less`` is moved by ½, so that the threshold is between two ints. ``if`` has the condition, the value if it holds, and
the value if not."""

SmoothFunction = Callable[..., tuple[Any, Sequence[Any]]]
"""A smooth function ``f(*operands, sharpness)``. Each operand is an array with one number per roll-out. It returns an
array of results, and for each operand an array of the derivatives of the results by it. The larger the sharpness, the
closer the results should be to the operator's."""


class RddlPlannerOptions(TypedDict, total=False):
    """The options of `RddlPlanner` and `RddlTask.plan`. See `RddlPlanner` for their meaning and defaults."""

    planner: RddlPlannerName
    lookahead: int | None
    candidates: int | None
    iterations: int | None
    scenarios: int
    time: float | None
    sharpness: float | None
    rate: float
    exploration: float
    leaf: Literal["random", "idle"]
    risk: str
    t_norm: TNormName
    relaxations: Mapping[OperatorName, SmoothFunction] | None
    enforced: bool
    seed: int


@dataclass(frozen=True, repr=False)
class RddlPlan(OneLine):
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

    def __getitem__(self, step: int) -> dict[str, Any]:
        return self.actions[step]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.actions)
