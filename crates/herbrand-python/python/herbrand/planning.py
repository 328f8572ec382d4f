"""Plans: looked for, and what the search took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from .limits import LimitsLike, as_limits
from .sources import DomainLike, ProblemLike, load

if TYPE_CHECKING:
    from ._herbrand import Action

__all__ = [
    "Outcome",
    "Plan",
    "PlanStatistics",
    "PlannerName",
    "PolicyPlannerName",
    "PolicyRuns",
    "plan",
    "planners",
    "policy_planners",
]

PlannerName = Literal[
    "landmarks",
    "lazy",
    "eager",
    "additive",
    "anytime",
    "hill-climbing",
    "width",
    "portfolio",
    "astar-blind",
    "astar-max",
    "astar-lmcut",
]

PolicyPlannerName = Literal["policy-iteration", "lao", "uct", "replan"]

Outcome = Literal[
    "plan",
    "goal-already-true",
    "proven-unsolvable",
    "exhausted",
    "out-of-time",
    "out-of-memory",
    "cancelled",
]


@dataclass(frozen=True)
class PlanStatistics:
    """What a search took.

    Attributes
    ----------
    expanded : int
        States whose successors were generated.
    evaluated : int
        States that a heuristic was asked about.
    generated : int
        Successors that were generated, states found before included.
    dead_ends : int
        States that are known to be dead ends.
    states : int
        Different states.
    memory : int
        Bytes that the search held.
    time : float
        Seconds.
    best_heuristic : int or None
        The least value of the heuristic.
    """

    expanded: int
    evaluated: int
    generated: int
    dead_ends: int
    states: int
    memory: int
    time: float
    best_heuristic: int | None


@dataclass(frozen=True)
class Plan:
    """What a search for a plan came to. True when there is a plan; iterates over its actions.

    Printed, it is a plan as the program ``herbrand validate`` and other planners' tools read it.

    Attributes
    ----------
    outcome : str
        ``"plan"``, ``"goal-already-true"``, ``"proven-unsolvable"``; or why nothing is known: ``"exhausted"`` (the planner
        looked wherever it looks), ``"out-of-time"``, ``"out-of-memory"``, ``"cancelled"``.
    actions : tuple of Action, or None
        The plan; empty when the goal holds already.
    cost : float or None
        What the plan adds to the metric, if that is to be minimised and is a sum over the steps, else its length.
    proven_optimal : bool
        Whether no plan is cheaper.
    planner : str
    statistics : PlanStatistics
    """

    outcome: Outcome
    actions: tuple[Action, ...] | None
    cost: float | None
    proven_optimal: bool
    planner: str
    statistics: PlanStatistics

    def __bool__(self) -> bool:
        return self.actions is not None

    def __len__(self) -> int:
        return len(self.actions or ())

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions or ())

    def __str__(self) -> str:
        if self.actions is None:
            return f"; {self.outcome}"
        cost = 0.0 if self.cost is None else self.cost
        return "".join(f"{action}\n" for action in self.actions) + f"; cost = {cost:g}"


@dataclass(frozen=True)
class PolicyRuns:
    """What several runs of a policy came to.

    Attributes
    ----------
    runs : int
        How many there were.
    reached : int
        How many reached the goal.
    cost : float or None
        The mean cost of those, if there are any.
    steps : float or None
        The mean length of those.
    standard_error : float
        Of the share that reached the goal.
    first : tuple of Action
        The actions of the first run.
    """

    runs: int
    reached: int
    cost: float | None
    steps: float | None
    standard_error: float
    first: tuple[Action, ...]

    @property
    def goal_probability(self) -> float:
        """The share of runs that reached the goal."""
        return self.reached / max(self.runs, 1)


def policy_planners() -> list[str]:
    """The names of the planners for chance."""
    return list(get_args(PolicyPlannerName))


def planners() -> list[str]:
    """The names of the planners."""
    return list(get_args(PlannerName))


def plan(
    domain: DomainLike,
    problem: ProblemLike | None = None,
    *,
    split: str | None = None,
    planner: PlannerName = "landmarks",
    seed: int = 0,
    limits: LimitsLike = None,
    determinize: Literal["all-outcomes", "most-likely"] = "all-outcomes",
    time: float | str | None = None,
    memory: float | str | None = None,
) -> Plan:
    """Looks for a plan for a problem.

    Parameters
    ----------
    domain, problem, split
        As for `load`.
    planner, seed, determinize
        As for `Task.plan`.
    limits : Limits or mapping, optional
        What grounding may take, and what the search may take.
    time, memory : float or str, optional
        Replace the fields of `limits`: ``time=10``, ``memory="2GiB"``.

    Raises
    ------
    LimitError
        When grounding reaches a limit. A search that does raises nothing: its outcome says so.

    Examples
    --------
    >>> import herbrand
    >>> plan = herbrand.plan("ferry", "train/01", planner="astar-lmcut")
    >>> plan.proven_optimal, plan.cost == len(plan)
    (True, True)
    """
    limits = as_limits(limits, time, memory)
    task = load(domain, problem, split=split, limits=limits)
    return task.plan(planner=planner, seed=seed, limits=limits, determinize=determinize)
