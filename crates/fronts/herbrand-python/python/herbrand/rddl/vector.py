"""The Gymnasium vector environment over the instances of an RDDL domain, and `make_vec`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ..base_env import Horizon
from ..base_vector import BaseVecEnv, Masks, _Step, environment_count
from ..observations import Rows
from ..options import check_options, option_names
from .problems import ProblemOptions, rddl_problems
from .sources import RddlLike, RddlProblemsLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["RddlVecEnv", "make_vec"]


class RddlVecEnv(BaseVecEnv):
    """A Gymnasium vector environment over the instances of an RDDL domain.

    Environment ``i`` behaves exactly like a single `RddlEnv` with seed ``seed + i``, for any number of threads.

    Parameters
    ----------
    domain, problem, actions, observation, pixels, preconditions, limits, horizon, raise_error_on_invalid_action
        As for `RddlEnv`. Dicts contain one array per fluent, with one row per environment.
    num_envs, autoreset_mode, threads, copy, masks, statistics
        As for `herbrand.VecEnv`. Dict observations are newly allocated in each call, even if `copy` is False.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.rddl.make_vec("rddl/cartpole-continuous", num_envs=8)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
    >>> observations["angle___c1"].shape
    (8, 1)
    """

    def __init__(
        self,
        domain: RddlLike,
        num_envs: int = 1,
        *,
        problem: RddlProblemsLike = None,
        horizon: Horizon = "suite",
        raise_error_on_invalid_action: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        masks: Masks = "bytes",
        statistics: bool = True,
        render_mode: str | None = None,
        **options: Unpack[ProblemOptions],
    ) -> None:
        num_envs = environment_count(num_envs)
        check_options("RddlVecEnv", options, option_names(RddlVecEnv, ProblemOptions.__annotations__))
        problems = rddl_problems(domain, problem, **options)
        self.suite, self._seen_rows, self._form = problems.suite, problems.rows, problems.form
        self._exact = problems.form.exact
        super().__init__(
            problems.observed,
            num_envs=num_envs,
            horizon=horizon,
            raise_error_on_invalid_action=raise_error_on_invalid_action,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            masks=masks,
            statistics=statistics,
            render_mode=render_mode,
        )
        self.single_action_space = self._form.space
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _make_rows(self) -> Rows:
        return self._seen_rows

    def _cell_type(self, actions: ArrayLike) -> type[np.generic]:
        """Returns the type of the rows that the form of actions made."""
        return np.asarray(actions).dtype.type

    def _read_actions(self, actions: NDArray[Any]) -> Any:
        return self._form.read(actions)

    def step(self, actions: Any) -> _Step:
        """Takes an action in every environment, in the form of the action space.

        Returns observations, rewards, terminations, truncations, infos.
        """
        return super().step(self._form.rows(actions, self.num_envs))


def make_vec(
    domain: RddlLike, num_envs: int = 1, *, problem: RddlProblemsLike = None, **options: Any
) -> RddlVecEnv:
    """Creates a `RddlVecEnv`, like ``herbrand.make_vec``.

    Parameters
    ----------
    domain
        As for `RddlEnv`.
    num_envs : int
        The number of environments.
    problem
        As for `RddlEnv`; a keyword argument only.
    **options
        As for `RddlVecEnv`.
    """
    return RddlVecEnv(domain, num_envs, problem=problem, **options)
