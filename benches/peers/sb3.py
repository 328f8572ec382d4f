#!/usr/bin/env python3
"""Compares random stepping of `herbrand.sb3` with `DummyVecEnv` of single environments of this package, in one run.

usage: sb3.py [--envs 64] [--seconds 2] [--runs 3] [DOMAIN:PROBLEM ...]

Builds a release wheel and installs it with Stable-Baselines3 (from PyPI) into target/peers. If the variable
HERBRAND_PEERS_PYTHON names a Python that has both, nothing is installed. In every step the masks of all environments are asked for
(`env_method("action_masks")`, as MaskablePPO does), an action is drawn uniformly from each, and `step` takes them. Both sides
observe bits, or flat vectors in RDDL. The CPU time of the process counts; the sides take turns, and the fastest run of each counts.
The first 20 steps are not measured.
"""

import argparse
import json

from peers import PYTHON, install_wheel, markdown, run

PINNED = ["stable-baselines3==2.9.2"]
TASKS = ["blocks:train/01", "sokoban:train/01", "rddl/elevators-mdp:1"]

TIMED = """
import json, sys, time
import numpy as np
import herbrand
from herbrand.sb3 import make_vec
from stable_baselines3.common.vec_env import DummyVecEnv
side, domain, problem, count, seconds = *sys.argv[1:4], int(sys.argv[4]), float(sys.argv[5])
form = {"problem": problem, "horizon": 100}
if domain.startswith("rddl/"):
    form |= {"observation": "flat", "actions": "joint"}
if side == "herbrand.sb3":
    envs = make_vec(domain, count, **form)
else:
    envs = DummyVecEnv([lambda: herbrand.make(domain, **form)] * count)
envs.seed(0)
envs.reset()
draw = np.random.default_rng(0)

def step():
    masks = np.stack(envs.env_method("action_masks"))
    envs.step((draw.random(masks.shape) * masks).argmax(axis=1))

for _ in range(20):
    step()
steps, start = 0, time.process_time()
while time.process_time() < start + seconds:
    for _ in range(10):
        step()
    steps += 10 * count
print(json.dumps(steps / (time.process_time() - start)))
"""


def measure(side, task, options):
    command = [PYTHON, "-c", TIMED, side, *task.split(":"), str(options.envs), str(options.seconds)]
    return json.loads(run(command, 300)[0].splitlines()[-1])


def row(task, options):
    sides = ("herbrand.sb3", "DummyVecEnv")
    runs = [[measure(side, task, options) for side in sides] for _ in range(options.runs)]
    ours, theirs = map(max, zip(*runs))
    return [task.replace(":", " "), f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="DOMAIN:PROBLEM")
    parser.add_argument("--envs", type=int, default=64, help="environments (default 64)")
    parser.add_argument("--seconds", type=float, default=2, help="CPU seconds of a measurement (default 2)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side; the fastest counts (default 3)")
    options = parser.parse_args()
    install_wheel(PINNED)
    markdown(["steps per second", "herbrand.sb3", "DummyVecEnv", "ratio"], (row(task, options) for task in options.tasks))


if __name__ == "__main__":
    main()
