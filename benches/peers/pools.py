#!/usr/bin/env python3
"""Compares random stepping of `VecEnv` with EnvPool's fastest environments, in one run.

usage: pools.py [--envs 4096] [--seconds 2] [--runs 3] [--only WORD]

Builds a release wheel and installs it with EnvPool (from PyPI, with its assets) into target/peers. If the variable
HERBRAND_PEERS_PYTHON names a Python that has both, nothing is installed. Every step returns the observations, rewards and
ends of all environments in arrays. The CPU time of the process counts, threads included, with one thread for the engine of
each side; the fastest run of each row counts. The first 20 steps are not measured.

sampled  `step_sampled`: a random valid action is drawn and taken, with masks and infos
given    `sample`, then `step` with these actions, as a learner's policy would give them
EnvPool  `step` with random actions that are drawn before the measurement; its environments have no masks

PufferLib's environments are not measured: its package on PyPI is a source archive that downloads raylib and Box2D from GitHub
to build them, and `pufferlib-core`, which is built, has none.
"""

import argparse
import json

from peers import PYTHON, install_wheel, markdown, run

PINNED = ["envpool==1.2.5"]
OURS = [
    "blocks:train/01:packed-bits",
    "sokoban:train/01:packed-bits",
    "gripper:train/01:packed-bits",
    "rddl/cartpole-discrete:1:flat",
]
THEIRS = ["NChain-v0", "FrozenLake-v1", "CliffWalking-v1", "Catch-v0", "CartPole-v1", "MountainCar-v0"]

TIMED = """
import json, sys, time
import numpy as np
name, count, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])

def measure(step):
    for _ in range(20):
        step()
    steps, start = 0, time.process_time()
    while time.process_time() < start + seconds:
        for _ in range(10):
            step()
        steps += 10 * count
    return steps / (time.process_time() - start)
"""

VEC_ENV = TIMED + """
import herbrand
domain, problem, observation = name.split(":")
form = {"actions": "flat"} if domain.startswith("rddl/") else {}
envs = herbrand.make_vec(domain, count, problem=problem, observation=observation, horizon=100, copy=False, masks="packed", **form)
envs.reset(seed=0)
sampled = measure(envs.step_sampled)
given = measure(lambda: envs.step(envs.sample()))
print(json.dumps({"sampled": sampled, "given": given, "bytes": envs.observation_space.sample()[0].nbytes}))
"""

ENV_POOL = TIMED + """
import envpool
envs = envpool.make_gymnasium(name, num_envs=count, batch_size=count, num_threads=1, seed=0)
observations, _ = envs.reset()
draw = np.random.default_rng(0)
actions = [draw.integers(envs.action_space.n, size=count, dtype=np.int32) for _ in range(64)]
place = 0

def step():
    global place
    place = (place + 1) % 64
    envs.step(actions[place])

print(json.dumps({"given": measure(step), "bytes": observations[0].nbytes}))
"""


def best(code, name, options):
    """Returns the highest rates of some runs."""
    command = [PYTHON, "-c", code, name, str(options.envs), str(options.seconds)]
    runs = [json.loads(run(command, options.limit)[0].splitlines()[-1]) for _ in range(options.runs)]
    return {key: max(one[key] for one in runs) for key in runs[0]}


def row(side, name, found):
    rates = [f"{found[key] / 1e6:.2f}" if key in found else "" for key in ("sampled", "given")]
    return [f"{side}, {name}", found["bytes"], *rates]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=4096, help="environments of a batch (default 4096)")
    parser.add_argument("--seconds", type=float, default=2, help="CPU seconds of a measurement (default 2)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each row; the fastest counts (default 3)")
    parser.add_argument("--only", default="", metavar="WORD", help="only environments whose name has this in it")
    parser.add_argument("--limit", type=float, default=300, help="seconds any process may take (default 300)")
    options = parser.parse_args()
    install_wheel(PINNED)
    sides = [("Herbrand", VEC_ENV, OURS), ("EnvPool", ENV_POOL, THEIRS)]
    rows = (
        row(side, name, best(code, name, options)) for side, code, names in sides for name in names if options.only in name
    )
    markdown(["million steps per second", "bytes of an observation", "sampled", "given"], rows)


if __name__ == "__main__":
    main()
