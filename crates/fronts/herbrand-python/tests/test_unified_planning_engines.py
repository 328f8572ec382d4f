"""Tests of Herbrand as Unified Planning's engines, on its own example problems and with the logic of its own tests."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="Unified Planning is not installed")
from unified_planning.engines import CompilationKind, OperationMode, SequentialPlanValidator  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.engines import ValidationResultStatus as Verdict  # noqa: E402
from unified_planning.engines.results import POSITIVE_OUTCOMES  # noqa: E402
from unified_planning.exceptions import UPProblemDefinitionError, UPUnsupportedProblemTypeError  # noqa: E402
from unified_planning.model.fluent import get_all_fluent_exp  # noqa: E402
from unified_planning.plans import ActionInstance, SequentialPlan  # noqa: E402
from unified_planning.engines import UPSequentialSimulator  # noqa: E402
from unified_planning.environment import Environment, get_environment  # noqa: E402
from unified_planning.test.examples import get_example_problems  # noqa: E402
from unified_problems import Drawn  # noqa: E402

from herbrand.compat import unified_planning as bridge  # noqa: E402
from herbrand.compat.unified_planning.kinds import contested  # noqa: E402

get_environment().credits_stream = None

EXAMPLES: dict[str, Any] = get_example_problems()
SIMULATED = [name for name, one in EXAMPLES.items() if bridge.HerbrandSimulator.supports(one.problem.kind)]
PLANNED = [name for name, one in EXAMPLES.items() if bridge.HerbrandPlanner.supports(one.problem.kind)]
DRAWN = int(os.environ.get("UNIFIED_PROBLEMS", "8"))


def is_valid(problem: Any, plan: Any) -> bool:
    """Returns the verdict of Unified Planning's own validator."""
    return bool(SequentialPlanValidator().validate(problem, plan))


def is_same(one: Any, other: Any) -> bool:
    """Returns whether two constants are the same value; a number may be an integer or a real."""
    return bool(one == other or one.constant_value() == other.constant_value())


def compare(problem: Any, walks: int, steps: int, seed: int) -> list[ActionInstance]:
    """Walks with both simulators and compares all that they say; returns the steps of the last walk."""
    ours, theirs = bridge.HerbrandSimulator(problem), UPSequentialSimulator(problem)
    draw = random.Random(seed)
    walked: list[ActionInstance] = []
    fluents = [one for fluent in problem.fluents for one in get_all_fluent_exp(problem, fluent)]
    for _ in range(walks):
        state: Any = theirs.get_initial_state()
        own: Any = ours.get_initial_state()
        walked = []
        for _ in range(steps):
            for fluent in fluents:
                assert is_same(own.get_value(fluent), state.get_value(fluent)), fluent
            applicable = applicable_there(theirs, state)
            assert own_actions(ours, own, theirs) == set(applicable)
            assert ours.is_goal(own) == theirs.is_goal(state)
            assert ours.get_unsatisfied_goals(own) == theirs.get_unsatisfied_goals(state)
            if not applicable:
                break
            action, arguments = draw.choice(applicable)
            assert ours.is_applicable(own, action, arguments)
            walked.append(ActionInstance(action, arguments))
            state, own = theirs.apply(state, action, arguments), ours.apply(own, action, arguments)
    return walked


def applicable_there(simulator: Any, state: Any) -> list[tuple[Any, Any]]:
    """Returns the applicable actions of Unified Planning's simulator."""
    try:
        listed = list(simulator.get_applicable_actions(state))
    except AssertionError:
        pytest.skip("Unified Planning's simulator fails an assertion of its own")
    # Its `is_applicable` does not see all violations of bounds; its `apply` does.
    return [one for one in listed if simulator.apply(state, *one) is not None]


