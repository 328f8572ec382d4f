"""Environments for Stable-Baselines3: many Herbrand environments as one ``VecEnv``, with masks for MaskablePPO.

Needs ``pip install 'herbrand[sb3]'``. A single environment, ``herbrand.make(…)``, needs no adapter.

Examples
--------
>>> from herbrand.sb3 import make_vec  # doctest: +SKIP
>>> from sb3_contrib import MaskablePPO  # doctest: +SKIP
>>> envs = make_vec("blocks", 64, split="train", ids="suite", observation="bits-and-goal", horizon=50)  # doctest: +SKIP
>>> MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=256).learn(100_000)  # doctest: +SKIP
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from . import vector
from .base_vector import BaseVecEnv
from .evaluation import Evaluation
from .observations import Copies
from .rddl.sources import is_rddl

__all__ = ["EvaluationCallback", "SB3VecEnv", "make_vec"]

_MISSING = "herbrand.sb3 needs Stable-Baselines3: pip install 'herbrand[sb3]'"

try:
    _VecEnv: Any = import_module("stable_baselines3.common.vec_env").VecEnv
    _BaseCallback: Any = import_module("stable_baselines3.common.callbacks").BaseCallback
except ImportError:
    _VecEnv = _BaseCallback = object

Indices = int | Iterable[int] | None


class SB3VecEnv(_VecEnv):  # type: ignore[misc]
    """A batch of environments as one ``stable_baselines3.common.vec_env.VecEnv``.

    The infos of environments whose episodes ended in the step have these entries; all other infos are empty.

    - ``terminal_observation``: the last observation of the episode. The next episode has begun.
    - ``TimeLimit.truncated`` (bool): whether the horizon ended the episode.
    - ``episode``: a dict of ``r`` (its return), ``l`` (its length) and ``t`` (the seconds since the environments were
      made), as ``Monitor`` adds it, unless the environments have ``statistics=False``.
    - ``goal``, ``dead_end``, ``applied`` and ``end``: of the last state, as in the infos of `herbrand.VecEnv`.
    - ``is_success`` (bool), in PDDL: the same as ``goal``. Stable-Baselines3 logs its mean as ``rollout/success_rate``.

    Rewards are float32. ``env_method`` takes the methods of the batch that return a row for each environment:
    ``env_method("action_masks")`` returns the masks. ``get_attr`` returns the attributes of the batch.

    Parameters
    ----------
    envs : BaseVecEnv
        Environments with ``autoreset_mode="SameStep"``, as `make_vec` creates them.
    bounds : tuple of two floats or two arrays, (fields,), optional
        The least and the greatest value of continuous action fluents that have no such bound themselves. SAC, TD3 and DDPG need
        finite bounds.

    Raises
    ------
    ImportError
        If Stable-Baselines3 is missing.
    ValueError
        If Stable-Baselines3 cannot use the environments.
    """

    def __init__(self, envs: BaseVecEnv, *, bounds: tuple[ArrayLike, ArrayLike] | None = None) -> None:
        if _VecEnv is object:
            raise ImportError(_MISSING)
        if envs.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(f"Stable-Baselines3 wants autoreset_mode='SameStep', not {envs.autoreset_mode.value!r}")
        action = envs.single_action_space
        if isinstance(action, spaces.Dict):
            raise ValueError("Stable-Baselines3 takes no actions that are dicts: write actions='flat' or actions='joint'")
        if bounds is not None:
            action = _bounded(action, *bounds)
        self.envs = envs
        self._actions: Any = None
        self._copies, self._is_kept = Copies(), envs._copy
        self._has_goals = isinstance(envs, vector.VecEnv)
        self._begun = time.time()
        super().__init__(envs.num_envs, envs.single_observation_space, action)

    def reset(self) -> Any:
        """Starts new episodes, with the seeds that `seed` has set; returns the observations."""
        seen, infos = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        self.reset_infos = _rows(infos, np.arange(self.num_envs))
        return self._owned(seen)

    def step_async(self, actions: Any) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Takes a step in every environment; returns observations, rewards, ends and infos."""
        seen, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if "final_obs" in infos:
            now = round(time.time() - self._begun, 6)
            ended = np.flatnonzero(infos["_final_obs"])
            begun, lasts = _rows(infos, ended), _rows(infos["final_info"], ended)
            for index, first, last in zip(ended.tolist(), begun, lasts, strict=True):
                self.reset_infos[index], told[index] = first, last
                last["terminal_observation"] = infos["final_obs"][index]
                last["TimeLimit.truncated"] = bool(truncated[index] and not terminated[index])
                if self._has_goals:
                    last["is_success"] = last["goal"]
                if "episode" in infos:
                    episode = infos["episode"]
                    last["episode"] = {"r": float(episode["r"][index]), "l": int(episode["l"][index]), "t": now}
        return self._owned(seen), rewards.astype(np.float32), terminated | truncated, told

    def set_options(self, options: Any = None) -> None:
        """Raises `ValueError` for options: environments that are stepped together take none at their reset."""
        if options:
            raise ValueError("environments that are stepped together take no options at a reset: choose problems by problem=…")

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns an attribute of the batch, once for each environment. Spaces are those of one environment."""
        of = self if attr_name in ("observation_space", "action_space") else self.envs
        return [getattr(of, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of the batch, and so of all environments."""
        if set(self._chosen(indices)) != set(range(self.num_envs)):
            raise ValueError(f"all environments share the attribute {attr_name!r}: set it without indices")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of the batch that returns a row for each environment, such as ``action_masks``; returns these rows."""
        rows = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        rows = rows.copy() if isinstance(rows, np.ndarray) and not self._is_kept else rows
        return [rows[index] for index in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """Returns whether the infos have what a wrapper adds: True for ``Monitor`` if the environments have statistics."""
        monitor = import_module("stable_baselines3.common.monitor").Monitor
        return [wrapper_class is monitor and self.envs._statistics] * len(self._chosen(indices))

    def close(self) -> None:
        """Does nothing: environments hold no resources."""

    def _chosen(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))

    def _owned(self, seen: Any) -> Any:
        """Returns observations that later steps do not overwrite: learners read the last ones after the next step."""
        return seen if self._is_kept else self._copies.of(seen)


# The infos about the episodes that ended.
_LAST = ("final_obs", "final_info", "episode")


def _rows(infos: dict[str, Any], indices: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Returns the infos about the states of some environments: a dict for each, with copies of its rows of the infos of all."""
    names = [name for name in infos if f"_{name}" in infos and name not in _LAST]
    return [dict(zip(names, row)) for row in zip(*(infos[name][indices] for name in names))]


