"""The scenarios of Unified Planning's own tests of engines, with Herbrand's engines; and what these refuse."""

from __future__ import annotations

import itertools
import pathlib
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="Unified Planning is not installed")
import unified_planning.test  # noqa: E402
from unified_planning.engines import CompilationKind, FailedValidationReason, SequentialPlanValidator  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.engines import ValidationResultStatus as Verdict  # noqa: E402
from unified_planning.engines.results import NEGATIVE_OUTCOMES, POSITIVE_OUTCOMES  # noqa: E402
from unified_planning.exceptions import UPUnsupportedProblemTypeError, UPUsageError  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.plans import ActionInstance, SequentialPlan  # noqa: E402
from unified_planning.shortcuts import (  # noqa: E402
    GE,
    And,
    BoolType,
    Div,
    Equals,
    Fluent,
    InstantaneousAction,
    IntType,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    Not,
    Object,
    ObjectExp,
    Or,
    Problem,
    RealType,
    UserType,
    get_environment,
)
from unified_planning.test.examples import get_example_problems  # noqa: E402

from herbrand.compat import unified_planning as bridge  # noqa: E402

get_environment().credits_stream = None

FACTORY: Any = get_environment().factory
EXAMPLES: dict[str, Any] = get_example_problems()
FILES = pathlib.Path(unified_planning.test.__file__).parent / "pddl"


def example(name: str) -> Any:
    """Returns an example problem of Unified Planning."""
    return EXAMPLES[name].problem


def simulator_of(problem: Any) -> Any:
    """Returns the simulator; as it is asked for by name, checks only warn, unless they are switched on again."""
    return FACTORY.SequentialSimulator(problem, name="herbrand-simulator")


def test_a_simulator_in_the_world_of_blocks() -> None:
    problem = example("hierarchical_blocks_world")
    move, clear, on = problem.action("move"), problem.fluent("clear"), problem.fluent("on")
    spaces = [problem.object(f"ts_{number}") for number in (1, 2, 3)]
    one, two, three = (problem.object(f"block_{number}") for number in (1, 2, 3))
    with simulator_of(problem) as simulator:
        state = simulator.get_initial_state()
        for place in problem.objects(problem.user_type("Location")):
            assert state.get_value(clear(place)).is_true() == (place in [two, spaces[1], spaces[2]])
        steps = [(two, one, spaces[1]), (one, three, two), (three, spaces[0], spaces[2]), (one, two, spaces[0])]
        for step in steps:
            state = simulator.apply(state, move, step)
        kinds = [problem.user_type(name) for name in ("Movable", "Location")]
        for pair in itertools.product(*map(problem.objects, kinds)):
            assert state.get_value(on(*pair)).is_true() == (pair in list(zip([one, two, three], spaces, strict=True)))
        assert not simulator.is_applicable(state, move, (three, spaces[0], spaces[2]))
        assert simulator.apply(state, move, (three, spaces[0], spaces[2])) is None
        assert not simulator.is_goal(state)
        steps = [(three, spaces[2], two), (one, spaces[0], spaces[2]), (three, two, spaces[0])]
        for step in [*steps, (two, spaces[1], one), (three, spaces[0], two)]:
            state = simulator.apply(state, move, step)
        assert simulator.is_goal(state)
        with pytest.raises(UPUsageError, match="not compatible"):
            simulator.apply(state, move, (spaces[0], three, two))
        instance = ActionInstance(move, tuple(ObjectExp(item) for item in (three, spaces[0], two)))
        with pytest.raises(UPUsageError, match="does not accept an ActionInstance and also the parameters"):
            simulator.apply(state, instance, (spaces[0], three, two))


def counter(kind: Any, start: int) -> Any:
    """Returns a problem with a number that can be increased and decreased."""
    value, problem = Fluent("counter", kind), Problem("simple_counter")
    increase, decrease = InstantaneousAction("increase"), InstantaneousAction("decrease")
    increase.add_increase_effect(value, 1)
    decrease.add_decrease_effect(value, 1)
    problem.add_fluent(value, default_initial_value=start)
    problem.add_actions([increase, decrease])
    return problem


