"""Tests of probabilistic domains in the PDDLGym layer: joint outcomes, sampling, determinised and hand-made domains."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym import PDDLDomain, PDDLEnv, State
from herbrand.compat.pddlgym.parser import Operator
from herbrand.compat.pddlgym.structs import (
    Anti,
    ForAll,
    Literal,
    LiteralConjunction,
    Not,
    Predicate,
    ProbabilisticEffect,
    Type,
    When,
)

COINS = """
(define (domain coins) (:requirements :probabilistic-effects :conditional-effects)
  (:predicates (heads ?c) (edge ?c) (seen ?c) (lost) (flip) (spin ?c)) ; (:actions flip spin)
  (:action flip-all :parameters () :precondition (flip)
    :effect (and (probabilistic 1/4 (and (heads a) (seen a)) 0.5 (edge a)) (probabilistic 1/2 (heads b)) (not (lost))))
  (:action spin :parameters (?c) :precondition (spin ?c)
    :effect (and (probabilistic 1/3 (and (heads ?c) (probabilistic 1/2 (lost))) 1 / 3 (heads ?c))
      (when (edge ?c) (not (edge ?c)))))
  (:constants a b))
""".replace("1 / 3", "1/3")
PROBLEM = "(define (problem p) (:domain coins) (:init (lost)) (:goal (and (heads a) (heads b))))"


@pytest.fixture
def env(tmp_path: Path) -> PDDLEnv:
    (tmp_path / "p").mkdir()
    (tmp_path / "coins.pddl").write_text(COINS)
    (tmp_path / "p" / "p.pddl").write_text(PROBLEM)
    made = PDDLEnv(tmp_path / "coins.pddl", tmp_path / "p", dynamic_action_space=True)
    made.reset()
    return made


def text(state: State) -> str:
    return " ".join(sorted(one.pddl_str() for one in state.literals))


def test_outcomes_of_several_literals_are_joint_and_effects_independent(env: PDDLEnv) -> None:
    flip = env.domain.predicates["flip"]()
    transitions = env.get_all_possible_transitions(flip, return_probs=True)
    found = {text(state): probability for (state, _, _, _), probability in transitions}
    assert found == pytest.approx(
        {
            "(heads a) (seen a)": 1 / 8,
            "(heads a) (heads b) (seen a)": 1 / 8,
            "(edge a)": 1 / 4,
            "(edge a) (heads b)": 1 / 4,
            "": 1 / 8,
            "(heads b)": 1 / 8,
        }
    )
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)
    done = {text(state): (reward, done) for (state, reward, done, _), _ in transitions}
    assert [key for key, value in done.items() if value == (1.0, True)] == ["(heads a) (heads b) (seen a)"]
    assert [state for state, *_ in env.get_all_possible_transitions(flip)] == [state for (state, *_), _ in transitions]


def test_equal_successors_are_merged_and_nested_chances_multiplied(env: PDDLEnv) -> None:
    state, spin = env.get_state(), env.domain.predicates["spin"]("a")
    found = pddlgym.get_successor_states(state, spin, env.domain, return_probs=True)
    assert isinstance(found, dict)
    assert {text(one): p for one, p in found.items()} == pytest.approx({"(lost)": 1 / 3, "(heads a) (lost)": 2 / 3})
    assert pddlgym.get_successor_states(state, spin, env.domain) == frozenset(found)
    assert pddlgym.get_successor_state(state, spin, env.domain, get_all_transitions=True, return_probs=True) == found
    pairs = pddlgym.get_all_possible_transitions(state, spin, env.domain, return_probs=True)
    assert dict(pairs) == found  # type: ignore[arg-type]


def test_sampling_follows_the_distribution(env: PDDLEnv) -> None:
    flip = env.domain.predicates["flip"]()
    expected = {text(t[0]): p for t, p in env.get_all_possible_transitions(flip, return_probs=True)}
    count = 4000
    env.seed(11)
    drawn = Counter(text(env.sample_transition(flip)[0]) for _ in range(count))
    statistic = sum((drawn[key] - count * p) ** 2 / (count * p) for key, p in expected.items())
    assert set(drawn) == set(expected) and statistic < 25.7, "chi-squared with 5 degrees of freedom at 1e-4"
    assert text(env.get_state()) == "(lost)", "what is sampled does not happen"


def test_one_seed_fixes_the_outcomes(env: PDDLEnv) -> None:
    flip = env.domain.predicates["flip"]()

    def outcomes(seed: int) -> list[str]:
        env.reset(seed=seed)
        return [text(env.step(flip)[0]) for _ in range(20)]

    assert outcomes(3) == outcomes(3) != outcomes(4)
    state = env.get_state()

    def drawn() -> list[State]:
        np.random.seed(7)
        return [pddlgym.get_successor_state(state, flip, env.domain) for _ in range(10)]

    assert drawn() == drawn()


def test_the_structures_say_what_the_file_does(env: PDDLEnv) -> None:
    effects = env.domain.operators["flip-all"].effects
    assert isinstance(effects, LiteralConjunction)
    first, second, third = effects.literals
    assert isinstance(first, ProbabilisticEffect) and isinstance(second, ProbabilisticEffect)
    assert first.probabilities == [0.25, 0.5, 0.25] and isinstance(third, Literal) and third.is_anti
    assert env.domain.is_probabilistic


def test_a_determinised_domain_does_what_is_most_likely(env: PDDLEnv) -> None:
    state, flip = env.get_state(), env.domain.predicates["flip"]()
    domain = copy.deepcopy(env.domain)
    domain.determinize()
    assert "probabilistic" not in domain.to_string()
    only = pddlgym.get_successor_states(state, flip, domain)
    assert [text(one) for one in only] == ["(edge a) (heads b)"], "the first of equals"
    spun = pddlgym.get_successor_states(state, domain.predicates["spin"]("a"), domain)
    assert [text(one) for one in spun] == ["(heads a) (lost)"]
    assert len(pddlgym.get_successor_states(state, flip, env.domain)) == 6, "the original is as it was"
    env.domain.determinize()
    env.reset()
    assert text(env.step(flip)[0]) == "(edge a) (heads b)"


def hand_made() -> tuple[PDDLDomain, State]:
    """Returns a domain built from structures, with an effect that PDDLGym cannot express."""
    small, big, item = Type("small"), Type("big"), Type("item")
    on = Predicate("on", 1, [item])
    press = Predicate("press", 1, [item])
    x, y = item("?x"), big("?y")
    operator = Operator(
        "push",
        [x],
        LiteralConjunction([press(x), Not(on(x))]),
        LiteralConjunction([on(x), ForAll(When(on(y), Anti(on(y))), y)]),
    )
    domain = PDDLDomain(
        domain_name="hand",
        types={"small": small, "big": big, "item": item},
        type_hierarchy={item: {small, big}},
        predicates={"on": on, "press": press},
        operators={"push": operator},
        actions={"press"},
    )
    objects = frozenset({small("s"), big("b1"), big("b2")})
    return domain, State(frozenset({on("b1"), on("b2")}), objects, LiteralConjunction([on("s")]))


def test_a_domain_made_by_hand_is_run_by_the_engine() -> None:
    domain, state = hand_made()
    on, press = domain.predicates["on"], domain.predicates["press"]
    named = {str.__str__(entity): entity for entity in state.objects}
    state = state.with_literals({on(named["b1"]), on(named["b2"])})
    successor = pddlgym.get_successor_state(state, press(named["s"]), domain)
    assert text(successor) == "(on s)"
    with pytest.raises(pddlgym.InvalidAction):
        pddlgym.get_successor_state(successor, press(named["s"]), domain, raise_error_on_invalid_action=True)
    assert text(pddlgym.get_successor_state(successor, press(named["b1"]), domain)) == "(on b1) (on s)"


def test_operators_may_be_changed_in_place() -> None:
    domain, state = hand_made()
    on, press = domain.predicates["on"], domain.predicates["press"]
    named = {str.__str__(entity): entity for entity in state.objects}
    state = state.with_literals({on(named["b1"])})
    assert text(pddlgym.get_successor_state(state, press(named["s"]), domain)) == "(on s)"
    operator = domain.operators["push"]
    operator.effects = LiteralConjunction([on(operator.params[0])])
    assert text(pddlgym.get_successor_state(state, press(named["s"]), domain)) == "(on b1) (on s)"
    del domain.operators["push"]
    assert pddlgym.get_successor_state(state, press(named["s"]), domain) == state


def test_negation_as_failure_in_a_precondition() -> None:
    domain, state = hand_made()
    operator, on = domain.operators["push"], domain.predicates["on"]
    y = domain.types["item"]("?z")
    assert isinstance(operator.preconds, LiteralConjunction)
    operator.preconds.literals[1] = on(y).negate_as_failure()
    assert "(not (exists (?z - item) (on ?z)))" in operator.pddl_str()
    named = {str.__str__(entity): entity for entity in state.objects}
    press = domain.predicates["press"](named["s"])
    lit, dark = state.with_literals({on(named["b1"])}), state.with_literals(())
    assert pddlgym.get_successor_state(lit, press, domain) == lit
    assert text(pddlgym.get_successor_state(dark, press, domain)) == "(on s)"
