"""Execution of a share, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base_vector import BaseVecEnv
from .recipe import Policy, Recipe, Share
from .schema import Block, Columns

__all__ = ["blocks", "seeded", "taken"]


def seeded(recipe: Recipe, share: Share) -> tuple[BaseVecEnv, Any]:
    """Creates and resets the environments of a share; returns them with their first observations."""
    envs = recipe.environments(share.count)
    seen, _ = envs.reset(seed=recipe.seed + share.first)
    return envs, seen


def blocks(recipe: Recipe, share: Share) -> Iterator[tuple[Columns, Block]]:
    """Yields all steps of a share in blocks, each with its columns."""
    envs, seen = seeded(recipe, share)
    columns = Columns.of(envs)
    clock = _Clock(share)
    generator = np.random.default_rng([recipe.seed, share.first])
    for start in range(0, recipe.steps, recipe.block):
        count = min(recipe.block, recipe.steps - start)
        if recipe.policy is None:
            raw = _sampled(envs, count)
        else:
            raw = _chosen(envs, recipe.policy, generator, seen, count)
            seen = raw["last"]
        yield columns, _block(columns, clock, raw, last=start + count == recipe.steps)


class _Clock:
    """The current episode numbers, and the step numbers within the episodes."""

    def __init__(self, share: Share) -> None:
        self.environments = np.arange(share.first, share.first + share.count, dtype=np.uint32)
        self.episode = np.zeros(share.count, dtype=np.uint32)
        self.step = np.zeros(share.count, dtype=np.uint32)

    def numbers(self, ended: NDArray[np.bool_]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Returns the episode and step numbers of the next steps; `ended` marks steps that end an episode."""
        episodes = np.empty(ended.shape, dtype=np.uint32)
        steps = np.empty(ended.shape, dtype=np.uint32)
        for at in range(ended.shape[1]):
            episodes[:, at], steps[:, at] = self.episode, self.step
            self.episode = self.episode + ended[:, at].astype(np.uint32)
            self.step = np.where(ended[:, at], np.uint32(0), self.step + np.uint32(1))
        return episodes, steps


def _sampled(envs: BaseVecEnv, count: int) -> dict[str, Any]:
    """Takes `count` steps by random valid actions."""
    problems = np.array(envs.problem_indexes(), dtype=np.uint32)
    rollout = envs.collect(count)
    return {
        "observation": _shifted(rollout.first_observations, rollout.observations),
        "mask": _shifted(rollout.first_masks, rollout.action_masks),
        "problem": _shifted(problems, rollout.problems.astype(np.uint32)),
        "action": rollout.actions,
        "reward": rollout.rewards,
        "terminated": rollout.terminations,
        "truncated": rollout.truncations,
        "goal": rollout.goal,
        "dead_end": rollout.dead_end,
        "applied": rollout.applied,
        "final": rollout.final_observations,
        "last": rollout.observations[:, -1],
    }


def _shifted(first: NDArray[Any], following: NDArray[Any]) -> NDArray[Any]:
    """Returns the values before each step, given those before the first step and after each step."""
    return np.concatenate([first[:, np.newaxis], following[:, :-1]], axis=1)


def taken(envs: BaseVecEnv, seen: NDArray[Any], actions: NDArray[Any]) -> tuple[dict[str, Any], NDArray[Any]]:
    """Takes one step in every environment; returns the record of the step, and the observations after it.

    `seen` are the observations before the step. ``"final"`` has the last observation of the episodes that ended; 0
    elsewhere.
    """
    masks = envs.action_masks().view(np.int8)
    problems = np.array(envs.problem_indexes(), dtype=np.uint32)
    after, rewards, terminated, truncated, infos = envs.step(actions)
    ended = terminated | truncated
    final = np.zeros_like(after)
    for at in np.flatnonzero(ended):
        final[at] = infos["final_obs"][at]
    last = infos.get("final_info", infos)
    step = {
        "observation": seen,
        "mask": masks,
        "problem": problems,
        "action": actions,
        "reward": rewards,
        "terminated": terminated,
        "truncated": truncated,
        "goal": np.where(ended, last["goal"], infos["goal"]),
        "dead_end": np.where(ended, last["dead_end"], infos["dead_end"]),
        "applied": infos["applied"],
        "final": final,
    }
    return step, after


def _chosen(
    envs: BaseVecEnv, policy: Policy, generator: np.random.Generator, seen: NDArray[Any], count: int
) -> dict[str, Any]:
    """Takes `count` steps by the actions of a policy."""
    told: dict[str, list[Any]] = {}
    for _ in range(count):
        masks = envs.action_masks().view(np.int8)
        problems = np.array(envs.problem_indexes(), dtype=np.int64)
        actions = np.asarray(policy(seen, masks, problems, generator))
        step, after = taken(envs, seen, actions)
        for name, value in step.items():
            told.setdefault(name, []).append(value)
        seen = after
    return {name: np.stack(values, axis=1) for name, values in told.items()} | {"last": seen}


def _block(columns: Columns, clock: _Clock, raw: dict[str, Any], last: bool) -> Block:
    ended = raw["terminated"] | raw["truncated"]
    episodes, steps = clock.numbers(ended)
    following, given = raw["final"], ended.copy()
    if last:
        following = following.copy()
        open_ones = ~ended[:, -1]
        following[open_ones, -1] = raw["last"][open_ones]
        given[:, -1] = True
    mask = raw["mask"].view(np.uint8)
    packed = np.packbits(mask, axis=-1, bitorder="little") if columns.discrete else mask[..., :0]
    return Block(
        environment=np.broadcast_to(clock.environments[:, np.newaxis], ended.shape),
        episode=episodes,
        step=steps,
        problem=raw["problem"],
        observation=raw["observation"],
        mask=packed,
        action=raw["action"],
        reward=raw["reward"],
        terminated=raw["terminated"],
        truncated=raw["truncated"],
        goal=raw["goal"],
        dead_end=raw["dead_end"],
        applied=raw["applied"],
        next_observation=following,
        has_next=given,
    )
