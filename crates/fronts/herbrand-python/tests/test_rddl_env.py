"""Tests of RDDL environments: Gymnasium's interface, spaces, masks, batches, saving and copying."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import herbrand
from herbrand import RddlEnv, RddlSuite, RddlVecEnv
from herbrand.rddl import is_rddl
from herbrand.registration import env_name

from conftest import ROOT

NAMES = RddlSuite.bundled_names()
FORMS: list[tuple[Literal["dict", "flat"], Literal["dict", "flat"]]] = [("dict", "dict"), ("flat", "flat")]

LIGHTS = """
domain lights {
    types { lamp : object; mood : { @dim, @bright }; };
    pvariables {
        on(lamp)      : { state-fluent,  bool, default = false };
        mood          : { state-fluent,  mood, default = @dim };
        watts         : { state-fluent,  int,  default = 3 };
        heat          : { state-fluent,  real, default = 0.5 };
        press(lamp)   : { action-fluent, bool, default = false };
        set-mood      : { action-fluent, mood, default = @dim };
        turn          : { action-fluent, int,  default = 0 };
        slide         : { action-fluent, real, default = 0.0 };
    };
    cpfs {
        on'(?l) = if (press(?l)) then ~on(?l) else on(?l) ^ Bernoulli(0.75);
        mood' = set-mood;
        watts' = watts + turn;
        heat' = heat + slide;
    };
    reward = (sum_{?l : lamp} on(?l)) + heat';
    action-preconditions {
        turn >= -2; turn <= 5;
        slide >= -1.5; slide <= 1.5;
        forall_{?l : lamp} [press(?l) => ~on(?l)];
    };
    termination { watts > 30; };
    state-invariants { heat < 9.0; };
}
"""
EVENING = """
instance evening {
    domain = lights;
    objects { lamp : { hall, attic }; };
    init-state { on(hall); };
    max-nondef-actions = 3;
    horizon = 20;
    discount = 0.9;
}
"""
NIGHT = EVENING.replace("evening", "night").replace("hall, attic", "hall, attic, cellar")
LAMPS = """
domain lamps {
    types { lamp : object; };
    pvariables {
        on(lamp)    : { state-fluent,  bool, default = false };
        press(lamp) : { action-fluent, bool, default = false };
    };
    cpfs { on'(?l) = if (press(?l)) then ~on(?l) else on(?l); };
    reward = sum_{?l : lamp} on(?l);
    action-preconditions { forall_{?l : lamp} [press(?l) => ~on(?l)]; };
}
instance one { domain = lamps; objects { lamp : { a, b, c }; }; max-nondef-actions = 2; horizon = 9; discount = 1.0; }
"""


def lights(**options: Any) -> RddlEnv:
    return herbrand.rddl.make(LIGHTS, EVENING, **options)


def same(one: Any, other: Any) -> bool:
    """Returns whether observations or actions are equal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other)) and type(one) is type(other)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_no_fault_in_any_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*infinity. This is probably too.*")
        warnings.filterwarnings("ignore", message=".*symmetric and normalized.*")
        for actions, observation in FORMS:
            # An action that violates a precondition may lead to a state that violates an invariant.
            env = gymnasium.make(
                f"herbrand/{env_name(name)}-v0",
                actions=actions,
                observation=observation,
                preconditions="refused",
                render_mode="ansi",
            )
            check_env(env.unwrapped)
            env.close()


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_of_the_space_and_carried_out(name: str) -> None:
    for actions, observation in FORMS:
        env = herbrand.rddl.make(name, actions=actions, observation=observation)
        observation, _ = env.reset(seed=3)
        assert observation in env.observation_space
        for _ in range(5):
            action = env.sample()
            assert action in env.action_space
            observation, reward, terminated, truncated, info = env.step(action)
            assert observation in env.observation_space and isinstance(reward, float) and info["applied"]
            if terminated or truncated:
                env.reset()