def own_actions(simulator: Any, state: Any, other: Any) -> set[tuple[Any, Any]]:
    """Returns the applicable actions of Herbrand's simulator.

    If two unconditional effects assign a number, Unified Planning drops the ground action, even if the values are equal.
    """
    listed = set(simulator.get_applicable_actions(state))
    if not contested(simulator._problem):
        return listed
    return {one for one in listed if other._ground_action(*one) is not None}


def test_the_import_registers_all_engines() -> None:
    factory = get_environment().factory
    modes = {
        "herbrand": OperationMode.ONESHOT_PLANNER,
        "herbrand-opt": OperationMode.ONESHOT_PLANNER,
        "herbrand-anytime": OperationMode.ANYTIME_PLANNER,
        "herbrand-replanner": OperationMode.REPLANNER,
        "herbrand-validator": OperationMode.PLAN_VALIDATOR,
        "herbrand-simulator": OperationMode.SEQUENTIAL_SIMULATOR,
        "herbrand-grounder": OperationMode.COMPILER,
    }
    kind = EXAMPLES["basic_with_costs"].problem.kind
    for name, mode in modes.items():
        assert getattr(factory.engine(name), f"is_{mode.value}")()
        assert name in factory.get_all_applicable_engines(kind, mode)
    strict = factory.get_all_applicable_engines(kind, optimality_guarantee="SOLVED_OPTIMALLY")
    assert "herbrand-opt" in strict and "herbrand" not in strict
    mode = OperationMode.ANYTIME_PLANNER
    assert "herbrand-anytime" in factory.get_all_applicable_engines(kind, mode, anytime_guarantee="INCREASING_QUALITY")
    assert "herbrand-anytime" not in factory.get_all_applicable_engines(kind, mode, anytime_guarantee="OPTIMAL_PLANS")
    preferred = list(factory.preference_list)
    bridge.register()
    assert factory.preference_list == preferred
    fresh = Environment()
    assert "herbrand" not in fresh.factory.engines
    bridge.register(fresh)
    assert "herbrand-simulator" in fresh.factory.engines


@pytest.mark.parametrize("name", SIMULATED)
def test_the_simulator_agrees_on_the_examples(name: str) -> None:
    compare(EXAMPLES[name].problem, walks=1, steps=5, seed=1)


@pytest.mark.parametrize("name", SIMULATED)
def test_the_validator_agrees_on_the_examples(name: str) -> None:
    example, validator, other = EXAMPLES[name], bridge.HerbrandValidator(), SequentialPlanValidator()
    assert validator.supports_plan(example.valid_plans[0].kind)
    for plan in [*example.valid_plans, *example.invalid_plans]:
        result, expected = validator.validate(example.problem, plan), other.validate(example.problem, plan)
        assert result.status == expected.status == (Verdict.VALID if plan in example.valid_plans else Verdict.INVALID)
        assert result.metric_evaluations == expected.metric_evaluations
        assert result.trace is not None and len(result.trace) == len(plan.actions) + 1


@pytest.mark.parametrize("name", PLANNED)
def test_plans_of_the_examples_are_valid(name: str) -> None:
    problem = EXAMPLES[name].problem
    results = [bridge.HerbrandPlanner().solve(problem), bridge.HerbrandReplanner(problem).resolve()]
    if bridge.HerbrandOptimalPlanner.supports(problem.kind):
        results.append(bridge.HerbrandOptimalPlanner().solve(problem))
        assert (results[-1].status is Status.SOLVED_OPTIMALLY) == bool(problem.quality_metrics)
    for result in results:
        assert result.status in POSITIVE_OUTCOMES
        if not problem.kind.has_undefined_initial_numeric():
            assert is_valid(problem, result.plan)


@pytest.mark.parametrize("name", [name for name in SIMULATED if name in PLANNED])
def test_ground_examples_have_the_plans_of_the_originals(name: str) -> None:
    problem = EXAMPLES[name].problem
    result = bridge.HerbrandGrounder().compile(problem, CompilationKind.GROUNDING)
    assert all(not action.parameters for action in result.problem.actions)
    ground = bridge.HerbrandPlanner().solve(result.problem).plan
    plan = ground.replace_action_instances(result.map_back_action_instance)
    assert all(step.action == problem.action(step.action.name) for step in plan.actions)
    assert is_valid(problem, plan)


