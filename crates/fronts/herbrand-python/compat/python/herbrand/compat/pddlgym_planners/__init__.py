"""The interface of the package pddlgym_planners on top of Herbrand's planners.

Change the imports of a script, and use states and domains of `herbrand.compat.pddlgym`:

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

No other planner is called or installed. `fd.FD` searches like the given configuration of Fast Downward. `ff.FF` uses
enforced hill-climbing like FF, but is not FF, so its plans may differ.
"""

from . import fd, ff, pddl_planner, planner

__all__ = ["fd", "ff", "pddl_planner", "planner"]
