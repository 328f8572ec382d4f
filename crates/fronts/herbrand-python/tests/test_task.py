"""Tests of tasks and states."""

from __future__ import annotations

import pickle
from collections.abc import Set
from multiprocessing import get_context

import pytest

import herbrand
from herbrand import Action, Atom, Random, State, Task


@pytest.fixture
def task() -> Task:
    return herbrand.load("blocks", "test/01")


@pytest.fixture
def lamp_task(lamps: tuple[str, str]) -> Task:
    return herbrand.load(*lamps)


def walk(task: Task, steps: int, seed: int = 0) -> list[State]:
    rng = Random(seed)
    states = [task.sample_initial(rng)]
    for _ in range(steps):
        action = task.sample_action(states[-1], rng)
        if action is None:
            break
        states.append(task.sample(states[-1], action, rng)[0])
    return states


def test_atoms_and_actions_are_named_by_object_id_and_text(task: Task) -> None:
    for number, action in enumerate(task.ground_actions):
        assert action.id == number
        for name in (number, str(action), str(action).upper(), Action(action.name, *action.arguments), action):
            assert task.action(name) is action
    for number, atom in enumerate(task.ground_atoms):
        assert atom.id == number
        for way in (number, str(atom), Atom.parse(str(atom)[1:-1]), atom):
            assert task.atom(way) is atom


@pytest.mark.parametrize("name", ["(fly a b)", "(stack a nobody)", "(stack a)", -1, 10**6, 10**30])
def test_what_names_no_action_says_so(task: Task, name: str | int) -> None:
    with pytest.raises(herbrand.UnknownNameError):
        task.action(name)
    with pytest.raises(herbrand.UnknownNameError):
        task.apply(task.initial_state, name)


def test_what_is_no_name_at_all_is_a_type_error(task: Task) -> None:
    with pytest.raises(TypeError):
        task.action(1.5)  # type: ignore[arg-type]


def test_a_term_is_a_value() -> None:
    assert Atom("ON", "A", "b") == Atom.parse(" ( on a b )")
    assert hash(Atom("on", "a")) == hash(Atom.parse("on a"))
    assert len({Atom("on", "a"), Action("on", "a")}) == 2
    assert Atom("on", "a") < Atom("on", "b") < Atom("unlit")
    assert sorted([Atom("b"), Atom("a", "z")]) == [Atom("a", "z"), Atom("b")]
    assert pickle.loads(pickle.dumps(Action("go", "x", "y"))) == Action("go", "x", "y")
    match Atom("on", "a", "b"):
        case Atom(predicate, (first, _)):
            assert (predicate, first) == ("on", "a")


def test_a_state_is_an_ordered_set_of_atoms(task: Task) -> None:
    state, successor = walk(task, 1)
    assert issubclass(State, Set)
    ids = [atom.id for atom in state if atom.id is not None]
    assert ids == sorted(ids) and len(ids) == len(state)
    assert len(state) == len(list(state)) == len(set(state))
    assert all(atom in state and str(atom) in state for atom in state)
    added, deleted = successor - state, state - successor
    assert added and deleted
    assert (state - deleted) | added == frozenset(successor)
    assert state & successor == frozenset(state) & frozenset(successor)
    assert state ^ successor == added | deleted
    assert state & successor < state and state >= state & successor
    assert not state.isdisjoint(successor)
    assert set(state) - successor == deleted
    with pytest.raises(herbrand.UnknownNameError):
        assert "(on nobody nothing)" in state


def test_states_are_values(task: Task) -> None:
    states = walk(task, 60)
    for state in states:
        again = task.state(state)
        assert again == state and hash(again) == hash(state) and again is not state
        assert {state: 1}[again] == 1
        restored = pickle.loads(pickle.dumps(state))
        assert restored == state and restored.task is task
    assert len(set(states)) < len(states)
    assert not isinstance(states[0], set) and states[0].__eq__(set(states[0])) is NotImplemented


