"""Tests of single environments: Gymnasium's interface, observations, seeds, snapshots."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import herbrand
from herbrand import PDDLEnv
from herbrand.graphs import label_count, to_jraph, to_pyg
from herbrand.registration import env_name

DOMAINS = herbrand.bundled_domains()
Step = tuple[Any, float, bool, bool, dict[str, Any]]


def play(env: PDDLEnv, steps: int, seed: int | None = None) -> list[tuple[int | None, int, float, bool]]:
    """Returns problem, action, reward and end of each step of a walk over episodes."""
    env.reset(seed=seed)
    record = []
    for _ in range(steps):
        action = env.sample()
        _, reward, terminated, truncated, _ = env.step(action)
        record.append((env.problem_index, action, reward, terminated))
        if terminated or truncated:
            env.reset()
    return record


@pytest.mark.parametrize("name", DOMAINS)
def test_gymnasium_finds_no_fault_in_any_domain(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for split in ("train", "test"):
            id = f"herbrand/{env_name(name, split)}-v0"
            env = gymnasium.make(id, render_mode="ansi", ids="problem", observation="bits")
            check_env(env.unwrapped)


@pytest.mark.parametrize("observation", ["graph", "atoms"])
@pytest.mark.parametrize("name", ["blocks", "sokoban", "casino", "blocks-derived"])
def test_gymnasium_finds_no_fault_in_other_observations(name: str, observation: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*alternative render modes.*")
        check_env(herbrand.make(name, observation=observation))


def test_bits_are_the_atoms_of_the_task() -> None:
    env = herbrand.make("sokoban")
    for seed in range(5):
        bits, _ = env.reset(seed=seed)
        for _ in range(10):
            atoms = env.task.ground_atoms
            assert {atoms[index] for index in np.flatnonzero(bits)} == set(env.state)
            assert bits.dtype == np.int8 and bits in env.observation_space
            bits, _, terminated, _, _ = env.step(env.sample() or 0)
            if terminated:
                break


def test_changing_atoms_are_a_beginning_of_all_of_them() -> None:
    whole, changing = herbrand.make("sokoban", 0), herbrand.make("sokoban", 0, part="changing")
    all_bits, some_bits = whole.reset(seed=1)[0], changing.reset(seed=1)[0]
    assert len(some_bits) < len(all_bits)
    assert (all_bits[: len(some_bits)] == some_bits).all() and all_bits[len(some_bits) :].all()


def test_atoms_are_tuples() -> None:
    env = herbrand.make("blocks", observation="atoms")
    atoms, _ = env.reset(seed=2)
    assert atoms == {atom.as_tuple() for atom in env.state}
    sample = env.observation_space.sample()
    assert sample in env.observation_space and ("flies", "a") not in env.observation_space
    assert frozenset({("flies", "a")}) not in env.observation_space
    assert env.observation_space.from_jsonable(env.observation_space.to_jsonable([sample])) == [sample]


def test_graphs_say_what_the_atoms_say() -> None:
    env = herbrand.make("blocks", observation="graph")
    graph, _ = env.reset(seed=3)
    task = env.task
    predicates = [one.name for one in task.domain.predicates]
    types, objects = len(task.domain.types), [one.name for one in task.problem.objects]
    nodes, edges, links = np.asarray(graph.nodes), graph.edges, graph.edge_links
    assert nodes.max() < label_count(types, len(predicates)) and nodes.min() >= 0
    atoms = {}
    for node in range(len(objects), len(nodes)):
        predicate, role = divmod(int(nodes[node]) - types, 4)
        arguments = [objects[target] for source, target in links if source == node]
        positions = [int(edge) for edge, (source, _) in zip(edges, links) if source == node]
        assert positions == list(range(len(arguments)))
        atoms[(predicates[predicate], *arguments)] = role
    held = {atom for atom, role in atoms.items() if role != 2}
    assert held == {atom.as_tuple() for atom in env.state}
    assert {f"({' '.join(atom)})" for atom, role in atoms.items() if role == 2} == set(env.missing())
    pyg, jraph = to_pyg(graph), to_jraph(graph)
    assert (pyg["edge_index"] == np.stack([jraph["senders"], jraph["receivers"]])).all()
    assert pyg["num_nodes"] == jraph["n_node"][0] == len(nodes) and jraph["n_edge"][0] == len(edges)


def test_masks_are_the_valid_actions() -> None:
    env = herbrand.make("blocks", operators=True)
    _, info = env.reset(seed=1)
    for _ in range(30):
        valid = env.valid_actions()
        assert (np.flatnonzero(info["action_mask"]) == valid).all()
        assert (env.action_masks() == info["action_mask"].astype(bool)).all()
        assert [env.action_name(int(one)) for one in valid] == [str(a) for a in env.task.valid_actions(env.state)]
        assert all(env.action_id(env.action_name(int(one))) == one for one in valid)
        action = env.action_space.sample(info["action_mask"])
        assert action in valid
        _, _, terminated, truncated, info = env.step(action)
        assert info["applied"] and env.last_operator == env.action_name(int(action))
        if terminated or truncated:
            _, info = env.reset()


def test_an_agent_names_a_direction_and_the_state_binds_the_rest() -> None:
    env = herbrand.make("sokoban")
    _, info = env.reset(seed=1)
    action = int(np.flatnonzero(info["action_mask"])[0])
    env.step(action)
    assert env.action_name(action).startswith("(move ") and env.last_operator is not None
    assert env.last_operator.count(" ") > env.action_name(action).count(" ")
    assert env.suite.agent_actions == (("move", ("dir",)),)


def test_invalid_actions_pass_without_effect_or_raise() -> None:
    for raises in (False, True):
        env = herbrand.make("blocks", raise_error_on_invalid_action=raises)
        bits, info = env.reset(seed=1)
        invalid = int(np.flatnonzero(info["action_mask"] == 0)[0])
        if raises:
            with pytest.raises(herbrand.InvalidActionError, match="not valid"):
                env.step(invalid)
        else:
            after, reward, terminated, truncated, info = env.step(invalid)
            assert (after == bits).all() and reward == 0 and not terminated and not info["applied"]
        why = env.explain(invalid)
        assert not why and why.failures and str(why.action) == env.action_name(invalid)
        for nothing in (-1, env.action_space.n, 2**40):
            with pytest.raises(herbrand.UnknownNameError):
                env.step(nothing)
        with pytest.raises(TypeError):
            env.step(None)  # type: ignore[arg-type]


def test_episodes_end_at_goals_horizons_and_dead_ends() -> None:
    env = herbrand.make("blocks", 0, horizon=2)
    with pytest.raises(herbrand.EpisodeError):
        env.step(0)
    env.reset(seed=0)
    plan = (env.suite.plan(0) or "").splitlines()
    ends = [env.step(env.action_id(line))[2:4] for line in plan[:2]]
    assert ends[1] == (len(plan) == 2, len(plan) > 2)
    with pytest.raises(herbrand.EpisodeError, match="reset"):
        env.step(0)
    env = herbrand.make("blocks", 0, horizon=None)
    env.reset(seed=0)
    *rest, last = [env.step(env.action_id(line)) for line in plan]
    assert all(step[1] == 0 and not step[2] for step in rest)
    assert last[1] == 1.0 and last[2] and last[4]["goal"]
    lamp = "(define (domain d) (:predicates (on)) (:action a :precondition (not (on)) :effect (on)))"
    problem = "(define (problem p) (:domain d) (:goal (and (on) (not (on)))))"
    for ends_there in (False, True):
        env = herbrand.make(lamp, problem, dead_end_terminates=ends_there)
        env.reset(seed=0)
        assert env.step(0)[2] == ends_there
    with pytest.raises(ValueError, match="horizon"):
        herbrand.make("blocks", horizon=0)
    with pytest.raises(ValueError, match="observation"):
        herbrand.make("blocks", observation="oil")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode"):
        herbrand.make("blocks", render_mode="movie")  # type: ignore[arg-type]


STUCK = (
    "(define (domain lamp) (:predicates (on) (off)) (:action press :precondition (not (on)) :effect (on)))",
    "(define (problem lit) (:domain lamp) (:init (on)) (:goal (off)))",
)
ONE_STEP = (STUCK[0], STUCK[1].replace("(:init (on))", "(:init)"))


@pytest.mark.parametrize("strict", [False, True])
def test_a_dead_end_ends_the_episode_by_default(strict: bool) -> None:
    env = herbrand.make(*ONE_STEP, raise_error_on_invalid_action=strict)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(env.sample())
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["dead_end"] and info["applied"] and not info["goal"] and not info["action_mask"].any()
    assert env.sample() == 0
    with pytest.raises(herbrand.EpisodeError):
        env.step(env.sample())


@pytest.mark.parametrize("strict", [False, True])
def test_sampled_steps_go_through_dead_ends(strict: bool) -> None:
    env = herbrand.make(*STUCK, raise_error_on_invalid_action=strict)
    _, info = env.reset(seed=0)
    assert info["dead_end"] and type(env.sample()) is int
    _, _, terminated, _, info = env.step(env.sample())
    assert terminated and info["dead_end"] and not info["applied"]
    waiting = herbrand.make(*STUCK, horizon=3, dead_end_terminates=False, raise_error_on_invalid_action=strict)
    before, _ = waiting.reset(seed=0)
    ends = []
    for _ in range(3):
        after, reward, terminated, truncated, info = waiting.step(waiting.sample())
        assert (after == before).all() and reward == 0 and info["dead_end"] and not info["applied"]
        ends.append((terminated, truncated))
    assert ends == [(False, False), (False, False), (False, True)]


def test_walks_of_sampled_steps_never_fail() -> None:
    for name in DOMAINS:
        env = herbrand.make(name, raise_error_on_invalid_action=True)
        env.reset(seed=3)
        for _ in range(60):
            if any(env.step(env.sample())[2:4]):
                env.reset()


def test_an_unknown_option_of_a_reset_is_refused() -> None:
    env, envs = herbrand.make("blocks"), herbrand.VecEnv("blocks")
    with pytest.raises(herbrand.UnknownNameError, match="did you mean 'problem'"):
        env.reset(options={"problm": 3})
    with pytest.raises(herbrand.UnknownNameError, match="'problem'"):
        env.reset(options={"level": 3})
    with pytest.raises(herbrand.UnknownNameError, match="did you mean 'reset_mask'"):
        envs.reset(options={"resetmask": [True]})


def test_one_seed_one_trajectory() -> None:
    for name in ("blocks", "casino", "sokoban"):
        first = play(herbrand.make(name), 100, seed=4)
        assert first == play(herbrand.make(name), 100, seed=4)
        assert first != play(herbrand.make(name), 100, seed=5)
    unseeded = {tuple(play(herbrand.make("blocks"), 30)) for _ in range(3)}
    assert len(unseeded) == 3


def test_the_engine_gives_the_same_trajectory_everywhere() -> None:
    folder = Path(__file__).parent / "trajectories"
    lines = (folder / "expected.txt").read_text().splitlines()
    assert len(lines) >= 8
    for line in lines:
        seed, problem, *actions = line.split()
        env = herbrand.make(folder, horizon=30)
        _, info = env.reset(seed=int(seed))
        assert info["problem"] == problem
        taken = []
        while True:
            action = env.sample()
            taken.append(str(action))
            if any(env.step(action)[2:4]):
                break
        assert taken == actions


def test_a_problem_can_be_chosen() -> None:
    env = herbrand.make("blocks")
    names = env.suite.problem_names
    for choice in (3, names[3], names[3].split("/")[1]):
        _, info = env.reset(seed=0, options={"problem": choice})
        assert (info["problem_index"], info["problem"]) == (3, names[3])
    for nowhere in ("nowhere", len(names), -1):
        with pytest.raises(herbrand.UnknownNameError):
            env.reset(options={"problem": nowhere})


def test_problems_that_are_called_alike_are_told_apart(lamps: tuple[str, str]) -> None:
    other = lamps[1].replace("(broken b)", "")
    env = herbrand.make(lamps[0], [lamps[1], other])
    assert env.suite.problem_names == ("two", "two-2")
    for choice, count in ((0, 1), (1, 0), ("two", 1), ("two-2", 0)):
        env.reset(seed=1, options={"problem": choice})
        assert len(env.state.changing) == count


def test_saving_copying_and_setting_states() -> None:
    env = herbrand.make("casino")
    play(env, 20, seed=3)
    saved, twin = env.save(), copy.deepcopy(env)
    first = [env.sample() for _ in range(5)]
    assert [twin.sample() for _ in range(5)] == first
    env.restore(saved)
    assert [env.sample() for _ in range(5)] == first
    start = herbrand.make("blocks")
    bits, _ = start.reset(seed=1)
    state = start.state
    start.step(start.sample())
    again, info = start.set_state(state)
    assert (again == bits).all() and start.state == state and info["action_mask"].any()
    start.reset(options={"problem": (info["problem_index"] + 1) % len(start.suite)})
    with pytest.raises(ValueError, match="another problem"):
        start.set_state(state)


def test_pickled_environments_come_back_as_they_were_made() -> None:
    env = herbrand.make("blocks", split="test", horizon=7, observation="atoms")
    again = pickle.loads(pickle.dumps(env))
    assert play(again, 30, seed=1) == play(env, 30, seed=1)
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(play, (env, 30, 1)) == play(env, 30, seed=1)


@pytest.mark.parametrize("name", ["blocks", "casino", "tireworld"])
def test_pickling_keeps_the_episode(name: str) -> None:
    env = herbrand.make(name, horizon=9)
    fresh = pickle.loads(pickle.dumps(env))
    assert fresh.problem_index is None
    env.reset(seed=2)
    for _ in range(30):
        again, saved = pickle.loads(pickle.dumps(env)), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(env.save()))))
        assert (again.problem_index, again.state) == (env.problem_index, env.state)
        fresh.restore(saved)
        action = env.sample()
        assert again.sample() == fresh.sample() == action
        (_, *step, info), (_, *same, _), (_, *third, _) = env.step(action), again.step(action), fresh.step(action)
        assert step == same == third
        if step[1] or step[2]:
            with pytest.raises(herbrand.EpisodeError):
                pickle.loads(pickle.dumps(env)).step(0)
            _, info = env.reset()
            assert again.reset()[1]["problem"] == info["problem"]
    with pytest.raises(herbrand.HerbrandError, match="snapshot"):
        env.restore(type(env.save())(b"no snapshot"))


def test_render() -> None:
    env = herbrand.make("blocks", 0, render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert text is not None and "step 0" in text and "the goal lacks (on " in text
    for line in (env.suite.plan(0) or "").splitlines():
        env.step(env.action_id(line))
    assert str(env.render()).endswith("the goal holds")


def test_gymnasium_vectorises_other_observations() -> None:
    envs = gymnasium.make_vec("herbrand/Blocks-v0", num_envs=2, vectorization_mode="sync", observation="atoms")
    observations, _ = envs.reset(seed=1)
    assert len(observations) == 2 and all(isinstance(one, frozenset) for one in observations)


def test_actions_are_taken_by_their_text() -> None:
    one, other = herbrand.make("sokoban", "01"), herbrand.make("sokoban", "01")
    one.reset(seed=1)
    other.reset(seed=1)
    by_text, by_number = one.step("(move right)"), other.step(other.action_id("(move right)"))
    assert (by_text[0] == by_number[0]).all() and by_text[1:4] == by_number[1:4]
    operators = herbrand.make("blocks", "01", operators=True)
    operators.reset(seed=1)
    action = operators.task.valid_actions(operators.state)[0]
    assert operators.step(action)[4]["applied"]
    assert operators.explain(str(action)).action == action and operators.action_name(str(action)) == str(action)
    with pytest.raises(herbrand.UnknownNameError, match="no object `sideways`"):
        other.step("(move sideways)")
    with pytest.raises(TypeError, match=r"its number or its text, such as '\(move up\)', not None"):
        other.step(None)  # type: ignore[arg-type]
    joint = herbrand.rddl.make("rddl/elevators", actions="joint")
    joint.reset(seed=1)
    assert joint.step(joint.action_name(1))[4]["applied"]
    named = herbrand.rddl.make("rddl/cartpole-discrete")
    named.reset(seed=1)
    with pytest.raises(TypeError, match="'push-right___c1=1'.*such as {'push-right___c1': 1}"):
        named.step("push-right___c1=1")


LAMPS = """(define (domain lamps) (:predicates (on ?l)) (:action press :parameters (?l) :effect (on ?l)))"""
EVENING = """(define (problem evening) (:domain lamps) (:objects hall) (:init) (:goal (on hall)))"""


def test_problems_are_called_as_their_files_or_else_as_their_texts(tmp_path: Path) -> None:
    """Infos, pictures and representations use the same name as the command-line program."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "domain.pddl").write_text(LAMPS)
    (folder / "w1.pddl").write_text(EVENING)
    domain = herbrand.Domain(folder / "domain.pddl")
    objects = domain, herbrand.Problem(folder / "w1.pddl", domain)
    file = folder / "domain.pddl"
    for env in (
        herbrand.make(folder),
        herbrand.make(file, folder / "w1.pddl"),
        herbrand.make(file, folder),
        herbrand.make(*objects),
    ):
        _, info = env.reset(seed=1)
        assert (info["problem"], str(env)) == ("w1", "<PDDLEnv house: 1 problem>")
        assert repr(env.task) == "<Task house w1: 1 atom, 1 action>" and "house w1" in env.state.svg()
    built = herbrand.Domain(LAMPS), herbrand.Problem(EVENING, herbrand.Domain(LAMPS))
    for texts in ((LAMPS, EVENING), built):
        env = herbrand.make(*texts)
        assert env.reset(seed=1)[1]["problem"] == "evening" and repr(env.task) == "<Task lamps evening: 1 atom, 1 action>"
        assert repr(herbrand.load(*texts, engine="lifted")) == "<LiftedTask lamps evening>"
    assert repr(built[0]) == "<Domain lamps: 1 predicate, 1 operator>" and repr(built[1]) == "<Problem evening of lamps: 1 object>"
    shown = subprocess.run(
        [sys.executable, "-m", "herbrand", "show", "--domain", folder / "domain.pddl", "--problem", folder / "w1.pddl"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert "w1 (house)" in shown


def test_a_folder_with_several_domains_lists_them(tmp_path: Path) -> None:
    (tmp_path / "a.pddl").write_text(LAMPS)
    (tmp_path / "w1.pddl").write_text(EVENING)
    assert herbrand.make(tmp_path).reset(seed=1)[1]["problem"] == "w1"
    (tmp_path / "b.pddl").write_text(LAMPS)
    with pytest.raises(herbrand.ConfigError, match=r"has 2 domains: name the file of one \(a.pddl, b.pddl\)"):
        herbrand.make(tmp_path)
    # Domain files in the folder of problems are skipped.
    assert herbrand.suite(tmp_path / "b.pddl", tmp_path).problem_names == ("w1",)


def test_graphs_as_arrays_have_no_scalars() -> None:
    env: Any = herbrand.make("blocks", observation="graph-arrays")
    assert all(len(part.shape) > 0 for part in env.observation_space.values())
    observation, _ = env.reset(seed=1)
    assert observation["node_count"].shape == observation["edge_count"].shape == (1,)
    graph = herbrand.graphs.from_arrays(observation)
    assert np.asarray(graph.nodes).shape[0] == observation["node_count"].item() and observation in env.observation_space


@pytest.mark.parametrize("id", ["herbrand/Sokoban-v0", "herbrand/RddlElevators-v0"])
@pytest.mark.parametrize("steps", [None, 7, 130, 450, -1])
def test_gymnasium_limits_the_steps(id: str, steps: int | None) -> None:
    default = gymnasium.spec(id).max_episode_steps
    assert default is not None and default < 450
    expected = default if steps is None else steps
    options: dict[str, Any] = {} if steps is None else {"max_episode_steps": steps}
    # Actions that are not valid change nothing, so that no goal is reached.
    others: dict[str, Any] = {"problem": 0, "dead_end_terminates": False} if "Sokoban" in id else {"actions": "flat"}
    env: Any = gymnasium.make(id, **options, **others)
    envs: Any = gymnasium.make_vec(id, num_envs=2, **options, **others)
    assert env.spec.max_episode_steps == (None if steps == -1 else expected)
    env.reset(seed=1)
    envs.reset(seed=1)
    wall = 0 if "Sokoban" in id else np.zeros(env.action_space.shape, dtype=np.int64)
    truncated = False
    for step in range(1, 500):
        _, _, _, truncated, _ = env.step(wall)
        _, _, _, cut, _ = envs.step(np.stack([wall, wall]))
        assert truncated == (step == expected) and (cut == truncated).all(), step
        if truncated:
            break
    assert truncated == (steps != -1)
    if steps is None:
        shorter: Any = gymnasium.make(id, horizon=5, **others)
        shorter.reset(seed=1)
        assert [shorter.step(wall)[3] for _ in range(5)] == [False] * 4 + [True]
