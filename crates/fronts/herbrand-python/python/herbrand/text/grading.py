"""Grading of whole plans, many at once, and reward functions for trainers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from .._repr import OneLine
from ..limits import LimitsLike
from .problems import Problems
from .rewards import Progress, RewardsLike, as_rewards

__all__ = ["Completion", "PlanGrade", "PlanGrader", "plan_reward"]

Completion = Union[str, Sequence[Mapping[str, Any]]]
"""A model's reply: its text, or a list of messages that ends with the reply."""


@dataclass(frozen=True, repr=False)
class PlanGrade(OneLine):
    """The grade of a plan.

    Attributes
    ----------
    valid : bool
        Whether all steps can be taken and lead to the goal.
    steps : int
        The number of steps that can be taken, up to the first fault.
    lines : int
        The number of steps that the plan states.
    readable : int
        The number of them that are written like an action of the problem, valid or not.
    cost : float or None
        The cost by the metric of the problem, or the number of steps; None if the plan is not valid.
    reward : float
        The sum of the problem's own rewards.
    fault : str or None
        The first fault: the line that cannot be carried out and why, or the parts of the goal that do not hold.
    distance : int or None
        The number of steps of a shortest plan after these steps: -1 without a plan, None if unknown or not asked for.
    """

    valid: bool
    steps: int
    lines: int
    readable: int
    cost: float | None
    reward: float
    fault: str | None
    distance: int | None

    def parts(self, progress: Progress | None = None) -> dict[str, float]:
        """Returns the parts of the plan's reward, with the names of `Rewards`.

        ``goal`` is 1 if the plan is valid. ``progress`` is that of the steps that can be taken. ``valid`` is minus the share
        of lines that cannot be carried out, and ``format`` minus the share of lines that are not written like an action. Both
        are -1 for a plan without lines. ``task`` is the sum of the problem's own rewards.
        """
        lines = max(self.lines, 1)
        return {
            "goal": 1.0 if self.valid else 0.0,
            "progress": 0.0 if progress is None else progress.to(self.distance),
            "valid": self.steps / lines - 1.0,
            "format": self.readable / lines - 1.0,
            "task": self.reward,
        }


class PlanGrader:
    """Grades plans of one problem.

    Parameters
    ----------
    domain, problem, split
        As for `make`; the first problem if there are several.
    wording, limits
        As for `make`.
    seed : int, default 0
        The seed of all draws.
    threads : int, optional
        The number of threads that grade plans; by default that of the processors.

    Examples
    --------
    >>> from herbrand.text import PlanGrader
    >>> grader = PlanGrader("blocks", "train/01")
    >>> best = "\\n".join(grader.plan())
    >>> [grade.valid for grade in grader.grade([best, "dance", ""])]
    [True, False, False]
    """

    def __init__(
        self,
        domain: Any,
        problem: Any = None,
        *,
        split: str | None = None,
        wording: str | os.PathLike[str] | None = None,
        seed: int = 0,
        threads: int | None = None,
        limits: LimitsLike = None,
    ) -> None:
        self.problems = Problems(domain, problem, split=split, wording=wording, steps=100_000, limits=limits)
        self._core = self.problems.session(0)
        self._seed = seed
        self._threads = threads or os.cpu_count() or 1
        self._core.reset(seed)
        self._start: int | None = None

    @property
    def language(self) -> str:
        """The language of the problem: ``"pddl"`` or ``"rddl"``."""
        return self._core.language

    def prompt(self) -> str:
        """Returns a text that describes the problem and asks for a plan."""
        core = self._core
        constants = core.constants()
        sections = [
            "You solve a planning problem.",
            "Actions are written like this:\n" + "\n".join(core.forms()),
            "" if constants == "Nothing holds." else "Always true:\n" + constants,
            "The state:\n" + core.observation(),
            "The goal:\n" + core.goal() if core.goal() else "",
            "Answer with a plan between <plan> and </plan>, one action per line.",
        ]
        return "\n\n".join(section for section in sections if section)

    def plan(self) -> list[str]:
        """Returns the steps of a plan as sentences; empty if none is found."""
        return self._core.plan()[0]

    def grade(self, plans: Iterable[str], *, distances: bool = False) -> list[PlanGrade]:
        """Grades plans, each from the initial state.

        Parameters
        ----------
        plans : iterable of str
            Steps as sentences or in the syntax of the language, or replies of a model, in which plans are found as by
            `plan_of`.
        distances : bool, default False
            Whether to search for the shortest plan after each plan.

        Raises
        ------
        LimitError
            If a plan is longer than a mebibyte, or a step reaches a limit.
        """
        given = list(plans)
        return [PlanGrade(*one) for one in self._core.grade(given, distances, self._seed, self._threads)]

    def rewards(self, replies: Iterable[str], rewards: RewardsLike = None) -> list[float]:
        """Returns the reward of each reply. See `PlanGrade.parts`."""
        weights = as_rewards(rewards, self.language)
        grades = self.grade(replies, distances=weights.progress != 0)
        if weights.progress and self._start is None:
            self._start = self._core.distance()
        return [weights.total(grade.parts(Progress(self._start))) for grade in grades]


def _text(completion: Completion) -> str:
    """Returns the text of a reply."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1]["content"]) if completion else ""


def plan_reward(
    domain: Any = None, problem: Any = None, *, rewards: RewardsLike = None, **options: Any
) -> Callable[..., list[float]]:
    """Returns a reward function in the form of GRPO trainers: it takes a batch of completions, and returns a list of floats.

    Parameters
    ----------
    domain, problem
        The problem, as for `PlanGrader`. If they are left out, the columns ``domain`` and ``problem`` of the data set name
        the problem of each completion.
    rewards : Rewards or mapping, optional
        The weights of the parts of a reward.
    **options
        As for `PlanGrader`.

    Examples
    --------
    >>> from herbrand.text import plan_reward
    >>> reward = plan_reward("blocks", "train/01", rewards={"goal": 1, "format": 0.5})
    >>> reward(completions=["<plan>dance</plan>", "I do not know."])
    [-0.5, -0.5]
    """
    graders: dict[tuple[Any, Any], PlanGrader] = {}

    def reward(
        prompts: Sequence[Any] | None = None, completions: Sequence[Completion] = (), **columns: Any
    ) -> list[float]:
        count = len(completions)
        domains: Sequence[Any] = columns.get("domain", [domain] * count) if domain is None else [domain] * count
        named: Sequence[Any] = columns.get("problem", [problem] * count) if domain is None else [problem] * count
        groups: dict[tuple[Any, Any], list[int]] = {}
        for index, key in enumerate(zip(domains, named, strict=True)):
            groups.setdefault(key, []).append(index)
        results = [0.0] * count
        for key, indices in groups.items():
            if key[0] is None:
                raise ValueError("no domain is given: neither an argument nor a column `domain`")
            grader = graders.get(key)
            if grader is None:
                grader = graders[key] = PlanGrader(*key, **options)
            replies = [_text(completions[index]) for index in indices]
            for index, value in zip(indices, grader.rewards(replies, rewards), strict=True):
                results[index] = value
        return results

    reward.__name__ = "plan_reward"
    return reward