def test_states_of_different_tasks_differ() -> None:
    first, second = (herbrand.load("blocks", name) for name in ("train/01", "train/02"))
    assert first.initial_state != second.initial_state
    with pytest.raises(ValueError, match="another task"):
        first.valid_actions(second.initial_state)
    assert herbrand.load("blocks", "train/01") == first
    assert herbrand.load("blocks", "train/01").valid_actions(first.initial_state)


def test_applying_agrees_with_valid_actions_and_outcomes(task: Task) -> None:
    for state in walk(task, 30):
        valid = task.valid_actions(state)
        assert [action.id for action in valid] == task.valid_action_ids(state)
        for action in task.ground_actions:
            assert task.is_valid(state, action) == (action in valid) == bool(task.explain(state, action))
            if action not in valid:
                with pytest.raises(herbrand.InvalidActionError) as caught:
                    task.apply(state, action)
                assert caught.value.failures == task.explain(state, action).failures
                assert str(caught.value) == str(task.explain(state, action))
            else:
                ((probability, successor, reward),) = task.outcomes(state, action)
                assert (probability, successor) == (1.0, task.apply(state, action))
                assert reward == float(successor.is_goal) == float(task.is_goal(successor))


def test_chance_is_enumerated_sampled_and_refused_where_one_successor_is_asked_for(lamp_task: Task) -> None:
    state = lamp_task.initial_state
    (press, broken), (likely, rare) = (lamp_task.action("(press a)"), lamp_task.action("(drop a)")), (0.75, 0.25)
    outcomes = lamp_task.outcomes(state, press)
    assert [(p, "(on a)" in s, r) for p, s, r in outcomes] == [(likely, True, 1.0), (rare, False, 0.0)]
    with pytest.raises(herbrand.StepError, match="2 outcomes"):
        lamp_task.apply(state, press)
    assert "(broken a)" in lamp_task.apply(state, broken)
    rng = Random(1)
    draws = sum("(on a)" in lamp_task.sample(state, press, rng)[0] for _ in range(4000))
    assert abs(draws / 4000 - likely) < 0.03


def test_determinized_tasks(lamps: tuple[str, str]) -> None:
    likely = herbrand.load(*lamps, determinize="most-likely")
    assert "(on a)" in likely.apply(likely.initial_state, "(press a)")
    every = herbrand.load(*lamps, determinize="all-outcomes")
    names = {action.name for action in every.ground_actions}
    assert names == {"press-1", "press-2", "drop"}
    assert "(broken a)" in every.apply(every.initial_state, "(press-2 a)")
    assert pickle.loads(pickle.dumps(every.initial_state)) == every.initial_state
    with pytest.raises(ValueError, match="most-likely"):
        herbrand.load(*lamps, determinize="both")


def test_numbers_of_a_state() -> None:
    domain = """(define (domain tank) (:functions (fuel ?c)) (:predicates (there ?c))
      (:action go :parameters (?c) :precondition (>= (fuel ?c) 2) :effect (and (there ?c) (decrease (fuel ?c) 2))))"""
    problem = "(define (problem p) (:domain tank) (:objects x) (:init (= (fuel x) 3)) (:goal (there x)))"
    task = herbrand.load(domain, problem)
    state = task.initial_state
    assert state.numbers == {"(fuel x)": 3.0}
    assert task.apply(state, "(go x)").numbers == {"(fuel x)": 1.0}
    assert task.state(state, {"(Fuel  x)": 1}).numbers == {"(fuel x)": 1.0}
    assert task.explain(task.state(state, {"(fuel x)": 1}), 0).failures == ("(>= (fuel x) 2)",)
    assert task.state(state, {"(fuel x)": None}).numbers == {}
    assert pickle.loads(pickle.dumps(task.state(state, {"(fuel x)": 1.5}))).numbers == {"(fuel x)": 1.5}
    with pytest.raises(herbrand.UnknownNameError):
        task.state(state, {"(fuel y)": 1})


