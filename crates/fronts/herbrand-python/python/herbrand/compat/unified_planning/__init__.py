"""Conversion between Unified Planning's problems and Herbrand's tasks, and Herbrand as Unified Planning's engines.

Needs ``pip install 'herbrand[unified-planning]'``. The import of this module registers the engines:

====================== ==========================================================================================
name                   operation mode
====================== ==========================================================================================
`herbrand`             oneshot planner
`herbrand-opt`         oneshot planner whose plans are optimal
`herbrand-anytime`     anytime planner with plans of increasing quality
`herbrand-replanner`   replanner
`herbrand-validator`   validator of sequential plans
`herbrand-simulator`   sequential simulator
`herbrand-grounder`    compiler for grounding
====================== ==========================================================================================

Examples
--------
>>> import herbrand
>>> from herbrand.compat import unified_planning as bridge
>>> problem = bridge.to_unified(herbrand.load("gripper", "train/01"))
>>> task = bridge.to_task(problem)
>>> plan = bridge.to_unified_plan(task.plan(), problem)
>>> bridge.to_actions(plan, problem) == task.plan().actions
True

As an engine:

>>> from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment
>>> get_environment().credits_stream = None
>>> with OneshotPlanner(name="herbrand") as planner:
...     plan = planner.solve(problem).plan
>>> with PlanValidator(name="herbrand-validator") as validator:
...     validator.validate(problem, plan).status.name
'VALID'
"""

from __future__ import annotations

from unified_planning.environment import Environment, get_environment

from .convert import to_actions, to_task, to_unified, to_unified_plan
from .grounder import HerbrandGrounder
from .planners import HerbrandAnytimePlanner, HerbrandOptimalPlanner, HerbrandPlanner, HerbrandReplanner
from .simulator import HerbrandSimulator, HerbrandState
from .validator import HerbrandValidator

__all__ = [
    "HerbrandAnytimePlanner",
    "HerbrandGrounder",
    "HerbrandOptimalPlanner",
    "HerbrandPlanner",
    "HerbrandReplanner",
    "HerbrandSimulator",
    "HerbrandState",
    "HerbrandValidator",
    "register",
    "to_actions",
    "to_task",
    "to_unified",
    "to_unified_plan",
]

_ENGINES = {
    "herbrand": HerbrandPlanner,
    "herbrand-opt": HerbrandOptimalPlanner,
    "herbrand-anytime": HerbrandAnytimePlanner,
    "herbrand-replanner": HerbrandReplanner,
    "herbrand-validator": HerbrandValidator,
    "herbrand-simulator": HerbrandSimulator,
    "herbrand-grounder": HerbrandGrounder,
}


def register(environment: Environment | None = None) -> None:
    """Registers the engines with the factory of an environment. For the global one, the import of this module does so.

    Parameters
    ----------
    environment : unified_planning.environment.Environment, optional
        The environment; by default Unified Planning's global one.
    """
    factory = (environment or get_environment()).factory
    for name, engine in _ENGINES.items():
        if name not in factory.engines:
            factory.add_engine(name, __name__, engine.__name__)


register()
