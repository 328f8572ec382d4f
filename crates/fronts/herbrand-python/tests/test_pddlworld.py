"""Tests of environments whose state is a domain."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import herbrand
from herbrand import pddlworld
from herbrand.errors import ConfigError, InvalidActionError, ParseError

SOLUTION = [(0, 0, 0, 2), (0, 1, 0, 0), (1, 0, 0, 0), (1, 0, 1, 0), (1, 1, 0, 2), (1, 1, 1, 2)]


def test_the_light_switch_is_that_of_the_readme() -> None:
    env: Any = gymnasium.make("herbrand/PddlWorld-v0", actions="tuple", observation="integers")
    assert env.action_space == spaces.MultiDiscrete([2, 2, 2, 3])
    observation, _ = env.reset(seed=1)
    assert observation.tolist() == [1170, 1170] and observation in env.observation_space
    total = 0.0
    for number, action in enumerate(SOLUTION, 1):
        observation, reward, terminated, truncated, info = env.step(np.array(action))
        total += float(reward)
        assert (terminated, truncated, info["goal"]) == (number == 6, False, number == 6)
    assert observation.tolist() == [1297, 612] == list(env.unwrapped.target.integers)
    assert total == pytest.approx(2.0)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"actions": "tuple", "observation": "integers"},
        {"domain": "blocks", "start": 3, "queries": True, "ends": ["equivalent", "submitted"]},
        {"domain": "gripper", "start": "random", "observation": "integers"},
    ],
)
def test_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    check_env(gymnasium.make("herbrand/PddlWorld-v0", **options).unwrapped, skip_render_check=True)


def test_masks_and_names() -> None:
    env = pddlworld.make(raise_error_on_invalid_action=True)
    _, info = env.reset(seed=3)
    assert env.action_space == spaces.Discrete(24) and info["action_mask"].sum() == 16
    action = env.action_id("precondition turn-on (on) negative")
    assert env.action_name(action) == "precondition turn-on (on) negative"
    assert env.action_id("0 0 0 2") == action and info["action_mask"][action] == 1
    _, _, _, _, info = env.step(action)
    assert info["action_mask"][action] == 0 and env.integers == (1169, 1170)
    with pytest.raises(InvalidActionError, match="changes nothing"):
        env.step(action)
    for _ in range(50):
        assert env.action_masks()[env.sample()]


def test_search_by_behaviour_reaches_the_target() -> None:
    """Greedily follows the reward of the next step, as a masked learner can."""
    env = pddlworld.make(rewards={"agreement": 1.0})
    env.reset(seed=1)
    terminated = False
    for _ in range(6):
        before = env.save()
        gains = {}
        for action in np.flatnonzero(env.action_masks()):
            gains[int(action)] = env.step(action)[1]
            env.restore(before)
        _, _, terminated, _, _ = env.step(max(gains, key=lambda action: gains[action]))
    assert terminated and env.integers == env.target.integers


def test_models_are_judged() -> None:
    target = pddlworld.target()
    assert (target.name, target.problem_names) == ("light-switch", ("evening", "night"))
    assert target.operators == [("turn-on", [], ["(on)", "(lit)"]), ("turn-off", [], ["(on)", "(lit)"])]
    assert (target.integers, target.empty) == ((1297, 612), (1170, 1170))
    assert target.distance(target.empty) == 6 and target.agreement(target.integers) == 1.0
    assert target.witness(target.integers) is None
    witness = target.witness(target.empty)
    assert witness is not None
    problem, action, state, model, real, text = witness
    assert (problem, action, state, model, real) == ("evening", "(turn-on)", ["(on)"], ["(on)"], None)
    assert text == "(turn-on) where (on) holds: applicable in the model, inapplicable in the target"
    assert [target.verdict(target.integers, problem, 10) for problem in (0, 1)] == ["solved", "solved"]
    assert target.verdict(target.empty, 0, 10) == "no-plan"
    right, wrong = target.predictions(target.integers)
    assert right > 0 and wrong == 0 and target.predictions(target.empty)[1] > 0
    assert ("effect", "turn-off", "(lit)", "negative") in target.literals(target.integers)
    assert len(json.loads(target.edits(target.empty, target.integers))) == 6
    text = target.to_pddl(target.integers)
    assert target.read(text) == target.integers and "turn-off" in text
    assert target.table(target.empty).startswith("preconditions 1170, effects 1170\n")
    with pytest.raises(ValueError, match="not 100"):
        target.agreement((0, 1170))
    with pytest.raises(ValueError, match="has 13 bits"):
        target.agreement((1 << 12, 1170))


def test_integers_have_any_size() -> None:
    target = pddlworld.target("blocks")
    preconditions, effects = target.integers
    assert preconditions.bit_length() > 50 and target.distance((preconditions, effects)) == 0
    env = pddlworld.make(target, start="target", observation="integers", ends=())
    observation, _ = env.reset(seed=1)
    # 78 bits need two numbers of 60 bits.
    numbers = [sum(int(word) << 60 * place for place, word in enumerate(observation[name])) for name in ("preconditions", "effects")]
    assert tuple(numbers) == target.integers == env.integers


def test_questions_are_answered() -> None:
    env = pddlworld.make(queries=True, ends=["submitted"], render_mode="ansi")
    env.reset(seed=1)
    before = env.integers
    observation, reward, _, _, _ = env.step(env.action_id("ask equivalent"))
    assert reward == 0.0 and observation[24:30].tolist() == [1, 0, 0, 0, 0, 0]
    assert observation[-2:].tolist() == [1, 0] and env.integers == before
    assert "turn-on" in env.render()
    _, _, terminated, _, info = env.step(env.action_id("submit"))
    assert terminated and not info["goal"]


def test_environments_can_be_copied_and_pickled() -> None:
    env = pddlworld.make("blocks", start="random", rewards={"distance": 1.0, "step_cost": 0.1})
    env.reset(seed=5)
    env.step(env.sample())
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.integers == env.integers
    ours, other = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for _ in range(10):
        action = ours.sample()
        assert action == other.sample()
        assert ours.step(action)[1] == other.step(action)[1]
    assert pickle.loads(pickle.dumps(env.target)).integers == env.target.integers


def test_a_batch_does_what_single_environments_do() -> None:
    options: dict[str, Any] = {"start": 2, "rewards": {"agreement": 1.0, "likelihood": 0.5, "solved": 0.25}}
    envs = gymnasium.make_vec("herbrand/PddlWorld-v0", num_envs=3, **options)
    singles = [pddlworld.make(**options) for _ in range(3)]
    observations, _ = envs.reset(seed=7)
    for number, env in enumerate(singles):
        assert (env.reset(seed=7 + number)[0] == observations[number]).all()
    for _ in range(8):
        actions = [env.sample() for env in singles]
        observations, rewards, _, _, _ = envs.step(np.array(actions))
        for number, env in enumerate(singles):
            observation, reward, terminated, truncated, _ = env.step(actions[number])
            assert (observation == observations[number]).all() and reward == rewards[number]
            if terminated or truncated:
                return
    tuples = pddlworld.make_vec(num_envs=2, actions="tuple")
    tuples.reset(seed=1)
    assert tuples.action_space.contains(tuples.sample())


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ConfigError, match="can be edited here"):
        pddlworld.make("casino")
    with pytest.raises(ConfigError, match="need numbered actions"):
        pddlworld.make(actions="tuple", queries=True)
    with pytest.raises(ValueError, match="did you mean `agreement`"):
        pddlworld.make(rewards={"agrement": 1.0})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="start is"):
        pddlworld.make(start="full")  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        pddlworld.target("(define (domain d) (:action", "(define (problem p) (:domain d))")
    with pytest.raises(ValueError, match="no pictures"):
        pddlworld.make(render_mode="rgb_array")
    assert herbrand.pddlworld is pddlworld


def test_a_domain_under_edit_has_a_name() -> None:
    for name, target in [("pddlworld", "light-switch"), ("pddlworld/light-switch", "light-switch"), ("pddlworld/blocks", "blocks")]:
        env: Any = herbrand.make(name)
        assert isinstance(env, pddlworld.PddlWorldEnv)
        assert env.target.name == target
    envs: Any = herbrand.make_vec("pddlworld/blocks", num_envs=2)
    assert isinstance(envs.unwrapped, pddlworld.PddlWorldVecEnv)


def test_pixels_show_the_model() -> None:
    env = pddlworld.make("blocks", observation="pixels", pixels=(40, 32), start="random")
    assert env.observation_space.shape == (40, 32, 3)
    frames = {}
    for seed in range(20):
        frame, _ = env.reset(seed=seed)
        frames[frame.tobytes()] = env.integers
    assert len(frames) == 20 and len(set(frames.values())) == 20
    envs = herbrand.make_vec("pddlworld/blocks@random", num_envs=3, observation="pixels", pixels=(40, 32))
    rows, _ = envs.reset(seed=5)
    assert rows.shape == (3, 40, 32, 3) and rows[1].tobytes() == env.reset(seed=6)[0].tobytes()
    with pytest.raises(ConfigError, match="no room for answers"):
        pddlworld.make(observation="pixels", queries=True)


def test_a_name_has_a_start() -> None:
    for name, start in (("pddlworld@target", "target"), ("pddlworld/blocks@3", 3)):
        env: Any = herbrand.make(name)
        env.reset(seed=2)
        assert env.target.distance(env.integers) == (0 if start == "target" else start)
    assert env.unwrapped.observation_space.shape == herbrand.make("pddlworld/blocks").observation_space.shape
    with pytest.raises(ValueError, match="start is"):
        herbrand.make("pddlworld/blocks@most")
