"""Typed edits of planning problems, and beliefs about partially observed worlds.

An edit is a mapping; the key ``"edit"`` names its kind:

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

A batch is applied completely or not at all, and an error reports all faults at once:

>>> try:
...     edits.apply(problem, [{"edit": "add-fact", "fact": "(at pantri)"}])
... except herbrand.EditError as error:
...     print(error)
edit 1: undeclared-object: there is no object `pantri`

The kinds are ``add-fact``, ``delete-fact``, ``replace-fact``, ``add-object``, ``rename-object``, ``merge-object``,
``delete-object``, ``set-goal``, ``add-literal`` and ``delete-literal``. `schema` describes the keys of each.

Rules are a mapping such as ``{"functional": [{"predicate": "at", "keys": []}], "monotone": ["visited"]}``. With these rules
at most one atom of ``at`` is true at a time, and atoms of ``visited`` never become false again.
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
    """Returns the problem after a batch of edits, applied in order. If one of them fails, none is applied.

    Parameters
    ----------
    problem : Problem
    edits : iterable of mappings
        Each has ``"edit"`` and the keys of that kind. Edits of literals change the domain: see `Problem.domain` of the
        result.
    rules : mapping, optional
        The functional relations, and the monotone ones, whose facts stay true.

    Raises
    ------
    EditError
        If an edit cannot be applied; it lists all faults.
    ValueError
        If an edit or the rules are malformed.
    """
    return edit_problem(problem, json.dumps([dict(edit) for edit in edits]), json.dumps(dict(rules or {})))


def difference(problem: Problem, other: Problem) -> list[dict[str, Any]] | None:
    """Returns the edits that lead from one problem to another, up to the order of objects and facts.

    Returns None if edits cannot express the difference: if problem names, function values, initial probabilities or metrics
    differ.
    """
    found = problem_difference(problem, other)
    return None if found is None else list(json.loads(found))


def schema(domain: Domain) -> dict[str, Any]:
    """Returns the JSON Schema (draft 2020-12) of lists of edits for problems of a domain."""
    return dict(json.loads(edit_schema(domain)))


def lines(text: str, edits: Mapping[str, Any], *, textual: bool = True) -> str:
    """Returns the text of a problem after line edits in the format of PDDLEGO. The result is not checked.

    Parameters
    ----------
    text : str
        A problem with one object or fact per line.
    edits : mapping
        ``{"objects": {"add": [...], "replace": {...}, "delete": [...]}, "init": {...}}``.
    textual : bool, default True
        Whether replacing an object's line also replaces its name in the facts, as text, even inside longer names.

    Raises
    ------
    ValueError
        If the edits are malformed, or the text has no lists of objects and facts.
    """
    return edit_lines(text, json.dumps(edits), textual)


def typed_lines_of(edits: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Converts line edits to typed edits, which `apply` checks.

    Raises
    ------
    ValueError
        If a line is neither an object nor a fact.
    """
    return list(json.loads(typed_lines(json.dumps(edits))))


class Belief:
    """A belief about a partially observed problem: every fact is known to be true, known to be false, or unknown.

    Known facts of predicates that no action changes are permanent, and so are true facts of monotone predicates. For all
    other facts the latest observation counts. If a functional relation would get a second value and one of the two is a
    placeholder object, the placeholder is merged into the other object.

    Parameters
    ----------
    problem : Problem
        The initial knowledge.
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
        """Adds an observation, and returns the edits of the known problem that it caused.

        Parameters
        ----------
        name : str
            The name of the observation, as reported by `source`.
        statements : iterable of mappings
            Each has ``"statement"``: ``"object"`` or ``"placeholder"`` with the keys ``"object"`` and ``"type"``, or
            ``"holds"`` or ``"fails"`` with the key ``"fact"``.

        Raises
        ------
        EditError
            If a statement contradicts permanent knowledge. The belief is then unchanged.
        """
        return list(json.loads(self._core.observe(name, json.dumps([dict(one) for one in statements]))))

    def truth(self, fact: str) -> bool | None:
        """Returns whether a fact such as ``"(at hall)"`` is true; None if unknown."""
        return self._core.truth(fact)

    def source(self, fact: str) -> str | None:
        """Returns the name of the observation that first made a fact true, or last made it false; None if the fact is
        unknown.
        """
        return self._core.source(fact)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The names of the objects that are placeholders."""
        return tuple(self._core.placeholders)

    @property
    def problem(self) -> Problem:
        """The known facts as a problem for planners. Unknown facts are false in it."""
        return self._core.problem