def test_dicts_name_the_ground_fluents() -> None:
    env = lights()
    space = env.action_space
    assert isinstance(space, spaces.Dict)
    assert space["press___hall"] == spaces.Discrete(2) and space["set-mood"] == spaces.Discrete(2)
    assert space["turn"] == spaces.Box(-2, 5, (1,), np.int64)
    assert space["slide"] == spaces.Box(-1.5, 1.5, (1,), np.float64)
    observation, info = env.reset(seed=1)
    assert observation == {"on___hall": 1, "on___attic": 0, "mood": 0, "watts": np.array([3]), "heat": np.array([0.5])}
    assert "action_mask" in info and len(info["action_mask"]) == 6
    given: list[dict[str, Any]] = [
        {"press___attic": True, "set-mood": "bright", "slide": np.array([0.25])},
        {"press___attic": np.int64(1), "set-mood": 1, "slide": 0.25},
        {"press___attic": 1.0, "set-mood": "@bright", "slide": np.float32(0.25), "turn": 0},
    ]
    for action in given:
        env.reset(seed=1)
        observation, reward, _, _, info = env.step(action)
        assert observation["on___attic"] == 1 and observation["mood"] == 1 and observation["heat"] == 0.75
        assert reward == 1 + 0.75 and info["applied"]
        env.step({})
        assert env.state["heat"] == 0.75, "what an action sets is set for one step"


def cells(env: Any, row: Any) -> Any:
    """Returns a flat observation as exact cells."""
    whole = [kind != "real" for _, kind in env._seen.fields]
    return np.array([int(one) if is_int else np.float64(one).view(np.int64) for is_int, one in zip(whole, row)])


@pytest.mark.parametrize("name", NAMES)
def test_steps_by_name_are_those_of_rows(name: str) -> None:
    named = herbrand.rddl.make(name)
    rows = herbrand.rddl.make(name, observation="flat")
    seen, row = named.reset(seed=6)[0], rows.reset(seed=6)[0]
    for number in range(24):
        assert named._read is not None and same(seen, named._read(cells(named, row)))
        action = named.sample()
        # Another type of mapping in another order, None, and sampled actions.
        forms = [action, MappingProxyType(dict(reversed(action.items()))), None]
        before, kept = seen, copy.deepcopy(seen)
        seen, *ends, info = named.step(forms[number % 3])
        row, *expected, told = rows.step(action if number % 3 < 2 else {})
        assert ends == expected and info.keys() == told.keys()
        assert all(same(info[key], told[key]) for key in info)
        assert same(before, kept), "what was seen stays as it was"
        # Modifying an observation must not affect later ones.
        before.clear()
        if any(expected[1:]):
            seen, row = named.reset()[0], rows.reset()[0]


def test_observations_that_are_held_keep_their_numbers() -> None:
    """Arrays are reused only if they, their views and their memory have no other users."""
    def walk(env: RddlEnv) -> Any:
        env.reset(seed=4)
        for action in actions:
            seen, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
            yield seen

    def plain(seen: dict[str, Any]) -> dict[str, Any]:
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in seen.items()}

    env = herbrand.rddl.make("rddl/cartpole-continuous")
    env.reset(seed=3)
    actions = [env.sample() for _ in range(30)]
    expected = [plain(seen) for seen in walk(env)]
    name = next(name for name, value in expected[0].items() if isinstance(value, np.ndarray))
    assert len({float(seen[name][0]) for seen in expected}) > 20

    def alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return list(one) == list(other) and all(np.array_equal(one[key], other[key]) for key in one)

    assert all(map(alike, list(walk(env)), expected)), "all are held"
    assert all(alike(seen, other) for seen, other in zip(walk(env), expected)), "none is held for long"
    keepers: list[Any] = [
        lambda seen: seen[name],
        lambda seen: seen[name][:],
        lambda seen: memoryview(seen[name]),
        lambda seen: seen[name].base,
        lambda seen: seen[name].reshape(1, 1),
    ]
    for keep in keepers:
        held = [(keep(seen), np.array(keep(seen))) for seen in walk(env)]
        assert all(np.array_equal(np.asarray(one), other) for one, other in held)
    # Modifying a dict or an array in it does not affect later observations.
    for seen, other in zip(walk(env), expected):
        assert alike(seen, other) and all(value.shape == (1,) for value in seen.values() if isinstance(value, np.ndarray))
        seen[name][0] = -7.0
        seen[name].shape = (1, 1)
        seen["more"] = seen.pop(name)
        for other_name in list(seen)[:2]:
            seen[other_name] = 9
        del seen