def test_bounds_of_numbers_make_actions_inapplicable() -> None:
    problem = counter(IntType(0), 1)
    increase, decrease = problem.actions
    with simulator_of(problem) as simulator:
        state = simulator.get_initial_state()
        assert simulator.is_applicable(state, increase)
        state = simulator.apply(state, decrease)
        assert not simulator.is_applicable(state, decrease)
        assert simulator.apply(state, decrease) is None
        assert [action.name for action, _ in simulator.get_applicable_actions(state)] == ["increase"]
        assert "would be false" in simulator.explain(state, decrease, ())


def test_contradicting_effects_make_actions_inapplicable() -> None:
    flags, number = [Fluent(f"condition{index}") for index in range(3)], Fluent("fluent", IntType())
    test = InstantaneousAction("test_int")
    test.add_effect(number, 5, flags[0])
    test.add_effect(number, 6, flags[1])
    test.add_increase_effect(number, 5, flags[2])
    problem = Problem("test_problem")
    unset = [InstantaneousAction(f"unset_{index}") for index in range(3)]
    for action, flag in zip(unset, flags, strict=True):
        action.add_effect(flag, False)
        problem.add_fluent(flag, default_initial_value=True)
    problem.add_fluent(number, default_initial_value=0)
    problem.add_actions([test, *unset])
    problem.add_goal(GE(number, 5))
    with simulator_of(problem) as simulator:
        first = simulator.get_initial_state()
        assert not simulator.is_applicable(first, test) and simulator.apply(first, test) is None
        assert "contradict each other" in simulator.explain(first, test, ())
        second = simulator.apply(first, unset[1])
        assert simulator.apply(second, test) is None
        third = simulator.apply(simulator.apply(second, unset[2]), test)
        assert third.get_value(number()).constant_value() == 5
    plan = bridge.HerbrandOptimalPlanner().solve(problem).plan
    assert len(plan.actions) == 3 and SequentialPlanValidator().validate(problem, plan)


def test_contradicting_objects_make_actions_inapplicable() -> None:
    place, problem = UserType("Place"), Problem("places")
    at, flag = Fluent("at", place), Fluent("flag")
    here, there, far = (Object(name, place) for name in ("here", "there", "far"))
    go, unset = InstantaneousAction("go"), InstantaneousAction("unset")
    go.add_effect(at, there)
    go.add_effect(at, far, flag)
    unset.add_effect(flag, False)
    problem.add_fluent(at, default_initial_value=here)
    problem.add_fluent(flag, default_initial_value=True)
    problem.add_objects([here, there, far])
    problem.add_actions([go, unset])
    problem.add_goal(Equals(at, far))
    simulator = bridge.HerbrandSimulator(problem)
    state: Any = simulator.get_initial_state()
    assert not simulator.is_applicable(state, go) and simulator.apply(state, go) is None
    assert "contradict each other" in simulator.explain(state, go, ())
    state = simulator.apply(simulator.apply(state, unset), go)
    assert state.get_value(at()).object() == there
    assert bridge.HerbrandPlanner().solve(problem).status is Status.UNSOLVABLE_INCOMPLETELY


def test_what_one_action_adds_and_deletes_is_true() -> None:
    flag, action, problem = Fluent("bool_fluent"), InstantaneousAction("act"), Problem("add_after_delete")
    action.add_effect(flag, True)
    action.add_effect(flag, False)
    problem.add_fluent(flag, default_initial_value=False)
    problem.add_action(action)
    problem.add_goal(flag)
    with simulator_of(problem) as simulator:
        assert simulator.is_goal(simulator.apply(simulator.get_initial_state(), action))


def test_states_are_values_of_their_simulator() -> None:
    problem = counter(IntType(), 1)
    first, second = bridge.HerbrandSimulator(problem), bridge.HerbrandSimulator(problem)
    state = first.get_initial_state()
    there = first.apply(first.apply(state, problem.actions[0]), problem.actions[1])
    assert there == state and hash(there) == hash(state) and there != second.get_initial_state()
    assert {state: 1}[there] == 1
    with pytest.raises(UPUsageError, match="states of this simulator"):
        second.is_goal(state)
    with pytest.raises(UPUsageError, match="is no fluent of the problem"):
        state.get_value(Fluent("other")())
    with pytest.raises(UPUsageError, match="is not in the problem"):
        first.is_applicable(state, InstantaneousAction("other"))


