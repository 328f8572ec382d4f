"""Transitions: successors of a state and an action in a domain."""

from __future__ import annotations

import typing

import numpy as np

from herbrand import Random

from .domains import PDDLDomain
from .engine import Position
from .literals import Literal
from .structs import State

__all__ = [
    "AmbiguousAction",
    "InvalidAction",
    "get_all_possible_transitions",
    "get_successor_state",
    "get_successor_states",
]


class InvalidAction(Exception):
    """Raised if no operator can carry out the action in the state."""


class AmbiguousAction(InvalidAction, AssertionError):
    """Raised if several ground operators can carry out the action in the state."""


def choose_operator(position: Position, action: Literal, unique: bool = True) -> int | None:
    """Returns the ground operator that carries out an action; None if there is no valid one.

    Raises
    ------
    AmbiguousAction
        If several are valid and `unique` is set. Otherwise the first one in the order of declaration is returned.
    """
    operators = position.operators(action)
    if not operators:
        return None
    if unique and len(operators) > 1:
        names = position.ground.task.ground_actions
        several = ", ".join(str(names[operator]) for operator in operators)
        raise AmbiguousAction(f"several operators can carry out {action} in this state: {several}")
    return operators[0]


def invalid(position: Position, action: Literal) -> InvalidAction:
    """Returns an `InvalidAction` with the reason why an action is not valid."""
    number = position.ground.find(action)
    reason = "no operator can carry it out in any state that can be reached"
    if number is not None:
        operators = position.ground.operators[number]
        reason = "no operator can carry it out in this state"
        if len(operators) == 1:
            explanation = position.ground.task.explain(position.state, operators[0])
            if explanation.failures:
                reason = f"{'; '.join(explanation.failures)} does not hold"
    return InvalidAction(f"invalid action {action}: {reason}")


def sampled(position: Position, operator: int, rng: Random) -> State:
    """Returns a random successor."""
    ground = position.ground
    successor, _ = ground.task.sample(position.state, operator, rng)
    return ground.successor(position, successor)


def distribution(position: Position, operator: int) -> dict[State, float]:
    """Returns the successors with their probabilities, which sum to 1."""
    found: dict[State, float] = {}
    for probability, successor, _ in position.ground.task.outcomes(position.state, operator):
        state = position.ground.successor(position, successor)
        found[state] = found.get(state, 0.0) + probability
    return found


@typing.overload
def get_successor_state(
    state: State,
    action: Literal,
    domain: PDDLDomain,
    raise_error_on_invalid_action: bool = False,
    inference_mode: str = "infer",
    require_unique_assignment: bool = True,
    get_all_transitions: typing.Literal[False] = False,
    return_probs: bool = False,
) -> State: ...


@typing.overload
def get_successor_state(
    state: State,
    action: Literal,
    domain: PDDLDomain,
    raise_error_on_invalid_action: bool = False,
    inference_mode: str = "infer",
    require_unique_assignment: bool = True,
    *,
    get_all_transitions: typing.Literal[True],
    return_probs: bool = False,
) -> dict[State, float] | frozenset[State]: ...


def get_successor_state(
    state: State,
    action: Literal,
    domain: PDDLDomain,
    raise_error_on_invalid_action: bool = False,
    inference_mode: str = "infer",
    require_unique_assignment: bool = True,
    get_all_transitions: bool = False,
    return_probs: bool = False,
) -> State | dict[State, float] | frozenset[State]:
    """Returns a successor of a state; random outcomes are drawn by NumPy's global generator.

    Parameters
    ----------
    state : State
    action : Literal
    domain : PDDLDomain
    raise_error_on_invalid_action : bool
        Whether an invalid action raises an error. If not, it changes nothing.
    inference_mode : str
        Ignored; accepted for compatibility with PDDLGym.
    require_unique_assignment : bool
        Whether it is an error if several ground operators can carry out the action. If not, the first one is used.
    get_all_transitions, return_probs : bool
        Whether to return all successors, as `get_successor_states` does, and their probabilities.

    Raises
    ------
    InvalidAction
    AmbiguousAction
    """
    if get_all_transitions:
        options = raise_error_on_invalid_action, inference_mode, require_unique_assignment, return_probs
        return get_successor_states(state, action, domain, *options)
    position = domain._current_engine().locate(state)
    operator = choose_operator(position, action, require_unique_assignment)
    if operator is None:
        if raise_error_on_invalid_action:
            raise invalid(position, action)
        return state
    return sampled(position, operator, Random(int(np.random.randint(2**63 - 1, dtype=np.int64))))


def get_successor_states(
    state: State,
    action: Literal,
    domain: PDDLDomain,
    raise_error_on_invalid_action: bool = False,
    inference_mode: str = "infer",
    require_unique_assignment: bool = True,
    return_probs: bool = False,
) -> dict[State, float] | frozenset[State]:
    """Returns all successors of a state.

    Parameters
    ----------
    return_probs : bool
        Whether to return the probabilities, which sum to 1.
    state, action, domain, raise_error_on_invalid_action, inference_mode, require_unique_assignment
        As for `get_successor_state`.

    Returns
    -------
    dict from State to float, or frozenset of State
    """
    position = domain._current_engine().locate(state)
    operator = choose_operator(position, action, require_unique_assignment)
    if operator is None and raise_error_on_invalid_action:
        raise invalid(position, action)
    found = {state: 1.0} if operator is None else distribution(position, operator)
    return found if return_probs else frozenset(found)


def get_all_possible_transitions(
    state: State, action: Literal, domain: PDDLDomain, return_probs: bool = False
) -> list[State] | list[tuple[State, float]]:
    """Returns the successors of a state as a list of states, or of pairs of a state and its probability."""
    found = get_successor_states(state, action, domain, return_probs=True)
    assert isinstance(found, dict)
    return list(found.items()) if return_probs else list(found)
