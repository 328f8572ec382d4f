"""Tests of the environments for PufferLib."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import pufferlib as adapter

CASES: dict[str, dict[str, Any]] = {
    "bits": {"domain": "tireworld", "problem": "train/01", "horizon": 7},
    "packed": {"domain": "blocks", "split": "train", "observation": "packed-bits", "horizon": 7},
    "joint": {"domain": "rddl/elevators-mdp", "observation": "flat", "actions": "flat", "horizon": 7},
    "continuous": {"domain": "rddl/cartpole-continuous", "observation": "flat", "actions": "flat", "horizon": 7},
}


def test_without_pufferlib_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_PufferEnv", object)
    with pytest.raises(ImportError, match="pip install pufferlib"):
        adapter.make_vec("blocks")


@pytest.fixture
def vector() -> Any:
    pytest.importorskip("pufferlib", reason="PufferLib is not installed")
    return pytest.importorskip("pufferlib.vector")


@pytest.mark.parametrize("case", CASES)
def test_buffers_have_the_steps_of_the_vector_environment(vector: Any, case: str) -> None:
    envs = vector.make(adapter.make_vec, env_kwargs={"num_envs": 5, **CASES[case]})
    plain = herbrand.make_vec(num_envs=5, autoreset_mode="SameStep", **CASES[case])
    buffers = envs.observations, envs.rewards, envs.terminals, envs.truncations
    envs.async_reset(3)
    seen, _ = plain.reset(seed=15)
    told = 0
    for _ in range(30):
        row, rewards, terminals, truncations, *_, infos, _ids, _masks = envs.recv()
        assert all(one is other for one, other in zip((row, rewards, terminals, truncations), buffers, strict=True))
        assert envs.observation_space.contains(row)
        observed, masks = envs.split(row)
        np.testing.assert_array_equal(observed, seen.astype(row.dtype))
        actions = plain.unwrapped.sample()
        if CASES[case].get("domain") != "rddl/cartpole-continuous":
            np.testing.assert_array_equal(masks, plain.action_masks())
            assert masks[np.arange(5), actions].all()
        else:
            assert masks.shape == (5, 0)
        envs.send(actions)
        seen, paid, terminated, truncated, info = plain.step(actions)
        np.testing.assert_array_equal(envs.rewards, paid.astype(np.float32))
        np.testing.assert_array_equal(envs.terminals, terminated)
        np.testing.assert_array_equal(envs.truncations, truncated)
        if "episode" in info:
            ended = info["_episode"]
            assert envs.infos == [
                {
                    "episode_return": pytest.approx(info["episode"]["r"][ended].mean()),
                    "episode_length": info["episode"]["l"][ended].mean(),
                    "goal": info["final_info"]["goal"][ended].mean(),
                }
            ]
            told += 1
        else:
            assert envs.infos == []
    assert told >= 4
    envs.close()


def test_batches_of_pufferlib_have_seeds_of_their_own(vector: Any) -> None:
    options = {"num_envs": 4, "domain": "sokoban", "split": "train"}
    envs = vector.make(adapter.make_vec, env_kwargs=options, num_envs=2, backend=vector.Serial)
    row, _ = envs.reset(seed=1)
    # Two batches of four environments write into the two halves of the buffer.
    assert row.shape[0] == 8
    plain = herbrand.make_vec(num_envs=8, autoreset_mode="SameStep", domain="sokoban", split="train")
    seen, _ = plain.reset(seed=4)
    np.testing.assert_array_equal(envs.envs[0].split(row)[0], seen)
    for _ in range(5):
        actions = plain.unwrapped.sample()
        row, *_ = envs.step(actions)
        np.testing.assert_array_equal(envs.envs[0].split(row)[0], plain.step(actions)[0])
    envs.close()


def test_what_pufferlib_cannot_use_is_refused(vector: Any) -> None:
    with pytest.raises(ValueError, match="SameStep"):
        adapter.PufferVecEnv(herbrand.make_vec("blocks"))
    with pytest.raises(ValueError, match="observe vectors"):
        adapter.make_vec("blocks", observation="graph")
    with pytest.raises(ValueError, match="take numbers"):
        adapter.make_vec("rddl/elevators", observation="flat")
