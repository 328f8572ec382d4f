"""Tests of mistakes that are easy to make: each has an error or a warning that says what to write."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import herbrand
import numpy as np
import pytest

FUEL = """
(define (domain drive)
  (:requirements :fluents :negative-preconditions)
  (:predicates (there))
  (:functions (fuel) (trips) (total-cost))
  (:action go :precondition (and (not (there)) (>= (fuel) 2)) :effect (and (there) (decrease (fuel) 1)))
  (:action wait :effect (and (increase (trips) 1) (increase (total-cost) 1))))
"""
TANK = "(define (problem one) (:domain drive) (:init (= (fuel) 2) (= (trips) 0) (= (total-cost) 0)) (:goal (there)))"


def error(call: Any) -> str:
    """Returns the message of the error that a call raises, which must be readable without knowing the implementation."""
    with pytest.raises((herbrand.HerbrandError, TypeError, ValueError)) as caught:
        call()
    message = str(caught.value)
    assert "enum" not in message and "\n" not in message
    return message


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
@pytest.mark.parametrize("ids", ["problem", "suite"])
def test_every_action_can_be_explained(engine: Any, ids: Any) -> None:
    for domain in ("sokoban", "snake", "blocks", "doors"):
        env = herbrand.make(domain, split="train", engine=engine, ids=ids)
        _, info = env.reset(seed=1)
        for action in range(min(len(info["action_mask"]), 60)):
            why = env.explain(action)
            assert bool(why) == bool(info["action_mask"][action]) and why.text
            assert isinstance(why.action, herbrand.Action)
    with pytest.raises(herbrand.UnknownNameError):
        env.explain(10**6)


def test_an_action_that_no_operator_carries_out_has_an_explanation() -> None:
    env = herbrand.make("sokoban", "train/01")
    _, info = env.reset(seed=1)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(env.sample())
    blocked = int(np.flatnonzero(info["action_mask"] == 0)[0])
    why = env.explain(blocked)
    assert not why and env.action_name(blocked)[1:-1].split()[1] in str(why)


def test_actions_with_several_fields_have_no_numbers() -> None:
    for name, options in (("elevators", {}), ("elevators", {"actions": "flat"}), ("cartpole-continuous", {})):
        env: Any = herbrand.make(f"rddl/{name}", **options)  # type: ignore[arg-type]
        env.reset(seed=1)
        assert "mask_dict" in error(env.valid_actions) and "joint" in error(lambda: env.action_id("()"))
        assert any(word in error(lambda: env.action_name(0)) for word in ("joint", "one per field"))
    joint: Any = herbrand.rddl.make("rddl/elevators", actions="joint")
    joint.reset(seed=1)
    # The preconditions exclude most of the 16 numbered joint actions in the initial state.
    assert list(joint.valid_actions()) == list(np.flatnonzero(joint.action_masks()))
    assert 0 < len(joint.valid_actions()) < joint.action_space.n and joint.action_id(joint.action_name(3)) == 3
    balloon = herbrand.BaseEnv(herbrand.testing.balloon())
    balloon.reset(seed=1)
    assert "action_masks" in error(balloon.valid_actions)


def test_several_problems_are_selected_by_name_and_index() -> None:
    suite = herbrand.suite("blocks")
    names = suite.problem_names
    assert herbrand.make("blocks", problem=["train/01", "train/02"]).suite.problem_names == names[:2]
    assert herbrand.make("blocks", problem=range(3)).suite.problem_names == names[:3]
    assert herbrand.make("blocks", np.int64(1)).suite.problem_names == names[1:2]  # type: ignore[arg-type]
    assert suite.select([-1, "train/01"]).problem_names == (names[-1], names[0])
    assert suite[2:7:2].problem_names == names[2:7:2] and suite[::-1].problem_names == names[::-1]
    assert suite[0].name == suite["train/01"].name
    assert herbrand.suite("rddl/elevators", ["1", 2]).problem_names == ("1", "3")
    assert herbrand.suite("rddl/elevators").select(slice(1, 3)).problem_names == ("2", "3")
    assert "name or its index" in error(lambda: suite.select([1.5]))  # type: ignore[list-item]
    assert "name or its index" in error(lambda: suite.select(None))  # type: ignore[arg-type]
    assert "no problem `20`" in error(lambda: suite[20])
    assert "one problem or more" in error(lambda: herbrand.make("blocks", []))
    with pytest.raises(herbrand.UnknownNameError, match="no problem `nope`"):
        herbrand.make("blocks", ["train/01", "nope"])


def test_texts_are_names_and_ints_are_indices() -> None:
    assert herbrand.make("blocks", "10").suite.problem_names == ("train/10",)
    assert herbrand.suite("rddl/elevators", "05").problem_names == ("5",)
    for call in (
        lambda: herbrand.make("blocks", "11"),
        lambda: herbrand.suite("blocks").select("2"),
        lambda: herbrand.make("blocks").reset(options={"problem": "11"}),
    ):
        assert "counts from 0" in error(call)


def test_plans_become_actions_in_every_domain() -> None:
    followed = 0
    for domain in herbrand.bundled_domains():
        env = herbrand.make(domain, split="train", horizon=None)
        if len(env.suite.problem_names) == 0 or env.suite.plan(0) is None:
            continue
        env.reset(seed=1, options={"problem": 0})
        for line in (env.suite.plan(0) or "").splitlines()[:1]:
            action = env.action_of(line)
            assert env.action_masks()[action] and env.step(action)[4]["applied"], domain
            followed += 1
    assert followed > 30
    env = herbrand.make("sokoban", "train/01")
    env.reset(seed=1)
    operator = env.task.plan().actions
    assert operator is not None
    message = error(lambda: env.step(operator[0]))
    assert "action_of" in message and "operators=True" in message and "`move`" in message
    assert "action_of" in error(lambda: env.action_id(str(operator[0])))
    assert "action_of" not in error(lambda: env.step("(fly)")) and "fly" in error(lambda: env.action_of("(fly)"))
    reward, terminated = 0.0, False
    for action in env.plan_actions() or ():
        _, reward, terminated, _, _ = env.step(action)
    assert reward == 1 and terminated and env.plan_actions() == []
    blocks = herbrand.make("blocks", 0, operators=True)
    blocks.reset(seed=1)
    assert [blocks.action_name(one) for one in blocks.plan_actions(planner="astar-lmcut") or ()]
    lifted = herbrand.make("sokoban", 0, engine="lifted")
    lifted.reset(seed=1)
    assert "lifted" in error(lifted.plan_actions)


def test_numbers_that_observations_leave_out_are_named() -> None:
    # Nothing reads the trips, but states that differ in them are different ones.
    assert herbrand.suite(FUEL, TANK).state_functions == ["fuel", "trips"]
    for make in (herbrand.make, lambda *given: herbrand.VecEnv(given[0], 2, problem=given[1])):
        with pytest.warns(UserWarning, match="`fuel`") as caught:
            make(FUEL, TANK)
        assert len(caught) == 1
    goal = TANK.replace("(:goal (there))", "(:goal (>= (trips) 3))")
    assert herbrand.suite(FUEL, goal).state_functions == ["fuel", "trips"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        herbrand.make(FUEL, TANK, observation="pixels")
        herbrand.make("blocks", ids="suite")


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
def test_problems_that_number_their_atoms_differently_are_told(engine: Any) -> None:
    for make in (herbrand.make, lambda *given, **options: herbrand.make_vec(given[0], 2, problem=given[1:] or None, **options)):
        with pytest.warns(UserWarning, match="ids='suite'") as caught:
            make("blocks", engine=engine)
        assert len(caught) == 1 and caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            make("blocks", engine=engine, ids="suite")
            make("blocks", engine=engine, ids="problem")
            make("blocks", engine=engine, observation="graph")
            make("blocks", "train/01", engine=engine)
            make(herbrand.suite("blocks").with_ids("suite"), engine=engine)


def test_problems_that_number_their_atoms_equally_are_not_told(lamps: tuple[str, str]) -> None:
    domain, problem = lamps
    # The second problem has other names and another goal.
    other = problem.replace(" a", " c").replace("problem two", "problem other").replace("(broken b)", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        herbrand.make(domain, [problem, other])
    with pytest.warns(UserWarning, match="the 2 problems of lamps"):
        herbrand.make(domain, [problem, problem.replace("a b - lamp", "a b d - lamp")])


@pytest.mark.parametrize("domain", ["sokoban", "rddl/elevators"])
def test_names_of_other_tools_have_hints(domain: str) -> None:
    env: Any = herbrand.make(domain, 0)
    env.reset(seed=1)
    counterparts = {
        "fix_problem_index": "env.reset(options={'problem': index})",
        "seed": "env.reset(seed=…)",
        "get_state": "env.state",
        "action_mask": "env.action_masks()",
        "sample_action": "env.unwrapped.sample()",
        "num_problems": "len(env.problems)",
        "domain": "env.suite",
        "problem": "env.problems.problem_names[env.problem_index]",
    }
    for name, counterpart in counterparts.items():
        with pytest.raises(AttributeError, match=name) as caught:
            getattr(env, name)
        assert f"write {counterpart}" in str(caught.value) and not hasattr(env, name)
        if "…" not in counterpart and "index}" not in counterpart:
            eval(counterpart, {"env": env})
    with pytest.raises(AttributeError, match="no attribute 'anything'$"):
        _ = env.anything
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.sample() == copy.deepcopy(env).sample()


@pytest.mark.parametrize("domain", ["blocks", "rddl/elevators"])
def test_masks_before_the_first_reset_are_an_error(domain: str) -> None:
    envs = herbrand.make_vec(domain, 2, problem=0 if domain == "blocks" else None)
    for call in (envs.action_masks, envs.sample, envs.step_sampled):
        with pytest.raises(herbrand.EpisodeError):
            call()
    envs.reset(seed=1)
    assert envs.action_masks().any()


def test_batches_without_autoreset_say_how_to_begin_episodes() -> None:
    envs = herbrand.make_vec("tireworld", 4, problem="train/01", horizon=2, autoreset_mode="Disabled")
    assert "reset_mask" not in error(lambda: envs.step([0] * 4))
    envs.reset(seed=1)
    ended = np.zeros(4, dtype=bool)
    while not ended.any():
        _, _, terminations, truncations, _ = envs.step_sampled()
        ended = terminations | truncations
    for call in (envs.step_sampled, lambda: envs.step([0] * 4)):
        assert "reset(options={'reset_mask': terminations | truncations})" in error(call)
    envs.reset(options={"reset_mask": ended})
    envs.step_sampled()


def test_batches_say_how_to_save_them() -> None:
    envs = herbrand.make_vec("blocks", 2)
    for call in (lambda: pickle.dumps(envs), lambda: copy.deepcopy(envs)):
        assert "suite" in error(call) and "single environments" in error(call)
    assert len(pickle.loads(pickle.dumps(envs.suite))) == len(envs.suite)


def test_workers_need_a_guarded_script(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    lines = [
        "import herbrand",
        "from herbrand import data",
        "recipe = data.Recipe(herbrand.suite('sokoban', '01'), num_envs=4, steps=3, share=1)",
        "print(data.rollout(recipe, workers=2).steps)",
    ]
    script = tmp_path / "script.py"
    script.write_text("\n".join(lines))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200, check=False)
    assert ran.returncode == 1 and 'if __name__ == "__main__":' in ran.stderr.splitlines()[-1]
    assert ran.stderr.count("Traceback") == 1 and ran.stdout == ""
    script.write_text("\n".join([*lines[:3], 'if __name__ == "__main__":', f"    {lines[3]}"]))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200, check=False)
    assert ran.stdout == "12\n", ran.stderr


def test_pictures_have_a_size_and_a_function() -> None:
    make: Any = herbrand.make
    for options in ({"render_size": 200}, {"render_size": (0, 5)}, {"pixels": 84}, {"pixels": (1.5, 2)}):
        (name,) = options
        for domain in ("blocks", "rddl/elevators"):
            assert f"{name} is (height, width)" in error(lambda: make(domain, **options))
    assert "renderer is a function" in error(lambda: make("blocks", renderer=3))
    assert make("blocks", observation="pixels", pixels=[8, 9]).observation_space.shape == (8, 9, 3)
    for domain in ("blocks", "rddl/elevators", "pddlworld/blocks"):
        for made in (make, herbrand.make_vec):
            assert "is the size of observation='pixels'" in error(lambda made=made, domain=domain: made(domain, pixels=(8, 9)))


def test_batches_check_numbers() -> None:
    make: Any = herbrand.make_vec
    assert "threads is 1 or more" in error(lambda: make("blocks", 2, threads=0))
    assert "threads is an int" in error(lambda: make("blocks", 2, threads=1.5))
    for envs in (make("blocks", 2), make("rddl/elevators", 2, actions="joint")):
        envs.reset(seed=1)
        assert "ints" in error(lambda: envs.step([0.5, 1.2]))
        envs.close()
        assert envs.step(envs.sample())[1].shape == (2,)
    hint = "problem='train/01'"
    assert hint in error(lambda: make("blocks", "train/01"))
    assert hint in error(lambda: make("blocks", "train/01", num_envs=4))
    assert hint in error(lambda: herbrand.VecEnv("blocks", "train/01", num_envs=4))  # type: ignore[misc, arg-type]


def test_unknown_options_have_hints() -> None:
    make: Any = herbrand.make
    for option, hint in {"horizn": "'horizon'", "max_episode_steps": "horizon=", "seed": "reset(seed", "xyz": "split"}.items():
        assert hint in error(lambda: make("blocks", **{option: 5}))
    assert "'threads'" in error(lambda: herbrand.make_vec("blocks", 2, thread=5))
    assert "'actions'" in error(lambda: herbrand.make_vec("rddl/elevators", 2, action="flat"))
    for domain in ("blocks", "rddl/elevators", "pddlworld/blocks"):
        for made in (make, herbrand.make_vec):
            assert "'horizn'; did you mean 'horizon'" in error(lambda made=made, domain=domain: made(domain, horizn=5))
        if "world" not in domain:
            assert "did you mean 'problem'" in error(lambda domain=domain: make(domain, problems=[1]))
            assert "did you mean 'problem'" in error(lambda domain=domain: herbrand.make_vec(domain, 2, problems=[1]))
    for id in ("herbrand/Blocks-v0", "herbrand/RddlElevators-v0", "herbrand/PddlWorld-v0"):
        for of_gymnasium in (gymnasium.make, gymnasium.make_vec):
            assert "'horizn'; did you mean 'horizon'" in error(lambda of=of_gymnasium, id=id: of(id, horizn=5))


def test_wrong_values_are_shown() -> None:
    make: Any = herbrand.make
    for horizon in (0, -3, 2.5, "x", 2**40):
        for made in (lambda **options: make("blocks", 0, **options), lambda **options: herbrand.make_vec("blocks", **options)):
            assert error(lambda made=made, horizon=horizon: made(horizon=horizon)).endswith(f"not {horizon!r}")
    environments: list[Any] = [make("blocks", 0), herbrand.make_vec("blocks", 2, problem=0), make("rddl/elevators")]
    for env in environments:
        for options in (3, [1], 0, "problem"):
            with pytest.raises(TypeError, match=r"the options of a reset are a dict, \{'.*': …\}, not"):
                env.reset(options=options)


def test_errors_about_actions_have_an_example_that_works() -> None:
    make: Any = herbrand.make
    for env in (make("blocks", 0), make("rddl/elevators", actions="joint")):
        env.reset(seed=1)
        for action in (slice(1), [1], None, 3.5):
            with pytest.raises(TypeError, match=f"an action is its number or its text, such as '(.*)', not {re.escape(str(action))}") as raised:
                env.step(action)
            example = re.search("such as '(.*)', not", str(raised.value))
            assert example is not None and isinstance(env.step(example[1]), tuple)


def test_domains_of_other_kinds_have_hints() -> None:
    make: Any = herbrand.make
    assert "compat.pddlgym.make('PDDLEnvBlocks-v0')" in error(lambda: make("PDDLEnvBlocks-v0"))
    for id in ("herbrand/Blocks-v0", "herbrand:herbrand/Blocks-v0"):
        assert f"gymnasium.make('{id}')" in error(lambda: make(id))
    assert error(lambda: make("blocs")).endswith("did you mean `blocks`?")
    assert "empty text" in error(lambda: make("", "")) and "not 3" in error(lambda: make(3))
    assert "no problem" in error(lambda: make("blocks", ""))
    assert "planner='astar-lmcut'" in error(lambda: herbrand.load("blocks").plan("astar-lmcut"))  # type: ignore[arg-type]
    assert "not -3" in error(lambda: herbrand.generate("blocks", -3))
    assert "0 or more" in error(lambda: herbrand.generate("blocks", 3, seed=-1))


def test_paths_of_ones_own_have_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make: Any = herbrand.make
    (tmp_path / "lab" / "train").mkdir(parents=True)
    blocks = herbrand.load("blocks", "train/01")
    (tmp_path / "lab" / "domain.pddl").write_text(blocks.domain.to_pddl())
    (tmp_path / "lab" / "train" / "01.pddl").write_text(blocks.problem.to_pddl())
    monkeypatch.chdir(tmp_path)
    assert error(lambda: make("labb")).endswith("did you mean `lab`?")
    with pytest.raises(FileNotFoundError, match="did you mean the path 'lab.domain.pddl'"):
        make("lab/domian.pddl")
    assert "give its folder 'lab'" in error(lambda: make("lab/domain.pddl"))
    assert "is no domain" in error(lambda: make("lab/train/01.pddl"))


def test_arguments_that_do_not_fit_are_named() -> None:
    load: Any = herbrand.load
    assert "not of 2" in error(lambda: load("blocks", ["01", "02"]))
    assert load("blocks", ["train/01"]) == load("blocks", "train/01")
    assert "split" in error(lambda: herbrand.make("blocks", split="trian"))
    generate: Any = herbrand.generate
    assert "size is an int, not '6'" in error(lambda: generate("blocks", "6"))
    assert "seed" in error(lambda: herbrand.make("blocks").reset(seed=2**70))
    assert "seed" in error(lambda: herbrand.make_vec("blocks", 2).reset(seed=2**70))
    make_vec: Any = herbrand.make_vec
    assert "gymnasium.make_vec(" in error(lambda: make_vec("blocks", 2, observation="atoms"))
    plan: Any = herbrand.load("blocks").plan
    assert plan(planner="lama-first").planner == "landmarks"
    assert error(lambda: plan(planner="landmark")).endswith("did you mean `landmarks`?")
    assert "Task.policy" in error(lambda: plan(planner="policy-iteration"))


def test_an_ambiguous_action_does_nothing_unless_invalid_actions_are_errors(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(
        """(define (domain fork) (:predicates (east) (west) (bored))
          (:action east :effect (east)) (:action west :effect (west)) (:action wait :effect (bored)))"""
    )
    actions = "[actions.move]\noperators = { east = [], west = [] }\n[actions.wait]\noperators = { wait = [] }\n"
    (tmp_path / "env.toml").write_text(actions)
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "1.pddl").write_text("(define (problem p) (:domain fork) (:init) (:goal (east)))")
    env = herbrand.make(tmp_path)
    before, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [0, 1] and not info["dead_end"]
    after, reward, terminated, _, info = env.step("(move)")
    assert (before == after).all() and reward == 0 and not terminated and not info["applied"]
    env = herbrand.make(tmp_path, raise_error_on_invalid_action=True)
    env.reset(seed=1)
    assert "(east), (west) fit it" in error(lambda: env.step("(move)"))


def test_actions_that_are_never_valid_are_explained() -> None:
    domain = """(define (domain lab) (:requirements :typing) (:types room key - object)
      (:predicates (at ?r - room) (door ?a ?b - room))
      (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b)) :effect (and (at ?b) (not (at ?a)))))"""
    problem = """(define (problem p) (:domain lab) (:objects a b c - room k - key)
      (:init (at a) (door a b) (door b c)) (:goal (at c)))"""
    task, env = herbrand.load(domain, problem), herbrand.make(domain, problem)
    env.reset(seed=1)
    for action, reason in {
        "(go a c)": "(door a c) does not hold, and no action changes it",
        "(go a k)": "k is not of type room, the type of ?b",
    }.items():
        for why in (task.explain(task.initial_state, action), env.explain(action)):
            assert not why and str(why.action) == action
            assert why.text == f"{action} is never valid: {reason}"
        assert reason in error(lambda action=action: task.apply(task.initial_state, action))
        assert reason in error(lambda action=action: env.step(action))


def test_environments_show_themselves_and_their_horizon() -> None:
    env = herbrand.make("blocks")
    assert repr(env) == str(env) == "<PDDLEnv blocks: 20 problems>"
    for id in ("herbrand/Blocks-v0", "herbrand/RddlElevators-v0"):
        made: Any = gymnasium.make(id)
        assert made.spec.max_episode_steps == (made.unwrapped.suite.horizon if "Blocks" in id else made.unwrapped.suite.horizon(0))
        shorter: Any = gymnasium.make(id, max_episode_steps=7)
        assert shorter.spec.max_episode_steps == 7
        assert gymnasium.make(id, max_episode_steps=-1).spec.max_episode_steps is None  # type: ignore[union-attr]
        assert type(shorter) is type(made) and pickle.loads(pickle.dumps(shorter)).spec.max_episode_steps == 7
        with pytest.warns(UserWarning, match="write max_episode_steps=1000 in place of horizon"):
            gymnasium.make(id, horizon=1000)
        earlier: Any = gymnasium.make(id, horizon=5)
        assert earlier.spec.max_episode_steps == pickle.loads(pickle.dumps(earlier)).spec.max_episode_steps == 5
        assert (earlier.unwrapped.horizon, shorter.unwrapped.horizon) == (5, 7)
    assert herbrand.make("blocks", 0, horizon=9).horizon == herbrand.make_vec("blocks", problem=0, horizon=9).horizon == 9
    assert herbrand.make("rddl/elevators", horizon=None).horizon is None
    world = herbrand.pddlworld.make("blocks")
    assert world.horizon is not None and world.horizon > 1


# Blocks with `env.toml` end after fewer steps.
@pytest.mark.parametrize("registered", [None, 20, 500])
@pytest.mark.parametrize("given", [None, 30, 450, -1])
@pytest.mark.parametrize("own", [None, 40])
def test_gymnasiums_limit_decides(registered: int | None, given: int | None, own: int | None) -> None:
    id = f"Limit{registered}Own{own}-v0"
    options: dict[str, Any] = {"domain": "blocks", "problem": 0, "ids": "suite"} | ({} if own is None else {"horizon": own})
    if id not in gymnasium.registry:
        gymnasium.register(
            id, "herbrand:make", vector_entry_point="herbrand:make_vec_env", max_episode_steps=registered, kwargs=options
        )
    limit = registered if given is None else None if given == -1 else given
    ends = [one for one in (limit, own) if one is not None]
    default = herbrand.suite("blocks").horizon if given is None and not ends else None
    expected = min(ends, default=default)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if own is None or given is not None else "ignore")
        steps: dict[str, Any] = {} if given is None else {"max_episode_steps": given}
        env: Any = gymnasium.make(id, **steps)
        envs: Any = gymnasium.make_vec(id, num_envs=2, **steps)
    assert [one.spec.max_episode_steps for one in (env, envs)] == [expected] * 2
    assert [one.unwrapped.horizon for one in (env, envs)] == [expected] * 2
    _, info = env.reset(seed=1)
    _, _ = envs.reset(seed=1)
    invalid = int(np.argmin(info["action_mask"]))
    for step in range(1, 520):
        _, _, _, truncated, _ = env.step(invalid)
        _, _, _, cut, _ = envs.step([invalid, invalid])
        assert truncated == (step == expected) and (cut == truncated).all(), step
        if truncated:
            break


def test_gymnasiums_ids_warn_of_bits_with_several_meanings() -> None:
    for made in (gymnasium.make, gymnasium.make_vec):
        with pytest.warns(UserWarning, match="number atoms and actions each in its own way.*write ids='suite'"):
            made("herbrand/Blocks-v0")
        without: list[dict[str, Any]] = [{"ids": "suite"}, {"ids": "problem"}, {"problem": 0}]
        for options in without:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                made("herbrand/Blocks-v0", **options)


@pytest.mark.parametrize("domain", ["blocks", "rddl/elevators", "pddlworld/blocks"])
def test_registered_batches_take_gymnasiums_limit_and_statistics(domain: str) -> None:
    id = f"Own{domain.title().replace('/', '')}-v0"
    gymnasium.register(
        id,
        "herbrand:make",
        vector_entry_point="herbrand:make_vec_env",
        max_episode_steps=4,
        kwargs={"domain": domain},
    )
    envs: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec(id, num_envs=3))
    envs.reset(seed=1)
    lengths = []
    for _ in range(30):
        *_, infos = envs.step(envs.unwrapped.sample())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert max(lengths) == 4
    # The smaller of two limits holds, and `make_vec` takes Gymnasium's too.
    for options, length in (({"horizon": 2}, 2), ({"horizon": 9}, 4)):
        envs = herbrand.make_vec(domain, 3, max_episode_steps=4, **options)
        envs.reset(seed=1)
        assert envs.collect(30).episode_lengths.max() == length


@pytest.mark.parametrize("id", ["herbrand/Blocks-v0", "herbrand/RddlElevators-v0", "herbrand/PddlWorld-v0"])
def test_bundled_batches_take_gymnasiums_limit(id: str) -> None:
    envs: Any = gymnasium.make_vec(id, num_envs=3, max_episode_steps=4, statistics=True)
    envs.reset(seed=1)
    assert envs.collect(30).episode_lengths.max() == 4


def test_options_of_batches_have_suggestions() -> None:
    wrong: Any = {"num_env": 3}
    with pytest.raises(TypeError, match="VecEnv has no option 'num_env'; did you mean 'num_envs'"):
        herbrand.VecEnv("blocks", **wrong)
    with pytest.raises(ValueError, match="autoreset_mode is one of 'NextStep', .*, not 'samestep'"):
        herbrand.VecEnv("blocks", 2, autoreset_mode="samestep")


def test_the_declared_name_of_an_instance_selects_it(tmp_path: Path) -> None:
    text = "domain d { pvariables { n : { state-fluent, int, default = 0 }; x : { action-fluent, real, default = 0.0 }; };\n"
    text += "  cpfs { n' = n + 1; }; reward = n + x; }\ninstance july { domain = d; horizon = 5; discount = 1.0; }\n"
    file = tmp_path / "vineyard.rddl"
    file.write_text(text)
    load: Any = herbrand.load
    tasks = [load(str(file)), load(str(file), "july"), load(str(file), str(file))]
    assert len({str(task.initial_state) for task in tasks}) == 1
    with pytest.raises(herbrand.UnknownNameError):
        load(str(file), "1")
    plan = load(str(file)).plan(lookahead=3, iterations=1)
    assert plan[0] == plan.actions[0] and len(plan) == 3
    env: Any = herbrand.rddl.make(str(file), actions="flat")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="3"):
        env.step(np.zeros(3))


def test_wrong_shapes_of_a_batch_are_told() -> None:
    envs = herbrand.make_vec("blocks", num_envs=3)
    envs.reset(seed=1)
    assert "actions have the shape (3,), not (3, 1)" in error(lambda: envs.step(np.zeros((3, 1), dtype=np.int64)))
    assert "not None" in error(lambda: envs.step(None))  # type: ignore[arg-type]
    assert "`reset_mask` has the shape (3,), not (2,)" in error(
        lambda: envs.reset(options={"reset_mask": np.zeros(2, dtype=bool)})
    )
    assert envs.step(envs.sample())[1].shape == (3,)


HIDDEN = """
(define (domain search) (:types room)
  (:predicates (in ?r - room) (key ?r - room) (held))
  (:action go :parameters (?from ?to - room) :precondition (in ?from) :effect (and (not (in ?from)) (in ?to)))
  (:action take :parameters (?r - room) :precondition (and (in ?r) (key ?r)) :effect (and (held) (not (key ?r)))))
"""


def test_a_domain_that_hides_atoms_asks_for_the_observation(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    folder.mkdir()
    (folder / "domain.pddl").write_text(HIDDEN)
    (folder / "p.pddl").write_text(
        "(define (problem p) (:domain search) (:objects hall attic - room) (:init (in hall) (key attic)) (:goal (held)))"
    )
    (folder / "env.toml").write_text('[observe.visible]\nkey = "(in ?r)"\n')
    with pytest.warns(UserWarning, match="observation='seen'"):
        herbrand.make(str(folder))
    with pytest.warns(UserWarning, match="observation='seen'"):
        herbrand.make_vec(str(folder), num_envs=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for observation in ("seen", "bits"):
            herbrand.make(str(folder), observation=observation)
