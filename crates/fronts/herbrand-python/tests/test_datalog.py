"""Tests of Datalog programs."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import herbrand
from herbrand import Datalog, DatalogError

PATHS = """
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
lonely(X) :- node(X), not path(X, X).
"""


def closure(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Returns the transitive closure, computed naively."""
    paths = set(edges)
    while True:
        more = paths | {(a, d) for a, b in paths for c, d in paths if b == c}
        if more == paths:
            return paths
        paths = more


def test_recursion_and_negation() -> None:
    edges = {("a", "b"), ("b", "c"), ("c", "b"), ("d", "d")}
    nodes = [(node,) for node in "abcde"]
    model = Datalog(PATHS).run({"edge": sorted(edges), "node": nodes})
    assert set(model["path"]) == closure(edges)
    assert model["lonely"] == [("a",), ("e",)]
    assert model["edge"] == sorted(edges)


def test_facts_may_be_numbers_and_relations_may_be_new() -> None:
    model = Datalog("next(X, Y) :- succ(X, Y). p(a). p(a, b).").run({"succ": [(1, 2)], "more": [("x",)]})
    assert model["next"] == [("1", "2")] and model["more"] == [("x",)]
    assert model["p/1"] == [("a",)] and model["p/2"] == [("a", "b")]


def test_strata_are_in_order() -> None:
    first, second = Datalog(PATHS).strata
    assert len(first) == 2 and second == ["lonely(X) :- node(X), not path(X, X)."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p(X) :- q(Y).", "not bound by a positive literal"),
        ("p(X) :- q(X), not p(X).", "cycle"),
        ("p(a)", "line 1"),
        ("p(a) :- ?", "unexpected"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(DatalogError, match=message):
        Datalog(text)


def test_limits() -> None:
    program = Datalog("t(X, Y, Z) :- n(X), n(Y), n(Z).")
    facts = {"n": [(i,) for i in range(400)]}
    with pytest.raises(DatalogError, match="memory limit"):
        program.run(facts, limits=herbrand.Limits(memory=1_000_000))
    with pytest.raises(DatalogError, match="time limit"):
        program.run(facts, limits={"time": 0.01})
    with pytest.raises(TypeError):
        program.run({"n": [(1.5,)]})  # type: ignore[list-item]


def test_programs_are_pickled() -> None:
    assert str(pickle.loads(pickle.dumps(Datalog(PATHS)))) == str(Datalog(PATHS))


@pytest.mark.parametrize("facts", [{"node": ["ab"]}, {"node": "ab"}, {"node": [b"ab"]}])
def test_a_str_is_no_fact(facts: Any) -> None:
    program = herbrand.Datalog("pair(X, Y) :- node(X, Y).")
    with pytest.raises(TypeError, match="tuple of symbols"):
        program.run(facts)
    assert program.run({"node": [("a", "b")]})["pair"] == [("a", "b")]