def test_what_cannot_be_held_is_refused() -> None:
    with pytest.raises(UPUsageError, match="cannot establish whether"):
        bridge.HerbrandSimulator(example("matchcellar"))
    for name in ("matchcellar", "basic_int_fluent_param"):
        for engine in (bridge.HerbrandPlanner(), bridge.HerbrandOptimalPlanner()):
            with pytest.raises(UPUsageError, match="cannot establish whether"):
                engine.solve(example(name))
        with pytest.raises(UPUsageError, match="cannot establish whether"):
            bridge.HerbrandGrounder().compile(example(name))
        with pytest.raises(UPUsageError, match="cannot establish whether"):
            bridge.HerbrandReplanner(example(name))
    with pytest.raises(UPUsageError, match="cannot handle this kind of compilation"):
        bridge.HerbrandGrounder().compile(example("basic"), CompilationKind.QUANTIFIERS_REMOVING)
    with pytest.raises(UPUsageError, match="heuristics of their own"):
        bridge.HerbrandPlanner().solve(example("basic"), heuristic=lambda state: 0)
    with pytest.raises(UPUsageError, match="does not prove"):
        bridge.HerbrandOptimalPlanner(planner="lazy")


def test_conditions_that_are_always_true_or_false() -> None:
    problem = counter(IntType(), 1)
    flag = Fluent("flag")
    problem.add_fluent(flag, default_initial_value=False)
    problem.add_goal(Or(flag, Not(flag)))
    result = bridge.HerbrandPlanner().solve(problem)
    assert result.status is Status.SOLVED_SATISFICING and result.plan.actions == []
    simulator = bridge.HerbrandSimulator(problem)
    assert simulator.is_goal(simulator.get_initial_state())
    problem.add_goal(And(flag, Not(flag)))
    with pytest.raises(UPUnsupportedProblemTypeError, match="PDDL cannot hold the problem simple_counter"):
        bridge.HerbrandPlanner().solve(problem)


def tenths(goal: Fraction) -> Any:
    """Returns a problem whose goal is reached by adding a tenth some times, if numbers are exact."""
    problem = counter(RealType(), 0)
    (value,) = problem.fluents
    problem.clear_actions()
    add = InstantaneousAction("add")
    add.add_increase_effect(value, Fraction(1, 10))
    problem.add_action(add)
    problem.add_goal(GE(value, goal))
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    return problem


def test_numbers_that_doubles_round_are_refused() -> None:
    problem = tenths(Fraction(3, 10))
    with pytest.raises(UPUsageError, match="which may round 1/10"):
        bridge.HerbrandSimulator(problem)
    with pytest.raises(UPUsageError, match="which may round 1/10"):
        bridge.HerbrandValidator().validate(problem, SequentialPlan([]))
    with pytest.warns(UserWarning, match="which may round 1/10"):
        simulator_of(problem)
    # Plans are looked through again, and nothing is called proven: eight tenths are less than 0.8 as sums of doubles.
    problem = tenths(Fraction(8, 10))
    for planner in (bridge.HerbrandOptimalPlanner(), bridge.HerbrandPlanner()):
        result = planner.solve(problem)
        assert result.status is Status.SOLVED_SATISFICING and SequentialPlanValidator().validate(problem, result.plan)
    thirds = counter(IntType(), 3)
    thirds.actions[0].add_precondition(GE(Div(thirds.fluents[0], 3), 1))
    with pytest.raises(UPUsageError, match="which may round"):
        bridge.HerbrandSimulator(thirds)
    halves = tenths(Fraction(3, 10))
    halves.clear_actions()
    half = InstantaneousAction("half")
    half.add_increase_effect(halves.fluents[0], Fraction(1, 2))
    halves.add_action(half)
    halves.clear_goals()
    halves.add_goal(GE(halves.fluents[0], 1))
    assert len(bridge.HerbrandOptimalPlanner().solve(halves).plan.actions) == 2
    simulator = bridge.HerbrandSimulator(halves)
    state: Any = simulator.apply(simulator.get_initial_state(), half)
    assert state.get_value(halves.fluents[0]()).constant_value() == Fraction(1, 2)