def _bounded(space: spaces.Space[Any], low: ArrayLike, high: ArrayLike) -> spaces.Space[Any]:
    """Returns a space with bounds where it has none."""
    if not isinstance(space, spaces.Box):
        raise ValueError(f"bounds are for continuous actions, and these are {space}")
    low, high = np.where(np.isfinite(space.low), space.low, low), np.where(np.isfinite(space.high), space.high, high)
    return spaces.Box(low, high, dtype=np.float64)


def make_vec(
    domain: Any,
    num_envs: int = 1,
    *,
    problem: Any = None,
    bounds: tuple[ArrayLike, ArrayLike] | None = None,
    **options: Any,
) -> SB3VecEnv:
    """Creates a `SB3VecEnv`.

    Parameters
    ----------
    domain, num_envs, problem, **options
        As for `herbrand.make_vec`. In RDDL, actions and observations are vectors by default (``actions="flat"``,
        ``observation="flat"``).
    bounds
        As for `SB3VecEnv`.

    Raises
    ------
    ImportError
        If Stable-Baselines3 is missing.
    """
    form = {"actions": "flat", "observation": "flat"} if is_rddl(domain) else {}
    options = {"copy": False, **form, **options}
    return SB3VecEnv(vector.make_vec(domain, num_envs, problem=problem, autoreset_mode="SameStep", **options), bounds=bounds)


