"""The Gymnasium vector environment over the problems of a PDDL domain, and `make_vec`."""

from __future__ import annotations

from typing import Any, Literal, overload

from gymnasium.vector import AutoresetMode

from ._herbrand import RddlSuite, Suite
from .base_vector import BaseVecEnv, Masks, environment_count
from .env import Engine, Horizon
from .graphs import ActionArrays
from .limits import LimitsLike
from .observations import mode_name, warn_of_hidden_atoms, warn_of_ids, warn_of_numbers
from .options import one_count, with_horizon
from .rddl.sources import RddlProblemsLike, is_rddl
from .rddl.vector import RddlVecEnv
from .sources import DomainLike, Ids, ProblemsLike, hidden_domain
from .sources import pddl_suite as make_suite

__all__ = ["ArrayMode", "VecEnv", "make_vec", "make_vec_env"]

ArrayMode = Literal[
    "bits",
    "bits-and-goal",
    "bits-and-numbers",
    "packed-bits",
    "packed-bits-and-goal",
    "atoms-one-hot-by-object",
    "seen",
    "graph",
    "pixels",
]


class VecEnv(BaseVecEnv):
    """A Gymnasium vector environment over the problems of a PDDL domain.

    Environment ``i`` behaves exactly like a single `PDDLEnv` with seed ``seed + i``, for any number of threads.

    Parameters
    ----------
    domain
        As for `PDDLEnv`.
    num_envs : int
        The number of environments.
    problem, split, operators, limits, ids, engine, part, pixels
        As for `PDDLEnv`; keyword arguments only.
    horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action
        As for `PDDLEnv`.
    autoreset_mode : AutoresetMode or its value
        When a new episode begins after the end of one, as in Gymnasium. With ``NextStep`` (the default) the next step begins
        it. With ``SameStep`` the same step does, and ``info["final_obs"]`` has the last observation. With ``Disabled`` only
        `reset` with ``options={"reset_mask": array of bool}`` begins new episodes.
    threads : int
        The number of threads that step the environments. Results do not depend on it.
    copy : bool
        Whether each call returns fresh arrays. Otherwise all calls return the same arrays and overwrite them in place, which
        is faster: copy anything that you need after the next call. If every action is valid in every state, all calls return
        one read-only array of action masks in both cases.
    masks : {"bytes", "packed"}
        The form of the action masks in infos and rollouts. ``"packed"`` has a bit per action: action ``i`` is bit ``i % 8``
        of byte ``i // 8``, as in ``numpy.unpackbits(row, bitorder="little")``. `action_masks` returns bools in both cases.
    observation : str
        As for `PDDLEnv`, padded to the width of the widest problem. ``"graph"`` gives a dict of padded arrays (see
        `herbrand.graphs`). Sets of atoms are available for single environments only:
        ``gymnasium.make_vec(id, vectorization_mode="sync", observation="atoms")``.
    statistics : bool
        Whether infos contain episode statistics, as Gymnasium's wrapper ``RecordEpisodeStatistics`` adds them. To use that
        wrapper, set ``statistics=False``; ``gymnasium.make_vec`` does so.

    Notes
    -----
    Infos contain arrays with one row per environment. The key with a prefix ``_`` has a mask of the rows that are set.

    - ``action_mask`` (int8, ``(num_envs, actions)``, or uint8 if masks are packed), ``goal`` and ``dead_end`` (bool), ``problem_index`` (int64): of the
      observed state. In a dead end the mask is all zeros.
    - ``applied`` (bool): whether the step carried out its action. Meaningless if the step began an episode.
    - ``episode``, if an episode ended: a dict of ``r`` (its return), ``l`` (its length) and ``t`` (its seconds).
    - ``end`` (str or None), if an episode ended: the reason, as in the info of `PDDLEnv`.
    - ``invariant`` (str or None), if an episode ended, an RDDL domain has state invariants and autoreset is not in the same
      step: the broken one, as in the info of `RddlEnv`.
    - ``final_obs`` and ``final_info`` (a dict of ``goal``, ``dead_end``, ``applied`` and ``end``), if an episode ended and
      autoreset is in the same step: the last state of that episode. All other entries describe the first state of the next
      one.

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

    @one_count
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
        engine: Engine = "automatic",
        observation: ArrayMode = "bits",
        part: Literal["all", "changing"] = "all",
        pixels: tuple[int, int] | None = None,
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
        num_envs = environment_count(num_envs)
        if str(observation) == "atoms":
            raise ValueError(
                "a VecEnv observes arrays, not sets of atoms; Gymnasium's batches observe them: "
                "gymnasium.make_vec(id, vectorization_mode='sync', observation='atoms')"
            )
        mode = "graph-arrays" if observation == "graph" else mode_name(observation, pixels)
        self.suite: Suite = make_suite(
            domain, problem, split=split, operators=operators, limits=limits, ids=ids
        )
        warn_of_numbers(self.suite, observation)
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
            masks=masks,
            statistics=statistics,
            render_mode=render_mode,
        )

    def action_arrays(self) -> ActionArrays:
        """Returns the valid actions of all environments, with the nodes of their arguments in the graphs of the states.

        Raises
        ------
        EpisodeError
            Before the first reset.
        """
        self._check_not_lent()
        return self._core.action_arrays()

    @property
    def engine(self) -> str:
        """The engine in use: ``"grounded"``, ``"sliced"`` or ``"lifted"``."""
        return self.problems.engine or "grounded"


@overload
def make_vec(
    domain: RddlSuite, num_envs: int = 1, *, problem: RddlProblemsLike = None, **options: Any
) -> RddlVecEnv: ...


@overload
def make_vec(
    domain: DomainLike, num_envs: int = 1, *, problem: ProblemsLike = None, **options: Any
) -> VecEnv: ...


@one_count
def make_vec(domain: Any, num_envs: int = 1, *, problem: Any = None, **options: Any) -> Any:
    """Creates a `VecEnv` over the problems of a domain, or in RDDL a `herbrand.RddlVecEnv`.

    Parameters
    ----------
    domain
        As for `make`.
    num_envs : int
        The number of environments.
    problem
        As for `make`; a keyword argument only.
    **options
        As for `VecEnv` or `herbrand.RddlVecEnv`. Besides, ``max_episode_steps`` is another name of ``horizon``: Gymnasium passes
        it to the entry points of registered ids.

    Examples
    --------
    >>> import herbrand
    >>> herbrand.make_vec("blocks", num_envs=4, problem="train/01", engine="lifted").engine
    'lifted'
    """
    return _vec(domain, num_envs, problem, options)


def _vec(domain: Any, num_envs: int, problem: Any, options: dict[str, Any]) -> BaseVecEnv:
    """Creates vector environments of the class that fits the domain. Warnings name the caller's caller's caller."""
    options = with_horizon(options)
    hidden = hidden_domain(domain)
    if hidden is not None:
        from . import pddlworld

        of, start = hidden
        options = options if start is None else {"start": start, **options}
        return pddlworld.make_vec(of, num_envs, problem=problem, **options)
    if is_rddl(domain):
        return RddlVecEnv(domain, num_envs, problem=problem, **options)
    envs = VecEnv(domain, num_envs, problem=problem, **options)
    warn_of_ids(envs.suite, envs.engine, options, stacklevel=5)
    warn_of_hidden_atoms(envs.suite, options, stacklevel=5)
    return envs


def make_vec_env(domain: Any, num_envs: int = 1, *, problem: Any = None, **options: Any) -> Any:
    """Creates the same as `make_vec`, without episode statistics. This is the entry point to register for ``gymnasium.make_vec``.

    The wrapper ``RecordEpisodeStatistics`` adds the statistics; it refuses environments that have some.

    Parameters
    ----------
    domain, num_envs, problem, **options
        As for `make_vec`.

    Examples
    --------
    >>> import gymnasium, herbrand
    >>> gymnasium.register(
    ...     "Towers-v0", "herbrand:make", vector_entry_point="herbrand:make_vec_env", kwargs={"domain": "blocks"}
    ... )
    >>> envs = gymnasium.make_vec("Towers-v0", num_envs=4)
    >>> envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    """
    return _vec(domain, num_envs, problem, {"statistics": False, **options})
