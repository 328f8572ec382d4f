"""Tests of RDDL tasks: states, steps, exact distributions, the model as data."""

from __future__ import annotations

import copy
import math
import pickle
from collections import Counter
from collections.abc import Mapping

import pytest

import herbrand
from herbrand import Random, RddlState, RddlSuite, RddlTask

from test_rddl_env import EVENING, LIGHTS

NAMES = RddlSuite.bundled_names()


def lights() -> RddlTask:
    suite = herbrand.rddl.rddl_suite(LIGHTS, EVENING)
    return suite.task(0)


def loaded(name: str, problem: str = "1") -> RddlTask:
    return herbrand.rddl.rddl_suite(name, problem).task(0)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="nofile.rddl"):
        herbrand.load(LIGHTS, "nofile.rddl")


def test_states_are_mappings_and_values() -> None:
    task = lights()
    state = task.initial_state
    assert isinstance(state, Mapping) and isinstance(state, RddlState) and len(state) == 5
    assert dict(state) == state.to_dict() == {
        "on___hall": True, "on___attic": False, "mood": "dim", "watts": 3, "heat": 0.5,
    }
    assert state.get("nothing", 7) == 7 and "on___hall" in state and "3" not in list(state.keys())
    changed = state.replaced({"mood": "bright", "watts": 9})
    assert (changed["mood"], changed["watts"], changed["heat"]) == ("bright", 9, 0.5) and changed != state
    assert changed.replaced({"mood": "@dim", "watts": 3}) == state
    assert len({state, changed, changed.replaced({"mood": 0, "watts": 3}), copy.deepcopy(state)}) == 2
    twin, other = pickle.loads(pickle.dumps((task, changed)))
    assert twin == task and other == changed and other.task == task and hash(other) == hash(changed)
    assert task.state({"heat": 2}) == state.replaced({"heat": 2.0})
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `watts`"):
        state.replaced({"wats": 1})
    with pytest.raises(herbrand.InvalidActionError):
        state.replaced({"mood": "gloomy"})
    with pytest.raises(ValueError, match="another task"):
        loaded("rddl/elevators").step(state)


def test_steps_are_functions_of_state_action_and_draws() -> None:
    task = lights()
    state = task.initial_state
    first, second = (task.step(state, {"turn": 2}, Random(4)) for _ in range(2))
    assert first == second and first.state["watts"] == 5 and state["watts"] == 3
    below, above = (task.step(state, {}, quantile=u).state["on___hall"] for u in (0.7, 0.8))
    assert (below, above) == (True, False), "a draw is true up to its probability"
    step = task.step(state, {"press___hall": True, "slide": -0.5})
    assert step.violated == task.violated(state, {"press___hall": True, "slide": -0.5}) == [4]
    assert step.reward == 1 + 0.0 and not step.terminated and not step.invariant_violated
    assert task.step(state.replaced({"watts": 31})).terminated and task.status(state.replaced({"heat": 9.5})) == (False, True)
    for wrong in (-0.1, 0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="quantile"):
            task.step(state, quantile=wrong)


def test_names_are_those_of_planning_tasks() -> None:
    task = lights()
    state = task.initial_state
    assert task.initial_states() == [(1.0, state)] and task.sample_initial() == task.sample_initial(Random(1)) == state
    step = task.step(state, {"turn": 2}, Random(4))
    assert task.sample(state, {"turn": 2}, Random(4)) == (step.state, step.reward)
    drawn = []
    for _ in range(2):
        task.seed(5)
        drawn.append([task.sample_action(state), task.sample(state)])
    assert drawn[0] == drawn[1]
    switch = loaded("rddl/sysadmin-mdp")
    start = switch.initial_state
    valid = switch.valid_actions(start)
    assert valid is not None and len(valid) == switch.count_actions(start)
    assert all(switch.is_valid(start, action) for action in valid) and switch.is_valid(start)
    assert task.is_valid(state, {"turn": 2}) and task.violated(state, {"slide": -0.5, "press___hall": True})
    assert not task.is_valid(state, {"slide": -0.5, "press___hall": True})
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `turn`"):
        task.is_valid(state, {"tern": 2})


@pytest.mark.parametrize("preconditions", ["reported", "refused", "replaced", "ignored"])
def test_an_action_is_valid_if_it_is_listed(preconditions: str) -> None:
    task = herbrand.rddl.rddl_suite("rddl/elevators", "1").with_preconditions(preconditions).task()
    state, names = task.initial_state, list(task.no_action)
    listed = task.valid_actions(state)
    assert listed is not None
    for first in names:
        for second in names:
            action = {first: True, second: True}
            assert task.is_valid(state, action) == (action in listed), action


def test_a_walk_is_that_of_the_environment() -> None:
    for name in ("rddl/elevators", "rddl/uav-mixed", "rddl/recon-pomdp"):
        env = herbrand.rddl.make(name)
        env.reset(seed=3)
        state = env.state
        for _ in range(10):
            action = env.sample()
            before = env.state
            _, reward, terminated, truncated, _ = env.step(action)
            found = [env.task.step(before, action, quantile=u) for u in (0.2, 0.8)]
            assert all(step.state.keys() == env.state.keys() for step in found)
            env.set_state(before)
            assert env.state == before
            if terminated or truncated:
                break
        env.set_state(state)
        assert env.state == state


