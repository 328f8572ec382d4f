"""Tests of environments with masks in the observation, and of PPO on them if RLlib is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector.utils import batch_space

import herbrand
from herbrand import rllib


def test_observations_have_the_masks_of_the_states_that_are_seen() -> None:
    plain = herbrand.make_vec("tireworld", num_envs=5, horizon=6)
    envs = rllib.MaskedVecEnv(herbrand.make_vec("tireworld", num_envs=5, horizon=6))
    assert envs.unwrapped is envs and envs.num_envs == 5
    assert envs.observation_space == batch_space(envs.single_observation_space, 5)
    seen, infos = plain.reset(seed=4)
    masked, _ = envs.reset(seed=4)
    for _ in range(40):
        assert envs.observation_space.contains(masked)
        np.testing.assert_array_equal(masked["observations"], seen)
        np.testing.assert_array_equal(masked["action_mask"], infos["action_mask"])
        actions = plain.sample()
        seen, *rest, infos = plain.step(actions)
        masked, *others, _ = envs.step(actions)
        for one, other in zip(rest, others):
            np.testing.assert_array_equal(one, other)
    # RLlib may pass a list of seeds.
    np.testing.assert_array_equal(envs.reset(seed=[4, 5, 6, 7, 8])[0]["observations"], plain.reset(seed=4)[0])  # type: ignore[arg-type]


def test_a_single_environment_has_its_mask_too() -> None:
    env: Any = rllib.MaskedEnv(herbrand.make("blocks", "train/01"))
    masked, info = env.reset(seed=2)
    for _ in range(10):
        assert env.observation_space.contains(masked)
        np.testing.assert_array_equal(masked["action_mask"], info["action_mask"])
        masked, _, terminated, _, info = env.step(env.unwrapped.sample())
        if terminated:
            masked, info = env.reset()


def test_what_rllib_asks_for_is_made() -> None:
    config = {"domain": "blocks", "problem": "train/01", "horizon": 9}
    many = rllib._created({**config, "num_envs": 3})
    assert isinstance(many, rllib.MaskedVecEnv) and many.num_envs == 3
    assert isinstance(rllib._created(config), rllib.MaskedEnv)
    assert config == {"domain": "blocks", "problem": "train/01", "horizon": 9}


def test_what_rllib_cannot_learn_on_is_refused() -> None:
    with pytest.raises(ValueError, match="discrete"):
        rllib.MaskedVecEnv(herbrand.make_vec("rddl/cartpole-continuous", problem="1", actions="flat", observation="flat"))
    with pytest.raises(ValueError, match="arrays"):
        rllib.MaskedVecEnv(herbrand.make_vec("blocks", observation="graph"))
    with pytest.raises(ValueError, match="NextStep"):
        rllib.MaskedVecEnv(herbrand.make_vec("blocks", autoreset_mode="SameStep"))


@pytest.mark.timeout(600)
def test_ppo_of_rllib_learns() -> None:
    pytest.importorskip("ray.rllib.algorithms.ppo", reason="RLlib is not installed")
    pytest.importorskip("torch", reason="PyTorch is not installed")
    ray: Any = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    config = rllib.ppo_config("tireworld", "train/01", num_envs=16, operators=True, horizon=20)
    config.training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=4, lr=3e-3)
    algorithm = config.debugging(seed=0).build_algo()
    returns = [algorithm.train()["env_runners"]["episode_return_mean"] for _ in range(5)]
    algorithm.stop()
    ray.shutdown()
    assert returns[-1] > returns[0]
