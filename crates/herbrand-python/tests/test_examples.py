"""The examples run. Those that learn need PyTorch and are left out where it is missing."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import herbrand

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_rollouts() -> None:
    lines = run("random_rollouts.py", "blocks", "casino", "--envs", "8", "--steps", "60").splitlines()
    assert [line.split()[0] for line in lines] == ["domain", "blocks", "casino"]
    assert all(int(line.split()[1]) >= 8 for line in lines[1:])
    assert lines[1].split()[:3] == run("random_rollouts.py", "blocks", "--envs", "8", "--steps", "60").split()[-4:-1]


def test_random_blocks_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from blocks_problems import problems  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]

    texts = problems(list("abcd"), 72, 0, [["d", "c", "b", "a"]])
    suite = herbrand.suite(herbrand.suite("blocks").domain, texts)
    tasks = [suite.task(index) for index in range(len(texts))]
    assert len({task.problem for task in tasks}) == 72
    assert not any(task.initial_state.is_goal for task in tasks)
    assert {task.problem.goal for task in tasks} == {tasks[0].problem.goal}
    assert len({task.ground_atoms for task in tasks}) == len({task.ground_actions for task in tasks}) == 1


def test_graph_network() -> None:
    pytest.importorskip("torch")
    printed = run("graph_network.py", "--problems", "2", "--epochs", "1")
    assert "states of 2 problems" in printed and "5 blocks" in printed


def test_maskable_ppo(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("matplotlib")
    run("maskable_ppo.py", "--steps", "2048", "--out", str(tmp_path))
    assert (tmp_path / "maskable_ppo.csv").read_text().startswith("steps,success\n2048,")
    assert (tmp_path / "maskable_ppo.png").read_bytes().startswith(b"\x89PNG")


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
        # A client that says nothing and leaves ends the one session.
        client.close()
        server.communicate(timeout=60)