def test_an_action_may_have_odd_values() -> None:
    env = lights()

    class Changing:
        """A number that modifies its dict when it is read."""

        def item(self) -> int:
            return 1

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
            action["turn"] = 2
            return np.array(1)

    env.reset(seed=1)
    action: dict[str, Any] = {"press___attic": Changing(), "slide": 0.5}
    observation, reward, *_ = env.step(action)
    assert observation["on___attic"] == 1 and observation["watts"] == 3 and reward == 2.0
    with pytest.raises(herbrand.UnknownNameError, match="there is no action fluent 3: there is press___hall, "):
        env.step({3: 1})
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `press___attic`"):
        env.step({"pres___attic": 1})
    with pytest.raises(herbrand.InvalidActionError, match="`slide` cannot be 'far'"):
        env.step({"slide": "far"})
    assert env.step({})[0]["watts"] == 3, "what is refused changes nothing"


def test_flat_vectors_are_the_dicts_in_order() -> None:
    dicts, flat = lights(), lights(actions="flat", observation="flat")
    assert isinstance(flat.action_space, spaces.Box) and flat.action_space.shape == (5,)
    seen, row = dicts.reset(seed=4)[0], flat.reset(seed=4)[0]
    for _ in range(20):
        assert [float(np.asarray(value).item()) for value in seen.values()] != [] and row.shape == (5,)
        by_name = dict(zip([name for name, _, _, _ in flat.suite.seen_fluents()], row))
        assert all(float(np.asarray(value).item()) == by_name[name] for name, value in seen.items())
        action = flat.sample()
        named = dict(zip([name for name, _, _, _ in flat.suite.action_fluents()], action))
        row, reward, terminated, truncated, _ = flat.step(action)
        seen, other, *ends, _ = dicts.step(named)
        assert reward == other and ends == [terminated, truncated]
        if terminated or truncated:
            seen, row = dicts.reset()[0], flat.reset()[0]


@pytest.mark.parametrize("name", ["rddl/sysadmin-mdp", "rddl/sysadmin-pomdp"])
def test_flat_vectors_of_bools_are_bits(name: str) -> None:
    dicts, flat = herbrand.rddl.make(name, "1"), herbrand.rddl.make(name, "1", observation="flat")
    assert flat.observation_space == spaces.MultiBinary(len(flat.suite.seen_fluents()))
    envs = herbrand.rddl.make_vec(name, problem="1", num_envs=3, observation="flat")
    assert envs.single_observation_space == flat.observation_space
    seen, row = dicts.reset(seed=4)[0], flat.reset(seed=4)[0]
    rows = envs.reset(seed=4)[0]
    for _ in range(20):
        assert row.dtype == rows.dtype == np.int8 and flat.observation_space.contains(row)
        assert [int(value) for value in seen.values()] == row.tolist() == rows[0].tolist()
        action = flat.sample()
        row, seen = flat.step(action)[0], dicts.step(action)[0]
        rows = envs.step({name: np.repeat(value, 3) for name, value in action.items()})[0]


def test_flat_numbers_are_rounded_where_fluents_are_no_reals() -> None:
    env = lights(actions="flat")
    env.reset(seed=1)
    env.step(np.array([0.2, 0.9, 0.4, 1.6, 0.1]))
    assert env.state["on___attic"] is True and env.state["watts"] == 5 and env.state["mood"] == "dim"


def test_single_choices_are_numbers() -> None:
    assert herbrand.rddl.make("rddl/cartpole-discrete", actions="flat").action_space == spaces.Discrete(2)
    text = LAMPS.replace("max-nondef-actions = 2", "max-nondef-actions = 1")
    env = herbrand.rddl.make(text, actions="flat", preconditions="refused")
    assert env.action_space == spaces.Discrete(4)
    _, info = env.reset(seed=1)
    assert [env.action_name(number) for number in range(4)] == ["()", "press___a", "press___b", "press___c"]
    _, reward, _, _, info = env.step(2)
    assert reward == 0 and info["action_mask"].tolist() == [1, 1, 0, 1]
    assert env.step(2)[4]["applied"] is False and env.step(0)[1] == 1


