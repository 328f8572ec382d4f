"""Checks that environments with the lifted and with the grounded engine have the same episodes, by name."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import herbrand
from herbrand import LiftedState, LiftedTask, PDDLEnv, VecEnv
from herbrand.graphs import from_arrays

DOMAINS = ["blocks", "blocks-derived", "casino", "hanoi", "sokoban", "tireworld"]


def pair(name: Any, problem: Any = None, **options: Any) -> tuple[PDDLEnv, PDDLEnv[LiftedTask, LiftedState]]:
    """Creates one environment with each engine."""
    return herbrand.make(name, problem, **options), PDDLEnv[LiftedTask, LiftedState](
        name, problem, engine="lifted", **options
    )


def offered(env: PDDLEnv[Any, Any], info: dict[str, Any]) -> list[str]:
    """Returns the names of the actions in the mask, in order."""
    assert (np.flatnonzero(info["action_mask"]) == env.valid_actions()).all()
    return [env.action_name(int(one)) for one in env.valid_actions()]


@pytest.mark.parametrize("operators", [False, True])
@pytest.mark.parametrize("name", DOMAINS)
def test_both_engines_walk_alike(name: str, operators: bool) -> None:
    if operators and name == "sokoban":
        with pytest.raises(herbrand.GroundingError, match="push-to-plain"):
            herbrand.make(name, operators=True, engine="lifted")
        return
    grounded, lifted = pair(name, horizon=12, operators=operators)
    (_, info), (_, other) = grounded.reset(seed=3), lifted.reset(seed=3)
    ended = 0
    for _ in range(60):
        assert offered(grounded, info) == offered(lifted, other)
        assert {str(atom) for atom in grounded.state.changing} == {str(atom) for atom in lifted.state.changing}
        assert dict(grounded.state.numbers) == dict(lifted.state.numbers)
        assert sorted(grounded.facts()) == sorted(lifted.facts())
        assert set(grounded.missing()) == set(lifted.missing())
        action, twin = grounded.sample(), lifted.sample()
        if not info["dead_end"]:
            assert grounded.action_name(action) == lifted.action_name(twin)
            assert lifted.action_id(lifted.action_name(twin)) == twin
        (_, *step, info), (_, *same, other) = grounded.step(action), lifted.step(twin)
        assert step == same and grounded.last_operator == lifted.last_operator
        keys = ("applied", "goal", "dead_end")
        assert [info[key] for key in keys] == [other[key] for key in keys]
        if step[1] or step[2]:
            ended += 1
            (_, info), (_, other) = grounded.reset(), lifted.reset()
            assert info["problem"] == other["problem"]
    assert ended > 2


@pytest.mark.parametrize("observation", ["bits", "bits-and-goal", "atoms-one-hot-by-object", "atoms", "graph", "graph-arrays"])
@pytest.mark.parametrize("name", ["blocks", "blocks-derived", "sokoban"])
def test_both_engines_observe_alike(name: str, observation: Any) -> None:
    def named(env: PDDLEnv[Any, Any], seen: Any) -> Any:
        """Converts an observation to names."""
        if observation == "bits":
            return {env.atom_name(int(index)) for index in np.flatnonzero(seen)}
        if observation == "bits-and-goal":
            state, goal = seen.reshape(2, -1)
            return [{env.atom_name(int(one)) for one in np.flatnonzero(bits)} for bits in (state, goal)]
        if observation in ("graph", "graph-arrays"):
            graph: Any = seen if observation == "graph" else from_arrays(seen)
            ends = [(int(atom), int(edge), int(node)) for (atom, node), edge in zip(graph.edge_links, graph.edges, strict=True)]
            nodes = [(int(label), *((edge, node) for atom, edge, node in ends if atom == index)) for index, label in enumerate(graph.nodes)]
            return sorted(nodes, key=str)
        return seen if observation == "atoms" else seen.tolist()

    grounded, lifted = pair(name, 0, observation=observation, horizon=9)
    for env in (grounded, lifted):
        assert env.reset(seed=0)[0] in env.observation_space
    first, second = grounded.reset(seed=5)[0], lifted.reset(seed=5)[0]
    for _ in range(20):
        assert named(grounded, first) == named(lifted, second)
        first, _, terminated, truncated, _ = grounded.step(grounded.sample())
        second = lifted.step(lifted.sample())[0]
        if terminated or truncated:
            first, second = grounded.reset()[0], lifted.reset()[0]


def test_bits_have_names() -> None:
    for env in pair("blocks", 0):
        bits, _ = env.reset(seed=1)
        held = {env.atom_name(int(index)) for index in np.flatnonzero(bits)}
        assert held == {f"({' '.join((name, *arguments))})" for _, name, arguments, value in env.facts() if value is True}
        with pytest.raises(herbrand.UnknownNameError, match="no atom number"):
            env.atom_name(10**6)
        with pytest.raises(herbrand.UnknownNameError, match="no action number"):
            env.action_name(int(env.action_space.n))


def test_explanations_name_the_operator() -> None:
    for env in pair("blocks", 0):
        _, info = env.reset(seed=1)
        for index in (int(np.flatnonzero(info["action_mask"])[0]), int(np.flatnonzero(info["action_mask"] == 0)[0])):
            why = env.explain(index)
            assert bool(why) == bool(info["action_mask"][index])
            assert str(why.action) == env.action_name(index) and bool(why.failures) != bool(why)
        strict = PDDLEnv("blocks", 0, engine=env.engine, raise_error_on_invalid_action=True)  # type: ignore[arg-type]
        strict.reset(seed=1)
        with pytest.raises(herbrand.InvalidActionError, match="not valid"):
            strict.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    push = herbrand.make("sokoban", engine="lifted")
    _, info = push.reset(seed=1)
    assert push.explain(int(np.flatnonzero(info["action_mask"])[0]))


@pytest.mark.parametrize("name", ["blocks", "casino", "tireworld"])
def test_lifted_episodes_are_kept(name: str) -> None:
    env = PDDLEnv[LiftedTask, LiftedState](name, horizon=9, engine="lifted")
    env.reset(seed=2)
    for _ in range(20):
        state, saved = env.state, pickle.loads(pickle.dumps(env.save()))
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), PDDLEnv[LiftedTask, LiftedState](name, horizon=9, engine="lifted")]
        twins[2].restore(saved)
        action = env.sample()
        step = env.step(action)
        for twin in twins:
            assert twin.state == state and twin.sample() == action
            assert twin.step(action)[1:4] == step[1:4] and twin.state == env.state
        if step[2] or step[3]:
            env.reset()
    state = env.state
    env.step(env.sample())
    env.set_state(state)
    assert env.state == state and isinstance(env.task, LiftedTask) and env.task == state.task
    with pytest.raises(herbrand.HerbrandError, match="snapshot"):
        env.restore(type(env.save())(b"\1" * 200))
    with pytest.raises(TypeError):
        env.set_state(herbrand.load(name).initial_state)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("observation", ["bits", "atoms-one-hot-by-object", "graph"])
def test_lifted_batches_are_single_environments(observation: Any, threads: int) -> None:
    envs = herbrand.make_vec("blocks", num_envs=3, horizon=7, engine="lifted", observation=observation, threads=threads)
    mode: Any = "graph-arrays" if observation == "graph" else observation
    singles = [PDDLEnv("blocks", horizon=7, engine="lifted", observation=mode) for _ in range(3)]
    seen, infos = envs.reset(seed=4)
    firsts = [env.reset(seed=4 + index) for index, env in enumerate(singles)]
    over = [False] * 3
    for _ in range(25):
        for index, (one, info) in enumerate(firsts):
            parts = one.items() if isinstance(one, dict) else [(None, one)]
            for key, part in parts:
                np.testing.assert_array_equal((seen if key is None else seen[key])[index], part)
            np.testing.assert_array_equal(infos["action_mask"][index], info["action_mask"])
        actions = envs.sample()
        seen, rewards, _, _, infos = envs.step(actions)
        for index, env in enumerate(singles):
            if over[index]:
                firsts[index], over[index] = env.reset(), False
                continue
            assert env.sample() == actions[index]
            one, reward, terminated, truncated, info = env.step(int(actions[index]))
            firsts[index], over[index] = (one, info), terminated or truncated
            assert reward == rewards[index]


def large(objects: int, predicate: int, action: int) -> tuple[str, str]:
    """Returns a domain and a problem with this number of objects, and a predicate and an action of these arities."""
    names = [f"?x{index}" for index in range(max(predicate, action))]
    atom, start = " ".join(names[:predicate]), " ".join(["a0"] * predicate)
    domain = (
        f"(define (domain many) (:predicates (seen {atom}) (lit)) (:action look :parameters ({' '.join(names[:action])}) "
        f":precondition (seen {' '.join((names[:action] + ['?x0'] * predicate)[:predicate])}) :effect (lit)))"
    )
    things = " ".join(f"a{index}" for index in range(objects))
    return domain, f"(define (problem p) (:domain many) (:objects {things}) (:init (seen {start})) (:goal (lit)))"


def test_what_is_too_large_to_number_is_refused() -> None:
    with pytest.raises(herbrand.GroundingError, match="action `look`.*too many|more than"):
        herbrand.make(*large(300, 3, 3), engine="lifted", observation="atoms")
    wide = large(400, 3, 1)
    modes: list[Any] = ["bits", "bits-and-goal", "graph-arrays"]
    for observation in modes:
        with pytest.raises(herbrand.GroundingError, match="predicate `seen`.*observe `atoms`"):
            herbrand.make(*wide, engine="lifted", observation=observation)
    with pytest.raises(herbrand.GroundingError, match="predicate `seen`"):
        VecEnv(wide[0], problem=wide[1], engine="lifted")
    env = herbrand.make(*wide, engine="lifted", observation="atoms")
    atoms, _ = env.reset(seed=0)
    assert ("seen", "a0", "a0", "a0") in atoms and env.step(env.sample())[2]


def test_automatic_takes_the_engine_that_fits() -> None:
    assert herbrand.make("blocks", 0, engine="automatic").engine == "grounded"
    tight = herbrand.make("sokoban", engine="automatic", limits={"memory": 200_000})
    assert tight.engine == "lifted" and isinstance(tight.reset(seed=1)[1]["action_mask"], np.ndarray)
    with pytest.raises(ValueError, match="engine"):
        herbrand.make("blocks", engine="fast")  # type: ignore[arg-type]


def test_gymnasium_takes_the_engine() -> None:
    env = gymnasium.make("herbrand/Blocks-v0", engine="lifted")
    assert isinstance(env.action_space, spaces.Discrete) and env.unwrapped.engine == "lifted"  # type: ignore[attr-defined]
    envs: Any = gymnasium.make_vec("herbrand/Blocks-v0", num_envs=2, engine="lifted", observation="graph")
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space
