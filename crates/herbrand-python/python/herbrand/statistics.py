"""Returns and lengths of the episodes of a `herbrand.VecEnv`, in Gymnasium's form."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EpisodeStatistics"]


class EpisodeStatistics:
    """Adds up rewards and steps, and reports them when an episode ends.

    What it reports is what `gymnasium.wrappers.vector.RecordEpisodeStatistics` does: ``info["episode"]`` with arrays of
    shape ``(num_envs,)`` under ``"r"`` (the sum of the rewards), ``"l"`` (the number of steps) and ``"t"`` (seconds
    since the episode began), 0 where no episode ended; ``info["_episode"]`` says where one did.
    """

    def __init__(self, num_envs: int) -> None:
        self._returns = np.zeros(num_envs, dtype=np.float64)
        self._lengths = np.zeros(num_envs, dtype=np.int64)
        self._starts = np.zeros(num_envs, dtype=np.float64)

    def begin(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> None:
        """Episodes begin in the environments that `which` marks or numbers."""
        self._returns[which] = 0.0
        self._lengths[which] = 0
        self._starts[which] = time.perf_counter()

    def step(self, rewards: NDArray[np.float64], stepped: NDArray[np.bool_], ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What one step adds to the infos.

        Parameters
        ----------
        rewards : array of float64, (num_envs,)
        stepped : array of bool, (num_envs,)
            Where a step was taken; elsewhere an episode has begun instead.
        ended : array of bool, (num_envs,)
            Where the step ended an episode.
        """
        began = np.flatnonzero(~stepped)
        if began.size:
            self.begin(began)
        self._returns += rewards
        self._lengths += stepped
        (over,) = ended.nonzero()
        if not over.size:
            return {}
        seconds = np.round(time.perf_counter() - self._starts[over], 6)
        episode = {}
        for key, values in (("r", self._returns[over]), ("l", self._lengths[over]), ("t", seconds)):
            episode[key] = np.zeros(ended.size, dtype=values.dtype)
            episode[key][over] = values
        return {"episode": episode, "_episode": ended}