def test_joint_actions_are_numbered() -> None:
    env = herbrand.rddl.make(LAMPS, actions="joint", preconditions="refused")
    env.reset(seed=1)
    assert len(env.valid_actions()) == 7
    names = [env.action_name(number) for number in env.valid_actions()]
    assert names[4] == "press___a, press___b" and env.action_id("press___b, press___a") == 4
    env.step(4)
    assert [env.action_name(number) for number in env.valid_actions()] == ["()", "press___c"]
    assert isinstance(herbrand.rddl.make(LAMPS, actions="flat").action_space, spaces.MultiDiscrete)
    with pytest.raises(herbrand.ConfigError, match="takes infinitely many values"):
        lights(actions="joint")


def test_a_violated_precondition_has_one_of_four_effects() -> None:
    env = lights()
    env.reset(seed=1)
    assert env.would_violate({"press___hall": True}) == (4,)
    info = env.step({"press___hall": True})[4]
    assert info["applied"] and env.violated == (4,) and info["violated"].nonzero()[0].tolist() == [4]
    carried_out = env.state
    assert not env.step({})[4]["violated"].any()
    assert not env.violated
    env = lights(preconditions="replaced")
    env.reset(seed=1)
    info = env.step({"press___hall": True})[4]
    assert info["applied"] and env.violated == (4,) and info["violated"].nonzero()[0].tolist() == [4]
    assert env.state != carried_out
    replaced = env.state
    env.reset(seed=1)
    env.step({})
    assert env.state == replaced and not env.violated
    env = lights(preconditions="ignored")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 6
    assert not env.step({"press___hall": True})[4]["violated"].any() and env.state == carried_out and not env.violated
    with pytest.raises(ValueError, match="did you mean `refused`"):
        lights(preconditions="refuse")
    env = lights(preconditions="refused")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 0, 1, 1, 1, 1]
    masks = env.mask_dict()
    assert masks["slide"] is None and np.array_equal(np.asarray(masks["press___hall"]), [1, 0])
    assert env.action_space.sample(mask=masks)["press___hall"] == 0
    before = env.state
    _, reward, _, _, info = env.step({"press___hall": True})
    assert not info["applied"] and reward == 0 and env.state == before
    strict = lights(preconditions="refused", raise_error_on_invalid_action=True)
    strict.reset(seed=1)
    with pytest.raises(herbrand.InvalidActionError, match="precondition 5"):
        strict.step({"press___hall": True})


def test_the_last_info_says_why_an_episode_ended() -> None:
    text = """
        domain d {
            pvariables {
                n : { state-fluent, int, default = 0 };
                by : { action-fluent, int, default = 0 };
            };
            cpfs { n' = n + by; };
            reward = 0;
            action-preconditions { by >= 0; by <= 9; };
            state-invariants { n <= 5; };
            termination { n == 3; };
        }
        instance i { domain = d; horizon = 2; discount = 1.0; }"""
    env: Any = herbrand.rddl.make(text)
    for actions, end in (((3,), "terminal"), ((6,), "invariant"), ((1, 1), "horizon"), ((1, 5), "invariant")):
        env.reset(seed=1)
        infos = [env.step({"by": by})[4] for by in actions]
        assert [info["end"] for info in infos] == [""] * (len(actions) - 1) + [end]
    env = herbrand.make("gripper", "train/01", horizon=1)
    env.reset(seed=1)
    assert env.step(env.sample())[4]["end"] == "horizon"


def test_too_many_fluents_and_wrong_values_are_refused() -> None:
    env = lights(raise_error_on_invalid_action=True)
    env.reset(seed=1)
    many = {"press___hall": 1, "press___attic": 1, "set-mood": 1, "turn": 1}
    with pytest.raises(herbrand.InvalidActionError, match="4 action fluents are set, and at most 3"):
        env.step(many)
    wrong: list[tuple[Any, type[Exception]]] = [
        ({"pres___hall": 1}, herbrand.UnknownNameError),
        ({"press___hall": 2}, herbrand.InvalidActionError),
        ({"turn": 0.5}, herbrand.InvalidActionError),
        ({"slide": 1.6}, herbrand.InvalidActionError),
        ({"set-mood": "gloomy"}, herbrand.InvalidActionError),
        ([0, 1], TypeError),
    ]
    for action, error in wrong:
        with pytest.raises(error):
            env.step(action)


