"""Each task of the engine as one function, for problems in any language.

A function takes a problem as `herbrand.make` takes it, and the options of the task as keyword arguments. Its answer is the
dictionary that the program prints for the command of the same name with ``--format json``.

>>> from herbrand import tasks
>>> answer = tasks.plan("blocks", "train/01", optimal=True)
>>> answer["outcome"], answer["proven_optimal"]
('plan', True)
>>> tasks.validate("blocks", "train/01", plan="\\n".join(answer["plan"]))["valid"]
True
>>> tasks.plan("rddl/elevators", planner="cross-entropy", rounds=2, lookahead=5)["planner"]
'cross-entropy'
"""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any, Protocol

from ._herbrand import answer_task, task_list
from .limits import Limits
from .sources import hidden_domain, suite

_TASKS: dict[str, dict[str, Any]] = {task["name"]: task for task in json.loads(task_list())}

__all__ = ["TaskFunction", *_TASKS]

_SHARED = """
    Parameters
    ----------
    domain, problem
        A domain with its problems, as for `herbrand.make`.
    time, memory : float or str, optional
        Limits, as for `herbrand.Limits`.
    cpu_time : float or str, optional
        A limit of the CPU time of the process, with all its threads.
    seed : int, default 0
        The seed of all random numbers.
"""

_RAISES = """
    Returns
    -------
    dict
        The answer, as the program prints it with ``--format json``.

    Raises
    ------
    TypeError
        If the task has no such option.
    ValueError
        If an option has no such value, or does not fit the problem or the planner.
    LimitError
        If a limit ends the work before there is an answer.
    ParseError
        If a text is faulty.
"""


class TaskFunction(Protocol):
    """The type of the functions of this module."""

    def __call__(
        self,
        domain: Any,
        problem: Any = None,
        *,
        time: float | str | None = None,
        memory: float | str | None = None,
        cpu_time: float | str | None = None,
        seed: int = 0,
        **options: Any,
    ) -> dict[str, Any]: ...


def _function(name: str) -> TaskFunction:
    """Returns the function of a task. Its docstring and its signature have the options."""
    task = _TASKS[name]

    def answer(
        domain: Any,
        problem: Any = None,
        *,
        time: float | str | None = None,
        memory: float | str | None = None,
        cpu_time: float | str | None = None,
        seed: int = 0,
        **options: Any,
    ) -> dict[str, Any]:
        problems, start = _problems(domain, problem)
        limits, cpu = Limits(time, memory), Limits(cpu_time).time
        given = json.dumps(options, default=str)
        found: dict[str, Any] = json.loads(answer_task(name, problems, start, given, seed, limits, cpu))
        return found

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(option, keyword, default=None, annotation=_kind(one)) for option, one in task["options"].items()]
    signature = inspect.signature(answer)
    shared = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    answer.__signature__ = signature.replace(parameters=[*shared, *own])  # type: ignore[attr-defined]
    answer.__name__ = answer.__qualname__ = name
    answer.__doc__ = task["about"] + "\n" + _SHARED + "".join(_entry(*one) for one in task["options"].items()) + _RAISES
    return answer


_KINDS = {"boolean": "bool", "integer": "int", "number": "float", "array": "list of int", "string": "str"}


def _kind(schema: dict[str, Any]) -> str:
    """Returns the type of the values of an option."""
    return _KINDS[schema["type"]]


def _entry(option: str, schema: dict[str, Any]) -> str:
    """Returns the entry of an option in a docstring."""
    return f"    {option} : {_kind(schema)}, optional\n        {schema['description']}.\n"


def _problems(domain: Any, problem: Any) -> tuple[Any, str | None]:
    """Returns the suite, or the target and the start of a domain under edit."""
    hidden = hidden_domain(domain)
    if hidden is None:
        return suite(domain, problem), None
    from . import pddlworld

    of, start = hidden
    return pddlworld.target(of, problem), None if start is None else str(start)


globals().update({name: _function(name) for name in _TASKS})

if TYPE_CHECKING:

    def __getattr__(name: str) -> TaskFunction: ...
