"""Tests of the distribution: its files, its place in the package `herbrand`, pickles, types."""

from __future__ import annotations

import importlib.metadata
import pickle
import subprocess
import sys
from pathlib import Path

import herbrand
import herbrand.compat.pddlgym as pddlgym
import pytest


def files(name: str) -> set[str]:
    return {str(one) for one in importlib.metadata.files(name) or []}


def test_both_distributions_bring_different_files() -> None:
    engine, layers = files("herbrand"), files("herbrand-compat")
    if "herbrand/compat/__init__.py" not in engine or "herbrand/compat/_files.py" not in layers:
        pytest.skip("the distributions are not installed from wheels")
    assert not engine & layers
    outside = {one.split("/")[0] for one in layers if not one.startswith("herbrand/compat/")}
    assert outside == {f"herbrand_compat-{herbrand.__version__}.dist-info"}
    assert {Path(one).name for one in layers if "/licenses/" in one} == {"LICENSE-MIT", "LICENSE-APACHE"}


def test_states_and_models_can_be_pickled() -> None:
    env = pddlgym.make("PDDLEnvBlocks-v0")
    state, _ = env.reset(seed=1)
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(pddlgym.PDDLEnv)) is pddlgym.PDDLEnv


def test_imports_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    if "herbrand/compat/_files.py" not in files("herbrand-compat"):
        pytest.skip("the distribution is not installed from a wheel")
    (tmp_path / "use.py").write_text(
        "import herbrand.compat.pddlgym as pddlgym\n"
        "from herbrand.compat.pyrddlgym.core.policy import RandomAgent\n"
        "pddlgym.make('PDDLEnvBlocks-v0').fix_problem_index(0)\n"
        "pddlgym.make(3)\n"
        "RandomAgent(nothing=1)\n"
    )
    command = (sys.executable, "-m", "mypy", "--strict", "use.py")
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert {line.split(":")[1] for line in checked.stdout.splitlines() if "error:" in line} == {"4", "5"}, checked.stdout
