"""The interface of the package pddlgym_planners, on the planners of Herbrand.

A script changes its imports, to states and domains of `herbrand.compat.pddlgym` too:

>>> import herbrand.compat.pddlgym as pddlgym
>>> from herbrand.compat.pddlgym_planners.fd import FD
>>> env = pddlgym.make("PDDLEnvBlocks-v0")
>>> env.fix_problem_index(0)
>>> state, _ = env.reset()
>>> planner = FD()
>>> for action in planner(env.domain, state):
...     state, reward, done, truncated, debug_info = env.step(action)
>>> bool(done), planner.get_statistics()["plan_length"] > 0
(True, True)

No other planner is called or installed. `fd.FD` finds plans as the configuration does that it is given; `ff.FF` searches
as FF does, by enforced hill-climbing, but is not FF, and its plans may differ.
"""

from . import fd, ff, pddl_planner, planner

__all__ = ["fd", "ff", "pddl_planner", "planner"]
