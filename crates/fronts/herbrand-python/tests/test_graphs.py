"""Graphs: valid actions as arrays, numeric fluents, batches, and networks that act on them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand.graphs import ActionArrays, flatten, from_arrays

DOMAINS = ["blocks", "ferry", "sokoban", "baking", "tireworld"]

TRUCKS = """
(define (domain trucks)
  (:requirements :typing :numeric-fluents)
  (:types truck place - object)
  (:predicates (at ?t - truck ?p - place))
  (:functions (fuel ?t - truck) (visits ?p - place) (limit) (total-cost))
  (:action drive :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (> (fuel ?t) (limit)))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (decrease (fuel ?t) 1.5) (increase (visits ?b) 1) (increase (total-cost) 2))))
"""
TWO_TRUCKS = """
(define (problem two) (:domain trucks) (:objects red blue - truck a b - place)
  (:init (at red a) (at blue b) (= (fuel red) 7) (= (fuel blue) 0.25) (= (visits a) 3) (= (visits b) 0.5) (= (limit) 1))
  (:goal (at red b)))
"""
ONE_TRUCK = TWO_TRUCKS.replace("red blue", "red").replace("(at blue b)", "").replace("two", "one")
ONE_TRUCK = ONE_TRUCK.replace("(= (fuel blue) 0.25)", "")


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
    for suite in (herbrand.suite("blocks"), herbrand.suite(TRUCKS, [TWO_TRUCKS, ONE_TRUCK])):
        envs = herbrand.VecEnv(suite, 5, observation="graph")
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


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
def test_observations_have_the_numbers_of_states(engine: Any) -> None:
    def make(observation: Any) -> Any:
        return herbrand.make(TRUCKS, TWO_TRUCKS, engine=engine, observation=observation, through_goals=True)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graphs, arrays, bits = envs = [make(observation) for observation in ("graph", "graph-arrays", "bits-and-numbers")]
    graph, array, numbers = (env.reset(seed=1)[0] for env in envs)
    objects = ["red", "blue", "a", "b"]
    functions = [one.name for one in graphs.suite.domain.functions]
    first = herbrand.graphs.label_count(len(graphs.suite.domain.types), 1)
    for _ in range(4):
        for env, seen in ((graphs, graph), (arrays, array), (bits, numbers)):
            assert seen in env.observation_space
        nodes, links = np.asarray(graph.nodes), graph.edge_links
        found = {}
        for node, (label, value) in enumerate(nodes):
            if label >= first:
                names = [objects[target] for source, target in links if source == node]
                found[f"({' '.join((functions[int(label) - first], *names))})"] = value
            else:
                assert value == 0
        assert found == graphs.state.numbers and 0.25 in found.values()
        back = from_arrays(array)
        np.testing.assert_array_equal(np.asarray(back.nodes), nodes)
        np.testing.assert_array_equal(back.edge_links, links)
        assert array["values"].dtype == np.float64 and numbers["numbers"].dtype == numbers["state"].dtype == np.float32
        values = bits.state.numbers
        fluents = ["(fuel red)", "(fuel blue)", "(visits a)", "(visits b)", "(total-cost)"]
        assert numbers["numbers"].tolist() == [values.get(fluent, 0) for fluent in fluents]
        assert numbers["state"].sum() == len(list(bits.state))
        action = graphs.sample()
        graph, array, numbers = (env.step(action)[0] for env in envs)


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
def test_numbers_have_the_places_of_a_suite(engine: Any) -> None:
    suite = herbrand.suite(TRUCKS, [TWO_TRUCKS, ONE_TRUCK], ids="suite")
    envs = herbrand.VecEnv(suite, 2, engine=engine, observation="bits-and-numbers")
    observations, _ = envs.reset(seed=[1, 1], options={"problem": ["two", "one"]})
    assert observations["numbers"].tolist() == [[7, 0.25, 3, 0.5, 0], [7, 0, 3, 0.5, 0]]


def test_a_policy_scores_environments_one_by_one_as_it_does_together() -> None:
    torch = pytest.importorskip("torch")
    from herbrand.networks import RelationalPolicy, choose

    torch.manual_seed(0)
    envs = herbrand.VecEnv("ferry", 6, observation="graph")
    policy = RelationalPolicy(envs.suite, width=8)
    observations, infos = envs.reset(seed=5)
    actions = envs.action_arrays()
    scores, values = policy(observations, actions)
    assert scores.shape == actions.ids.shape and values.shape == (6,)
    single: Any = herbrand.make("ferry", observation="graph-arrays")
    for index in range(6):
        seen, _ = single.reset(options={"problem": int(infos["problem_index"][index])})
        alone, value = policy(seen, single.action_arrays())
        own = slice(actions.rows[index], actions.rows[index + 1])
        torch.testing.assert_close(alone, scores[own])
        torch.testing.assert_close(value[0], values[index])
        weights = torch.distributions.Categorical(logits=scores[own])
        chosen = choose(scores, values, actions, indices=actions.rows[:-1])
        torch.testing.assert_close(chosen.log_probabilities[index], weights.logits[0])
        torch.testing.assert_close(chosen.entropies[index], weights.entropy())
        assert policy.act(observations, actions, greedy=True).ids[index] == actions.ids[own][scores[own].argmax()]
    drawn = np.array([policy.act(observations, actions).ids for _ in range(400)])
    assert infos["action_mask"][np.arange(6), drawn].all()
    start, end = actions.rows[0], actions.rows[1]
    often = np.array([(drawn[:, 0] == number).mean() for number in actions.ids[start:end]])
    np.testing.assert_allclose(often, torch.softmax(scores[start:end], 0).detach().numpy(), atol=0.1)


def test_a_policy_does_not_depend_on_the_order_of_objects() -> None:
    torch = pytest.importorskip("torch")
    from herbrand.networks import RelationalPolicy

    torch.manual_seed(0)
    other = TWO_TRUCKS.replace("red blue - truck a b", "blue red - truck b a")
    policy = None
    found = []
    for problem in (TWO_TRUCKS, other):
        env: Any = herbrand.make(TRUCKS, problem, observation="graph-arrays")
        policy = policy or RelationalPolicy(env.suite, width=8)
        seen, _ = env.reset(seed=1)
        actions = env.action_arrays()
        scores = policy(seen, actions)[0].tolist()
        found.append({env.action_name(int(number)): score for number, score in zip(actions.ids, scores, strict=True)})
    assert found[0].keys() == found[1].keys() and len(found[0]) == 2
    assert all(abs(found[0][name] - found[1][name]) < 1e-5 for name in found[0])


def test_dead_ends_have_no_choice() -> None:
    torch = pytest.importorskip("torch")
    from herbrand.networks import choose

    empty = np.zeros(0, dtype=np.int64)
    actions = ActionArrays(np.array([0]), empty, np.array([0, 0]), np.array([5]), np.array([0, 0, 1]))
    choice = choose(torch.zeros(1), torch.zeros(2), actions)
    assert choice.ids.tolist() == [0, 5] and choice.log_probabilities.tolist() == [0, 0]
