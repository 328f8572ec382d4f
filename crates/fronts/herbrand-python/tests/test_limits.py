"""Tests of limits of time and memory."""

from __future__ import annotations

import _thread
import pickle
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

import herbrand
from herbrand import Domain, LiftedTask, Limits, Problem, Task
from herbrand.rddl import RddlPlanner

# With sixteen objects and six parameters there are sixteen million actions.
DOMAIN = """
(define (domain wide) (:predicates (a ?x) (done))
  (:action all :parameters (?a ?b ?c ?d ?e ?f)
    :precondition (and (a ?a) (a ?b) (a ?c) (a ?d) (a ?e) (a ?f)) :effect (done)))
"""
STEP = """
(define (domain wide) (:predicates (a ?x) (b ?x ?y) (done))
  (:action all :effect (and (done) (forall (?a ?b ?c ?d) (when (and (a ?a) (a ?b) (a ?c) (a ?d)) (and (b ?a ?b) (b ?c ?d)))))))
"""


def problem(objects: int) -> str:
    names = [f"o{index}" for index in range(objects)]
    facts = " ".join(f"(a {name})" for name in names)
    return f"(define (problem p) (:domain wide) (:objects {' '.join(names)}) (:init {facts}) (:goal (done)))"


TIGHT = Limits(memory=4_000_000)


def test_compiling_within_limits() -> None:
    domain = Domain(DOMAIN)
    large, small = (Problem(problem(count), domain) for count in (16, 2))
    for limits in (TIGHT, {"memory": 4_000_000}, Limits(time=0.01), {"time": 0.01, "memory": None}):
        for make in (
            lambda: Task(domain, large, limits=limits),  # noqa: B023
            lambda: herbrand.load(domain, large, limits=limits),  # noqa: B023
            lambda: herbrand.make(domain, large, limits=limits),  # noqa: B023
            lambda: herbrand.VecEnv(domain, problem=large, limits=limits),  # noqa: B023
            lambda: herbrand.suite(domain, large, limits=limits).task(0),  # noqa: B023
        ):
            with pytest.raises(herbrand.LimitError, match="limit of"):
                make()
    assert issubclass(herbrand.LimitError, herbrand.GroundingError) and issubclass(herbrand.LimitError, herbrand.StepError)
    assert Task(domain, small, limits=TIGHT).ground_actions
    observation, _ = herbrand.make(domain, small, limits=TIGHT).reset(seed=1)
    assert len(observation) > 0


def test_automatic_leaves_grounding_when_a_limit_is_reached() -> None:
    limits = Limits(memory=200_000)
    assert herbrand.make("sokoban", limits=limits, engine="automatic").engine == "lifted"
    assert herbrand.make("blocks", 0, limits=limits, engine="automatic").engine == "grounded"
    with pytest.raises(herbrand.LimitError):
        herbrand.make("sokoban", limits=limits)


def test_steps_of_the_lifted_engine_within_limits() -> None:
    domain = Domain(STEP)
    large = Problem(problem(40), domain)
    task = LiftedTask(domain, large, limits=TIGHT)
    with pytest.raises(herbrand.LimitError, match="limit of"):
        task.apply(task.initial_state, "(all)")
    env = herbrand.make(domain, large, limits=TIGHT, engine="lifted")
    env.reset(seed=1)
    with pytest.raises(herbrand.LimitError):
        env.step(0)
    envs = herbrand.VecEnv(domain, problem=large, limits=TIGHT, engine="lifted", num_envs=2)
    envs.reset(seed=1)
    with pytest.raises(herbrand.LimitError):
        envs.step([0, 0])


def test_suites_keep_their_limits() -> None:
    suite = herbrand.suite("blocks", limits={"time": 2.5, "memory": 10**9})
    assert suite.limits == pickle.loads(pickle.dumps(suite)).limits == (2.5, 10**9)
    assert suite.select(0).limits == suite.split("test").limits == suite.limits
    assert herbrand.suite(suite).limits == suite.limits and herbrand.suite("blocks").limits == (None, None)
    assert herbrand.make(suite).suite.limits == suite.limits


@pytest.mark.parametrize(
    ("wrong", "error"),
    [(3, TypeError), ("1GB", TypeError), ({"tim": 1}, TypeError), ({"time": -1}, ValueError), ({"memory": 0.5}, ValueError)],
)
def test_what_are_no_limits_is_refused(wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        herbrand.make("blocks", limits=wrong)


def test_limits_are_written_as_for_the_program() -> None:
    assert Limits("10s", "2GiB") == Limits(time=10, memory=2 * 1024**3) == Limits("10", 2.0 * 1024**3)
    assert Limits("1m 30s", "500MB") == Limits(90.0, 500_000_000)
    assert pickle.loads(pickle.dumps(Limits("1s"))) == Limits(1.0)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"time": "10 parsecs"}, "a duration such as '10s', not \"10 parsecs\": unknown time unit"),
        ({"time": "-3"}, "number of seconds, or a duration"),
        ({"time": float("nan")}, "number of seconds from 0.*not nan"),
        ({"time": [1]}, "number of seconds from 0"),
        ({"memory": "lots"}, "a size such as '2GiB', not \"lots\""),
        ({"memory": 1.5}, "number of bytes from 0.*not 1.5"),
        ({"memory": float("inf")}, "number of bytes from 0.*not inf"),
        ({"memory": -1}, "number of bytes from 0"),
    ]
    for fields, message in wrong:
        with pytest.raises(ValueError, match=message):
            Limits(**fields)
        with pytest.raises(ValueError, match=message):
            herbrand.make("blocks", 0, limits=fields)
    with pytest.raises(TypeError, match="limits are a herbrand.Limits or a mapping, not 10"):
        herbrand.make("blocks", 0, limits=10)  # type: ignore[arg-type]


def test_plans_take_time_and_memory_by_themselves() -> None:
    task = herbrand.load("ferry", "train/01")
    assert task.plan(time=10, memory="1GiB") and task.plan(time="10s")
    assert task.plan(time=0).outcome == task.plan(limits={"time": "1m"}, time="0s").outcome == "out-of-time"
    assert task.plan(limits={"time": 0}, memory="1GiB").outcome == "out-of-time"
    assert herbrand.plan("ferry", "train/01", time="10s")
    with pytest.raises(herbrand.LimitError):
        herbrand.plan("sokoban", "test/01", memory="20kB")
    with pytest.raises(herbrand.LimitError):
        herbrand.load("river", "train/01").policy(time=0)


@pytest.mark.parametrize("call", ["load", "make", "evaluate", "plan"])
def test_ctrl_c_ends_what_takes_long(call: str) -> None:
    elevators = herbrand.load("rddl/elevators")
    assert isinstance(elevators, herbrand.RddlTask)
    planner = RddlPlanner(elevators, planner="uct", iterations=10**6)
    plans = RddlPlanner(elevators, iterations=10**6)
    calls: dict[str, Callable[[], object]] = {
        "load": lambda: herbrand.load(DOMAIN, problem(30)),
        "make": lambda: herbrand.make(DOMAIN, problem(30), engine="grounded"),
        "evaluate": lambda: planner.evaluate(episodes=10**6),
        "plan": plans.plan,
    }
    # Background processes of a shell ignore Ctrl-C, and the tests may run as one.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            calls[call]()
    finally:
        signal.signal(signal.SIGINT, before)
