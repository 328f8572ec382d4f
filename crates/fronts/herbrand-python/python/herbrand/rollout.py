"""The result of `herbrand.VecEnv.collect`: transitions of a random policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rollout", "Transitions"]


@dataclass(frozen=True)
class Rollout:
    """Sampled transitions of several environments, one row per environment and step.

    If observations are dicts of arrays, so are the fields of observations here.

    Attributes
    ----------
    first_observations : array, (num_envs, …)
        The observations before the first step.
    first_masks : array of int8, (num_envs, actions), or of uint8, (num_envs, bytes), if masks are packed
    observations : array, (num_envs, steps, …)
        The observations after each step. If the next episode has begun, its first observation.
    action_masks : array of int8, (num_envs, steps, actions), or of uint8, (num_envs, steps, bytes)
        The valid actions in the states of `observations`.
    actions : array of int64, (num_envs, steps), or of float64, (num_envs, steps, fields), or a dict of arrays
        The actions of the steps.
    rewards : array of float64, (num_envs, steps)
    terminations, truncations : array of bool, (num_envs, steps)
    stepped : array of bool, (num_envs, steps)
        False if the environment began an episode instead of taking the action.
    applied, goal, dead_end : array of bool, (num_envs, steps)
        As in the infos of `VecEnv.step`. If an episode ended in the step, they describe its last state.
    problems : array of int64, (num_envs, steps)
        The index of the observed problem.
    final_observations : array, (num_envs, steps, …), or None
        With autoreset in the same step: the last observations of episodes that ended, 0 in the other rows. None in other
        modes.
    episode_returns : array of float64, (episodes,)
        The sums of rewards of the episodes that ended, in the order of the steps; empty if ``statistics`` is False.
    episode_lengths : array of int64, (episodes,)
    first_problems : array of int64, (num_envs,)
        The index of the problem before the first step.
    """

    first_observations: Any
    first_masks: NDArray[Any]
    observations: Any
    action_masks: NDArray[Any]
    actions: Any
    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    stepped: NDArray[np.bool_]
    applied: NDArray[np.bool_]
    goal: NDArray[np.bool_]
    dead_end: NDArray[np.bool_]
    problems: NDArray[np.int64]
    final_observations: Any
    episode_returns: NDArray[np.float64]
    episode_lengths: NDArray[np.int64]
    first_problems: NDArray[np.int64]

    def transitions(self) -> Transitions:
        """Returns the steps that were taken, each with the observation before and after it.

        The last step of an episode leads to the episode's last observation, never to the first one of the next episode. Steps
        that began an episode in place of an action are left out.

        Examples
        --------
        >>> import herbrand
        >>> envs = herbrand.make_vec("blocks", 4, problem="train/01", autoreset_mode="SameStep")
        >>> observations, infos = envs.reset(seed=1)
        >>> steps = envs.collect(50).transitions()
        >>> len(steps), steps.states.shape == steps.next_states.shape
        (200, True)
        """
        taken = self.stepped
        after = self.observations
        if self.final_observations is not None:
            ended = self.terminations | self.truncations
            after = _each(lambda seen, last: _where(ended, last, seen), after, self.final_observations)
        return Transitions(
            states=_each(lambda first, seen: _before(first, seen)[taken], self.first_observations, self.observations),
            action_masks=_before(self.first_masks, self.action_masks)[taken],
            actions=_each(lambda part: part[taken], self.actions),
            rewards=self.rewards[taken],
            next_states=_each(lambda part: part[taken], after),
            terminations=self.terminations[taken],
            truncations=self.truncations[taken],
            applied=self.applied[taken],
            goal=self.goal[taken],
            dead_end=self.dead_end[taken],
            problems=_before(self.first_problems, self.problems)[taken],
            environments=np.nonzero(taken)[0],
        )

    def __repr__(self) -> str:
        environments, steps = self.rewards.shape
        ended = len(self.episode_returns)
        return f"<Rollout: {environments} environments, {steps} steps, {ended} episodes ended>"


@dataclass(frozen=True)
class Transitions:
    """The steps of a `Rollout`, one row per step: first all steps of environment 0, in order, then those of environment 1.

    If observations are dicts of arrays, so are `states` and `next_states`.

    Attributes
    ----------
    states : array, (transitions, …)
        The observations before the steps.
    action_masks : array of int8, (transitions, actions), or of uint8, (transitions, bytes), if masks are packed
        The valid actions in `states`.
    actions : array of int64, (transitions,), or of float64, (transitions, fields), or a dict of arrays
    rewards : array of float64, (transitions,)
    next_states : array, (transitions, …)
        The observations after the steps. After the last step of an episode: the last observation of this episode.
    terminations, truncations : array of bool, (transitions,)
    applied, goal, dead_end : array of bool, (transitions,)
        Whether the step carried out its action; whether the goal holds after it; whether no action is valid after it.
    problems : array of int64, (transitions,)
        The index of the problem of the step.
    environments : array of int64, (transitions,)
        The environment of the step.
    """

    states: Any
    action_masks: NDArray[Any]
    actions: Any
    rewards: NDArray[np.float64]
    next_states: Any
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    applied: NDArray[np.bool_]
    goal: NDArray[np.bool_]
    dead_end: NDArray[np.bool_]
    problems: NDArray[np.int64]
    environments: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rewards)

    def __repr__(self) -> str:
        return f"<Transitions: {len(self)} steps>"


def _each(function: Callable[..., NDArray[Any]], *arrays: Any) -> Any:
    """Applies a function to arrays, or to each part of dicts of arrays."""
    if isinstance(arrays[0], dict):
        return {name: function(*(one[name] for one in arrays)) for name in arrays[0]}
    return function(*arrays)


def _before(first: NDArray[Any], after: NDArray[Any]) -> NDArray[Any]:
    """Returns the values before each step, given the first ones, (num_envs, …), and those after each step."""
    return np.concatenate([first[:, None], after[:, :-1]], axis=1)


def _where(which: NDArray[np.bool_], one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Returns the rows of one array that are marked, (num_envs, steps), and the other rows of another array."""
    return np.where(which.reshape(*which.shape, *(1,) * (one.ndim - which.ndim)), one, other)
