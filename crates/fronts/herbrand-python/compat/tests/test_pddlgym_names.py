"""Tests of PDDLGym's names and modules: search and rescue by locations, and the demonstrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest

import herbrand
import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym import PDDLWarning, demo
from herbrand.compat.pddlgym.core import PDDLEnv


@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize("suffix", ["", "Test"])
def test_levels_of_search_and_rescue_are_seen_as_places(level: int, suffix: str) -> None:
    places: Any = pddlgym.make(f"SearchAndRescueLevel{level}{suffix}-v0", seed=level)
    literals = pddlgym.make(f"PDDLSearchAndRescueLevel{level}{suffix}-v0", seed=level)
    seen, _ = places.reset()
    state, _ = literals.reset()
    assert seen == places.places(state) and places.internal(seen) == state
    known = dict(seen)
    assert known["carrying"] is None and known["rescue"] and known["robot0"] and known["hospital0"]
    for _ in range(25):
        action = literals.action_space.sample(state)
        assert action in places.get_possible_actions()
        expected = places.get_successor_state(seen, action)
        seen, reward, done, _, _ = places.step(action)
        state, *rest = literals.step(action)
        assert (reward, done) == (rest[0], rest[1]) and places.check_goal(seen) == done
        assert seen == expected == places.places(state) and places.internal(seen) == state
    assert str(places.render_from_state(seen)) and hash(seen) is not None
    with pytest.raises(NotImplementedError):
        places.observation_space


def test_a_plan_of_search_and_rescue_ends_in_its_goal() -> None:
    env: Any = pddlgym.make("SearchAndRescueLevel1-v0")
    env.fix_problem_index(0)
    seen, _ = env.reset()
    found = demo.plan(env, env.get_state())
    assert found
    ends = []
    for action in found:
        seen, reward, done, _, _ = env.step(action)
        ends.append((reward, done))
    assert ends[-1] == (1, True) and dict(seen)["rescue"] <= dict(seen)["rescued"]


def test_demonstrations_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.demo_random("sokoban", render=False, verbose=True) >= 0
    assert "Act:" in capsys.readouterr().out
    assert demo.demo_planning("blocks", render=True, verbose=False) == 1
    assert demo.demo_planning("hanoi", render=False, verbose=False, max_num_steps=100) == 1
    assert demo.demo_planning("river", probabilistic=True, render=False, verbose=False) >= 0
    demo.run_all(render=False, verbose=False)
    assert capsys.readouterr().out == ""


def test_object_may_be_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "farm.pddl").write_text(
        "(define (domain farm) (:requirements :typing) (:types animal object - entity)"
        " (:predicates (held ?x - object) (fed ?x - animal) (hold ?x - object) (feed ?x - animal))"
        " ; (:actions hold feed)\n"
        " (:action hold :parameters (?x - object) :precondition (hold ?x) :effect (held ?x))"
        " (:action feed :parameters (?x - animal) :precondition (feed ?x) :effect (fed ?x)))"
    )
    (tmp_path / "p" / "1.pddl").write_text(
        "(define (problem one) (:domain farm) (:objects rex - animal ball - object) (:goal (and (held ball) (fed rex))))"
    )
    with pytest.warns(PDDLWarning, match="`object` is declared as a subtype of `entity`"):
        env = PDDLEnv(tmp_path / "farm.pddl", tmp_path / "p")
    obs, _ = env.reset()
    actions = env.action_space.all_ground_literals(obs, valid_only=False)
    assert sorted(map(str, actions)) == ["feed(rex:animal)", "hold(ball:object)"]
    ends = [env.step(action)[2] for action in sorted(actions)]
    assert ends == [False, True]
    types = herbrand.Domain(tmp_path / "farm.pddl").types
    assert [(one.name, one.parents) for one in types[:1]] == [("entity", ())]


LAMPS = """(define (domain lamps) (:predicates (on ?x) (press ?x)) ; (:actions press)
    (:action push :parameters (?x) :precondition (press ?x) :effect (on ?x)))"""
DARK = "(define (problem p) (:domain lamps) (:objects a b) (:init (press a) (press b)) (:goal (and (on a) (on b))))"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with the layout of PDDLGym, which cannot be imported because it needs an old library."""
    folder = tmp_path / "pddlgym" / "pddl"
    for problems in ("sokoban", "maze", "maze_test", "easygripper"):
        (folder / problems).mkdir(parents=True)
        (folder / problems / "p.pddl").write_text(DARK)
        (folder / f"{problems.removesuffix('_test')}.pddl").write_text(LAMPS)
    (folder / "lonely.pddl").write_text(LAMPS)
    (tmp_path / "pddlgym" / "__init__.py").write_text("raise RuntimeError('too old')")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_names_are_those_of_an_installed_pddlgym(installed: Path) -> None:
    env: Any = pddlgym.make("PDDLEnvSokoban-v0")
    assert env.domain.domain_name == "lamps" and not env.operators_as_actions
    assert env.reset(seed=1)[1]["domain_file"] == str(installed / "sokoban.pddl")
    assert env.render().ndim == 3
    for name, is_dynamic in (("Maze", True), ("MazeTest", True), ("Easygripper", False)):
        env = pddlgym.make(f"PDDLEnv{name}-v0")
        assert env.operators_as_actions and isinstance(env.action_space, pddlgym.LiteralActionSpace) == is_dynamic
        assert f"PDDLEnv{name}-v0" in pddlgym.environment_names()
    assert "PDDLEnvLonely-v0" not in pddlgym.environment_names()
    # Domains that it does not have are Herbrand's own.
    assert pddlgym.make("PDDLEnvFerry-v0").domain.domain_name != "lamps"


def test_environments_are_registered_by_files(tmp_path: Path) -> None:
    (tmp_path / "lamps.pddl").write_text(LAMPS)
    (tmp_path / "problems").mkdir()
    (tmp_path / "problems" / "p.pddl").write_text(DARK)
    files = {"domain_file": str(tmp_path / "lamps.pddl"), "problem_dir": str(tmp_path / "problems")}
    name = pddlgym.register_pddl_env("lamps", True, {**files, "operators_as_actions": True})
    assert name == "PDDLEnvLampsTest-v0" and name in pddlgym.environment_names()
    env: Any = pddlgym.make(name)
    registered: Any = gymnasium.make(name).unwrapped
    assert env.operators_as_actions and registered.domain.domain_name == "lamps"
    with pytest.raises(FileNotFoundError, match="give 'domain_file' among other_args"):
        pddlgym.register_pddl_env("nothing")
