"""Tests of the conversion of Unified Planning's problems and plans, and of Herbrand as an engine."""

from __future__ import annotations

from typing import Any

import pytest

import herbrand

pytest.importorskip("unified_planning", reason="Unified Planning is not installed")
from unified_planning.engines import OptimalityGuarantee  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.exceptions import UPUsageError  # noqa: E402
from unified_planning.shortcuts import (  # noqa: E402
    BoolType,
    Fluent,
    InstantaneousAction,
    MinimizeActionCosts,
    Not,
    Object,
    OneshotPlanner,
    PlanValidator,
    Problem,
    UserType,
    get_environment,
)

from herbrand.compat import unified_planning as bridge  # noqa: E402

get_environment().credits_stream = None


def corridor(rooms: int, locked: bool = False) -> Any:
    """Returns a corridor problem built by Unified Planning's calls, with names that PDDL does not allow."""
    room = UserType("Room No")
    at, door = Fluent("robot at", BoolType(), r=room), Fluent("door", BoolType(), a=room, b=room)
    move = InstantaneousAction("Move!", a=room, b=room)
    a, b = move.parameter("a"), move.parameter("b")
    for condition in (at(a), door(a, b), Not(at(b))):
        move.add_precondition(condition)
    move.add_effect(at(a), False)
    move.add_effect(at(b), True)
    problem = Problem("corridor")
    for fluent in (at, door):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_action(move)
    objects = [Object(f"Room {index}", room) for index in range(rooms)]
    problem.add_objects(objects)
    for first, second in zip(objects, objects[1:]):
        problem.set_initial_value(door(first, second), not locked)
    problem.set_initial_value(at(objects[0]), True)
    problem.add_goal(at(objects[-1]))
    problem.add_quality_metric(MinimizeActionCosts({move: 1}))
    return problem


def engine(**options: Any) -> Any:
    return OneshotPlanner(**options)


def is_valid(problem: Any, plan: Any) -> bool:
    chosen: Any = PlanValidator(problem_kind=problem.kind, plan_kind=plan.kind)
    with chosen as validator:
        return bool(validator.validate(problem, plan))


def test_problems_of_unified_planning_are_planned_for() -> None:
    problem = corridor(5)
    task = bridge.to_task(problem)
    found = task.plan()
    plan = bridge.to_unified_plan(found, problem)
    assert [str(step) for step in plan.actions][0] == "Move!(Room 0, Room 1)"
    assert len(plan.actions) == 4
    assert is_valid(problem, plan)
    assert bridge.to_actions(plan, problem) == found.actions


@pytest.mark.parametrize("domain", ["blocks", "gripper", "ferry", "hanoi", "tsp"])
def test_bundled_problems_go_there_and_back(domain: str) -> None:
    task = herbrand.load(domain, "train/01")
    problem = bridge.to_unified(task)
    again = bridge.to_task(problem)
    assert len(again.valid_actions(again.initial_state)) == len(task.valid_actions(task.initial_state))
    plan = bridge.to_unified_plan(again.plan(), problem)
    assert is_valid(problem, plan)
    # The plan is valid in the original task.
    state = task.initial_state
    for action in bridge.to_actions(plan, problem):
        state = task.apply(state, str(action))
    assert state.is_goal


def test_fast_downward_solves_what_is_exported() -> None:
    pytest.importorskip("up_fast_downward", reason="Fast Downward is not installed")
    for domain in ("blocks", "gripper"):
        task = herbrand.load(domain, "train/01")
        problem = bridge.to_unified(task)
        with engine(name="fast-downward") as planner:
            result = planner.solve(problem)
        assert result.plan is not None
        state = task.initial_state
        for action in bridge.to_actions(result.plan, problem):
            state = task.apply(state, str(action))
        assert state.is_goal


def test_herbrand_is_an_engine() -> None:
    problem = corridor(5)
    with engine(name="herbrand") as planner:
        result = planner.solve(problem, timeout=60)
    assert result.status is Status.SOLVED_SATISFICING
    assert is_valid(problem, result.plan)
    with engine(name="herbrand", optimality_guarantee="SOLVED_OPTIMALLY") as planner:
        result = planner.solve(problem)
    assert result.status is Status.SOLVED_OPTIMALLY
    assert len(result.plan.actions) == 4
    with engine(name="herbrand", params={"planner": "width"}) as planner:
        assert is_valid(problem, planner.solve(problem).plan)
    with engine(name="herbrand") as planner:
        assert planner.solve(corridor(5, locked=True)).status is Status.UNSOLVABLE_PROVEN


def test_the_engine_is_chosen_for_what_it_supports() -> None:
    assert bridge.HerbrandPlanner.supports(corridor(3).kind)
    assert bridge.HerbrandPlanner.satisfies(OptimalityGuarantee.SATISFICING)
    assert not bridge.HerbrandPlanner.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    assert bridge.HerbrandOptimalPlanner.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    with pytest.raises(UPUsageError, match="planner is one of"):
        bridge.HerbrandPlanner(planner="fast")  # type: ignore[arg-type]


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="Unified Planning does not read"):
        bridge.to_unified(herbrand.load("tireworld", "train/01"))
    unsolvable = corridor(4, locked=True)
    with pytest.raises(ValueError, match="there is no plan: proven-unsolvable"):
        bridge.to_unified_plan(bridge.to_task(unsolvable).plan(), unsolvable)
    stranger = herbrand.load("blocks", "train/01")
    with pytest.raises(ValueError, match="is no action of the problem"):
        bridge.to_unified_plan(stranger.plan(), unsolvable)