def test_episodes_end_by_termination_invariant_and_horizon() -> None:
    ends = []
    for action in ({"turn": 5}, {"slide": 1.5}, {}):
        env = lights()
        env.reset(seed=1)
        for step in range(1, 30):
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                ends.append((step, terminated, truncated))
                break
    assert ends == [(6, True, False), (6, False, True), (20, False, True)]
    with pytest.raises(herbrand.EpisodeError):
        env.step({})


def test_partially_observed_problems_show_observ_fluents() -> None:
    for name in (one for one in NAMES if one.endswith("-pomdp")):
        env = herbrand.rddl.make(name)
        observation, _ = env.reset(seed=1)
        assert set(observation) == {name for name, _, _, _ in env.suite.seen_fluents()}
        assert not set(observation) & set(env.state)
        assert all(np.asarray(value).item() == 0 for value in observation.values())


@pytest.mark.parametrize("actions, observation", FORMS)
@pytest.mark.parametrize("name", ["rddl/elevators-mdp", "rddl/uav-mixed", "rddl/sysadmin-pomdp"])
def test_copies_pickles_and_snapshots_go_on_alike(name: str, actions: Any, observation: Any) -> None:
    env = herbrand.rddl.make(name, "2", actions=actions, observation=observation)
    env.reset(seed=5)
    for _ in range(4):
        env.step(env.sample())
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    twins.append(herbrand.rddl.make(name, "2", actions=actions, observation=observation))
    twins[-1].restore(pickle.loads(pickle.dumps(env.save())))
    for _ in range(6):
        action = env.sample()
        step = env.step(action)
        for twin in twins:
            assert same(twin.sample(), action)
            other = twin.step(action)
            assert same(other[0], step[0]) and other[1:4] == step[1:4]
            assert twin.state == env.state and hash(twin.state) == hash(env.state)


@pytest.mark.parametrize("actions, observation", FORMS)
@pytest.mark.parametrize("name", ["rddl/elevators-mdp", "rddl/uav-mixed", "rddl/mountain-car"])
def test_batches_go_through_what_single_environments_do(name: str, actions: Any, observation: Any) -> None:
    envs = RddlVecEnv(name, num_envs=3, actions=actions, observation=observation, threads=2, horizon=7)
    seen, _ = envs.reset(seed=11)
    singles = [RddlEnv(name, actions=actions, observation=observation, horizon=7) for _ in range(3)]
    first = [env.reset(seed=11 + index)[0] for index, env in enumerate(singles)]
    over = [False] * 3

    def lane(batch: Any, index: int) -> Any:
        return {key: lane(part, index) for key, part in batch.items()} if isinstance(batch, dict) else batch[index]

    def alike(one: Any, other: Any) -> bool:
        if isinstance(one, dict):
            return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)
        return bool(np.array_equal(one, other))

    assert seen in envs.observation_space
    assert all(alike(lane(seen, index), first[index]) for index in range(3))
    for _ in range(20):
        batch = envs.sample()
        assert batch in envs.action_space
        seen, rewards, terminated, truncated, _ = envs.step(batch)
        for index, env in enumerate(singles):
            if over[index]:
                observation, reward, ends = env.reset()[0], 0.0, (False, False)
            else:
                action = env.sample()
                assert alike(lane(batch, index), action)
                observation, reward, *rest, _ = env.step(action)
                ends = (rest[0], rest[1])
            over[index] = any(ends)
            assert alike(lane(seen, index), observation) and rewards[index] == reward
            assert (terminated[index], truncated[index]) == ends


def test_collected_steps_are_those_of_sampled_ones() -> None:
    one, other = (herbrand.rddl.make_vec("rddl/uav-mixed", num_envs=2) for _ in range(2))
    for envs in (one, other):
        envs.reset(seed=3)
    rollout = one.collect(12)
    for step in range(12):
        seen, rewards, *_, infos = other.step_sampled()
        for name, column in seen.items():
            assert np.array_equal(rollout.observations[name][:, step], column)
        assert np.array_equal(rollout.rewards[:, step], rewards)
        for name, column in infos["action"].items():
            assert np.array_equal(rollout.actions[name][:, step], column)


