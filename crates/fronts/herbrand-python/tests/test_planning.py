"""Tests of planning."""

from __future__ import annotations

import herbrand
import pytest

LAMPS = """(define (domain lamps) (:requirements :strips :negative-preconditions) (:predicates (on ?l) (broken ?l))
  (:action press :parameters (?l) :precondition (and (not (on ?l)) (not (broken ?l))) :effect (on ?l)))"""


def lamps(init: str) -> herbrand.Task:
    text = f"(define (problem p) (:domain lamps) (:objects a b) (:init {init}) (:goal (and (on a) (on b))))"
    return herbrand.load(LAMPS, text)


@pytest.mark.parametrize("planner", herbrand.planners())
def test_plans_lead_to_the_goal(planner: herbrand.planning.PlannerName) -> None:
    task = herbrand.load("blocks", "train/01")
    plan = task.plan(planner=planner)
    state = task.initial_state
    for action in plan:
        state = task.apply(state, action)
    assert state.is_goal and plan and plan.outcome == "plan"
    assert plan.cost == len(plan) and plan.planner == planner
    assert plan.statistics.evaluated > 0 and plan.statistics.states > 0
    best = task.plan(planner="astar-lmcut")
    assert best.proven_optimal and len(best) <= len(plan)
    assert plan.proven_optimal == (planner.startswith("astar") or planner == "anytime")
    assert str(plan).splitlines()[-1] == f"; cost = {len(plan)}"


def test_a_plan_starts_where_it_is_told_to() -> None:
    task = lamps("")
    first = task.apply(task.initial_state, "(press a)")
    assert [str(action) for action in task.plan(first)] == ["(press b)"]
    done = task.apply(first, "(press b)")
    plan = task.plan(done)
    assert plan and len(plan) == 0 and plan.outcome == "goal-already-true" and plan.proven_optimal
    with pytest.raises(ValueError, match="another task"):
        herbrand.load("blocks").plan(done)


