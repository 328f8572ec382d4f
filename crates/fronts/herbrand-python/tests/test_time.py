"""Environments and plans with time."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herbrand

CELLAR = """(define (domain cellar)
  (:requirements :typing :durative-actions :duration-inequalities :numeric-fluents)
  (:types match fuse)
  (:predicates (light ?m - match) (unused ?m - match) (free) (mended ?f - fuse) (rested))
  (:durative-action strike :parameters (?m - match) :duration (= ?duration 5)
    :condition (at start (unused ?m))
    :effect (and (at start (not (unused ?m))) (at start (light ?m)) (at end (not (light ?m)))))
  (:durative-action blow :parameters (?m - match) :duration (= ?duration 0.5)
    :condition (at start (light ?m)) :effect (at start (not (light ?m))))
  (:durative-action mend :parameters (?f - fuse ?m - match) :duration (= ?duration 2)
    :condition (and (at start (free)) (over all (light ?m)))
    :effect (and (at start (not (free))) (at end (mended ?f)) (at end (free))))
  (:durative-action rest :parameters () :duration (and (>= ?duration 1) (<= ?duration 3))
    :condition (at start (free)) :effect (at end (rested))))"""

PROBLEM = """(define (problem two) (:domain cellar) (:objects m1 m2 - match f1 f2 - fuse)
  (:init (unused m1) (unused m2) (free)) (:goal (and (mended f1) (mended f2) (rested)))
  (:metric minimize (total-time)))"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    domain, problem = tmp_path / "cellar.pddl", tmp_path / "two.pddl"
    domain.write_text(CELLAR)
    problem.write_text(PROBLEM)
    return domain, problem


def names(env: Any) -> list[str]:
    return [env.action_name(int(action)) for action in env.valid_actions()]


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
def test_actions_start_run_and_end(files: tuple[Path, Path], engine: Any) -> None:
    env: Any = herbrand.make(*files, engine=engine, observation="bits-and-numbers")
    env.reset(seed=0)
    assert names(env) == ["(strike m1)", "(strike m2)", "(rest)"]

    def take(name: str) -> float:
        _, reward, *_ = env.step(env.action_id(name))
        return float(reward)

    assert take("(strike m1)") == 0 and take("(mend f1 m1)") == -0.001
    assert "(wait)" in names(env) and "(blow m1)" not in names(env)
    why = env.explain("(blow m1)")
    assert "would break (light m1), which (mend f1 m1) needs until 2.001" in str(why)
    saved = env.state
    assert saved.numbers["(mend.remaining f1 m1)"] == 2 and saved.numbers["(strike.elapsed m1)"] == 0.001
    assert take("(wait)") == -2
    assert "(mended f1)" in {str(atom) for atom in env.state.changing}
    env.set_state(saved)
    assert "(wait)" in names(env) and take("(wait)") == -2
    take("(rest)")
    assert "(rest.end)" not in names(env)
    take("(wait)")
    assert "(rest.end)" in names(env)


def test_masks_batches_and_copies_agree(files: tuple[Path, Path]) -> None:
    env: Any = herbrand.make(*files, horizon=40, observation="bits-and-numbers")
    _, info = env.reset(seed=1)
    for _ in range(100):
        assert np.flatnonzero(info["action_mask"]).tolist() == env.valid_actions().tolist()
        if info["dead_end"]:
            break
        twin = pickle.loads(pickle.dumps(env.state))
        assert twin == env.state
        _, _, terminated, truncated, info = env.step(env.sample())
        if terminated or truncated:
            break
    batch: Any = herbrand.make_vec(files[0], 3, problem=files[1], horizon=40, observation="bits-and-numbers")
    _, info = batch.reset(seed=1)
    for _ in range(60):
        mask = info["action_mask"]
        actions = [int(np.flatnonzero(row)[0]) if row.any() else 0 for row in mask]
        _, rewards, *_, info = batch.step(np.array(actions))
        assert (rewards <= 0).all()


def test_observations_have_remaining_times(files: tuple[Path, Path]) -> None:
    env: Any = herbrand.make(*files, observation="bits-and-numbers")
    env.reset(seed=0)
    env.step(env.action_id("(strike m2)"))
    observation, *_ = env.step(env.action_id("(wait)"))
    assert 5 in observation["numbers"]


def test_plans_with_times_are_found_and_validated(files: tuple[Path, Path]) -> None:
    domain, problem = files
    answer = herbrand.tasks.plan(str(domain), str(problem))
    steps = answer["plan"]
    assert answer["solvable"] and all(step.endswith("]") for step in steps)
    report = herbrand.tasks.validate(str(domain), str(problem), plan="\n".join(steps))
    assert report["valid"] and report["makespan"] == answer["cost"]


def test_what_has_no_clock_refuses_time(files: tuple[Path, Path]) -> None:
    env = herbrand.make(*files, observation="bits-and-numbers")
    env.reset(seed=0)
    task: Any = env.task
    for search in (task.plan, task.policy, task.state_space):
        with pytest.raises(herbrand.HerbrandError, match="has no clock"):
            search()