def test_a_validator_says_what_is_wrong() -> None:
    problem = example("robot_loader_weak_bridge")
    move, load, unload = (problem.action(name) for name in ("move", "load", "unload"))
    l1, l3 = (ObjectExp(problem.object(name)) for name in ("l1", "l3"))
    bad = ActionInstance(move, (l3, l1))
    steps = [ActionInstance(move, (l1, l3)), ActionInstance(load, (l3,)), bad, ActionInstance(unload, (l1,))]
    with FACTORY.PlanValidator(name="herbrand-validator") as validator:
        result = validator.validate(problem, SequentialPlan(steps))
        assert (result.status, result.reason) == (Verdict.INVALID, FailedValidationReason.INAPPLICABLE_ACTION)
        assert result.inapplicable_action == bad and len(result.trace) == 3
        assert "step 3, move(l3, l1), is not applicable" in result.log_messages[0].message
        short = validator.validate(problem, SequentialPlan([]))
        assert short.reason is FailedValidationReason.UNSATISFIED_GOALS
        assert str(problem.goals[0]) in short.log_messages[0].message
        free = problem.clone()
        free.clear_trajectory_constraints()
        assert validator.validate(free, SequentialPlan(steps)).status is Verdict.VALID
        unmet = validator.validate(problem, SequentialPlan([ActionInstance(unload, (l1,))]))
        assert unmet.inapplicable_action.action == unload


@pytest.mark.parametrize(
    ("name", "value"),
    [("locations_connected_visited_oversubscription", 15), ("locations_connected_cost_minimize", 10), ("basic", 1)],
)
def test_a_validator_evaluates_the_metric(name: str, value: int) -> None:
    problem = example(name).clone()
    if not problem.quality_metrics:
        problem.add_quality_metric(MinimizeSequentialPlanLength())
    result = bridge.HerbrandValidator().validate(problem, EXAMPLES[name].valid_plans[0])
    assert list(result.metric_evaluations.values()) == [value]


def test_a_replanner_follows_changes() -> None:
    problem = example("basic")
    action, flag = problem.action("a"), problem.fluent("x")
    with FACTORY.Replanner(problem, name="herbrand-replanner") as replanner:
        assert replanner.resolve().status in POSITIVE_OUTCOMES
        replanner.remove_action(action.name)
        assert replanner.resolve().status in NEGATIVE_OUTCOMES
        replanner.add_action(action)
        assert replanner.resolve().status in POSITIVE_OUTCOMES
        replanner.update_initial_value(flag, True)
        assert replanner.resolve().plan.actions == []
        replanner.remove_goal(flag)
        replanner.add_goal(Not(flag))
        assert replanner.resolve(timeout=10).status in NEGATIVE_OUTCOMES
        replanner.remove_action(action.name)
        other = InstantaneousAction("a")
        other.add_precondition(flag)
        other.add_effect(flag, False)
        replanner.add_action(other)
        assert [step.action for step in replanner.resolve().plan.actions] == [other]
        replanner.error_on_failed_checks = True
        with pytest.raises(UPUsageError, match="no action b"):
            replanner.remove_action("b")
        with pytest.raises(UPUsageError, match="no goal y"):
            replanner.remove_goal(Fluent("y"))
    assert problem.has_action("a") and str(problem.goals[0]) == "x"


def test_an_anytime_planner_finds_better_and_better_plans() -> None:
    folder = FILES / "counters"
    problem = PDDLReader().parse_problem(str(folder / "domain.pddl"), str(folder / "problem2.pddl"))
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    problem.clear_goals()
    values = problem.fluent("value")
    one, two = (values(item) for item in problem.all_objects[:2])
    problem.add_goal(GE(one, two))
    detour = ladder(6)
    with FACTORY.AnytimePlanner(name="herbrand-anytime") as planner:
        assert len(list(planner.get_solutions(ladder(6, leap=1)))) == 2
        for given, least in ((problem, 1), (detour, 2)):
            results = list(planner.get_solutions(given, timeout=20))
            assert len(results) > least
            *found, last = results
            assert all(result.status is Status.INTERMEDIATE for result in found)
            assert last.status is Status.SOLVED_OPTIMALLY
            costs = [cost(given, result.plan) for result in found]
            assert costs == sorted(set(costs), reverse=True) and cost(given, last.plan) == costs[-1]
        impossible = example("basic").clone()
        impossible.clear_actions()
        impossible.add_quality_metric(MinimizeSequentialPlanLength())
        assert [one.status for one in planner.get_solutions(impossible)] == [Status.UNSOLVABLE_PROVEN]


