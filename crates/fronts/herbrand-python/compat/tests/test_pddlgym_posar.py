"""Compares partially observed search and rescue with a model in Python."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest

import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym.posar import WORLDS, World

Cell = tuple[int, int]
STEPS = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}


class Model:
    """A reference model of the environment's transitions and observations."""

    def __init__(self, world: World, robot: Cell, person: Cell, fires: frozenset[Cell]) -> None:
        self.world, self.robot, self.person, self.fires = world, robot, person, fires
        self.rescued = self.xray = False

    def step(self, action: int) -> None:
        if action in STEPS and self.robot not in self.fires:
            cell = (self.robot[0] + STEPS[action][0], self.robot[1] + STEPS[action][1])
            if cell in self.world.cells():
                self.robot = cell
        self.rescued |= action == 4 and self.robot == self.person
        self.xray |= action == 5

    def observation(self) -> dict[str, Any]:
        seen: dict[str, Any] = {"robot": self.robot, "rescued": self.rescued}
        if self.world.myopic:
            here = "fire" if self.robot in self.fires else "empty"
            seen["cell"] = "person" if self.robot == self.person else here
            seen["smoke"] = any(self.distance(cell) == 1 for cell in self.fires)
            return seen
        if self.world.xray:
            seen["xray"] = self.xray
        for room, cell in enumerate(self.world.rooms):
            what = "person" if cell == self.person else "empty"
            seen[f"room{room}"] = what if self.xray or self.distance(cell) <= self.world.radius else "?"
        return seen

    def distance(self, cell: Cell) -> int:
        return abs(cell[0] - self.robot[0]) + abs(cell[1] - self.robot[1])


@pytest.mark.parametrize("name", WORLDS)
def test_walks_show_what_the_rules_say(name: str) -> None:
    env: Any = pddlgym.make(f"{name}-v0", seed=3)
    rng = random.Random(name)
    unseen = 0
    for index, start in enumerate(WORLDS[name].starts):
        env.fix_problem_index(index)
        seen, info = env.reset()
        assert info == {}
        model = Model(WORLDS[name], *start)
        for _ in range(60):
            assert dict(seen) == model.observation() and hash(seen) is not None
            state = env.get_state()
            assert env.get_observation() == env.get_observation(state) == seen
            if not WORLDS[name].myopic:
                assert state in env.observation_to_states(seen)
                unseen += len(env.observation_to_states(seen)) > 1
            action = rng.choice(env.get_possible_actions())
            expected = env.get_successor_state(state, action)
            rescued = model.rescued
            model.step(action)
            seen, reward, done, truncated, _ = env.step(action)
            assert expected == env.get_state()
            assert (reward, done, truncated) == (float(model.rescued > rescued), model.rescued, False)
            if done:
                assert env.check_goal(env.get_state())
                break
    assert WORLDS[name].myopic or unseen


def test_starts_are_drawn_and_problems_can_be_fixed() -> None:
    env: Any = pddlgym.make("SmallPOSARRadius1-v0")
    people = set()
    for seed in range(60):
        env.reset(seed=seed)
        people.add(dict(env.get_state())["person"])
    assert people == set(range(6))
    env.fix_problem_index(2)
    env.reset()
    assert dict(env.get_state())["person"] == env.problems[2][1] == 2


def test_names_are_registered_and_actions_checked() -> None:
    env: Any = gymnasium.make("TinyMyopicPOSAR-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(ValueError, match="there is no action 5"):
        env.step(5)
    assert env.render("ansi").count("R") == 1
    with pytest.raises(NotImplementedError):
        env.observation_to_states(env.get_observation())


def test_what_the_robot_sees_is_drawn() -> None:
    for name in ("POSARRadius1-v0", "SmallMyopicPOSAR-v0"):
        env: Any = pddlgym.make(name)
        env.reset(seed=1)
        first = env.render()
        assert first.dtype == np.uint8 and first.shape[2] == 3
        assert np.array_equal(first, env.render_from_state(env.get_state()))
        seen = {first.tobytes()}
        for action in (env.up, env.left, env.down, env.right):
            env.step(action)
            seen.add(env.render().tobytes())
        assert len(seen) > 1
        with pytest.raises(NotImplementedError, match="movie"):
            env.render("movie")


def test_a_person_out_of_sight_is_not_drawn() -> None:
    env: Any = pddlgym.make("SmallPOSARRadius0-v0")
    env.reset(seed=1)
    hidden = {"robot": (1, 1), "rescued": False}
    pictures = {env.render_from_state(tuple(sorted({**hidden, "person": room}.items()))).tobytes() for room in range(6)}
    assert len(pictures) == 1
    found = {env.render_from_state(tuple(sorted({**hidden, "robot": (0, 0), "person": room}.items()))).tobytes() for room in range(6)}
    assert len(found) == 2
