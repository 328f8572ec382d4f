"""Tests of learned action models."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import herbrand
import pytest
from herbrand import learning

LAMPS = """(define (domain lamps) (:requirements :strips :typing :negative-preconditions) (:types lamp)
  (:predicates (on ?l - lamp) (broken ?l - lamp))
  (:action press :parameters (?l - lamp) :precondition (and (not (on ?l)) (not (broken ?l))) :effect (on ?l)))"""
VOCABULARY = """(define (domain lamps) (:requirements :strips :typing) (:types lamp)
  (:predicates (on ?l - lamp) (broken ?l - lamp)) (:action press :parameters (?l - lamp)))"""
PROBLEM = "(define (problem p) (:domain lamps) (:objects a b c - lamp) (:init (broken c)) (:goal (and (on a) (on b))))"


@pytest.mark.parametrize("learner", ["foldt", "safe"])
def test_a_model_is_learned_and_judged(learner: learning.LearnerName) -> None:
    operators = learner == "safe"
    seen = learning.explore("gripper", split="train", operators=operators, episodes=60)
    model = learning.learn(seen, learner=learner)
    assert model.omitted == {} and set(model.actions.values()) == {"move", "pick", "drop"} or operators
    assert herbrand.Domain(model.to_pddl()) == model.domain
    unseen = learning.explore("gripper", split="test", operators=operators, episodes=10, seed=1)
    prediction = model.predict(unseen)
    assert prediction == learning.Prediction(len(unseen), 0, 0, 0, 0.0)
    assert model.distance("gripper", unseen, operators=operators) == 0.0
    solved = model.solve("gripper", "test/01", operators=operators)
    assert solved.solved == len(solved) == 1 and solved.share == 1.0
    assert solved.verdicts == {"test/01": "works"} and list(solved) == ["test/01"]


def test_transitions_are_a_sequence_and_can_be_recorded_again() -> None:
    seen = learning.explore("ferry", split="train", episodes=10)
    assert len(seen) > 100 and len(seen[:5]) == 5 and seen[-1] == seen[len(seen) - 1]
    refused = [one for one in seen if one.next_state is None]
    assert refused and len(refused) < len(seen)
    with pytest.raises(IndexError, match="no transition"):
        seen[len(seen)]
    for one, following in zip(seen[:20], seen[1:21]):
        if one.problem == following.problem and one.next_state is not None:
            assert following.state == one.next_state or following.state == frozenset(one.problem.init)
    again = learning.record(herbrand.suite("ferry"), seen)
    assert list(again) == list(seen)
    assert learning.learn(again).to_pddl() == learning.learn(seen).to_pddl()


def test_steps_of_tasks_are_recorded() -> None:
    task = herbrand.load(LAMPS, PROBLEM)
    state = task.initial_state
    steps: list[learning.TransitionLike] = []
    for action in ("(press a)", "(press b)"):
        following = task.apply(state, action)
        steps.append((task.problem, state, action, following))
        state = following
    steps.append((task.problem, state, "(press c)", None))
    steps.append((task.problem, state, "(press a)", None))
    model = learning.learn(learning.record(task.domain, steps), learner="safe")
    (press,) = model.domain.operators
    assert "(not (broken ?l))" in str(press.precondition) and str(press.effect) == "(on ?l)"
    assert model.solve(herbrand.suite(LAMPS, PROBLEM)).share == 1.0


def test_actions_need_no_model() -> None:
    domain = herbrand.Domain(VOCABULARY)
    problem = herbrand.Problem(PROBLEM, domain)
    steps: list[Any] = [
        (problem, [], "(press a)", [("on", "a")]),
        (problem, ["(on a)"], ("press", "b"), ["(on a)", herbrand.Atom("on", "b")]),
        (problem, ["(on a)", "(on b)"], herbrand.Action("press", "c"), None),
    ]
    seen = learning.record(domain, steps)
    assert [len(one.state) for one in seen] == [1, 2, 3], "what never changes is added"
    model = learning.learn(seen)
    assert model.predict(seen).error == 0.0
    assert "(broken" in model.to_pddl() or "(on" in model.to_pddl()


def test_all_faults_of_a_recording_are_told() -> None:
    domain = herbrand.Domain(VOCABULARY)
    problem = herbrand.Problem(PROBLEM, domain)
    other = herbrand.load("blocks").problem
    steps: list[Any] = [
        (problem, ["(onn a)"], "(press a)", ["(on d)"]),
        (problem, [], "(pres a)", None),
        (problem, [], "(press a b)", None),
        (other, [], "(press a)", None),
    ]
    with pytest.raises(herbrand.LearningError) as caught:
        learning.record(domain, steps)
    text = str(caught.value)
    for fault in (
        "transition 1, state: there is no predicate `onn`; did you mean `on`?",
        "transition 1, next state: there is no object `d`",
        "transition 2, action: there is no action `pres`; did you mean `press`?",
        "transition 3, action: press has 1 argument(s), not 2",
        "is not one of the domain lamps",
    ):
        assert fault in text, text
    with pytest.raises(herbrand.UnknownNameError):
        learning.record(domain, [(problem, ["((on a)"], "(press a)", None)])


def test_what_cannot_be_learned_is_told() -> None:
    seen = learning.explore("ferry", split="train", episodes=10)
    with pytest.raises(herbrand.LearningError, match="parameters name everything"):
        learning.learn(seen, learner="safe")
    with pytest.raises(herbrand.LimitError):
        learning.learn(seen, limits=herbrand.Limits(time=0))
    with pytest.raises(herbrand.LimitError):
        learning.learn(seen, limits={"memory": 1000})
    with pytest.raises(ValueError, match="foldt"):
        learning.learn(seen, learner="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mixed"):
        learning.explore("ferry", policy="all")  # type: ignore[arg-type]
    model = learning.learn(seen)
    blocks = learning.explore("blocks", episodes=2)
    with pytest.raises(herbrand.LearningError, match="another domain"):
        model.predict(blocks)
    with pytest.raises(herbrand.LearningError, match="another domain"):
        model.solve("blocks", "01")


def test_models_of_others_are_judged() -> None:
    seen = learning.explore("tireworld", operators=True, episodes=200)
    true = herbrand.suite("tireworld").domain
    model = learning.LearnedModel.from_domain(true, seen)
    assert model.distance("tireworld", seen, operators=True) == 0.0 and model.predict(seen).wrong == 0
    careless = herbrand.Domain(true.to_pddl().replace("(vehicle-at ?location)", "(and)", 1))
    assert learning.LearnedModel.from_domain(careless, seen).predict(seen).unsound > 0
    with pytest.raises(herbrand.LearningError, match="other types"):
        learning.LearnedModel.from_domain(herbrand.suite("blocks").domain, seen)


def test_probabilities_are_counted() -> None:
    seen = learning.explore("tireworld", split="train", episodes=100)
    model = learning.learn(seen)
    assert "probabilistic" in model.to_pddl()
    unseen = learning.explore("tireworld", split="test", episodes=10, seed=1)
    assert model.distance("tireworld", unseen) < 0.05
    assert 0.1 < model.predict(unseen).error < 0.5


def test_ctrl_c_ends_learning() -> None:
    import _thread

    # Learning takes several seconds.
    seen = learning.explore("depot", split="train", episodes=2000)
    # Background processes of a shell ignore Ctrl-C, and the tests may run as one.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, _thread.interrupt_main).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            learning.learn(seen)
        assert time.monotonic() - began < 10
    finally:
        signal.signal(signal.SIGINT, before)
