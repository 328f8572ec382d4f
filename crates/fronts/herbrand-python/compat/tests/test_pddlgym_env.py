"""Tests of environments of the PDDLGym layer: problems, actions, seeds, states set by hand."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import herbrand
import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym import Literal, LiteralConjunction, Not, PDDLEnv, State
from herbrand.compat.pddlgym.engine import Engine
from herbrand.compat.pddlgym.spaces import LiteralActionSpace, LiteralSpace

ROBOTS = """
(define (domain robots)
  (:requirements :typing :negative-preconditions :derived-predicates)
  (:types robot - thing box - thing heavy - box thing place)
  (:constants dock - place)
  (:predicates (at ?t - thing ?p - place) (road ?a - place ?b - place) (holds ?r - robot ?b - box)
    (go ?p - place) (lift ?b - box) (drop) (reach ?a - place ?b - place))
  ; (:actions go lift drop)
  (:derived (reach ?a - place ?b - place) (road ?a ?b))
  (:derived (reach ?x - place ?y - place) (exists (?m - place) (and (road ?x ?m) (reach ?m ?y))))
  (:action drive :parameters (?r - robot ?a - place ?b - place)
    :precondition (and (go ?b) (at ?r ?a) (reach ?a ?b))
    :effect (and (not (at ?r ?a)) (at ?r ?b)))
  (:action take :parameters (?r - robot ?b - box ?p - place)
    :precondition (and (lift ?b) (at ?r ?p) (at ?b ?p) (not (exists (?o - box) (holds ?r ?o))))
    :effect (and (holds ?r ?b) (not (at ?b ?p))))
  (:action leave :parameters (?r - robot ?b - box ?p - place)
    :precondition (and (drop) (at ?r ?p) (holds ?r ?b))
    :effect (and (not (holds ?r ?b)) (at ?b ?p))))
"""
FIRST = """
(define (problem first) (:domain robots) (:objects r - robot b - box h - heavy p q - place)
  (:init (at r p) (at b p) (at h q) (road p q) (road q dock) (go p) (go q) (go dock) (lift b) (lift h) (drop))
  (:goal (and (at b dock))))
"""
# The same objects, but other roads, so that other atoms are reachable.
SECOND = """
(define (problem second) (:domain robots) (:objects r - robot b - box h - heavy p q - place)
  (:init (at r q) (at b q) (at h q) (road q p)) (:goal (forall (?x - box) (at ?x p))))
