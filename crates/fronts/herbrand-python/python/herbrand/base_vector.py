"""A Gymnasium vector environment over problems of any supported language. The engine steps all lanes outside Python."""

from __future__ import annotations

import copy as copying
import operator
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._herbrand import EnvCore, ObservedProblems, VecCore
from .base_env import Horizon, check_seed, greatest_horizon, known_options, problem_number, warn_of_violations
from .batch import ENDS, Batch
from .errors import EpisodeError
from .observations import Copies, Rows, action_space, copied

if TYPE_CHECKING:
    from typing_extensions import Self

    from .rollout import Rollout
    from .rollouts import Rollouts

__all__ = ["BaseVecEnv"]

Masks = Literal["bytes", "packed"]

# Whether some episode has an end, and statistics of the episodes that ended.
_Taken = tuple[bool, dict[str, Any] | None]

_Step = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


NO_PICTURES = "environments that are stepped together do not render: render a single one, herbrand.make(…, render_mode='rgb_array')"


def positive_int(name: str, given: Any, hint: str = "") -> int:
    """Returns an argument as an int, or raises an error if it is not a positive integer."""
    try:
        count = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is an int, not {given!r}{hint}") from None
    if count < 1:
        raise ValueError(f"{name} is 1 or more, not {count}")
    return count


def environment_count(given: Any) -> int:
    """Returns `num_envs` as an int, or raises an error if it is not a positive integer.

    The error for text suggests ``problem=…``, because `herbrand.make` takes the problem as its second argument.
    """
    hint = f": a problem is given by name, problem={given!r}" if isinstance(given, (str, os.PathLike)) else ""
    return positive_int("num_envs", given, hint)


def autoreset(given: AutoresetMode | str) -> AutoresetMode:
    """Returns Gymnasium's autoreset mode, or raises `ValueError` with the modes there are."""
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is one of {known}, not {given!r}") from None


def is_packed(masks: str) -> bool:
    """Returns whether action masks have a bit per action, or raises `ValueError` if `masks` is no form of masks."""
    if masks not in ("bytes", "packed"):
        raise ValueError(f"masks is one of 'bytes', 'packed', not {masks!r}")
    return masks == "packed"


def action_numbers(actions: Any) -> NDArray[np.int64]:
    """Returns the numbers of the actions of all environments, or raises `TypeError` if they are not integers."""
    given = np.asarray(actions)
    if given.dtype.kind == "f" and given.size:
        raise TypeError(f"actions are ints, one per environment, not floats such as {given.ravel()[0]}")
    if given.dtype == object:
        raise TypeError(f"actions are ints, one per environment, not {actions!r}")
    return np.ascontiguousarray(given, dtype=np.int64)


