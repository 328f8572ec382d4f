"""Typed edits of problems, and what is known of a world that is seen in part.

An edit is a mapping whose ``"edit"`` says what it does:

>>> import herbrand
>>> from herbrand import edits
>>> domain = herbrand.Domain('''(define (domain house) (:requirements :typing) (:types room)
...     (:predicates (at ?r - room) (door ?a ?b - room))
...     (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
...        :effect (and (at ?b) (not (at ?a)))))''')
>>> problem = herbrand.Problem('''(define (problem look) (:domain house) (:objects kitchen loc1 - room)
...     (:init (at kitchen) (door kitchen loc1)) (:goal (at loc1)))''', domain)
>>> edited = edits.apply(problem, [
...     {"edit": "rename-object", "object": "loc1", "to": "pantry"},
...     {"edit": "add-object", "object": "hall", "type": "room"},
...     {"edit": "add-fact", "fact": "(door kitchen hall)"},
... ])
>>> [str(fact) for fact in edited.init]
['(at kitchen)', '(door kitchen pantry)', '(door kitchen hall)']
>>> edits.difference(problem, problem)
[]

A batch is carried out whole or not at all, and all faults come at once:

>>> try:
...     edits.apply(problem, [{"edit": "add-fact", "fact": "(at pantri)"}])
... except herbrand.EditError as error:
...     print(error)
edit 0: undeclared-object: there is no object `pantri`

The kinds are ``add-fact``, ``delete-fact``, ``replace-fact``, ``add-object``, ``rename-object``, ``merge-object``,
``delete-object``, ``set-goal``, ``add-literal`` and ``delete-literal``; `schema` has the form of each. Rules are a mapping:
``{"functional": [{"predicate": "at", "keys": []}], "monotone": ["visited"]}`` says that one atom of ``at`` holds at a time, and
that those of ``visited`` stay true.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ._herbrand import BeliefCore, Domain, Problem, edit_lines, edit_problem, edit_schema, problem_difference, typed_lines

__all__ = ["Belief", "Edit", "Statement", "apply", "difference", "lines", "schema", "typed_lines_of"]

Edit = Mapping[str, Any]
Statement = Mapping[str, Any]


def apply(problem: Problem, edits: Iterable[Edit], *, rules: Mapping[str, Any] | None = None) -> Problem:
    """The problem after a batch of edits, carried out one after the other: all of them, or none.

    Parameters
    ----------
    problem : Problem
    edits : iterable of mappings
        Each with ``"edit"`` and what that kind needs. Edits of literals change the domain: the result's `Problem.domain`.
    rules : mapping, optional
        Which relations are functions, and whose facts stay true.

    Raises
    ------
    EditError
        With all faults.
    ValueError
        When an edit or the rules have another form.
    """
    return edit_problem(problem, json.dumps([dict(edit) for edit in edits]), json.dumps(dict(rules or {})))


def difference(problem: Problem, other: Problem) -> list[dict[str, Any]] | None:
    """The edits that lead from one problem to another, up to the order of objects and facts; None where edits cannot say
    the difference, which is the case if names of problems, values of functions, chance or metrics differ.
    """
    found = problem_difference(problem, other)
    return None if found is None else list(json.loads(found))


def schema(domain: Domain) -> dict[str, Any]:
    """The form of lists of edits of a domain's problems, as a JSON Schema (draft 2020-12)."""
    return dict(json.loads(edit_schema(domain)))


def lines(text: str, edits: Mapping[str, Any], *, textual: bool = True) -> str:
    """The text of a problem after edits of its lines, as PDDLEGO carries them out: nothing is checked.

    Parameters
    ----------
    text : str
        A problem with one object or fact a line.
    edits : mapping
        ``{"objects": {"add": [...], "replace": {...}, "delete": [...]}, "init": {...}}``.
    textual : bool, default True
        Whether replacing an object's line replaces its name in the facts, inside other names too.

    Raises
    ------
    ValueError
        When the edits have another form, or the text has no such lists.
    """
    return edit_lines(text, json.dumps(edits), textual)


def typed_lines_of(edits: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Edits of lines as typed edits, which `apply` checks.

    Raises
    ------
    ValueError
        When a line is no object or fact.
    """
    return list(json.loads(typed_lines(json.dumps(edits))))


class Belief:
    """What is known of a problem that is seen in part: facts that are true, facts that are false, and what is neither.

    Facts of predicates that no action changes stay once they are known, and so do those of monotone predicates once they are
    true. Of all others, what was seen last holds. Where a functional relation would get a second value and one of the two is a
    placeholder, that is what the placeholder was: it is merged into the other.

    Parameters
    ----------
    problem : Problem
        What is known at the start.
    rules : mapping, optional
        As for `apply`.

    Examples
    --------
    >>> import herbrand
    >>> from herbrand.edits import Belief
    >>> domain = herbrand.Domain('''(define (domain house) (:requirements :typing) (:types room way)
    ...     (:predicates (at ?r - room) (leads ?a ?b - room ?w - way))
    ...     (:action go :parameters (?a ?b - room ?w - way) :precondition (and (at ?a) (leads ?a ?b ?w))
    ...        :effect (and (at ?b) (not (at ?a)))))''')
    >>> problem = herbrand.Problem('''(define (problem look) (:domain house)
    ...     (:objects kitchen - room north south - way) (:init (at kitchen)))''', domain)
    >>> belief = Belief(problem, {"functional": [{"predicate": "at"}, {"predicate": "leads", "keys": [0, 2]}]})
    >>> _ = belief.observe("look", [
    ...     {"statement": "placeholder", "object": "loc1", "type": "room"},
    ...     {"statement": "holds", "fact": "(leads kitchen loc1 north)"},
    ... ])
    >>> found = belief.observe("go north", [
    ...     {"statement": "object", "object": "hall", "type": "room"},
    ...     {"statement": "holds", "fact": "(leads kitchen hall north)"},
    ... ])
    >>> found[-1]
    {'edit': 'merge-object', 'object': 'loc1', 'into': 'hall'}
    >>> belief.truth("(leads kitchen hall north)"), belief.truth("(leads hall kitchen south)")
    (True, None)
    >>> belief.source("(leads kitchen hall north)"), belief.placeholders
    ('look', ())
    """

    def __init__(self, problem: Problem, rules: Mapping[str, Any] | None = None) -> None:
        self._core = BeliefCore(problem, json.dumps(dict(rules or {})))

    def observe(self, name: str, statements: Iterable[Statement]) -> list[dict[str, Any]]:
        """Takes in what was observed, and gives the edits that this came to.

        Parameters
        ----------
        name : str
            What the observation is called; see `source`.
        statements : iterable of mappings
            Each with ``"statement"``: ``"object"`` or ``"placeholder"`` with ``"object"`` and ``"type"``, ``"holds"`` or
            ``"fails"`` with ``"fact"``.

        Raises
        ------
        EditError
            When something contradicts what is known and stays so. Then nothing has changed.
        """
        return list(json.loads(self._core.observe(name, json.dumps([dict(one) for one in statements]))))

    def truth(self, fact: str) -> bool | None:
        """Whether a fact such as ``"(at hall)"`` holds; None if that is not known."""
        return self._core.truth(fact)

    def source(self, fact: str) -> str | None:
        """The name of the observation that a fact was first known to be true by, or last seen to be false; None if neither."""
        return self._core.source(fact)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The names of the objects that are placeholders."""
        return tuple(self._core.placeholders)

    @property
    def problem(self) -> Problem:
        """What is known, as a problem in which everything else is false: what a planner takes."""
        return self._core.problem