def test_several_instances_are_one_environment() -> None:
    suite = herbrand.suite(RddlSuite.from_texts([("d", LIGHTS), ("evening.rddl", EVENING), ("night.rddl", NIGHT)]))
    env = RddlEnv(suite, actions="flat", observation="flat")
    seen = set()
    for seed in range(8):
        row, info = env.reset(seed=seed)
        assert row in env.observation_space and row.shape == (6,)
        seen.add(info["problem"])
    assert seen == {"evening", "night"}
    with pytest.raises(ValueError, match="2 instances"):
        RddlEnv(suite)
    assert isinstance(RddlEnv(suite, "night").observation_space, spaces.Dict)


def test_domains_are_given_in_many_ways(tmp_path: Path) -> None:
    folder = ROOT / "domains/rddl/elevators"
    ways: list[tuple[Any, Any]] = [
        ("rddl/elevators", "2"),
        ("rddl/elevators", 1),
        (folder, "2"),
        (folder / "domain.rddl", folder / "2.rddl"),
        (str(folder / "domain.rddl"), str(folder / "2.rddl")),
        ((folder / "domain.rddl").read_text(), (folder / "2.rddl").read_text()),
        (herbrand.suite("rddl/elevators"), "2"),
    ]
    expected = herbrand.rddl.make("rddl/elevators", "2").reset(seed=1)[0]
    for domain, problem in ways:
        assert is_rddl(domain)
        assert herbrand.make(domain, problem).reset(seed=1)[0] == expected, domain
        assert pickle.loads(pickle.dumps(herbrand.suite(domain, problem))).problem_names
    for wrong in ("blocks", ROOT / "domains/blocks", "(define (domain x))", ROOT / "domains/blocks/domain.pddl"):
        assert not is_rddl(wrong)
    for name, problem in (("rddl/elevator", "1"), ("rddl/elevators", "9")):
        with pytest.raises(herbrand.UnknownNameError):
            herbrand.make(name, problem)
    with pytest.raises(herbrand.ParseError) as caught:
        herbrand.make(LIGHTS.replace("press(?l) => ~on", "pres(?l) => ~on"), EVENING)
    assert caught.value.code == "E1101" and caught.value.line == 24 and "did you mean `press`" in str(caught.value)
    with pytest.raises(ValueError, match="no option `split`"):
        herbrand.suite("rddl/elevators", split="train")
    with pytest.raises(ValueError, match="in RDDL"):
        herbrand.PDDLEnv("rddl/elevators")
    with pytest.raises(herbrand.LimitError):
        herbrand.rddl.make("rddl/recommender-system", "5", limits={"memory": 50_000})


def test_gymnasium_makes_batches() -> None:
    envs: Any = gymnasium.make_vec("herbrand/RddlElevators-v0", num_envs=2, actions="flat", observation="flat")
    assert isinstance(envs.unwrapped, RddlVecEnv)
    envs.reset(seed=1)
    assert envs.step(envs.unwrapped.sample())[1].shape == (2,)


def test_masks_that_no_step_changes_are_one_array() -> None:
    envs = herbrand.rddl.make_vec("rddl/sysadmin-mdp", num_envs=3, actions="flat")
    assert envs.problems.has_constant_mask
    _, infos = envs.reset(seed=1)
    first = infos["action_mask"]
    assert first.all() and envs.action_masks().all()
    for _ in range(3):
        infos = envs.step(envs.sample())[4]
        assert infos["action_mask"] is first
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 0
    # Masks that differ between states are writeable copies.
    restricted = herbrand.rddl.make_vec("rddl/elevators", num_envs=3, actions="flat")
    assert not restricted.problems.has_constant_mask
    _, infos = restricted.reset(seed=1)
    infos["action_mask"][:] = 0
    assert restricted.action_masks().any()


