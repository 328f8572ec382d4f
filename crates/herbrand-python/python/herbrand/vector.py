"""Many environments at once, stepped by the engine without the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._herbrand import Suite, VecCore
from .env import Horizon, binary_space, refuse_unknown
from .sources import DomainLike, ProblemsLike
from .sources import suite as make_suite
from .statistics import EpisodeStatistics

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["VecEnv", "make_vec_env"]


ArrayMode = Literal["bits", "bits-and-goal", "atoms-one-hot-by-object"]


class VecEnv(VectorEnv[NDArray[np.int8], Any, Any]):
    """Environments over the problems of one domain that are stepped together.

    Environment ``i`` goes through what a single `PDDLEnv` of seed ``seed + i`` would, on any number of threads.
    Observations are bits, as wide as the widest problem asks for.

    Parameters
    ----------
    domain, problem, split, operators, part, horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action
        As for `PDDLEnv`.
    num_envs : int
        How many environments.
    autoreset_mode : AutoresetMode or its value
        What happens after the end of an episode, as in Gymnasium: the next step begins a new one (the default); the
        same step does, and ``info["final_obs"]`` has the last observation; or nothing, and `reset` with
        ``options={"reset_mask": array of bool}`` begins new ones.
    threads : int
        How many threads step the environments; results do not depend on it.
    copy : bool
        Whether each call returns arrays of its own. Without it calls return the same arrays, written in place, which
        saves time: keep nothing of them beyond the next call, or copy it.
    observation : {"bits"}
        Other modes are for single environments: ``gymnasium.make_vec(id, vectorization_mode="sync", …)``.

    statistics : bool
        Whether infos have the episodes' statistics, as Gymnasium's wrapper ``RecordEpisodeStatistics`` gives them. The
        wrapper itself needs ``statistics=False``, which is what ``gymnasium.make_vec`` makes.

    Notes
    -----
    Infos hold arrays with one row per environment, and under the same key with ``_`` before it which rows say
    something:

    - ``action_mask`` (int8, ``(num_envs, actions)``), ``goal`` and ``dead_end`` (bool): the state that is observed.
      In a dead end the mask is empty.
    - ``applied`` (bool): whether the step carried out its action. It says nothing where the step began an episode.
    - ``episode``, when an episode ended: a dict of ``r`` (its return), ``l`` (its length) and ``t`` (its seconds).
    - ``final_obs`` and ``final_info`` (a dict of ``goal``, ``dead_end`` and ``applied``), when an episode ended and the
      autoreset mode is the same step: its last state, where everything else is of the next one's first.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("blocks", num_envs=8)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
    >>> rewards.shape
    (8,)
    """

    def __init__(
        self,
        domain: DomainLike,
        problem: ProblemsLike = None,
        *,
        num_envs: int = 1,
        split: str | None = None,
        operators: bool = False,
        observation: ArrayMode = "bits",
        part: Literal["all", "changing"] = "all",
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
        if observation in ("graph", "atoms"):
            raise ValueError(f"a VecEnv observes arrays, not {observation!r}: use vectorization_mode='sync'")
        if render_mode is not None:
            raise ValueError("a VecEnv does not render: render single environments")
        if num_envs < 1:
            raise ValueError(f"num_envs is 1 or more, not {num_envs}")
        self.suite: Suite = make_suite(domain, problem, split=split, operators=operators)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._copy = copy
        self._core = VecCore(
            self.suite,
            num_envs,
            observation,
            part,
            self.autoreset_mode.value,
            threads,
            horizon,
            through_goals,
            dead_end_terminates,
            raise_error_on_invalid_action,
            copy,
        )
        self._seeded = False
        self._over = np.zeros(num_envs, dtype=np.bool_)
        self._statistics = EpisodeStatistics(num_envs) if statistics else None
        self._make_spaces()

    def _make_spaces(self) -> None:
        """Spaces, and the arrays that the engine writes into."""
        atoms, actions = self._core.sizes
        count = self.num_envs
        shape = self._core.shape
        self.single_observation_space = binary_space(shape)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        finals = count if self.autoreset_mode is AutoresetMode.SAME_STEP else 0
        self._observations = np.zeros((count, *shape), dtype=np.int8)
        self._masks = np.zeros((count, actions), dtype=np.int8)
        self._rewards = np.zeros(count, dtype=np.float64)
        self._terminated = np.zeros(count, dtype=np.bool_)
        self._truncated = np.zeros(count, dtype=np.bool_)
        # Rows are goal, dead end, applied.
        self._flags = np.zeros((count, 3), dtype=np.bool_)
        self._finals = np.zeros((finals, *shape), dtype=np.int8)
        self._final_flags = np.zeros((count, 3), dtype=np.bool_)
        self._arrays = (
            self._observations.reshape(count, atoms),
            self._masks,
            self._rewards,
            self._terminated,
            self._truncated,
            self._flags,
            self._finals.reshape(finals, atoms),
            self._final_flags,
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begins episodes.

        Parameters
        ----------
        seed : int, optional
            Environment ``i`` gets ``seed + i``.
        options : dict, optional
            ``{"reset_mask": array of bool}`` leaves the other environments where they are.

        Returns
        -------
        observations : array of int8, (num_envs, atoms)
        infos : dict
        """
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise TypeError(f"seed is an int, from which environment i gets seed + i, not {seed!r}")
        refuse_unknown(options, "reset_mask")
        which = (options or {}).get("reset_mask")
        begun = np.ones(self.num_envs, dtype=np.bool_)
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
        self._over &= ~begun
        if self._statistics is not None:
            self._statistics.begin(begun)
        return self._own(self._observations), self._state_infos(begun)

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes an action in every environment.

        Parameters
        ----------
        actions : array of int, (num_envs,)

        Returns
        -------
        observations : array of int8, (num_envs, atoms)
        rewards : array of float64, (num_envs,)
        terminations, truncations : array of bool, (num_envs,)
        infos : dict
        """
        self._core.step(np.ascontiguousarray(actions, dtype=np.int64), self._arrays)
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        stepped = ~self._over if self.autoreset_mode is AutoresetMode.NEXT_STEP else everywhere
        ended = self._terminated | self._truncated
        infos = self._state_infos(everywhere)
        infos["applied"], infos["_applied"] = self._flags[:, 2].copy(), stepped
        if self._statistics is not None:
            infos |= self._statistics.step(self._rewards, stepped, ended)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._begin_anew(infos, ended)
        self._over = ended
        own = self._own
        return own(self._observations), own(self._rewards), own(self._terminated), own(self._truncated), infos

    def _state_infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """What there is to know of the states that are observed; `which` says where it is new."""
        return {
            "action_mask": self._own(self._masks),
            "_action_mask": which,
            "goal": self._flags[:, 0].copy(),
            "_goal": which,
            "dead_end": self._flags[:, 1].copy(),
            "_dead_end": which,
        }

    def _begin_anew(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> None:
        """Adds the last states of the episodes that ended in this step, in which the next ones have begun."""
        if not ended.any():
            return
        finals = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            finals[index] = self._finals[index].copy()
        last = self._final_flags & ended[:, np.newaxis]
        infos["applied"] = np.where(ended, last[:, 2], infos["applied"])
        info = {"goal": last[:, 0], "_goal": ended, "dead_end": last[:, 1], "_dead_end": ended}
        info |= {"applied": last[:, 2], "_applied": ended}
        infos |= {"final_obs": finals, "_final_obs": ended, "final_info": info, "_final_info": ended}
        if self._statistics is not None:
            self._statistics.begin(ended)

    def sample(self) -> NDArray[np.int64]:
        """A valid action of every environment, each with the same probability, from its own seed.

        It is 0 in a dead end, which ``info["dead_end"]`` marks, and after the end of an episode that the next step
        begins anew: a step there does the same, whatever its action.
        """
        actions = np.empty(self.num_envs, dtype=np.int64)
        self._core.sample(actions)
        return actions

    @property
    def unwrapped(self) -> Self:
        """These environments themselves: wrappers around them have the same property."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are valid: an array of bool, (num_envs, actions)."""
        return self._own(self._masks).view(np.bool_)

    def problem_indexes(self) -> list[int | None]:
        """The index of the problem of each environment; None before the first reset."""
        return self._core.problem_indexes()

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array


def make_vec_env(domain: DomainLike, **options: Any) -> VecEnv:
    """What ``gymnasium.make_vec`` makes: statistics are left to the wrapper ``RecordEpisodeStatistics``."""
    return VecEnv(domain, **{"statistics": False, **options})
