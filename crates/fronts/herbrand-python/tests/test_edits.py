"""Tests of edits and beliefs."""

from __future__ import annotations

import pickle

import pytest

import herbrand
from herbrand import edits
from herbrand.errors import EditFault

LINES = {
    "objects": {"add": ["hall - room"], "replace": {"loc1 - room": "pantry - room"}, "delete": []},
    "init": {"add": ["(door kitchen hall)"], "replace": {}, "delete": ["(door kitchen loc1)"]},
}


@pytest.fixture
def problem() -> herbrand.Problem:
    domain = herbrand.Domain(
        """(define (domain house) (:requirements :typing) (:types room)
             (:predicates (at ?r - room) (door ?a ?b - room) (lit))
             (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
                :effect (and (at ?b) (not (at ?a)))))"""
    )
    text = """(define (problem look) (:domain house) (:objects kitchen loc1 - room)
                (:init (at kitchen) (door kitchen loc1)) (:goal (at loc1)))"""
    return herbrand.Problem(text, domain)


def test_an_edited_problem_is_planned(problem: herbrand.Problem) -> None:
    batch = [
        {"edit": "add-object", "object": "hall", "type": "room"},
        {"edit": "add-fact", "fact": "(door loc1 hall)"},
        {"edit": "set-goal", "goal": "(at hall)"},
    ]
    edited = edits.apply(problem, batch)
    assert [str(step) for step in herbrand.Task(edited.domain, edited).plan()] == ["(go kitchen loc1)", "(go loc1 hall)"]
    assert edited.domain is problem.domain
    there = edits.difference(problem, edited)
    assert there is not None
    assert edits.difference(edits.apply(problem, there), edited) == []


def test_edits_of_literals_change_the_domain(problem: herbrand.Problem) -> None:
    literal = {"edit": "add-literal", "schema": "go", "part": "precondition", "literal": "(lit)"}
    edited = edits.apply(problem, [literal])
    assert edited.domain != problem.domain
    assert not herbrand.Task(edited.domain, edited).plan()


def test_faults_come_with_their_edits(problem: herbrand.Problem) -> None:
    batch = [{"edit": "add-fact", "fact": "(at kitchn)"}, {"edit": "delete-fact", "fact": "(lit)"}]
    with pytest.raises(herbrand.EditError) as caught:
        edits.apply(problem, batch)
    assert [(fault.edit, fault.code) for fault in caught.value.faults] == [(0, "undeclared-object"), (1, "not-found")]
    assert "did you mean `kitchen`?" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.faults == caught.value.faults and isinstance(again.faults[0], EditFault)
    rules = {"functional": [{"predicate": "at"}]}
    with pytest.raises(herbrand.EditError, match="functional"):
        edits.apply(problem, [{"edit": "add-fact", "fact": "(at loc1)"}], rules=rules)


@pytest.mark.parametrize("batch", [[{"edit": "add-fakt"}], [{"edit": "add-fact"}], [{"edit": "add-fact", "fact": "at"}]])
def test_what_is_no_edit_is_a_value_error(problem: herbrand.Problem, batch: list[dict[str, str]]) -> None:
    with pytest.raises(ValueError):
        edits.apply(problem, batch)


def test_the_form_names_the_types_of_the_domain(problem: herbrand.Problem) -> None:
    form = edits.schema(problem.domain)
    kinds = {one["properties"]["edit"]["const"]: one for one in form["items"]["oneOf"]}
    assert kinds["add-object"]["properties"]["type"] == {"enum": ["object", "room"]}


def test_lines_are_edited_as_text_and_as_edits(problem: herbrand.Problem) -> None:
    text = "(define (problem p)\n (:domain house)\n (:objects\n  loc1 - room\n )\n (:init\n  (at loc1)\n )\n)"
    assert "    (at pantry)\n    (door kitchen hall)\n" in edits.lines(text, LINES)
    assert "    (at loc1)\n" in edits.lines(text, LINES, textual=False)
    edited = edits.apply(problem, edits.typed_lines_of(LINES))
    assert [str(fact) for fact in edited.init] == ["(at kitchen)", "(door kitchen hall)"]
    with pytest.raises(ValueError):
        edits.lines("(define (problem p))", LINES)


def test_a_belief_is_planned_on(problem: herbrand.Problem) -> None:
    belief = edits.Belief(problem, {"functional": [{"predicate": "at"}]})
    assert belief.truth("(at loc1)") is False and belief.truth("(lit)") is None
    belief.observe("arrive", [{"statement": "holds", "fact": "(at loc1)"}])
    assert belief.truth("(at kitchen)") is False and belief.source("(at kitchen)") == "arrive"
    assert herbrand.Task(belief.problem.domain, belief.problem).initial_state.is_goal
    with pytest.raises(herbrand.EditError, match="stays so"):
        belief.observe("look", [{"statement": "fails", "fact": "(door kitchen loc1)"}])
    assert belief.truth("(door kitchen loc1)") is True
