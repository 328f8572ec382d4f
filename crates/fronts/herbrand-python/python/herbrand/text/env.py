"""Environments in text: problems whose states and actions are sentences."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, TypedDict

from .._herbrand import Random, SessionCore
from ..errors import EpisodeError
from ..limits import LimitsLike
from .problems import Problems
from .rewards import Progress, Rewards, RewardsLike, as_rewards

__all__ = ["Fault", "Observe", "StepInfo", "TextAction", "TextEnv"]

Observe = Literal["state", "changes", "both"]
"""The content of the text of a step: the state, the changes, or both."""

_NOTHING = "Nothing holds."
_ENDS = {
    "goal": "The goal is reached.",
    "dead-end": "No action is possible any more.",
    "terminal": "The episode has ended.",
    "horizon": "The episode has reached its horizon.",
    "broken": "A condition that must always hold is violated.",
}
_MEMORY = 100_000


def sentence(message: str) -> str:
    """Returns a message with a full stop, unless it ends in a question."""
    return message if message.endswith("?") else f"{message}."


class TextAction(NamedTuple):
    """A valid action.

    Attributes
    ----------
    number : int
        The number by which an answer may name it in this state, from 1.
    action : str
        The action in the syntax of its language.
    text : str
        The action as a sentence.
    """

    number: int
    action: str
    text: str


class Fault(NamedTuple):
    """The reason why an answer was not carried out.

    Attributes
    ----------
    kind : str
        ``"not-valid"`` if the action is not valid in the state. Otherwise the answer names no action: ``"empty"``,
        ``"too-long"``, ``"no-such-number"``, ``"unknown-action"``, ``"unknown-object"``, ``"wrong-arity"``,
        ``"wrong-type"`` or ``"ambiguous"``.
    message : str
        The reason in one sentence, with a suggestion if there is one.
    """

    kind: str
    message: str


class StepInfo(TypedDict):
    """What `TextEnv.step` returns beside the text."""

    action: list[str] | None
    """The action in the syntax of its language, several if they are taken together in RDDL; None if the answer names none."""
    fault: Fault | None
    """The reason why the answer was not carried out; None if it was."""
    status: str
    """``"running"``, ``"goal"``, ``"dead-end"``, ``"terminal"``, ``"horizon"``, ``"broken"``, or ``"budget"`` if all answers
    are used up."""
    answers: int
    """The number of answers in this episode."""
    steps: int
    """The number of them that were carried out."""
    distance: int | None
    """The number of steps of a shortest plan from here, -1 without a plan, None if it is unknown or not asked for."""
    parts: dict[str, float]
    """The parts of the reward before they are weighted; see `Rewards`."""


class TextEnv:
    """An environment whose observations and actions are texts. `make` creates one.

    Examples
    --------
    >>> import herbrand.text
    >>> env = herbrand.text.make("blocks", "train/01", rewards={"goal": 1, "progress": 0.5, "format": 0.1})
    >>> env.reset(seed=1).splitlines()[0]
    'You solve a planning problem, one action at a time.'
    >>> text, reward, terminated, truncated, info = env.step("I need room. Action: dance")
    >>> reward, info["fault"]
    (-0.1, Fault(kind='unknown-action', message='no action is written `dance`'))
    >>> text, reward, terminated, truncated, info = env.step(env.valid_actions()[0].text)
    >>> info["fault"], info["steps"], info["answers"]
    (None, 1, 2)
    """

    def __init__(
        self,
        domain: Any,
        problem: Any = None,
        *,
        split: str | None = None,
        seed: int = 0,
        steps: int = 100,
        show_actions: bool = True,
        show_domain: bool | None = None,
        wording: str | os.PathLike[str] | None = None,
        observe: Observe = "state",
        rewards: RewardsLike = None,
        limits: LimitsLike = None,
    ) -> None:
        if steps < 1:
            raise ValueError("an episode has at least one step")
        if observe not in ("state", "changes", "both"):
            raise ValueError(f"observe is 'state', 'changes' or 'both', not {observe!r}")
        self.problems = Problems(domain, problem, split=split, wording=wording, steps=steps, limits=limits)
        self.steps = steps
        self.show_actions = show_actions
        self.observe: Observe = observe
        self._options: dict[str, Any] = {
            "domain": domain,
            "problem": problem,
            "split": split,
            "seed": seed,
            "steps": steps,
            "show_actions": show_actions,
            "show_domain": show_domain,
            "wording": wording,
            "observe": observe,
            "rewards": rewards,
            "limits": limits,
        }
        self._next_seed = seed
        self._seed = seed
        self._index = 0
        self._core: SessionCore = self.problems.session(0)
        self.show_domain = self._core.language == "rddl" if show_domain is None else show_domain
        self.rewards: Rewards = as_rewards(rewards, self._core.language)
        self._distances: dict[tuple[int, str], int | None] = {}
        self._progress = Progress(None)
        self._answers = 0
        self._running = False

    def __repr__(self) -> str:
        return f"<TextEnv {self.problems.suite.name}: {len(self.problems)} problems>"

    @property
    def title(self) -> str:
        """The name of the domain and the current problem."""
        return self._core.title

    @property
    def problem_index(self) -> int:
        """The index of the current problem."""
        return self._index

    @property
    def is_partly_observable(self) -> bool:
        """Whether the agent sees only a part of the state: by the table ``[observe]`` of the settings of a PDDL domain, or by
        the ``observ-fluent`` variables of an RDDL domain.
        """
        return self._core.is_partly_observable

    def reset(self, seed: int | None = None, problem: int | None = None) -> str:
        """Starts an episode and returns the text that describes the problem and its initial state.

        Parameters
        ----------
        seed : int, optional
            The seed of the problem's choice and of all draws of the episode; by default the number after that of the last
            episode, beginning with the seed of `make`. Equal seeds and answers give equal episodes.
        problem : int, optional
            The index of the problem; by default it is drawn if there are several.
        """
        self._seed = self._next_seed if seed is None else seed
        self._next_seed = self._seed + 1
        if problem is None:
            problem = Random(self._seed).below(len(self.problems)) if len(self.problems) > 1 else 0
        self._core, self._index = self.problems.session(problem), problem
        self._core.reset(self._seed)
        self._answers = 0
        self._running = self._core.status not in _ENDS
        self._progress = Progress(self.distance() if self.rewards.progress else None)
        return self._instructions()

    def step(self, answer: str) -> tuple[str, float, bool, bool, StepInfo]:
        """Carries out an answer.

        Parameters
        ----------
        answer : str
            The reply of a model, in which the answer is found as by `final_answer`: a sentence, the syntax of the language, or the
            number of a valid action. In RDDL, semicolons separate actions that are taken together, and ``do nothing`` is
            the action in which all fluents keep their defaults.

        Returns
        -------
        text : str
            The state or its changes, or the reason why the answer was not carried out.
        reward : float
            The weighted sum of the parts; see `Rewards`.
        terminated : bool
            Whether the episode has ended: the goal is reached, no action is valid, or the problem ends it.
        truncated : bool
            Whether the horizon of the problem or the budget of answers is reached.
        info : StepInfo

        Raises
        ------
        EpisodeError
            Before the first reset, and after the end of an episode.
        LimitError
            If the step reaches a limit.
        """
        if not self._running:
            raise EpisodeError("there is no running episode: call `reset`")
        parts: dict[str, float] = {name: 0.0 for name in ("goal", "progress", "valid", "format", "task")}
        distance = None
        joint, fault, changes = self._carry_out(answer, parts)
        self._answers += 1
        status = self._core.status
        if fault is None:
            parts["goal"] = 1.0 if status == "goal" else 0.0
            if self.rewards.progress:
                distance = self.distance()
                parts["progress"] = self._progress.to(distance)
        terminated = status in ("goal", "dead-end", "terminal", "broken")
        truncated = not terminated and (status == "horizon" or self._answers >= self.steps)
        if truncated and status != "horizon":
            status = "budget"
        self._running = not (terminated or truncated)
        info: StepInfo = {
            "action": joint,
            "fault": fault,
            "status": status,
            "answers": self._answers,
            "steps": len(self._core.steps),
            "distance": distance,
            "parts": parts,
        }
        text = self._answer_text(fault, changes, status, parts)
        return text, self.rewards.total(parts), terminated, truncated, info

    def _carry_out(self, answer: str, parts: dict[str, float]) -> tuple[list[str] | None, Fault | None, str]:
        """Reads an answer and takes the step; returns the action, the fault, and the changes."""
        joint, unreadable = self._core.read(answer)
        if joint is None or unreadable is not None:
            parts["format"] = -1.0
            return None, Fault(*(unreadable or ("empty", "the action is empty"))), ""
        taken, why = self._core.take(joint)
        if taken is None:
            parts["valid"] = -1.0
            return joint, Fault("not-valid", why or "the action is not valid"), ""
        parts["task"], _, _, changes = taken
        return joint, None, changes

    def distance(self) -> int | None:
        """Returns the number of steps of a shortest plan from the current state; -1 if there is no plan, None if the search
        reaches a limit, and in RDDL, where there is no goal. If effects are drawn, all draws go the agent's way.
        """
        key = (self._index, self._core.text())
        if key not in self._distances:
            if len(self._distances) >= _MEMORY:
                self._distances.clear()
            self._distances[key] = self._core.distance()
        return self._distances[key]

    def plan(self) -> list[str]:
        """Returns the steps of a plan from the current state as sentences; empty if none is found. In RDDL, it is a list of
        good steps for some draws.
        """
        return self._core.plan()[0]

    def valid_actions(self) -> list[TextAction]:
        """Returns the valid actions. In RDDL, each is valid without any other; `number_actions` has those with a number."""
        return [TextAction(number, *one) for number, one in enumerate(self._core.actions(100_000), start=1)]

    def number_actions(self) -> list[str]:
        """Returns the actions of RDDL that take a number, as sentences with the range of the number, such as ``"set speed to a
        number from 0 to 0.5"``.
        """
        return self._core.number_actions(100_000)

    def observation(self) -> str:
        """Returns what the agent knows of the current state as sentences, a line per fact."""
        return self._core.observation()

    def copy(self) -> TextEnv:
        """Returns an independent environment in the same state, with the same future draws."""
        other = type(self)(**self._options)
        if self._running or self._answers:
            other.reset(self._seed, self._index)
            for joint in self._core.steps:
                other._core.take(joint)
            other._answers, other._running = self._answers, self._running
            other._progress = self._progress.copy()
        other._next_seed = self._next_seed
        return other

    def with_options(self, **options: Any) -> TextEnv:
        """Returns a new environment with other options."""
        return type(self)(**{**self._options, **options})

    def _actions_text(self) -> str:
        if not self.show_actions:
            return ""
        listed = [f"{one.number}. {one.text}" for one in self.valid_actions()]
        return "\n".join(["Valid actions:", *listed, *(f"- {text}" for text in self.number_actions())])

    def _instructions(self) -> str:
        core = self._core
        rddl = core.language == "rddl"
        goal = core.goal()
        aim = "You act so that the sum of rewards is large." if rddl else "You solve a planning problem, one action at a time."
        sections: list[str] = [aim]
        if self.show_domain:
            sections.append("The rules:\n" + self.problems.domain_text(self._index).strip())
        forms = core.forms()
        if forms:
            sections.append("Actions are written like this:\n" + "\n".join(forms))
        constants = _NOTHING if core.is_partly_observable and not rddl else core.constants()
        if constants != _NOTHING:
            sections.append("Always true:\n" + constants)
        seen = "You know:" if core.is_partly_observable else "The state:"
        sections.append(f"{seen}\n{core.observation()}")
        if goal:
            sections.append("The goal:\n" + goal)
        sections.append(self._actions_text())
        how = "Answer with one action: as a sentence or in the syntax of the language"
        how += ", or by its number." if self.show_actions else "."
        if rddl:
            how += " Semicolons separate actions that are taken together; `do nothing` takes none."
        sections.append(f"{how} You have {self.steps} answers.")
        return "\n\n".join(section for section in sections if section)

    def _answer_text(self, fault: Fault | None, changes: str, status: str, parts: dict[str, float]) -> str:
        sections: list[str] = []
        if fault is not None:
            sections.append(f"This was not carried out: {sentence(fault.message)}")
        else:
            if self.observe in ("changes", "both"):
                sections.append(changes)
            if self.observe in ("state", "both"):
                seen = "You know:" if self._core.is_partly_observable else "The state:"
                sections.append(f"{seen}\n{self._core.observation()}")
            if self._core.language == "rddl":
                sections.append(f"Reward: {parts['task']:g}.")
        if status == "budget":
            sections.append("All answers are used up.")
        elif status in _ENDS:
            sections.append(_ENDS[status])
        else:
            sections.append(self._actions_text())
        return "\n\n".join(section for section in sections if section)

