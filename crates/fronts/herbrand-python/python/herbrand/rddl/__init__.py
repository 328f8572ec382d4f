"""RDDL: environments, vector environments, and tasks.

>>> import herbrand
>>> env = herbrand.make("rddl/cartpole-continuous")
>>> observation, info = env.reset(seed=1)
>>> task = herbrand.load("rddl/cartpole-continuous")
>>> task.initial_state["lost___c1"]
False

`make` and `make_vec` equal those of `herbrand`, restricted to RDDL.
"""

from __future__ import annotations

from .._herbrand import RddlPlanner, RddlPolicy, RddlState, RddlSuite, RddlTask, RelaxedStep
from .env import RddlEnv, make
from .planning import RddlPlan
from .sources import RddlLike, is_rddl, rddl_suite
from .vector import RddlVecEnv, make_vec

__all__ = [
    "RddlEnv",
    "RddlLike",
    "RddlPlan",
    "RddlPlanner",
    "RddlPolicy",
    "RddlState",
    "RddlSuite",
    "RddlTask",
    "RddlVecEnv",
    "RelaxedStep",
    "is_rddl",
    "make",
    "make_vec",
    "rddl_suite",
]