@pytest.mark.parametrize("seed", range(DRAWN))
def test_random_problems(seed: int) -> None:
    """`UNIFIED_PROBLEMS=500` tries more of them."""
    problem = Drawn(seed).problem()
    try:
        bridge.HerbrandSimulator(problem)
    except UPUnsupportedProblemTypeError:
        pytest.skip("Unified Planning does not write a condition that is always true or false")
    try:
        UPSequentialSimulator(problem).get_initial_state()
    except UPProblemDefinitionError:
        with pytest.raises(UPProblemDefinitionError):
            bridge.HerbrandSimulator(problem).get_initial_state()
        return
    plan = SequentialPlan(compare(problem, walks=1, steps=4, seed=seed))
    result, expected = (one.validate(problem, plan) for one in (bridge.HerbrandValidator(), SequentialPlanValidator()))
    assert (result.status, result.metric_evaluations) == (expected.status, expected.metric_evaluations)
    optimal = bridge.HerbrandOptimalPlanner().solve(problem, timeout=60)
    shortest = length_of_shortest(problem, 200)
    for found in (bridge.HerbrandPlanner().solve(problem, timeout=60), optimal):
        if found.plan is None:
            assert found.status is Status.UNSOLVABLE_PROVEN
            assert not shortest
        else:
            assert is_valid(problem, found.plan)
    if optimal.plan is not None and shortest and problem.quality_metrics[0].is_minimize_sequential_plan_length():
        assert len(optimal.plan.actions) == shortest


NAMED = ("complex_conditional", "robot_loader", "robot_fluent_of_user_type", "travel")
GROUNDED = [EXAMPLES[name].problem for name in NAMED]


@pytest.mark.parametrize("number", range(-len(GROUNDED), DRAWN))
def test_ground_problems_behave_as_the_originals(number: int) -> None:
    problem = GROUNDED[number] if number < 0 else Drawn(number, numbers=False).problem()
    try:
        result = bridge.HerbrandGrounder().compile(problem)
    except UPUnsupportedProblemTypeError:
        pytest.skip("Unified Planning does not write a condition that is always true or false")
    theirs, ground = UPSequentialSimulator(problem), UPSequentialSimulator(result.problem)
    state: Any = theirs.get_initial_state()
    other: Any = ground.get_initial_state()
    draw = random.Random(number)
    for _ in range(5):
        assert ground.is_goal(other) == theirs.is_goal(state)
        steps = {}
        for action, arguments in applicable_there(ground, other):
            step = result.map_back_action_instance(ActionInstance(action, arguments))
            steps[step.action, step.actual_parameters] = action
        assert set(steps) == set(applicable_there(theirs, state))
        if not steps:
            break
        chosen = draw.choice(sorted(steps, key=str))
        state, other = theirs.apply(state, *chosen), ground.apply(other, steps[chosen])
        for fluent in problem.fluents:
            assert all(state.get_value(one) == other.get_value(one) for one in get_all_fluent_exp(problem, fluent))


def length_of_shortest(problem: Any, most: int) -> int | None:
    """Returns the least number of steps to a goal, by the simulator; None if none of the first `most` states is one."""
    simulator = bridge.HerbrandSimulator(problem)
    first = simulator.get_initial_state()
    known, row, depth = {first}, [first], 0
    while row and len(known) < most:
        if any(simulator.is_goal(state) for state in row):
            return depth
        steps = [(state, one) for state in row for one in simulator.get_applicable_actions(state)]
        found = {simulator.apply(state, *one) for state, one in steps}
        row, depth = [state for state in found if state not in known], depth + 1
        known |= found
    return None
