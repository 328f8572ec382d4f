"""Helpers of the scripts that compare RDDL with other systems: the problems, the peers' environment, and running both sides."""

import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "rddl-peers"
PYTHON = pathlib.Path(os.environ.get("RDDL_PEERS_PYTHON", PEERS / "bin" / "python"))
PINNED = {"pyRDDLGym": "2.7", "rddlrepository": "2.2", "pyRDDLGym_jax": "3.1"}

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


# A walk with pyRDDLGym: joint actions of its random agent, taken in turn by its environment, with a reset at the end of an episode.
# Prints steps per second of processor time in the fastest fifth of the time, and the actions.
WALK = """
import json, logging, sys, time, warnings
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
import pyRDDLGym
from pyRDDLGym.core.policy import RandomAgent
domain, instance, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
env = pyRDDLGym.make(domain, instance)
agent = RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=1)
plain = lambda value: value.item() if hasattr(value, "item") else value
drawn = 64 if len(env.action_space) < 10_000 else 1
actions = [{name: plain(value) for name, value in agent.sample_action().items()} for _ in range(drawn)]
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
print(json.dumps([best, actions]))
"""


def install(packages):
    """Creates the peers' environment and installs the missing packages."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    missing = [
        name for name in packages
        if subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode != 0
    ]
    if missing:
        pinned = [f"{name}=={PINNED[name]}" if name in PINNED else name for name in missing]
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *pinned], check=True)


def pace():
    """Returns the example that steps problems in Rust; builds it if necessary."""
    built = TARGET / "release/examples/pace"
    if not built.exists():
        command = ["cargo", "build", "--release", "--quiet", "-p", "herbrand-rddl-sim", "--example", "pace"]
        subprocess.run(command, cwd=ROOT, check=True)
    return built


def archive():
    """Returns the folder of the problems of rddlrepository."""
    found = subprocess.run([PYTHON, "-c", "import rddlrepository; print(rddlrepository.__path__[0])"],
                           capture_output=True, text=True, check=True)
    return pathlib.Path(found.stdout.strip()) / "archive"


def files(name):
    """Returns the paths of the domain and the instance of a problem."""
    folder, number = PROBLEMS[name]
    return [str(archive() / folder / file) for file in ("domain.rddl", f"instance{number}.rddl")]


def walk(pair, seconds):
    """Returns the steps per second of pyRDDLGym on a domain and an instance, and the joint actions that it took."""
    rate, actions = printed([str(PYTHON), "-c", WALK, *pair, str(seconds)])
    return rate, actions


def geometric_mean(ratios):
    """Returns the geometric mean of positive numbers."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def printed(command, one_core=False):
    """Returns the last line of a command's output as JSON."""
    pinned = ["taskset", "-c", "0"] if one_core and pathlib.Path("/usr/bin/taskset").exists() else []
    done = subprocess.run([*pinned, *command], capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()[-1500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])
