"""The interface of PDDLGym on top of Herbrand's engine.

>>> import herbrand.compat.pddlgym as pddlgym
>>> env = pddlgym.make("PDDLEnvSokoban-v0", dynamic_action_space=True)
>>> obs, debug_info = env.reset(seed=0)
>>> action = env.action_space.sample(obs)
>>> obs, reward, done, truncated, debug_info = env.step(action)

A script written for PDDLGym 0.0.7 runs after its imports are changed: the modules `core`, `structs`, `spaces`, `parser`,
`inference`, `utils` and `demo` define the same names as PDDLGym's. This package follows PDDL where PDDLGym deviates from it;
the page ``docs/how-to/pddlgym.md`` lists each difference.
"""

from __future__ import annotations

from . import core, demo, inference, parser, spaces, structs, utils
from .core import (
    AmbiguousAction,
    InvalidAction,
    PDDLEnv,
    get_all_possible_transitions,
    get_successor_state,
    get_successor_states,
)
from .lenient import PDDLWarning
from .parser import Operator, PDDLDomain, PDDLDomainParser, PDDLProblemParser, parse_plan_step
from .registry import environment_names, make, register_envs, register_pddl_env
from .spaces import LiteralActionSpace, LiteralSetSpace, LiteralSpace
from .structs import (
    Anti,
    DerivedPredicate,
    Exists,
    ForAll,
    Literal,
    LiteralConjunction,
    LiteralDisjunction,
    NoChange,
    Not,
    Predicate,
    ProbabilisticEffect,
    State,
    Type,
    TypedEntity,
    When,
    Written,
    ground_literal,
)

__all__ = [
    "AmbiguousAction",
    "Anti",
    "DerivedPredicate",
    "Exists",
    "ForAll",
    "InvalidAction",
    "Literal",
    "LiteralActionSpace",
    "LiteralConjunction",
    "LiteralDisjunction",
    "LiteralSetSpace",
    "LiteralSpace",
    "NoChange",
    "Not",
    "Operator",
    "PDDLDomain",
    "PDDLDomainParser",
    "PDDLEnv",
    "PDDLProblemParser",
    "PDDLWarning",
    "Predicate",
    "ProbabilisticEffect",
    "State",
    "Type",
    "TypedEntity",
    "When",
    "Written",
    "core",
    "demo",
    "environment_names",
    "get_all_possible_transitions",
    "get_successor_state",
    "get_successor_states",
    "ground_literal",
    "inference",
    "make",
    "parse_plan_step",
    "parser",
    "register_envs",
    "register_pddl_env",
    "spaces",
    "structs",
    "utils",
]

register_envs()
