"""Compares vector environments with single ones, for every autoreset mode."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import herbrand
from herbrand import VecEnv


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["blocks", "casino", "sokoban", "tireworld"])
def test_environment_i_is_a_single_one_of_seed_plus_i(name: str, threads: int) -> None:
    envs = VecEnv(name, num_envs=5, horizon=6, threads=threads)
    singles = [herbrand.make(name, horizon=6) for _ in range(5)]
    bits, infos = envs.reset(seed=11)
    over = [False] * 5
    for index, single in enumerate(singles):
        one, info = single.reset(seed=11 + index)
        assert (bits[index] == one).all() and (infos["action_mask"][index] == info["action_mask"]).all()
    dead_ends = 0
    for _ in range(40):
        actions = envs.sample()
        bits, rewards, terminated, truncated, infos = envs.step(actions)
        assert (infos["_applied"] == ~np.array(over)).all()
        for index, single in enumerate(singles):
            if over[index]:
                one, info = single.reset()
                expected: tuple[Any, ...] = (0.0, False, False)
            else:
                assert actions[index] == (single.sample())
                one, reward, end, cut, info = single.step(int(actions[index]))
                expected = (reward, end, cut)
            over[index] = expected[1] or expected[2]
            assert (rewards[index], terminated[index], truncated[index]) == expected
            assert (bits[index] == one).all() and (infos["action_mask"][index] == info["action_mask"]).all()
            assert (infos["goal"][index], infos["dead_end"][index]) == (info["goal"], info["dead_end"])
            assert infos["applied"][index] == info.get("applied", False)
            dead_ends += info["dead_end"]
    assert dead_ends > 0 or name != "tireworld"
    assert envs.problem_indexes() == [single.problem_index for single in singles]


def test_same_step_gives_the_last_observation_too() -> None:
    envs = VecEnv("blocks", problem=0, num_envs=3, horizon=2, autoreset_mode=AutoresetMode.SAME_STEP)
    single = herbrand.make("blocks", 0, horizon=2)
    first, _ = envs.reset(seed=1)
    single.reset(seed=1)
    for step in range(6):
        actions = envs.sample()
        bits, _, terminated, truncated, infos = envs.step(actions)
        last = single.step(int(actions[0]))
        if last[2] or last[3]:
            assert infos["_final_obs"][0] and (infos["final_obs"][0] == last[0]).all()
            final = infos["final_info"]
            assert infos["_final_info"][0] and all(final[key][0] == last[4][key] for key in ("goal", "dead_end", "applied"))
            assert (bits[0] == first[0]).all()
            single.reset()
        else:
            assert "final_obs" not in infos or not infos["_final_obs"][0]
            assert (bits[0] == last[0]).all()
        assert step % 2 == 0 or (terminated | truncated).all()


# The environment truncates at a violated invariant and at the horizon, and terminates at 3.
COUNTER = """
    domain counter {
        pvariables {
            n : { state-fluent, int, default = 0 };
            by : { action-fluent, int, default = 0 };
        };
        cpfs { n' = n + by; };
        reward = 0;
        action-preconditions { by >= 0; by <= 4; };
        state-invariants { n <= 5; };
        termination { n == 3; };
    }
    instance i { domain = counter; horizon = 2; discount = 1.0; }"""


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name, options, reasons", [
    ("tireworld", {"horizon": 6}, {"goal", "dead_end", "horizon"}),
    ("tireworld", {"horizon": 6, "engine": "sliced"}, {"goal", "dead_end", "horizon"}),
    ("blocks", {"horizon": 3, "through_goals": True}, {"horizon"}),
    (COUNTER, {}, {"terminal", "invariant", "horizon"}),
])
def test_infos_say_why_an_episode_ended(mode: AutoresetMode, name: str, options: dict[str, Any], reasons: set[str]) -> None:
    count, seen = 5, set()
    of: Any = herbrand.rddl if name == COUNTER else herbrand
    envs: Any = of.make_vec(name, count, autoreset_mode=mode, statistics=False, **options)
    options = {key: value for key, value in options.items() if key != "engine"}
    singles: list[Any] = [of.make(name, **options) for _ in range(count)]
    envs.reset(seed=3)
    for index, single in enumerate(singles):
        single.reset(seed=3 + index)
    over = np.zeros(count, dtype=np.bool_)
    for _ in range(60):
        _, _, terminated, truncated, infos = envs.step_sampled()
        expected: list[str | None] = [None] * count
        broken: list[str | None] = [None] * count
        for index, single in enumerate(singles):
            if over[index]:
                single.reset()
            else:
                info = single.step(single.sample())[4]
                expected[index] = info["end"] or None
                broken[index] = info["invariant"] if name == COUNTER and info["end"] else None
        ended = terminated | truncated
        same_step = mode is AutoresetMode.SAME_STEP
        last = infos.get("final_info", {}) if same_step else infos
        assert ("end" in last) == ("_end" in last) == bool(ended.any()) and not (same_step and "end" in infos)
        if ended.any():
            assert list(last["end"]) == expected and (last["_end"] == ended).all()
            tells = name == COUNTER and not same_step
            assert list(last.get("invariant", broken)) == broken and ("_invariant" in last) == tells
        seen |= {end for end in expected if end}
        over = ended if mode is AutoresetMode.NEXT_STEP else np.zeros(count, dtype=np.bool_)
        if ended.any() and mode is not AutoresetMode.NEXT_STEP:
            for single, is_over in zip(singles, ended, strict=True):
                if is_over:
                    single.reset()
            if mode is AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": ended})
    assert seen == reasons


STUCK = (
    "(define (domain lamp) (:predicates (on) (off)) (:action press :precondition (not (on)) :effect (on)))",
    "(define (problem lit) (:domain lamp) (:init (on)) (:goal (off)))",
)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_mask_is_marked(mode: AutoresetMode, strict: bool) -> None:
    envs = VecEnv(STUCK[0], 3, problem=STUCK[1], autoreset_mode=mode, raise_error_on_invalid_action=strict)
    _, infos = envs.reset(seed=1)
    assert infos["dead_end"].all() and not infos["action_mask"].any() and not infos["goal"].any()
    for _ in range(4):
        _, rewards, terminated, _, infos = envs.step(envs.sample())
        assert (infos["dead_end"] == ~infos["action_mask"].any(axis=1)).all() and not rewards.any()
        assert not infos["applied"].any()
        if mode is AutoresetMode.SAME_STEP:
            assert terminated.all() and infos["final_info"]["dead_end"].all()
        if mode is AutoresetMode.DISABLED:
            envs.reset(options={"reset_mask": terminated})


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_statistics_are_those_of_gymnasiums_wrapper(mode: AutoresetMode) -> None:
    def run(envs: Any, count: int) -> list[dict[str, Any]]:
        envs.reset(seed=5)
        return [envs.step(envs.unwrapped.sample())[4] for _ in range(count)]

    own = run(VecEnv("tireworld", num_envs=4, horizon=5, autoreset_mode=mode), 40)
    plain = VecEnv("tireworld", num_envs=4, horizon=5, autoreset_mode=mode, statistics=False)
    wrapped = run(gymnasium.wrappers.vector.RecordEpisodeStatistics(plain), 40)
    ended = 0
    for one, other in zip(own, wrapped, strict=True):
        assert ("episode" in one) == ("episode" in other)
        if "episode" in one:
            assert (one["_episode"] == other["_episode"]).all()
            for key in ("r", "l"):
                assert (one["episode"][key] == other["episode"][key]).all()
            assert (one["episode"]["t"] >= 0).all()
            ended += int(one["_episode"].sum())
    assert ended > 20


def test_infos_can_be_lists() -> None:
    envs: Any = gymnasium.wrappers.vector.DictInfoToList(VecEnv("blocks", num_envs=2, horizon=1))
    _, infos = envs.reset(seed=1)
    assert [info["goal"] for info in infos] == [False, False]
    infos = envs.step(envs.unwrapped.sample())[4]
    assert infos[0]["applied"] and infos[1]["episode"]["l"] == 1
    infos = envs.step(envs.unwrapped.sample())[4]
    assert "applied" not in infos[0] and "action_mask" in infos[0]


def test_disabled_waits_for_a_reset_of_some() -> None:
    envs = VecEnv("blocks", num_envs=3, horizon=1, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": [True, True, True]})
    envs.reset(seed=1)
    bits, _, _, truncated, _ = envs.step(envs.sample())
    assert truncated.any()
    with pytest.raises(herbrand.EpisodeError):
        envs.step(np.zeros(3, dtype=int))
    again, _ = envs.reset(options={"reset_mask": np.array([True, False, True])})
    assert (again[1] == bits[1]).all()


def test_results_are_the_callers_own_unless_asked_otherwise() -> None:
    for copied in (True, False):
        envs = VecEnv("blocks", num_envs=2, copy=copied)
        first, _ = envs.reset(seed=1)
        before = first.copy()
        second = envs.step(envs.sample())[0]
        assert (second is not first) == copied
        assert (first == before).all() == copied


def test_memory_of_large_observations_is_used_again_when_nobody_has_it() -> None:
    envs, twin = (VecEnv("blocks", num_envs=900) for _ in range(2))
    expected, _ = twin.reset(seed=1)
    assert expected.nbytes >= 1 << 16
    kept: list[Any] = [envs.reset(seed=1)[0]]
    seen: list[Any] = [expected]

    def step(keep: Any) -> int:
        """Steps both, and returns the address of the observation; all observations of the other one are stored."""
        actions = envs.sample()
        observation = envs.step(actions)[0]
        seen.append(twin.step(actions)[0])
        assert (observation == seen[-1]).all()
        kept.append(keep(observation))
        return int(observation.ctypes.data)

    def dropped(_: Any) -> None:
        return None

    # If the caller holds at most the last observation, two arrays alternate; arrays that are held are replaced.
    assert len({step(dropped) for _ in range(6)}) <= 2
    assert len({step(lambda observation: observation) for _ in range(6)}) == 6
    # A view and a buffer use the memory of the array.
    assert len({step(lambda observation: observation[5:, 1]) for _ in range(4)}) == 4
    assert len({step(memoryview) for _ in range(4)}) == 4
    # Arrays that were resized or made read-only are not reused.
    for change in (lambda array: array.setflags(write=False), lambda array: array.resize(array.size)):
        step(change)
        step(dropped)
        step(dropped)
        step(dropped)
    for mine, other in zip(kept, seen, strict=True):
        if isinstance(mine, memoryview):
            mine = np.asarray(mine)
        if mine is not None:
            assert (mine == (other if mine.shape == other.shape else other[5:, 1])).all()


def test_actions_are_checked() -> None:
    envs = VecEnv("blocks", num_envs=2)
    envs.reset(seed=1)
    for wrong in ([0, -1], [0, 10**6], [0, 2**40]):
        with pytest.raises(herbrand.UnknownNameError):
            envs.step(wrong)
    for wrong in ([0], [0, 0, 0]):
        with pytest.raises(ValueError):
            envs.step(wrong)
    with pytest.raises(ValueError, match="num_envs"):
        VecEnv("blocks", num_envs=0)
    with pytest.raises(TypeError, match="seed"):
        envs.reset(seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sync"):
        VecEnv("blocks", observation="atoms")  # type: ignore[arg-type]
    strict = VecEnv("blocks", num_envs=2, raise_error_on_invalid_action=True)
    _, infos = strict.reset(seed=1)
    with pytest.raises(herbrand.InvalidActionError):
        strict.step(infos["action_mask"].argmin(axis=1))


def test_gymnasium_makes_and_wraps_them() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs: Any = gymnasium.make_vec("herbrand/Blocks-v0", num_envs=4, horizon=5, ids="problem")
        envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
        bits, _ = envs.reset(seed=1)
        assert bits in envs.observation_space and envs.action_space.sample() in envs.action_space
        seen = 0
        for _ in range(30):
            bits, _, _, _, infos = envs.step(envs.unwrapped.sample())
            assert bits in envs.observation_space
            seen += int(infos["_episode"].sum()) if "_episode" in infos else 0
        assert seen >= 4 * 4
        envs.close()


def test_threads_of_python_step_batches_of_their_own() -> None:
    def total(seed: int) -> float:
        envs = VecEnv("casino", num_envs=16, horizon=10)
        envs.reset(seed=seed)
        return float(sum(envs.step(envs.sample())[1].sum() for _ in range(50)))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(total, range(8))) == [total(seed) for seed in range(8)]


def test_threads_of_python_may_share_one_environment() -> None:
    env = herbrand.make("blocks", horizon=None, through_goals=True)
    env.reset(seed=1)

    def steps(_: int) -> int:
        for _ in range(500):
            env.step(env.sample())
            env.task.valid_actions(env.state)
        return 500

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(steps, range(4))) == 2000


@pytest.mark.parametrize("observation", ["bits", "bits-and-goal", "atoms-one-hot-by-object"])
def test_every_array_is_that_of_a_single_environment(observation: Any) -> None:
    envs = herbrand.VecEnv("blocks", num_envs=3, observation=observation, horizon=6)
    seen, _ = envs.reset(seed=5)
    assert (seen.shape[0], seen.shape[1:]) == (3, envs.single_observation_space.shape)
    assert envs.single_observation_space.contains(seen[0])
    singles = [herbrand.make("blocks", observation=observation, horizon=6) for _ in range(3)]
    for index, env in enumerate(singles):
        expected, _ = env.reset(seed=5 + index)
        assert env.observation_space == envs.single_observation_space
        np.testing.assert_array_equal(seen[index], expected)
    for _ in range(4):
        actions = envs.sample()
        seen, *_ = envs.step(actions)
        for index, env in enumerate(singles):
            expected, *_ = env.step(int(actions[index]))
            np.testing.assert_array_equal(seen[index], expected)


def test_problems_with_different_goals_look_different() -> None:
    texts = [
        f"(define (problem p) (:domain blocks) (:objects a b - block) (:init (clear a) (clear b) (on-table a) "
        f"(on-table b) (hand-empty)) (:goal (on {goal})))"
        for goal in ("a b", "b a")
    ]
    domain = herbrand.suite("blocks").domain
    plain, goals = (
        herbrand.make(domain, texts, observation=observation) for observation in ("bits", "bits-and-goal")
    )
    for env, alike in ((plain, True), (goals, False)):
        first, second = (env.reset(seed=0, options={"problem": problem})[0] for problem in (0, 1))
        assert bool((first == second).all()) is alike


def test_an_unknown_observation_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="bits-and-goal"):
        herbrand.VecEnv("blocks", observation="bit")  # type: ignore[arg-type]


@pytest.mark.parametrize("observation", ["packed-bits", "packed-bits-and-goal"])
def test_packed_bits_are_the_bits(observation: Any) -> None:
    plain = observation.removeprefix("packed-")
    packed, bits = (VecEnv("blocks", num_envs=3, observation=mode, horizon=5) for mode in (observation, plain))
    single = herbrand.make("blocks", observation=observation, horizon=5)
    seen, expected, one = packed.reset(seed=3)[0], bits.reset(seed=3)[0], single.reset(seed=3)[0]
    for _ in range(8):
        assert seen.dtype == one.dtype == np.uint8 and one in single.observation_space and seen in packed.observation_space
        halves = np.split(seen, 2 if plain == "bits-and-goal" else 1, axis=1)
        wide = np.split(expected, len(halves), axis=1)
        for part, whole in zip(halves, wide, strict=True):
            np.testing.assert_array_equal(np.unpackbits(part, axis=1, bitorder="little")[:, : whole.shape[1]], whole)
        seen, expected = packed.step_sampled()[0], bits.step_sampled()[0]


@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep"])
def test_environments_in_blocks_are_single_ones(autoreset: str) -> None:
    def run(engine: Any) -> list[Any]:
        envs = VecEnv("gripper", 70, engine=engine, observation="packed-bits", horizon=6, autoreset_mode=autoreset)
        assert envs.engine == engine
        result: Any = envs.reset(seed=3)
        seen: list[Any] = [result[0]]
        for _ in range(5):
            seen.extend(envs.step_sampled()[:4])
            result = envs.step(envs.sample())
            seen.extend([*result[:4], result[4]["action_mask"], result[4]["problem_index"]])
        assert envs.problem_indexes() == result[4]["problem_index"].tolist()
        return [*seen, envs.collect(7).observations]

    for one, other in zip(run("sliced"), run("grounded"), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    ("domain", "count", "options"),
    [
        ("gripper", 70, {"observation": "packed-bits"}),
        ("sokoban", 5, {}),
        ("slide-tile", 3, {"engine": "lifted"}),
        ("rddl/elevators", 4, {"actions": "flat"}),
        ("pddlworld/blocks", 3, {}),
    ],
)
def test_packed_masks_are_the_masks(domain: str, count: int, options: dict[str, Any], autoreset: str) -> None:
    options = {"horizon": 5, "autoreset_mode": autoreset, **options}
    packed, plain = (herbrand.make_vec(domain, count, masks=masks, **options) for masks in ("packed", "bytes"))
    infos, expected = packed.reset(seed=3)[1], plain.reset(seed=3)[1]

    def unpacked(masks: Any) -> Any:
        return np.unpackbits(masks, axis=-1, count=plain.action_masks().shape[1], bitorder="little")

    for _ in range(8):
        np.testing.assert_array_equal(unpacked(infos["action_mask"]), expected["action_mask"])
        np.testing.assert_array_equal(packed.action_masks(), plain.action_masks())
        infos, expected = packed.step_sampled()[4], plain.step_sampled()[4]
        np.testing.assert_array_equal(infos["action"], expected["action"])
    few, wide = packed.collect(6), plain.collect(6)
    np.testing.assert_array_equal(unpacked(few.first_masks), wide.first_masks)
    np.testing.assert_array_equal(unpacked(few.action_masks), wide.action_masks)


def test_there_are_two_forms_of_masks() -> None:
    masks: Any = "bits"
    with pytest.raises(ValueError, match="masks is one of 'bytes', 'packed', not 'bits'"):
        VecEnv("gripper", 2, masks=masks)


def test_the_default_engine_steps_as_the_grounded_one() -> None:
    default, grounded = VecEnv("gripper", 1300), VecEnv("gripper", 1300, engine="grounded")
    results: list[Any] = [default.reset(seed=5), grounded.reset(seed=5)]
    for _ in range(12):
        (*one, infos), (*other, expected) = results
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)
        for key in ("action_mask", "goal", "dead_end", "problem_index"):
            np.testing.assert_array_equal(infos[key], expected[key])
        results = [default.step_sampled(), grounded.step_sampled()]


def test_blocks_say_what_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="observes bits of the state"):
        VecEnv("gripper", 70, engine="sliced", observation="graph")
    domain, problem = tmp_path / "domain.pddl", tmp_path / "full.pddl"
    domain.write_text("""(define (domain tank) (:requirements :numeric-fluents) (:functions (fuel))
        (:action burn :precondition (> (fuel) 0) :effect (decrease (fuel) 1)))""")
    problem.write_text("(define (problem full) (:domain tank) (:init (= (fuel) 3)) (:goal (= (fuel) 0)))")
    with pytest.raises(herbrand.HerbrandError, match="cannot be stepped in blocks"):
        VecEnv(domain, 70, problem=problem, engine="sliced")


def test_the_number_of_environments_comes_second() -> None:
    assert VecEnv("sokoban", 8).num_envs == herbrand.make_vec("sokoban", 8).num_envs == 8
    count: Any = np.int64(3)
    assert herbrand.make_vec("rddl/elevators", count).num_envs == 3
    assert herbrand.pddlworld.make_vec("blocks", 2).num_envs == 2
    assert VecEnv("sokoban", 2, problem="test/01").reset(seed=1)[1]["problem_index"].tolist() == [0, 0]
    makers: list[Any] = [VecEnv, herbrand.make_vec, herbrand.pddlworld.make_vec]
    for make in makers:
        with pytest.raises(TypeError, match="num_envs is an int, not 'test/01': .*problem='test/01'"):
            make("sokoban", "test/01")
    with pytest.raises(TypeError, match="num_envs is an int, not '2'"):
        herbrand.make_vec("rddl/elevators", "2")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="num_envs is 1 or more, not 0"):
        VecEnv("sokoban", 0)


def test_pictures_are_refused_in_one_way() -> None:
    message = "stepped together do not render: render a single one"
    for make in (VecEnv, herbrand.make_vec):
        with pytest.raises(ValueError, match=message):
            make("sokoban", 2, render_mode="rgb_array")
    for envs in (VecEnv("sokoban", 2), herbrand.make_vec("rddl/elevators")):
        with pytest.raises(ValueError, match=message):
            envs.render()


def test_actions_as_text_are_answered_with_the_call_that_numbers_them() -> None:
    envs = VecEnv("sokoban", 2)
    envs.reset(seed=1)
    with pytest.raises(TypeError, match=r"one per environment: herbrand.make\(…\).action_id\('\(move up\)'\) gives"):
        envs.step(["(move up)", "(move up)"])
    with pytest.raises(ValueError, match="inhomogeneous"):
        envs.step([[1, 2], [3]])


def test_environments_of_a_batch_start_as_single_ones_do() -> None:
    rows = {"actions": "flat", "observation": "flat"}
    makers: list[tuple[Any, dict[str, Any], list[Any]]] = [
        (herbrand, {"domain": "tireworld", "ids": "suite", "horizon": 5}, ["train/02", 1, None, "test/01"]),
        (herbrand, {"domain": "gripper", "engine": "lifted", "ids": "suite", "horizon": 5}, [0, 0, 3, None]),
        (herbrand.rddl, {**rows, "domain": "rddl/navigation-mdp", "problem": ["1", "2"], "horizon": 5}, [1, "1", "2", None]),
        (herbrand, {"domain": "ferry", "engine": "sliced", "ids": "suite", "horizon": 5}, [0, 1, None, 4]),
    ]
    for module, options, problems in makers:
        seeds = [7, 7, 1, 2]
        envs = module.make_vec(num_envs=4, **options)
        singles = [module.make(**options) for _ in seeds]
        envs.reset(seed=99)
        observations, infos = envs.reset(seed=seeds, options={"problem": problems})
        for index, (env, seed, problem) in enumerate(zip(singles, seeds, problems, strict=True)):
            seen, info = env.reset(seed=seed, options={"problem": problem})
            assert info["problem_index"] == infos["problem_index"][index]
            _compare(observations, seen, index)
        over = np.zeros(4, dtype=bool)
        for _ in range(14):
            observations, _, terminated, truncated, infos = envs.step_sampled()
            for index, env in enumerate(singles):
                seen = env.reset()[0] if over[index] else env.step(env.sample())[0]
                _compare(observations, seen, index)
            over = terminated | truncated
        # One problem for all, and only some environments.
        _, infos = envs.reset(options={"problem": 1, "reset_mask": np.array([True, False, True, False])})
        assert infos["problem_index"][[0, 2]].tolist() == [1, 1]


def _compare(observations: Any, seen: Any, index: int) -> None:
    """Compares the observation of an environment of a batch with that of a single one."""
    pairs = observations.items() if isinstance(observations, dict) else [("", observations)]
    for name, array in pairs:
        one = seen[name] if isinstance(seen, dict) else seen
        np.testing.assert_array_equal(array[index], one)


def test_starts_of_a_batch_are_checked() -> None:
    envs = herbrand.VecEnv("blocks", 2, ids="suite")
    first, _ = envs.reset(seed=[3, None])
    assert (first[0] == herbrand.VecEnv("blocks", 1, ids="suite").reset(seed=3)[0][0]).all()
    for fault, seed, options in (
        (ValueError, [1, 2, 3], None),
        (ValueError, None, {"problem": [1]}),
        (ValueError, [1, -1], None),
        (TypeError, [1, "2"], None),
        (TypeError, 1.5, None),
        (herbrand.UnknownNameError, None, {"problem": [0, 99]}),
        (herbrand.UnknownNameError, None, {"problem": "train/99"}),
    ):
        with pytest.raises(fault):
            envs.reset(seed=seed, options=options)  # type: ignore[arg-type]
