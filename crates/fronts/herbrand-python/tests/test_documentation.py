"""Checks that the documented usage works with and without Gymnasium's wrappers."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import pytest

import herbrand

from conftest import ROOT

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "crates/fronts/herbrand-python").rglob("README.md")),
    *sorted((ROOT / "crates/fronts/herbrand-python").rglob("examples/*.py")),
    *sorted((ROOT / "crates/fronts/herbrand-python/python/herbrand").glob("*.py")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_sample_behind_wrappers(page: Any) -> None:
    if "CHANGELOG" in page.name:
        return
    # Calls of `sample` on an environment in the examples.
    calls = re.findall(r"\benvs?\.sample\(\)(?!\?)", page.read_text())
    assert not calls, "write env.unwrapped.sample(), which works with gymnasium.make too"


def test_what_is_documented_works_wrapped_and_unwrapped() -> None:
    wrapped: Any = gymnasium.make("herbrand/Sokoban-v0")
    assert isinstance(wrapped, gymnasium.Wrapper)
    environments: list[Any] = [wrapped, herbrand.make("sokoban")]
    for env in environments:
        _, info = env.reset(seed=1)
        for _ in range(30):
            action = env.unwrapped.sample()
            assert info["action_mask"][action]
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()
        _, info = env.reset(seed=1)
        assert info["action_mask"][env.action_space.sample(info["action_mask"])]
    vectors: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec("herbrand/Sokoban-v0", 2))
    for envs in (vectors, herbrand.VecEnv("sokoban", num_envs=2)):
        envs.reset(seed=1)
        assert envs.step(envs.unwrapped.sample())[1].shape == (2,)
