#!/usr/bin/env python3
"""A random policy plays an environment through pyRDDLGym's interface: the script `run_gym` of pyRDDLGym with other imports.

usage: rddl_gym.py DOMAIN INSTANCE [--episodes 1] [--seed 42]
"""

from __future__ import annotations

import argparse

import herbrand.compat.pyrddlgym as pyRDDLGym
from herbrand.compat.pyrddlgym.core.policy import RandomAgent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain")
    parser.add_argument("instance")
    parser.add_argument("--episodes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    env = pyRDDLGym.make(options.domain, options.instance, enforce_action_constraints=True)
    agent = RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=options.seed)
    found = agent.evaluate(env, episodes=options.episodes, seed=options.seed)
    print(f"{options.episodes} episodes: mean return {found['mean']:.3f}, deviation {found['std']:.3f}")
    env.close()


if __name__ == "__main__":
    main()