def ladder(rungs: int, leap: int = 50) -> Any:
    """Returns a problem with a way of one step to the goal, which costs `leap`, and a long way with steps of cost 1."""
    rung = UserType("Rung")
    at, above = Fluent("at", BoolType(), r=rung), Fluent("above", BoolType(), a=rung, b=rung)
    problem = Problem("ladder")
    problem.add_fluent(at, default_initial_value=False)
    problem.add_fluent(above, default_initial_value=False)
    rows = [Object(f"r{number}", rung) for number in range(rungs)]
    problem.add_objects(rows)
    climb, jump = InstantaneousAction("climb", a=rung, b=rung), InstantaneousAction("jump")
    climb.add_precondition(at(climb.parameter("a")))
    climb.add_precondition(above(climb.parameter("a"), climb.parameter("b")))
    climb.add_effect(at(climb.parameter("b")), True)
    jump.add_effect(at(rows[-1]), True)
    problem.add_actions([climb, jump])
    problem.set_initial_value(at(rows[0]), True)
    for lower, upper in itertools.pairwise(rows):
        problem.set_initial_value(above(lower, upper), True)
    problem.add_goal(at(rows[-1]))
    problem.add_quality_metric(MinimizeActionCosts({climb: 1, jump: leap}))
    return problem


def cost(problem: Any, plan: Any) -> Any:
    """Returns the value of the metric, by Unified Planning's validator."""
    (value,) = SequentialPlanValidator().validate(problem, plan).metric_evaluations.values()
    return value


def test_optimal_plans_are_chosen_by_the_guarantee() -> None:
    problem = example("basic_with_costs")
    with FACTORY.OneshotPlanner(name="herbrand-opt", optimality_guarantee="SOLVED_OPTIMALLY") as planner:
        result = planner.solve(problem)
        assert (result.status, result.plan) == (Status.SOLVED_OPTIMALLY, EXAMPLES["basic_with_costs"].valid_plans[0])
    dear, planner = ladder(4), bridge.HerbrandOptimalPlanner()
    assert cost(dear, planner.solve(dear).plan) == 3
    # Without a metric, no plan is called optimal, but it is a shortest one.
    dear.clear_quality_metrics()
    result = planner.solve(dear)
    assert result.status is Status.SOLVED_SATISFICING and len(result.plan.actions) == 1


def test_every_run_writes_a_problem_in_the_same_way() -> None:
    thing = UserType("Thing")
    marked, problem = Fluent("marked", BoolType(), t=thing), Problem("things")
    problem.add_fluent(marked, default_initial_value=False)
    things = [Object(f"thing{number}", thing) for number in range(30)]
    problem.add_objects(things)
    mark = InstantaneousAction("mark")
    for one in reversed(things):
        mark.add_effect(marked(one), True)
    problem.add_action(mark)
    assert [one.name for one in bridge.to_task(problem).domain.constants] == [one.name for one in things]


@pytest.mark.parametrize(
    ("name", "actions"),
    [("robot", 2), ("robot_loader", 6), ("robot_locations_connected", 14), ("hierarchical_blocks_world", 108)],
)
def test_a_grounder_keeps_the_reachable_actions(name: str, actions: int) -> None:
    with FACTORY.Compiler(name="herbrand-grounder") as grounder:
        assert grounder.supports(example(name).kind)
        result = grounder.compile(example(name), CompilationKind.GROUNDING)
    assert len(result.problem.actions) == actions
    again = bridge.HerbrandGrounder().compile(example(name)).problem
    assert again == result.problem and again.name == f"herbrand-grounder_{name}"
