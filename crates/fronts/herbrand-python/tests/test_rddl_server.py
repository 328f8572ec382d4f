"""Tests of the RDDLSim server with pyRDDLGym's client. Skipped if pyRDDLGym is not installed."""

from __future__ import annotations

import contextlib
import importlib
import io
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from conftest import ROOT

RDDL = ROOT / "domains/rddl"

COMMAND = """
import sys
from herbrand._herbrand import run_command
domain, instance, port = sys.argv[1:]
sys.exit(run_command(["herbrand", "rddl-server", domain, instance, "--port", port, "--rounds", "3", "--sessions", "2"]))
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def serving(port: int, name: str) -> Iterator[None]:
    """Runs a server for the first instance of an environment in a separate process."""
    files = [str(RDDL / name / "domain.rddl"), str(RDDL / name / "1.rddl")]
    process = subprocess.Popen([sys.executable, "-c", COMMAND, *files, str(port)])
    try:
        for _ in range(400):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["sysadmin-mdp", "sysadmin-pomdp", "uav-mixed"])
def test_a_client_of_pyrddlgym_plays_all_rounds(name: str) -> None:
    """The client's policy is called in every step of the horizon, for three rounds.

    The first connection is made by `serving`, to check that the server listens.
    """
    pytest.importorskip("pyRDDLGym", reason="pyRDDLGym is not installed")
    client = importlib.import_module("pyRDDLGym.core.client")
    policies = importlib.import_module("pyRDDLGym.core.policy")
    env = importlib.import_module("pyRDDLGym").make(str(RDDL / name / "domain.rddl"), str(RDDL / name / "1.rddl"))
    random = policies.RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=1)
    asked: list[int] = []

    def sample_action(_self: object, state: object = None) -> dict[str, object]:
        asked.append(len(state) if isinstance(state, dict) else 0)
        # Plain Python values are needed, since the client writes them with `str`.
        return {fluent: value.item() if hasattr(value, "item") else value for fluent, value in random.sample_action().items()}

    counting = type("Counting", (policies.BaseAgent,), {"use_tensor_obs": False, "sample_action": sample_action})
    port = free_port()
    with serving(port, name), contextlib.redirect_stdout(io.StringIO()):
        client.RDDLSimClient(counting(), port=port).run()
    assert len(asked) == 3 * env.horizon
    assert max(asked) == len(env.observation_space.spaces)
    if name.endswith("pomdp"):
        assert asked[0] == 0, "nothing is observed before the first step"
