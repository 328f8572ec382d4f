"""Tests a system without a planning language against the walks recorded by herbrand-core's tests, bit for bit."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any, NamedTuple

import numpy as np
import pytest
from gymnasium import spaces

import herbrand
from herbrand import BaseEnv, BaseVecEnv
from herbrand.testing import balloon

from conftest import ROOT

RECORDED = ROOT / "crates/base/herbrand-core/tests/seam/flights.txt"


def changed(drawn: str) -> str:
    """Returns the fields of a recorded action that are not their defaults, as `action_name` does."""
    return ", ".join(part for part in drawn.split(", ") if part != "burn = 0") or "()"


class Visit(NamedTuple):
    """One state of a recorded walk."""

    action: str
    facts: str
    observation: str
    reward: str
    end: str


def recorded() -> list[list[Visit]]:
    """Returns the states of the recorded walks, indexed by seed."""
    walks: dict[int, list[Visit]] = {}
    for line in RECORDED.read_text().splitlines():
        place, action, facts, observation, last = line.split(" | ")
        reward, end = last.split()
        walks.setdefault(int(place.split()[0]), []).append(Visit(action, facts, observation, reward, end))
    assert len(walks) == 6 and all(len(walk) == 46 for walk in walks.values())
    return list(walks.values())


def bits(number: float) -> str:
    return struct.pack(">d", number).hex()


def seen(observation: Any) -> str:
    return " ".join(struct.pack(">f", number).hex() for number in observation)


def facts(env: BaseEnv) -> str:
    """Returns the facts of the current state in the format of the record."""
    told = [(kind, name, arguments) for kind, name, arguments, _ in env.facts()]
    assert told == [("fluent", "height", ()), ("fluent", "gas", ())]
    values = {name: value for _, name, _, value in env.facts()}
    return f"height={bits(float(values['height']))} gas={values['gas']}"


def ends(terminated: bool, truncated: bool) -> str:
    return "T" if terminated else "C" if truncated else "-"


@pytest.mark.parametrize("seed", range(6))
def test_a_single_environment_walks_as_recorded(seed: int) -> None:
    walk = recorded()[seed]
    env = BaseEnv(balloon(6))
    observation, _ = env.reset(seed=seed)
    assert Visit("-", facts(env), seen(observation), bits(0.0), "-") == walk[0]
    over = False
    for expected in walk[1:]:
        if over:
            observation, _ = env.reset()
            found = Visit("-", facts(env), seen(observation), bits(0.0), "-")
            over = False
        else:
            action = env.sample()
            assert env.action_name(action) == changed(expected.action)
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            assert info["applied"] and not info["goal"] and not info["dead_end"] and "action_mask" not in info
            found = Visit(expected.action, facts(env), seen(observation), bits(reward), ends(terminated, truncated))
        assert found == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_batches_walk_as_recorded(threads: int) -> None:
    walks = recorded()
    stepped = BaseVecEnv(balloon(6), num_envs=6, threads=threads)
    collected = BaseVecEnv(balloon(6), num_envs=6, threads=threads)
    observations, _ = stepped.reset(seed=0)
    collected.reset(seed=0)
    rollout = collected.collect(45)
    env = BaseEnv(balloon(6))
    env.reset(seed=0)
    name = env.action_name
    for index, walk in enumerate(walks):
        assert seen(observations[index]) == walk[0].observation == seen(rollout.first_observations[index])
    for step in range(45):
        actions = stepped.sample()
        observations, rewards, terminated, truncated, infos = stepped.step(actions)
        for index, walk in enumerate(walks):
            expected = walk[step + 1]
            for took, action, observation, reward, end in (
                (infos["_applied"], actions, observations, rewards, ends(terminated[index], truncated[index])),
                (
                    rollout.stepped[:, step],
                    rollout.actions[:, step],
                    rollout.observations[:, step],
                    rollout.rewards[:, step],
                    ends(bool(rollout.terminations[index, step]), bool(rollout.truncations[index, step])),
                ),
            ):
                assert (name(action[index]) if took[index] else "-") == changed(expected.action)
                assert (seen(observation[index]), bits(reward[index]), end) == expected[2:]


def test_the_record_has_both_ends() -> None:
    found = {visit.end for walk in recorded() for visit in walk}
    assert found == {"-", "T", "C"}


def test_what_the_memory_holds_is_kept() -> None:
    env = BaseEnv(balloon(6))
    env.reset(seed=3)
    for _ in range(10):
        env.step(env.sample())
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), BaseEnv(balloon(6))]
    twins[2].restore(pickle.loads(pickle.dumps(env.save())))
    for _ in range(10):
        action = env.sample()
        step = env.step(action)
        for twin in twins:
            assert (twin.sample() == action).all()
            other = twin.step(action)
            assert (other[0] == step[0]).all() and other[1:4] == step[1:4] and facts(twin) == facts(env)


def test_spaces_and_checks() -> None:
    env = BaseEnv(balloon(), render_mode="ansi")
    assert isinstance(env.action_space, spaces.Box) and env.action_space.shape == (2,)
    observation, info = env.reset(seed=1)
    assert observation in env.observation_space and observation.dtype == np.float32
    assert info["problem"] == "flight-1" and "height" in str(env.render())
    assert env.problems.action_fields == [("burn", "int", 0.0, 3.0), ("vent", "real", -1.0, 1.0)]
    applied = [env.step([3, 1.0])[4]["applied"] for _ in range(4)]
    assert applied == [True, True, True, False], "there is gas for ten burners"
    with pytest.raises(herbrand.InvalidActionError, match="takes an int from 0 to 3"):
        env.step([0.5, 0.0])


def test_bad_actions_are_refused() -> None:
    env = BaseEnv(balloon(), raise_error_on_invalid_action=True)
    env.reset(seed=1)
    misshapen: list[tuple[Any, type[Exception]]] = [([1], ValueError), (3, TypeError), ("up", TypeError), ([[1, 2]], TypeError)]
    for given, error in misshapen:
        with pytest.raises(error):
            env.step(given)
    for wrong in ([0.5, 0.0], [9.0, 0.0], [0.0, 2.0], [float("nan"), 0.0]):
        with pytest.raises(herbrand.InvalidActionError, match="`(burn|vent)` takes an? "):
            env.step(wrong)
    for _ in range(4):
        if any(env.step([1, -1.0])[2:4]):
            env.reset()
    with pytest.raises(herbrand.HerbrandError, match="no goal"):
        env._core.missing()
    envs = BaseVecEnv(balloon(), num_envs=2, raise_error_on_invalid_action=True)
    envs.reset(seed=1)
    with pytest.raises(herbrand.InvalidActionError, match="takes an int from 0 to 3"):
        envs.step([[0.0, 0.0], [0.5, 0.0]])
    with pytest.raises(ValueError, match="actions have the shape"):
        envs.step([0, 0])
    with pytest.raises(herbrand.ConfigError):
        BaseEnv(balloon(0))
