"""Runs the examples: scripts for PDDLGym and pyRDDLGym with changed imports."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    """Runs an example and returns its output."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_ported_pddlgym_script() -> None:
    lines = run("pddlgym_port.py", "--env", "PDDLEnvCasino-v0", "--episodes", "2").splitlines()
    assert lines == run("pddlgym_port.py", "--env", "PDDLEnvCasino-v0", "--episodes", "2").splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["random walk", "random walk", "problem", "plan"]
    assert lines[4].endswith("probability 0.5000")
    assert lines[5] == "for a planner: domain.pddl, problem.pddl"
    assert "probability 1.0" in run("pddlgym_port.py", "--env", "PDDLEnvHanoi-v0", "--episodes", "1")


def test_ported_pyrddlgym_scripts() -> None:
    printed = run("rddl_gym.py", "rddl/sysadmin-mdp", "1", "--episodes", "2")
    assert printed == run("rddl_gym.py", "rddl/sysadmin-mdp", "1", "--episodes", "2") and "mean return" in printed
    assert "running___c1'" in run("rddl_ground.py", "rddl/sysadmin-mdp", "1")
    for method in ("support", "mean", "0.1"):
        line = run("rddl_intervals.py", "rddl/mountain-car", "1", "random", method)
        low, high = (float(part.split(" = ")[1]) for part in line.strip().split(", "))
        assert low <= high
    still = run("rddl_intervals.py", "rddl/mountain-car", "1", "noop", "mean")
    assert still.startswith("value lower bound = ")


def test_a_ported_pyrddlgym_server() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = str(listener.getsockname()[1])
    command = [sys.executable, str(EXAMPLES / "rddl_server.py"), "rddl/sysadmin-mdp", "1", "--port", port, "--rounds", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        for _ in range(400):
            try:
                client = socket.create_connection(("127.0.0.1", int(port)), timeout=1)
                break
            except OSError:
                time.sleep(0.05)
        else:
            pytest.fail("nobody listens")
        # A client that disconnects without a message ends the only session.
        client.close()
        server.communicate(timeout=60)
