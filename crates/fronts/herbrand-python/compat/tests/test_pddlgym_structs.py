"""Tests of the structures of the PDDLGym layer: names, equality, text."""

from __future__ import annotations

import copy
import pickle

import pytest

from herbrand.compat.pddlgym.structs import (
    Anti,
    Effect,
    Exists,
    ForAll,
    Formula,
    Literal,
    LiteralConjunction,
    LiteralDisjunction,
    NoChange,
    Not,
    Predicate,
    ProbabilisticEffect,
    State,
    Type,
    TypedEntity,
    effect_to_literal,
    ground_literal,
    wrap_goal_literal,
)

BLOCK, TABLE = Type("block"), Type("table")
A, B = BLOCK("a"), BLOCK("b")
ON = Predicate("on", 2, [BLOCK, BLOCK])
CLEAR = Predicate("clear", 1, [BLOCK])
X = BLOCK("?x")


def test_an_object_is_its_name_and_prints_with_its_type() -> None:
    assert str(A) == repr(A) == "a:block"
    assert A == "a" and A == TABLE("a") and A != B
    assert hash(A) == hash("a:block") != hash(TABLE("a"))
    assert (A.name, A.var_type, A + "!", "!" + A) == ("a", BLOCK, "a:block!", "!a:block")
    assert A.startswith("a") and sorted([B, A]) == [A, B]
    for twin in (copy.copy(A), copy.deepcopy(A), pickle.loads(pickle.dumps(A))):
        assert (str(twin), twin.var_type) == ("a:block", "block")
    with pytest.raises(TypeError):
        TypedEntity("a", "block")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("predicate", "text", "pddl"),
    [
        (ON, "on", "(on ?v0 - block ?v1 - block)"),
        (Not(ON), "Noton", "(not (on ?v0 - block ?v1 - block))"),
        (Anti(ON), "Antion", "(not (on ?v0 - block ?v1 - block))"),
        (Not(Not(ON)), "on", "(on ?v0 - block ?v1 - block)"),
        (Anti(Anti(ON)), "on", "(on ?v0 - block ?v1 - block)"),
        (ON.negate_as_failure(), "~on", None),
        (Predicate("p", 2), "p", "(p ?v0 ?v1)"),
        (Predicate("p", 0), "p", "(p)"),
        (Effect(ON), "Effecton", "(Effecton ?v0 - block ?v1 - block)"),
    ],
)
def test_predicates_print(predicate: Predicate, text: str, pddl: str | None) -> None:
    assert str(predicate) == text
    assert predicate == text and hash(predicate) == hash(text)
    if pddl is None:
        with pytest.raises(NotImplementedError):
            predicate.pddl_str()
    else:
        assert predicate.pddl_str() == pddl


def test_predicates_and_types_are_called() -> None:
    literal = ON("a", B)
    assert isinstance(literal, Literal)
    assert str(literal) == "on(a:block,b:block)" and literal.variables[0].var_type == BLOCK
    assert literal == ON(A, B) != ON(B, A)
    assert len({literal, ON(A, B), ON(B, A)}) == 2
    assert sorted([ON(B, A), ON(A, B)]) == [ON(A, B), ON(B, A)]
    with pytest.raises(AssertionError):
        ON(A)


def test_literals_are_negated_deleted_and_changed() -> None:
    literal = ON(A, B)
    assert (str(Not(literal)), str(Anti(literal))) == ("Noton(a:block,b:block)", "Antion(a:block,b:block)")
    assert Not(literal).positive == literal and literal.negative == Not(literal)
    assert Anti(literal).inverted_anti == literal and literal.inverted_anti == Anti(literal)
    assert Not(literal).is_negative and Anti(literal).is_anti
    assert literal.negate_as_failure().negate_as_failure() == literal
    assert (literal.pddl_str(), Not(literal).pddl_str()) == ("(on a b)", "(not (on a b))")
    assert (literal.pddl_variables(), literal.pddl_variables_typed()) == (["a", "b"], ["a - block", "b - block"])
    literal.update_variable(0, B)
    assert literal == ON(B, B) and hash(literal) == hash(ON(B, B))
    literal.set_variables([B, A])
    assert literal == ON(B, A)
    assert effect_to_literal(Effect(Anti(ON(A, B)))) == Anti(ON(A, B))
    assert ground_literal(ON(X, B), {X: A, B: B}) == ON(A, B)


