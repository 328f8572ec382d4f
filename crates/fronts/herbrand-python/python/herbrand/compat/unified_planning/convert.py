"""Conversion of problems, plans and actions in both directions, through PDDL."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from pyparsing import ParseBaseException
from unified_planning.engines import CompilationKind
from unified_planning.engines.compilers.bounded_types_remover import BoundedTypesRemover
from unified_planning.engines.compilers.state_invariants_remover import StateInvariantsRemover
from unified_planning.engines.compilers.usertype_fluents_remover import UsertypeFluentsRemover
from unified_planning.environment import Environment
from unified_planning.exceptions import UPException, UPUnreachableCodeError, UPUnsupportedProblemTypeError
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.io.pddl_writer import ObjectsExtractor
from unified_planning.model import Action as UnifiedAction
from unified_planning.model import FNode
from unified_planning.model import Problem as UnifiedProblem
from unified_planning.plans import ActionInstance, SequentialPlan

from ..._herbrand import Action, Atom, Domain, Problem, Task
from ...errors import ParseError
from ...limits import LimitsLike
from ...planning import Plan

__all__ = ["Written", "to_actions", "to_task", "to_unified", "to_unified_plan"]


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
    return _task(_writer(problem), limits)


class _InOrder(set[Any]):
    """A set that is iterated in the order of these items."""

    def __init__(self, items: Iterable[Any], order: list[Any]) -> None:
        super().__init__(items)
        self._order = order

    def __iter__(self) -> Iterator[Any]:
        return (item for item in self._order if item in self)


def _writer(problem: UnifiedProblem) -> PDDLWriter:
    """Returns a writer that declares constants in the problem's order, so that every run gives the same task."""
    writer = PDDLWriter(problem, rewrite_bool_assignments=True)
    writer._populate_domain_objects(ObjectsExtractor())  # noqa: SLF001
    order = list(problem.all_objects)
    writer.domain_objects = {kind: _InOrder(found, order) for kind, found in (writer.domain_objects or {}).items()}
    return writer


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
    writer = _writer(problem)
    # The writer chooses the names while it writes the texts.
    writer.get_domain()
    writer.get_problem()
    try:
        return SequentialPlan([ActionInstance(*_instance(writer, problem, one)) for one in plan], problem.environment)
    except UPException as error:
        raise ValueError(f"the plan has a step that is no action of the problem: {error}") from error


def _instance(writer: PDDLWriter, problem: UnifiedProblem, action: Action) -> tuple[UnifiedAction, tuple[FNode, ...]]:
    """Returns the problem's own action and the arguments of an action of the task."""
    objects = problem.environment.expression_manager.ObjectExp
    arguments = tuple(objects(writer.get_item_named(one)) for one in action.arguments)
    return problem.action(writer.get_item_named(action.name).name), arguments


def to_actions(plan: SequentialPlan, problem: UnifiedProblem) -> tuple[Action, ...]:
    """Converts a plan for the Unified Planning problem to actions of the result of `to_task`.

    Raises
    ------
    ValueError
        If the task has no such ground action, because it is never applicable.
    """
    writer = _writer(problem)
    task = _task(writer, None)
    texts = []
    for instance in plan.actions:
        words = [instance.action, *(parameter.object() for parameter in instance.actual_parameters)]
        texts.append("({})".format(" ".join(writer.get_pddl_name(word) for word in words)))
    return tuple(task.action(text) for text in texts)


class Written:
    """A problem, its task, and the names on both sides.

    Fluents whose values are objects become atoms with one more argument, the value. For planners, bounds and state
    invariants become conditions of all actions and of the goal; otherwise they are left out, together with the metric.

    Parameters
    ----------
    problem : unified_planning.model.Problem
    for_planner : bool
    limits : Limits or mapping, optional
        Limits for grounding.

    Attributes
    ----------
    problem, written : unified_planning.model.Problem
        The given problem, and the problem that was written. Their actions have the same names and parameters.
    task : Task
    rounded : bool
        Whether a number has more decimals than Unified Planning writes.

    Raises
    ------
    unified_planning.exceptions.UPException
        If PDDL cannot hold the problem.
    LimitError
        If grounding reaches a limit.
    """

    def __init__(self, problem: UnifiedProblem, *, for_planner: bool, limits: LimitsLike = None) -> None:
        self.problem = problem
        self.written = _plain(problem, for_planner)
        self._writer = _writer(self.written)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                self.task = _task(self._writer, limits)
            except (AssertionError, NotImplementedError, ParseError, UPUnreachableCodeError) as error:
                raise UPUnsupportedProblemTypeError(f"PDDL cannot hold the problem {problem.name}: {error}") from error
        self.rounded = any("cannot exactly represent" in str(one.message) for one in caught)

    def pddl_name(self, item: Any) -> str:
        """Returns the name of an action, a fluent or an object of the written problem."""
        name: str = self._writer.get_pddl_name(item)
        return name

    def instance(self, action: Action) -> tuple[UnifiedAction, tuple[FNode, ...]]:
        """Returns the problem's own action and the arguments of an action of the task."""
        return _instance(self._writer, self.problem, action)

    def expression(self, atom: Atom) -> FNode:
        """Returns an atom of the task as a fluent of the problem."""
        manager = self.problem.environment.expression_manager
        fluent = self.problem.fluent(self._writer.get_item_named(atom.predicate).name)
        objects = [manager.ObjectExp(self._writer.get_item_named(one)) for one in atom.arguments]
        return manager.FluentExp(fluent, objects)

    def plan(self, actions: Iterable[Action]) -> SequentialPlan:
        """Returns a plan for the problem."""
        return SequentialPlan([ActionInstance(*self.instance(one)) for one in actions], self.problem.environment)


def _plain(problem: UnifiedProblem, for_planner: bool) -> UnifiedProblem:
    """Returns a problem with the same actions that PDDL can hold."""
    kind = problem.kind
    open_goals = [goal for goal in problem.goals if not goal.simplify().is_true()]
    if len(open_goals) < len(problem.goals):
        # The writer has no text for a goal that is always true.
        problem = problem.clone()
        problem.clear_goals()
        for goal in open_goals:
            problem.add_goal(goal)
    if not for_planner:
        problem = problem.clone()
        problem.clear_quality_metrics()
        problem.clear_trajectory_constraints()
    kinds = CompilationKind
    compilers: list[tuple[bool, Any, CompilationKind]] = [
        (for_planner and kind.has_state_invariants(), StateInvariantsRemover, kinds.STATE_INVARIANTS_REMOVING),
        (for_planner and kind.has_bounded_types(), BoundedTypesRemover, kinds.BOUNDED_TYPES_REMOVING),
        (kind.has_object_fluents(), UsertypeFluentsRemover, kinds.USERTYPE_FLUENTS_REMOVING),
    ]
    for needed, compiler, compilation in compilers:
        if needed:
            problem = compiler().compile(problem, compilation).problem
    return problem