class BaseVecEnv(VectorEnv[Any, Any, Any]):
    """A Gymnasium vector environment over problems of any supported language. `VecEnv` is its subclass for PDDL.

    Environment ``i`` behaves exactly like a single `BaseEnv` with seed ``seed + i``, for any number of threads.

    Parameters
    ----------
    problems : ObservedProblems
        The problems, together with the observation mode.
    num_envs, autoreset_mode, threads, copy, masks, statistics
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
        masks: Masks = "bytes",
        statistics: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(NO_PICTURES)
        self.problems = problems
        self.num_envs = num_envs = environment_count(num_envs)
        self.autoreset_mode = autoreset(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._copy, self._copies, self._mask_copies = copy, Copies(), Copies()
        self._options = options = (horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action)
        threads = positive_int("threads", threads)
        self._packed, self._statistics = is_packed(masks), statistics
        self._core = VecCore(
            problems, num_envs, self.autoreset_mode.value, threads, *options, copy, self._packed, statistics
        )
        self._seeded = False
        # The rules that the last steps violated; None if there are none to violate.
        rules = len(problems.rules)
        self._violated = np.zeros((num_envs, rules), dtype=np.bool_) if rules else None
        self._has_warned = False
        # Whether a thread steps the environments for `rollouts`.
        self._lent = False
        self._everywhere = np.ones(num_envs, dtype=np.bool_)
        # Without copies, `reset` and `step` return this array.
        self._everywhere.setflags(write=False)
        self._rows = self._make_rows()
        self._batch = self._new_batch(1)
        self._arrays = self._batch.arrays
        # Without copies, each step writes to these arrays: the actions drawn, and why episodes ended, with the rows of these.
        self._kept_actions = self._new_actions(num_envs)
        self._end_names, self._end_rows = np.empty(num_envs, dtype=object), np.zeros(0, dtype=np.int64)
        # If the mask is constant, all calls return one read-only view.
        self._constant_masks = self._read_masks(self._batch.masks).view() if problems.has_constant_mask else None
        if self._constant_masks is not None:
            self._constant_masks.setflags(write=False)
        # If observations are views of the engine's array, the view is created once.
        self._view = self._rows.read(self._batch.observations) if self._rows.is_view else None
        self.single_observation_space = self._rows.space
        self.single_action_space = action_space(problems)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """The specification that ``gymnasium.make_vec`` used, or None. Its ``max_episode_steps`` is the horizon."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        if spec is not None:
            spec = copying.copy(spec)
            spec.max_episode_steps = self.horizon
        self._spec = spec

    @property
    def horizon(self) -> int | None:
        """The number of steps after which episodes are truncated; None if they never are.

        If the problems define different numbers, it is the greatest one.
        """
        return greatest_horizon(self.problems, self._options[0])

    def _make_rows(self) -> Rows:
        """Returns the converter from engine rows to observations."""
        return Rows(self.problems)

    def _read_actions(self, actions: NDArray[Any]) -> Any:
        """Converts actions drawn by the engine to elements of the action space."""
        return actions

    def _new_batch(self, steps: int) -> Batch:
        """Allocates the arrays for `steps` steps of every environment."""
        rows = self.num_envs * steps
        width, mask, _ = self._core.sizes
        mask = -(-mask // 8) if self._packed else mask
        finals = rows if self.autoreset_mode is AutoresetMode.SAME_STEP else 0
        return Batch.zeros(rows, finals, width, mask, self._rows.storage)

    def _new_actions(self, rows: int) -> NDArray[Any]:
        """Allocates an array for `rows` actions."""
        if self.problems.is_discrete:
            return np.zeros(rows, dtype=np.int64)
        return np.zeros((rows, self._core.sizes[2]), dtype=np.int64 if self._exact else np.float64)

    # Whether actions that the engine draws are exact cells.
    _exact = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts new episodes.

        Parameters
        ----------
        seed : int or sequence of int or None, optional
            One seed per environment; with an int, environment ``i`` gets the seed ``seed + i``. The random streams of
            environments without a seed continue; in the first reset they get a random seed.
        options : dict, optional
            - ``"problem"``: the name or index of a problem, or a sequence of them with one element per environment, in which
              None draws a problem. Later episodes draw theirs.
            - ``"reset_mask"``: array of bool, ``(num_envs,)``: only the marked environments are reset; not in the first reset.

            Environment ``i`` then behaves like a single `BaseEnv` that was reset with its seed and problem.

        Returns
        -------
        observations : array, (num_envs, …), or a dict of such arrays
        infos : dict

        Raises
        ------
        UnknownNameError
            If a problem does not exist, or if an option is unknown.
        ValueError
            If a sequence has another length than `num_envs`.

        Examples
        --------
        >>> import herbrand
        >>> envs = herbrand.make_vec("blocks", num_envs=2, observation="graph")
        >>> observations, infos = envs.reset(seed=[5, 5], options={"problem": ["train/01", "test/01"]})
        >>> [envs.problems.problem_names[index] for index in infos["problem_index"]]
        ['train/01', 'test/01']
        """
        self._check_not_lent()
        known = known_options(options, "reset_mask", "problem")
        which, problem = known.get("reset_mask"), known.get("problem")
        begun = self._own(self._everywhere)
        if which is not None:
            begun = np.ascontiguousarray(which, dtype=np.bool_)
            if begun.shape != (self.num_envs,):
                raise ValueError(f"`reset_mask` has the shape ({self.num_envs},), not {begun.shape}")
            if not self._seeded:
                raise ValueError("`reset_mask` comes after a first reset of all environments")
        seeds, numbers = self._listed("seed", seed), [problem_number(self, one) for one in self._listed("problem", problem)]
        for one in seeds:
            check_seed(one)
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds = [(int(seed) + index) % 2**64 for index in range(self.num_envs)]
        elif not self._seeded:
            drawn = int(self.np_random.integers(2**63))
            seeds = [drawn + index if one is None else one for index, one in enumerate(seeds)]
        starts = None if seed is None and problem is None and self._seeded else list(zip(seeds, numbers, strict=True))
        self._core.reset(begun, starts, self._arrays)
        self._seeded = True
        infos = self._state_infos(begun)
        infos["applied"], infos["_applied"] = np.zeros(self.num_envs, dtype=np.bool_), begun
        if self._violated is not None:
            infos["violated"], infos["_violated"] = np.zeros_like(self._violated), begun
        return self._seen(), infos

    def _listed(self, name: str, given: Any) -> list[Any]:
        """Returns an argument of `reset` with one element per environment. None, an int or a str applies to each."""
        if given is None or isinstance(given, (int, np.integer, str)):
            return [given] * self.num_envs
        try:
            listed = list(given)
        except TypeError:
            raise TypeError(f"`{name}` is one for all environments or has one element for each, not {given!r}") from None
        if len(listed) != self.num_envs:
            raise ValueError(f"`{name}` has one element for each of the {self.num_envs} environments, not {len(listed)}")
        return listed

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
        self._check_not_lent()
        numbers: NDArray[Any]
        try:
            numbers = (
                action_numbers(actions)
                if self.problems.is_discrete
                else np.ascontiguousarray(actions, dtype=self._cell_type(actions))
            )
        except (TypeError, ValueError):
            texts = [one for one in np.ravel(np.asarray(actions, dtype=object)) if isinstance(one, str)]
            if not texts:
                raise
            call = f"herbrand.make(…).action_id({texts[0]!r})"
            raise TypeError(f"actions are numbers, one per environment: {call} gives that of {texts[0]!r}") from None
        if numbers.ndim != (1 if self.problems.is_discrete else 2):
            shape = f"({self.num_envs},)" if self.problems.is_discrete else f"({self.num_envs}, fields)"
            raise ValueError(f"actions have the shape {shape}, not {numbers.shape}")
        return self._stepped(*self._taken(self._core.step, numbers))

    def _cell_type(self, actions: ArrayLike) -> type[np.generic]:
        """Returns the type of the engine's rows for actions: doubles."""
        return np.float64

    def step_sampled(self) -> _Step:
        """Takes a random valid action in every environment. Equals ``step(sample())``, in one call.

        Infos contain the actions as ``action``; ``_action`` marks the environments that took a step.
        """
        self._check_not_lent()
        actions = self._new_actions(self.num_envs) if self._copy else self._kept_actions
        result = self._stepped(*self._taken(self._core.step_sampled, actions))
        infos = result[4]
        infos["action"], infos["_action"] = self._read_actions(actions), self._own(self._batch.stepped)
        return result

    def _taken(
        self, step: Callable[[NDArray[Any], tuple[Any, ...]], _Taken], actions: NDArray[Any]
    ) -> _Taken:
        """Takes a step of the engine; returns what it returns. If an episode is over, the error says how to begin another."""
        before = self._batch.problems.copy() if self._violated is not None and not self._has_warned else None
        try:
            taken = step(actions, self._arrays)
            if self._violated is not None:
                self._core.violated(self._violated)
                if before is not None and self._violated.any():
                    self._warn_of_violations(actions, before)
            return taken
        except EpisodeError as error:
            if self._seeded and self.autoreset_mode is AutoresetMode.DISABLED:
                call = "reset(options={'reset_mask': terminations | truncations})"
                raise EpisodeError(f"{error}: with autoreset_mode='Disabled', {call} begins new episodes") from None
            raise

    def _stepped(self, has_ends: bool, episodes: dict[str, Any] | None) -> _Step:
        """Returns the result of the step that the engine wrote. The infos have `episodes`, and the ends if there are any."""
        batch, own = self._batch, self._own
        infos = self._state_infos(own(self._everywhere))
        infos["applied"], infos["_applied"] = own(batch.applied), own(batch.stepped)
        if self._violated is not None:
            infos["violated"], infos["_violated"] = own(self._violated), infos["_applied"]
        if has_ends:
            ended = batch.terminated | batch.truncated
            if episodes is not None:
                infos["episode"], infos["_episode"] = episodes, ended
            last = self._add_finals(infos, ended) if self.autoreset_mode is AutoresetMode.SAME_STEP else infos
            last["end"], last["_end"] = self._ends(ended), ended
            if self.problems.invariants and last is infos:
                last["invariant"], last["_invariant"] = self._broken(ended), ended
        return self._seen(), own(batch.rewards), own(batch.terminated), own(batch.truncated), infos

    def collect(self, steps: int) -> Rollout:
        """Takes `steps` random valid actions in every environment and returns all transitions.

        The result equals that of `steps` calls of `step_sampled`, without returning to the interpreter between steps.

        Parameters
        ----------
        steps : int
            The number of steps, at least 1.

        Raises
        ------
        EpisodeError
            If the environments have not been reset.
        ValueError
            If `steps` is less than 1, or if autoreset is disabled (use `step_sampled`).
        """
        self._check_collecting(steps)
        return self._rollout(steps, *self._new_buffer(steps))

    def rollouts(self, steps: int, count: int | None = None) -> Rollouts:
        """Returns an iterator over rollouts. A thread collects the next one while the caller reads the last one.

        The rollouts equal those of successive calls of ``collect(steps)``. With ``copy=False`` there are two buffers: while
        one is filled, the caller reads the other, and each rollout is overwritten once the next one is taken. Otherwise
        each rollout belongs to the caller.

        Parameters
        ----------
        steps : int
            The number of steps of each rollout, at least 1.
        count : int, optional
            The number of rollouts; unlimited by default.

        Returns
        -------
        Rollouts
            Until it ends or is closed (``with envs.rollouts(…) as rollouts``, or dropped), the environments cannot be used
            otherwise. If it is closed early, they may have taken the steps of one more rollout.

        Raises
        ------
        ValueError
            As by `collect`, or if `count` is less than 1.

        Examples
        --------
        >>> import herbrand
        >>> envs = herbrand.make_vec("blocks", 64, copy=False)
        >>> observations, infos = envs.reset(seed=1)
        >>> with envs.rollouts(100, count=5) as rollouts:
        ...     sum(len(rollout.episode_returns) > 0 for rollout in rollouts) <= 5
        True
        """
        from .rollouts import Rollouts

        self._check_collecting(steps)
        if count is not None:
            count = positive_int("count", count)
        buffers = [] if self._copy else [self._new_buffer(steps) for _ in range(2)]

        def collect(number: int) -> Rollout:
            batch, actions = buffers[number % 2] if buffers else self._new_buffer(steps)
            if buffers and number >= 2:
                batch.clear()
            return self._rollout(steps, batch, actions)

        self._lent = True
        return Rollouts(collect, count, self._give_back)

    def _give_back(self) -> None:
        self._lent = False

    def _check_not_lent(self) -> None:
        """Raises `EpisodeError` while a thread steps the environments."""
        if self._lent:
            raise EpisodeError("a thread steps these environments for `rollouts`: close that iterator first")

    def _check_collecting(self, steps: int) -> None:
        """Raises an error if the environments cannot collect `steps` steps."""
        self._check_not_lent()
        if steps < 1:
            raise ValueError(f"steps is 1 or more, not {steps}")
        if self.autoreset_mode is AutoresetMode.DISABLED:
            raise ValueError("`collect` needs an autoreset mode that begins new episodes")

    def _new_buffer(self, steps: int) -> tuple[Batch, NDArray[Any]]:
        """Allocates the arrays and the actions of a rollout."""
        return self._new_batch(steps), self._new_actions(self.num_envs * steps)

    def _rollout(self, steps: int, batch: Batch, actions: NDArray[Any]) -> Rollout:
        """Takes `steps` sampled steps in every environment, and returns them in the given arrays."""
        count, first = self.num_envs, self._batch
        masks, problems = first.masks.copy(), first.problems.copy()
        before = self._copied_observations()
        batch, (returns, lengths) = self._collected(steps, batch, actions)
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
            first_masks=self._read_masks(masks),
            observations=self._rows.read(parts.observations),
            action_masks=self._read_masks(parts.masks),
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
            first_problems=problems,
        )

    def _collected(
        self, steps: int, batch: Batch, actions: NDArray[Any]
    ) -> tuple[Batch, tuple[NDArray[np.float64], NDArray[np.int64]]]:
        """Runs `steps` sampled steps; returns their arrays, and returns and lengths of the episodes that ended."""
        # For a single step the engine must get the arrays that it wrote last.
        batch = self._batch if steps == 1 else batch
        episodes = self._core.collect(steps, actions, batch.arrays)
        if steps == 1:
            batch = Batch(*(array.copy() for array in batch.arrays))
            batch.finals[~(batch.terminated | batch.truncated)[: len(batch.finals)]] = 0
        return batch, episodes

    def _state_infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the infos about the observed states; `which` marks the environments whose infos are new."""
        batch, own = self._batch, self._own
        masks = {"action_mask": self._masks(), "_action_mask": which} if self.problems.mask_len else {}
        return {
            **masks,
            "goal": own(batch.goal),
            "_goal": which,
            "dead_end": own(batch.dead_end),
            "_dead_end": which,
            "problem_index": own(batch.problems),
            "_problem_index": which,
        }

    def _ends(self, ended: NDArray[np.bool_]) -> NDArray[Any]:
        """Returns why the episodes that ended in this step did; None in the other rows. Few end in one step."""
        if self._copy:
            self._end_rows, self._end_names = np.flatnonzero(ended), np.empty(self.num_envs, dtype=object)
        else:
            self._end_names[self._end_rows], self._end_rows = None, np.flatnonzero(ended)
        self._end_names[self._end_rows] = ENDS[self._batch.end[self._end_rows]]
        return self._end_names

    def _broken(self, ended: NDArray[np.bool_]) -> NDArray[Any]:
        """Returns the names of the invariants that ended episodes in this step, empty if none did; None in the other rows."""
        names = np.empty(self.num_envs, dtype=object)
        for row in np.flatnonzero(ended):
            broken = self._core.broken(int(row))
            names[row] = "" if broken is None else self.problems.invariants[broken]
        return names

    def _warn_of_violations(self, actions: NDArray[Any], problems: NDArray[np.int64]) -> None:
        """Warns of the first action of a step that violated a rule. `problems` are those before the step."""
        self._has_warned = True
        assert self._violated is not None
        index = int(np.flatnonzero(self._violated.any(axis=1))[0])
        action: Any = actions[index]
        if actions.ndim == 2 and actions.dtype == np.int64:
            kinds = [kind for _, kind, _, _ in self.problems.action_fields]
            action = [cell.view(np.float64) if kind == "real" else cell for cell, kind in zip(action, kinds, strict=True)]
        # A batch has no texts of actions: a single environment on the same problem has.
        single = EnvCore(self.problems, *self._options)
        single.reset(None, int(problems[index]))
        warn_of_violations(single.action_name(action), np.flatnonzero(self._violated[index]).tolist(), self.problems.rules)

    def _add_finals(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Adds the final observations and infos of the episodes that ended in this step; returns these infos."""
        batch = self._batch
        finals = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            finals[index] = copied(self._rows.read(batch.finals[index]))
        info = {"goal": batch.final_goal.copy(), "_goal": ended, "dead_end": batch.final_dead_end.copy(), "_dead_end": ended}
        info |= {"applied": batch.applied & ended, "_applied": ended}
        if self._violated is not None:
            info |= {"violated": self._violated & ended[:, np.newaxis], "_violated": ended}
        infos |= {"final_obs": finals, "_final_obs": ended, "final_info": info, "_final_info": ended}
        return info

    def sample(self) -> Any:
        """Draws a valid action for every environment from the environment's own random stream.

        Returns an array of int64, each uniformly distributed over the valid actions, or of float64 with one number per
        field. The action is 0, or all defaults, in a dead end (``info["dead_end"]``) and if the next step begins a new
        episode. In both cases the step ignores the action.
        """
        self._check_not_lent()
        actions = self._new_actions(self.num_envs)
        self._core.sample(actions)
        return self._read_actions(actions)

    @property
    def unwrapped(self) -> Self:
        """These environments themselves, so that ``envs.unwrapped`` works with and without wrappers."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the mask of valid actions: an array of bool, (num_envs, actions); without discrete actions (num_envs, 0).

        Raises
        ------
        EpisodeError
            Before the first reset.
        """
        if not self._seeded:
            raise EpisodeError("there is no episode: reset the environments before you ask for their masks")
        self._check_not_lent()
        masks = self._masks()
        if self._packed:
            masks = np.unpackbits(masks, axis=1, count=self.problems.mask_len, bitorder="little")
        return masks.view(np.bool_)

    def problem_indexes(self) -> list[int | None]:
        """Returns the problem index of each environment; None before the first reset."""
        return self._core.problem_indexes()

    def _seen(self) -> Any:
        """Returns the observations, copied if the option ``copy`` is set."""
        return self._copied_observations() if self._copy or self._view is None else self._view

    def _copied_observations(self) -> Any:
        """Returns a copy of the observations."""
        return self._rows.read(self._batch.observations) if self._view is None else self._copies.of(self._view)

    def _masks(self) -> NDArray[Any]:
        """Returns the action masks, copied if the option ``copy`` is set and they can change."""
        if self._constant_masks is not None:
            return self._constant_masks
        return self._read_masks(self._mask_copies.of(self._batch.masks) if self._copy else self._batch.masks)

    def _read_masks(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        """Returns the engine's mask bytes in the form of the infos, without those of a field that no action has."""
        masks = masks if self.problems.mask_len else masks[..., :0]
        return masks.view(np.uint8) if self._packed else masks

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def render(self) -> Any:
        """Raises `ValueError`: render single environments."""
        raise ValueError(NO_PICTURES)

    def __getstate__(self) -> dict[str, Any]:
        """Raises `TypeError`: environments that are stepped together can be neither pickled nor copied."""
        raise TypeError(
            f"a {type(self).__name__} can be neither pickled nor copied: make a new one from the same arguments (its `suite` "
            "can be pickled), or save single environments, herbrand.make(…), which keep their episodes"
        )
