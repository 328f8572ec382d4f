"""Tests of `collect`: many sampled steps in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import herbrand
from herbrand import BaseEnv, BaseVecEnv, VecEnv

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def parts(observation: Any) -> list[Any]:
    """Returns the arrays of an observation."""
    return list(observation.values()) if isinstance(observation, dict) else [observation]


def make(kind: str, mode: AutoresetMode, threads: int, copied: bool = True) -> BaseVecEnv:
    options: dict[str, Any] = {"num_envs": 5, "autoreset_mode": mode, "threads": threads, "copy": copied}
    if kind == "balloon":
        return BaseVecEnv(herbrand.testing.balloon(2), **options)
    return VecEnv("tireworld", horizon=6, observation=kind, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["bits", "graph", "balloon"])
def test_collected_steps_are_those_that_are_taken_one_by_one(kind: str, mode: AutoresetMode, threads: int) -> None:
    many, sampled, given = (make(kind, mode, threads) for _ in range(3))
    starts = [envs.reset(seed=9) for envs in (many, sampled, given)]
    seen, infos = starts[0]
    before, masks = seen, infos.get("action_mask", many.action_masks())
    returns: list[float] = []
    lengths: list[int] = []
    told: list[Any] = []
    for count in (1, 7, 30):
        rollout = many.collect(count)
        for mine, theirs in zip(parts(rollout.first_observations), parts(before), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        np.testing.assert_array_equal(rollout.first_masks, masks)
        for step in range(count):
            actions = given.sample()
            seen, rewards, terminated, truncated, infos = given.step(actions)
            other, *rest, same = sampled.step_sampled()
            np.testing.assert_array_equal(same["action"], actions)
            np.testing.assert_array_equal(same["_action"], infos["_applied"])
            for first, second, third in zip(parts(seen), parts(other), parts(rollout.observations), strict=True):
                np.testing.assert_array_equal(first, second)
                np.testing.assert_array_equal(first, third[:, step])
            for first, second, third in zip(
                (rewards, terminated, truncated),
                rest,
                (rollout.rewards, rollout.terminations, rollout.truncations),
                strict=True,
            ):
                np.testing.assert_array_equal(first, second)
                np.testing.assert_array_equal(first, third[:, step])
            np.testing.assert_array_equal(rollout.actions[:, step], actions)
            np.testing.assert_array_equal(rollout.action_masks[:, step], infos.get("action_mask", given.action_masks()))
            np.testing.assert_array_equal(rollout.problems[:, step], given.problem_indexes())
            np.testing.assert_array_equal(rollout.problems[:, step], infos["problem_index"])
            np.testing.assert_array_equal(rollout.stepped[:, step], infos["_applied"])
            np.testing.assert_array_equal(rollout.applied[:, step], infos["applied"])
            ended = terminated | truncated
            final = infos.get("final_info")
            for key, mine in (("goal", rollout.goal), ("dead_end", rollout.dead_end)):
                expected = infos[key] if final is None else np.where(ended, final[key], infos[key])
                np.testing.assert_array_equal(mine[:, step], expected)
            for index in np.flatnonzero(infos.get("_final_obs", np.zeros(5, dtype=bool))):
                for mine, theirs in zip(parts(rollout.final_observations), parts(infos["final_obs"][index]), strict=True):
                    np.testing.assert_array_equal(mine[index, step], theirs)
            if "episode" in infos:
                returns += infos["episode"]["r"][ended].tolist()
                lengths += infos["episode"]["l"][ended].tolist()
        told.append((rollout.episode_returns, rollout.episode_lengths))
        before, masks = seen, infos.get("action_mask", many.action_masks())
    assert len(lengths) >= 5
    np.testing.assert_allclose(np.concatenate([one for one, _ in told]), returns)
    np.testing.assert_array_equal(np.concatenate([one for _, one in told]), lengths)


def test_shapes() -> None:
    envs = VecEnv("blocks", num_envs=3, horizon=5)
    envs.reset(seed=1)
    rollout = envs.collect(8)
    width, count = envs.single_observation_space.shape, envs.action_masks().shape[1]
    assert rollout.observations.shape == (3, 8, *(width or ())) and rollout.action_masks.shape == (3, 8, count)
    assert rollout.actions.shape == rollout.rewards.shape == rollout.problems.shape == (3, 8)
    assert rollout.actions.dtype == np.int64 and rollout.final_observations is None
    taken = rollout.action_masks[:, :-1][np.arange(3)[:, None], np.arange(7), rollout.actions[:, 1:]]
    assert taken[rollout.stepped[:, 1:]].all() and not rollout.stepped.all()


@pytest.mark.parametrize("mode", MODES)
def test_steps_in_place_go_on_after_collecting(mode: AutoresetMode) -> None:
    kept, own = (make("bits", mode, 1, copied) for copied in (True, False))
    for envs in (kept, own):
        envs.reset(seed=2)
    for _ in range(6):
        for mine, theirs in zip(own.collect(9).__dict__.values(), kept.collect(9).__dict__.values(), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        for _ in range(7):
            np.testing.assert_array_equal(own.step_sampled()[0], kept.step_sampled()[0])


def test_what_cannot_be_collected_is_refused() -> None:
    envs = VecEnv("blocks", num_envs=2)
    with pytest.raises(herbrand.EpisodeError):
        envs.collect(3)
    with pytest.raises(ValueError, match="steps"):
        envs.collect(0)
    with pytest.raises(ValueError, match="autoreset"):
        VecEnv("blocks", autoreset_mode="Disabled").collect(2)


def single(kind: str, seed: int) -> BaseEnv:
    """Returns an environment like those of `make`, after its first reset."""
    env = (
        BaseEnv(herbrand.testing.balloon(2))
        if kind == "balloon"
        else herbrand.rddl.make("rddl/elevators", horizon=6)
        if kind == "rddl"
        else herbrand.make("tireworld", horizon=6, observation="graph-arrays" if kind == "graph" else kind)  # type: ignore[arg-type]
    )
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["bits", "graph", "balloon", "rddl"])
def test_transitions_are_the_steps_of_single_environments(kind: str, mode: AutoresetMode) -> None:
    options: Any = {"num_envs": 3, "horizon": 6, "autoreset_mode": mode}
    envs = herbrand.make_vec("rddl/elevators", **options) if kind == "rddl" else make(kind, mode, 1)
    envs.reset(seed=9)
    singles = [single(kind, 9 + index) for index in range(envs.num_envs)]
    # The episode of each environment: its observation, its mask, and its problem.
    now: list[Any] = []
    for env, index in zip(singles, range(envs.num_envs), strict=True):
        seen, info = env.reset(seed=9 + index)
        now.append((seen, info.get("action_mask"), env.problem_index))
    ends = 0
    for count in (1, 7, 30):
        rollout = envs.collect(count)
        steps = rollout.transitions()
        assert len(steps) == int(rollout.stepped.sum()) == len(steps.rewards)
        for row, index in enumerate(steps.environments):
            env, (seen, mask, problem) = singles[index], now[index]
            at = _at(steps.actions, row)
            after, reward, terminated, truncated, info = env.step(at)
            for mine, theirs in zip(parts(_at(steps.states, row)), parts(seen), strict=True):
                np.testing.assert_array_equal(mine, theirs)
            for mine, theirs in zip(parts(_at(steps.next_states, row)), parts(after), strict=True):
                np.testing.assert_array_equal(mine, theirs)
            if mask is not None:
                np.testing.assert_array_equal(steps.action_masks[row], mask)
            assert steps.problems[row] == problem and steps.rewards[row] == reward
            assert (steps.terminations[row], steps.truncations[row]) == (terminated, truncated)
            assert (steps.applied[row], steps.goal[row]) == (info["applied"], info["goal"])
            assert steps.dead_end[row] == info["dead_end"]
            now[index] = (after, info.get("action_mask"), env.problem_index)
            if terminated or truncated:
                ends += 1
                seen, info = env.reset()
                now[index] = (seen, info.get("action_mask"), env.problem_index)
    assert ends >= envs.num_envs


def _at(values: Any, row: int) -> Any:
    """Returns one row of an array or of a dict of arrays."""
    return {name: part[row] for name, part in values.items()} if isinstance(values, dict) else values[row]
