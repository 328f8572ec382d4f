"""Planning languages as fast, correct environments.

Herbrand reads PDDL and PPDDL, grounds problems, lists and samples valid actions, and applies their effects,
probabilistic ones included.

Planning
--------
>>> import herbrand
>>> task = herbrand.load("blocks", "test/01")
>>> state = task.initial_state
>>> while not state.is_goal and (action := task.sample_action(state)) is not None:
...     state = task.apply(state, action)

`load` takes the name of a bundled domain (`bundled_domains`), paths, PDDL or objects. A `Task` has the functions of a
`State`: `Task.valid_actions`, `Task.outcomes`, `Task.apply`, `Task.sample`, `Task.explain`. A `Domain` and a `Problem`
are read from PDDL; `herbrand.model` has what they consist of. `Datalog` evaluates programs of your own. What can go
wrong is in `herbrand.errors`.
"""

from __future__ import annotations

from collections.abc import Set as _Set

from . import errors, model
from ._herbrand import Action, Atom, Datalog, Domain, Problem, Random, State, Suite, Task, __version__
from .errors import (
    ConfigError,
    DatalogError,
    Diagnostic,
    EpisodeError,
    Explanation,
    GroundingError,
    HerbrandError,
    InternalError,
    InvalidActionError,
    ParseError,
    StepError,
    UnknownNameError,
)
from .sources import bundled_domains, load, suite

_Set.register(State)  # pyright: ignore[reportAttributeAccessIssue]

__all__ = [
    "Action",
    "Atom",
    "ConfigError",
    "Datalog",
    "DatalogError",
    "Diagnostic",
    "Domain",
    "EpisodeError",
    "Explanation",
    "GroundingError",
    "HerbrandError",
    "InternalError",
    "InvalidActionError",
    "ParseError",
    "Problem",
    "Random",
    "State",
    "StepError",
    "Suite",
    "Task",
    "UnknownNameError",
    "__version__",
    "bundled_domains",
    "errors",
    "load",
    "model",
    "suite",
]
