#!/usr/bin/env python3
"""Compares the bundled CartPole and MountainCar with Gymnasium's, from the same states with the same actions.

usage: rddl_gymnasium.py [--episodes 20]

Needs `pip install pyRDDLGym==2.7 gymnasium`. Prints the largest differences of states and rewards. CartPole-v1 computes in double
precision and must agree within 1e-9. MountainCarContinuous-v0 stores its state in single precision, so each step starts from the
rounded state and must agree within 1e-6.
"""

import argparse
import logging
import pathlib
import random
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import gymnasium  # noqa: E402
import numpy  # noqa: E402
import pyRDDLGym  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2] / "domains" / "rddl"
CART = ["position", "velocity", "angle", "spin"]


def bundled(name):
    return pyRDDLGym.make(str(ROOT / name / "domain.rddl"), str(ROOT / name / "1.rddl"))


def begin(env, names, values):
    """Resets `env` and sets some fluents of its single object."""
    env.reset()
    for name, value in zip(names, values):
        env.sampler.subs[name][0] = value


def compare(env, peer, names, to_rddl, draw, episodes, each_step):
    """Returns the largest differences of states and rewards, and whether the endings agree."""
    rng, worst, rewards, steps, endings = random.Random(1), 0.0, 0.0, 0, 0
    for episode in range(episodes):
        state, _ = peer.reset(seed=episode)
        begin(env, names, peer.unwrapped.state)
        over = False
        while not over:
            if each_step:
                for name, value in zip(names, peer.unwrapped.state):
                    env.sampler.subs[name][0] = value
            action = draw(rng, peer.unwrapped.state)
            _, reward, ended, over, _ = peer.step(action)
            seen, other, terminated, _, _ = env.step(to_rddl(action))
            values = [next(v for k, v in seen.items() if k.startswith(name + "_")) for name in names]
            worst = max(worst, *(abs(float(a) - float(b)) for a, b in zip(values, peer.unwrapped.state)))
            rewards = max(rewards, abs(float(reward) - float(other)))
            if terminated != ended:
                sys.exit(f"episode {episode}, step {steps}: one of them ends")
            over, steps, endings = over or ended, steps + 1, endings + ended
    print(f"{peer.spec.id:26}{steps:6} steps, {endings} endings: states within {worst:.1e}, rewards within {rewards:.1e}")
    return max(worst, rewards)


def rocking(rng, state):
    """Returns mostly full throttle in the direction of motion, so that some episodes reach the goal."""
    forward = 1.0 if state[1] >= 0 else -1.0
    return numpy.array([forward if rng.random() < 0.8 else rng.uniform(-1.0, 1.0)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=20)
    count = parser.parse_args().episodes
    rows = [
        compare(bundled("cartpole-discrete"), gymnasium.make("CartPole-v1"), CART,
                lambda action: {"push-right___c1": bool(action)}, lambda rng, state: rng.randrange(2), count, False) <= 1e-9,
        compare(bundled("cartpole-continuous"), gymnasium.make("CartPole-v1"), CART,
                lambda action: {"push___c1": 10.0 if action else -10.0}, lambda rng, state: rng.randrange(2), count, False) <= 1e-9,
        compare(bundled("mountain-car"), gymnasium.make("MountainCarContinuous-v0", max_episode_steps=200),
                ["position", "velocity"], lambda action: {"throttle___c1": float(action[0])},
                rocking, count, True) <= 1e-6,
    ]
    sys.exit(0 if all(rows) else "some do not agree")


if __name__ == "__main__":
    main()
