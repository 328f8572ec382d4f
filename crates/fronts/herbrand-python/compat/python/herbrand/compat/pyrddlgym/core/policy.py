"""Policies, and their evaluation."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .debug.exception import RDDLRandPolicyVecNotImplemented
from .env import RDDLEnv

__all__ = ["BaseAgent", "NoOpAgent", "RandomAgent"]


class BaseAgent(ABC):
    """The abstract base class of policies."""

    # Whether states and actions are dicts of arrays.
    use_tensor_obs = False

    @abstractmethod
    def sample_action(self, state: Any) -> Any:
        """Returns an action, a dict, for a state."""

    def reset(self) -> None:
        """Called at the start of an episode."""

    def evaluate(
        self, env: RDDLEnv, episodes: int = 1, verbose: bool = False, render: bool = False, seed: int | None = None
    ) -> dict[str, float]:
        """Runs episodes and returns statistics of their returns.

        Parameters
        ----------
        env : RDDLEnv
        episodes : int
        verbose : bool
            Whether each step is printed.
        render : bool
            Whether each state is drawn.
        seed : int, optional
            The seed of the first episode. The following ones continue its random stream.

        Returns
        -------
        dict
            ``mean``, ``median``, ``min``, ``max`` and ``std`` of the discounted returns.
        """
        if env.vectorized != self.use_tensor_obs:
            raise ValueError(
                f"the environment has vectorized={env.vectorized}, and the policy use_tensor_obs={self.use_tensor_obs}"
            )
        returns = []
        for episode in range(episodes):
            returns.append(self._episode(env, verbose, render, seed if episode == 0 else None))
            if verbose:
                print(f"episode {episode + 1} ended with return {returns[-1]}")
        statistics: dict[str, Any] = {"mean": np.mean, "median": np.median, "min": np.min, "max": np.max, "std": np.std}
        return {name: float(of(returns)) for name, of in statistics.items()}

    def _episode(self, env: RDDLEnv, verbose: bool, render: bool, seed: int | None) -> float:
        self.reset()
        state, _ = env.reset(seed=seed)
        if verbose:
            print(f"initial state = {_format(state)}")
        total, weight, step, done = 0.0, 1.0, 0, env.done
        while not done and step < env.horizon:
            if render:
                env.render()
            action = self.sample_action(state)
            state, reward, terminated, truncated, _ = env.step(action)
            total += weight * reward
            weight *= env.discount
            done = terminated or truncated
            if verbose:
                print(f"step   = {step}\naction = {_format(action)}\nstate  = {_format(state)}\nreward = {reward}\ndone   = {done}")
            step += 1
        return total


def _format(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "{}"


class RandomAgent(BaseAgent):
    """Draws a random subset of the action fluents, and a random value for each.

    Parameters
    ----------
    action_space : gymnasium.spaces.Dict
    num_actions : int
        The number of ground fluents to set in each step.
    seed : int, optional
    """

    def __init__(self, action_space: Any, num_actions: int = 1, seed: int | None = None) -> None:
        self.action_space = action_space
        sizes = [space.shape[0] if space.shape else 1 for space in action_space.values()]
        # # An array of one element is a ground fluent.
        self._arrays = any(space.shape and space.shape != (1,) for space in action_space.values())
        if self._arrays and sum(math.prod(space.shape or ()) for space in action_space.values()) > num_actions:
            raise RDDLRandPolicyVecNotImplemented(
                f"a random policy on arrays sets all of their elements, and only {num_actions} may be set"
            )
        self.num_actions = min(num_actions, len(sizes))
        self.rng = random.Random(seed)
        if seed is not None:
            action_space.seed(seed)

    def sample_action(self, state: Any = None) -> dict[str, Any]:
        """Returns a random action, independent of the state."""
        drawn = self.action_space.sample()
        if self._arrays:
            return dict(drawn)
        chosen = self.rng.sample(list(drawn), self.num_actions)
        return {name: drawn[name].item() if isinstance(drawn[name], np.ndarray) else drawn[name] for name in chosen}


class NoOpAgent(BaseAgent):
    """Leaves all action fluents at their defaults.

    Parameters
    ----------
    action_space, num_actions
        Not used.
    """

    def __init__(self, action_space: Any = None, num_actions: int = 0) -> None:
        self.action_space = action_space
        self.num_actions = num_actions

    def sample_action(self, state: Any = None) -> dict[str, Any]:
        """Returns the empty action."""
        return {}