def test_formulas_print_and_are_negated() -> None:
    both = LiteralConjunction([ON(A, B), CLEAR(A)])
    assert str(both) == "AND[on(a:block,b:block), clear(a:block)]"
    assert both.pddl_str() == "(and\n\t(on a b)\n\t(clear a))"
    assert Not(both) == LiteralDisjunction([Not(ON(A, B)), Not(CLEAR(A))])
    assert Not(Not(both)) == both and hash(Not(Not(both))) == hash(both)
    every = ForAll(CLEAR(X), X)
    assert (str(every), every.pddl_str()) == ("FORALL ([?x:block]) : clear(?x:block)", "(forall (?x - block) (clear ?x))")
    some = Exists([X], CLEAR(X))
    assert (str(Not(some)), Not(some).pddl_str()) == (
        "NOT-EXISTS ([?x:block]) : clear(?x:block)",
        "(not (exists (?x - block) (clear ?x)))",
    )
    assert Not(some).positive == some and Not(every).positive == every
    assert wrap_goal_literal(both) == LiteralConjunction([Predicate("WANTon", 2)(A, B), Predicate("WANTclear", 1)(A)])
    assert both.holds({ON(A, B), CLEAR(A)}) and not both.holds({ON(A, B)})
    assert LiteralConjunction([Not(CLEAR(A))]).holds(set())
    with pytest.raises(AssertionError):
        Not(ProbabilisticEffect([CLEAR(A)], [0.5]))


def test_probabilistic_effects_leave_the_rest_to_no_change() -> None:
    outcomes: list[Formula] = [LiteralConjunction([CLEAR(A), CLEAR(B)]), CLEAR(A)]
    chances = [1 / 3, 0.25]
    effect = ProbabilisticEffect(outcomes, chances)
    assert len(outcomes) == len(chances) == 2, "the lists that are given stay as they are"
    assert effect.literals[2] == NoChange() and effect.probabilities[2] == pytest.approx(5 / 12)
    assert effect.max() == NoChange()
    assert effect.pddl_str() == "(probabilistic 1/3 (and\n\t(clear a)\n\t(clear b)) 1/4 (clear a))"
    assert ProbabilisticEffect([CLEAR(A), CLEAR(B)], [0.5, 0.5]).max() == CLEAR(A)
    assert ProbabilisticEffect([CLEAR(A)] * 4, [0.1, 0.2, 0.3, 0.4]).probabilities[-1] == 0.0
    assert {str(effect.sample()) for _ in range(200)} == set(map(str, effect.literals))
    for wrong in ([0.5, 0.6], [0.5], [-0.1, 0.2]):
        with pytest.raises(AssertionError):
            ProbabilisticEffect([CLEAR(A), CLEAR(B)], wrong)


def test_states_are_values() -> None:
    goal = LiteralConjunction([CLEAR(A)])
    state = State(frozenset({CLEAR(A)}), frozenset({A, B}), goal)
    literals, objects, same_goal = state
    assert (literals, objects, same_goal) == (state.literals, state.objects, goal)
    other = state.with_literals({ON(A, B)})
    assert other.literals == frozenset({ON(A, B)}) and other.goal is goal
    assert state.with_objects({A}).objects == frozenset({A})
    assert state.with_goal(CLEAR(B)).goal == CLEAR(B)
    assert other.with_literals({CLEAR(A)}) == state and len({state, other.with_literals({CLEAR(A)})}) == 1
    assert state._replace(goal=CLEAR(B)).goal == CLEAR(B)
    assert pickle.loads(pickle.dumps(state)) == state == copy.deepcopy(state)
