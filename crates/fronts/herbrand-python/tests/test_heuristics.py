"""Tests of searches that ask functions of Python, and of features of graphs."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import herbrand
from herbrand.graphs import ActionArrays, GraphBatch
from herbrand.planning import SearchName

SEARCHES: list[SearchName] = ["greedy", "astar", "width", "beam"]
TASK = herbrand.load("ferry", "train/03")
HALF = len(TASK.ground_atoms)


def missing(states: NDArray[np.int8]) -> NDArray[np.int64]:
    """The number of goal atoms that do not hold."""
    return np.asarray((states[:, HALF:] > states[:, :HALF]).sum(axis=1))


def reaches_goal(plan: herbrand.Plan) -> bool:
    state = TASK.initial_state
    for action in plan:
        state = TASK.apply(state, action)
    return state.is_goal


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("batch", [1, 32, 1024])
def test_plans_reach_the_goal(search: SearchName, batch: int) -> None:
    plan = TASK.plan(heuristic=missing, observation="bits-and-goal", search=search, batch=batch, beam=1000)
    assert plan.outcome == "plan"
    assert reaches_goal(plan)
    assert plan.planner == search
    assert not plan.proven_optimal


@pytest.mark.parametrize("search", ["greedy", "astar", "width"])
@pytest.mark.parametrize("batch", [1, 7])
def test_a_function_searches_like_the_same_heuristic_in_rust(search: SearchName, batch: int) -> None:
    def blind(states: NDArray[np.int8]) -> NDArray[np.bool_]:
        return missing(states) > 0

    ours = TASK.plan(heuristic="blind", search=search, batch=batch)
    own = TASK.plan(heuristic=blind, observation="bits-and-goal", search=search, batch=batch)
    assert ours.actions == own.actions
    for name in ["expanded", "evaluated", "generated", "states"]:
        assert getattr(ours.statistics, name) == getattr(own.statistics, name)


def test_functions_see_the_same_states_in_each_form() -> None:
    seen: dict[str, list[Any]] = {}
    for form in ("bits", "graph", "atoms"):
        batches: list[Any] = []

        def zero(states: Any, batches: list[Any] = batches, form: str = form) -> NDArray[np.float32]:
            batches.append(states)
            count = len(states.starts) if form == "graph" else len(states)
            return np.zeros(count, dtype=np.float32)

        TASK.plan(heuristic=zero, observation=form, batch=5)
        seen[form] = batches
    names = [atom.as_tuple() for atom in TASK.ground_atoms]
    for bits, graphs, atoms in zip(seen["bits"], seen["graph"], seen["atoms"]):
        held = [frozenset(names[i] for i in np.flatnonzero(row)) for row in bits]
        assert held == atoms
        assert graphs.edge_links.max() < len(graphs.labels) == len(graphs.envs)
        # Each edge leads from an atom to one of its arguments.
        arguments = sum(len(atom) - 1 for state in atoms for atom in state)
        assert arguments <= len(graphs.edges) == len(graphs.edge_links)


def test_a_policy_gets_the_valid_actions() -> None:
    names = [one.name for one in TASK.problem.objects]

    def uniform(states: list[frozenset[tuple[str, ...]]], actions: ActionArrays) -> NDArray[np.float64]:
        assert len(actions.rows) == len(states) + 1
        assert actions.rows[-1] == len(actions.ids) == len(actions.schemas)
        for number, held in enumerate(states):
            ids = actions.ids[actions.rows[number] : actions.rows[number + 1]]
            state = TASK.state([herbrand.Atom(*atom) for atom in held])
            assert list(ids) == TASK.valid_action_ids(state)
        for number, action in enumerate(TASK.ground_actions[i] for i in actions.ids):
            nodes = actions.arguments[actions.offsets[number] : actions.offsets[number + 1]]
            assert action.arguments == tuple(names[node] for node in nodes)
            assert TASK.domain.operators[actions.schemas[number]].name == action.name
        counts = np.diff(actions.rows)
        return np.repeat(1 / np.maximum(counts, 1), counts)

    for search in ("greedy", "beam"):
        plan = TASK.plan(policy=uniform, observation="atoms", search=search, beam=1000)
        assert reaches_goal(plan)


def test_a_policy_that_knows_the_plan_expands_little() -> None:
    best = [action.id or 0 for action in TASK.plan(planner="astar-lmcut")]

    def knows(states: NDArray[np.int8], actions: ActionArrays) -> NDArray[np.float64]:
        return np.where(np.isin(actions.ids, best), 0.9, 0.01)

    def nothing(states: NDArray[np.int8], actions: ActionArrays) -> NDArray[np.float64]:
        return np.full(len(actions.ids), 0.1)

    guided, blind = (TASK.plan(policy=policy, batch=1).statistics.expanded for policy in (knows, nothing))
    assert guided < blind


def test_bools_mark_preferred_actions() -> None:
    best = [action.id or 0 for action in TASK.plan(planner="astar-lmcut")]

    def prefers(states: NDArray[np.int8], actions: ActionArrays) -> NDArray[np.bool_]:
        return np.isin(actions.ids, best)

    with_them = TASK.plan(heuristic=lambda states: np.zeros(len(states)), policy=prefers, batch=1)
    without = TASK.plan(heuristic=lambda states: np.zeros(len(states)), batch=1)
    assert reaches_goal(with_them)
    assert with_them.statistics.expanded < without.statistics.expanded


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"heuristic": lambda states: [1, 2]}, ValueError, "one number for each"),
        ({"heuristic": lambda states: -np.ones(len(states))}, ValueError, "negative"),
        ({"heuristic": lambda states: np.full(len(states), np.nan)}, ValueError, "not a number"),
        ({"heuristic": lambda states: ["far"] * len(states)}, ValueError, "could not convert"),
        ({"heuristic": lambda states: 1 / 0}, ZeroDivisionError, "division"),
        ({"heuristic": ["ff", lambda states: 1 / 0]}, ZeroDivisionError, "division"),
        ({"policy": lambda states, actions: np.full(len(actions.ids), 1.5)}, ValueError, "between 0 and 1"),
        ({"policy": lambda states, actions: np.ones(len(actions.ids), bool)}, ValueError, "add a heuristic"),
        ({"policy": lambda states, actions: 1 / 0}, ZeroDivisionError, "division"),
        ({"policy": lambda states, actions: actions.ids, "search": "astar"}, ValueError, "greedy"),
        ({"heuristic": "lmcuts"}, ValueError, "did you mean `lmcut`"),
        ({"heuristic": 3}, TypeError, "a heuristic is a function"),
        ({"heuristic": "ff", "planner": "lazy"}, ValueError, "leave it out"),
        ({"heuristic": "ff", "search": "gredy"}, ValueError, "did you mean `greedy`"),
        ({"heuristic": "ff", "observation": "pixels"}, ValueError, "observation is"),
        ({"heuristic": "ff", "batch": 0}, ValueError, "at least 1"),
        ({"heuristic": "ff", "search": "beam", "beam": 0}, ValueError, "at least 1"),
    ],
)
def test_answers_that_cannot_be_used_are_errors(
    options: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        TASK.plan(**options)


def test_states_without_atoms_have_empty_rows() -> None:
    domain = """(define (domain count) (:requirements :numeric-fluents) (:functions (n))
        (:action up :parameters () :effect (increase (n) 1)))"""
    problem = "(define (problem p) (:domain count) (:init (= (n) 0)) (:goal (>= (n) 3)))"
    task = herbrand.load(domain, problem)
    assert len(task.plan(heuristic=lambda states: np.zeros(len(states)))) == 3


def test_limits_end_a_search() -> None:
    endless: Callable[[NDArray[np.int8]], NDArray[np.float64]] = lambda states: np.random.default_rng(0).random(len(states))  # noqa: E731
    task = herbrand.load("sokoban", "test/10")
    assert task.plan(heuristic=endless, time=0.2).outcome in {"out-of-time", "plan"}
    assert task.plan(heuristic=lambda states: np.full(len(states), np.inf)).outcome == "exhausted"


def test_features_are_those_of_a_slow_count() -> None:
    batches: list[GraphBatch] = []

    def kept(graphs: GraphBatch) -> NDArray[np.float64]:
        batches.append(graphs)
        return np.zeros(len(graphs.starts))

    TASK.plan(heuristic=kept, observation="graph", batch=8)
    features = herbrand.graphs.WeisfeilerLeman(rounds=2)
    features.learn(batches[1])
    counts = features.count(batches[1])
    slow = [_slow(batches[1], number) for number in range(len(batches[1].starts))]
    known = sorted({colour for row in slow for colour in row})
    expected = np.array([[row[colour] for colour in known] for row in slow])
    assert counts.shape == expected.shape == (len(slow), len(features))
    order = np.lexsort(counts)
    assert np.array_equal(counts[:, order], expected[:, np.lexsort(expected)])


def _slow(graphs: GraphBatch, number: int) -> Counter[str]:
    """The colours of a graph, as texts."""
    nodes = [int(node) for node in np.flatnonzero(graphs.envs == number)]
    colours = {node: str(graphs.labels[node]) for node in nodes}
    found = Counter("0 " + colour for colour in colours.values())
    for turn in (1, 2):
        around: dict[int, list[str]] = {node: [] for node in nodes}
        for label, (one, other) in zip(graphs.edges, graphs.edge_links):
            if one in around:
                around[one].append(f"{label}-{colours[other]}")
                around[other].append(f"{label}-{colours[one]}")
        colours = {node: f"({colours[node]}: {' '.join(sorted(around[node]))})" for node in nodes}
        found.update(f"{turn} " + colour for colour in colours.values())
    return found


def test_graphs_of_environments_and_of_searches_are_alike() -> None:
    env = herbrand.make("ferry", "train/03", observation="graph")
    graph, _ = env.reset(seed=0)
    seen: list[GraphBatch] = []

    def kept(graphs: GraphBatch) -> NDArray[np.float64]:
        seen.append(graphs)
        return np.zeros(len(graphs.starts))

    TASK.plan(heuristic=kept, observation="graph", batch=1)
    joined = herbrand.graphs.flatten([graph])
    for one, other in zip(seen[0], joined):
        assert np.array_equal(one, other)
    assert len(herbrand.graphs.flatten([]).starts) == 0


def test_arrays_that_are_no_graphs_are_errors() -> None:
    features = herbrand.graphs.WeisfeilerLeman()
    whole = {"labels": [0, 1], "values": [0, 0], "edges": [0], "edge_links": [[0, 1]], "envs": [0, 0], "starts": [0]}

    def graphs(**changed: object) -> GraphBatch:
        return GraphBatch(**{name: np.array(array) for name, array in {**whole, **changed}.items()})

    features.learn(graphs())
    for name, array in [("edge_links", [[0, 2]]), ("starts", [1]), ("edges", [0, 1]), ("edge_links", [[0, 1, 2]])]:
        with pytest.raises(ValueError):
            features.count(graphs(**{name: array}))


@pytest.mark.parametrize("by_sets", [False, True])
@pytest.mark.parametrize(
    ("domain", "batch"),
    [("ferry", 1), ("blocks", 7), ("spanner", 1), ("blocks-derived", 3), ("elevator-adl", 1), ("supply", 5), ("sokoban", 1)],
)
def test_a_linear_heuristic_searches_like_the_same_function(domain: str, batch: int, by_sets: bool) -> None:
    task = herbrand.load(domain, 1, split="train")
    features = herbrand.graphs.WeisfeilerLeman(rounds=2, by_sets=by_sets)
    learned: list[int] = []

    def learning(graphs: GraphBatch) -> NDArray[np.float64]:
        if len(learned) < 5:
            features.learn(graphs)
        learned.append(len(features))
        return np.zeros(len(graphs.starts))

    task.plan(heuristic=learning, observation="graph", batch=batch)
    weights = np.random.default_rng(1).integers(-9, 9, len(features)).astype(float)

    def slow(graphs: GraphBatch) -> NDArray[np.float64]:
        estimates: NDArray[np.float64] = np.maximum(features.count(graphs) @ weights + 100, 0)
        return estimates

    copy = pickle.loads(pickle.dumps(features))
    fast = copy.heuristic(weights, bias=100)
    for search in ("greedy", "astar"):
        own = task.plan(heuristic=fast, search=search, batch=batch)
        other = task.plan(heuristic=slow, observation="graph", search=search, batch=batch)
        assert own.actions == other.actions
        for name in ["expanded", "evaluated", "generated", "states", "best_heuristic"]:
            assert getattr(own.statistics, name) == getattr(other.statistics, name)
    with pytest.raises(ValueError, match="one for each"):
        features.heuristic(weights[1:])
    with pytest.raises(ValueError, match="finite"):
        features.heuristic(np.full(len(features), np.nan))
