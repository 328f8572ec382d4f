"""The kinds of problems that the engines support, and the parts of an engine that all of them share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from unified_planning.engines import Credits, Engine
from unified_planning.engines.results import LogLevel, LogMessage
from unified_planning.model import Fluent, FNode, ProblemKind
from unified_planning.model import Problem as UnifiedProblem

__all__ = ["OPTIMAL", "PLANNED", "SIMULATED", "HerbrandEngine", "compares", "contested", "inexact", "message"]

_CONDITIONS = {
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EQUALITIES",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
}
_ASSIGNED = {f"FLUENTS_IN_{kind}_ASSIGNMENTS" for kind in ("BOOLEAN", "NUMERIC", "OBJECT")}
_EFFECTS = {
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "INCREASE_EFFECTS",
    "DECREASE_EFFECTS",
    *_ASSIGNED,
    *(f"STATIC_{name}" for name in _ASSIGNED),
}
_FLUENTS = {"INT_FLUENTS", "REAL_FLUENTS", "OBJECT_FLUENTS", "BOUNDED_TYPES"}
_CLASSES = {"ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING"}
_NUMERIC = {"SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING"}
_HELD = _CLASSES | _NUMERIC | _CONDITIONS | _EFFECTS | _FLUENTS | {"STATE_INVARIANTS"}
_NUMBERS = {"INT_NUMBERS_IN_ACTIONS_COST", "REAL_NUMBERS_IN_ACTIONS_COST"}
_ADDED_COSTS = {"PLAN_LENGTH", "ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST"} | _NUMBERS
_METRICS = _ADDED_COSTS | {"FLUENTS_IN_ACTIONS_COST", "FINAL_VALUE"}
_WISHES = {"OVERSUBSCRIPTION", "INT_NUMBERS_IN_OVERSUBSCRIPTION", "REAL_NUMBERS_IN_OVERSUBSCRIPTION"}

# A condition on a number without a value is false. Unknown truth values have no such meaning in PDDL.
PLANNED = _HELD | _METRICS | {"UNDEFINED_INITIAL_NUMERIC"}
OPTIMAL = _HELD | _ADDED_COSTS | {"UNDEFINED_INITIAL_NUMERIC"}
SIMULATED = _HELD | _METRICS | _WISHES


class HerbrandEngine(Engine):  # type: ignore[misc]
    """What all engines have in common. A subclass has `features`, the features of problems that it supports."""

    features: frozenset[str] | set[str] = frozenset()
    title = "herbrand"

    @property
    def name(self) -> str:
        """The name of the engine, which is also its name in the factory."""
        return self.title

    @classmethod
    def supported_kind(cls) -> ProblemKind:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Returns the supported features of problems."""
        return ProblemKind(cls.features, version=2)

    @classmethod
    def supports(cls, problem_kind: ProblemKind) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Returns whether the engine supports problems of this kind."""
        return bool(problem_kind <= cls.supported_kind())

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits:
        """Returns the credits of the engine."""
        about = "Datalog grounding, stepping and heuristic search on the ground task"
        return Credits("Herbrand", "the authors of Herbrand", "", "", "MIT OR Apache-2.0", about, about)


def message(text: str) -> LogMessage:
    """Returns a message for a result's log."""
    return LogMessage(LogLevel.INFO, text)


def inexact(problem: UnifiedProblem) -> str | None:
    """Returns the first number or division that doubles do not hold exactly; None if the numbers are exact."""
    if not any(fluent.type.is_int_type() or fluent.type.is_real_type() for fluent in problem.fluents):
        return None
    values = [value for value in problem.initial_values.values() if value is not None]
    values += [effect.value for action in problem.actions for effect in action.effects]
    for expression in [*values, *_formulas(problem)]:
        for node in _nodes(expression):
            if (node.is_div() and not _halves(node.arg(1))) or (node.is_constant() and _rounded(node)):
                return str(node)
    return None


def contested(problem: UnifiedProblem) -> set[Fluent]:
    """Returns the fluents to which two effects of an action may assign different numbers or objects."""
    found: set[Fluent] = set()
    for action in problem.actions:
        effects = [effect for effect in action.effects if not effect.fluent.type.is_bool_type()]
        changed = [effect.fluent.fluent() for effect in effects]
        for effect, fluent in zip(effects, changed, strict=True):
            if effect.is_assignment() and (effect.is_forall() or changed.count(fluent) > 1):
                found.add(fluent)
    return found


def _formulas(problem: UnifiedProblem) -> Iterator[FNode]:
    """Iterates over all conditions of a problem."""
    yield from problem.goals
    yield from problem.trajectory_constraints
    for action in problem.actions:
        yield from action.preconditions
        yield from (effect.condition for effect in action.effects)


def _nodes(expression: FNode) -> Iterator[FNode]:
    """Iterates over an expression and its parts."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        stack += node.args


def _halves(divisor: FNode) -> bool:
    """Returns whether a division by this is exact: by a power of two."""
    return bool(divisor.is_int_constant()) and abs(int(divisor.constant_value())).bit_count() == 1


def _rounded(node: FNode) -> bool:
    if not (node.is_int_constant() or node.is_real_constant()):
        return False
    value = Fraction(node.constant_value())
    return abs(value) > 2**53 or Fraction(float(value)) != value
