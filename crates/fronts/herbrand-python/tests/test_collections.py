"""Problems of installed packages by name."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import herbrand

DOMAIN = """(define (domain lamps) (:predicates (on ?x)) (:action light :parameters (?x) :effect (on ?x)))"""
PROBLEM = """(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (and (on a) (on b))))"""
RDDL = """domain counter {
    pvariables { n : { state-fluent, int, default = 0 }; };
    cpfs { n' = n + 1; };
    reward = n;
}"""
INSTANCE = "instance i { domain = counter; horizon = 5; discount = 1.0; }"


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages with the layout of PDDLGym and rddlrepository, which are found before installed ones."""
    counter = "rddlrepository/archive/standalone/Counter"
    _write(
        tmp_path,
        {
            "pddlgym/__init__.py": "",
            "pddlgym/pddl/lamps.pddl": DOMAIN,
            "pddlgym/pddl/lamps/p1.pddl": PROBLEM,
            "pddlgym/pddl/lamps_test/p2.pddl": PROBLEM,
            "rddlrepository/__init__.py": "",
            f"{counter}/__init__.py": "info = {'name': 'Counter', 'context': ''}",
            f"{counter}/domain.rddl": RDDL,
            f"{counter}/instance0.rddl": INSTANCE,
            f"{counter}/instance1.rddl": INSTANCE.replace("horizon = ", "horizon = 1"),
        },
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("HERBRAND_CACHE", str(tmp_path / "cache"))


def test_a_domain_of_pddlgym_has_a_name(packages: None) -> None:
    suite = herbrand.suite("pddlgym:lamps")
    assert suite.name == "pddlgym:lamps"
    assert suite.problem_names == ("train/p1", "test/p2")
    assert pickle.loads(pickle.dumps(suite)).problem_names == suite.problem_names
    env = herbrand.make("pddlgym:lamps", split="test")
    env.reset(seed=1)
    assert env.action_space.n == 2
    assert len(herbrand.load("pddlgym:lamps", "p2").ground_actions) == 2


def test_a_problem_of_rddlrepository_has_a_name(packages: None) -> None:
    suite = herbrand.suite("rddlrepository:Counter")
    assert suite.name == "rddlrepository:Counter"
    assert suite.problem_names == ("instance0", "instance1")
    env = herbrand.make("rddlrepository:Counter", "instance0")
    env.reset(seed=1)


def test_a_number_means_the_instance_that_it_means_in_pyrddlgym(packages: None) -> None:
    suite = herbrand.suite("rddlrepository:Counter")
    for number, name in [("0", "instance0"), ("1", "instance1")]:
        assert suite.select(number).problem_names == (name,)
        assert herbrand.make("rddlrepository:Counter", number).reset(seed=1)[1]["problem"] == name
    with pytest.raises(herbrand.UnknownNameError, match="has no problem `2`, only instance0, instance1"):
        suite.select("2")


def test_unknown_names_say_what_there_is(packages: None) -> None:
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `pddlgym:lamps`"):
        herbrand.suite("pddlgym:lamp")
    with pytest.raises(herbrand.UnknownNameError, match="nothing was fetched yet"):
        herbrand.suite("fetched:lamps")
