"""Graphs: valid actions as arrays, and batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand.graphs import ActionArrays, flatten, from_arrays

DOMAINS = ["blocks", "ferry", "sokoban", "baking", "tireworld"]


def rows(actions: ActionArrays) -> list[list[tuple[int, int, list[int]]]]:
    """Returns the actions of each environment: number, schema and nodes of the arguments."""
    parts = np.split(actions.arguments, actions.offsets[1:-1])
    each = [(int(number), int(schema), part.tolist()) for number, schema, part in zip(actions.ids, actions.schemas, parts)]
    return [each[start:end] for start, end in zip(actions.rows, actions.rows[1:])]


def named(env: herbrand.PDDLEnv, numbers: Any) -> list[tuple[int, int, list[int]]]:
    """Returns the same as `rows` for actions of the environment, from their names. Objects have the order of the problem."""
    heads = [name for name, _ in env.suite.agent_actions or [(one.name, ()) for one in env.suite.domain.operators]]
    objects = [one.name for one in env.suite.parse_problem(env.problem_index or 0).objects]
    words = [(int(number), env.action_name(int(number)).strip("()").split()) for number in numbers]
    return [(number, heads.index(head), [objects.index(name) for name in names]) for number, (head, *names) in words]


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_action_arrays_say_what_the_names_of_actions_say(domain: str, engine: Any) -> None:
    env: Any = herbrand.make(domain, engine=engine, observation="graph")
    envs = herbrand.VecEnv(domain, 3, engine=engine, observation="graph", horizon=5)
    _, infos = envs.reset(seed=4)
    for _ in range(12):
        actions = envs.action_arrays()
        assert all(array.dtype == np.int64 for array in actions)
        for index, (found, mask) in enumerate(zip(rows(actions), infos["action_mask"], strict=True)):
            assert [number for number, _, _ in found] == np.flatnonzero(mask).tolist()
            env.reset(options={"problem": int(infos["problem_index"][index])})
            assert found == named(env, np.flatnonzero(mask))
        assert actions.envs.tolist() == [index for index, found in enumerate(rows(actions)) for _ in found]
        infos = envs.step_sampled()[4]
    env.reset(seed=1)
    for _ in range(6):
        assert rows(env.action_arrays()) == [named(env, env.valid_actions())]
        if env.step(env.sample())[2]:
            break


def test_action_arrays_need_an_episode_and_objects() -> None:
    envs = herbrand.VecEnv("ferry", 2, observation="graph")
    with pytest.raises(herbrand.EpisodeError):
        envs.action_arrays()
    engines: list[Any] = ["sliced", "grounded"]
    for engine in engines:
        bits = herbrand.VecEnv("ferry", 70, problem=0, engine=engine)
        bits.reset(seed=3)
        bits.step_sampled()
        assert [[number for number, _, _ in row] for row in rows(bits.action_arrays())] == [
            np.flatnonzero(mask).tolist() for mask in bits.action_masks()
        ]
    flight = herbrand.BaseEnv(herbrand.testing.balloon())
    flight.reset(seed=1)
    with pytest.raises(herbrand.HerbrandError, match="no arrays"):
        flight._core.action_arrays()


def test_a_batch_of_graphs_has_the_graphs_of_its_environments() -> None:
    for domain in ("blocks", "gripper"):
        envs = herbrand.VecEnv(domain, 5, observation="graph")
        observations, _ = envs.reset(seed=2)
        batch = flatten(observations)
        for index in range(5):
            graph, own = from_arrays(observations, index), batch.envs == index
            nodes = np.asarray(graph.nodes)
            labels, values = nodes.T if nodes.ndim == 2 else (nodes, np.zeros(len(nodes)))
            np.testing.assert_array_equal(batch.labels[own], labels)
            np.testing.assert_array_equal(batch.values[own], values)
            links = batch.envs[batch.edge_links[:, 0]] == index
            np.testing.assert_array_equal(batch.edge_links[links] - batch.starts[index], graph.edge_links)
            np.testing.assert_array_equal(batch.edges[links], graph.edges)
