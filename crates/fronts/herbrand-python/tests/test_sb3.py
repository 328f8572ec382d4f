"""Tests of the environments for Stable-Baselines3."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import sb3 as adapter

CASES: dict[str, dict[str, Any]] = {
    "bits": {"domain": "tireworld", "problem": "train/01", "horizon": 7},
    "suite": {"domain": "blocks", "split": "train", "ids": "suite", "observation": "bits-and-goal", "horizon": 7},
    "graph": {"domain": "blocks", "problem": "train/01", "observation": "graph", "horizon": 7},
    "pixels": {"domain": "blocks", "problem": "train/01", "observation": "pixels", "pixels": (36, 36), "horizon": 7},
    "joint": {"domain": "rddl/elevators-mdp", "actions": "joint", "horizon": 7},
    "several": {"domain": "rddl/elevators", "observation": "dict", "horizon": 7},
    "continuous": {"domain": "rddl/cartpole-continuous", "horizon": 7},
}

SLIDE = """
domain slide {
    pvariables {
        place : { state-fluent, real, default = 0.0 };
        push : { action-fluent, real, default = 0.0 };
        pull : { action-fluent, real, default = 0.0 };
    };
    cpfs { place' = place + push - pull; };
    reward = -abs[place - 1.0];
    action-preconditions { push <= 2.0; };
}
instance one { domain = slide; max-nondef-actions = pos-inf; horizon = 7; discount = 1.0; }
"""


def test_without_stable_baselines_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_VecEnv", object)
    monkeypatch.setattr(adapter, "_BaseCallback", object)
    with pytest.raises(ImportError, match=r"herbrand\[sb3\]"):
        adapter.make_vec("blocks")
    with pytest.raises(ImportError, match=r"herbrand\[sb3\]"):
        adapter.EvaluationCallback(lambda model: {})


@pytest.fixture
def sb3() -> Any:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    return pytest.importorskip("stable_baselines3")


@pytest.fixture
def wrappers(sb3: Any) -> Any:
    """The vector environments and wrappers of Stable-Baselines3."""
    return import_module("stable_baselines3.common.vec_env")


def single(case: dict[str, Any]) -> Any:
    """A single environment in the form of a case."""
    form: dict[str, Any] = {"actions": "flat", "observation": "flat"} if case["domain"].startswith("rddl/") else {}
    form |= case
    if case.get("observation") == "graph":
        form["observation"] = "graph-arrays"
    return herbrand.make(**form)


def drawn(generator: np.random.Generator, envs: Any) -> Any:
    """Random actions: valid ones if actions are numbers."""
    if hasattr(envs.action_space, "n"):
        masks = np.stack(envs.env_method("action_masks"))
        return (masks * generator.random(masks.shape)).argmax(axis=1)
    return np.stack([envs.action_space.sample() for _ in range(envs.num_envs)])


def assert_alike(one: Any, other: Any) -> None:
    """Checks that observations, or dicts of them, are equal."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name, part in one.items():
            np.testing.assert_array_equal(part, other[name])
    else:
        np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_steps_are_those_of_single_environments(wrappers: Any, case: str, copy: bool) -> None:
    envs = adapter.make_vec(num_envs=3, copy=copy, **CASES[case])
    singles = wrappers.DummyVecEnv([lambda: single(CASES[case])] * 3)
    assert str(envs.action_space) == str(singles.action_space)
    if case != "graph":
        # The graphs of a batch are padded.
        assert str(envs.observation_space) == str(singles.observation_space)
    envs.action_space.seed(0)
    assert envs.seed(5) == singles.seed(5)
    seen, others = envs.reset(), singles.reset()
    generator, ended, returns = np.random.default_rng(0), 0, np.zeros(3)
    masked = hasattr(envs.action_space, "n") or hasattr(envs.action_space, "nvec")
    for _ in range(30):
        if case != "graph":
            assert_alike(seen, others)
        for mine, theirs in zip(envs.reset_infos, singles.reset_infos, strict=True):
            assert mine["goal"] == theirs["goal"] and mine["problem_index"] == theirs["problem_index"]
        masks = envs.env_method("action_masks")
        np.testing.assert_array_equal(masks, singles.env_method("action_masks"))
        assert masks[0].dtype == np.bool_ and masks[0].any() == masked
        kept = {name: part.copy() for name, part in seen.items()} if isinstance(seen, dict) else seen.copy()
        before, was = seen, [mask.copy() for mask in masks]
        actions = drawn(generator, envs)
        seen, rewards, dones, infos = envs.step(actions)
        others, their_rewards, their_dones, their_infos = singles.step(actions)
        # A learner stores the observations and masks from before the step after it.
        assert_alike(before, kept)
        np.testing.assert_array_equal(masks, was)
        assert rewards.dtype == np.float32
        np.testing.assert_array_equal(rewards, their_rewards)
        np.testing.assert_array_equal(dones, their_dones)
        returns += rewards
        assert len({id(info) for info in infos}) == 3
        for index, (info, theirs) in enumerate(zip(infos, their_infos, strict=True)):
            if not dones[index]:
                assert info == {}
                continue
            ended += 1
            assert info["TimeLimit.truncated"] is theirs["TimeLimit.truncated"]
            assert info["goal"] == theirs["goal"] and info["end"] == theirs["end"]
            assert info.get("is_success", False) == info["goal"]
            if case != "graph":
                assert_alike(info["terminal_observation"], theirs["terminal_observation"])
            assert info["episode"]["r"] == pytest.approx(returns[index], rel=1e-5) and 1 <= info["episode"]["l"] <= 7
            returns[index] = 0.0
    assert ended >= 6


def test_indices_choose_environments(sb3: Any) -> None:
    envs = adapter.make_vec(num_envs=4, **CASES["suite"])
    envs.seed(1)
    envs.reset()
    masks = envs.env_method("action_masks")
    np.testing.assert_array_equal(envs.env_method("action_masks", indices=[2, 0]), [masks[2], masks[0]])
    np.testing.assert_array_equal(envs.env_method("action_masks", indices=3), [masks[3]])
    assert envs.env_method("problem_indexes", indices=1) == [envs.envs.problem_indexes()[1]]
    assert envs.get_attr("horizon", indices=[0, 1]) == [7, 7] and envs.get_attr("render_mode") == [None] * 4
    assert envs.get_attr("action_space", indices=0) == [envs.action_space]
    assert envs.has_attr("action_masks") and not envs.has_attr("no_such_name")
    envs.set_attr("note", "new")
    assert envs.get_attr("note") == ["new"] * 4
    with pytest.raises(ValueError, match="without indices"):
        envs.set_attr("note", "old", indices=[1])


def test_what_stable_baselines_cannot_use_is_refused(sb3: Any) -> None:
    with pytest.raises(ValueError, match="SameStep"):
        adapter.SB3VecEnv(herbrand.make_vec("blocks"))
    with pytest.raises(ValueError, match="actions='flat'"):
        adapter.make_vec("rddl/elevators", actions="dict")
    with pytest.raises(ValueError, match="continuous"):
        adapter.make_vec("blocks", bounds=(-1, 1))
    with pytest.raises(ValueError, match="problem="):
        adapter.make_vec("blocks").set_options({"problem": 1})


@pytest.mark.filterwarnings("ignore:.*number atoms")
def test_wrappers_of_stable_baselines(wrappers: Any) -> None:
    monitor = import_module("stable_baselines3.common.monitor").Monitor
    envs = adapter.make_vec(num_envs=2, **CASES["continuous"])
    assert envs.env_is_wrapped(monitor) == [True, True] and envs.env_is_wrapped(herbrand.BaseEnv, indices=0) == [False]
    plain = adapter.make_vec(num_envs=2, statistics=False, **CASES["continuous"])
    assert plain.env_is_wrapped(monitor) == [False, False]
    stacked = wrappers.VecFrameStack(wrappers.VecNormalize(wrappers.VecMonitor(plain)), 3)
    width = envs.observation_space.shape[0]
    stacked.seed(2)
    seen = stacked.reset()
    assert seen.shape == (2, 3 * width)
    told = 0
    for _ in range(8):
        seen, _, dones, infos = stacked.step(np.zeros((2, 1), dtype=np.float32))
        for done, info in zip(dones, infos, strict=True):
            assert ("episode" in info) == bool(done)
            if done:
                told += 1
                assert info["episode"]["l"] == 7 and info["terminal_observation"].shape == (3 * width,)
    assert told == 2 and seen.shape == (2, 3 * width)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "algorithm, case",
    [
        ("MaskablePPO", "bits"),
        ("MaskablePPO", "several"),
        ("MaskablePPO", "joint"),
        ("PPO", "suite"),
        ("PPO", "graph"),
        ("PPO", "pixels"),
        ("DQN", "bits"),
        ("SAC", "continuous"),
        ("TD3", "continuous"),
    ],
)
def test_algorithms_train(sb3: Any, algorithm: str, case: str) -> None:
    contrib: Any = import_module("sb3_contrib")
    kind = getattr(contrib if algorithm == "MaskablePPO" else sb3, algorithm)
    bounds: dict[str, Any] = {"bounds": (-10.0, 10.0)} if case == "continuous" else {}
    envs = adapter.make_vec(num_envs=4, **bounds, **CASES[case])
    policy = {"graph": "MultiInputPolicy", "several": "MultiInputPolicy", "pixels": "CnnPolicy"}.get(case, "MlpPolicy")
    few = {"n_steps": 16, "batch_size": 32} if "PPO" in algorithm else {"learning_starts": 40, "buffer_size": 1000}
    model = kind(policy, envs, seed=3, device="cpu", **few)
    model.learn(200)
    assert model.num_timesteps >= 200 and len(model.ep_info_buffer) > 4
    assert all(1 <= info["l"] <= 7 for info in model.ep_info_buffer)
    if case != "continuous" and not CASES[case]["domain"].startswith("rddl/"):
        assert len(model.ep_success_buffer) == len(model.ep_info_buffer)