def test_violations_warn_once() -> None:
    env = lights()
    env.reset(seed=1)
    said = r"the action press___hall violates action precondition 5, `.+`: `preconditions` says"
    with pytest.warns(UserWarning, match=said):
        env.step({"press___hall": True})
    envs = herbrand.rddl.make_vec(LIGHTS + EVENING, 2)
    envs.reset(seed=1)
    with pytest.warns(UserWarning, match=said):
        envs.step({"press___hall": [False, True]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.step({"press___hall": True})
        envs.step({"press___hall": [True, True]})


@pytest.mark.filterwarnings("ignore:an action violates")
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("preconditions", ["reported", "replaced", "refused", "ignored"])
def test_violations_in_a_batch_are_those_of_single_environments(mode: str, preconditions: Any) -> None:
    envs = herbrand.rddl.make_vec(
        LIGHTS + EVENING, 3, autoreset_mode=mode, preconditions=preconditions, horizon=4, raise_error_on_invalid_action=False
    )
    singles = [lights(preconditions=preconditions, horizon=4) for _ in range(3)]
    _, infos = envs.reset(seed=5)
    assert not infos["violated"].any() and infos["_violated"].all()
    assert all(not env.reset(seed=5 + index)[1]["violated"].any() for index, env in enumerate(singles))
    for step in range(3):
        pressed = [step % 2 == 0, True, False]
        _, _, _, _, infos = envs.step({"press___hall": pressed})
        told = [env.step({"press___hall": one})[4] for env, one in zip(singles, pressed)]
        assert np.array_equal(infos["violated"], [info["violated"] for info in told])
        assert step > 0 or infos["violated"].any() == (preconditions in ("reported", "replaced"))
        assert np.array_equal(infos["applied"], [info["applied"] for info in told])
    _, _, _, truncations, infos = envs.step({"press___hall": [True, False, False]})
    told = [env.step({"press___hall": one})[4] for env, one in zip(singles, [True, False, False])]
    assert truncations.all() and np.array_equal(infos["violated"], [info["violated"] for info in told])
    if mode == "SameStep":
        assert np.array_equal(infos["final_info"]["violated"], infos["violated"])
    if mode == "NextStep":
        assert not envs.step({"press___hall": [True] * 3})[4]["violated"].any()


def test_without_discrete_actions_masks_are_empty() -> None:
    env = herbrand.make("rddl/cartpole-continuous")
    assert "action_mask" not in env.reset(seed=1)[1] and env.action_masks().shape == (0,)
    envs = herbrand.make_vec("rddl/cartpole-continuous", 2)
    _, infos = envs.reset(seed=1)
    assert "action_mask" not in infos and envs.action_masks().shape == (2, 0)
    assert "action_mask" not in envs.step(envs.sample())[4]
    assert envs.collect(3).action_masks.shape == (2, 3, 0)
    packed = herbrand.make_vec("rddl/cartpole-continuous", 2, masks="packed")
    packed.reset(seed=1)
    assert packed.action_masks().shape == (2, 0)


COUNTS = """domain counts {
    pvariables {
        change : { action-fluent, int, default = 0 };
        jump : { action-fluent, int, default = 4611686018427387904 };
        lit : { action-fluent, bool, default = false };
        by : { action-fluent, real, default = 0.25 };
        n : { state-fluent, int, default = 9007199254740993 };
        x : { state-fluent, real, default = 0.5 };
        on : { state-fluent, bool, default = false };
        seen : { observ-fluent, int };
        felt : { observ-fluent, real };
        known : { observ-fluent, bool };
    };
    cpfs { n' = n + change; x' = x + by; on' = lit; seen = n' + 2; felt = x' * 2; known = on'; };
    reward = 0.0;
    action-preconditions { jump >= 4611686018427387904; jump <= 4611686018427392000; };
}
instance i { domain = counts; max-nondef-actions = pos-inf; horizon = 9; discount = 1.0; }
"""


def counts(hidden: bool) -> str:
    if hidden:
        return COUNTS
    declared = COUNTS.index("        seen :")
    text = COUNTS[:declared] + COUNTS[COUNTS.index("    };\n    cpfs") :]
    return text.replace(" seen = n' + 2; felt = x' * 2; known = on';", "")


@pytest.mark.parametrize("hidden", [False, True])
def test_ints_are_exact_beyond_doubles(hidden: bool) -> None:
    start, offset = 2**53 + 1, 2 if hidden else 0
    name = "seen" if hidden else "n"
    env: Any = herbrand.make(counts(hidden))
    envs = herbrand.rddl.make_vec(counts(hidden), 2, copy=False)
    observation, _ = env.reset(seed=1)
    assert hidden or observation[name].tolist() == [start]
    envs.reset(seed=1)
    assert env.observation_space[name].dtype == env.action_space["change"].dtype == np.int64
    jumps = env.action_space["jump"]
    # Beyond 2^53, the bounds that the preconditions give may be a few doubles too wide, never too narrow.
    assert 2**62 - 4096 <= jumps.low.item() <= 2**62 and 2**62 + 4096 <= jumps.high.item() <= 2**62 + 8191
    values = [2**62 - 1, -3, np.array([-(2**62) + 5]), np.int64(7)]
    total = start
    for value in values:
        total += int(np.asarray(value).item())
        action = {"change": value, "jump": 2**62 + 3, "by": 0.125, "lit": True}
        observation, *_ = env.step(action)
        both, *_ = envs.step({key: np.array([np.asarray(one).item()] * 2) for key, one in action.items()})
        assert observation[name].tolist() == [total + offset] and both[name].tolist() == [[total + offset]] * 2
        assert observation in env.observation_space and both in envs.observation_space
        assert env.state["n"] == total
    listed, *_ = envs.step([{"change": 1, "jump": 2**62 + 1}, {"change": 2, "jump": 2**62 + 4095}])
    assert listed[name].tolist() == [[total + offset + 1], [total + offset + 2]]


def test_drawn_ints_are_exact_beyond_doubles() -> None:
    text = counts(False)
    env: Any = herbrand.make(text)
    envs = herbrand.rddl.make_vec(text, 3)
    env.reset(seed=4)
    envs.reset(seed=4)
    drawn = set()
    for _ in range(8):
        action = env.sample()
        assert action in env.action_space and action["by"].dtype == np.float64
        drawn.add(int(action["jump"].item()))
        together = envs.sample()
        assert together in envs.action_space and {name: part[0] for name, part in together.items()} == action
        before = envs.step(together)[0]
        observation = env.step(action)[0]
        assert {name: part[0] for name, part in before.items()} == observation
    assert len(drawn) > 1 and all(2**62 <= one <= 2**62 + 4096 for one in drawn) and any(one % 2 for one in drawn)
    for refused in ({"jump": 2**62 + 8192}, {"change": 0.5}, {"change": 2**70}):
        with pytest.raises((herbrand.InvalidActionError, TypeError, OverflowError)):
            env.step(refused)


def test_infos_have_the_same_keys_at_all_times() -> None:
    for env in (herbrand.make("sokoban", "train/01"), lights(), herbrand.make("rddl/cartpole-continuous"), herbrand.make(LAMPS)):
        env.reset(seed=1)
        keys = list(env.reset()[1])
        kinds = {name: type(value) for name, value in env.reset()[1].items()}
        terminated = truncated = False
        for _ in range(600):
            _, _, terminated, truncated, info = env.step(env.sample())
            assert list(info) == keys and {name: type(value) for name, value in info.items()} == kinds
            assert bool(info["end"]) == (terminated or truncated)
            if terminated or truncated:
                break
        assert terminated or truncated


@pytest.mark.parametrize("actions", ["dict", "flat"])
def test_a_broken_invariant_has_its_name_in_the_info(actions: Any) -> None:
    env: Any = lights(actions=actions)
    _, info = env.reset(seed=1)
    assert info["invariant"] == ""
    hot = {"slide": 1.5} if actions == "dict" else np.array([0, 0, 0, 0, 1.5])
    for _ in range(10):
        _, _, _, truncated, info = env.step(hot)
        assert (info["invariant"] == "") == (not truncated)
        if truncated:
            break
    assert info["end"] == "invariant" and info["invariant"] == "state invariant 1: heat < 9.0"
    assert "invariant" not in herbrand.make(LAMPS).reset(seed=1)[1]
