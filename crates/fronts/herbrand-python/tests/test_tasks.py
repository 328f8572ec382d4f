"""Tests of the tasks of the engine as functions."""

from __future__ import annotations

import inspect
import os
import signal
import threading
import time
from typing import Any

import herbrand
import pytest
from herbrand import tasks


def test_each_task_of_the_engine_is_a_function_with_its_options() -> None:
    functions = {name: value for name, value in vars(tasks).items() if name in tasks.__all__ and inspect.isfunction(value)}
    assert functions.keys() == tasks._TASKS.keys() == set(tasks.__all__) - {"TaskFunction"}
    for name, task in tasks._TASKS.items():
        document = inspect.getdoc(functions[name]) or ""
        assert document.startswith(task["about"])
        for option in task["options"]:
            assert f"{option} : " in document and option in inspect.signature(functions[name]).parameters


def test_problems_are_given_as_for_environments() -> None:
    domain = """(define (domain coin) (:predicates (heads)) (:action turn :effect (heads)))"""
    problem = "(define (problem p) (:domain coin) (:init) (:goal (heads)))"
    suite = herbrand.suite("blocks", split="train")
    for given, steps in (((domain, problem), 1), ((suite, "01"), 4), (("blocks", "train/01"), 4)):
        answer = tasks.plan(*given, optimal=True)
        assert answer["outcome"] == "plan" and answer["proven_optimal"] and len(answer["plan"]) == steps
        plan = herbrand.plan(*given) if given[0] is not suite else "\n".join(answer["plan"])
        assert tasks.validate(*given, plan=plan)["valid"]
    assert tasks.rollout("rddl/elevators", "1", episodes=3)["episodes"] == 3
    assert tasks.rollout("pddlworld/blocks@3", episodes=2, steps=5)["episodes"] == 2


def test_a_policy_answers_with_its_value() -> None:
    answer = tasks.plan("river", "train/01", planner="value-iteration", runs=5)
    assert answer["exact"] and 0 < answer["goal_probability"] <= 1 and answer["runs"]["count"] == 5


def test_what_does_not_fit_is_told_in_the_words_of_python() -> None:
    plan: Any = tasks.plan
    with pytest.raises(TypeError, match="plan has no option `planer`; did you mean `planner`"):
        plan("blocks", planer="lazy")
    with pytest.raises(ValueError, match="`determinize` expected one of all-outcomes, most-likely"):
        plan("blocks", determinize="none")
    with pytest.raises(ValueError, match="`t_norm` supports only RDDL"):
        plan("blocks", t_norm="godel")
    with pytest.raises(ValueError, match="`hidden` needs `planner` reactive"):
        plan("rddl/elevators", hidden=[3])
    with pytest.raises(ValueError, match="supports only RDDL"):
        plan("blocks", planner="cross-entropy")
    with pytest.raises(herbrand.UnknownNameError):
        plan("blocks", "train/99")
    with pytest.raises(herbrand.ParseError):
        plan("(define (domain", "(define (problem")
    with pytest.raises(herbrand.LimitError, match="CPU time"):
        tasks.rollout("blocks", episodes=10**7, cpu_time=0.1)


def test_limits_of_time_end_a_search() -> None:
    answer = tasks.plan("sokoban", "test/10", planner="astar-blind", time="50ms")
    assert answer["outcome"] == "out-of-time"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by os.kill")
@pytest.mark.parametrize("task", ["plan", "rollout"])
def test_ctrl_c_ends_a_task(task: str) -> None:
    options: dict[str, Any] = {"planner": "astar-blind"} if task == "plan" else {"episodes": 10**9}
    # A job in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        getattr(tasks, task)("sokoban", "test/10", time=60, **options)
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 30