def test_unbounded_actions_need_bounds(sb3: Any) -> None:
    envs = adapter.make_vec(SLIDE, 2)
    np.testing.assert_array_equal([envs.action_space.low, envs.action_space.high], [[-np.inf] * 2, [2.0, np.inf]])
    with pytest.raises(AssertionError, match="finite"):
        sb3.SAC("MlpPolicy", envs)
    bounded = adapter.make_vec(SLIDE, 2, bounds=(-3, [5, 6]))
    np.testing.assert_array_equal([bounded.action_space.low, bounded.action_space.high], [[-3.0, -3.0], [2.0, 6.0]])
    sb3.SAC("MlpPolicy", bounded, learning_starts=4, buffer_size=100, device="cpu").learn(10)


def test_a_callback_writes_the_learning_curve(sb3: Any, tmp_path: Path) -> None:
    envs = adapter.make_vec(num_envs=4, **CASES["bits"])
    model = sb3.PPO("MlpPolicy", envs, n_steps=8, batch_size=32, device="cpu", seed=0)
    path = tmp_path / "curve.csv"
    callback = adapter.EvaluationCallback(
        lambda one: herbrand.evaluate(one, "tireworld", "train/01", episodes=20, horizon=7),
        50,
        path,
        stop=lambda curve: len(curve) == 3,
    )
    model.learn(1000, callback=callback)
    assert [row["steps"] for row in callback.curve] == [52, 100, 152] and model.num_timesteps == 152
    head, *lines = path.read_text().splitlines()
    assert head == "steps,goal,goal_low,goal_high,return,return_low,return_high,length"
    assert [line.split(",")[0] for line in lines] == ["52", "100", "152"]
    pytest.importorskip("matplotlib").use("Agg")
    axes = callback.plot("goal", label="PPO")
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [row["goal"] for row in callback.curve])
