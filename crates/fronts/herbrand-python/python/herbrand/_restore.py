"""Functions that unpickle tasks and states.

A process grounds each task at most once, no matter how many pickled states of the task it loads.
"""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

from ._herbrand import Domain, LiftedTask, Problem, State, Task

_Key = tuple[Domain, Problem, "str | None", "str | None", str]
_tasks: WeakValueDictionary[_Key, Task] = WeakValueDictionary()
_lock = threading.Lock()


def remember(task: Task) -> None:
    """Caches a task so that unpickling finds it in this process and in its forks."""
    with _lock:
        _tasks.setdefault((task.domain, task.problem, task.determinize, task.settings, task.title), task)


def task(domain: Domain, problem: Problem, determinize: str | None, settings: str | None, title: str) -> Task:
    """Returns the cached task that equals the pickled one, or grounds a new one."""
    key = (domain, problem, determinize, settings, title)
    with _lock:
        restored = _tasks.get(key)
        if restored is None:
            restored = _tasks[key] = Task(
                domain, problem, determinize=determinize, settings=settings, title=title
            )
        return restored


def lifted_task(domain: Domain, problem: Problem, settings: str | None, title: str) -> LiftedTask:
    """Rebuilds a pickled lifted task."""
    return LiftedTask(domain, problem, settings=settings, title=title)


def state(task: Task, packed: bytes) -> State:
    """Rebuilds a pickled state of a task."""
    return task._unpack(packed)
