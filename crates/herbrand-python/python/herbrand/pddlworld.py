"""Environments whose state is a planning domain under edit, after gym-pddlworld.

An agent changes literals of preconditions and effects, one at a time, until its model does what a hidden domain does.

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
from .base_vector import BaseVecEnv, _Step, environment_count
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
"""A model: preconditions and effects as integers, three bits for each sign (100 positive, 010 absent, 001 negative)."""

Start = Union[Literal["empty", "random", "target"], int, Sketch]
End = Literal["equal", "equivalent", "solved", "submitted"]


class Rewards(TypedDict, total=False):
    """What is rewarded: by how much each score of the model grows, times its weight, minus the cost of a step.

    Scores are from 0 to 1, and 1 for the target.

    - ``distance``: the share of signs that are those of the target.
    - ``agreement``: the share of states and ground actions in which the model does what the target does.
    - ``equivalent``: 1 where it does so in every state.
    - ``solved``: the share of problems for which a plan of the model reaches the goal in the target.
    - ``likelihood``: the geometric mean of the probability of each bit that was seen on random walks, each prediction being wrong
      with probability ``noise`` (0.01 unless given).
    - ``step_cost``: what each step costs.
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
    """A domain to be found, with problems to judge models on.

    Parameters
    ----------
    domain : str, path, Domain, Suite, Target or None
        As for `herbrand.suite`; a light switch if left out. Its operators are conjunctions of literals; other domains are refused,
        with everything in them that cannot be edited.
    problem : str, int, path, Problem, an iterable of them, or None
        The problems, as for `herbrand.suite`; the first one if left out.
    walks : (int, int, int)
        The random walks that traces are taken from: how many on each problem, of how many steps, and their seed.

    Raises
    ------
    ConfigError
        When the domain or a problem cannot be edited.

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
    """What is to be done, and how it is seen: the keyword arguments that an environment and a batch share. `PddlWorldEnv` says what
    each is, and what holds where it is left out.
    """

    actions: Literal["discrete", "tuple"]
    observation: Literal["bits", "integers"]
    start: Start
    queries: bool
    rewards: Rewards | None
    ends: End | Iterable[End]
    most_states: int


def _observed(
    of: Target,
    *,
    actions: Literal["discrete", "tuple"] = "discrete",
    observation: Literal["bits", "integers"] = "bits",
    start: Start = "empty",
    queries: bool = False,
    rewards: Rewards | None = None,
    ends: End | Iterable[End] = "equivalent",
    most_states: int = 1000,
) -> ObservedProblems:
    weights: dict[str, Any] = dict(_REWARDS) if rewards is None else {**rewards}
    names = [ends] if isinstance(ends, str) else list(ends)
    pairs = [(name, float(weight)) for name, weight in weights.items()]
    return of.observed(observation, start, actions, queries, pairs, names, None, most_states)


def _tuple_space(problems: ObservedProblems) -> spaces.MultiDiscrete:
    return spaces.MultiDiscrete(np.array([high + 1 for *_, high in problems.action_fields], dtype=np.int64))


class PddlWorldEnv(BaseEnv):
    """A domain under edit.

    Parameters
    ----------
    domain, problem
        What is to be found, as for `target`: a light switch if left out.
    actions : {"discrete", "tuple"}
        What an action is.

        - ``"discrete"``: a number for each sign and each of its values; the value that a sign has is masked.
        - ``"tuple"``: four numbers as in gym-pddlworld: clause (0 preconditions, 1 effects), operator, literal, and value (0
          positive, 1 absent, 2 negative).
    observation : {"bits", "integers"}
        ``"bits"``: three bits for each sign, all preconditions before all effects; where there are queries, the last answer
        follows. ``"integers"``: two integers, those of gym-pddlworld; where they have more than 60 bits, several for each, the
        lowest first.
    start : {"empty", "random", "target"}, int or (int, int)
        The model that episodes begin with: without a literal, drawn uniformly, the target, the target with so many wrong signs,
        or this one.
    queries : bool
        Whether there are actions that ask: whether the model is equivalent (if not, the observation tells a state in which it
        is wrong), and for each problem whether its plan reaches the goal.
    rewards : Rewards, optional
        What is rewarded; behaviour alone if left out: ``{"agreement": 1.0, "equivalent": 1.0}``.
    ends : {"equal", "equivalent", "solved", "submitted"} or several of them
        What ends an episode: the model is the target, does what it does, its plans solve all problems, or the agent submits it,
        which is one more action.
    most_states : int
        How many states a search for a plan may meet.
    horizon : int, "suite" or None
        After how many steps an episode is truncated; ``"suite"`` is twice the number of signs.
    raise_error_on_invalid_action : bool
        As for `BaseEnv`.
    render_mode : {"ansi", None}
        ``"ansi"``: `render` gives the table of the model.

    Attributes
    ----------
    target : Target
        What is to be found.

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
        """Takes an action: observation, reward, terminated, truncated, info.

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            With ``raise_error_on_invalid_action``, for an edit that changes nothing, and for four numbers that name no literal.
        """
        return self._steps(action)

    def sample(self) -> Any:
        """An action that does something, each with the same probability, from the environment's seed."""
        drawn = self._core.sample()
        return int(drawn) if self.problems.is_discrete else drawn.astype(np.int64)

    @property
    def integers(self) -> Sketch:
        """The model as it is: preconditions and effects as integers."""
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
        """The model as it is, as a domain in PDDL."""
        return self.target.to_pddl(self.integers)

    def render_text(self) -> str:
        """The table of the model: operators and literals, with their signs in precondition and effect."""
        return self.target.table(self.integers).rstrip()

    def _lines(self) -> list[str]:
        return self.render_text().splitlines()

    def __deepcopy__(self, memo: dict[int, Any]) -> PddlWorldEnv:
        """A copy at the same place of the same episode, with the same random streams; the target is shared."""
        memo[id(self.target)] = self.target
        return super().__deepcopy__(memo)


