"""Compares the lifted with the grounded engine; tests of generators."""

from __future__ import annotations

import pickle

import pytest

import herbrand
from herbrand import Generator, LiftedTask, Random

DOMAINS = ["blocks", "blocks-derived", "casino", "exploding-blocks", "elevator-adl", "sokoban", "tireworld", "supply"]


@pytest.mark.parametrize("name", [name for name in DOMAINS if name in herbrand.bundled_domains()])
def test_walks_are_those_of_the_grounded_engine(name: str) -> None:
    ground, lifted = herbrand.load(name), herbrand.load(name, engine="lifted")
    assert isinstance(lifted, LiftedTask)
    draws, same = Random(5), Random(5)
    state, twin = ground.sample_initial(draws), lifted.sample_initial(same)
    assert sum(chance for chance, _ in lifted.initial_states()) == pytest.approx(1)
    for _ in range(25):
        assert [str(one) for one in lifted.valid_actions(twin)] == [str(one) for one in ground.valid_actions(state)]
        assert lifted.is_goal(twin) == twin.is_goal == state.is_goal
        changing = {atom for atom in state if atom not in ground.static_atoms}
        assert changing <= twin.atoms <= set(twin) and len(twin) == len(twin.atoms)
        assert all(atom in twin and str(atom) in twin and atom.as_tuple() in twin for atom in changing)
        assert twin.numbers == state.numbers
        assert lifted.state(state, state.numbers) == twin == pickle.loads(pickle.dumps(twin))
        assert hash(lifted.state(twin.atoms, twin.numbers)) == hash(twin)
        action = ground.sample_action(state, draws)
        assert lifted.sample_action(twin, same) == action
        if action is None:
            break
        ours = sorted((p, str(s.atoms), r) for p, s, r in lifted.outcomes(twin, action))
        assert len(ours) == len(ground.outcomes(state, action)) and sum(p for p, _, _ in ours) == pytest.approx(1)
        if len(ours) == 1:
            assert lifted.apply(twin, str(action)) == lifted.outcomes(twin, action)[0][1]
        (state, reward), (twin, other) = ground.sample(state, action, draws), lifted.sample(twin, action, same)
        assert reward == other


def test_refusals_say_why() -> None:
    task = herbrand.load("blocks", "test/01", engine="lifted")
    state = task.initial_state
    invalid = next(one for one in herbrand.load("blocks", "test/01").ground_actions if not task.is_valid(state, one))
    why = task.explain(state, invalid)
    assert not why and why.failures
    with pytest.raises(herbrand.InvalidActionError, match="is not valid"):
        task.apply(state, invalid)
    for wrong in ("(no-such a)", "(stack a)"):
        with pytest.raises(LookupError):
            task.is_valid(state, wrong)
    for atoms in (["(on a)"], [("nothing",)], ["(on a zzz)"]):
        with pytest.raises(herbrand.UnknownNameError):
            task.state(atoms)
    with pytest.raises(TypeError):
        task.is_valid(state, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="another task"):
        herbrand.load("hanoi", engine="lifted").is_goal(state)
    with pytest.raises(ValueError, match="engine"):
        herbrand.load("blocks", engine="fast")  # type: ignore[call-overload]
    assert pickle.loads(pickle.dumps(task)) == task and "LiftedTask" in repr(task)


@pytest.mark.parametrize("name", Generator.domains())
def test_generated_problems_are_solved_by_their_plans(name: str) -> None:
    generator = Generator(name)
    size = generator.sizes[0]
    made = herbrand.generate(name, size, seed=3)
    assert made == herbrand.generate(name, size, seed=3) and generator.domain == name and generator.size_meaning
    task = herbrand.load(name, made.problem)
    states = {task.initial_state}
    for action in made.plan:
        states = {after for state in states if task.is_valid(state, action) for _, after, _ in task.outcomes(state, action)}
    assert any(state.is_goal for state in states)


def test_generated_suites_make_environments() -> None:
    suite = herbrand.generate_suite("sokoban", 6, count=3, seed=1)
    assert len(suite) == 3 and suite[1] == herbrand.generate("sokoban", 6, seed=1, index=1).problem
    env = herbrand.make(suite)
    assert env.action_space.n == 4 and env.suite.horizon == herbrand.suite("sokoban").horizon
    _, info = env.reset(seed=1, options={"problem": 2})
    assert info["problem"] == "sokoban-6-1-2"
    with pytest.raises(ValueError):
        herbrand.generate("sokoban", 10**6)
    with pytest.raises(ValueError, match="count"):
        herbrand.generate_suite("sokoban", 6, count=0)
    with pytest.raises(herbrand.UnknownNameError, match="did you mean"):
        herbrand.generate("sokobn", 6)
    assert pickle.loads(pickle.dumps(Generator("blocks"))).domain == "blocks"
