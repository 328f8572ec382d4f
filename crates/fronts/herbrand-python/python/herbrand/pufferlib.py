"""Environments for PufferLib: many Herbrand environments as one native ``PufferEnv``.

Needs PufferLib (``pip install pufferlib``, or ``pufferlib-core``, which is built). PufferLib's ``vector.make`` runs several
of them in one process or in several.

Examples
--------
>>> from herbrand.pufferlib import make_vec  # doctest: +SKIP
>>> import pufferlib.vector  # doctest: +SKIP
>>> options = {"domain": "blocks", "problem": "train/01", "num_envs": 64}
>>> envs = pufferlib.vector.make(  # doctest: +SKIP
...     make_vec, env_kwargs=options, num_envs=4, num_workers=2, backend=pufferlib.vector.Multiprocessing
... )
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from . import vector
from .base_vector import BaseVecEnv

__all__ = ["PufferVecEnv", "make_vec"]

_MISSING = "herbrand.pufferlib needs PufferLib: pip install pufferlib, or pufferlib-core"

try:
    _PufferEnv: Any = import_module("pufferlib").PufferEnv
except ImportError:
    _PufferEnv = object


class PufferVecEnv(_PufferEnv):  # type: ignore[misc]
    """A batch of environments as one ``pufferlib.PufferEnv`` with one agent per environment.

    Each step writes into PufferLib's buffers. PufferLib has no action masks, so if actions are numbers, the mask follows the
    observation in each row; `split` separates them. Infos are a list with one dict for the episodes that ended in the step:
    the means ``episode_return`` and ``episode_length``, and ``goal``, the share of these episodes that reached the goal.

    Parameters
    ----------
    envs : BaseVecEnv
        Environments whose observations are vectors, with ``autoreset_mode="SameStep"``.
    buf : dict, optional
        The buffers of PufferLib.
    """

    def __init__(self, envs: BaseVecEnv, buf: dict[str, Any] | None = None) -> None:
        if _PufferEnv is object:
            raise ImportError(_MISSING)
        if envs.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(f"PufferLib wants autoreset_mode='SameStep', not {envs.autoreset_mode.value!r}")
        self.envs, self.num_agents = envs, envs.num_envs
        self.single_action_space = envs.single_action_space
        self.single_observation_space, self._width = _row_space(envs.single_observation_space, envs.single_action_space)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
        """Starts new episodes. Environment ``i`` gets the seed ``seed * num_agents + i``, so that no two batches share one."""
        seen, _ = self.envs.reset(seed=None if seed is None else seed * self.num_agents)
        for flags in (self.rewards, self.terminals, self.truncations):
            flags[:] = 0
        self._write(seen)
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """Takes an action in every environment, and writes into the buffers."""
        seen, self.rewards[:], self.terminals[:], self.truncations[:], infos = self.envs.step(actions)
        self._write(seen)
        told = []
        if "episode" in infos:
            ended, episode = infos["_episode"], infos["episode"]
            means = {"episode_return": episode["r"], "episode_length": episode["l"], "goal": infos["final_info"]["goal"]}
            told.append({name: float(values[ended].mean()) for name, values in means.items()})
        return self.observations, self.rewards, self.terminals, self.truncations, told

    def split(self, rows: Any) -> tuple[Any, Any]:
        """Returns the observations and the masks in rows of the buffer (arrays or tensors), as views.

        Masks have the dtype of the observations, 1 for a valid action, and no columns if actions are not numbers.
        """
        return rows[..., : self._width], rows[..., self._width :]

    def close(self) -> None:
        """Does nothing: environments hold no resources."""

    def _write(self, seen: Any) -> None:
        self.observations[:, : self._width] = seen
        if self._width < self.observations.shape[1]:
            self.observations[:, self._width :] = self.envs.action_masks()


def _row_space(seen: spaces.Space[Any], action: spaces.Space[Any]) -> tuple[spaces.Box, int]:
    """Returns the space of a row with the mask, and the width of the observation in it."""
    if seen.shape is None or len(seen.shape) != 1:
        raise ValueError(f"PufferLib's native environments observe vectors, not {seen}: observe 'bits', or 'flat' in RDDL")
    if not isinstance(action, (spaces.Discrete, spaces.MultiDiscrete, spaces.Box)):
        raise ValueError(f"PufferLib's native environments take numbers or vectors, not {action}: actions='flat'")
    width, dtype = seen.shape[0], np.dtype(seen.dtype)
    actions = int(action.n) if isinstance(action, spaces.Discrete) else 0
    low, high = (seen.low, seen.high) if isinstance(seen, spaces.Box) else (np.zeros(width), np.ones(width))
    low, high = np.concatenate([low, np.zeros(actions)]), np.concatenate([high, np.ones(actions)])
    return spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype.type), width


def make_vec(
    domain: Any, num_envs: int = 1, *, problem: Any = None, buf: dict[str, Any] | None = None, seed: int = 0, **options: Any
) -> PufferVecEnv:
    """Creates a `PufferVecEnv`. PufferLib passes `buf` and `seed`.

    Parameters
    ----------
    domain, num_envs, problem, **options
        As for `herbrand.make_vec`.
    buf : dict, optional
        The buffers of PufferLib.
    seed : int
        Ignored: PufferLib also passes the seed to `PufferVecEnv.reset`.

    Raises
    ------
    ImportError
        If PufferLib is missing.
    """
    options = {"copy": False, **options}
    envs = vector.make_vec(domain, num_envs, problem=problem, autoreset_mode="SameStep", **options)
    return PufferVecEnv(envs, buf)
