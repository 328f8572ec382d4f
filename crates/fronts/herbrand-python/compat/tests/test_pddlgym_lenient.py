"""Tests of faulty files that PDDLGym accepts: they are accepted in the same way, with a warning for each fault."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest

import herbrand
from herbrand.compat.pddlgym import PDDLDomainParser, PDDLEnv, PDDLProblemParser, PDDLWarning, Type

DOMAIN = """
(define (domain garden)
  (:requirements :typing)
  (:types rose - plant gardener - person)
  (:predicates (dry ?p - plant) (watered ?p - plant) (friends ?g - person ?p - plant) (water ?p - plant) (greet ?g - person))
  ; (:actions water greet)
  (:action pour
    :parameters (?p - plant)
    :precondition (and (water ?p) (dry ?p))
    :effect (and (not (dry ?p)) (watered ?p)))
  (:action greet
    :parameters (?g - person ?p - plant)
    :precondition (and (greet ?g) (watered ?p))
    :effect (and (friends ?g ?p)))
)
"""
PROBLEM = """
(define (problem morning) (:domain garden)
  (:objects tea - rose ann - gardener)
  (:init (dry tea))
  (:goal (and (friends ann tea)))
)
"""


def written(folder: Path, domain: str = DOMAIN, problem: str = PROBLEM) -> tuple[Path, Path]:
    (folder / "p").mkdir()
    (folder / "garden.pddl").write_text(domain)
    (folder / "p" / "morning.pddl").write_text(problem)
    return folder / "garden.pddl", folder / "p"


def walk(env: PDDLEnv) -> list[tuple[list[str], float, bool]]:
    """Returns the literals, reward and end after each of two actions."""
    state, _ = env.reset(seed=0)
    steps = []
    for name in ("water", "greet"):
        (action,) = [one for one in env.action_space.all_ground_literals(state) if one.predicate.name == name]
        state, reward, done, *_ = env.step(action)
        steps.append((sorted(map(str, state.literals)), float(reward), bool(done)))
    return steps


EXPECTED = [(["watered(tea:rose)"], 0.0, False), (["friends(ann:gardener,tea:rose)", "watered(tea:rose)"], 1.0, True)]

ACTION = "  (:action pour"


@pytest.mark.parametrize(
    ("domain", "problem", "told"),
    [
        (DOMAIN.rstrip()[:-1], PROBLEM, ["read as if one `)` stood at the end of the text"]),
        (DOMAIN + ")", PROBLEM, ["unmatched `)`"]),
        (
            DOMAIN.replace(ACTION, "(and" + ACTION),
            PROBLEM,
            ["one `)` is missing before `:action` in line 7", "found `and`"],
        ),
        (DOMAIN, PROBLEM.rstrip()[:-1], ["morning.pddl:2:1"]),
        (DOMAIN, PROBLEM + "))\nend", ["morning.pddl:7:1", "morning.pddl:7:2", "found `end`"]),
        (DOMAIN, PROBLEM.replace("(:init (dry tea))", "(:init (dry tea)"), ["one `)` is missing before `:goal` in line 5"]),
    ],
)
def test_parentheses_and_stray_words(tmp_path: Path, domain: str, problem: str, told: list[str]) -> None:
    files = written(tmp_path, domain, problem)
    with pytest.warns(PDDLWarning) as caught:
        env = PDDLEnv(*files, dynamic_action_space=True)
    texts = [str(one.message) for one in caught]
    assert len(texts) == len(told) and all(any(part in text for text in texts) for part in told), texts
    assert all("warning[E" in text and "note: read as if" in text for text in texts)
    assert {Path(one.filename).name for one in caught} == {Path(__file__).name}
    assert walk(env) == EXPECTED
    # Outside of the layer the file is invalid.
    if domain != DOMAIN:
        with pytest.raises(herbrand.ParseError):
            herbrand.Domain(files[0])


def test_files_without_faults_are_read_without_warnings(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", PDDLWarning)
        assert walk(PDDLEnv(*written(tmp_path), dynamic_action_space=True)) == EXPECTED


def test_arguments_of_the_wrong_type_are_taken_as_they_are_written(tmp_path: Path) -> None:
    files = written(tmp_path, DOMAIN.replace("(friends ?g ?p)))", "(friends ?p ?g)))"))
    with pytest.warns(PDDLWarning, match="read as it is written") as caught:
        env = PDDLEnv(*files, dynamic_action_space=True)
    assert len(caught) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error", PDDLWarning)
        swapped = [EXPECTED[0], (["friends(tea:rose,ann:gardener)", "watered(tea:rose)"], 0.0, False)]
        assert walk(env) == swapped
        # Hand-made states, modified operators and pickled domains are handled in the same way.
        last = env.get_state()
        by_hand = last.with_literals(frozenset(last.literals))
        env.set_state(by_hand)
        assert env.get_state().literals == last.literals
        again = pickle.loads(pickle.dumps(env.domain))
        assert again.to_string() == env.domain.to_string() and again.model == env.domain.model
        del env.domain.operators["pour"]
        env.reset(seed=0)
        assert not env.action_space.all_ground_literals(env.get_state())


def test_types_above_object_are_in_the_hierarchy(tmp_path: Path) -> None:
    domain, folder = written(
        tmp_path,
        DOMAIN.replace("rose - plant gardener - person", "rose - plant gardener - person person object - thing plant - object"),
    )
    with pytest.warns(PDDLWarning, match="W0105"):
        read = PDDLDomainParser(domain)
    assert read.type_hierarchy == {
        Type("plant"): {Type("rose")},
        Type("person"): {Type("gardener")},
        Type("object"): {Type("plant")},
        Type("thing"): {Type("person"), Type("object")},
    }
    assert read.type_to_parent_types[Type("rose")] == {Type("rose"), Type("plant"), Type("object"), Type("thing")}
    (path,) = folder.iterdir()
    problem = PDDLProblemParser(path, read.domain_name, read.types, read.predicates, read.actions)
    assert sorted(map(str, problem.objects)) == ["ann:gardener", "tea:rose"]


def test_lenient_domains_by_themselves() -> None:
    text = DOMAIN.replace("(friends ?g ?p)))", "(friends ?p ?g)))").rstrip()[:-1]
    domain = herbrand.Domain(text, lenient=True)
    assert [one.code for one in domain.diagnostics if one.severity == "warning" and one.code[0] == "E"] == ["E0003", "E0202", "E0202"]
    assert herbrand.Domain(DOMAIN).diagnostics == herbrand.Domain(DOMAIN, lenient=True).diagnostics
    problem = herbrand.Problem(PROBLEM + ")", domain)
    assert [one.code for one in problem.diagnostics] == ["E0004"]
    task = herbrand.Task(domain, problem)
    state = task.apply(task.apply(task.initial_state, "(pour tea)"), "(greet ann tea)")
    assert "(friends tea ann)" in state and not state.is_goal
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(herbrand.ParseError):
        herbrand.Problem(PROBLEM + "(", herbrand.Domain(DOMAIN))
