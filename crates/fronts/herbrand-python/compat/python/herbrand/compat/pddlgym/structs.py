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
    """A state: the true literals, all objects, and the goal.

    Parameters
    ----------
    literals : frozenset of Literal
        The true literals, including static and derived ones.
    objects : frozenset of TypedEntity
        All objects, including constants.
    goal : formula
    """

    # # The engine's counterpart of this state, cached. It is not part of the value.
    _position: Position | None = None

    def with_literals(self, literals: Iterable[Literal]) -> State:
        """Returns a copy with other literals."""
        return State(frozenset(literals), self.objects, self.goal)

    def with_objects(self, objects: Iterable[TypedEntity]) -> State:
        """Returns a copy with other objects."""
        return State(self.literals, frozenset(objects), self.goal)

    def with_goal(self, goal: Formula) -> State:
        """Returns a copy with another goal."""
        return State(self.literals, self.objects, goal)

    def __getstate__(self) -> None:
        return None


_Term = TypeVar("_Term", Predicate, Literal)


def Not(x: Any) -> Any:
    """Returns the negation of a predicate, literal or formula."""
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
    """Returns the deletion of a predicate or literal; for a deletion, the original."""
    if isinstance(x, Predicate):
        return x._variant(False, not x.is_anti)
    if isinstance(x, Literal):
        return Anti(x.predicate)(*x.variables)
    raise AssertionError(f"{x!r} cannot be deleted")


def Effect(x: _Term) -> _Term:
    """Returns the predicate or literal with the prefix ``Effect`` in its name."""
    if isinstance(x, Literal):
        return Effect(x.predicate)(*x.variables)
    assert not x.negated_as_failure
    return Predicate("Effect" + x.name, x.arity, x.var_types, is_negative=x.is_negative, is_anti=x.is_anti)


def effect_to_literal(literal: Literal) -> Literal:
    """Removes the prefix ``Effect``; the inverse of `Effect`."""
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
    """Substitutes objects for the variables of a literal.

    Parameters
    ----------
    lifted_lit : Literal
    assignments : mapping from TypedEntity to TypedEntity
        An object for each argument.
    """
    return lifted_lit.predicate(*(assignments[variable] for variable in lifted_lit.variables))


def wrap_goal_literal(x: Any) -> Any:
    """Adds the prefix ``WANT`` to all predicates of a predicate, literal, conjunction or universal formula."""
    if isinstance(x, LiteralConjunction):
        return LiteralConjunction([wrap_goal_literal(part) for part in x.literals])
    if isinstance(x, ForAll):
        return ForAll(wrap_goal_literal(x.body), x.variables, is_negative=x.is_negative)
    if isinstance(x, Predicate):
        return Predicate("WANT" + x.name, x.arity, x.var_types, is_negative=x.is_negative, is_anti=x.is_anti)
    return wrap_goal_literal(cast(Literal, x).predicate)(*x.variables)
