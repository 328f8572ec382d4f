"""Tests of domains and problems: parsing, errors, and the lifted model."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import herbrand
from herbrand import Atom, Domain, Problem
from herbrand.model import Add, And, Forall, Holds, Not, Operator, Parameter, Probabilistic, Type, Variable, When


def test_the_lifted_model_is_a_tree_of_values(lamps: tuple[str, str]) -> None:
    domain = Domain(lamps[0])
    assert domain.types == (Type("object", ()), Type("lamp", ("object",)))
    assert domain.is_subtype("lamp", "object") and not domain.is_subtype("object", "lamp")
    assert [(one.name, one.kind) for one in domain.predicates] == [("on", "fluent"), ("broken", "fluent")]
    lamp = (Variable("l"),)
    assert domain.operators[0] == Operator(
        "press",
        (Parameter("l", ("lamp",)),),
        Not(Holds("on", lamp)),
        Probabilistic(((Fraction(3, 4), Add("on", lamp)), (Fraction(1, 4), Add("broken", lamp)))),
        None,
    )
    problem = Problem(lamps[1], domain)
    assert [str(one) for one in problem.objects] == ["a - lamp", "b - lamp"]
    assert problem.init == (Atom("broken", "b"),)
    assert problem.goal == And((Holds("on", ("a",)), Not(Holds("broken", ("a",)))))


def test_trees_print_as_pddl_that_reads_back() -> None:
    for name in herbrand.bundled_domains():
        domain = herbrand.suite(name).domain
        assert Domain(domain.to_pddl()) == domain
        for operator in domain.operators:
            agent = operator.agent_action
            assert str(operator).startswith(f"(:action {operator.name} ") and str(operator).count("(") == str(
                operator
            ).count(")")
            assert agent is None or agent.predicate in {p.name for p in domain.predicates if p.kind == "action"}


def test_quantified_and_conditional_effects() -> None:
    domain = Domain(
        """(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))
        (:action a :effect (forall (?x) (when (p ?x) (q ?x)))))"""
    )
    effect = domain.operators[0].effect
    x = (Variable("x"),)
    assert effect == Forall((Parameter("x", ("object",)),), When(Holds("p", x), Add("q", x)))
    assert str(effect) == "(forall (?x - object) (when (p ?x) (q ?x)))"


def test_action_predicates_of_the_pddlgym_dialect(corpus: Path) -> None:
    domain = Domain((corpus / "pddlgym" / "sokoban" / "domain.pddl").read_bytes(), "sokoban")
    kinds = {one.name: one.kind for one in domain.predicates}
    assert kinds["move"] == "action"
    assert all(operator.agent_action and operator.agent_action.predicate == "move" for operator in domain.operators)


def test_faults_carry_their_places() -> None:
    text = "(define (domain d)\n  (:predicates (on ?x))\n  (:action a :effect (onn ?y)))"
    with pytest.raises(herbrand.ParseError) as caught:
        Domain(text, "my.pddl")
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == ("E0101", "my.pddl", 3, 23)
    assert error.message == "unknown predicate `onn`" and error.help == "did you mean `on`?"
    assert [one.code for one in error.diagnostics] == ["E0101", "E0103"]
    assert "3 |   (:action a :effect (onn ?y)))" in str(error)
    assert str(error) == "\n\n".join(one.rendered for one in error.diagnostics)
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics and str(again) == str(error)


@pytest.mark.parametrize("text", ["", "(", ")", "(define (domain d)", "\0", "(" * 100_000, "(define (problem p) (:domain d))"])
def test_no_text_is_too_strange(text: str) -> None:
    with pytest.raises(herbrand.ParseError):
        Domain(text)


def test_values_are_equal_by_what_they_say(lamps: tuple[str, str]) -> None:
    first, second = Domain(lamps[0]), Domain(lamps[0].replace("\n", " "))
    assert first == second and hash(first) == hash(second) and pickle.loads(pickle.dumps(first)) == first
    assert first != Domain(lamps[0].replace("drop", "throw"))
    problem = Problem(lamps[1], first)
    assert pickle.loads(pickle.dumps(problem)) == problem == Problem(problem.to_pddl(), second)


def test_what_may_be_given_as_domain_and_problem(lamps: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(lamps[0])
    for name in ("p2", "p10"):
        (tmp_path / f"{name}.pddl").write_text(lamps[1].replace("two", name))
    domain = Domain(lamps[0])
    problem = Problem(lamps[1], domain)
    assert herbrand.suite(tmp_path).problem_names == ("p2", "p10")
    assert herbrand.suite(str(tmp_path), "p10").problem_names == ("p10",)
    assert herbrand.suite(tmp_path / "domain.pddl", tmp_path).problem_names == ("p10", "p2")
    assert herbrand.suite(tmp_path / "domain.pddl", str(tmp_path / "p2.pddl")).problem_names == ("p2",)
    assert herbrand.suite(lamps[0], [lamps[1], problem, tmp_path / "p2.pddl"]).problem_names == ("two", "two-2", "p2")
    assert herbrand.suite(domain, problem).task(0) == herbrand.Task(domain, problem)
    assert herbrand.suite("blocks", split="test").problem_names[0].startswith("test/")
    assert len(herbrand.suite("blocks", "test/01")) == len(herbrand.suite("blocks", 3)) == 1
    again = pickle.loads(pickle.dumps(herbrand.suite("sokoban", split="train")))
    assert again.problem_names == herbrand.suite("sokoban", split="train").problem_names
    assert again.agent_actions == herbrand.suite("sokoban").agent_actions == (("move", ("dir",)),)


def test_wrong_domains_and_problems_say_what_is_wrong(lamps: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `blocks`"):
        herbrand.suite("bloks")
    with pytest.raises(herbrand.UnknownNameError, match="search-and-rescue-1"):
        herbrand.suite("search-and-rescue")
    with pytest.raises(herbrand.UnknownNameError, match="no problem `99`"):
        herbrand.suite("blocks", 99)
    with pytest.raises(FileNotFoundError):
        herbrand.suite("no/such/domain.pddl", "p.pddl")
    with pytest.raises(herbrand.ConfigError, match="no `domain.pddl`"):
        herbrand.suite(tmp_path)
    with pytest.raises(ValueError, match="needs `problem`"):
        herbrand.suite(lamps[0])
    with pytest.raises(ValueError, match='split is "train" or "test"'):
        herbrand.suite("blocks", split="exam")
    with pytest.raises(TypeError):
        herbrand.suite(lamps[0], [3])


def test_a_path_is_told_from_a_text(tmp_path: Path, lamps: tuple[str, str]) -> None:
    (tmp_path / "domain.pddl").write_text(lamps[0])
    (tmp_path / "p.pddl").write_text(lamps[1])
    written = herbrand.Domain(lamps[0])
    for path in (tmp_path / "domain.pddl", str(tmp_path / "domain.pddl")):
        domain = herbrand.Domain(path)
        assert domain == written and domain.file == str(path)
        problem = herbrand.Problem(type(path)(tmp_path / "p.pddl"), domain)
        assert problem == herbrand.Problem(lamps[1], domain) and problem.file == str(tmp_path / "p.pddl")
        assert pickle.loads(pickle.dumps(domain)) == domain
    assert herbrand.Domain(tmp_path / "domain.pddl", "mine").file == "mine"
    for missing in (tmp_path / "nothing.pddl", "nothing.pddl"):
        with pytest.raises(FileNotFoundError):
            herbrand.Domain(missing)
        with pytest.raises(FileNotFoundError):
            herbrand.Problem(missing, written)
    for text in ("", "; a comment", "(define", "no\npddl", b"domain.pddl"):
        with pytest.raises(herbrand.ParseError):
            herbrand.Domain(text)
    with pytest.raises(TypeError):
        herbrand.Domain(3)  # type: ignore[arg-type]


def test_a_suite_is_a_sequence_of_problems() -> None:
    suite = herbrand.suite("blocks", split="test")
    problems = list(suite)
    assert len(problems) == len(suite) and all(isinstance(one, herbrand.Problem) for one in problems)
    assert suite[0] == problems[0] and suite[-1] == problems[-1] and suite[suite.problem_names[2]] == problems[2]
    assert suite.index(suite.problem_names[2]) == 2
    assert suite.select(2).problem_names == suite.problem_names[2:3]
    for nowhere in (len(suite), -len(suite) - 1, "nowhere"):
        with pytest.raises(herbrand.UnknownNameError):
            suite[nowhere]
        with pytest.raises(herbrand.UnknownNameError):
            suite.select(nowhere)
