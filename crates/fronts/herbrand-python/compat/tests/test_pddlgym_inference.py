"""Tests of the search for assignments that satisfy conditions."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

import herbrand
import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym.inference import check_goal, find_satisfying_assignments
from herbrand.compat.pddlgym.structs import (
    Exists,
    ForAll,
    LiteralConjunction,
    LiteralDisjunction,
    Not,
    Predicate,
    State,
    Type,
    TypedEntity,
)

T, U = Type("t"), Type("u")
EDGE, MARK = Predicate("edge", 2, [T, T]), Predicate("mark", 1, [T])
A, B, C = T("a"), T("b"), T("c")
X, Y, Z = T("?x"), T("?y"), T("?z")
KB = {EDGE(A, B), EDGE(B, C), EDGE(C, C), MARK(A), MARK(C)}


def rows(found: list[dict[TypedEntity, TypedEntity]], *variables: TypedEntity) -> set[str]:
    return {"".join(one[variable].name for variable in variables) for one in found}


def test_a_join_finds_all_bindings() -> None:
    found = find_satisfying_assignments(KB, [EDGE(X, Y), EDGE(Y, Z)], max_assignment_count=99)
    assert rows(found, X, Y, Z) == {"abc", "bcc", "ccc"}
    assert found[0] == {X: A, Y: B, Z: C}


def test_two_variables_may_be_one_object_unless_it_is_ruled_out() -> None:
    found = find_satisfying_assignments(KB, [EDGE(X, Y)], max_assignment_count=99)
    assert rows(found, X, Y) == {"ab", "bc", "cc"}
    distinct = find_satisfying_assignments(KB, [EDGE(X, Y)], max_assignment_count=99, allow_redundant_variables=False)
    assert rows(distinct, X, Y) == {"ab", "bc"}


def test_so_many_assignments_at_most() -> None:
    assert len(find_satisfying_assignments(KB, [EDGE(X, Y)])) == 2
    assert len(find_satisfying_assignments(KB, [EDGE(X, Y)], max_assignment_count=1)) == 1
    assert find_satisfying_assignments(KB, [EDGE(X, A)]) == []


def test_objects_constants_and_given_variables_stand_for_themselves() -> None:
    assert rows(find_satisfying_assignments(KB, [EDGE(A, X)]), X) == {"b"}
    given = find_satisfying_assignments(KB, [EDGE(X, Y)], init_assignments={X: B})
    assert rows(given, X, Y) == {"bc"}
    assert rows(find_satisfying_assignments(KB, [EDGE(X, C)], constants=[C], max_assignment_count=9), X) == {"b", "c"}


def test_negation_is_exact_over_all_objects() -> None:
    found = find_satisfying_assignments(KB, [MARK(X), Not(EDGE(X, Y))], max_assignment_count=99)
    expected = {a.name + b.name for a, b in product((A, B, C), repeat=2) if MARK(a) in KB and EDGE(a, b) not in KB}
    assert rows(found, X, Y) == expected
    nowhere = find_satisfying_assignments(KB, [MARK(X), EDGE(X, Y).negate_as_failure()], max_assignment_count=99)
    assert nowhere == []
    assert rows(find_satisfying_assignments(KB, [EDGE(X, Y), MARK(Y).negate_as_failure()]), X, Y) == {"ab"}


def test_disjunctions_and_quantifiers() -> None:
    either = LiteralDisjunction([EDGE(X, B), EDGE(X, X)])
    assert rows(find_satisfying_assignments(KB, either, max_assignment_count=9), X) == {"a", "c"}
    marked = Exists([Y], LiteralConjunction([EDGE(X, Y), MARK(Y)]))
    assert rows(find_satisfying_assignments(KB, [marked], max_assignment_count=9), X) == {"b", "c"}
    assert rows(find_satisfying_assignments(KB, [MARK(X), Not(marked)], max_assignment_count=9), X) == {"a"}
    every = ForAll(LiteralDisjunction([MARK(Y), EDGE(Y, X)]), Y)
    assert rows(find_satisfying_assignments(KB, [every], max_assignment_count=9), X) == {"c"}


def test_the_hierarchy_of_types_is_searched() -> None:
    animal, dog, cat = Type("animal"), Type("dog"), Type("cat")
    above = {animal: {animal}, dog: {dog, animal}, cat: {cat, animal}}
    likes = Predicate("likes", 2, [animal, animal])
    rex, tom = dog("rex"), cat("tom")
    kb = {likes(rex, tom), likes(tom, rex)}
    any_, one = animal("?a"), dog("?d")
    found = find_satisfying_assignments(kb, [likes(any_, one)], type_to_parent_types=above)
    assert rows(found, any_, one) == {"tomrex"}
    both = find_satisfying_assignments(kb, [likes(any_, animal("?b"))], type_to_parent_types=above)
    assert rows(both, any_) == {"rex", "tom"}
    assert find_satisfying_assignments(kb, [likes(any_, one)]) == [], "without a hierarchy types must be the same"


def test_names_may_be_anything() -> None:
    odd = Predicate("is odd(ly) named", 1, [T])
    thing = T("a thing; with (signs)")
    assert find_satisfying_assignments({odd(thing)}, [odd(X)]) == [{X: thing}]


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        (MARK(A), True),
        (Not(MARK(A)), False),
        (LiteralConjunction([MARK(A), Not(MARK(B))]), True),
        (LiteralDisjunction([MARK(B), EDGE(A, C)]), False),
        (ForAll(MARK(X), X), False),
        (ForAll(LiteralDisjunction([MARK(X), EDGE(X, C)]), X), True),
        (Exists([X], EDGE(X, X)), True),
        (Not(Exists([X], EDGE(X, A))), True),
        (LiteralConjunction([MARK(A), Exists([X], LiteralConjunction([MARK(X), EDGE(X, B)]))]), True),
    ],
)
def test_goals_are_judged(goal: object, holds: bool) -> None:
    state = State(frozenset(KB), frozenset({A, B, C}), goal)  # type: ignore[arg-type]
    assert check_goal(state, state.goal) is holds


def test_a_quantifier_ranges_over_objects_in_no_fact() -> None:
    state = State(frozenset(KB), frozenset({A, B, C, T("lonely")}), ForAll(LiteralDisjunction([MARK(X), EDGE(X, C)]), X))
    assert not check_goal(state, state.goal)
    assert check_goal(state, Not(state.goal))


def random_condition(draw: random.Random, scope: list[TypedEntity], depth: int) -> Any:
    """Returns a random condition over the variables in scope. Quantifiers may shadow outer variables."""
    kind = draw.choice(["edge", "edge", "mark", "same"] if depth == 0 else ["not", "and", "or", "exists", "forall"])
    terms = [*scope, A, B, C]
    if kind == "edge":
        return EDGE(draw.choice(terms), draw.choice(terms))
    if kind == "mark":
        return MARK(draw.choice(terms))
    if kind == "same":
        return Predicate("=", 2)(draw.choice(terms), draw.choice(terms))
    if kind == "not":
        inner = random_condition(draw, scope, 0 if draw.random() < 0.5 else depth - 1)
        return Not(inner) if not isinstance(inner, (LiteralConjunction, LiteralDisjunction)) else inner
    if kind in ("and", "or"):
        parts = [random_condition(draw, scope, draw.randrange(depth)) for _ in range(draw.randint(1, 3))]
        return LiteralConjunction(parts) if kind == "and" else LiteralDisjunction(parts)
    bound = draw.choice([X, Y, T("?w")])
    body = random_condition(draw, [*scope, bound], depth - 1)
    return Exists([bound], body) if kind == "exists" else ForAll(body, bound)


def holds(condition: Any, binding: dict[TypedEntity, TypedEntity]) -> bool:
    """Evaluates a condition under a binding, naively."""
    if isinstance(condition, (LiteralConjunction, LiteralDisjunction)):
        truths = [holds(part, binding) for part in condition.literals]
        return all(truths) if isinstance(condition, LiteralConjunction) else any(truths)
    if isinstance(condition, (Exists, ForAll)):
        (bound,) = condition.variables
        truths = [holds(condition.body, {**binding, bound: one}) for one in (A, B, C)]
        return (any(truths) if isinstance(condition, Exists) else all(truths)) != condition.is_negative
    arguments = [binding.get(term, term) for term in condition.variables]
    if condition.predicate.name == "=":
        return bool((arguments[0] == arguments[1]) != condition.is_negative)
    return bool((condition.predicate.positive(*arguments) in KB) != condition.is_negative)


@pytest.mark.parametrize("seed", range(150))
def test_random_conditions_mean_what_they_say(seed: int) -> None:
    draw = random.Random(seed)
    conditions = [random_condition(draw, [X, Y, Z], draw.randrange(4)) for _ in range(draw.randint(1, 3))]
    conditions += [LiteralDisjunction([EDGE(X, Y), Not(EDGE(X, Y))]), LiteralDisjunction([MARK(Z), Not(MARK(Z))])]
    found = find_satisfying_assignments(KB, conditions, max_assignment_count=99, constants=[A, B, C])
    every = ({X: x, Y: y, Z: z} for x, y, z in product((A, B, C), repeat=3))
    expected = {"".join(o.name for o in one.values()) for one in every if all(holds(c, one) for c in conditions)}
    assert len(found) == len(expected) and rows(found, X, Y, Z) == expected


def test_joins_are_asked_of_datalog_and_nothing_is_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Watched:
        def __init__(self, text: str) -> None:
            asked.append(text)
            self.program = herbrand.Datalog(text)

        def run(self, facts: Any) -> Any:
            return self.program.run(facts)

    monkeypatch.setattr("herbrand.compat.pddlgym.inference.Datalog", Watched)
    assert len(find_satisfying_assignments(KB, [EDGE(X, Y), EDGE(Y, Z)], max_assignment_count=99)) == 3
    assert len(asked) == 1 and "found(" in asked[0]


def test_other_goals_of_an_environments_states_are_judged_without_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a task is made to judge a goal")

    env = pddlgym.make("PDDLEnvBlocks-v0")
    state, _ = env.reset()
    monkeypatch.setattr("herbrand.compat.pddlgym.engine.Task", refuse)
    block = next(one for one in state.objects if one.var_type == "block").var_type
    clear = next(literal.predicate for literal in state.literals if literal.predicate.name == "clear")
    ontable = next(literal.predicate for literal in state.literals if literal.predicate.name.replace("-", "") == "ontable")
    for literal in sorted(state.literals):
        assert check_goal(state, literal) and not check_goal(state, Not(literal))
    x = block("?x")
    assert check_goal(state, Exists([x], LiteralConjunction([clear(x)])))
    assert check_goal(state, ForAll(LiteralDisjunction([clear(x), Not(clear(x))]), x))
    every = {literal.variables[0] for literal in state.literals if literal.predicate == ontable}
    blocks = {one for one in state.objects if one.var_type == block}
    assert check_goal(state, ForAll(ontable(x), x)) == (every == blocks)
