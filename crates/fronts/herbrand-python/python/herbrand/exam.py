"""Questions about planning problems with exact answers, and the grading of answers.

>>> from herbrand import exam
>>> questions = exam.make(4, kinds=["plan-valid", "rddl-probability"], domains=["blocks", "rddl/navigation-mdp"], seed=1)
>>> [question["kind"] for question in questions]
['plan-valid', 'rddl-probability', 'plan-valid', 'rddl-probability']
>>> grades = exam.grade(questions, [f"Answer: {question['answer']}" for question in questions])
>>> grades.total.right, grades.total.answers
(4, 4)

Each question is a dict of plain values with the same keys, so ``datasets.Dataset.from_list(questions)`` makes a data set of
them. The program ``herbrand exam`` makes the same questions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union

from ._herbrand import RddlSuite, grade_exam, judge_exam, make_exam
from ._repr import OneLine
from .limits import LimitsLike
from .sources import suite
from .text.problems import table_of

__all__ = ["AnswersLike", "Grades", "KindName", "Score", "Verdict", "grade", "judge", "make"]

KindName = Literal[
    "plan-valid",
    "plan-failure",
    "why-not",
    "applicable",
    "after",
    "reachable",
    "landmark",
    "optimal-length",
    "gap",
    "next-action",
    "same-problem",
    "plan",
    "probability",
    "expected-reward",
    "rddl-after",
    "rddl-valid",
    "rddl-why-not",
    "rddl-probability",
    "rddl-reward",
]
AnswersLike = Union[Mapping[str, str], Iterable[Union[str, Mapping[str, Any]]]]
"""Answers by the ids of their questions; or dicts with ``id`` and ``answer``; or texts in the order of the questions."""


@dataclass(frozen=True)
class Score:
    """How many of some answers are right.

    Attributes
    ----------
    answers : int
        The number of answers.
    right : int
        The number of right answers.
    unread : int
        The number of answers that could not be read.
    mean : float
        The share of right answers.
    interval : tuple of float
        The ends of its confidence interval of 95 % (Wilson).
    chance : float
        The share of right answers that guesses have.
    """

    answers: int
    right: int
    unread: int
    mean: float
    interval: tuple[float, float]
    chance: float


@dataclass(frozen=True, repr=False)
class Verdict(OneLine):
    """The grade of one answer.

    Attributes
    ----------
    id : str
        The id of the question.
    right : bool
        Whether the answer is right.
    read : str or None
        The answer as it was read; None if it could not be read.
    fault : str or None
        The fault of the answer; None if it is right.
    """

    id: str
    right: bool
    read: str | None
    fault: str | None

    def __bool__(self) -> bool:
        return self.right


@dataclass(frozen=True, repr=False)
class Grades(OneLine):
    """The grades of all answers to an exam. ``str()`` is the table.

    Attributes
    ----------
    total : Score
        All answers together.
    kinds : dict of str to Score
        For each kind of question.
    domains : dict of str to Score
        For each domain.
    blank : int
        The number of questions that were left blank, which count as wrong.
    verdicts : list of Verdict
        The grade of each answer, in the order of the questions.
    table : str
        The scores as a table in text.
    html : str
        The scores and the wrong answers as a page.
    """

    total: Score
    kinds: dict[str, Score]
    domains: dict[str, Score]
    blank: int
    verdicts: list[Verdict]
    table: str
    html: str

    def __str__(self) -> str:
        return self.table


def make(
    count: int = 100,
    *,
    kinds: Iterable[KindName] = (),
    domains: Iterable[str] = (),
    files: Iterable[str | os.PathLike[str]] = (),
    seed: int = 0,
    lengths: tuple[int, int] = (1, 12),
    effort: tuple[int, int] | None = None,
    style: Literal["text", "pddl"] = "text",
    obfuscated: bool = False,
    limits: LimitsLike = None,
) -> list[dict[str, Any]]:
    """Makes questions about generated problems of the bundled domains, or about problems in files.

    Each answer is computed twice by different programs.

    Parameters
    ----------
    count : int
        The number of questions.
    kinds : iterable of str
        The kinds of questions; each gets the same share. By default all that the domains allow.
    domains : iterable of str
        The names of bundled domains, with their levels, such as ``"blocks"`` or ``"rddl/traffic"``; by default all.
    files : iterable of path
        A domain of your own in PDDL or RDDL: the file of the domain and then those of its problems, or a folder with both. A
        table of sentences ``domain.text.toml`` beside the domain applies.
    seed : int
        The same arguments and seed give the same questions.
    lengths : tuple of int
        The least and the greatest length of a shortest plan.
    effort : tuple of int, optional
        The least and the greatest number of states that A* with landmark cuts expands to find a plan. Problems with chance or
        in RDDL have no such number, and no questions then.
    style : {"text", "pddl"}
        Whether problems in PDDL are written as sentences or in PDDL.
    obfuscated : bool
        Whether all names are replaced by invented ones.
    limits : Limits, mapping, optional
        Limits of time and memory for the whole call.

    Returns
    -------
    list of dict
        Kinds take turns. ``"question"`` is the text for the model, and ``"answer"`` the answer.

    Raises
    ------
    UnknownNameError
        If there is no such kind or domain.
    ConfigError
        If the domains have too few problems for the questions.
    ParseError
        If a file is faulty; with all its faults.
    LimitError
        If a limit is reached.
    """
    if style not in ("text", "pddl"):
        raise ValueError(f"style is 'text' or 'pddl', not {style!r}")
    request = {
        "count": count,
        "kinds": list(kinds),
        "domains": list(domains),
        "own": _own(list(files)),
        "seed": seed,
        "lengths": lengths,
        "effort": effort,
        "pddl": style == "pddl",
        "obfuscated": obfuscated,
    }
    lines = make_exam(json.dumps(request), limits)
    return [json.loads(line) for line in lines.splitlines()]


def grade(questions: Iterable[Mapping[str, Any]], answers: AnswersLike) -> Grades:
    """Grades answers. A question without an answer is wrong.

    Parameters
    ----------
    questions : iterable of mapping
        Questions that `make` returned; further keys are ignored.
    answers : mapping or iterable
        The answers by the ids of their questions; or mappings with ``id`` and ``answer``; or texts in the order of the
        questions. An answer begins after the last ``Answer:``, or else is the whole text.

    Returns
    -------
    Grades

    Raises
    ------
    ConfigError
        If ids are unknown or repeated, or a question or answer is malformed; with all faults.
    """
    questions = list(questions)
    if isinstance(answers, Mapping):
        given = [{"id": name, "answer": text} for name, text in answers.items()]
    else:
        given = []
        for index, answer in enumerate(answers):
            if isinstance(answer, str):
                if index >= len(questions):
                    raise ValueError(f"there are more answers than the {len(questions)} questions")
                given.append({"id": questions[index].get("id"), "answer": answer})
            else:
                given.append(dict(answer))
    report = json.loads(grade_exam(_lines(questions), _lines(given)))
    return Grades(
        total=_score(report["total"]),
        kinds={name: _score(score) for name, score in report["kinds"].items()},
        domains={name: _score(score) for name, score in report["domains"].items()},
        blank=report["blank"],
        verdicts=[Verdict(**verdict) for verdict in report["verdicts"]],
        table=report["table"],
        html=report["html"],
    )


def judge(question: Mapping[str, Any], answer: str) -> Verdict:
    """Grades one answer, for example as the reward of a trainer.

    >>> from herbrand import exam
    >>> question = exam.make(1, kinds=["plan"], domains=["ferry"])[0]
    >>> bool(exam.judge(question, question["answer"])), bool(exam.judge(question, "I do not know."))
    (True, False)

    Parameters
    ----------
    question : mapping
        A question that `make` returned.
    answer : str
        The text that was answered.

    Returns
    -------
    Verdict
        True if the answer is right.

    Raises
    ------
    ConfigError
        If the question is malformed.
    """
    return Verdict(**json.loads(judge_exam(json.dumps(dict(question)), answer)))


def _own(files: list[str | os.PathLike[str]]) -> dict[str, Any] | None:
    """Returns the texts of a domain and its problems, and the table of sentences beside it."""
    if not files:
        return None
    domain, *problems = files
    found = suite(domain, problems or None)
    count = range(len(found))
    if isinstance(found, RddlSuite):
        texts = found.domain_rddl(), [found.instance_rddl(index) for index in count]
    else:
        parsed = [found.parse_problem(index) for index in count]
        texts = found.domain.text or found.domain.to_pddl(), [one.text or one.to_pddl() for one in parsed]
    table = table_of(domain, None)
    return {"name": found.name, "domain": texts[0], "problems": texts[1], "sentences": table[1] if table else ""}


def _lines(items: Iterable[Mapping[str, Any]]) -> str:
    """Returns items as JSON, one a line."""
    return "\n".join(json.dumps(dict(item)) for item in items)


def _score(values: dict[str, Any]) -> Score:
    low, high = values["interval"]
    return Score(**{**values, "interval": (low, high)})
