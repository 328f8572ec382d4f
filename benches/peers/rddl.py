#!/usr/bin/env python3
"""Steps per second of RDDL problems beside pyRDDLGym's NumPy back-end, in one run.

usage: rddl.py [--seconds 2] [--only TEXT]

Installs the peer (pyRDDLGym and rddlrepository, from PyPI) into target/rddl-peers and takes the problems from the
repository. Both sides take the same kind of walk: 64 joint actions drawn in advance, taken in turn, with a reset when an
episode ends. pyRDDLGym draws one where there are more than ten thousand action fluents, for that takes it longer than a
step. Times are processor time. Herbrand is measured through its example `pace`, from Rust; pyRDDLGym through `env.step`,
the fewest layers that it has. The ratio is between the two.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "rddl-peers"
PYTHON = PEERS / "bin" / "python"
PINNED = ["pyRDDLGym==2.7", "rddlrepository==2.2", "numpy"]

PROBLEMS = {
    "SysAdmin-10": ("competitions/IPPC2011/SysAdmin/MDP", 10),
    "GameOfLife-10": ("competitions/IPPC2011/GameOfLife/MDP", 10),
    "Elevators-10": ("competitions/IPPC2011/Elevators/MDP", 10),
    "Wildfire-10": ("competitions/IPPC2014/Wildfire/MDP", 10),
    "Tamarisk-10": ("competitions/IPPC2014/Tamarisk/MDP", 10),
    "Traffic-CTM-10": ("competitions/IPPC2011/Traffic/MDP", 10),
    "TriangleTireworld-10": ("competitions/IPPC2014/TriangleTireworld/MDP", 10),
    "CartPole continuous": ("gym/CartPole/Continuous", 0),
    "MountainCar continuous": ("gym/MountainCar/Continuous", 0),
    "RaceCar": ("competitions/IPPC2023/RaceCar", 1),
    "UAV-5": ("competitions/IPPC2023/UAV", 5),
    "Reservoir-5": ("competitions/IPPC2023/Reservoir", 5),
    "HVAC-5": ("competitions/IPPC2023/HVAC", 5),
    "Quadcopter": ("physics/Quadcopter", 0),
    "TrafficBLX": ("standalone/TrafficBLX/ComplexPhases", 0),
    "MarsRover-3": ("competitions/IPPC2023/MarsRover", 3),
    "SupplyChain": ("or/SupplyChain", 0),
    "RecSim-5": ("competitions/IPPC2023/RecSim", 5),
}

WALK = """
import json, logging, sys, time, warnings
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
import pyRDDLGym
from pyRDDLGym.core.policy import RandomAgent
domain, instance, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
env = pyRDDLGym.make(domain, instance)
agent = RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=1)
drawn = 64 if len(env.action_space) < 10_000 else 1
actions = [agent.sample_action() for _ in range(drawn)]
env.reset(seed=1)
best = 0.0
for _ in range(5):
    begin, steps = time.process_time(), 0
    while time.process_time() < begin + seconds / 5:
        for action in actions[steps % drawn:steps % drawn + 8]:
            try:
                ended = any(env.step(action)[2:4])
            except Exception:
                ended = True
            steps += 1
            if ended:
                env.reset()
    best = max(best, steps / (time.process_time() - begin))
print(json.dumps(best))
"""


def install():
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *PINNED], check=True)
    command = ["cargo", "build", "--release", "--quiet", "-p", "herbrand-rddl", "--example", "pace"]
    subprocess.run(command, cwd=ROOT, check=True)


def printed(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    install()
    archive = next(PEERS.glob("lib/python*/site-packages/rddlrepository/archive"))
    ratios = []
    print(f"{'problem':24}{'pyRDDLGym':>12}{'herbrand':>14}{'ratio':>9}{'create ms':>12}")
    for name, (folder, number) in PROBLEMS.items():
        if options.only not in name:
            continue
        files = [str(archive / folder / "domain.rddl"), str(archive / folder / f"instance{number}.rddl")]
        theirs = printed([str(PYTHON), "-c", WALK, *files, str(options.seconds)])
        ours = printed([str(TARGET / "release/examples/pace"), str(options.seconds), *files])
        rate = ours["steps_per_second"]
        ratios.append(rate / theirs)
        print(f"{name:24}{theirs:12,.{0 if theirs >= 10 else 2}f}{rate:14,.0f}{rate / theirs:9.0f}{1000 * ours['create_seconds']:12.1f}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean of the ratios: {mean:.0f}; least: {min(ratios):.0f}")


if __name__ == "__main__":
    main()
