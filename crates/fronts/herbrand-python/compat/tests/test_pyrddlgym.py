"""Tests of pyRDDLGym's interface: scripts, and comparisons with pyRDDLGym if it is installed."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import herbrand
import herbrand.compat.pyrddlgym as pyrddlgym
from herbrand import RddlSuite
from herbrand.compat.pyrddlgym.core.debug.exception import (
    RDDLActionPreconditionNotSatisfiedError,
    RDDLEpisodeAlreadyEndedError,
    RDDLInvalidActionError,
    RDDLParseError,
    RDDLRandPolicyVecNotImplemented,
)
from herbrand.compat.pyrddlgym.core.env import RDDLEnv
from herbrand.compat.pyrddlgym.core.policy import BaseAgent, NoOpAgent, RandomAgent
from herbrand.compat.pyrddlgym.core.visualizer.viz import BaseViz

from test_rddl_env import EVENING, LIGHTS

NAMES = [name.removeprefix("rddl/") for name in RddlSuite.bundled_names()]
FOLDER = Path(__file__).resolve().parents[5] / "domains" / "rddl"
BESIDE = importlib.util.find_spec("pyRDDLGym") is not None
beside = pytest.mark.skipif(not BESIDE, reason="pyRDDLGym is not installed")

# Deterministic environments, in which both must compute the same values.
CERTAIN = ["cartpole-continuous", "cartpole-discrete", "mountain-car", "mars-rover", "racing-car"]


def files(name: str, instance: int = 1) -> tuple[str, str]:
    return str(FOLDER / name / "domain.rddl"), str(FOLDER / name / f"{instance}.rddl")


def theirs(*arguments: Any, **options: Any) -> Any:
    return importlib.import_module("pyRDDLGym").make(*arguments, **options)


def space_of(space: spaces.Space[Any]) -> Any:
    """Converts a space to plain values."""
    if isinstance(space, spaces.Dict):
        return {name: space_of(part) for name, part in space.items()}
    if isinstance(space, spaces.Discrete):
        return ("discrete", int(space.start), int(space.n))
    assert isinstance(space, spaces.Box)
    return ("box", str(space.dtype), space.shape, space.low.ravel().tolist(), space.high.ravel().tolist())


@beside
@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_names_spaces_and_settings_are_theirs(name: str, vectorized: bool) -> None:
    makers: list[Any] = [pyrddlgym.make, theirs]
    ours, other = (make(*files(name), vectorized=vectorized) for make in makers)
    assert (ours.horizon, ours.discount) == (other.horizon, other.discount)
    assert ours.max_allowed_actions == other.max_allowed_actions
    assert space_of(ours.observation_space) == space_of(other.observation_space)
    mine, yours = space_of(ours.action_space), space_of(other.action_space)
    assert mine.keys() == yours.keys()
    for part in mine:
        assert mine[part][:1] == yours[part][:1] and mine[part][1:3] == yours[part][1:3] or mine[part][0] == "discrete"
    seen, expected = ours.reset(seed=1)[0], other.reset(seed=1)[0]
    assert seen.keys() == expected.keys()
    assert all(np.array_equal(seen[part], expected[part]) for part in seen)
    assert ours.state is not None and ours.state.keys() == other.state.keys()
    for attribute in ("type_to_objects", "variable_types", "variable_ranges", "variable_params", "variable_groundings"):
        one, two = getattr(ours.model, attribute), getattr(other.model, attribute)
        assert all(one[key] == two[key] for key in one)
    for attribute in ("non_fluents", "state_fluents", "action_fluents"):
        one, two = getattr(ours.model, attribute), getattr(other.model, attribute)
        assert one.keys() == two.keys()
        assert all(np.array_equal(np.asarray(one[key]), np.asarray(two[key])) for key in one)


@beside
@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("name", CERTAIN)
def test_steps_without_chance_are_theirs(name: str, vectorized: bool) -> None:
    for instance in (1, 3):
        ours, other = (make(*files(name, instance), vectorized=vectorized) for make in (pyrddlgym.make, theirs))
        ours.action_space.seed(7)
        for env in (ours, other):
            env.reset(seed=1)
        for _ in range(30):
            action = {name: value for name, value in ours.action_space.sample().items()}
            if not vectorized:
                action = {key: value.item() if isinstance(value, np.ndarray) else value for key, value in action.items()}
            else:
                plain = {key for key, types in ours.model.variable_params.items() if not types}
                action = {key: value.reshape(()) if key in plain else value for key, value in action.items()}
            # pyRDDLGym computes in the precision of its inputs.
            wide = np.float64 if vectorized else None
            action = {key: value.astype(wide) if wide and value.dtype.kind == "f" else value for key, value in action.items()}
            seen, reward, *ends, _ = ours.step(action)
            expected, paid, *over, _ = other.step(action)
            assert seen.keys() == expected.keys() and ends == over
            assert reward == pytest.approx(paid, rel=1e-9, abs=1e-9)
            for part in seen:
                one, two = np.asarray(seen[part]), np.asarray(expected[part])
                if one.dtype.kind in "UO":
                    assert np.array_equal(one, two)
                else:
                    assert np.allclose(one.astype(float), two.astype(float), rtol=1e-9, atol=1e-9)
            if any(ends):
                break


@beside
@pytest.mark.parametrize("name", ["sysadmin-mdp", "triangle-tireworld-mdp", "elevators-mdp"])
def test_mean_returns_are_theirs(name: str) -> None:
    """The mean discounted returns of the no-op policy differ by less than five standard errors."""
    means = []
    for make, agent in ((pyrddlgym.make, NoOpAgent()), (theirs, _their_agent())):
        env: Any = make(*files(name))
        found = agent.evaluate(env, episodes=60, seed=3)
        means.append((found["mean"], found["std"] / np.sqrt(60)))
    (one, first), (two, second) = means
    assert abs(one - two) <= 5 * np.hypot(first, second) + 1e-9


def _their_agent() -> Any:
    return importlib.import_module("pyRDDLGym.core.policy").NoOpAgent(action_space=None)


def test_a_script_plays_and_measures(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL")
    env = pyrddlgym.make("rddl/sysadmin-mdp", "2", enforce_action_constraints=True)
    agent = RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=42)
    found = agent.evaluate(env, episodes=2, verbose=True, render=True, seed=42)
    assert found["min"] <= found["median"] <= found["max"] and found["std"] >= 0
    assert "episode 2 ended with return" in capsys.readouterr().out
    env.close()


def test_the_loop_of_a_script() -> None:
    env = pyrddlgym.make(*files("sysadmin-mdp"))
    agent = RandomAgent(action_space=env.action_space, num_actions=env.max_allowed_actions, seed=1)
    walks = []
    for _ in range(2):
        walk, total = [], 0.0
        state, info = env.reset(seed=9)
        step = 0
        agent.rng.seed(1)
        env.action_space.seed(1)
        for step in itertools.count():
            state, reward, terminated, truncated, info = env.step(agent.sample_action(state))
            total += reward
            walk.append((state, reward))
            if terminated or truncated:
                break
        assert step + 1 == env.horizon and info == {} and env.done
        walks.append(walk)
    assert walks[0] == walks[1], "one seed, one walk"
    with pytest.raises(RDDLEpisodeAlreadyEndedError):
        env.step({})


def test_actions_are_given_in_all_the_ways() -> None:
    env = RDDLEnv(LIGHTS, EVENING)
    ways: list[dict[str, Any]] = [
        {"press___attic": True, "set-mood": "bright"},
        {"press___attic": 1, "set-mood": 1},
        {"press___attic": "true", "set-mood": "@bright"},
        {"press": [False, True], "set-mood": "bright"},
        {"press": np.array([0, 1]), "set-mood": np.int64(1)},
    ]
    for action in ways:
        env.reset(seed=1)
        state, *_ = env.step(action)
        assert state["on___attic"] is True and state["mood"] == "bright", action
    arrays = RDDLEnv(LIGHTS, EVENING, vectorized=True)
    seen, _ = arrays.reset(seed=1)
    assert seen["on"].tolist() == [True, False] and seen["watts"].tolist() == [3] and seen["mood"].tolist() == ["dim"]
    assert arrays.step({"press": [False, True]})[0]["on"][1]
    wrong: list[dict[str, Any]] = [
        {"pres___attic": 1}, {"press___cellar": 1}, {"press": [1]}, {"set-mood": "gloomy"}, {"turn": 0.5},
        {"press___attic": "maybe"}, {"press": [1, 1], "turn": 1, "slide": 0.5},
    ]
    for action in wrong:
        env.reset(seed=1)
        with pytest.raises(RDDLInvalidActionError):
            env.step(action)


def test_constraints_are_enforced_on_request() -> None:
    env = RDDLEnv(LIGHTS, EVENING)
    env.reset(seed=1)
    assert env.step({"press___hall": True, "slide": 5.0})[0]["heat"] == 5.5, "a bound is a precondition"
    env = RDDLEnv(LIGHTS, EVENING, enforce_action_constraints=True)
    env.reset(seed=1)
    with pytest.raises(RDDLActionPreconditionNotSatisfiedError, match="precondition 4"):
        env.step({"slide": 5.0})
    env.step({"press___attic": True})


def test_a_violated_precondition_has_one_of_four_effects() -> None:
    envs = {mode: RDDLEnv(LIGHTS, EVENING, preconditions=mode) for mode in ("reported", "replaced", "ignored")}
    for env in envs.values():
        env.reset(seed=1)
    heats, infos = {}, []
    for mode, env in envs.items():
        state, _, _, _, info = env.step({"slide": 5.0})
        heats[mode] = state["heat"]
        infos.append(info)
    assert heats["reported"] == heats["ignored"] == 5.5
    assert heats["replaced"] != 5.5
    assert infos == [{"violated": [3]}, {"violated": [3]}, {}]
    with pytest.raises(ValueError, match="reported, refused, replaced, ignored"):
        RDDLEnv(LIGHTS, EVENING, preconditions="enforced")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="contradict"):
        RDDLEnv(LIGHTS, EVENING, enforce_action_constraints=True, preconditions="ignored")


def test_numbers_count_only_on_request() -> None:
    action = {"press": [0, 1], "turn": 1, "slide": 0.5, "set-mood": 1}
    strict, loose = (RDDLEnv(LIGHTS, EVENING, enforce_action_count_non_bool=flag) for flag in (True, False))
    for env in (strict, loose):
        env.reset(seed=1)
    with pytest.raises(RDDLInvalidActionError, match="at most 3"):
        strict.step(action)
    assert loose.step(action)[0]["watts"] == 4


def test_partial_observations_are_none_before_the_first_step() -> None:
    env = pyrddlgym.make("rddl/sysadmin-pomdp", "1")
    seen, _ = env.reset(seed=1)
    assert seen and set(seen.values()) == {None} and env.state is not None and not set(seen) & set(env.state)
    seen, *_ = env.step({})
    assert None not in seen.values()


def test_faults_of_texts_are_told_with_their_places() -> None:
    with pytest.raises(RDDLParseError, match=r"text:24:\d+"):
        RDDLEnv(LIGHTS.replace("=> ~on", "=> ~onn"), EVENING)
    for arguments in (("domain.rddl", "1"), (files("elevators")[0], "nowhere.rddl")):
        with pytest.raises((ValueError, ImportError, herbrand.UnknownNameError)):
            pyrddlgym.make(*arguments)


def test_logs_and_movies_are_written(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from herbrand.compat.pyrddlgym.core.visualizer.movie import MovieGenerator

    env = pyrddlgym.make(
        "rddl/cartpole-discrete", "1", debug_path=str(tmp_path / "logs/debug"), log_path=str(tmp_path / "logs/sim")
    )
    movie = MovieGenerator(str(tmp_path / "movies"), "carts", max_frames=20)
    env.set_visualizer("text", movie_gen=movie)
    NoOpAgent().evaluate(env, episodes=2, render=True, seed=1)
    env.close()
    assert "level 0: push = " in (tmp_path / "logs/debug.log").read_text()
    rows = list(csv.reader((tmp_path / "logs/sim_log.csv").open()))
    header = rows.index(next(row for row in rows if row[0] == "timestamp"))
    assert rows[header][-3:] == ["push-right___c1", "reward", "done"]
    assert len([row for row in rows if len(row) > 3]) > 10
    assert (tmp_path / "movies/carts_0.gif").stat().st_size > 0


def test_visualizers_are_made_with_the_model() -> None:
    class Counter(BaseViz):
        def __init__(self, model: Any, factor: int = 1) -> None:
            self.model, self.factor = model, factor

        def render(self, state: Any) -> Any:
            return self.factor * sum(bool(value) for value in state.values())

    env = pyrddlgym.make("rddl/sysadmin-mdp", "1", vectorized=True)
    env.set_visualizer(Counter, factor=3)
    env.reset(seed=1)
    assert env.state is not None and env.render() == 3 * env.state["running"].sum() > 0
    with pytest.raises(ValueError, match="one of chart, heatmap, scene, text"):
        env.set_visualizer("oil")
    pytest.importorskip("PIL")
    for name in ("chart", "heatmap", "scene", "text"):
        env.set_visualizer(name)
        env.reset(seed=1)
        assert env.render().size[0] > 0


def test_random_agents_set_as_many_fluents_as_they_may() -> None:
    env = pyrddlgym.make("rddl/power-unit-commitment-continuous", "1")
    agent = RandomAgent(env.action_space, num_actions=1, seed=3)
    assert all(len(agent.sample_action()) == 1 for _ in range(10))
    arrays = pyrddlgym.make("rddl/sysadmin-mdp", "1", vectorized=True)
    with pytest.raises(RDDLRandPolicyVecNotImplemented):
        RandomAgent(arrays.action_space, num_actions=1)

    class Tensor(BaseAgent):
        use_tensor_obs = True

        def sample_action(self, state: Any) -> Any:
            return {}

    assert Tensor().evaluate(arrays, seed=1)["mean"] > 0
    with pytest.raises(ValueError, match="vectorized"):
        Tensor().evaluate(env)


def test_the_names_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    examples = pyrddlgym.ExampleManager.ListExamples()
    assert f"elevators -> {examples['elevators']}" in capsys.readouterr().out and all(examples.values())
    info = pyrddlgym.ExampleManager.GetEnvInfo("elevators")
    assert info.description == examples["elevators"]
    env = RDDLEnv.RDDLEnv(domain=info.get_domain(), instance=info.get_instance(0))  # type: ignore[attr-defined]  # pyright: ignore
    env.set_visualizer(info.get_visualizer())
    env.reset(seed=1)
    assert env.render() is not None
    assert env.NumConcurrentActions == env.max_allowed_actions
    direct = pyrddlgym.make("rddl/elevators", "1")
    assert env.reset(seed=1)[0] == direct.reset(seed=1)[0] and info.list_instances() == ["1", "2", "3", "4", "5"]


@pytest.mark.skipif(importlib.util.find_spec("rddlrepository") is None, reason="rddlrepository is not installed")
def test_problems_of_the_repository_are_found_by_name() -> None:
    for name in ("Elevators_MDP_ippc2011", "CartPole_Continuous_gym"):
        env = pyrddlgym.make(name, "1" if "ippc" in name else "0")
        env.reset(seed=1)
        assert env.step({})[1] is not None


@pytest.mark.parametrize("name", NAMES)
def test_ground_models_step_as_the_lifted_ones(name: str) -> None:
    from herbrand.compat.pyrddlgym.core.debug.decompiler import RDDLDecompiler
    from herbrand.compat.pyrddlgym.core.grounder import RDDLGrounder

    env = pyrddlgym.make(f"rddl/{name}", "1", enforce_action_constraints=False)
    model = RDDLGrounder(env.model.ast).ground()
    text = RDDLDecompiler().decompile_domain(model) + RDDLDecompiler().decompile_instance(model)
    assert not any(types for types in model.variable_params.values()) and "?" not in text
    lifted, ground = env.model.task, model.task
    one, two, rng = lifted.initial_state, ground.initial_state, herbrand.Random(1)
    assert dict(one) == dict(two)
    for step in range(6):
        action, u = lifted.sample_action(one, rng) or {}, 0.3 + 0.07 * step
        first, second = (task.step(state, action, quantile=u) for task, state in ((lifted, one), (ground, two)))
        assert first.violated == second.violated and first[2:4] == second[2:4]
        assert first.reward == pytest.approx(second.reward, rel=1e-9, abs=1e-9)
        for fluent, value in first.state.items():
            other = second.state[fluent]
            assert value == other or value == pytest.approx(other, rel=1e-9, abs=1e-9), fluent
        one, two = first.state, second.state
    env.close()
