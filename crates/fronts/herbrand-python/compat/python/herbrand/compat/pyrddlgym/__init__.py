"""The interface of pyRDDLGym on Herbrand's engine: replace ``pyRDDLGym`` by ``herbrand.compat.pyrddlgym`` in imports.

>>> import herbrand.compat.pyrddlgym as pyRDDLGym
>>> from herbrand.compat.pyrddlgym.core.policy import NoOpAgent
>>> env = pyRDDLGym.make("rddl/cartpole-continuous", "1")
>>> state, _ = env.reset(seed=42)
>>> state["lost___c1"], sorted(state)[0]
(False, 'angle___c1')
>>> NoOpAgent(env.action_space).evaluate(env, episodes=1, seed=42)["mean"] > 0
True

The names in the paper (arXiv 2211.05939) are available too: `ExampleManager`, ``RDDLEnv.RDDLEnv`` and
``env.NumConcurrentActions``. The page ``docs/how-to/pyrddlgym.md`` lists the differences.
"""

from __future__ import annotations

from .core.env import RDDLEnv
from .examples import ExampleManager
from .registration import make

__all__ = ["ExampleManager", "RDDLEnv", "make"]
