"""Tests of RDDL planners, policies, gradients, bounds, networks and diagrams."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import herbrand
from herbrand.rddl import RddlPlan, RddlPlanner, RddlPolicy, RddlTask, RelaxedStep, rddl_suite
from herbrand.rddl.planning import RddlPlannerName, TNormName

from conftest import ROOT

MODELS = ROOT / "crates/rddl/herbrand-rddl-plan/tests/models"


def cart() -> RddlTask:
    return rddl_suite(MODELS / "cart.rddl").task(0)


def door() -> RddlTask:
    return rddl_suite(MODELS / "door.rddl").task(0)


def bundled(name: str) -> RddlTask:
    return rddl_suite(f"rddl/{name}").task(0)


def carried_out(task: RddlTask, plan: RddlPlan) -> float:
    state, total = task.initial_state, 0.0
    for action in plan:
        step = task.step(state, action)
        state, total = step.state, total + step.reward
    return total


@pytest.mark.parametrize("planner", ["cross-entropy", "random-shooting", "gradient", "auto"])
def test_plans_pay_what_they_say(planner: RddlPlannerName) -> None:
    task = cart()
    plan = task.plan(planner=planner)
    assert isinstance(plan, RddlPlan) and len(plan) == 12 and plan.planner == planner
    assert plan.error == pytest.approx(0.0, abs=1e-12)
    assert carried_out(task, plan) == pytest.approx(plan.mean)
    # The no-op policy has the return -108.
    assert plan.mean > {"cross-entropy": -30, "random-shooting": -80, "gradient": -21, "auto": -21}[planner]
    assert plan == task.plan(planner=planner) and plan.simulated > 0


def test_planners_plan_anew_in_every_state() -> None:
    task = cart()
    planner = RddlPlanner(task, planner="gradient", iterations=60, candidates=4, scenarios=1)
    state, total = task.initial_state, 0.0
    for _ in range(12):
        step = task.step(state, planner.act(state))
        state, total = step.state, total + step.reward
    assert planner.task == task and total > -25
    with pytest.raises(ValueError, match="planner is"):
        RddlPlanner(task, planner="guess")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="seconds"):
        RddlPlanner(task, time=-1.0)
    with pytest.raises(ValueError, match="another task"):
        planner.plan(bundled("elevators").initial_state)


BET = """
domain bet {
    pvariables {
        won : { state-fluent, bool, default = false };
        stake : { action-fluent, real, default = 0.5 };
    };
    cpfs { won' = Bernoulli(0.6); };
    reward = if (won') then stake else -stake;
    action-preconditions { stake >= 0.0; stake <= 1.0; };
}
instance i { domain = bet; horizon = 1; discount = 1.0; }
"""


@pytest.mark.parametrize("planner", ["cross-entropy", "gradient", "auto"])
def test_an_averse_planner_stakes_little(planner: RddlPlannerName) -> None:
    task = rddl_suite(BET).task(0)
    plans = {risk: task.plan(planner=planner, scenarios=64, risk=risk) for risk in ("mean", "cvar:0.25")}
    stake = {risk: plan.actions[0].get("stake", 0.5) for risk, plan in plans.items()}
    assert stake["mean"] > 0.95 and stake["cvar:0.25"] < 0.15
    with pytest.raises(ValueError, match="`cvar:2` is not an objective: write mean, entropic:B"):
        task.plan(planner=planner, risk="cvar:2")


def less(a: Any, b: Any, *, sharpness: float) -> tuple[Any, tuple[Any, Any]]:
    value = 1 / (1 + np.exp(-sharpness * (b - a)))
    slope = sharpness * value * (1 - value)
    return value, (-slope, slope)


def test_single_operators_have_functions_of_the_user() -> None:
    task = rddl_suite(ONE_OF_TWO.replace("left + right", "(0.5 < left) * 2 + right")).task(0)
    plan = partial(task.plan, planner="gradient", iterations=40, enforced=False)
    planner = partial(RddlPlanner, task, planner="gradient", iterations=40, enforced=False)
    assert plan(relaxations={"less": less}).mean == plan().mean == 12.0
    norms: list[TNormName] = ["godel", "lukasiewicz"]
    for norm in norms:
        assert plan(t_norm=norm).mean == 12.0
    # A constant has no slope.
    assert len(planner(relaxations={"less": lambda a, b, sharpness: (0.5, (0.0, 0.0))}).plan()) == 4

    def broken(a: Any, b: Any, sharpness: float) -> tuple[Any, tuple[Any, Any]]:
        raise KeyError("my own fault")

    failing = planner(relaxations={"less": broken})
    for _ in range(2):
        with pytest.raises(KeyError, match="my own fault"):
            failing.plan()
    with pytest.raises(ValueError, match="returned 1 slopes"):
        planner(relaxations={"less": lambda a, b, sharpness: (a, (b,))}).plan()
    wrong: dict[Any, Any] = {"lesser": less}
    with pytest.raises(ValueError, match="`lesser` is no operator: choose one of not, and"):
        plan(relaxations=wrong)
    wrong = {"less": 5}
    with pytest.raises(TypeError, match="the relaxation of less is not a function"):
        plan(relaxations=wrong)
    with pytest.raises(ValueError, match="needs planner"):
        task.plan(relaxations={"less": less})


ONE_OF_TWO = """
domain d {
    pvariables {
        on : { state-fluent, bool, default = false };
        left : { action-fluent, bool, default = false };
        right : { action-fluent, bool, default = false };
    };
    cpfs { on' = on; };
    reward = left + right;
    action-preconditions { ~(left ^ right); };
}
instance i { domain = d; max-nondef-actions = 2; horizon = 4; discount = 1.0; }
"""


def test_plans_keep_to_preconditions_by_default() -> None:
    task = rddl_suite(ONE_OF_TWO).task(0)
    assert task.plan().mean == 4.0
    assert task.plan(enforced=False).mean == 8.0


def test_uct_looks_ahead_before_each_action() -> None:
    task = door()
    planner = RddlPlanner(task, planner="uct", iterations=4000, leaf="idle")
    assert planner.planner == "uct" and planner.act(task.initial_state) == {"search": True}
    assert planner.act(task.state({"key": True})) == {"leave": True}
    planner.begin()
    # The optimal value, computed by dynamic programming, is 2.40.
    mean, error = planner.evaluate(100, seed=3)
    assert abs(mean - 2.40) < 4 * error < 2
    assert planner.evaluate(3) == planner.evaluate(3)
    plan = task.plan(planner="uct", iterations=50, seed=1)
    assert plan == task.plan(planner="uct", iterations=50, seed=1) and len(plan) == 8
    with pytest.raises(herbrand.HerbrandError, match="`force` takes infinitely many values"):
        RddlPlanner(cart(), planner="uct")
    with pytest.raises(ValueError, match="leaf is"):
        RddlPlanner(task, planner="uct", leaf="guess")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_policies_are_trained() -> None:
    task = cart()
    policy = RddlPolicy(task, hidden=[16], batch=1)
    mean, error = policy.evaluate(2)
    assert mean > -26 and error == pytest.approx(0.0, abs=1e-12) and policy.sizes == [2, 16, 1]
    assert policy.weights.shape == (2 * 16 + 16 + 16 + 1,)
    assert set(policy.act(task.initial_state)) <= {"force"}


def test_gradients_are_those_of_differences() -> None:
    task = bundled("uav-continuous")
    step = RelaxedStep(task, 3, sharpness=2.0)
    generator = np.random.default_rng(1)
    states = step.initial()
    actions = generator.uniform(0.1, 0.2, (3, len(step.action_names)))
    assert states.shape == (3, len(step.state_names))
    weights = generator.uniform(-1, 1, states.shape)

    def value(states: NDArray[Any], actions: NDArray[Any]) -> float:
        after, rewards, ends = step.forward(states, actions, seed=2, step=1)
        assert ends.shape == (3,)
        return float((weights * after).sum() + rewards.sum())

    by_states, by_actions = step.backward(states, actions, weights, np.ones(3), np.zeros(3), seed=2, step=1)
    for at in np.ndindex(actions.shape):
        moved = actions.copy()
        moved[at] += 1e-6
        assert by_actions[at] == pytest.approx((value(states, moved) - value(states, actions)) / 1e-6, rel=1e-3, abs=1e-4)
    assert by_states.shape == states.shape
    with pytest.raises(ValueError, match="actions has the shape"):
        step.forward(states, actions[:2])


def test_bounds_contain_walks() -> None:
    task = bundled("elevators")
    bounds = task.bounds(10)
    state, rng = task.initial_state, herbrand.Random(3)
    for number in range(10):
        for name, value in state.items():
            if isinstance(value, (int, float)):
                low, high = bounds["fluents"][name][number]
                assert low <= value <= high
        step = task.step(state, task.sample_action(state, rng), rng)
        low, high = bounds["reward"][number]
        assert low <= step.reward <= high
        state = step.state
    still = cart().bounds(actions={"force": (0.0, 0.0)})
    assert still["total"] == (-108.0, -108.0) and still["steps"] == 12
    with pytest.raises(herbrand.UnknownNameError, match="force"):
        cart().bounds(actions={"forse": (0.0, 0.0)})
    with pytest.raises(ValueError, match="between"):
        cart().bounds(between=(0.9, 0.1))


def test_networks_and_diagrams() -> None:
    task = cart()
    network = task.network()
    names = [name for name, _ in network["nodes"]]
    edges = {(names[one], names[other]) for one, other in network["edges"]}
    assert ("speed'", "place'") in edges and ("force", "speed'") in edges and ("force", "place'") not in edges
    assert task.network(ground=True, of="speed")["nodes"] == [("speed", "state"), ("force", "action"), ("speed'", "next")]
    assert task.draw_network().startswith("<svg")
    assert task.diagram("speed'") == "speed' =\n  speed + 0.5 force\n"
    assert task.diagram("place", draw=True).startswith("<svg")
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `place'`"):
        task.diagram("plase'")
    with pytest.raises(herbrand.HerbrandError, match="more than 3 nodes"):
        bundled("elevators").diagram("reward", limit=3)
