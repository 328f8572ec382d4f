"""What an action does: functions of a state, an action and a domain."""

from __future__ import annotations

import typing

import numpy as np

from ..._herbrand import Random
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
    """No operator can carry the action out in this state."""


class AmbiguousAction(InvalidAction, AssertionError):
    """Several ground operators can carry the action out in this state."""


def choose_operator(position: Position, action: Literal, unique: bool = True) -> int | None:
    """The ground operator that carries an action out; None when there is none.

    Raises
    ------
    AmbiguousAction
        When several can and `unique` is set; otherwise the first is chosen, in order of declaration.
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
    """The error that says why an action is not valid."""
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
    """A successor, drawn."""
    ground = position.ground
    successor, _ = ground.task.sample(position.state, operator, rng)
    return ground.successor(position, successor)


def distribution(position: Position, operator: int) -> dict[State, float]:
    """The successors with their probabilities, which sum to 1."""
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
    """A successor of a state, drawn where chance has a part in it (by NumPy's global generator).

    Parameters
    ----------
    state : State
    action : Literal
    domain : PDDLDomain
    raise_error_on_invalid_action : bool
        Whether an invalid action is an error; otherwise it changes nothing.
    inference_mode : str
        Kept for what is written for PDDLGym: there is one engine.
    require_unique_assignment : bool
        Whether it is an error that several ground operators can carry the action out; otherwise the first does.
    get_all_transitions, return_probs : bool
        Whether all successors are wanted, as `get_successor_states` gives them, and with their probabilities.

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
    """All successors of a state.

    Parameters
    ----------
    return_probs : bool
        Whether probabilities are wanted, which sum to 1.
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
    """The successors of a state as a list: states, or pairs of a state and its probability."""
    found = get_successor_states(state, action, domain, return_probs=True)
    assert isinstance(found, dict)
    return list(found.items()) if return_probs else list(found)
