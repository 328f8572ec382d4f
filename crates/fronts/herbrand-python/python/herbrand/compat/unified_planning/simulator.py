"""Herbrand's simulator as an engine of Unified Planning, and its states."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from warnings import warn

from unified_planning.engines.mixins import SequentialSimulatorMixin
from unified_planning.exceptions import UPException, UPProblemDefinitionError, UPUsageError
from unified_planning.model import Action as UnifiedAction
from unified_planning.model import FNode
from unified_planning.model import Problem as UnifiedProblem
from unified_planning.model import State as UnifiedState
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.model.walkers import ExpressionQuantifiersRemover, StateEvaluator

from ..._herbrand import Atom, State
from ...errors import StepError, UnknownNameError
from .convert import Written
from .kinds import SIMULATED, HerbrandEngine, contested, inexact

__all__ = ["HerbrandSimulator", "HerbrandState"]

# Where a value is: an atom, a number's name, a value that never changes, or the atoms of an object fluent's values.
_Source = Any


class HerbrandState(UnifiedState):  # type: ignore[misc]
    """A state of a `HerbrandSimulator`. It is an immutable value: it can be hashed and compared.

    Attributes
    ----------
    state : State
        Herbrand's state.
    """

    __slots__ = ("_names", "_numbers", "state")

    def __init__(self, state: State, names: _Names) -> None:
        self.state = state
        self._names = names
        self._numbers: dict[str, float] | None = None

    def get_value(self, value: FNode) -> FNode:
        """Returns the value of a fluent.

        Raises
        ------
        unified_planning.exceptions.UPUsageError
            If the problem has no such fluent.
        """
        return self._read(self._names.source(value), value)

    def has_one_value(self, fluent: FNode) -> bool:
        """Returns whether an object fluent has exactly one value. It may have two after contradicting effects."""
        values: list[tuple[_Source, FNode]] = self._names.source(fluent)
        return sum(self._read(truth, fluent) is self._names.true for truth, _ in values) == 1

    def _read(self, source: _Source, fluent: FNode) -> FNode:
        names = self._names
        if isinstance(source, Atom):
            return names.true if source in self.state else names.false
        if isinstance(source, str):
            if self._numbers is None:
                self._numbers = self.state.numbers
            return names.number(self._numbers[source], fluent)
        if isinstance(source, list):
            for truth, value in source:
                if self._read(truth, fluent) is names.true:
                    return value
            raise UPUsageError(f"{fluent} has no value")
        return source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HerbrandState) and self._names is other._names and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        return f"HerbrandState({', '.join(map(str, self.state.changing))})"


class _Names:
    """Where the values of the fluents of a problem are in the states of its task."""

    def __init__(self, written: Written) -> None:
        manager = written.problem.environment.expression_manager
        self.written = written
        self.true, self.false = manager.TRUE(), manager.FALSE()
        self._promote = manager.auto_promote
        self._objects = manager.ObjectExp
        self._sources: dict[FNode, _Source] = {}
        self._atoms = {atom: atom for atom in written.task.ground_atoms}
        self._changing = written.task.initial_state.numbers.keys()

    def source(self, fluent: FNode) -> _Source:
        """Returns where the value of a fluent is."""
        found = self._sources.get(fluent)
        if found is None:
            found = self._sources[fluent] = self._find(fluent)
        return found

    def _find(self, fluent: FNode) -> _Source:
        problem = self.written.problem
        if not fluent.is_fluent_exp() or not problem.has_fluent(fluent.fluent().name):
            raise UPUsageError(f"{fluent} is no fluent of the problem {problem.name}")
        kept = fluent.fluent()
        written = self.written.written.fluent(kept.name)
        words = [self.written.pddl_name(written), *(self.written.pddl_name(one.object()) for one in fluent.args)]
        if kept.type.is_bool_type():
            return self._truth(words)
        if kept.type.is_user_type():
            objects = problem.objects(kept.type)
            return [(self._truth([*words, self.written.pddl_name(one)]), self._objects(one)) for one in objects]
        name = f"({' '.join(words)})"
        if name in self._changing:
            return name
        value = problem.initial_value(fluent)
        if value is None:
            raise UPUsageError(f"{fluent} has no value")
        return value

    def _truth(self, words: list[str]) -> _Source:
        return self._atoms.get(Atom(*words), self.false)

    def number(self, value: float, fluent: FNode) -> FNode:
        """Returns the value of a number as a constant."""
        whole = value.is_integer() and abs(value) < 2**53
        return self._promote(int(value) if whole else Fraction(value))[0]


class HerbrandSimulator(HerbrandEngine, SequentialSimulatorMixin):  # type: ignore[misc]
    """Herbrand's simulator of actions: the engine ``herbrand-simulator``.

    It grounds the problem once, with the actions that are reachable from the initial state. States come from
    `get_initial_state` and `apply`. Numbers are doubles; a problem with a number or a division that they may round is
    refused.

    Parameters
    ----------
    problem : unified_planning.model.Problem
    error_on_failed_checks : bool, default True
        Whether an unsupported problem is an error; otherwise it is a warning.

    Raises
    ------
    unified_planning.exceptions.UPUsageError
        If the problem is not supported.
    unified_planning.exceptions.UPProblemDefinitionError
        If the initial state violates an invariant or a bound.
    LimitError
        If grounding reaches a limit.
    """

    features = SIMULATED
    title = "herbrand-simulator"

    def __init__(self, problem: UnifiedProblem, error_on_failed_checks: bool = True, **kwargs: Any) -> None:
        HerbrandEngine.__init__(self)
        self.error_on_failed_checks = error_on_failed_checks
        SequentialSimulatorMixin.__init__(self, problem, error_on_failed_checks)
        rounded = inexact(problem)
        if rounded is not None and not self.skip_checks:
            text = f"{self.name} computes with doubles, which may round {rounded}"
            if error_on_failed_checks:
                raise UPUsageError(text)
            warn(text, stacklevel=2)
        self._written = Written(problem, for_planner=False)
        self._task = self._written.task
        self._names = _Names(self._written)
        self._evaluator = StateEvaluator(problem)
        self._instances: list[tuple[UnifiedAction, tuple[FNode, ...]]] | None = None
        self._numbers: dict[tuple[str, tuple[FNode, ...]], int | None] = {}
        self._invariants = _invariants(problem)
        disputed = contested(problem)
        given = [fluent for fluent in disputed if fluent.type.is_user_type()]
        self._disputed = [one for fluent in given for one in get_all_fluent_exp(problem, fluent)]
        self._all_succeed = not self._invariants and not disputed

    def _get_initial_state(self) -> HerbrandState:
        state = HerbrandState(self._task.initial_state, self._names)
        if not self._holds(state):
            raise UPProblemDefinitionError("the initial state violates an invariant or a bound of the problem")
        return state

    def _is_applicable(self, state: UnifiedState, action: UnifiedAction, parameters: tuple[FNode, ...]) -> bool:
        own, number = self._own(state), self._number(action, parameters)
        if number is None or not self._task.is_valid(own.state, number):
            return False
        return self._all_succeed or self._successor(own, number) is not None

    def _apply(self, state: UnifiedState, action: UnifiedAction, parameters: tuple[FNode, ...]) -> HerbrandState | None:
        own, number = self._own(state), self._number(action, parameters)
        if number is None or not self._task.is_valid(own.state, number):
            return None
        return self._successor(own, number)

    def _get_applicable_actions(self, state: UnifiedState) -> Iterator[tuple[UnifiedAction, tuple[FNode, ...]]]:
        own = self._own(state)
        if self._instances is None:
            self._instances = [self._written.instance(action) for action in self._task.ground_actions]
        for number in self._task.valid_action_ids(own.state):
            if self._all_succeed or self._successor(own, number) is not None:
                yield self._instances[number]

    def _is_goal(self, state: UnifiedState) -> bool:
        return self._own(state).state.is_goal

    def get_unsatisfied_goals(self, state: UnifiedState) -> list[FNode]:
        """Returns the goals that are false in a state."""
        return [goal for goal in self._problem.goals if not self._evaluator.evaluate(goal, state).is_true()]

    def explain(self, state: UnifiedState, action: UnifiedAction, parameters: tuple[FNode, ...]) -> str:
        """Returns a sentence that says why an action is not applicable in a state, in the names of PDDL."""
        own = self._own(state)
        text = self._text(action, parameters)
        try:
            explanation = self._task.explain(own.state, text)
        except UnknownNameError as error:
            return str(error)
        if not explanation.valid:
            return explanation.text
        try:
            successor = HerbrandState(self._task.apply(own.state, text), self._names)
        except StepError as error:
            return str(error)
        broken = [str(one) for one in self._invariants if not self._evaluator.evaluate(one, successor).is_true()]
        if not broken:
            return f"{text}: several effects contradict each other"
        return f"after {text}, {' and '.join(broken)} would be false"

    def _own(self, state: UnifiedState) -> HerbrandState:
        if isinstance(state, HerbrandState) and state._names is self._names:  # noqa: SLF001
            return state
        raise UPUsageError("states of this simulator come from its own get_initial_state and apply")

    def _successor(self, state: HerbrandState, number: int) -> HerbrandState | None:
        try:
            successor = HerbrandState(self._task.apply(state.state, number), self._names)
        except StepError:
            return None
        return successor if self._holds(successor) else None

    def _holds(self, state: HerbrandState) -> bool:
        kept = all(self._evaluator.evaluate(one, state).is_true() for one in self._invariants)
        return kept and all(state.has_one_value(one) for one in self._disputed)

    def _number(self, action: UnifiedAction, parameters: tuple[FNode, ...]) -> int | None:
        """Returns the number of the ground action; None if no reachable state allows it."""
        key = (action.name, parameters)
        if key not in self._numbers:
            if not self._problem.has_action(action.name) or self._problem.action(action.name) != action:
                raise UPUsageError(f"the action {action.name} is not in the problem {self._problem.name}")
            try:
                self._numbers[key] = self._task.action(self._text(action, parameters)).id
            except UnknownNameError:
                self._numbers[key] = None
        return self._numbers[key]

    def _text(self, action: UnifiedAction, parameters: tuple[FNode, ...]) -> str:
        """Returns a ground action as PDDL."""
        try:
            written = self._written.pddl_name(self._written.written.action(action.name))
            return f"({' '.join([written, *(self._written.pddl_name(one.object()) for one in parameters)])})"
        except UPException:
            # An action whose condition is false in every problem is not written at all.
            return f"({action.name.lower()})"


def _invariants(problem: UnifiedProblem) -> list[FNode]:
    """Returns the formulas that hold in every state: the invariants, and the bounds of numbers."""
    manager = problem.environment.expression_manager
    remover = ExpressionQuantifiersRemover(problem.environment)
    formulas = [remover.remove_quantifiers(one, problem).simplify() for one in problem.state_invariants]
    for fluent in problem.fluents:
        if not (fluent.type.is_int_type() or fluent.type.is_real_type()):
            continue
        for number in get_all_fluent_exp(problem, fluent):
            if fluent.type.lower_bound is not None:
                formulas.append(manager.LE(fluent.type.lower_bound, number))
            if fluent.type.upper_bound is not None:
                formulas.append(manager.LE(number, fluent.type.upper_bound))
    return formulas