class PddlWorldVecEnv(BaseVecEnv):
    """Domains under edit that are stepped together.

    Environment ``i`` goes through what a single `PddlWorldEnv` of seed ``seed + i`` would, on any number of threads.

    Parameters
    ----------
    domain, problem, actions, observation, start, queries, rewards, ends, most_states, horizon, raise_error_on_invalid_action
        As for `PddlWorldEnv`.
    num_envs, autoreset_mode, threads, copy, statistics
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
        statistics: bool = True,
        render_mode: str | None = None,
        **options: Unpack[ProblemOptions],
    ) -> None:
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
            statistics=statistics,
            render_mode=render_mode,
        )
        if not problems.is_discrete:
            self.single_action_space = _tuple_space(problems)
            self.action_space = batch_space(self.single_action_space, num_envs)

    def _read_actions(self, actions: NDArray[Any]) -> Any:
        return actions.astype(np.int64)

    def step(self, actions: ArrayLike) -> _Step:
        """Takes an action in every environment: observations, rewards, terminations, truncations, infos."""
        return super().step(actions)


class WorldOptions(ProblemOptions, total=False):
    """The keyword arguments of `make`, which are those of `PddlWorldEnv`."""

    horizon: Horizon
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None


def make(
    domain: DomainLike | Target | None = None, problem: ProblemsLike = None, **options: Unpack[WorldOptions]
) -> PddlWorldEnv:
    """A domain under edit.

    Parameters
    ----------
    domain, problem
        What is to be found, as for `target`: a light switch if left out.
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
    """Many domains under edit, stepped together.

    Parameters
    ----------
    domain
        As for `make`.
    num_envs : int
        The number of environments.
    problem
        As for `make`; by name only.
    **options
        As for `PddlWorldVecEnv`.
    """
    return PddlWorldVecEnv(domain, num_envs, problem=problem, **options)


def make_vec_env(domain: DomainLike | Target | None = None, **options: Any) -> PddlWorldVecEnv:
    """What ``gymnasium.make_vec`` makes: statistics are left to the wrapper ``RecordEpisodeStatistics``."""
    options.setdefault("statistics", False)
    return PddlWorldVecEnv(domain, **options)
