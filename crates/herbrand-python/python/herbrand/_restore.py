"""What pickled tasks and states come back by.

A task is grounded at most once in a process, however many of its states arrive there.
"""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

from ._herbrand import Domain, LiftedTask, Problem, State, Task

_Key = tuple[Domain, Problem, "str | None", "str | None", str]
_tasks: WeakValueDictionary[_Key, Task] = WeakValueDictionary()
_lock = threading.Lock()


def remember(task: Task) -> None:
    """Lets a task that is pickled be found again in this process, and in those that are forked from it."""
    with _lock:
        _tasks.setdefault((task.domain, task.problem, task.determinize, task.settings, task.title), task)


def task(domain: Domain, problem: Problem, determinize: str | None, settings: str | None, title: str) -> Task:
    """The task that was pickled: one that this process restored before, or a new one."""
    key = (domain, problem, determinize, settings, title)
    with _lock:
        restored = _tasks.get(key)
        if restored is None:
            restored = _tasks[key] = Task(
                domain, problem, determinize=determinize, settings=settings, title=title
            )
        return restored


def lifted_task(domain: Domain, problem: Problem, settings: str | None, title: str) -> LiftedTask:
    """The lifted task that was pickled."""
    return LiftedTask(domain, problem, settings=settings, title=title)


def state(task: Task, packed: bytes) -> State:
    """The state that was pickled."""
    return task._unpack(packed)
