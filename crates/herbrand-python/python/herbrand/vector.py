"""Many environments over the problems of a PDDL domain."""

from __future__ import annotations

from typing import Any, Literal, overload

from gymnasium.vector import AutoresetMode

from ._herbrand import RddlSuite, Suite
from .base_vector import BaseVecEnv, environment_count
from .env import Engine, Horizon
from .limits import LimitsLike
from .observations import mode_name
from .rddl.sources import RddlProblemsLike, is_rddl
from .rddl.vector import RddlVecEnv
from .sources import DomainLike, Ids, ProblemsLike
from .sources import pddl_suite as make_suite

__all__ = ["ArrayMode", "VecEnv", "make_vec"]

ArrayMode = Literal[
    "bits", "bits-and-goal", "packed-bits", "packed-bits-and-goal", "atoms-one-hot-by-object", "seen", "graph", "pixels"
]


class VecEnv(BaseVecEnv):
    """Environments over the problems of one domain that are stepped together.

    Environment ``i`` goes through what a single `PDDLEnv` of seed ``seed + i`` would, on any number of threads.

    Parameters
    ----------
    domain
        As for `PDDLEnv`.
    num_envs : int
        The number of environments.
    problem, split, operators, limits, ids, engine, part, pixels
        As for `PDDLEnv`; by name only.
    horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action
        As for `PDDLEnv`.
    autoreset_mode : AutoresetMode or its value
        What happens after the end of an episode, as in Gymnasium: the next step begins a new one (the default); the
        same step does, and ``info["final_obs"]`` has the last observation; or nothing, and `reset` with
        ``options={"reset_mask": array of bool}`` begins new ones.
    threads : int
        How many threads step the environments; results do not depend on it.
    copy : bool
        Whether each call returns arrays of its own. Without it calls return the same arrays, written in place, which
        saves time: keep nothing of them beyond the next call, or copy it. Where every action is valid in every state, the
        action masks are one array in either case, which cannot be written to.
    observation : str
        As for `PDDLEnv`, as wide as the widest problem asks for. ``"graph"`` gives a dict of padded arrays
        (see `herbrand.graphs`). Sets of atoms are for single environments:
        ``gymnasium.make_vec(id, vectorization_mode="sync", observation="atoms")``.
    statistics : bool
        Whether infos have the episodes' statistics, as Gymnasium's wrapper ``RecordEpisodeStatistics`` gives them. The
        wrapper itself needs ``statistics=False``, which is what ``gymnasium.make_vec`` makes.

    Notes
    -----
    Infos hold arrays with one row per environment, and under the same key with ``_`` before it which rows say
    something:

    - ``action_mask`` (int8, ``(num_envs, actions)``), ``goal`` and ``dead_end`` (bool), ``problem_index`` (int64): of the
      state that is observed. In a dead end the mask is empty.
    - ``applied`` (bool): whether the step carried out its action. It says nothing where the step began an episode.
    - ``episode``, when an episode ended: a dict of ``r`` (its return), ``l`` (its length) and ``t`` (its seconds).
    - ``final_obs`` and ``final_info`` (a dict of ``goal``, ``dead_end`` and ``applied``), when an episode ended and the
      autoreset mode is the same step: its last state, where everything else is of the next one's first.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("blocks", 8)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
    >>> rewards.shape
    (8,)
    >>> envs.collect(100).rewards.shape
    (8, 100)
    """

    def __init__(
        self,
        domain: DomainLike,
        num_envs: int = 1,
        *,
        problem: ProblemsLike = None,
        split: str | None = None,
        operators: bool = False,
        limits: LimitsLike = None,
        ids: Ids | None = None,
        engine: Engine = "grounded",
        observation: ArrayMode = "bits",
        part: Literal["all", "changing"] = "all",
        pixels: tuple[int, int] = (64, 64),
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
        num_envs = environment_count(num_envs)
        if str(observation) == "atoms":
            raise ValueError("a VecEnv observes arrays, not sets of atoms: use vectorization_mode='sync'")
        mode = "graph-arrays" if observation == "graph" else mode_name(observation, pixels)
        self.suite: Suite = make_suite(
            domain, problem, split=split, operators=operators, limits=limits, ids=ids
        )
        super().__init__(
            self.suite.observed(engine, mode, part),
            num_envs=num_envs,
            horizon=horizon,
            through_goals=through_goals,
            dead_end_terminates=dead_end_terminates,
            raise_error_on_invalid_action=raise_error_on_invalid_action,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            statistics=statistics,
            render_mode=render_mode,
        )

    @property
    def engine(self) -> str:
        """What steps the problems: ``"grounded"`` or ``"lifted"``."""
        return self.problems.engine or "grounded"


@overload
def make_vec(
    domain: RddlSuite, num_envs: int = 1, *, problem: RddlProblemsLike = None, **options: Any
) -> RddlVecEnv: ...


@overload
def make_vec(
    domain: DomainLike, num_envs: int = 1, *, problem: ProblemsLike = None, **options: Any
) -> VecEnv: ...


def make_vec(domain: Any, num_envs: int = 1, *, problem: Any = None, **options: Any) -> Any:
    """Many environments over the problems of a domain, stepped together: a `VecEnv`, or in RDDL a `herbrand.RddlVecEnv`.

    Parameters
    ----------
    domain
        As for `make`.
    num_envs : int
        The number of environments.
    problem
        As for `make`; by name only.
    **options
        As for `VecEnv` or `herbrand.RddlVecEnv`.

    Examples
    --------
    >>> import herbrand
    >>> herbrand.make_vec("blocks", num_envs=4, engine="lifted").engine
    'lifted'
    """
    if is_rddl(domain):
        return RddlVecEnv(domain, num_envs, problem=problem, **options)
    return VecEnv(domain, num_envs, problem=problem, **options)


def make_vec_env(domain: DomainLike, **options: Any) -> VecEnv:
    """What ``gymnasium.make_vec`` makes: statistics are left to the wrapper ``RecordEpisodeStatistics``."""
    return VecEnv(domain, **{"statistics": False, **options})
