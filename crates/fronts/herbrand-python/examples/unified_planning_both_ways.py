#!/usr/bin/env python3
"""Unified Planning in both directions: its engines solve a bundled problem, and Herbrand solves one of its problems.

Needs `pip install 'herbrand[unified-planning]' up-fast-downward`. Without Fast Downward the first part is skipped.

usage: unified_planning_both_ways.py [--domain gripper] [--problem train/01] [--engine fast-downward]
"""

from __future__ import annotations

import argparse
import importlib.util

from unified_planning.shortcuts import (
    BoolType,
    Fluent,
    InstantaneousAction,
    Object,
    OneshotPlanner,
    PlanValidator,
    Problem,
    UserType,
    get_environment,
)

import herbrand
from herbrand.compat import unified_planning as bridge


def solved_there(domain: str, problem: str, engine: str) -> int:
    """Solves a bundled problem with a Unified Planning engine, executes the plan, and returns its length."""
    task = herbrand.load(domain, problem)
    exported = bridge.to_unified(task)
    with OneshotPlanner(name=engine) as planner:
        plan = planner.solve(exported).plan
    state = task.initial_state
    for action in bridge.to_actions(plan, exported):
        state = task.apply(state, str(action))
    assert state.is_goal
    return len(plan.actions)


def lamps(count: int) -> Problem:
    """Returns a Unified Planning problem: a switch turns a lamp on if the previous lamp is on."""
    lamp = UserType("Lamp")
    burns, follows = Fluent("burns", BoolType(), lamp=lamp), Fluent("follows", BoolType(), lamp=lamp, other=lamp)
    switch = InstantaneousAction("switch", lamp=lamp, other=lamp)
    one, other = switch.parameter("lamp"), switch.parameter("other")
    switch.add_precondition(burns(one))
    switch.add_precondition(follows(one, other))
    switch.add_effect(burns(other), True)
    problem = Problem("lamps")
    problem.add_fluent(burns, default_initial_value=False)
    problem.add_fluent(follows, default_initial_value=False)
    problem.add_action(switch)
    row = [Object(f"lamp{index}", lamp) for index in range(count)]
    problem.add_objects(row)
    problem.set_initial_value(burns(row[0]), True)
    for before, after in zip(row, row[1:]):
        problem.set_initial_value(follows(before, after), True)
    problem.add_goal(burns(row[-1]))
    return problem


def solved_here(count: int) -> tuple[int, bool]:
    """Solves a Unified Planning problem; returns the plan's length and whether its validator accepts the plan."""
    problem = lamps(count)
    plan = bridge.to_unified_plan(bridge.to_task(problem).plan(planner="astar-lmcut"), problem)
    with PlanValidator(problem_kind=problem.kind, plan_kind=plan.kind) as validator:
        return len(plan.actions), bool(validator.validate(problem, plan))


def main() -> None:
    """Runs both directions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="gripper")
    parser.add_argument("--problem", default="train/01")
    parser.add_argument("--engine", default="fast-downward")
    options = parser.parse_args()
    get_environment().credits_stream = None
    if options.engine == "fast-downward" and importlib.util.find_spec("up_fast_downward") is None:
        print("fast-downward: left out, up-fast-downward is not installed")
    else:
        length = solved_there(options.domain, options.problem, options.engine)
        print(f"{options.engine} solves {options.domain} {options.problem} in {length} actions, carried out here")
    length, valid = solved_here(6)
    print(f"Herbrand solves lamps in {length} actions, {'accepted' if valid else 'refused'} by Unified Planning")


if __name__ == "__main__":
    main()
