"""Search for plans: the planners, their results, and the statistics of searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, get_args

from . import _notebook
from ._repr import OneLine
from .limits import LimitsLike, as_limits
from .sources import DomainLike, ProblemLike, load

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._herbrand import Action, State
    from .graphs import ActionArrays, LinearEstimate

__all__ = [
    "BatchObservation",
    "Heuristic",
    "HeuristicName",
    "Outcome",
    "Plan",
    "PlanOptions",
    "PlanStatistics",
    "PlannerName",
    "PolicyPlannerName",
    "PolicyRuns",
    "PolicyState",
    "SearchName",
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

HeuristicName = Literal["ff", "additive", "landmarks", "lmcut", "max", "blind"]
SearchName = Literal["greedy", "astar", "width", "beam"]
BatchObservation = Literal["bits", "bits-and-goal", "graph", "atoms"]

PolicyPlannerName = Literal["policy-iteration", "value-iteration", "lao", "uct", "replan"]

Outcome = Literal[
    "plan",
    "goal-already-true",
    "proven-unsolvable",
    "exhausted",
    "out-of-time",
    "out-of-memory",
    "cancelled",
]


Heuristic = Union[HeuristicName, Callable[[Any], Any], "LinearEstimate"]


class PlanOptions(TypedDict, total=False):
    """The keyword arguments of `Task.plan`."""

    planner: PlannerName | None
    seed: int
    limits: LimitsLike
    determinize: Literal["all-outcomes", "most-likely"]
    time: float | str | None
    memory: float | str | None
    on_plan: Callable[[Plan], object] | None
    heuristic: Heuristic | list[Heuristic] | None
    policy: Callable[[Any, ActionArrays], Any] | None
    search: SearchName
    batch: int
    beam: int
    observation: BatchObservation


@dataclass(frozen=True)
class PlanStatistics:
    """The statistics of a search.

    Attributes
    ----------
    expanded : int
        The number of states whose successors were generated.
    evaluated : int
        The number of states that a heuristic evaluated.
    generated : int
        The number of generated successors, duplicates included.
    dead_ends : int
        The number of states recognized as dead ends.
    states : int
        The number of distinct states.
    memory : int
        The memory that the search used, in bytes.
    time : float
        The duration in seconds.
    best_heuristic : int or None
        The lowest heuristic value found; None if there was none.
    lower_bound : float or None
        A cost that no plan is below, as far as the search has shown it. Only the ``astar`` planners show one, if costs are
        exact and follow the metric; otherwise None.
    rounding : str or None
        The reason why the search proved nothing: numbers may be rounded, such as 0.1, which is not exact in binary. None if
        all numbers are exact.
    """

    expanded: int
    evaluated: int
    generated: int
    dead_ends: int
    states: int
    memory: int
    time: float
    best_heuristic: int | None
    lower_bound: float | None
    rounding: str | None = None


@dataclass(frozen=True, repr=False)
class Plan(OneLine):
    """The result of a search for a plan. It is truthy if there is a plan, and iterates over the plan's actions.

    ``str()`` of a plan is its text in the format of ``herbrand validate`` and other planners' tools.

    Attributes
    ----------
    outcome : str
        ``"plan"``, ``"goal-already-true"`` or ``"proven-unsolvable"``; if the search gave no result: ``"exhausted"`` (the
        planner searched its whole space, which is no proof), ``"out-of-time"``, ``"out-of-memory"``, ``"cancelled"``.
    actions : tuple of Action, or None
        The plan; empty if the goal is already true.
    cost : float or None
        The plan's cost by the metric, if the metric is minimised and is a sum over the steps; otherwise its length.
    proven_optimal : bool
        Whether the search proved that no plan is cheaper.
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

    def _repr_html_(self) -> str:
        """Returns the plan as a numbered list, for notebooks."""
        if not self.actions:
            return _notebook.steps(None, self.outcome)
        optimal = ", proven optimal" if self.proven_optimal else ""
        count = f"{len(self.actions)} step{'s'[: len(self.actions) != 1]}"
        return _notebook.steps(self.actions, f"{count}, cost {self.cost:g}{optimal}" if self.cost is not None else count)


@dataclass(frozen=True, repr=False)
class PolicyState(OneLine):
    """A state under a policy, with its value: a row of `Policy.table`.

    Attributes
    ----------
    state : State
        The state. Atoms that no condition and no goal depends on are false in it.
    start_probability : float
        The probability of starting here.
    goal : bool
        Whether the goal holds.
    dead_end : bool
        Whether the goal does not hold and no action is valid.
    action : Action or None
        The action of the policy; None in goal states and where the policy gives up.
    goal_probability : float
        The probability of reaching the goal from here.
    expected_cost : float or None
        The mean cost of the runs from here that reach the goal; None if there are none.
    """

    state: State
    start_probability: float
    goal: bool
    dead_end: bool
    action: Action | None
    goal_probability: float
    expected_cost: float | None


@dataclass(frozen=True, repr=False)
class PolicyRuns(OneLine):
    """The results of several runs of a policy.

    Attributes
    ----------
    runs : int
        The number of runs.
    reached : int
        The number of runs that reached the goal.
    cost : float or None
        The mean cost of the runs that reached the goal; None if there are none.
    steps : float or None
        The mean length of the runs that reached the goal; None if there are none.
    interval : tuple of float
        The ends of the confidence interval of 95 % of the probability of reaching the goal (Wilson).
    first : tuple of Action
        The actions of the first run.
    """

    runs: int
    reached: int
    cost: float | None
    steps: float | None
    interval: tuple[float, float]
    first: tuple[Action, ...]

    @property
    def goal_probability(self) -> float:
        """The share of runs that reached the goal."""
        return self.reached / max(self.runs, 1)

    @property
    def standard_error(self) -> float:
        """The standard error of this share for which `interval` is as long."""
        low, high = self.interval
        return (high - low) / 3.92


def policy_planners() -> list[str]:
    """Returns the names of the planners for probabilistic problems."""
    return list(get_args(PolicyPlannerName))


def planners() -> list[str]:
    """Returns the names of the planners for deterministic problems."""
    return list(get_args(PlannerName))


def plan(
    domain: DomainLike,
    problem: ProblemLike | None = None,
    *,
    split: str | None = None,
    **options: Unpack[PlanOptions],
) -> Plan:
    """Searches for a plan for a problem.

    Parameters
    ----------
    domain, problem, split
        As for `load`.
    **options
        As for `Task.plan`: ``planner``, ``heuristic``, ``seed`` and others. ``limits``, ``time`` and ``memory`` hold for
        grounding, and again for the search.

    Raises
    ------
    LimitError
        If grounding reaches a limit. If the search does, `Plan.outcome` reports it.

    Examples
    --------
    >>> import herbrand
    >>> plan = herbrand.plan("ferry", "train/01", planner="astar-lmcut")
    >>> plan.proven_optimal, plan.cost == len(plan)
    (True, True)
    """
    limits = as_limits(options.pop("limits", None), options.pop("time", None), options.pop("memory", None))
    options["limits"] = limits
    return load(domain, problem, split=split, limits=limits).plan(**options)