def test_one_seed_one_walk(lamp_task: Task) -> None:
    assert walk(lamp_task, 30, seed=5) == walk(lamp_task, 30, seed=5)
    assert any(walk(lamp_task, 30, seed=5) != walk(lamp_task, 30, seed=other) for other in range(6, 10))
    lamp_task.seed(3)
    first = lamp_task.sample_action(lamp_task.initial_state)
    lamp_task.seed(3)
    assert lamp_task.sample_action(lamp_task.initial_state) is first


def successors_of(state: State) -> list[State]:
    return [state.task.apply(state, action) for action in state.task.valid_actions(state)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_states_travel_between_processes(task: Task, method: str) -> None:
    states = walk(task, 10)
    with get_context(method).Pool(2) as pool:
        assert pool.map(successors_of, states) == [successors_of(state) for state in states]


def test_limits_of_grounding() -> None:
    with pytest.raises(ValueError):
        Task(herbrand.suite("blocks").domain, herbrand.suite("blocks").parse_problem(0), limits={"time": -1})
    other = herbrand.suite("ferry").domain
    with pytest.raises(herbrand.GroundingError, match="another domain"):
        Task(other, herbrand.suite("blocks").parse_problem(0))


@pytest.mark.parametrize("name", herbrand.bundled_domains())
def test_every_bundled_domain(name: str) -> None:
    suite = herbrand.suite(name, operators=True)
    task = suite.task(0)
    assert pickle.loads(pickle.dumps(task)) is task
    for state in walk(task, 20):
        for action in task.valid_actions(state):
            assert abs(sum(p for p, _, _ in task.outcomes(state, action)) - 1) < 1e-12
    plan = suite.plan(0)
    assert plan is not None
    if not suite.domain.requirements or ":probabilistic-effects" not in suite.domain.requirements:
        state = task.initial_state
        for line in plan.splitlines():
            state = task.apply(state, line)
        assert state.is_goal


@pytest.mark.parametrize("domain", ["blocks", "blocks-derived", "casino", "sokoban"])
def test_changes_are_the_differences_of_the_sets(domain: str) -> None:
    task = herbrand.load(domain)
    states = walk(task, 15)
    for one in states:
        for other in (states[0], states[-1]):
            added, removed = one.changes(other)
            assert added == sorted(task.atom(atom).id or 0 for atom in one - other)
            assert removed == sorted(task.atom(atom).id or 0 for atom in other - one)


def test_changes_are_those_of_one_task(task: Task, lamp_task: Task) -> None:
    with pytest.raises(ValueError, match="different tasks"):
        task.initial_state.changes(lamp_task.initial_state)


def test_a_suite_says_how_operators_carry_out_actions() -> None:
    suite = herbrand.suite("sokoban")
    operators = {operator.name: operator for operator in suite.domain.operators}
    assert suite.carriers is not None and suite.agent_actions is not None
    for name, action, arguments in suite.carriers:
        chosen = [operators[name].parameters[index].name for index in arguments if isinstance(index, int)]
        assert (action, tuple(chosen)) in suite.agent_actions
    assert suite.settings is not None and "[actions.move]" in suite.settings
    plain = herbrand.suite("sokoban", operators=True)
    assert plain.carriers is None


def test_a_state_is_made_of_what_observations_consist_of() -> None:
    for name in ("blocks", "blocks-derived", "sokoban"):
        env = herbrand.make(name, observation="atoms", operators=True)
        observation, _ = env.reset(seed=1)
        for _ in range(5):
            assert env.task.state(observation) == env.state
            assert all(atom in env.state for atom in observation)
            assert {env.task.atom(atom) for atom in observation} == set(env.state)
            if any(env.step(env.sample())[2:4]):
                break
            observation = frozenset(atom.as_tuple() for atom in env.state)
    task = herbrand.load("blocks")
    assert ("on", "a", "a") not in task.initial_state
    for wrong, error in ((("on", "a"), LookupError), (("nothing",), LookupError), (("on", 1, 2), TypeError)):
        with pytest.raises(error):
            task.state([wrong])  # type: ignore[list-item]
