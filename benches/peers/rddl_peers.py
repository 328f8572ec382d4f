"""What the scripts that put RDDL beside other systems share: the problems, the environment of the peers, and running both sides."""

import json
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


def install(packages):
    """Makes the environment of the peers, with those packages that it lacks."""
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
    """The example that steps problems in Rust, built if it is not there."""
    built = TARGET / "release/examples/pace"
    if not built.exists():
        command = ["cargo", "build", "--release", "--quiet", "-p", "herbrand-rddl", "--example", "pace"]
        subprocess.run(command, cwd=ROOT, check=True)
    return built


def files(name):
    """The domain and the instance of a problem, as paths."""
    found = subprocess.run([PYTHON, "-c", "import rddlrepository; print(rddlrepository.__path__[0])"],
                           capture_output=True, text=True, check=True)
    folder, number = PROBLEMS[name]
    folder = pathlib.Path(found.stdout.strip()) / "archive" / folder
    return [str(folder / "domain.rddl"), str(folder / f"instance{number}.rddl")]


def printed(command, one_core=False):
    """The JSON of the last line that a command prints."""
    pinned = ["taskset", "-c", "0"] if one_core and pathlib.Path("/usr/bin/taskset").exists() else []
    done = subprocess.run([*pinned, *command], capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()[-1500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])
