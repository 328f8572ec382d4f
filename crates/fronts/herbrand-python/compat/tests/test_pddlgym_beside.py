"""Compares PDDLGym with the compatibility layer on PDDLGym's conjunctive domains. Skipped if it is not installed."""

from __future__ import annotations

import random
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from herbrand.compat.pddlgym import PDDLEnv
from herbrand.compat.pddlgym.operators import parts

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    core: Any = pytest.importorskip("pddlgym.core")

FOLDER = Path(sys.modules["pddlgym"].__file__ or "").parent / "pddl"
# Maps each domain to whether its operators are the actions.
DOMAINS = {
    "blocks": False,
    "doors": False,
    "elevator": False,
    "ferry": False,
    "gripper": True,
    "hanoi": False,
    "rearrangement": False,
    "slidetile": False,
    "sokoban": False,
    "travel": False,
    "tsp": False,
}


def both(name: str) -> tuple[Any, PDDLEnv]:
    options = {"operators_as_actions": DOMAINS[name], "dynamic_action_space": True, "seed": 4}
    files = str(FOLDER / f"{name}.pddl"), str(FOLDER / name)
    return core.PDDLEnv(*files, **options), PDDLEnv(*files, **options)  # type: ignore[arg-type]


def texts(items: Any) -> list[str]:
    return sorted(map(str, items))


@pytest.mark.parametrize("name", DOMAINS)
def test_domains_are_read_alike(name: str) -> None:
    pair = both(name)
    theirs, ours = pair[0].domain, pair[1].domain
    assert ours.domain_name == theirs.domain_name
    assert texts(ours.actions) == texts(theirs.actions)
    assert texts(ours.types) == texts(theirs.types)
    assert {k: texts(v) for k, v in ours.type_hierarchy.items()} == {
        str(k): texts(v) for k, v in theirs.type_hierarchy.items()
    }
    assert texts(ours.predicates) == texts(theirs.predicates)
    for predicate, other in ((ours.predicates[key], theirs.predicates[key]) for key in theirs.predicates):
        assert predicate.arity == other.arity and texts(predicate.var_types or ()) == texts(other.var_types or ())
    assert set(ours.operators) == set(theirs.operators)
    for operator, other in ((ours.operators[key], theirs.operators[key]) for key in theirs.operators):
        assert str(operator.params) == str(other.params)
        # Here the agent's action comes first; in PDDLGym it is in the order of the file.
        assert texts(parts(operator.preconds)) == texts(other.preconds.literals)
        assert str(operator.effects) == str(other.effects)
    assert texts(ours.constants) == texts(theirs.constants)
    assert ours.is_probabilistic == theirs.is_probabilistic


@pytest.mark.parametrize("name", DOMAINS)
def test_walks_are_alike(name: str) -> None:
    theirs, ours = both(name)
    rng = random.Random(name)
    for _ in range(3):
        (other, their_info), (state, info) = theirs.reset(), ours.reset()
        assert info == their_info, "one seed draws the same problems"
        for _ in range(6):
            assert texts(state.literals) == texts(other.literals)
            assert texts(state.objects) == texts(other.objects)
            assert str(state.goal) == str(other.goal)
            valid = {str(one): one for one in ours.action_space.all_ground_literals(state)}
            their_valid = {str(one): one for one in theirs.action_space.all_ground_literals(other)}
            distinct = [text for text, one in valid.items() if len(set(one.variables)) == len(one.variables)]
            assert sorted(distinct) == sorted(their_valid)
            if not distinct:
                break
            action = rng.choice(sorted(distinct))
            other, *their_rest = theirs.step(their_valid[action])
            state, *rest = ours.step(valid[action])
            assert rest == their_rest
