"""Exact computation of the probability that a policy reaches the goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import herbrand

__all__ = ["best_success", "success_probability"]

Policy = Callable[[NDArray[Any], NDArray[np.bool_]], NDArray[np.int64]]


def success_probability(env: herbrand.PDDLEnv, policy: Policy, horizon: int = 100) -> float:
    """Returns the probability that a deterministic policy reaches the goal of a problem within a horizon.

    It propagates the distribution over states step by step, so there is no sampling error.

    Parameters
    ----------
    env : PDDLEnv
        An environment of one problem whose actions are its operators (``operators=True``).
    policy : callable
        Returns one action for each row of observations, ``(states, …)``, and of masks, ``(states, actions)``. An invalid
        action leaves the state unchanged.
    horizon : int
        The maximal number of steps of an episode.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("tireworld", "test/04", operators=True)
    >>> 0 < success_probability(env, lambda observations, masks: masks.argmax(axis=1)) < 1
    True
    """
    env.reset(seed=0)
    task = env.task
    outcomes: dict[herbrand.State, list[tuple[float, herbrand.State]]] = {}

    def decide(states: list[herbrand.State]) -> None:
        """Calls the policy once for all new states."""
        pairs = [(env.set_state(state)[0].copy(), env.action_masks()) for state in states]
        open_ones = [(state, *pair) for state, pair in zip(states, pairs) if pair[1].any()]
        outcomes.update((state, []) for state in states)
        if not open_ones:
            return
        actions = policy(np.stack([one[1] for one in open_ones]), np.stack([one[2] for one in open_ones]))
        for (state, _, mask), action in zip(open_ones, actions):
            valid = task.outcomes(state, int(action)) if mask[action] else [(1.0, state, 0.0)]
            outcomes[state] = [(chance, successor) for chance, successor, _ in valid]

    reached, now = 0.0, {task.initial_state: 1.0}
    for _ in range(horizon):
        decide([state for state in now if state not in outcomes])
        following: dict[herbrand.State, float] = {}
        for state, weight in now.items():
            for chance, successor in outcomes[state]:
                if successor.is_goal:
                    reached += weight * chance
                else:
                    following[successor] = following.get(successor, 0.0) + weight * chance
        now = following
    return reached


def best_success(task: herbrand.Task) -> float:
    """Returns the highest probability of reaching the goal, by policy iteration over all states."""
    best = task.policy("policy-iteration").goal_probability
    assert best is not None
    return best
