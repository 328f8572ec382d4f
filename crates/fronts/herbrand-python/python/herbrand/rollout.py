"""The result of `herbrand.VecEnv.collect`: transitions of a random policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rollout"]


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

    def __repr__(self) -> str:
        environments, steps = self.rewards.shape
        ended = len(self.episode_returns)
        return f"<Rollout: {environments} environments, {steps} steps, {ended} episodes ended>"
