"""What `herbrand.VecEnv.collect` gives: steps of a random policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rollout"]


@dataclass(frozen=True)
class Rollout:
    """Sampled steps of many environments, one row per environment and step.

    Where an observation is a dict of arrays, so is each field of observations here.

    Attributes
    ----------
    first_observations : array, (num_envs, …)
        What was seen before the first step.
    first_masks : array of int8, (num_envs, actions)
    observations : array, (num_envs, steps, …)
        What was seen after each step. Where the next episode has begun, that is its first observation.
    action_masks : array of int8, (num_envs, steps, actions)
        Which actions were valid then.
    actions : array of int64, (num_envs, steps), or of float64, (num_envs, steps, fields), or a dict of arrays
        The action that led there.
    rewards : array of float64, (num_envs, steps)
    terminations, truncations : array of bool, (num_envs, steps)
    stepped : array of bool, (num_envs, steps)
        False where an episode began in place of the step: the action was not taken.
    applied, goal, dead_end : array of bool, (num_envs, steps)
        As in the infos of `VecEnv.step`; of the last state where an episode ended in the step.
    problems : array of int64, (num_envs, steps)
        The index of the problem that is observed.
    final_observations : array, (num_envs, steps, …), or None
        Where episodes end and begin in the same step: the last observation of the episode that ended; elsewhere 0.
    episode_returns : array of float64, (episodes,)
        The sums of rewards of the episodes that ended, in the order of the steps; empty without statistics.
    episode_lengths : array of int64, (episodes,)
    """

    first_observations: Any
    first_masks: NDArray[np.int8]
    observations: Any
    action_masks: NDArray[np.int8]
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
