"""Tests of the environments for TorchRL."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import torchrl as adapter

CASES: dict[str, dict[str, Any]] = {
    "bits": {"domain": "tireworld", "problem": "train/01", "horizon": 7},
    "graph": {"domain": "blocks", "split": "train", "observation": "graph", "horizon": 7},
    "pixels": {"domain": "blocks", "problem": "train/01", "observation": "pixels", "pixels": (12, 12), "horizon": 7},
    "joint": {"domain": "rddl/elevators-mdp", "observation": "flat", "actions": "flat", "horizon": 7},
    "dicts": {"domain": "rddl/elevators", "horizon": 7},
    "continuous": {"domain": "rddl/cartpole-continuous", "observation": "flat", "actions": "flat", "horizon": 7},
}


def test_without_torchrl_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_EnvBase", object)
    with pytest.raises(ImportError, match=r"herbrand\[torchrl\]"):
        adapter.make_vec("blocks")


@pytest.fixture
def torch() -> Any:
    pytest.importorskip("torchrl", reason="TorchRL is not installed")
    return pytest.importorskip("torch")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_specs_are_what_torchrl_checks(torch: Any, case: str) -> None:
    utils: Any = pytest.importorskip("torchrl.envs.utils")
    env = adapter.make_vec(num_envs=3, **CASES[case])
    utils.check_env_specs(env, seed=4)
    assert env.rollout(30, break_when_any_done=False)["next", "done"].sum() >= 9


@pytest.mark.parametrize("case", ["bits", "joint"])
def test_steps_are_those_of_the_vector_environment(torch: Any, case: str) -> None:
    transforms: Any = pytest.importorskip("torchrl.envs")
    env = transforms.TransformedEnv(adapter.make_vec(num_envs=5, **CASES[case]), transforms.ActionMask())
    plain = herbrand.make_vec(num_envs=5, autoreset_mode="Disabled", **CASES[case])
    torch.manual_seed(0)
    env.set_seed(11)
    rollout = env.rollout(40, break_when_any_done=False)
    seen, infos = plain.reset(seed=11)
    for step in range(40):
        now = rollout[:, step]
        np.testing.assert_array_equal(now["observation"], seen)
        np.testing.assert_array_equal(now["action_mask"], infos["action_mask"].astype(bool))
        actions = now["action"].numpy()
        assert infos["action_mask"][np.arange(5), actions].all()
        seen, rewards, terminated, truncated, infos = plain.step(actions)
        after = now["next"]
        # An episode's last observation is in the step that ends it.
        np.testing.assert_array_equal(after["observation"], seen)
        np.testing.assert_array_equal(after["reward"][:, 0], rewards.astype(np.float32))
        np.testing.assert_array_equal(after["terminated"][:, 0], terminated)
        np.testing.assert_array_equal(after["truncated"][:, 0], truncated)
        ended = terminated | truncated
        np.testing.assert_array_equal(after["done"][:, 0], ended)
        if ended.any():
            seen, infos = plain.reset(options={"reset_mask": ended})
    assert rollout["next", "done"].sum() >= 20


def test_a_seed_repeats_and_resets_reach_only_what_they_mark(torch: Any) -> None:
    env = adapter.make_vec(num_envs=4, **CASES["bits"])
    env.set_seed(3)
    first = env.reset()["observation"]
    env.rand_step(env.reset())
    env.set_seed(3)
    assert torch.equal(env.reset()["observation"], first)
    begun = env.reset()
    begun["action"] = torch.multinomial(begun["action_mask"].float(), 1).squeeze(-1)
    after = env.step(begun)
    kept = after["next", "observation"].clone()
    assert (kept != first).any(1).all()
    which = torch.tensor([[True], [False], [True], [False]])
    again = env.reset(after["next"].clone().set("_reset", which))
    assert torch.equal(again["observation"][1::2], kept[1::2])
    assert torch.equal(again["observation"][::2], first[::2])


def test_tensors_share_memory_and_stay_as_they_are(torch: Any) -> None:
    env = adapter.make_vec(num_envs=3, **CASES["bits"])
    first = env.reset()
    contents = first["observation"].clone()
    env.rand_step(first)
    assert torch.equal(first["observation"], contents)
    array = np.zeros((3, 2), dtype=np.int8)
    assert adapter._tensors(array).data_ptr() == array.ctypes.data


def test_what_torchrl_cannot_use_is_refused(torch: Any) -> None:
    with pytest.raises(ValueError, match="Disabled"):
        adapter.TorchVecEnv(herbrand.make_vec("blocks"))
    with pytest.raises(ValueError, match="copy=True"):
        adapter.make_vec("blocks", copy=False)


@pytest.mark.filterwarnings("ignore")
def test_a_collector_of_torchrl_runs_on_it(torch: Any) -> None:
    collectors: Any = pytest.importorskip("torchrl.collectors")
    transforms: Any = pytest.importorskip("torchrl.envs")
    env = transforms.TransformedEnv(adapter.make_vec(num_envs=4, **CASES["bits"]), transforms.ActionMask())

    def valid(tensordict: Any) -> Any:
        return tensordict.set("action", torch.multinomial(tensordict["action_mask"].float(), 1).squeeze(-1))

    collector = collectors.Collector(env, valid, frames_per_batch=48, total_frames=96)
    batches = [batch.clone() for batch in collector]
    assert [batch.shape for batch in batches] == [(4, 12), (4, 12)]
    for batch in batches:
        assert batch["action_mask"].gather(-1, batch["action"].unsqueeze(-1)).all()
    # The second batch continues after the last step of the first one.
    goes_on = ~batches[0]["next", "done"][:, -1, 0]
    assert torch.equal(batches[1]["observation"][:, 0][goes_on], batches[0]["next", "observation"][:, -1][goes_on])
    collector.shutdown()
