"""Evaluation of policies: shares of episodes that reach the goal, returns and lengths, with confidence intervals.

>>> import herbrand
>>> result = herbrand.evaluate("random", "tireworld", ["test/01", "test/02"], episodes=200, horizon=50)
>>> print(result)
problem   goal  95 % interval  return  95 % interval  length
test/01  0.665   0.597, 0.727   0.665   0.599, 0.731     3.3
test/02  0.295   0.236, 0.362   0.295   0.232, 0.358     3.3
all      0.480   0.431, 0.529   0.480   0.431, 0.529     3.3
>>> result["test/01"].goal_share
0.665
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import State, share_interval
from .env import PDDLEnv, make
from .rddl.sources import is_rddl
from .sources import suite
from .vector import make_vec

__all__ = ["Evaluation", "evaluate", "goal_probability"]

Choice = Callable[[Any, NDArray[np.bool_]], Any]

# The greatest number of environments for which a policy is called at once.
_BATCH = 1024

_ENDLESS = "episodes of these problems have no greatest number of steps: write horizon=…"


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The episodes of a policy, from `evaluate`. ``str()`` of it is a table with a line for each problem.

    Intervals contain the true value in about 95 of 100 evaluations: Wilson's for shares, 1.96 standard errors for means. Over
    several problems they are about episodes of problems that are drawn at random.

    Attributes
    ----------
    problems : tuple of str
        The names of the problems.
    goals : array of bool, (problems, episodes), or None
        Whether each episode reached the goal; None in RDDL.
    returns : array of float64, (problems, episodes)
        The sums of the rewards.
    lengths : array of int64, (problems, episodes)
        The numbers of steps.
    """

    problems: tuple[str, ...]
    goals: NDArray[np.bool_] | None
    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]

    @property
    def episodes(self) -> int:
        """The number of episodes of all problems together."""
        return self.returns.size

    @property
    def goal_share(self) -> float | None:
        """The share of episodes that reached the goal; None in RDDL."""
        return None if self.goals is None else float(self.goals.mean())

    @property
    def goal_interval(self) -> tuple[float, float] | None:
        """The ends of the interval of `goal_share`; None in RDDL."""
        return None if self.goals is None else share_interval(int(self.goals.sum()), self.goals.size)

    @property
    def mean_return(self) -> float:
        """The mean of the returns."""
        return float(self.returns.mean())

    @property
    def return_interval(self) -> tuple[float, float]:
        """The ends of the interval of `mean_return`; infinite for a single episode."""
        half = 1.96 * float(self.returns.std(ddof=1)) / self.episodes**0.5 if self.episodes > 1 else np.inf
        return self.mean_return - half, self.mean_return + half

    @property
    def mean_length(self) -> float:
        """The mean number of steps."""
        return float(self.lengths.mean())

    def summary(self) -> dict[str, float]:
        """Returns the means and the ends of their intervals by name, such as for a row of a table."""
        found = {"goal": self.goal_share, "return": self.mean_return}
        intervals = {"goal": self.goal_interval, "return": self.return_interval}
        row: dict[str, float] = {}
        for name, value in found.items():
            interval = intervals[name]
            if value is not None and interval is not None:
                row |= {name: value, f"{name}_low": interval[0], f"{name}_high": interval[1]}
        return {**row, "length": self.mean_length}

    def __len__(self) -> int:
        return len(self.problems)

    def __iter__(self) -> Iterator[str]:
        return iter(self.problems)

    def __getitem__(self, problem: str | int) -> Evaluation:
        """Returns the episodes of one problem, by its name or its index."""
        index = range(len(self))[problem] if isinstance(problem, int) else list(self).index(problem)
        goals = None if self.goals is None else self.goals[[index]]
        return Evaluation((self.problems[index],), goals, self.returns[[index]], self.lengths[[index]])

    def __str__(self) -> str:
        rows = [(name, self[index]) for index, name in enumerate(self)]
        rows += [("all", self)] * (len(self) > 1)
        lines = [["problem", *self._head(), "length"]]
        for name, row in rows:
            shares = () if row.goals is None else (row.goal_share, row.goal_interval)
            cells = [_cell(value) for value in (*shares, row.mean_return, row.return_interval)]
            lines.append([name, *cells, f"{row.mean_length:.1f}"])
        widths = [max(map(len, column)) for column in zip(*lines)]
        texts = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
        return "\n".join("  ".join(text) for text in texts)

    def _head(self) -> list[str]:
        return ([] if self.goals is None else ["goal", "95 % interval"]) + ["return", "95 % interval"]

    def __repr__(self) -> str:
        share = "" if self.goals is None else f"goal {self.goal_share:.3f}, "
        of = self.problems[0] if len(self) == 1 else f"{len(self)} problems"
        return f"<Evaluation: {self.episodes} episodes of {of}, {share}return {self.mean_return:.3f}>"

    def plot(self, axes: Any = None) -> Any:
        """Draws the goal share of each problem with its interval; in RDDL the mean return.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default new axes. Several evaluations can be drawn into the same axes.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing.
        """
        axes = import_module("matplotlib.pyplot").subplots()[1] if axes is None else axes
        name = "return" if self.goals is None else "goal"
        rows = [self[index].summary() for index in range(len(self))]
        values, low, high = (np.array([row[name + end] for row in rows]) for end in ("", "_low", "_high"))
        axes.errorbar(self.problems, values, yerr=np.maximum([values - low, high - values], 0.0), fmt="o", capsize=3)
        axes.tick_params(axis="x", rotation=90)
        axes.set(ylabel="mean return" if self.goals is None else "share of episodes that reach the goal")
        return axes


