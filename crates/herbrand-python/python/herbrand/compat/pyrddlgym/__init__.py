"""pyRDDLGym's interface on this engine: change ``pyRDDLGym`` to ``herbrand.compat.pyrddlgym`` in a script's imports.

>>> import herbrand.compat.pyrddlgym as pyRDDLGym
>>> from herbrand.compat.pyrddlgym.core.policy import NoOpAgent
>>> env = pyRDDLGym.make("rddl/cartpole-continuous", "1")
>>> state, _ = env.reset(seed=42)
>>> state["lost___c1"], sorted(state)[0]
(False, 'angle___c1')
>>> NoOpAgent(env.action_space).evaluate(env, episodes=1, seed=42)["mean"] > 0
True

The names of the paper (arXiv 2211.05939) are there too: `ExampleManager`, ``RDDLEnv.RDDLEnv`` and ``env.NumConcurrentActions``. What differs
is in ``docs/how-to/pyrddlgym.md``.
"""

from __future__ import annotations

from .core.env import RDDLEnv
from .examples import ExampleManager
from .registration import make

__all__ = ["ExampleManager", "RDDLEnv", "make"]