class EvaluationCallback(_BaseCallback):  # type: ignore[misc]
    """Evaluates the model at regular intervals of its training, and writes the learning curve to a file.

    The numbers are also recorded in the logger, as ``evaluation/…``.

    Parameters
    ----------
    evaluate : function
        Evaluates the model that it gets: returns what `herbrand.evaluate` returns, or other numbers by name.
    every : int
        The number of steps of all environments together between evaluations.
    path : path, optional
        A file of CSV with a line for each evaluation: the steps, and the numbers.
    stop : function, optional
        Ends the training if it returns True for `curve`.
    verbose : int
        With 1, each evaluation is printed.

    Attributes
    ----------
    curve : list of dict
        For each evaluation the ``steps`` and the numbers by name; of a `herbrand.Evaluation` those of its `summary`.

    Examples
    --------
    >>> import herbrand
    >>> from herbrand.sb3 import EvaluationCallback  # doctest: +SKIP
    >>> callback = EvaluationCallback(  # doctest: +SKIP
    ...     lambda model: herbrand.evaluate(model, "tireworld", split="test", ids="suite", horizon=50), 10_000, "curve.csv"
    ... )
    >>> model.learn(100_000, callback=callback)  # doctest: +SKIP
    """

    def __init__(
        self,
        evaluate: Callable[[Any], Evaluation | Mapping[str, float]],
        every: int = 10_000,
        path: str | os.PathLike[str] | None = None,
        *,
        stop: Callable[[list[dict[str, float]]], bool] | None = None,
        verbose: int = 0,
    ) -> None:
        if _BaseCallback is object:
            raise ImportError(_MISSING)
        super().__init__(verbose)
        self._evaluate, self._every, self._path, self._stop = evaluate, every, path, stop
        self._due = every
        self.curve: list[dict[str, float]] = []

    def _on_step(self) -> bool:
        if self.num_timesteps < self._due:
            return True
        self._due = (self.num_timesteps // self._every + 1) * self._every
        found = self._evaluate(self.model)
        numbers = found.summary() if isinstance(found, Evaluation) else found
        self.curve.append({"steps": self.num_timesteps, **numbers})
        for name, number in numbers.items():
            self.logger.record(f"evaluation/{name}", number)
        if self.verbose:
            print(f"{self.num_timesteps:>8} steps: " + ", ".join(f"{name} {number:.3f}" for name, number in numbers.items()))
        if self._path is not None:
            with Path(self._path).open("w", newline="") as file:
                rows = ([row["steps"], *(f"{number:.4f}" for number in list(row.values())[1:])] for row in self.curve)
                csv.writer(file, lineterminator="\n").writerows([list(self.curve[0]), *rows])
        return self._stop is None or not self._stop(self.curve)

    def plot(self, name: str = "goal", axes: Any = None, **style: Any) -> Any:
        """Draws a number over the steps, with its interval if there is one.

        Parameters
        ----------
        name : str
            The name of the number in `curve`.
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default new axes.
        **style
            As for ``Axes.plot``, such as ``label``.

        Returns
        -------
        matplotlib.axes.Axes
        """
        axes = import_module("matplotlib.pyplot").subplots()[1] if axes is None else axes
        steps = [row["steps"] for row in self.curve]
        (line,) = axes.plot(steps, [row[name] for row in self.curve], marker="o", markersize=3, **style)
        if self.curve and f"{name}_low" in self.curve[0]:
            low, high = ([row[f"{name}_{end}"] for row in self.curve] for end in ("low", "high"))
            axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2)
        axes.set(xlabel="environment steps", ylabel=name)
        return axes