def _cell(value: Any) -> str:
    """Returns a number or an interval as text."""
    return f"{value[0]:.3f}, {value[1]:.3f}" if isinstance(value, tuple) else f"{value:.3f}"


def choice(policy: Any) -> Choice:
    """Returns a policy as a function of observations and masks that returns actions: a row for each environment.

    Raises `TypeError` if it is no such function and no model of Stable-Baselines3.
    """
    predict = getattr(policy, "predict", None)
    if predict is None:
        if callable(policy):
            function: Choice = policy
            return function
        raise TypeError(f"a policy is a function, a model with `predict`, an object with `action`, or 'random', not {policy!r}")
    takes_masks = "action_masks" in inspect.signature(predict).parameters
    memory = None

    def predicted(seen: Any, masks: NDArray[np.bool_]) -> Any:
        """Returns the most likely actions. A recurrent model remembers the steps before."""
        nonlocal memory
        mask = {"action_masks": masks} if takes_masks else {}
        actions, memory = predict(seen, state=memory, deterministic=True, **mask)
        return actions

    return predicted


def evaluate(
    policy: Any, domain: Any, problem: Any = None, *, episodes: int = 100, seed: int = 0, **options: Any
) -> Evaluation:
    """Runs a policy on each problem, and returns how its episodes went.

    Parameters
    ----------
    policy
        A function of observations, ``(environments, …)``, and masks of valid actions, ``(environments, actions)``, that
        returns an action for each environment. Or a model of Stable-Baselines3 or sb3-contrib, whose most likely
        actions are taken; a `Policy` of one of the problems, or another object with ``action(state)`` or ``act(state)``; or
        ``"random"``, which draws valid actions.
    domain, problem
        As for `herbrand.suite`; by default all problems.
    episodes : int
        The number of episodes of each problem.
    seed : int
        The seed of the first episode of each problem; the seeds of the others follow it. Policies that act alike have the
        same episodes, so two policies can be compared episode by episode.
    **options
        As for `herbrand.make_vec`, among them ``split``, ``ids`` and ``horizon``. In RDDL, actions and observations are vectors
        by default (``actions="flat"``, ``observation="flat"``).

    Raises
    ------
    ValueError
        If episodes have no greatest number of steps.

    Examples
    --------
    >>> import herbrand
    >>> def first(observations, masks):
    ...     return masks.argmax(axis=1)
    >>> herbrand.evaluate(first, "tireworld", "test/01", episodes=200, horizon=50)
    <Evaluation: 200 episodes of test/01, goal 0.395, return 0.395>
    >>> task = herbrand.load("river", "train/07")
    >>> herbrand.evaluate(task.policy(), "river", "train/07", episodes=200, horizon=50).goal_share
    0.3
    """
    rddl = is_rddl(domain)
    acts = getattr(policy, "action", None) or getattr(policy, "act", None)
    chosen = {name: options.pop(name) for name in ("split", "ids", "operators", "limits") if name in options}
    if not rddl and acts is not None:
        chosen.setdefault("operators", True)
    elif rddl and acts is None:
        options = {"actions": "flat", "observation": "flat", **options}
    found: Any = suite(domain, problem, **chosen)
    run = _together if acts is None else _alone
    runs = list(run(policy, found, episodes, seed, options))
    goals, returns, lengths = np.stack(runs, axis=1)
    return Evaluation(found.problem_names, None if rddl else goals.astype(np.bool_), returns, lengths.astype(np.int64))


def _together(
    policy: Any, problems: Any, episodes: int, seed: int, options: dict[str, Any]
) -> Iterator[NDArray[np.float64]]:
    """Runs episodes in batches of environments; yields rows of goals, returns and lengths for each problem.

    Problems with the same spaces are stepped together, so that the policy is called for many environments at once.
    """
    block: list[Any] = []
    for index in range(len(problems)):
        envs: Any = make_vec(problems, min(episodes, _BATCH), problem=index, autoreset_mode="NextStep", **options)
        if envs.horizon is None:
            raise ValueError(_ENDLESS)
        if block and ((len(block) + 1) * envs.num_envs > _BATCH or not _are_alike(block[0], envs)):
            yield from _run(policy, block, episodes, seed)
            block = []
        block.append(envs)
    yield from _run(policy, block, episodes, seed)


