"""Environments for language models: problems in PDDL, PPDDL and RDDL whose states and actions are sentences.

>>> import herbrand.text
>>> env = herbrand.text.make("gripper", "train/01", steps=30)
>>> text = env.reset(seed=1)
>>> text, reward, terminated, truncated, info = env.step(env.plan()[0])
>>> info["fault"], env.valid_actions()[0].number
(None, 1)

`make` creates a `TextEnv`. An answer may be a sentence, the syntax of the language, or the number of a valid action; if it
cannot be carried out, the text says exactly why. `Rewards` weights the parts of the reward. `PlanGrader` grades whole plans,
many at once, and `plan_reward` makes a reward function for GRPO trainers.

Adapters to other packages; each needs its package:

- `herbrand.text.gem`: GEM (``gem-llm``).
- `herbrand.text.openenv`: OpenEnv (``openenv``), with a server.
- `herbrand.text.textarena`: TextArena (``textarena``).
- `herbrand.text.verifiers`: verifiers (``verifiers``).

Sentences come from names, or from a table ``domain.text.toml`` beside the domain.
"""

from __future__ import annotations

from typing import Any

from .answers import final_answer, plan_of
from .env import Fault, Observe, StepInfo, TextAction, TextEnv
from .grading import Completion, PlanGrade, PlanGrader, plan_reward
from .problems import Problems
from .rewards import UNREACHABLE, Progress, Rewards, RewardsLike

__all__ = [
    "UNREACHABLE",
    "Completion",
    "Fault",
    "Observe",
    "PlanGrade",
    "PlanGrader",
    "Problems",
    "Progress",
    "Rewards",
    "RewardsLike",
    "StepInfo",
    "TextAction",
    "TextEnv",
    "final_answer",
    "make",
    "plan_of",
    "plan_reward",
]


def make(domain: Any, problem: Any = None, **options: Any) -> TextEnv:
    """Creates a `TextEnv`.

    Parameters
    ----------
    domain, problem
        As for `herbrand.suite`: names, paths, folders, texts or objects, in PDDL, PPDDL or RDDL. If there are several problems,
        each reset draws one by its seed. ``"pddlworld"``, or ``"pddlworld/"`` before a name or path, is a domain that the agent
        edits, and ``"pddlworld/blocks@3"`` begins with three wrong literals (see `herbrand.pddlworld`).
    split : {"train", "test"}, optional
        Selects the training or test problems of a bundled domain or a folder.
    seed : int, default 0
        The seed of the first episode; later ones have the numbers after it.
    steps : int, default 100
        The budget: the maximal number of answers in an episode, whether they can be carried out or not.
    show_actions : bool, default True
        Whether texts list the valid actions with numbers.
    show_domain : bool, optional
        Whether the first text has the text of the domain, which states the rules; by default in RDDL only, with the text of the
        instance: objects, bounds, rules and rewards.
    wording : str or path, optional
        The path or the text of a table of sentences. By default it is the file ``domain.text.toml`` beside a domain, or that
        of a bundled domain. Without one, sentences come from names.
    observe : {"state", "changes", "both"}, default "state"
        The content of the text of a step. In problems that are partly observable, it is the agent's knowledge.
    rewards : Rewards or mapping, optional
        The weights of the parts of the reward. By default 1 for reaching the goal, and in RDDL 1 for the reward of the problem.
    limits : Limits or mapping, optional
        The limits of each call: 10 seconds and a gibibyte by default.

    Raises
    ------
    UnknownNameError
        If the domain or the problem does not exist.
    ParseError
        If the domain, the problem or the table of sentences has faults; it lists all of them.
    LimitError
        If compiling the problem reaches a limit.

    Examples
    --------
    >>> import herbrand.text
    >>> env = herbrand.text.make("blocks", "train/01")
    >>> env.reset(seed=1).splitlines()[0]
    'You solve a planning problem, one action at a time.'
    """
    return TextEnv(domain, problem, **options)
