"""Many environments over problems of any language, stepped by the engine without the interpreter."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._herbrand import ObservedProblems, VecCore
from .base_env import Horizon, refuse_unknown
from .batch import Batch
from .observations import Copies, Rows, action_space, copied

if TYPE_CHECKING:
    from typing_extensions import Self

    from .rollout import Rollout

__all__ = ["BaseVecEnv"]

_Step = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


NO_PICTURES = "environments that are stepped together do not render: render a single one, herbrand.make(…, render_mode='rgb_array')"


def environment_count(given: Any) -> int:
    """Returns `num_envs`, or raises an error if it is no number of environments.

    `herbrand.make` takes the problem second, so a problem is the likeliest mistake.
    """
    try:
        count = operator.index(given)
    except TypeError:
        hint = f": a problem is given by name, problem={given!r}" if isinstance(given, (str, os.PathLike)) else ""
        raise TypeError(f"num_envs is an int, not {given!r}{hint}") from None
    if count < 1:
        raise ValueError(f"num_envs is 1 or more, not {count}")
    return count


class BaseVecEnv(VectorEnv[Any, Any, Any]):
    """Environments over problems of any language that are stepped together; `VecEnv` is what PDDL makes of it.

    Environment ``i`` goes through what a single `BaseEnv` of seed ``seed + i`` would, on any number of threads.

    Parameters
    ----------
    problems : ObservedProblems
        The problems, with a way of observing them.
    num_envs, autoreset_mode, threads, copy, statistics
        As for `VecEnv`.
    horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action
        As for `BaseEnv`.
    """

    def __init__(
        self,
        problems: ObservedProblems,
        num_envs: int = 1,
        *,
        horizon: Horizon = "suite",
        through_goals: bool = False,
        dead_end_terminates: bool = True,
        raise_error_on_invalid_action: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        statistics: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(NO_PICTURES)
        self.problems = problems
        self.num_envs = num_envs = environment_count(num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._copy, self._copies, self._mask_copies = copy, Copies(), Copies()
        options = (horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action)
        self._core = VecCore(problems, num_envs, self.autoreset_mode.value, threads, *options, copy, statistics)
        self._seeded = False
        self._everywhere = np.ones(num_envs, dtype=np.bool_)
        # Without copies it is handed out as it is.
        self._everywhere.setflags(write=False)
        self._rows = self._make_rows()
        self._batch = self._new_batch(1)
        self._arrays = self._batch.arrays
        # A mask that no step changes is handed out as it is.
        self._constant_masks = self._batch.masks.view() if problems.has_constant_mask else None
        if self._constant_masks is not None:
            self._constant_masks.setflags(write=False)
        # Views of what the engine writes are made once.
        self._view = self._rows.read(self._batch.observations) if self._rows.is_view else None
        self.single_observation_space = self._rows.space
        self.single_action_space = action_space(problems)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _make_rows(self) -> Rows:
        """How observations are made of the engine's rows."""
        return Rows(self.problems)

    def _read_actions(self, actions: NDArray[Any]) -> Any:
        """Actions that the engine has drawn, in the form of the action space."""
        return actions

    def _new_batch(self, steps: int) -> Batch:
        """Arrays for so many steps of every environment."""
        rows = self.num_envs * steps
        width, mask, _ = self._core.sizes
        finals = rows if self.autoreset_mode is AutoresetMode.SAME_STEP else 0
        return Batch.zeros(rows, finals, width, mask, self._rows.storage)

    def _new_actions(self, rows: int) -> NDArray[Any]:
        """An array for so many actions."""
        if self.problems.is_discrete:
            return np.zeros(rows, dtype=np.int64)
        return np.zeros((rows, self._core.sizes[2]), dtype=np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes.

        Parameters
        ----------
        seed : int, optional
            Environment ``i`` gets ``seed + i``.
        options : dict, optional
            ``{"reset_mask": array of bool}`` leaves the other environments where they are.

        Returns
        -------
        observations : array, (num_envs, …), or a dict of such arrays
        infos : dict
        """
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise TypeError(f"seed is an int, from which environment i gets seed + i, not {seed!r}")
        refuse_unknown(options, "reset_mask")
        which = (options or {}).get("reset_mask")
        begun = self._own(self._everywhere)
        if which is not None and self._seeded and seed is None:
            begun = np.ascontiguousarray(which, dtype=np.bool_)
            self._core.reset_some(begun, self._arrays)
        elif which is not None:
            raise ValueError("`reset_mask` comes without a seed, after a first reset of all environments")
        else:
            super().reset(seed=seed)
            if seed is None and not self._seeded:
                seed = int(self.np_random.integers(2**63))
            self._core.reset(None if seed is None else int(seed), self._arrays)
            self._seeded = True
        return self._seen(), self._state_infos(begun)

    def step(self, actions: ArrayLike) -> _Step:
        """Takes an action in every environment.

        Parameters
        ----------
        actions : array of int, (num_envs,), or of float, (num_envs, fields)

        Returns
        -------
        observations : array, (num_envs, …), or a dict of such arrays
        rewards : array of float64, (num_envs,)
        terminations, truncations : array of bool, (num_envs,)
        infos : dict
        """
        dtype = np.int64 if self.problems.is_discrete else np.float64
        try:
            numbers = np.ascontiguousarray(actions, dtype=dtype)
        except (TypeError, ValueError):
            texts = [one for one in np.ravel(np.asarray(actions, dtype=object)) if isinstance(one, str)]
            if not texts:
                raise
            call = f"herbrand.make(…).action_id({texts[0]!r})"
            raise TypeError(f"actions are numbers, one per environment: {call} gives that of {texts[0]!r}") from None
        return self._stepped(self._core.step(numbers, self._arrays))

    def step_sampled(self) -> _Step:
        """Takes a valid action in every environment, drawn as `sample` does: what ``step(sample())`` does, in one call.

        Infos have the actions, ``action``, and which of them were taken, ``_action``.
        """
        actions = self._new_actions(self.num_envs)
        result = self._stepped(self._core.step_sampled(actions, self._arrays))
        infos = result[4]
        infos["action"], infos["_action"] = self._read_actions(actions), infos["_applied"].copy()
        return result

    def _stepped(self, episodes: dict[str, Any] | None) -> _Step:
        """What there is to say of the step that was written, and of the episodes that it ended."""
        batch, own = self._batch, self._own
        infos = self._state_infos(own(self._everywhere))
        infos["applied"], infos["_applied"] = own(batch.applied), own(batch.stepped)
        if episodes is not None:
            infos["episode"], infos["_episode"] = episodes, batch.terminated | batch.truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._add_finals(infos)
        return self._seen(), own(batch.rewards), own(batch.terminated), own(batch.truncated), infos

    def collect(self, steps: int) -> Rollout:
        """Takes so many sampled steps in every environment and keeps all of them: experience of a random policy.

        It does what as many calls of `step_sampled` do, without the interpreter between them.

        Parameters
        ----------
        steps : int
            How many, from 1. Where autoreset is disabled, there is none to begin new episodes: use `step_sampled`.

        Raises
        ------
        EpisodeError
            Before the first reset.
        """
        if steps < 1:
            raise ValueError(f"steps is 1 or more, not {steps}")
        if self.autoreset_mode is AutoresetMode.DISABLED:
            raise ValueError("`collect` needs an autoreset mode that begins new episodes")
        count, first = self.num_envs, self._batch
        masks = first.masks.copy()
        before = self._copied_observations()
        actions = self._new_actions(count * steps)
        batch, (returns, lengths) = self._collected(steps, actions)
        parts = batch.by_environment(count, steps)
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        goal, dead_end = parts.goal, parts.dead_end
        if same_step:
            ended = parts.terminated | parts.truncated
            goal, dead_end = np.where(ended, parts.final_goal, goal), np.where(ended, parts.final_dead_end, dead_end)
        first.take_last(parts)
        from .rollout import Rollout

        return Rollout(
            first_observations=before,
            first_masks=masks,
            observations=self._rows.read(parts.observations),
            action_masks=parts.masks,
            actions=self._read_actions(actions.reshape(count, steps, *actions.shape[1:])),
            rewards=parts.rewards,
            terminations=parts.terminated,
            truncations=parts.truncated,
            stepped=parts.stepped,
            goal=goal,
            dead_end=dead_end,
            applied=parts.applied,
            problems=parts.problems,
            final_observations=self._rows.read(parts.finals) if same_step else None,
            episode_returns=returns,
            episode_lengths=lengths,
        )

    def _collected(self, steps: int, actions: NDArray[Any]) -> tuple[Batch, tuple[NDArray[np.float64], NDArray[np.int64]]]:
        """The arrays of so many sampled steps, and the returns and lengths of the episodes that ended in them."""
        # The engine takes the arrays of a single step for those that it wrote last.
        batch = self._batch if steps == 1 else self._new_batch(steps)
        episodes = self._core.collect(steps, actions, batch.arrays)
        if steps == 1:
            batch = Batch(*(array.copy() for array in batch.arrays))
            batch.finals[~(batch.terminated | batch.truncated)[: len(batch.finals)]] = 0
        return batch, episodes

    def _state_infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """What there is to know of the states that are observed; `which` says where it is new."""
        batch, own = self._batch, self._own
        return {
            "action_mask": self._masks(),
            "_action_mask": which,
            "goal": own(batch.goal),
            "_goal": which,
            "dead_end": own(batch.dead_end),
            "_dead_end": which,
            "problem_index": own(batch.problems),
            "_problem_index": which,
        }

    def _add_finals(self, infos: dict[str, Any]) -> None:
        """Adds the last states of the episodes that ended in this step, in which the next ones have begun."""
        batch = self._batch
        ended = batch.terminated | batch.truncated
        if not ended.any():
            return
        finals = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            finals[index] = copied(self._rows.read(batch.finals[index]))
        info = {"goal": batch.final_goal.copy(), "_goal": ended, "dead_end": batch.final_dead_end.copy(), "_dead_end": ended}
        info |= {"applied": batch.applied & ended, "_applied": ended}
        infos |= {"final_obs": finals, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def sample(self) -> Any:
        """A valid action of every environment, drawn, from its own seed: int64, each with the same probability, or float64
        with one number per field.

        It is 0, or all defaults, in a dead end, which ``info["dead_end"]`` marks, and after the end of an episode that the
        next step begins anew: a step there does the same, whatever its action.
        """
        actions = self._new_actions(self.num_envs)
        self._core.sample(actions)
        return self._read_actions(actions)

    @property
    def unwrapped(self) -> Self:
        """These environments themselves: wrappers around them have the same property."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are valid: an array of bool, (num_envs, actions)."""
        return self._masks().view(np.bool_)

    def problem_indexes(self) -> list[int | None]:
        """The index of the problem of each environment; None before the first reset."""
        return self._core.problem_indexes()

    def _seen(self) -> Any:
        """The observations, of the caller's own if that is asked for."""
        return self._copied_observations() if self._copy or self._view is None else self._view

    def _copied_observations(self) -> Any:
        """The observations, which nobody else writes to."""
        return self._rows.read(self._batch.observations) if self._view is None else self._copies.of(self._view)

    def _masks(self) -> NDArray[np.int8]:
        """The action masks."""
        if self._constant_masks is not None:
            return self._constant_masks
        return self._mask_copies.of(self._batch.masks) if self._copy else self._batch.masks

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def render(self) -> Any:
        """Raises `ValueError`: render single environments."""
        raise ValueError(NO_PICTURES)