def _are_alike(one: Any, other: Any) -> bool:
    """Returns whether one call of a policy can choose for both. Actions that are dicts are chosen apart."""
    action = one.single_action_space
    same = action == other.single_action_space and one.single_observation_space == other.single_observation_space
    return same and not isinstance(action, spaces.Dict)


def _run(policy: Any, block: list[Any], episodes: int, seed: int) -> NDArray[np.float64]:
    """Runs episodes in several batches of the same size; returns rows of goals, returns and lengths for each batch."""
    runs = []
    count = block[0].num_envs
    for start in range(seed, seed + episodes, count):
        choose = None if policy == "random" else choice(policy)
        seen = [envs.reset(seed=start)[0] for envs in block]
        run = np.zeros((len(block), 3, count))
        running = np.ones((len(block), count), dtype=np.bool_)
        while running.any():
            if choose is None:
                actions = [envs.unwrapped.sample() for envs in block]
            else:
                chosen = choose(_joined(seen), np.concatenate([envs.action_masks() for envs in block]))
                actions = [chosen] if len(block) == 1 else np.split(np.asarray(chosen), len(block))
            for place, envs in enumerate(block):
                (goals, returns, lengths), goes_on = run[place], running[place]
                seen[place], rewards, terminated, truncated, infos = envs.step(actions[place])
                returns[goes_on] += rewards[goes_on]
                lengths += goes_on
                ended = goes_on & (terminated | truncated)
                goals[ended] = infos["goal"][ended]
                goes_on &= ~ended
        runs.append(run)
    return np.concatenate(runs, axis=2)[:, :, :episodes]


def _joined(seen: list[Any]) -> Any:
    """Returns the observations of several batches, arrays or dicts of arrays, in one."""
    if len(seen) == 1:
        return seen[0]
    if isinstance(seen[0], dict):
        return {name: np.concatenate([part[name] for part in seen]) for name in seen[0]}
    return np.concatenate(seen)


def _alone(
    policy: Any, problems: Any, episodes: int, seed: int, options: dict[str, Any]
) -> Iterator[NDArray[np.float64]]:
    """Runs episodes one by one with a policy of states; yields rows of goals, returns and lengths for each problem."""
    act = getattr(policy, "action", None) or policy.act
    for index in range(len(problems)):
        env: Any = make(problems, index, **options)
        if env.horizon is None:
            raise ValueError(_ENDLESS)
        run = np.zeros((3, episodes))
        for episode in range(episodes):
            _, info = env.reset(seed=seed + episode)
            if hasattr(policy, "begin"):
                policy.begin()
            over = False
            while not over and (action := act(env.state)) is not None:
                number = env.action_id(str(action)) if isinstance(env, PDDLEnv) else action
                _, reward, terminated, truncated, info = env.step(number)
                run[1:, episode] += reward, 1
                over = terminated or truncated
            run[0, episode] = info["goal"]
        yield run


def goal_probability(policy: Any, env: PDDLEnv, horizon: int | None = None) -> float:
    """Computes the probability that a policy without chance reaches the goal of a problem, without episodes.

    It propagates the distribution over states step by step, so there is no sampling error.

    Parameters
    ----------
    policy
        A function or a model, as for `evaluate`. An invalid action leaves the state unchanged.
    env : PDDLEnv
        An environment of one problem whose actions are its operators (``operators=True``).
    horizon : int, optional
        The greatest number of steps of an episode; by default that of the environment.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("tireworld", "test/04", operators=True)
    >>> herbrand.goal_probability(lambda observations, masks: masks.argmax(axis=1), env, horizon=50)
    0.0625
    """
    choose = choice(policy)
    env.reset(seed=0)
    steps = env.horizon if horizon is None else horizon
    if steps is None:
        raise ValueError(_ENDLESS)
    task: Any = env.task
    outcomes: dict[State, list[tuple[float, State]]] = {}

    def decide(states: list[State]) -> None:
        """Calls the policy once for all new states."""
        outcomes.update((state, []) for state in states)
        pairs = [(state, env.set_state(state)[0].copy(), env.action_masks()) for state in states]
        pairs = [pair for pair in pairs if pair[2].any()]
        if not pairs:
            return
        actions = choose(np.stack([seen for _, seen, _ in pairs]), np.stack([mask for _, _, mask in pairs]))
        for (state, _, mask), action in zip(pairs, actions, strict=True):
            after = task.outcomes(state, int(action)) if mask[action] else [(1.0, state, 0.0)]
            outcomes[state] = [(chance, successor) for chance, successor, _ in after]

    reached, now = 0.0, {task.initial_state: 1.0}
    for _ in range(steps):
        decide([state for state in now if state not in outcomes])
        following: dict[State, float] = {}
        for state, weight in now.items():
            for chance, successor in outcomes[state]:
                if successor.is_goal:
                    reached += weight * chance
                else:
                    following[successor] = following.get(successor, 0.0) + weight * chance
        now = following
    return reached
