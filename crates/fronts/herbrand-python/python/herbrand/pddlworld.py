"""Environments whose state is a planning domain that the agent edits, after gym-pddlworld.

The agent changes one literal of a precondition or effect per step, until its model behaves like a hidden target domain.

>>> import herbrand
>>> env = herbrand.pddlworld.make()
>>> observation, info = env.reset(seed=1)
>>> env.integers, env.target.integers
((1170, 1170), (1297, 612))
>>> observation, reward, terminated, truncated, info = env.step(env.action_id("effect turn-on (lit) positive"))
>>> print(env.render_text())
preconditions 1170, effects 1186
             0 (on)   1 (lit)
0 turn-on    · → ·    · → +
1 turn-off   · → ·    · → ·
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypedDict, Union

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._herbrand import ObservedProblems, Target
from .base_env import BaseEnv, Horizon
from .base_vector import BaseVecEnv, Masks, _Step, environment_count
from .observations import mode_name
from .options import check_options, option_names, with_horizon
from .rendering import RenderMode
from .sources import DomainLike, ProblemsLike, pddl_suite

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "End",
    "PddlWorldEnv",
    "PddlWorldVecEnv",
    "ProblemOptions",
    "Rewards",
    "Sketch",
    "Start",
    "Target",
    "WorldOptions",
    "make",
    "make_vec",
    "make_vec_env",
    "target",
]

Sketch = tuple[int, int]
"""A model: preconditions and effects as integers with three bits per sign (100 positive, 010 absent, 001 negative)."""

Start = Union[Literal["empty", "random", "target"], int, Sketch]
End = Literal["equal", "equivalent", "solved", "submitted"]


class Rewards(TypedDict, total=False):
    """The reward terms. A step is rewarded with the weighted increase of each score of the model, minus the step cost.

    Scores range from 0 to 1; the target scores 1.

    - ``distance``: the share of signs that equal those of the target.
    - ``agreement``: the share of pairs of state and ground action in which the model behaves like the target.
    - ``equivalent``: 1 if it behaves like the target in every state, else 0.
    - ``solved``: the share of problems for which a plan of the model reaches the goal in the target.
    - ``likelihood``: the geometric mean probability of the bits observed on random walks, if each prediction is wrong with
      probability ``noise`` (default 0.01).
    - ``step_cost``: the cost of each step.
    """

    distance: float
    agreement: float
    equivalent: float
    solved: float
    likelihood: float
    noise: float
    step_cost: float


_REWARDS = Rewards(agreement=1.0, equivalent=1.0)


def target(
    domain: DomainLike | Target | None = None,
    problem: ProblemsLike = None,
    *,
    walks: tuple[int, int, int] = (4, 20, 0),
) -> Target:
    """Creates a target: a hidden domain, with problems to evaluate models on.

    Parameters
    ----------
    domain : str, path, Domain, Suite, Target or None
        As for `herbrand.suite`; a light switch if left out. Preconditions and effects must be conjunctions of literals. The
        error for other domains lists everything in them that cannot be edited.
    problem : str, int, path, Problem, an iterable of them, or None
        The problems, as for `herbrand.suite`; by default the first one.
    walks : (int, int, int)
        The random walks that produce traces: their number per problem, their length in steps, and their seed.

    Raises
    ------
    ConfigError
        If the domain or a problem cannot be edited.

    Examples
    --------
    >>> from herbrand import pddlworld
    >>> pddlworld.target("blocks")
    <Target blocks: 4 operators, 26 literals>
    >>> switch = pddlworld.target()
    >>> switch.agreement(switch.empty), switch.distance(switch.empty)
    (0.0, 6)
    """
    if isinstance(domain, Target):
        return domain
    if domain is None:
        return Target(*Target.light_switch_texts(), walks)
    suite = pddl_suite(domain, problem, operators=True)
    if problem is None:
        suite = suite.select(0)
    whole = suite.domain
    problems = [(one.file or one.name, one.text or one.to_pddl()) for one in suite]
    return Target((whole.file or whole.name, whole.text or whole.to_pddl()), problems, walks)


class ProblemOptions(TypedDict, total=False):
    """The keyword arguments shared by `PddlWorldEnv` and `PddlWorldVecEnv`. See `PddlWorldEnv` for their meaning and
    defaults.
    """

    actions: Literal["discrete", "tuple"]
    observation: Literal["bits", "integers", "pixels"]
    pixels: tuple[int, int] | None
    start: Start
    queries: bool
    rewards: Rewards | None
    ends: End | Iterable[End]
    most_states: int


def _observed(
    of: Target,
    *,
    actions: Literal["discrete", "tuple"] = "discrete",
    observation: Literal["bits", "integers", "pixels"] = "bits",
    pixels: tuple[int, int] | None = None,
    start: Start = "empty",
    queries: bool = False,
    rewards: Rewards | None = None,
    ends: End | Iterable[End] = "equivalent",
    most_states: int = 1000,
) -> ObservedProblems:
    weights: dict[str, Any] = dict(_REWARDS) if rewards is None else {**rewards}
    names = [ends] if isinstance(ends, str) else list(ends)
    pairs = [(name, float(weight)) for name, weight in weights.items()]
    return of.observed(mode_name(observation, pixels), start, actions, queries, pairs, names, None, most_states)


def _tuple_space(problems: ObservedProblems) -> spaces.MultiDiscrete:
    return spaces.MultiDiscrete(np.array([high + 1 for *_, high in problems.action_fields], dtype=np.int64))


class PddlWorldEnv(BaseEnv):
    """An environment whose state is a planning domain that the agent edits.

    Parameters
    ----------
    domain, problem
        The hidden domain and its problems, as for `target`: a light switch if left out.
    actions : {"discrete", "tuple"}
        The form of actions.

        - ``"discrete"``: one number for each value of each sign. The current value of a sign is masked.
        - ``"tuple"``: four numbers as in gym-pddlworld: clause (0 preconditions, 1 effects), operator, literal, and value (0
          positive, 1 absent, 2 negative).
    observation : {"bits", "integers", "pixels"}
        ``"bits"``: three bits for each sign, all preconditions before all effects, followed by the last answer if `queries`
        is set. ``"integers"``: two integers, as in gym-pddlworld. If they have more than 60 bits, each becomes several
        integers, the lowest bits first. ``"pixels"``: an array of uint8 ``(height, width, 3)`` with a cell for each sign, green
        if it is positive and red if it is negative; a row per literal, and two columns per operator.
    pixels : (int, int)
        Height and width of observations of mode ``"pixels"``.
    start : {"empty", "random", "target"}, int or (int, int)
        The model at the start of an episode: without literals; drawn uniformly; the target; the target with this number of
        wrong signs; or this model.
    queries : bool
        Whether there are query actions. One asks whether the model is equivalent to the target; if not, the observation
        contains a state in which they differ. Others ask, for each problem, whether the model's plan reaches the goal.
    rewards : Rewards, optional
        The reward terms; by default ``{"agreement": 1.0, "equivalent": 1.0}``.
    ends : {"equal", "equivalent", "solved", "submitted"} or several of them
        The conditions that end an episode: the model equals the target, behaves like it, its plans solve all problems, or
        the agent submits the model by an additional action.
    most_states : int
        The maximal number of states that a search for a plan may generate.
    horizon : int, "suite" or None
        The number of steps after which an episode is truncated; ``"suite"`` is twice the number of signs.
    raise_error_on_invalid_action : bool
        As for `BaseEnv`.
    render_mode : {"ansi", None}
        ``"ansi"``: `render` returns the table of the model.

    Attributes
    ----------
    target : Target
        The hidden domain.

    Examples
    --------
    >>> import gymnasium, herbrand
    >>> env = gymnasium.make("herbrand/PddlWorld-v0", actions="tuple", observation="integers")
    >>> env.action_space, env.observation_space.shape
    (MultiDiscrete([2 2 2 3]), (2,))
    >>> env.reset(seed=1)[0]
    array([1170, 1170])
    """

    def __init__(
        self,
        domain: DomainLike | Target | None = None,
        problem: ProblemsLike = None,
        *,
        horizon: Horizon = "suite",
        raise_error_on_invalid_action: bool = False,
        render_mode: RenderMode | None = None,
        **options: Unpack[ProblemOptions],
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"a domain under edit has no pictures: render_mode is 'ansi' or None, not {render_mode!r}")
        check_options("PddlWorldEnv", options, WorldOptions.__annotations__)
        self.target = target(domain, problem)
        problems = _observed(self.target, **options)
        super().__init__(
            problems,
            horizon=horizon,
            raise_error_on_invalid_action=raise_error_on_invalid_action,
            render_mode=render_mode,
        )
        if not problems.is_discrete:
            self.action_space = _tuple_space(problems)

    def step(self, action: SupportsIndex | ArrayLike) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action and returns observation, reward, terminated, truncated, info.

        Raises
        ------
        EpisodeError
            If there is no running episode.
        InvalidActionError
            If ``raise_error_on_invalid_action`` is set and the edit changes nothing or its four numbers name no literal.
        """
        return self._steps(action)

    def sample(self) -> Any:
        """Draws an action that changes the model, uniformly, from the environment's random stream."""
        drawn = self._core.sample()
        return int(drawn) if self.problems.is_discrete else drawn.astype(np.int64)

    @property
    def integers(self) -> Sketch:
        """The current model: preconditions and effects as integers."""
        signs = {(name, *arguments): value for kind, name, arguments, value in self.facts() if kind == "fluent"}
        triplets = {"positive": 0b100, "negative": 0b001}
        numbers = []
        for part in ("precondition", "effect"):
            number, place = 0, 0
            for operator, _, literals in self.target.operators:
                for literal in literals:
                    sign = signs.get((part, operator, literal))
                    number |= triplets.get(str(sign), 0b010) << (3 * place)
                    place += 1
            numbers.append(number)
        return numbers[0], numbers[1]

    def to_pddl(self) -> str:
        """Returns the current model as a domain in PDDL."""
        return self.target.to_pddl(self.integers)

    def render_text(self) -> str:
        """Returns the table of the model: operators and literals, with their signs in precondition and effect."""
        return self.target.table(self.integers).rstrip()

    def _lines(self) -> list[str]:
        return self.render_text().splitlines()

    def __deepcopy__(self, memo: dict[int, Any]) -> PddlWorldEnv:
        """Returns a copy in the same state of the same episode, with equal random streams. It shares the target."""
        memo[id(self.target)] = self.target
        return super().__deepcopy__(memo)


