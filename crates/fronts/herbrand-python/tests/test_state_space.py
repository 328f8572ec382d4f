"""Tests of state spaces and ground tasks as arrays, and of lenient reading."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand.errors import ParseError, PDDLWarning
from herbrand.ground_arrays import GroundArrays

COIN = """(define (domain coin) (:requirements :probabilistic-effects :action-costs) (:predicates (up) (lost))
  (:functions (total-cost))
  (:action toss :precondition (not (lost))
    :effect (and (increase (total-cost) 2) (probabilistic 1/2 (up) 1/4 (lost)))))"""
TOSS = """(define (problem p) (:domain coin) (:init (= (total-cost) 0)) (:goal (up)) (:metric minimize (total-cost)))"""


def reachable(task: herbrand.Task) -> list[herbrand.State]:
    """Returns all states by the methods of the task, breadth first."""
    states = [state for _, state in task.initial_states()]
    for state in states:
        for action in task.valid_actions(state):
            states += [one for _, one, _ in task.outcomes(state, action) if one not in states]
    return states


@pytest.mark.parametrize(("name", "problem"), [("blocks", "train/01"), ("river", "train/01"), ("elevator", "train/01")])
def test_a_space_has_the_states_of_the_task(name: str, problem: str) -> None:
    task = herbrand.load(name, problem)
    space = task.state_space(max_states=2000)
    states = [space.state(number) for number in range(min(len(space), 300))]
    if space.complete and len(space) < 300:
        assert set(states) == set(reachable(task))
    bits = space.bits()
    for number, state in enumerate(states):
        assert state.is_goal == space.goals[number]
        atoms = [task.ground_atoms[bit] for bit in np.flatnonzero(bits[number])]
        assert set(atoms) <= set(state)
    for number in range(min(space.expanded, 50)):
        choices = list(space.successors(number))
        assert [action for action, _ in choices] == task.valid_actions(states[number])
        for action, outcomes in choices:
            expected: dict[herbrand.State, float] = {}
            for probability, successor, _ in task.outcomes(states[number], action):
                expected[successor] = expected.get(successor, 0) + probability
            assert {space.state(state): probability for probability, _, state in outcomes} == pytest.approx(expected)


def test_the_arrays_of_a_space_are_shared_with_its_matrices() -> None:
    pytest.importorskip("scipy")
    space = herbrand.load(COIN, TOSS).state_space()
    assert (len(space), space.complete, repr(space)) == (4, True, "StateSpace(4 states, 5 transitions)")
    assert space.costs.tolist() == [2.0] * 5
    matrix = space.transition_matrix()
    assert np.shares_memory(matrix.data, space.probabilities) and np.shares_memory(matrix.indices, space.targets)
    assert matrix.sum(axis=1) == pytest.approx(1)
    adjacency = space.adjacency()
    assert adjacency.shape == (4, 4) and adjacency.sum() == 10 and np.shares_memory(adjacency.indices, space.targets)
    certain = herbrand.load("blocks").state_space()
    adjacency = certain.adjacency()
    assert np.shares_memory(adjacency.indptr, certain.first_choices) and np.shares_memory(adjacency.data, certain.costs)
    with pytest.raises(ValueError, match="weight"):
        space.adjacency("lengths")
    with pytest.raises(IndexError):
        space.state(4)


def test_a_space_is_a_graph_of_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    space = herbrand.load("blocks").state_space()
    graph = space.to_networkx()
    assert graph.number_of_nodes() == len(space) and graph.number_of_edges() == len(space.targets)
    lengths = networkx.single_source_shortest_path_length(graph, 0)
    assert [lengths[number] for number in range(len(space))] == space.start_steps.tolist()
    assert networkx.number_strongly_connected_components(graph) == len(set(space.components.tolist()))


def test_a_space_ends_at_limits_and_begins_anywhere(tmp_path: Path) -> None:
    task = herbrand.load("blocks", "test/10")
    part = task.state_space(max_states=10)
    assert part.limit == "the limit of 10 states is reached" and not part.complete and part.expanded < len(part)
    assert "memory" in str(task.state_space(memory="100kB").limit)
    last = part.state(len(part) - 1)
    other = task.state_space([last], max_states=5)
    assert other.state(0) == last and other.starts.tolist() == [0]
    part.save(tmp_path / "space.npz")
    saved = np.load(tmp_path / "space.npz")
    assert saved["targets"].tolist() == part.targets.tolist() and not saved["complete"]
    with pytest.raises(FileExistsError, match=r"overwrite=True.*space\.npz"):
        other.save(tmp_path / "space")
    other.save(tmp_path / "space", overwrite=True)
    assert len(np.load(tmp_path / "space.npz")["goals"]) == len(other)
    with pytest.raises(TypeError):
        task.state_space([1])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["coin", "counter", "rddl/navigation-mdp"])
def test_a_space_is_tables_in_parquet(name: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    counter = "(define (domain n) (:functions (n)) (:action add :effect (increase (n) 1)))"
    counts = "(define (problem p) (:domain n) (:init (= (n) 0)) (:goal (= (n) 2)))"
    texts = {"coin": (COIN, TOSS), "counter": (counter, counts)}
    task = herbrand.load(*texts[name]) if name in texts else herbrand.load(name)
    space = task.state_space(max_states=12)
    space.to_parquet(tmp_path / "new")
    (tmp_path / "new" / "states.parquet").unlink()
    with pytest.raises(FileExistsError, match="transitions.parquet"):
        space.to_parquet(tmp_path / "new")
    assert not (tmp_path / "new" / "states.parquet").exists()
    space.to_parquet(tmp_path / "new", overwrite=True)
    states, transitions, actions = (
        parquet.read_table(tmp_path / "new" / f"{table}.parquet") for table in ("states", "transitions", "actions")
    )
    for column, expected in (("goal", space.goals), ("dead_end", space.dead_ends), ("component", space.components)):
        assert states[column].to_pylist() == expected.tolist()
    for column, rows in (("bits", space.states), ("numbers", space.numbers)):
        assert column not in states.column_names if not rows.shape[1] else states[column].to_pylist() == rows.tolist()
    assert states["start_probability"].to_pylist() == [1.0] + [0.0] * (len(space) - 1)
    assert sum(states["expanded"].to_pylist()) == space.expanded
    left: Any = iter(transitions.to_pylist())
    texts_of = actions["action"].to_pylist()
    for number in range(len(space)):
        for action, outcomes in space.successors(number):
            for probability, cost, target in outcomes:
                row = next(left)
                assert (row["source"], row["target"], row["probability"]) == (number, target, probability)
                assert row["cost"] == cost
                assert texts_of[row["action"]] == (json.dumps(action) if isinstance(action, dict) else str(action))
    assert next(left, None) is None
    about = {key.decode(): json.loads(value) for key, value in states.schema.metadata.items()}
    assert (about["complete"], about["limit"]) == (space.complete, space.limit)
    if isinstance(task, herbrand.Task):
        assert about["atoms"] == [str(atom) for atom in task.ground_atoms if atom not in task.static_atoms]


def test_rddl_problems_with_finite_states_have_a_space() -> None:
    task = herbrand.load("rddl/navigation-mdp")
    space = task.state_space()
    assert space.complete and space.state(0) == task.initial_state
    action, outcomes = next(iter(space.successors(0)))
    expected = task.outcomes(task.initial_state, action)
    assert sum(probability for probability, _, _ in outcomes) == pytest.approx(sum(one[0] for one in expected))
    with pytest.raises(herbrand.HerbrandError):
        herbrand.load("rddl/mountain-car").state_space()


def test_operators_are_arrays() -> None:
    for name in ("blocks", "elevator-adl", "river", "blocks-derived"):
        task = herbrand.load(name)
        arrays = task.arrays()
        assert len(arrays.action_effects) == len(task.ground_actions)
        state = task.initial_state
        true = set(arrays.initial.tolist())
        assert {task.ground_atoms[atom] for atom in true} <= set(state)
        held = {task.ground_atoms.index(atom) for atom in state if atom in task.ground_atoms}

        def holds(conjunction: int, arrays: GroundArrays = arrays, held: set[int] = held) -> bool:
            literals = arrays.literals[arrays.first_literals[conjunction] : arrays.first_literals[conjunction + 1]]
            return all(atom in held if atom >= 0 else ~atom not in held for atom in literals.tolist())

        valid = set(task.valid_actions(state))
        for number, action in enumerate(task.ground_actions):
            condition = arrays.action_preconditions[number]
            conjunctions = range(arrays.first_conjunctions[condition], arrays.first_conjunctions[condition + 1])
            assert any(map(holds, conjunctions)) == (action in valid), action
    assert herbrand.load(COIN, TOSS).arrays().action_costs.tolist() == [2.0]
    assert herbrand.load(COIN, TOSS).arrays().alternative_probabilities.tolist() == [0.5, 0.25]


def test_effects_are_a_sparse_matrix() -> None:
    pytest.importorskip("scipy")
    task = herbrand.load("blocks")
    arrays = task.arrays()
    adds, deletes = arrays.effect_matrix("adds").toarray(), arrays.effect_matrix("deletes").toarray()
    state = task.initial_state
    before = {atom for atom in state if atom in task.ground_atoms}
    for action in task.valid_actions(state):
        row = task.ground_actions.index(action)
        after = {atom for atom in task.apply(state, action) if atom in task.ground_atoms}
        added = {task.ground_atoms[atom] for atom in np.flatnonzero(adds[row])}
        deleted = {task.ground_atoms[atom] for atom in np.flatnonzero(deletes[row])}
        assert after == (before - deleted) | added


def test_faulty_texts_are_read_leniently() -> None:
    with pytest.raises(ParseError):
        herbrand.load(COIN, TOSS + ")")
    with pytest.warns(PDDLWarning, match="read as if it were not there"):
        task = herbrand.load(COIN, TOSS + ")", lenient=True)
    assert len(task.ground_actions) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        herbrand.load(COIN, TOSS, lenient=True)
    with pytest.raises(ValueError, match="lenient"):
        herbrand.load("blocks", lenient=True)


def test_a_space_up_to_symmetry_has_the_distances_of_the_whole_space() -> None:
    task = herbrand.load("gripper")
    whole, space = task.state_space(), task.state_space(symmetry=True)
    assert space.complete and len(space) < len(whole)
    assert (space.goal_steps[0], space.dead_ends.any()) == (whole.goal_steps[0], whole.dead_ends.any())


@pytest.mark.parametrize(("name", "problem"), [("blocks", "train/03"), ("river", "train/01")])
def test_counts_and_novelty_are_those_of_loops(name: str, problem: str) -> None:
    space = herbrand.load(name, problem).state_space()
    counts, steps = space.counts(), space.goal_steps.tolist()
    edges = [(state, int(end)) for state in range(len(space)) for _, outs in space.successors(state) for _, _, end in outs]
    nearer = [(state, end) for state, end in edges if 0 <= steps[end] < steps[state]]
    plans = [1.0 if goal else 0.0 for goal in space.goals]
    for state, end in sorted(nearer, key=lambda edge: steps[edge[0]]):
        plans[state] += plans[end]
    assert counts["shortest_plans"].tolist() == plans
    assert counts["nearer"].tolist() == [sum(one == state for one, _ in nearer) for state in range(len(space))]
    assert counts["incoming"].tolist() == [sum(end == state for _, end in edges) for state in range(len(space))]
    kinds = counts["nearer"] + counts["level"] + counts["farther"]
    assert kinds[~space.dead_ends].sum() == sum(not space.dead_ends[state] for state, _ in edges)

    bits, classes = space.bits(), np.arange(len(space)) % 2
    for given in (None, classes):
        seen: set[tuple[int, int, int]] = set()
        expected = []
        for number, row in enumerate(bits):
            held, own = np.flatnonzero(row).tolist(), 0 if given is None else int(given[number])
            sets = {(own, one, other) for one in held for other in held}
            new = sets - seen
            expected.append(1 if any(one == other for _, one, other in new) else 2 if new else 3)
            seen |= sets
        assert herbrand.Novelty().measure(bits, given).tolist() == expected
    with pytest.raises(ValueError, match="matrix with a row"):
        herbrand.Novelty().measure(bits[0])
    with pytest.raises(ValueError, match="a number for each state"):
        herbrand.Novelty().measure(bits, [1])
    with pytest.raises(herbrand.LimitError):
        herbrand.Novelty(limits={"memory": 10}).measure(bits)
