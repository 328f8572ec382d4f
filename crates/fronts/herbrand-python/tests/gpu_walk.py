"""Steps environments on the GPU of this machine and on its CPU, and prints "the same"; or prints the cause why there is no GPU."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np

import herbrand
from herbrand.gpu import GpuEnvs, GpuError


def walk(domain: str, count: int, mode: str) -> None:
    """Compares random walks of environments."""
    problem = herbrand.suite(domain).problem_names[0]
    options = {"problem": problem, "horizon": 20, "autoreset_mode": mode}
    envs = GpuEnvs(domain, count, **options)  # type: ignore[arg-type]
    twins = herbrand.VecEnv(domain, count, operators=True, part="changing", **options)  # type: ignore[arg-type]
    shown = [index for index, atom in enumerate(envs.atoms) if atom is not None]
    envs.reset(seed=7)
    twins.reset(seed=7)
    for _ in range(50):
        envs.step_sampled()
        seen, rewards, terminated, truncated, infos = twins.step_sampled()
        rows = envs.read()
        np.testing.assert_array_equal(rows.states[:, shown], seen != 0)
        np.testing.assert_array_equal(rows.action_mask, infos["action_mask"] != 0)
        np.testing.assert_array_equal(rows.rewards, rewards)
        np.testing.assert_array_equal(rows.terminations, terminated)
        np.testing.assert_array_equal(rows.truncations, truncated)


def tensors() -> None:
    """Steps environments by operators that PyTorch writes on the GPU, if it can."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        return
    if not torch.cuda.is_available():
        return
    envs = GpuEnvs("blocks", 1000, problem="train/01", horizon=None, through_goals=True)
    envs.reset(seed=1)
    for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
        with torch.cuda.stream(stream):
            for _ in range(20):
                valid = torch.from_dlpack(envs.valid)
                places = torch.arange(32, device=valid.device, dtype=torch.int32)
                masks = (valid.unsqueeze(2) >> places & 1).reshape(len(envs.operators), -1)[:, :1000].T
                torch.from_dlpack(envs.actions).copy_(masks.argmax(1))
                envs.step_written(stream=stream.cuda_stream)
                rows = envs.read()
                assert rows.applied.all()
                np.testing.assert_array_equal(torch.from_dlpack(envs.rewards).cpu().numpy(), rows.rewards)


if __name__ == "__main__":
    try:
        for domain in ("blocks", "tireworld", "blocks-derived", "sokoban", "river"):
            for mode in ("NextStep", "SameStep"):
                walk(domain, 10_000 if domain == "blocks" else 70, mode)
    except GpuError as error:
        if error.cause not in ("driver", "compiler", "device"):
            raise
        sys.exit(print(error.cause))
    tensors()
    print("the same")
