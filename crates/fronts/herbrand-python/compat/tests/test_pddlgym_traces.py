"""Compares PDDLGym's own domains, through its interface, with walks recorded by other engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import herbrand.compat.pddlgym as pddlgym
from herbrand.compat.pddlgym import Literal, PDDLEnv, State

ROOT = Path(__file__).resolve().parents[5].parent / "shared" / "corpus" / "pddlgym"
TRACES = sorted(ROOT.glob("*/*.trace.jsonl"))


def name(literal: Literal) -> str:
    return "(" + " ".join([literal.predicate.name, *(v.name for v in literal.variables)]) + ")"


def lines_of(trace: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    header, *lines = (json.loads(line) for line in trace.read_text().splitlines())
    return header, lines


def environment(trace: Path, header: dict[str, Any]) -> PDDLEnv:
    agent = "agent_actions" in header
    folder = (trace.parent / header["problem"]).parent
    env = PDDLEnv(
        trace.parent / header["domain"],
        folder,
        operators_as_actions=not agent,
        dynamic_action_space=True,
        raise_error_on_invalid_action=True,
    )
    files = [Path(problem.problem_fname).name for problem in env.problems]
    env.fix_problem_index(files.index(Path(header["problem"]).name))
    return env


def check_state(env: PDDLEnv, state: State, line: dict[str, Any], header: dict[str, Any]) -> dict[str, Literal]:
    """Compares a state with the recorded one; returns its valid actions by name."""
    declared = {predicate.name for predicate in env.observation_space.predicates} - {"="}
    recorded = line.get("atoms")
    if recorded is None:
        recorded = [*line["fluents"], *line["derived"], *header["static"]]
    expected = {atom for atom in recorded if atom.strip("()").split()[0] in declared}
    assert {name(one) for one in state.literals if one.predicate.name != "="} == expected
    valid = {name(literal): literal for literal in env.action_space.all_ground_literals(state)}
    compared = set(valid)
    if header.get("repeated_objects_excluded"):
        compared = {n for n, one in valid.items() if len(set(one.variables)) == len(one.variables)}
    assert compared == {" ".join(action.split()).replace(" )", ")") for action in line["actions"]}
    return valid


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: f"{trace.parent.name}-{trace.stem.split('.')[0]}")
def test_recorded_walks_are_replayed(trace: Path) -> None:
    header, lines = lines_of(trace)
    env = environment(trace, header)
    state, done = env.reset()[0], False
    for line, following in zip(lines, [*lines[1:], None]):
        if line["step"] == 0:
            state, _ = env.reset()
            done = env._is_goal_reached(state)
        valid = check_state(env, state, line, header)
        assert done == line["goal"]
        if line["chosen"] is None or following is None:
            continue
        outcomes = env.get_all_possible_transitions(valid[line["chosen"].replace(" )", ")")], return_probs=True)
        assert sum(probability for _, probability in outcomes) == pytest.approx(1.0, abs=1e-12)
        fits = [transition for transition, _ in outcomes if follows(transition[0], following)]
        assert len(fits) == 1, "the recorded successor is one of the outcomes"
        state, reward, done, _ = fits[0]
        assert reward == (1.0 if done else 0.0)
        env.set_state(state)


def follows(state: State, line: dict[str, Any]) -> bool:
    names = {name(one) for one in state.literals if one.predicate.name != "="}
    if "atoms" in line:
        return names == set(line["atoms"])
    return set(line["fluents"]) <= names


def test_there_are_traces() -> None:
    if not ROOT.is_dir():
        pytest.skip("the corpus of recorded traces is not here")
    assert len(TRACES) > 50


@pytest.mark.parametrize("domain", sorted({trace.parent for trace in TRACES}), ids=lambda folder: folder.name)
def test_a_domain_that_is_written_and_read_again_is_the_same(domain: Path, tmp_path: Path) -> None:
    """The result of `write` has the same valid actions and successors as the original file."""
    header, _ = lines_of(next(trace for trace in TRACES if trace.parent == domain))
    first = environment(domain / "x", header)
    first.domain.write(tmp_path / "written.pddl")
    (tmp_path / "problems").mkdir()
    first.reset()
    assert first._problem is not None
    first._problem.write(tmp_path / "problems" / "p.pddl")
    second = PDDLEnv(
        tmp_path / "written.pddl",
        tmp_path / "problems",
        operators_as_actions=first.operators_as_actions,
        dynamic_action_space=True,
    )
    (state, _), (other, _) = first.reset(), second.reset()
    for _ in range(8):
        assert state.literals == other.literals
        assert state.objects == other.objects
        actions = sorted(first.action_space.all_ground_literals(state))
        assert actions == sorted(second.action_space.all_ground_literals(other))
        if not actions:
            break
        outcomes = pddlgym.get_successor_states(state, actions[-1], first.domain, return_probs=True)
        others = pddlgym.get_successor_states(other, actions[-1], second.domain, return_probs=True)
        assert isinstance(outcomes, dict) and isinstance(others, dict)
        by_literals = {successor.literals: probability for successor, probability in others.items()}
        assert {s.literals: pytest.approx(p) for s, p in outcomes.items()} == by_literals
        state = min(outcomes, key=lambda successor: sorted(map(str, successor.literals)))
        other = next(successor for successor in others if successor.literals == state.literals)