class PddlWorldVecEnv(BaseVecEnv):
    """A vector environment whose states are planning domains that the agent edits.

    Environment ``i`` behaves exactly like a single `PddlWorldEnv` with seed ``seed + i``, for any number of threads.

    Parameters
    ----------
    domain, problem, actions, observation, pixels, start, queries, rewards, ends, most_states, horizon, raise_error_on_invalid_action
        As for `PddlWorldEnv`.
    num_envs, autoreset_mode, threads, copy, masks, statistics
        As for `herbrand.VecEnv`.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.pddlworld.make_vec("blocks", num_envs=4, start=3)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
    >>> observations.shape
    (4, 156)
    """

    def __init__(
        self,
        domain: DomainLike | Target | None = None,
        num_envs: int = 1,
        *,
        problem: ProblemsLike = None,
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
        check_options("PddlWorldVecEnv", options, option_names(PddlWorldVecEnv, ProblemOptions.__annotations__))
        num_envs = environment_count(num_envs)
        self.target = target(domain, problem)
        problems = _observed(self.target, **options)
        super().__init__(
            problems,
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
        if not problems.is_discrete:
            self.single_action_space = _tuple_space(problems)
            self.action_space = batch_space(self.single_action_space, num_envs)

    def _read_actions(self, actions: NDArray[Any]) -> Any:
        return actions.astype(np.int64)

    def step(self, actions: ArrayLike) -> _Step:
        """Takes an action in every environment; returns observations, rewards, terminations, truncations, infos."""
        return super().step(actions)


class WorldOptions(ProblemOptions, total=False):
    """The keyword arguments of `make` and of `PddlWorldEnv`."""

    horizon: Horizon
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None


def make(
    domain: DomainLike | Target | None = None, problem: ProblemsLike = None, **options: Unpack[WorldOptions]
) -> PddlWorldEnv:
    """Creates a `PddlWorldEnv`.

    Parameters
    ----------
    domain, problem
        The hidden domain and its problems, as for `target`: a light switch if left out.
    **options
        As for `PddlWorldEnv`.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.pddlworld.make("gripper", start=3, ends=["equal", "submitted"])
    >>> observation, info = env.reset(seed=1)
    >>> env.target.distance(env.integers)
    3
    """
    return PddlWorldEnv(domain, problem, **options)


def make_vec(
    domain: DomainLike | Target | None = None, num_envs: int = 1, *, problem: ProblemsLike = None, **options: Any
) -> PddlWorldVecEnv:
    """Creates a `PddlWorldVecEnv`.

    Parameters
    ----------
    domain
        As for `make`.
    num_envs : int
        The number of environments.
    problem
        As for `make`; a keyword argument only.
    **options
        As for `PddlWorldVecEnv`.
    """
    return PddlWorldVecEnv(domain, num_envs, problem=problem, **options)


def make_vec_env(domain: DomainLike | Target | None = None, **options: Any) -> PddlWorldVecEnv:
    """Entry point of ``gymnasium.make_vec``: leaves statistics to the wrapper ``RecordEpisodeStatistics``."""
    return PddlWorldVecEnv(domain, **with_horizon({"statistics": False, **options}))
