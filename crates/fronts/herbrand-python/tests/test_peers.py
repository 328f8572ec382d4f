"""Checks that the peer benchmarks use only packages that can be installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import ROOT

SCRIPTS = sorted((ROOT / "benches" / "peers").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_looks_beside_the_checkout(script: Path) -> None:
    text = script.read_text()
    assert "shared" not in text.replace("shared by", "").replace("shared server", "") and "ROOT.parent" not in text


def load(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, ROOT / "benches" / "peers" / f"{name}.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_problem_files_are_found(tmp_path: Path) -> None:
    instances: Any = load("instances")
    bundled = list(instances.bundled())
    assert len(bundled) == len(instances.BUNDLED) and all(d.is_file() and p.is_file() for d, p in bundled)
    assert [p.parent.parent.name for _, p in instances.bundled("hanoi")] == ["hanoi"]
    package = tmp_path / "lib" / "python3.11" / "site-packages" / "pddlgym" / "pddl"
    for path in ("sokoban.pddl", "sokoban/p1.pddl", "empty.pddl", "sokoban_test/p2.pddl"):
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text("")
    found = list(instances.pddlgym(tmp_path / "bin" / "python"))
    assert found == [("sokoban", package / "sokoban.pddl", package / "sokoban")]
    suites = tmp_path / "suites"
    for path in ("a/domain.pddl", "a/p1.pddl", "b/p1.pddl", "b/p1-domain.pddl", "c/p9.pddl"):
        (suites / path).parent.mkdir(parents=True, exist_ok=True)
        (suites / path).write_text("")
    pairs = [(d.relative_to(suites).as_posix(), p.relative_to(suites).as_posix()) for d, p in instances.competition(suites)]
    assert pairs == [("a/domain.pddl", "a/p1.pddl"), ("b/p1-domain.pddl", "b/p1.pddl")]
    assert [p.parent.name for _, p in instances.competition(suites, ["b/p1", "no/p"])] == ["b"]


def test_scripts_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benches" / "peers"))
    for name in ("stepping", "python", "grounding", "reachable", "random_policy", "parse"):
        compile((ROOT / "benches" / "peers" / f"{name}.py").read_text(), name, "exec")
        assert load(name).__doc__
        sys.modules.pop(name, None)
