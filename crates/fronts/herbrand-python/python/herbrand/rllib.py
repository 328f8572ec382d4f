"""Environments with action masks for RLlib's current API stack.

`MaskedVecEnv` and `MaskedEnv` put the action mask into the observation, where RLlib's modules expect it. They do not need
Ray. `register` registers the environments with RLlib. `ppo_config` returns a PPO configuration for them: each runner steps
many environments by one call, and the network takes valid actions only.

The last two need ``pip install 'herbrand[rllib]'`` and PyTorch.

Examples
--------
>>> import herbrand
>>> from herbrand.rllib import MaskedVecEnv
>>> envs = MaskedVecEnv(herbrand.make_vec("tireworld", problem="train/01", num_envs=4))
>>> observations, infos = envs.reset(seed=1)
>>> {name: array.shape for name, array in observations.items()}
{'action_mask': (4, 7), 'observations': (4, 19)}

>>> from herbrand.rllib import ppo_config
>>> algorithm = ppo_config("tireworld", "train/01", num_envs=32).build_algo()  # doctest: +SKIP
>>> algorithm.train()["env_runners"]["episode_return_mean"]  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .base_env import BaseEnv
from .base_vector import BaseVecEnv
from .env import make
from .vector import make_vec

__all__ = ["MaskedEnv", "MaskedVecEnv", "ppo_config", "register"]

NAME = "herbrand"
"""The default name of the environments in RLlib."""


def _masked_space(observation: spaces.Space[Any], action: spaces.Space[Any]) -> spaces.Dict:
    """Returns the space of observations with masks. Raises `ValueError` if RLlib does not support the spaces."""
    if not isinstance(action, spaces.Discrete):
        raise ValueError(f"masks need discrete actions, not {action}")
    if isinstance(observation, spaces.MultiBinary):
        seen = spaces.Box(0.0, 1.0, observation.shape, np.float32)
    elif isinstance(observation, spaces.Box):
        seen = spaces.Box(observation.low.astype(np.float32), observation.high.astype(np.float32), dtype=np.float32)
    else:
        raise ValueError(f"RLlib's networks take arrays, not {observation}: observe 'bits' or 'bits-and-goal'")
    mask = spaces.Box(0.0, 1.0, (int(action.n),), np.float32)
    return spaces.Dict({"action_mask": mask, "observations": seen})


def _masked(observation: NDArray[Any], mask: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    return {"action_mask": mask.astype(np.float32), "observations": observation.astype(np.float32)}


class MaskedEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment with its action mask in the observation: a dict of ``"observations"`` and ``"action_mask"``, both
    float32.

    Parameters
    ----------
    env : BaseEnv
        An environment with discrete actions and vector observations.
    """

    def __init__(self, env: BaseEnv) -> None:
        super().__init__(env)
        self._core = env
        self.observation_space = _masked_space(env.observation_space, env.action_space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self._core.reset(seed=seed, options=options)
        return _masked(observation, self._core.action_masks()), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, *rest = self._core.step(action)
        return (_masked(observation, self._core.action_masks()), *rest)  # type: ignore[return-value]


class MaskedVecEnv(VectorEnv[Any, Any, Any]):
    """A vector environment with action masks in the observations, as in `MaskedEnv`.

    Parameters
    ----------
    env : BaseVecEnv
        Environments with discrete actions and vector observations, and with autoreset in the next step.
    """

    def __init__(self, env: BaseVecEnv) -> None:
        if env.autoreset_mode is not AutoresetMode.NEXT_STEP:
            raise ValueError(f"RLlib wants autoreset_mode='NextStep', not {env.autoreset_mode.value!r}")
        self.env, self.num_envs, self.metadata = env, env.num_envs, env.metadata
        self.single_observation_space = _masked_space(env.single_observation_space, env.single_action_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self.single_action_space, self.action_space = env.single_action_space, env.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        # # RLlib may pass one seed per environment. They are consecutive, so the first one suffices.
        first = seed[0] if isinstance(seed, (list, tuple)) else seed
        observations, infos = self.env.reset(seed=first, options=options)
        return _masked(observations, self.env.action_masks()), infos

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        observations, *rest = self.env.step(actions)
        return (_masked(observations, self.env.action_masks()), *rest)  # type: ignore[return-value]


def _created(context: Mapping[str, Any]) -> MaskedEnv | MaskedVecEnv:
    """Creates an environment for RLlib: a vector environment if the context has ``num_envs``, else a single one."""
    options = dict(context)
    domain, problem = options.pop("domain"), options.pop("problem", None)
    count = options.pop("num_envs", None)
    if count is None:
        return MaskedEnv(make(domain, problem, **options))
    return MaskedVecEnv(make_vec(domain, problem=problem, num_envs=count, statistics=False, **options))


def register(name: str = NAME) -> str:
    """Registers the environments with RLlib, and returns the name.

    Put ``domain``, ``problem`` and other options of `herbrand.make_vec` into the ``env_config`` of an algorithm.

    Parameters
    ----------
    name : str
        The name in RLlib.
    """
    import_module("ray.tune").register_env(name, _created)
    return name


def ppo_config(domain: Any, problem: Any = None, *, num_envs: int = 64, runners: int = 0, **options: Any) -> Any:
    """Returns a configuration of RLlib's PPO with masked actions. It can be changed further like any other.

    Parameters
    ----------
    domain, problem
        As for `herbrand.make_vec`.
    num_envs : int
        The number of environments per runner.
    runners : int
        The number of processes that collect experience; 0 to collect in the learner's process.
    **options
        As for `herbrand.make_vec`.

    Returns
    -------
    ray.rllib.algorithms.ppo.PPOConfig
    """
    ppo = import_module("ray.rllib.algorithms.ppo")
    spec = import_module("ray.rllib.core.rl_module.rl_module").RLModuleSpec
    module = import_module("ray.rllib.examples.rl_modules.classes.action_masking_rlm").ActionMaskingTorchRLModule
    return (
        ppo.PPOConfig()
        .environment(register(), env_config={"domain": domain, "problem": problem, **options})
        .env_runners(
            num_env_runners=runners, num_envs_per_env_runner=num_envs, gym_env_vectorize_mode="vector_entry_point"
        )
        .rl_module(rl_module_spec=spec(module_class=module))
    )