"""

# The environments whose observations are literals.
LITERALS = [name for name in pddlgym.environment_names() if name.startswith("PDDL")]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "problems").mkdir()
    (tmp_path / "robots.pddl").write_text(ROBOTS)
    (tmp_path / "problems" / "a.pddl").write_text(FIRST)
    (tmp_path / "problems" / "b.pddl").write_text(SECOND)
    return tmp_path / "robots.pddl", tmp_path / "problems"


def make(files: tuple[Path, Path], index: int = 0, **options: Any) -> tuple[PDDLEnv, State]:
    env = PDDLEnv(*files, **options)
    env.fix_problem_index(index)
    return env, env.reset()[0]


def actions(env: PDDLEnv, state: State) -> set[str]:
    return set(map(str, env.action_space.all_ground_literals(state)))


def call(env: PDDLEnv, name: str, *arguments: str) -> Literal:
    return env.domain.predicates[name](*arguments)


def test_the_domain_is_as_pddlgym_has_it(files: tuple[Path, Path]) -> None:
    domain = PDDLEnv(*files).domain
    assert domain.domain_name == "robots" and domain.actions == {"go", "lift", "drop"}
    assert domain.types["heavy"] == "heavy" and domain.type_hierarchy[domain.types["thing"]] == {"robot", "box"}
    assert domain.type_to_parent_types[domain.types["heavy"]] == {"heavy", "box", "thing"}
    drive = domain.operators["drive"]
    assert str(drive) == (
        "drive(?r:robot,?a:place,?b:place): go(?b:place) & at(?r:robot,?a:place) & reach(?a:place,?b:place)"
        " => Antiat(?r:robot,?a:place) & at(?r:robot,?b:place)"
    )
    assert [str(one) for one in domain.constants] == ["dock:place"]
    assert domain.predicates["reach"].is_derived and not domain.predicates["road"].is_derived
    assert not domain.is_probabilistic


def test_an_episode(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    assert {str(one) for one in state.objects} == {"r:robot", "b:box", "h:heavy", "p:place", "q:place", "dock:place"}
    derived = {str(one) for one in state.literals if one.predicate.is_derived}
    assert derived == {"reach(p:place,q:place)", "reach(q:place,dock:place)", "reach(p:place,dock:place)"}
    assert actions(env, state) == {"go(q:place)", "go(dock:place)", "lift(b:box)"}
    for action, reward in (("lift", "b"), 0.0), (("go", "dock"), 0.0), (("drop",), 1.0):
        state, got, done, truncated, info = env.step(call(env, *action))
        assert (got, done, truncated) == (reward, reward == 1.0, False)
    assert Path(info["domain_file"]) == files[0] and Path(info["problem_file"]) == files[1] / "a.pddl"
    assert actions(env, state) == {"lift(b:box)"}, "episodes go on past the goal"


def test_a_subtype_fits_and_is_written_as_it_is_declared(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    state, *_ = env.step(call(env, "go", "q"))
    assert "lift(h:heavy)" in actions(env, state)
    # A literal made of names has the types of the predicate; objects are compared by name.
    state, *_ = env.step(call(env, "lift", "h"))
    assert "holds(r:robot,h:heavy)" in map(str, state.literals)


def test_a_static_action_space_has_all_literals(files: tuple[Path, Path]) -> None:
    env, state = make(files)
    assert isinstance(env.action_space, LiteralSpace) and not isinstance(env.action_space, LiteralActionSpace)
    assert actions(env, state) == {
        "go(p:place)", "go(q:place)", "go(dock:place)", "lift(b:box)", "lift(h:heavy)", "drop()",
    }  # fmt: skip
    env.action_space.seed(3)
    assert {str(env.action_space.sample(state)) for _ in range(200)} == actions(env, state)


def test_a_dynamic_action_space_samples_valid_actions_alike(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    draws = [str(env.action_space.sample(state)) for _ in range(600)]
    counts = {action: draws.count(action) for action in set(draws)}
    assert set(counts) == actions(env, state)
    assert all(150 < count < 250 for count in counts.values())
    assert len(env.action_space.all_ground_literals(state, valid_only=False)) == 6


def test_a_dead_end_has_nothing_to_sample(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    gone = state.with_literals({literal for literal in state.literals if literal.predicate.name == "road"})
    assert env.action_space.all_ground_literals(gone) == set()
    with pytest.raises(IndexError, match="no action is valid"):
        env.action_space.sample(gone)


def test_invalid_actions(files: tuple[Path, Path]) -> None:
    env, state = make(files)
    wrong = call(env, "drop")
    assert env.step(wrong)[:4] == (state, 0.0, False, False)
    assert env.get_all_possible_transitions(wrong, return_probs=True)[0][1] == 1.0
    strict, state = make(files, raise_error_on_invalid_action=True)
    for action in (wrong, call(env, "lift", "nobody"), env.domain.predicates["at"]("r", "p")):
        with pytest.raises(pddlgym.InvalidAction):
            strict.step(action)
    assert strict.get_state() == state
    ops, _ = make(files, operators_as_actions=True, raise_error_on_invalid_action=True)
    with pytest.raises(pddlgym.InvalidAction, match=r"\(at r q\).* not hold"):
        ops.step(call(ops, "take", "r", "b", "q"))


def test_several_bindings_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p ?x) (grab)) ; (:actions grab)\n"
        "(:action grab :parameters (?x) :precondition (and (grab) (p ?x)) :effect (not (p ?x))))"
    )
    (tmp_path / "p" / "p.pddl").write_text(
        "(define (problem p) (:domain d) (:objects a b) (:init (p a) (p b)) (:goal (not (p a))))"
    )
    env, state = make((tmp_path / "d.pddl", tmp_path / "p"), dynamic_action_space=True)
    (action,) = env.action_space.all_ground_literals(state)
    with pytest.raises(pddlgym.AmbiguousAction, match=r"\(grab a\), \(grab b\)"):
        env.step(action)
    first = pddlgym.get_successor_state(state, action, env.domain, require_unique_assignment=False)
    assert set(map(str, first.literals)) == {"p(b:default)"}


def test_operators_as_actions(files: tuple[Path, Path]) -> None:
    env, state = make(files, operators_as_actions=True, dynamic_action_space=True)
    assert env.domain.operators_as_actions and {str(one) for one in env.domain.actions} == {"drive", "take", "leave"}
    assert actions(env, state) == {
        "drive(r:robot,p:place,q:place)", "drive(r:robot,p:place,dock:place)", "take(r:robot,b:box,p:place)",
    }  # fmt: skip
    assert "go" not in env.domain.predicates
    assert "go" not in env.domain.to_string()


def test_one_object_may_stand_twice(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p ?x) (q ?x ?y)) (:action pair :parameters (?x ?y)"
        " :precondition (and (p ?x) (p ?y)) :effect (q ?x ?y)))"
    )
    (tmp_path / "p" / "p.pddl").write_text(
        "(define (problem p) (:domain d) (:objects a b) (:init (p a)) (:goal (q a a)))"
    )
    env, state = make((tmp_path / "d.pddl", tmp_path / "p"), operators_as_actions=True, dynamic_action_space=True)
    (only,) = env.action_space.all_ground_literals(state)
    assert str(only) == "pair(a:default,a:default)"
    assert env.step(only)[2]
    assert env.domain.types == {"default": "default"} and env.problems[0].uses_typing is False


def test_two_problems_share_objects_and_nothing_else(files: tuple[Path, Path]) -> None:
    env, first = make(files, dynamic_action_space=True)
    env.fix_problem_index(1)
    second, _ = env.reset()
    assert second.objects == first.objects
    assert actions(env, second) == {"go(p:place)", "lift(b:box)", "lift(h:heavy)"}
    assert actions(env, first) == {"go(q:place)", "go(dock:place)", "lift(b:box)"}
    done = False
    for box in "bh":
        for step in (("lift", box), ("go", "p"), ("drop",)):
            second, _, done, *_ = env.step(call(env, *step))
        if box == "b":
            # There is no road back, so the robot must be moved back by hand.
            assert not done and actions(env, second) == {"lift(b:box)"}
            at = env.domain.predicates["at"]
            env.set_state(second.with_literals(second.literals - {at("r", "p")} | {at("r", "q")}))
    assert done


def test_states_are_set_by_hand(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    road, reach = env.domain.predicates["road"], env.domain.predicates["reach"]
    changed = state.with_literals((state.literals - {road("p", "q")}) | {road("q", "p"), reach("p", "dock")})
    env.set_state(changed)
    now = env.get_state()
    derived = {str(one) for one in now.literals if one.predicate.is_derived}
    assert derived == {"reach(q:place,p:place)", "reach(q:place,dock:place)"}, "derived literals are worked out anew"
    assert actions(env, now) == {"lift(b:box)"}
    more = state.with_objects(state.objects | {env.domain.types["box"]("new")})
    env.set_state(more.with_literals(state.literals | {env.domain.predicates["at"](*more_args(env))}))
    assert "lift(new:box)" in actions(env, env.get_state())
    env.set_state(state)
    assert env.get_state() == state


def more_args(env: PDDLEnv) -> tuple[str, str]:
    return env.domain.types["box"]("new"), env.domain.types["place"]("p")


@pytest.mark.parametrize("what", ["predicate", "object", "negation"])
def test_a_state_that_means_nothing_is_refused(files: tuple[Path, Path], what: str) -> None:
    env, state = make(files)
    wrong = {
        "predicate": pddlgym.Predicate("unheard", 0)(),
        "object": call(env, "at", "r", "nowhere"),
        "negation": Not(call(env, "at", "r", "p")),
    }[what]
    with pytest.raises(ValueError, match=r"unheard|nowhere|negated"):
        env.set_state(state.with_literals(state.literals | {wrong}))
    assert env.get_state() == state


def test_a_goal_and_a_problem_may_be_changed(files: tuple[Path, Path]) -> None:
    env, _ = make(files)
    env.problems[0].goal = LiteralConjunction([call(env, "at", "r", "q")])
    state, _ = env.reset()
    assert state.goal == env.problems[0].goal
    assert env.step(call(env, "go", "q"))[1:3] == (1.0, True)


def test_seeds(files: tuple[Path, Path]) -> None:
    def walk(env: PDDLEnv) -> list[str]:
        seen = []
        for _ in range(6):
            state, info = env.reset()
            seen.append(info["problem_file"])
            for _ in range(5):
                if not env.action_space.all_ground_literals(state):
                    break
                action = env.action_space.sample(state)
                state, *_ = env.step(action)
                seen.append(str(action))
        return seen

    one, two = PDDLEnv(*files, seed=5, dynamic_action_space=True), PDDLEnv(*files, dynamic_action_space=True)
    two.seed(5)
    whole = walk(one)
    assert whole == walk(two)
    three = PDDLEnv(*files, dynamic_action_space=True)
    assert walk(three) != whole
    one.reset(seed=9)
    two.reset(seed=9)
    assert walk(one) == walk(two)


def test_problems_are_drawn_or_fixed(files: tuple[Path, Path]) -> None:
    env = PDDLEnv(*files, seed=0)
    assert len({env.reset()[1]["problem_file"] for _ in range(20)}) == 2
    for index in (1, 0):
        env.fix_problem_index(index)
        assert {env.reset()[1]["problem_file"] for _ in range(5)} == {env.problems[index].problem_fname}
    with pytest.raises(IndexError, match="there are 2"):
        env.fix_problem_index(2)


def test_a_reset_does_not_ground_again(files: tuple[Path, Path]) -> None:
    env, state = make(files)
    assert env.reset()[0] is state


def test_before_a_reset_there_is_no_state(files: tuple[Path, Path]) -> None:
    env = PDDLEnv(*files)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(call(env, "drop"))


def test_faults_are_reported(files: tuple[Path, Path], tmp_path: Path) -> None:
    (files[1] / "c.pddl").write_text("(define (problem c) (:domain robots) (:init (at nobody p)) (:goal (and)))")
    with pytest.raises(herbrand.ParseError, match="nobody"):
        PDDLEnv(*files)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no problem"):
        PDDLEnv(files[0], tmp_path / "empty")


def test_rendering(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    env, _ = make(files)
    text = env.render("ansi")
    assert "(at r p)" in text.splitlines() and "(road p q)" not in text
    assert env.render(mode="human") == text and text in capsys.readouterr().out
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 2
    with pytest.raises(NotImplementedError, match="rgb_array"):
        env.render("movie")
    see_through, _ = make(files, render=lambda literals: np.full((2, 5, 4), 128, dtype=np.uint8))
    assert see_through.render().tolist() == np.full((2, 5, 3), 191).tolist()
    drawn, state = make(files, render=lambda literals, size=1: (len(literals), size))
    assert drawn.render(size=3) == (len(state.literals), 3)


def test_bundled_domains_are_drawn_as_declared() -> None:
    env = pddlgym.make("PDDLEnvSokoban-v0")
    env.reset(seed=1)
    whole, near = env.render(), env.render(mode="egocentric")
    assert whole.shape != near.shape and near.shape[2] == 3
    task = herbrand.load("sokoban", "train/01")
    assert "goal cell" in task.initial_state.svg()


def test_rewards_and_goals_can_be_overridden(files: tuple[Path, Path]) -> None:
    class Shaped(PDDLEnv):
        def extrinsic_reward(self, state: State, done: bool) -> float:
            return -1.0

    env = Shaped(*files)
    env.reset(seed=1)
    assert env.step(call(env, "drop"))[1] == -1.0


def test_the_observation_space_knows_its_states(files: tuple[Path, Path]) -> None:
    env, state = make(files)
    assert state in env.observation_space
    assert state.with_literals({call(env, "drop")}) not in env.observation_space
    assert "nothing" not in env.observation_space
    assert state.literals <= env.observation_space.all_ground_literals(state)


def test_states_and_domains_travel(files: tuple[Path, Path]) -> None:
    env, state = make(files, dynamic_action_space=True)
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state and actions(env, twin) == actions(env, state)
    domain = pickle.loads(pickle.dumps(copy.deepcopy(env.domain)))
    action = call(env, "lift", "b")
    assert pddlgym.get_successor_state(twin, action, domain) == env.step(action)[0]


def test_plan_steps(files: tuple[Path, Path]) -> None:
    env, state = make(files)
    arguments = (env.domain.operators.values(), env.action_predicates, state.objects)
    assert str(pddlgym.parse_plan_step("drive r p q", *arguments)) == "go(q:place)"
    assert str(pddlgym.parse_plan_step("(leave r b p)", *arguments)) == "drop()"
    for wrong in ("fly r", "drive r p", "drive r p moon"):
        with pytest.raises(ValueError, match=wrong):
            pddlgym.parse_plan_step(wrong, *arguments)


def test_a_demo_runs(files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env, _ = make(files, dynamic_action_space=True)
    pddlgym.utils.run_demo(env, env.action_space.sample, max_num_steps=3, verbose=True, seed=0, render=True)
    assert "Act:" in capsys.readouterr().out
    film = tmp_path / "v.gif"
    text, _ = make(files, render=lambda literals: "text", dynamic_action_space=True)
    with pytest.raises(NotImplementedError, match="text"):
        pddlgym.utils.run_demo(text, text.action_space.sample, max_num_steps=1, render=True, video_path=str(film))
    pytest.importorskip("imageio")
    pddlgym.utils.run_demo(env, env.action_space.sample, max_num_steps=1, render=True, video_path=str(film))
    assert film.read_bytes().startswith(b"GIF8")


@pytest.mark.parametrize("name", LITERALS)
def test_each_name_makes_an_environment(name: str) -> None:
    env = pddlgym.make(name, dynamic_action_space=True)
    suite = "test" if "Test-v0" in name else "train"
    assert env.problems and all(Path(one.problem_fname).parent.name == suite for one in env.problems)
    state, info = env.reset(seed=0)
    for _ in range(5):
        valid = env.action_space.all_ground_literals(state)
        if not valid:
            break
        action = env.action_space.sample(state)
        assert action in valid
        state, *_ = env.step(action)
    assert herbrand.Domain(Path(info["domain_file"]).read_bytes()).name == env.domain.domain_name


@pytest.mark.parametrize("name", LITERALS)
def test_states_are_the_same_kept_and_worked_out_anew(name: str) -> None:
    """Compares a state updated by its changes, located without a cache, and located in a task of its own."""
    env = pddlgym.make(name, dynamic_action_space=True)
    env.fix_problem_index(0)
    state, _ = env.reset(seed=1)
    for _ in range(6):
        position = state._position
        assert position is not None and position.ground.state(position.state).literals == state.literals
        plain = State(frozenset(one for one in state.literals if not one.predicate.is_derived), state.objects, state.goal)
        for ground in (position.ground, None):
            forgetful = Engine(env.domain.model, env.domain._current_engine().carriers, env.domain.predicates)
            found = forgetful.locate(plain.with_goal(plain.goal)) if ground is None else ground.locate(plain)
            assert found is not None and found.literals == state.literals
            valid = {found.ground.actions[number] for number in found.actions}
            assert valid == env.action_space.all_ground_literals(state)
            assert found.state.is_goal == env._is_goal_reached(state)
        if not valid:
            break
        state, *_ = env.step(sorted(valid)[len(valid) // 2])


def test_unknown_names_are_refused() -> None:
    with pytest.raises(gymnasium.error.NameNotFound, match="PDDLEnvSokoban-v0"):
        pddlgym.make("PDDLEnvSokobann-v0")


def test_gymnasium_knows_the_names() -> None:
    env = gymnasium.make("PDDLEnvGripper-v0")
    assert isinstance(env.unwrapped, PDDLEnv) and env.unwrapped.domain.operators_as_actions
