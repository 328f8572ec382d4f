"""The structures of PDDLGym: types, objects, literals, formulas, effects and states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from .entities import NULLTYPE, Type, TypedEntity
from .formulas import (
    Exists,
    ForAll,
    Formula,
    LiteralConjunction,
    LiteralDisjunction,
    NoChange,
    ProbabilisticEffect,
    When,
    Written,
)
from .literals import DerivedPredicate, Literal, Predicate

if TYPE_CHECKING:
    from .engine import Position

__all__ = [
    "NULLTYPE",
    "Anti",
    "DerivedPredicate",
    "Effect",
    "Exists",
    "ForAll",
    "Formula",
    "Literal",
    "LiteralConjunction",
    "LiteralDisjunction",
    "NoChange",
    "Not",
    "Predicate",
    "ProbabilisticEffect",
    "State",
    "Type",
    "TypedEntity",
    "When",
    "Written",
    "effect_to_literal",
    "ground_literal",
    "wrap_goal_literal",
]


class _Fields(NamedTuple):
    literals: frozenset[Literal]
    objects: frozenset[TypedEntity]
    goal: Formula


class State(_Fields):
    """A state: the literals that are true, all objects, and the goal.

    Parameters
    ----------
    literals : frozenset of Literal
        Static and derived ones included.
    objects : frozenset of TypedEntity
        Constants included.
    goal : formula
    """

    # Where the engine stands in this state, so that it need not be looked for again; no part of the value.
    _position: Position | None = None

    def with_literals(self, literals: Iterable[Literal]) -> State:
        """The state of the same objects and goal with other literals."""
        return State(frozenset(literals), self.objects, self.goal)

    def with_objects(self, objects: Iterable[TypedEntity]) -> State:
        """The state of the same literals and goal with other objects."""
        return State(self.literals, frozenset(objects), self.goal)

    def with_goal(self, goal: Formula) -> State:
        """The state of the same literals and objects with another goal."""
        return State(self.literals, self.objects, goal)

    def __getstate__(self) -> None:
        return None


_Term = TypeVar("_Term", Predicate, Literal)


def Not(x: Any) -> Any:
    """The negation of a predicate, literal or formula."""
    if isinstance(x, Predicate):
        return x._variant(not x.is_negative, x.is_anti)
    if isinstance(x, Literal):
        return Not(x.predicate)(*x.variables)
    if isinstance(x, ForAll):
        return ForAll(x.body, x.variables, is_negative=not x.is_negative)
    if isinstance(x, Exists):
        return Exists(x.variables, x.body, is_negative=not x.is_negative)
    if isinstance(x, LiteralConjunction):
        return LiteralDisjunction([Not(part) for part in x.literals])
    if isinstance(x, LiteralDisjunction):
        return LiteralConjunction([Not(part) for part in x.literals])
    if isinstance(x, Written):
        return Written(f"(not {x.text})")
    raise AssertionError(f"{x!r} has no negation")


def Anti(x: _Term) -> _Term:
    """The deletion of a predicate or literal; of a deletion, what it deletes."""
    if isinstance(x, Predicate):
        return x._variant(False, not x.is_anti)
    if isinstance(x, Literal):
        return Anti(x.predicate)(*x.variables)
    raise AssertionError(f"{x!r} cannot be deleted")


def Effect(x: _Term) -> _Term:
    """The predicate or literal with ``Effect`` before its name."""
    if isinstance(x, Literal):
        return Effect(x.predicate)(*x.variables)
    assert not x.negated_as_failure
    return Predicate("Effect" + x.name, x.arity, x.var_types, is_negative=x.is_negative, is_anti=x.is_anti)


def effect_to_literal(literal: Literal) -> Literal:
    """What `Effect` was made of."""
    predicate = literal.predicate
    assert predicate.name.startswith("Effect")
    plain = Predicate(
        predicate.name[len("Effect") :],
        predicate.arity,
        predicate.var_types,
        is_negative=predicate.is_negative,
        is_anti=predicate.is_anti,
        negated_as_failure=predicate.negated_as_failure,
    )
    return plain(*literal.variables)


def ground_literal(lifted_lit: Literal, assignments: Mapping[TypedEntity, TypedEntity]) -> Literal:
    """The literal with objects in place of its variables.

    Parameters
    ----------
    lifted_lit : Literal
    assignments : mapping from TypedEntity to TypedEntity
        An object for each argument.
    """
    return lifted_lit.predicate(*(assignments[variable] for variable in lifted_lit.variables))


def wrap_goal_literal(x: Any) -> Any:
    """A predicate, literal, conjunction or universal formula with ``WANT`` before all predicates."""
    if isinstance(x, LiteralConjunction):
        return LiteralConjunction([wrap_goal_literal(part) for part in x.literals])
    if isinstance(x, ForAll):
        return ForAll(wrap_goal_literal(x.body), x.variables, is_negative=x.is_negative)
    if isinstance(x, Predicate):
        return Predicate("WANT" + x.name, x.arity, x.var_types, is_negative=x.is_negative, is_anti=x.is_anti)
    return wrap_goal_literal(cast(Literal, x).predicate)(*x.variables)
