"""Spaces of literals, for actions and observations.

Unlike Gymnasium's spaces they depend on the state, whose objects are the arguments of the literals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from gymnasium.spaces import Space

from .domains import PDDLDomain
from .engine import Engine, Position
from .entities import Type, TypedEntity
from .formulas import LiteralConjunction
from .literals import Literal, Predicate
from .structs import State

__all__ = ["LiteralActionSpace", "LiteralSetSpace", "LiteralSpace"]


def _always(state: State, literal: Literal) -> bool:
    return True


class LiteralSpace(Space[Any]):
    """The ground literals of some predicates over the objects of a state.

    Arguments may repeat an object, as in PDDL.

    Parameters
    ----------
    predicates : iterable of Predicate
    lit_valid_test : function of a state and a literal, optional
        Returns whether a literal is valid; by default all are.
    type_hierarchy : optional
        Ignored; accepted for compatibility with PDDLGym.
    type_to_parent_types : mapping from Type to set of Type, optional
        Maps each type to itself and all its supertypes. Without it, types must be equal.
    """

    def __init__(
        self,
        predicates: Iterable[Predicate],
        lit_valid_test: Callable[[State, Literal], bool] = _always,
        type_hierarchy: Mapping[Type, set[Type]] | None = None,
        type_to_parent_types: Mapping[Type, set[Type]] | None = None,
    ) -> None:
        self.predicates = sorted(predicates)
        self.num_predicates = len(self.predicates)
        self.type_hierarchy = type_hierarchy
        self._lit_valid_test = lit_valid_test
        self._type_to_parent_types = type_to_parent_types
        self._objects: frozenset[TypedEntity] | None = None
        self._all: list[Literal] = []
        super().__init__()

    def reset_initial_state(self, initial_state: State) -> None:
        """Called at the start of each episode."""

    def sample(self, state: State) -> Literal:  # type: ignore[override]
        """Returns a uniformly random valid literal.

        Raises
        ------
        IndexError
            If no literal is valid (a dead end).
        """
        if self._lit_valid_test is _always:
            return self._choose(self._ground(state))
        return self._choose([literal for literal in self._ground(state) if self._lit_valid_test(state, literal)])

    def _choose(self, literals: list[Literal]) -> Literal:
        if not literals:
            raise IndexError("there is nothing to sample from: no literal is valid in this state")
        return literals[int(self.np_random.integers(len(literals)))]

    def all_ground_literals(self, state: State, valid_only: bool = True) -> set[Literal]:
        """Returns all literals over the objects of a state, or only the valid ones."""
        literals = self._ground(state)
        if not valid_only or self._lit_valid_test is _always:
            return set(literals)
        return {literal for literal in literals if self._lit_valid_test(state, literal)}

    def _ground(self, state: State) -> list[Literal]:
        """Returns all literals over the objects of a state, sorted; cached for the last set of objects."""
        if state.objects != self._objects:
            members = _by_type(state.objects, self._type_to_parent_types)
            self._all = sorted(
                predicate(*choice)
                for predicate in self.predicates
                for choice in itertools.product(*_choices(predicate, members, state.objects))
            )
            self._objects = state.objects
        return self._all

    def contains(self, x: object) -> bool:
        """Returns whether `x` is a state, and all its literals and goal literals are in this space."""
        if not isinstance(x, State):
            return False
        goal = x.goal.literals if isinstance(x.goal, LiteralConjunction) else [x.goal]
        wanted = {part.positive for part in goal if isinstance(part, Literal)}
        return (x.literals | wanted) <= set(self._ground(x))


def _by_type(
    objects: Iterable[TypedEntity], above: Mapping[Type, set[Type]] | None
) -> dict[str, list[TypedEntity]]:
    members: dict[str, list[TypedEntity]] = {}
    for entity in sorted(objects):
        for type in above.get(entity.var_type, {entity.var_type}) if above else {entity.var_type}:
            members.setdefault(str.__str__(type), []).append(entity)
    return members


def _choices(
    predicate: Predicate, members: Mapping[str, list[TypedEntity]], objects: Collection[TypedEntity]
) -> list[list[TypedEntity]]:
    """Returns the possible objects of each argument of a predicate."""
    if predicate.var_types is None:
        return [sorted(objects)] * predicate.arity
    return [members.get(str.__str__(type), []) for type in predicate.var_types]


class LiteralActionSpace(LiteralSpace):
    """The space of the agent's actions. The engine computes the valid ones.

    Parameters
    ----------
    domain : PDDLDomain
    predicates : iterable of Predicate
        The predicates of the actions.
    type_hierarchy, type_to_parent_types
        As for `LiteralSpace`.
    """

    def __init__(
        self,
        domain: PDDLDomain,
        predicates: Iterable[Predicate],
        type_hierarchy: Mapping[Type, set[Type]] | None = None,
        type_to_parent_types: Mapping[Type, set[Type]] | None = None,
    ) -> None:
        super().__init__(predicates, self._is_valid, type_hierarchy, type_to_parent_types)
        self.domain = domain
        self._engine: Engine | None = None

    def reset_initial_state(self, initial_state: State) -> None:
        """Called at the start of each episode: later states are located by the engine of this one."""
        position = initial_state._position
        self._engine = None if position is None else position.ground.engine

    def _position(self, state: State) -> Position:
        return (self._engine or self.domain._current_engine()).locate(state)

    def _is_valid(self, state: State, literal: Literal) -> bool:
        return bool(self._position(state).operators(literal))

    def sample(self, state: State) -> Literal:  # type: ignore[override]
        """Returns a uniformly random valid action.

        Raises
        ------
        IndexError
            If no action is valid (a dead end).
        """
        position = self._position(state)
        valid = position.actions
        if not valid:
            raise IndexError("there is nothing to sample from: no action is valid in this state")
        return position.ground.actions[valid[int(self.np_random.integers(len(valid)))]]

    def all_ground_literals(self, state: State, valid_only: bool = True) -> set[Literal]:
        """Returns all actions over the objects of a state, or only the valid ones."""
        if not valid_only:
            return set(self._ground(state))
        position = self._position(state)
        actions = position.ground.actions
        return {actions[number] for number in position.actions}


class LiteralSetSpace(LiteralSpace):
    """The space of observations: states, as sets of literals."""

    def sample(self, state: State | None = None) -> Literal:  # type: ignore[override]
        """Raises `NotImplementedError`: observations cannot be sampled."""
        raise NotImplementedError("observations are not sampled")
