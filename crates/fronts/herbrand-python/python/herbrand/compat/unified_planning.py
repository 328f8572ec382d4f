"""Conversion between Unified Planning's problems and Herbrand's tasks, and Herbrand as a Unified Planning engine.

Needs ``pip install unified-planning`` (1.1 or later).

Examples
--------
>>> import herbrand
>>> from herbrand.compat import unified_planning as bridge
>>> problem = bridge.to_unified(herbrand.load("gripper", "train/01"))
>>> task = bridge.to_task(problem)
>>> plan = bridge.to_unified_plan(task.plan(), problem)
>>> bridge.to_actions(plan, problem) == task.plan().actions
True

As an engine:

>>> from unified_planning.shortcuts import OneshotPlanner, get_environment
>>> get_environment().credits_stream = None
>>> bridge.register()
>>> with OneshotPlanner(name="herbrand") as planner:
...     planner.solve(problem).status.name
'SOLVED_SATISFICING'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import IO, Any

from pyparsing import ParseBaseException
from unified_planning.engines import Credits, Engine, OptimalityGuarantee, PlanGenerationResult
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.environment import Environment, get_environment
from unified_planning.exceptions import UPException, UPUsageError
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.model import Problem as UnifiedProblem
from unified_planning.model import ProblemKind
from unified_planning.plans import ActionInstance, SequentialPlan

from .._herbrand import Action, Domain, Problem, Task
from ..limits import Limits, LimitsLike
from ..planning import Outcome, Plan, PlannerName, planners

__all__ = [
    "HerbrandPlanner",
    "register",
    "to_actions",
    "to_task",
    "to_unified",
    "to_unified_plan",
]


def to_unified(task: Task, environment: Environment | None = None) -> UnifiedProblem:
    """Converts a task to a Unified Planning problem, through PDDL.

    Parameters
    ----------
    task : Task
    environment : unified_planning.environment.Environment, optional
        The environment of the problem; by default Unified Planning's global one.

    Raises
    ------
    ValueError
        If Unified Planning does not support a part of the problem, such as probabilistic effects or derived predicates.
    """
    reader = PDDLReader(environment)
    try:
        return reader.parse_problem_string(task.domain.to_pddl(), task.problem.to_pddl())
    except (UPException, ParseBaseException) as error:
        raise ValueError(f"Unified Planning does not read the problem: {error}") from error


def to_task(problem: UnifiedProblem, *, limits: LimitsLike = None) -> Task:
    """Converts a Unified Planning problem to a task, through PDDL.

    Unified Planning's writer renames everything whose name PDDL does not allow; `to_unified_plan` reverses this.

    Parameters
    ----------
    problem : unified_planning.model.Problem
    limits : Limits or mapping, optional
        Limits for grounding.

    Raises
    ------
    ParseError
        If the PDDL that Unified Planning writes is invalid.
    LimitError
        If grounding reaches a limit.
    """
    return _task(PDDLWriter(problem), limits)


def _task(writer: PDDLWriter, limits: LimitsLike) -> Task:
    domain = Domain(writer.get_domain())
    return Task(domain, Problem(writer.get_problem(), domain), limits=limits)


def to_unified_plan(plan: Plan | Iterable[Action], problem: UnifiedProblem) -> SequentialPlan:
    """Converts a plan for the result of `to_task` to a plan for the Unified Planning problem.

    Raises
    ------
    ValueError
        If there is no plan, or if the problem lacks an action or object of the plan.
    """
    if isinstance(plan, Plan) and plan.actions is None:
        raise ValueError(f"there is no plan: {plan.outcome}")
    return _plan(plan, problem, _names(problem))


def _names(problem: UnifiedProblem) -> Callable[[str], Any]:
    """Returns the function that maps a name in the written PDDL to the item of the problem."""
    writer = PDDLWriter(problem)
    # # The writer chooses the names while it writes the texts.
    writer.get_domain()
    writer.get_problem()
    named: Callable[[str], Any] = writer.get_item_named
    return named


def _plan(actions: Iterable[Action], problem: UnifiedProblem, named: Callable[[str], Any]) -> SequentialPlan:
    def instance(action: Action) -> ActionInstance:
        try:
            own = named(action.name)
            values = [problem.environment.expression_manager.ObjectExp(named(one)) for one in action.arguments]
        except UPException as error:
            raise ValueError(f"{action} is no action of the problem: {error}") from error
        return ActionInstance(own, tuple(values))

    return SequentialPlan([instance(action) for action in actions], problem.environment)


def to_actions(plan: SequentialPlan, problem: UnifiedProblem) -> tuple[Action, ...]:
    """Converts a plan for the Unified Planning problem to actions of the result of `to_task`.

    Raises
    ------
    ValueError
        If the task has no such ground action, because it is never applicable.
    """
    writer = PDDLWriter(problem)
    task = _task(writer, None)
    texts = []
    for instance in plan.actions:
        words = [instance.action, *(parameter.object() for parameter in instance.actual_parameters)]
        texts.append("({})".format(" ".join(writer.get_pddl_name(word) for word in words)))
    return tuple(task.action(text) for text in texts)


_STATUS: dict[Outcome, Status] = {
    "proven-unsolvable": Status.UNSOLVABLE_PROVEN,
    "exhausted": Status.UNSOLVABLE_INCOMPLETELY,
    "out-of-time": Status.TIMEOUT,
    "out-of-memory": Status.MEMOUT,
    "cancelled": Status.TIMEOUT,
}


class HerbrandPlanner(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """Herbrand's planners as an engine of Unified Planning.

    Parameters
    ----------
    planner : str, optional
        One of `herbrand.planners`. By default ``"landmarks"``, or ``"astar-lmcut"`` if an optimal plan is requested.
    seed : int, default 0
        The seed for breaking ties.
    """

    def __init__(self, planner: PlannerName | None = None, seed: int = 0) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        if planner is not None and planner not in planners():
            raise UPUsageError(f"planner is one of {', '.join(planners())}, not {planner!r}")
        self._planner: PlannerName | None = planner
        self._seed = seed

    @property
    def name(self) -> str:
        """The name of the engine."""
        return "herbrand"

    @staticmethod
    def supported_kind() -> ProblemKind:
        """Returns the supported features of problems."""
        kind = ProblemKind(version=2)
        kind.set_problem_class("ACTION_BASED")
        for feature in ("FLAT_TYPING", "HIERARCHICAL_TYPING"):
            kind.set_typing(feature)
        for feature in (
            "NEGATIVE_CONDITIONS",
            "DISJUNCTIVE_CONDITIONS",
            "EQUALITIES",
            "EXISTENTIAL_CONDITIONS",
            "UNIVERSAL_CONDITIONS",
        ):
            kind.set_conditions_kind(feature)
        for feature in ("CONDITIONAL_EFFECTS", "FORALL_EFFECTS", "INCREASE_EFFECTS", "DECREASE_EFFECTS"):
            kind.set_effects_kind(feature)
        for feature in ("STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS", "FLUENTS_IN_NUMERIC_ASSIGNMENTS"):
            kind.set_effects_kind(feature)
        for feature in ("INT_FLUENTS", "REAL_FLUENTS"):
            kind.set_fluents_type(feature)
        for feature in ("SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING"):
            kind.set_problem_type(feature)
        for feature in ("ACTIONS_COST", "PLAN_LENGTH", "FINAL_VALUE"):
            kind.set_quality_metrics(feature)
        for feature in (
            "STATIC_FLUENTS_IN_ACTIONS_COST",
            "INT_NUMBERS_IN_ACTIONS_COST",
            "REAL_NUMBERS_IN_ACTIONS_COST",
        ):
            kind.set_actions_cost_kind(feature)
        for feature in ("UNDEFINED_INITIAL_NUMERIC", "UNDEFINED_INITIAL_SYMBOLIC"):
            kind.set_initial_state(feature)
        return kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Returns whether the engine supports problems of this kind."""
        return bool(problem_kind <= HerbrandPlanner.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Returns whether the engine can give this guarantee; always True."""
        return True

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits:
        """Returns the credits of the engine."""
        about = "Datalog grounding, heuristic search on the ground task"
        return Credits("Herbrand", "the authors of Herbrand", "", "", "MIT OR Apache-2.0", about, about)

    def _solve(
        self,
        problem: UnifiedProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            raise UPUsageError("Herbrand's planners have heuristics of their own")
        start = time.monotonic()
        writer = PDDLWriter(problem)
        task = _task(writer, None if timeout is None else Limits(time=timeout))
        optimal = bool(self.optimality_metric_required)
        usual: PlannerName = "astar-lmcut" if optimal else "landmarks"
        planner = self._planner or usual
        left = None if timeout is None else Limits(time=max(timeout - (time.monotonic() - start), 0.001))
        plan = task.plan(planner=planner, seed=self._seed, limits=left)
        if output_stream is not None:
            output_stream.write(f"{planner}: {plan.outcome}, {plan.statistics.expanded} states expanded\n")
        if plan.actions is None:
            return PlanGenerationResult(_STATUS[plan.outcome], None, self.name)
        if optimal and not plan.proven_optimal:
            return PlanGenerationResult(Status.UNSOLVABLE_INCOMPLETELY, None, self.name)
        status = Status.SOLVED_OPTIMALLY if plan.proven_optimal else Status.SOLVED_SATISFICING
        return PlanGenerationResult(status, _plan(plan, problem, writer.get_item_named), self.name)


def register(environment: Environment | None = None) -> None:
    """Registers the engine with Unified Planning under the name ``"herbrand"``.

    Parameters
    ----------
    environment : unified_planning.environment.Environment, optional
        The environment; by default Unified Planning's global one.
    """
    factory = (environment or get_environment()).factory
    factory.add_engine("herbrand", __name__, "HerbrandPlanner")