def test_what_cannot_be_and_what_takes_too_long_are_told_apart() -> None:
    plan = lamps("(broken a)").plan()
    assert not plan and plan.actions is None and plan.outcome == "proven-unsolvable"
    task = herbrand.load("sokoban", "test/10")
    assert task.plan(planner="astar-blind", limits={"memory": 20_000}).outcome == "out-of-memory"
    assert task.plan(planner="astar-blind", limits=herbrand.Limits(time=0)).outcome == "out-of-time"
    with pytest.raises(ValueError, match="astar-lmcut"):
        task.plan(planner="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="all-outcomes"):
        task.plan(determinize="none")  # type: ignore[arg-type]


def test_a_seed_repeats() -> None:
    task = herbrand.load("ferry", "test/01")
    one, same = task.plan(seed=7), task.plan(seed=7)
    assert one.actions == same.actions
    assert one.statistics.expanded == same.statistics.expanded


def test_chance_is_chosen_or_likely() -> None:
    coin = """(define (domain coin) (:requirements :probabilistic-effects) (:predicates (edge))
      (:action toss :effect (probabilistic 1/10 (edge))))"""
    text = "(define (problem p) (:domain coin) (:init) (:goal (edge)))"
    assert [str(action) for action in herbrand.plan(coin, text)] == ["(toss)"]
    assert herbrand.plan(coin, text, determinize="most-likely").outcome == "exhausted"


COIN = """(define (domain coin) (:requirements :strips :negative-preconditions :probabilistic-effects)
  (:predicates (heads) (lost))
  (:action toss :precondition (not (lost)) :effect (probabilistic 1/4 (heads) 1/4 (lost))))"""


def coin(init: str = "") -> herbrand.Task:
    return herbrand.load(COIN, f"(define (problem p) (:domain coin) (:init {init}) (:goal (heads)))")


@pytest.mark.parametrize("planner", herbrand.policy_planners())
def test_policies_say_what_to_do_and_what_it_comes_to(planner: herbrand.planning.PolicyPlannerName) -> None:
    task = coin()
    policy = task.policy(planner, seed=3, iterations=50)
    assert policy.planner == planner and policy.task == task and planner in repr(policy)
    assert str(policy.action(task.initial_state)) == "(toss)"
    assert policy.action(task.state(["(lost)"])) is None
    exact = planner in ("policy-iteration", "value-iteration", "lao")
    assert policy.optimal == exact and (policy.goal_probability is not None) == exact
    probability, cost = policy.evaluate()
    assert probability == pytest.approx(0.5) and cost == pytest.approx(2)
    if exact:
        assert (policy.goal_probability, policy.expected_cost) == (probability, cost)
    runs = policy.simulate(400, seed=1)
    assert runs == policy.simulate(400, seed=1) and runs.runs == 400
    low, high = runs.interval
    assert 0.0 <= low <= runs.goal_probability <= high <= 1.0 and low - 0.1 < 0.5 < high + 0.1
    assert {str(action) for action in runs.first} == {"(toss)"}


def test_uct_can_evaluate_states_by_rollouts() -> None:
    task = coin()
    for rollouts in (1, 100):
        probability, cost = task.policy("uct", iterations=20, rollouts=rollouts).evaluate()
        assert probability == pytest.approx(0.5) and cost == pytest.approx(2)
    with pytest.raises(ValueError):
        task.policy("uct", rollouts=0)


def test_policies_start_where_they_are_told_to_and_have_limits() -> None:
    task = coin()
    lost = task.policy(state=task.state(["(lost)"]))
    assert lost.goal_probability == 0 and lost.expected_cost is None
    with pytest.raises(ValueError, match="another task"):
        lost.action(herbrand.load("blocks").initial_state)
    with pytest.raises(ValueError, match="policy-iteration"):
        task.policy("magic")  # type: ignore[arg-type]
    large = herbrand.load("exploding-blocks", "test/05")
    with pytest.raises(herbrand.LimitError, match="memory"):
        large.policy(limits={"memory": 2_000})
    with pytest.raises(herbrand.LimitError, match="time"):
        large.policy("replan", limits={"time": 60}).simulate(limits={"time": 0})


def test_a_table_has_the_value_of_each_state() -> None:
    task = herbrand.load("exploding-blocks", "train/01")
    policy = task.policy("value-iteration")
    own, every = policy.table(), policy.table(all=True)
    assert own[0].state == task.initial_state and own[0].start_probability == 1.0
    assert own[0].goal_probability == policy.goal_probability and own[0].expected_cost == policy.expected_cost
    assert 0 < len(own) <= len(every) and {row.state for row in own} <= {row.state for row in every}
    for row in every:
        assert row.goal == row.state.is_goal
        if row.goal or row.action is None:
            assert (row.goal_probability == 1.0) == row.goal
            continue
        # The value of a state is that of its action's outcomes.
        values = {other.state: other.goal_probability for other in every}
        outcomes = task.outcomes(row.state, row.action)
        assert row.goal_probability == pytest.approx(sum(share * values[state] for share, state, _ in outcomes))
    with pytest.raises(herbrand.LimitError):
        policy.table(all=True, limits={"time": 0})


def test_each_cheaper_plan_is_passed_on() -> None:
    plans: list[herbrand.Plan] = []
    best = herbrand.plan("depot", "test/05", planner="anytime", on_plan=plans.append)
    costs = [plan.cost or 0.0 for plan in plans]
    assert len(plans) > 1 and costs == sorted(costs, reverse=True) and plans[-1].actions == best.actions
    assert best.proven_optimal and not plans[0].proven_optimal
    optimal = herbrand.plan("depot", "test/05", planner="astar-lmcut")
    assert optimal.statistics.lower_bound == optimal.cost == best.cost
    assert best.statistics.lower_bound is None

    def refuse(_: herbrand.Plan) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        herbrand.plan("depot", "test/05", planner="anytime", on_plan=refuse)


# Each of twelve coins may be tossed: 3 ** 12 states.
COINS = """(define (domain coins) (:requirements :probabilistic-effects) (:predicates (up ?c) (tossed ?c) (coin ?c))
    (:action toss :parameters (?c) :precondition (and (coin ?c) (not (tossed ?c)))
        :effect (and (tossed ?c) (probabilistic 1/2 (up ?c)))))"""


def coins(count: int) -> herbrand.Task:
    names = [f"c{index}" for index in range(count)]
    facts = " ".join(f"(coin {name})" for name in names)
    goal = " ".join(f"(up {name})" for name in names)
    objects = " ".join(names)
    return herbrand.load(COINS, f"(define (problem p) (:domain coins) (:objects {objects}) (:init {facts}) (:goal (and {goal})))")


def test_a_policy_within_limits_tells_its_states() -> None:
    task = coins(12)
    for planner, limit in (("policy-iteration", "10 MB"), ("value-iteration", "10 MB"), ("lao", "2 s")):
        limits = {"time": 2} if planner == "lao" else {"memory": "10MB"}
        with pytest.raises(herbrand.LimitError, match=rf"limit of {limit} is reached.* states enumerated; time=…"):
            task.policy(planner, limits=limits)  # type: ignore[arg-type]
    told: list[int] = []
    with pytest.raises(herbrand.LimitError, match="time limit of 3.5 s"):
        coins(30).policy(time=3.5, limits=None, on_progress=told.append)
    assert told and told == sorted(told) and told[-1] > 0

    def stop(states: int) -> None:
        raise KeyError(states)

    with pytest.raises(KeyError):
        coins(30).policy(on_progress=stop)
    assert coins(3).policy(limits=herbrand.Limits()).goal_probability == 0.125


def test_reprs_of_results_are_one_line() -> None:
    task = coins(6)
    policy = task.policy()
    results: list[object] = [
        task,
        task.initial_state,
        policy,
        policy.simulate(50, seed=1),
        policy.table()[0],
        herbrand.plan("gripper", "test/01"),
        herbrand.load("gripper", "test/01").initial_state,
        herbrand.generate("blocks", 8),
        herbrand.load("rddl/recommender-system").initial_state,
        herbrand.rddl.rddl_suite("rddl/recommender-system").task().model,
        herbrand.exam.grade([], []),
    ]
    for result in results:
        text = repr(result)
        assert "\n" not in text and len(text) < 1000, text[:1500]
        assert type(result).__name__ in text


@pytest.mark.parametrize("planner", ["policy-iteration", "lao"])
def test_a_policy_is_kept_as_text(planner: herbrand.planning.PolicyPlannerName) -> None:
    task = herbrand.load("exploding-blocks", "train/01")
    policy = task.policy(planner)
    text = policy.text()
    copy = task.read_policy(text)
    assert (copy.planner, copy.goal_probability) == ("file", None)
    assert copy.evaluate() == policy.evaluate()
    assert copy.simulate(50, seed=4) == policy.simulate(50, seed=4)
    answer = herbrand.tasks.validate("exploding-blocks", "train/01", plan=text, episodes=50, seed=4)
    assert answer["reached"] == policy.simulate(50, seed=4).reached
    rolled = herbrand.tasks.rollout("exploding-blocks", "train/01", policy_text=text, episodes=50)
    assert rolled["goals"] > 0
    with pytest.raises(herbrand.HerbrandError, match="does not fit"):
        herbrand.load("river", "train/01").read_policy(text)
    with pytest.raises(herbrand.HerbrandError, match="is no policy"):
        task.read_policy("(pick-up a)")
    with pytest.raises(herbrand.LimitError):
        task.read_policy(text, limits={"memory": 100})
