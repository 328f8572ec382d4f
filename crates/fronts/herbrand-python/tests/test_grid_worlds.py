"""Tests grid worlds, a language that implements only the common traits."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import herbrand
import herbrand.testing

ROOM = """room
#####
#@..#
#.~.#
#..G#
#####
"""

MAPS = f"""corridor
#######
#@.~.G#
#######

{ROOM}"""


def test_an_episode_ends_at_the_goal() -> None:
    env = herbrand.BaseEnv(herbrand.testing.grid_worlds(ROOM))
    observation, info = env.reset(seed=1)
    assert observation.tolist() == [1, 1]
    assert info["action_mask"].tolist() == [0, 1, 0, 1]
    for action in ("right", "right", "down"):
        _, reward, terminated, _, _ = env.step(env.action_id(action))
        assert (reward, terminated) == (0.0, False)
    observation, reward, terminated, _, info = env.step(env.action_id("(down)"))
    assert (reward, terminated, info["goal"]) == (1.0, True, True)
    assert observation.tolist() == [3, 3]


def test_actions_are_explained_and_states_drawn() -> None:
    env = herbrand.BaseEnv(herbrand.testing.grid_worlds(ROOM), render_mode="svg")
    env.reset(seed=1)
    why = env.explain(env.action_id("up"))
    assert (why.valid, str(why)) == (False, "up: there is a wall next to r2c2")
    assert "<svg" in env.render()
    with pytest.raises(herbrand.UnknownNameError, match="`sideways` is no direction"):
        env.action_id("sideways")


def test_a_batch_takes_the_steps_of_single_environments() -> None:
    problems = herbrand.testing.grid_worlds(MAPS)
    envs = herbrand.BaseVecEnv(problems, num_envs=3)
    envs.reset(seed=5)
    env = herbrand.BaseEnv(pickle.loads(pickle.dumps(problems)))
    env.reset(seed=6)
    for _ in range(4):
        observations, rewards, _, _, infos = envs.step_sampled()
        observation, reward, ended, _, _ = env.step(int(infos["action"][1]))
        assert rewards[1] == reward
        if ended:
            break
        assert np.array_equal(observations[1], observation)


def test_all_faults_of_the_maps_are_reported() -> None:
    with pytest.raises(herbrand.ConfigError) as caught:
        herbrand.testing.grid_worlds("first\n#@x#\n##\n")
    for fault in ("line 2, column 3: `x` is no cell", "line 3, column 3: the row has 2 cells", "has no goal"):
        assert fault in str(caught.value)
