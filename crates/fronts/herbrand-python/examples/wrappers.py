#!/usr/bin/env python3
"""Gymnasium's wrappers around single and vector environments: statistics, time limits, videos, dicts.

Needs `pip install 'gymnasium[other]'` (moviepy) for the video, which is skipped if that is missing.

usage: wrappers.py [--domain sokoban] [--problem train/03] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import RecordEpisodeStatistics, RecordVideo, TimeLimit
from gymnasium.wrappers import vector as vectors

import herbrand


def play(env: Any, seed: int) -> dict[str, Any]:
    """Runs an episode of random valid actions; returns the last info."""
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(env.unwrapped.sample())
        over = terminated or truncated
    return dict(info)


def statistics(domain: str, problem: str) -> dict[str, Any]:
    """Returns the statistics of an episode that `TimeLimit` ends after 20 steps."""
    env: Any = RecordEpisodeStatistics(TimeLimit(herbrand.make(domain, problem, horizon=None), max_episode_steps=20))
    return dict(play(env, seed=1)["episode"])


def film(domain: str, problem: str, folder: Path) -> list[Path]:
    """Records a video of an episode of 10 steps; returns its files."""
    env = herbrand.make(domain, problem, horizon=10, render_mode="rgb_array")
    recorded: Any = RecordVideo(env, str(folder), episode_trigger=lambda episode: True, disable_logger=True)
    play(recorded, seed=1)
    recorded.close()
    return sorted(folder.glob("*.mp4"))


def many(domain: str, envs: int, steps: int) -> tuple[int, float]:
    """Returns the number and the mean length of episodes of a vector environment, by the statistics wrapper."""
    made = gymnasium.make_vec(f"herbrand/{domain.title()}-v0", num_envs=envs, horizon=25)
    counted: Any = vectors.RecordEpisodeStatistics(made)
    counted.reset(seed=1)
    lengths: list[int] = []
    for _ in range(steps):
        *_, infos = counted.step(counted.unwrapped.sample())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    return len(lengths), float(np.mean(lengths))


def listed(domain: str, problem: str) -> list[dict[str, Any]]:
    """Returns the infos converted by `DictInfoToList`: one dict per environment, with its own mask."""
    envs: Any = vectors.DictInfoToList(herbrand.make_vec(domain, problem=problem, num_envs=3))
    _, infos = envs.reset(seed=1)
    return list(infos)


def single_as_vector(domain: str, problem: str) -> bool:
    """Returns whether Gymnasium's `SyncVectorEnv` of single environments gives the same results as `make_vec`."""
    ours = herbrand.make_vec(domain, problem=problem, num_envs=4)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: herbrand.make(domain, problem) for _ in range(4)])
    first, second = ours.reset(seed=3)[0], theirs.reset(seed=3)[0]
    same = bool(np.array_equal(first, second))
    for _ in range(50):
        actions = ours.sample()
        one, other = ours.step(actions), theirs.step(actions)
        same = same and all(np.array_equal(mine, its) for mine, its in zip(one[:4], other[:4]))
    return same


def main() -> None:
    """Runs all examples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="sokoban")
    parser.add_argument("--problem", default="train/03")
    parser.add_argument("--out", type=Path, default=Path("films"), help="where the film goes")
    options = parser.parse_args()
    pair = options.domain, options.problem
    episode = statistics(*pair)
    print(f"RecordEpisodeStatistics, TimeLimit: return {float(episode['r']):.1f}, length {int(episode['l'])}")
    if importlib.util.find_spec("moviepy") is None:
        print("RecordVideo: left out, moviepy is not installed")
    else:
        print(f"RecordVideo: {len(film(*pair, options.out))} film in {options.out}")
    count, length = many(options.domain, 16, 200)
    print(f"vector.RecordEpisodeStatistics: {count} episodes of {length:.1f} steps in the mean")
    print(f"vector.DictInfoToList: {len(listed(*pair))} infos with {sorted(listed(*pair)[0])}")
    print(f"SyncVectorEnv: {'the same' if single_as_vector(*pair) else 'not the same'} as make_vec")


if __name__ == "__main__":
    main()
