"""Tests of tensors that share the memory of a batch's arrays. They need PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import BaseVecEnv

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")


def make(kind: str, count: int, copy: bool) -> BaseVecEnv:
    options: dict[str, Any] = {"num_envs": count, "copy": copy, "horizon": 20, "autoreset_mode": "SameStep"}
    if kind == "pddl":
        return herbrand.make_vec("blocks", observation="packed-bits", **options)
    return herbrand.make_vec("rddl/cartpole-discrete", problem="1", observation="flat", actions="flat", **options)


@pytest.mark.parametrize("kind", ["pddl", "rddl"])
def test_tensors_over_arrays_in_place_follow_the_environments(kind: str) -> None:
    envs = make(kind, 16, copy=False)
    seen, infos = envs.reset(seed=3)
    tensor = torch.from_dlpack(seen)
    assert tensor.data_ptr() == seen.ctypes.data and tensor.shape == seen.shape
    now = seen
    for _ in range(30):
        now, rewards, terminated, truncated, infos = envs.step(envs.unwrapped.sample())
        # The tensor that was made once is the observation of every step.
        np.testing.assert_array_equal(tensor.numpy(), now)
        for array in (now, rewards, terminated, truncated, infos["goal"], infos["problem_index"]):
            assert torch.from_dlpack(array).data_ptr() == array.ctypes.data
    assert now is seen


@pytest.mark.parametrize("kind, count", [("pddl", 16), ("pddl", 20_000), ("rddl", 16), ("rddl", 5_000)])
def test_tensors_over_copies_stay_as_they_are(kind: str, count: int) -> None:
    # In the larger batches, memory of arrays is used again once nothing refers to it.
    envs = make(kind, count, copy=True)
    seen, _ = envs.reset(seed=3)
    kept, contents = [], []
    for _ in range(6):
        kept.append(torch.from_dlpack(seen))
        assert kept[-1].data_ptr() == seen.ctypes.data
        contents.append(seen.copy())
        seen = envs.step_sampled()[0]
    for tensor, expected in zip(kept, contents, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), expected)
    assert len({tensor.data_ptr() for tensor in kept}) == 6


def test_masks_are_tensors_without_a_copy() -> None:
    envs = make("pddl", 16, copy=False)
    envs.reset(seed=3)
    masks = envs.action_masks()
    tensor = torch.from_dlpack(masks)
    assert tensor.dtype == torch.bool and tensor.data_ptr() == masks.ctypes.data
    for _ in range(10):
        envs.step(torch.multinomial(tensor.float(), 1).squeeze(1).numpy())
        np.testing.assert_array_equal(tensor.numpy(), envs.action_masks())


def test_rollouts_are_tensors_without_a_copy() -> None:
    envs = make("pddl", 16, copy=False)
    envs.reset(seed=3)
    addresses = []
    for rollout in envs.rollouts(10, count=4):
        tensor = torch.from_dlpack(rollout.observations)
        addresses.append(tensor.data_ptr())
        assert tensor.shape[:2] == (16, 10) and addresses[-1] == rollout.observations.ctypes.data
    assert addresses[:2] == addresses[2:]
