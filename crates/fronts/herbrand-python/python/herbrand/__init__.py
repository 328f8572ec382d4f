"""Planning languages as fast, correct environments.

Herbrand reads planning domains in PDDL, PPDDL and RDDL. It grounds problems, lists and samples valid actions, applies their
effects (probabilistic effects included), and finds plans and policies.

Planning
--------
>>> import herbrand
>>> task = herbrand.load("blocks", "test/01")
>>> state = task.initial_state
>>> while not state.is_goal and (action := task.sample_action(state)) is not None:
...     state = task.apply(state, action)

`load` takes the name of a bundled domain (see `bundled_domains`), paths, PDDL text, or parsed objects, and returns a `Task`.
A `Task` offers the functions of the state space: `Task.valid_actions`, `Task.outcomes`, `Task.apply`, `Task.sample`,
`Task.explain`. A `LiftedTask` offers the same functions without grounding the problem:
``herbrand.load(…, engine="lifted")``.

- `plan` and `Task.plan` search for plans; `Task.policy` computes policies for probabilistic problems.
- `evaluate` runs a policy of any kind, and reports goals, returns and lengths with their confidence intervals.
- `herbrand.tasks` has each command of the program as a function that returns a dictionary, for PDDL and RDDL.
- `Domain` and `Problem` are parsed PDDL; `herbrand.model` defines the classes of their parts.
- `generate` creates new problems.
- `herbrand.learning` learns domains from observed transitions.
- `herbrand.edits` modifies problems and tracks beliefs about partially observed worlds.
- `herbrand.pddlworld` has environments whose state is a PDDL domain.
- `herbrand.explore` plays text games.
- `herbrand.exam` makes questions with exact answers, and grades answers.
- `herbrand.text` has environments for language models, whose states and actions are sentences.
- `Datalog` evaluates Datalog programs.
- `herbrand.errors` defines the exceptions.

Learning
--------
>>> env = herbrand.make("sokoban", split="train", ids="suite")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.unwrapped.sample())

`make` takes the same arguments as `load`, and RDDL domains as well (``herbrand.make("rddl/elevators")``, see
`herbrand.rddl`). ``gymnasium.make("herbrand/Sokoban-v0")`` also works. A `PDDLEnv` provides masks of valid actions, and
observations as bits, graphs or sets of atoms. A `VecEnv` (made by `make_vec`) steps many environments at once. Both take
``engine="lifted"`` and `Limits`.
"""

from __future__ import annotations

import sys as _sys
from collections.abc import Mapping as _Mapping
from collections.abc import Set as _Set
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import errors, graphs, rddl
from ._herbrand import (
    Action,
    Atom,
    Datalog,
    Domain,
    Generator,
    LiftedState,
    LiftedTask,
    Novelty,
    ObservedProblems,
    Policy,
    Problem,
    Random,
    RddlState,
    RddlSuite,
    RddlTask,
    State,
    Suite,
    Task,
    __version__,
)
from .base_env import BaseEnv
from .base_vector import BaseVecEnv
from .env import PDDLEnv, make
from .errors import (
    ConfigError,
    DatalogError,
    Diagnostic,
    EditError,
    EpisodeError,
    Explanation,
    GroundingError,
    HerbrandError,
    InternalError,
    InvalidActionError,
    LearningError,
    LimitError,
    ParseError,
    StepError,
    UnknownNameError,
)
from .limits import Limits
from .rddl import RddlEnv, RddlVecEnv
from .registration import register_envs
from .rendering import save_animation
from .sources import bundled_domains, load, suite
from .vector import VecEnv, make_vec, make_vec_env

_Set.register(State)  # pyright: ignore[reportAttributeAccessIssue]
_Mapping.register(RddlState)  # pyright: ignore[reportAttributeAccessIssue]

register_envs()

# Names that environments do not need are imported on first use. Each maps to the module that defines it.
_DEFERRED = {
    **{module: module for module in ("edits", "exam", "explore", "learning", "model", "pddlworld", "tasks", "testing", "text")},
    **dict.fromkeys(("Evaluation", "evaluate", "goal_probability"), "evaluation"),
    **dict.fromkeys(("Generated", "generate", "generate_suite"), "generators"),
    **dict.fromkeys(("Plan", "PlanStatistics", "PolicyRuns", "PolicyState", "plan", "planners", "policy_planners"), "planning"),
    **dict.fromkeys(("Rollout", "Transitions"), "rollout"),
}

if _TYPE_CHECKING:
    from . import edits, exam, explore, learning, model, pddlworld, tasks, testing, text
    from .evaluation import Evaluation, evaluate, goal_probability
    from .generators import Generated, generate, generate_suite
    from .planning import Plan, PlanStatistics, PolicyRuns, PolicyState, plan, planners, policy_planners
    from .rollout import Rollout, Transitions
else:

    def __getattr__(name: str) -> object:
        """Imports the module that defines a deferred name."""
        if name not in _DEFERRED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=_sys.modules[__name__])
        module = _import_module(f".{_DEFERRED[name]}", __name__)
        globals()[name] = value = module if _DEFERRED[name] == name else getattr(module, name)
        return value

    def __dir__() -> list[str]:
        """Returns the names of the package, deferred ones included."""
        return sorted({*globals(), *_DEFERRED})


__all__ = [
    "Action",
    "Atom",
    "BaseEnv",
    "BaseVecEnv",
    "ConfigError",
    "Datalog",
    "DatalogError",
    "Diagnostic",
    "Domain",
    "EditError",
    "EpisodeError",
    "Evaluation",
    "Explanation",
    "Generated",
    "Generator",
    "GroundingError",
    "HerbrandError",
    "InternalError",
    "InvalidActionError",
    "LearningError",
    "LiftedState",
    "LiftedTask",
    "LimitError",
    "Limits",
    "Novelty",
    "ObservedProblems",
    "PDDLEnv",
    "ParseError",
    "Plan",
    "PlanStatistics",
    "Policy",
    "PolicyRuns",
    "PolicyState",
    "Problem",
    "Random",
    "RddlEnv",
    "RddlState",
    "RddlSuite",
    "RddlTask",
    "RddlVecEnv",
    "Rollout",
    "State",
    "StepError",
    "Suite",
    "Task",
    "Transitions",
    "UnknownNameError",
    "VecEnv",
    "__version__",
    "bundled_domains",
    "edits",
    "errors",
    "evaluate",
    "explore",
    "generate",
    "generate_suite",
    "goal_probability",
    "graphs",
    "learning",
    "load",
    "make",
    "make_vec",
    "make_vec_env",
    "model",
    "pddlworld",
    "plan",
    "planners",
    "policy_planners",
    "rddl",
    "register_envs",
    "save_animation",
    "suite",
    "tasks",
    "testing",
    "text",
]