@pytest.mark.parametrize("name", ["rddl/sysadmin-mdp", "rddl/triangle-tireworld-mdp", "rddl/crossing-traffic-mdp"])
def test_exact_distributions_are_those_of_sampled_steps(name: str) -> None:
    task = loaded(name)
    state, rng = task.initial_state, Random(2)
    for _ in range(3):
        action = task.sample_action(state, rng)
        fluent = next(reversed(list(state)))
        exact = dict(task.distribution(state, action, fluent))
        assert sum(exact.values()) == pytest.approx(1)
        drawn = Counter(task.step(state, action, rng).state[fluent] for _ in range(400))
        for value, probability in exact.items():
            error = 5 * math.sqrt(probability * (1 - probability) / 400) + 1e-9
            assert abs(drawn[value] / 400 - probability) <= error
        assert drawn.keys() <= exact.keys()
        state = task.step(state, action, rng).state


def test_outcomes_are_joint_distributions() -> None:
    task = lights()
    state = task.initial_state.replaced({"on___attic": True})
    outcomes = task.outcomes(state, {"slide": 1.0})
    assert sum(probability for probability, *_ in outcomes) == pytest.approx(1) and len(outcomes) == 4
    for probability, after, reward, observed in outcomes:
        lit = int(after["on___hall"]) + int(after["on___attic"])
        assert probability == pytest.approx(0.75**lit * 0.25 ** (2 - lit)) and reward == 2 + 1.5 and observed == {}
    assert len({after for _, after, _, _ in outcomes}) == 4
    for name in ("on___hall", "on___attic"):
        for value, probability in task.distribution(state, {"slide": 1.0}, name):
            total = sum(chance for chance, after, *_ in outcomes if after[name] == value)
            assert total == pytest.approx(probability)
    with pytest.raises(herbrand.StepError, match="more than 3 combinations"):
        task.outcomes(state, {}, limit=3)
    wild = loaded("rddl/supply-chain")
    with pytest.raises(herbrand.StepError, match="infinitely many"):
        wild.outcomes(wild.initial_state)
    seen = loaded("rddl/triangle-tireworld-pomdp")
    found = seen.outcomes(seen.initial_state)
    assert sum(one[0] for one in found) == pytest.approx(1) and all(one[3] for one in found)


def test_the_model_is_data() -> None:
    task = lights()
    model = task.model
    assert [one.name for one in model.types] == ["lamp", "mood"] and model.type("mood").items == ("dim", "bright")
    assert model.type("lamp").items == ("hall", "attic") and not model.type("lamp").is_enum
    assert model.pvariable("press").kind == "action-fluent" and model.pvariable("set-mood").default == "dim"
    cpf = next(one for one in model.cpfs if one.head == "on")
    assert cpf.parameters == ("?l",) and str(cpf.formula) == "if (press(?l)) then ~on(?l) else on(?l) ^ Bernoulli(0.75)"
    pressed, on = ("fluent", "press", ("variable", "?l")), ("fluent", "on", ("variable", "?l"))
    assert cpf.formula.tree == ("if", pressed, ("~", on), ("^", on, ("Bernoulli", ("literal", 0.75))))
    assert cpf.formula.reads == ("press", "on")
    assert ("press", "on'") in model.edges and ("heat'", "reward") in model.edges
    assert len(model.preconditions) == 5 and len(model.terminations) == len(model.invariants) == 1
    assert task.values("on") == [True, False] and task.values("press") == [False, False] and task.values("wats") is None
    bounds = {name: (low, high) for name, low, high in task.action_bounds()}
    assert bounds["turn"] == (-2, 5) and bounds["slide"] == (-1.5, 1.5)
    state_bounds = {name: (low, high) for name, low, high in task.state_bounds()}
    assert state_bounds == {"watts": (-math.inf, math.inf), "heat": (-math.inf, 9.0)}
    with pytest.raises(KeyError):
        model.type("lamps")


@pytest.mark.parametrize("name", NAMES)
def test_models_of_all_environments_are_whole(name: str) -> None:
    task = loaded(name)
    model = task.model
    computed = {one.name for one in model.pvariables if one.default is None} | {
        one.name for one in model.pvariables if one.kind == "state-fluent"
    }
    assert {cpf.head for cpf in model.cpfs} == computed
    names = {one.name for one in model.pvariables}
    assert all(read.rstrip("'") in names for cpf in model.cpfs for read in cpf.formula.reads)
    levels = {cpf.head: cpf.level for cpf in model.cpfs}
    for cpf in model.cpfs:
        kinds = {one.name: one.kind for one in model.pvariables}
        for read in cpf.formula.reads:
            bare = read.rstrip("'")
            if read.endswith("'") or kinds[bare] in ("interm-fluent", "derived-fluent", "observ-fluent"):
                assert levels[bare] < cpf.level
