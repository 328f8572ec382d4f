"""Searching for objects that make conditions true, and judging goals: by the engine's valid actions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..._herbrand import Domain, Problem, Task
from .entities import Type, TypedEntity
from .formulas import Exists, ForAll, Formula, LiteralConjunction, LiteralDisjunction
from .literals import Literal
from .structs import State

__all__ = ["check_goal", "find_satisfying_assignments"]

_Assignment = dict[TypedEntity, TypedEntity]


def check_goal(state: State, goal: Formula) -> bool:
    """Whether a goal holds in a state.

    Quantifiers range over the state's objects of just the types that they name; those that are types of other types
    are known in a state of an environment, whose goals the environment judges.
    """
    if isinstance(goal, Literal):
        return (goal.positive in state.literals) != goal.is_negative
    if isinstance(goal, LiteralConjunction):
        return all(check_goal(state, part) for part in goal.literals)
    position = state._position
    if position is not None:
        return position.ground.engine.satisfies(state, goal)
    return bool(_Search(state.literals, [goal], state.objects, state.objects, None).find(True, 1))


def find_satisfying_assignments(
    kb: Iterable[Literal],
    conds: Formula | Sequence[Formula],
    variable_sort_fn: Callable[[TypedEntity], Any] | None = None,
    verbose: bool = False,
    max_assignment_count: int = 2,
    type_to_parent_types: Mapping[Type, set[Type]] | None = None,
    allow_redundant_variables: bool = True,
    constants: Iterable[TypedEntity] | None = None,
    mode: str = "csp",
    init_assignments: Mapping[TypedEntity, TypedEntity] | None = None,
) -> list[_Assignment]:
    """The ways to put objects in place of variables so that all conditions hold.

    Parameters
    ----------
    kb : iterable of Literal
        What is true; its arguments are the objects.
    conds : formula, or sequence of formulas
        Arguments that are neither constants nor objects are variables.
    max_assignment_count : int
        How many are wanted at most.
    type_to_parent_types : mapping from Type to set of Type, optional
        By type: it and all types above it. Without it, types must be the same.
    allow_redundant_variables : bool
        Whether two variables may be one object.
    constants : iterable of TypedEntity, optional
        Arguments that stand for themselves.
    init_assignments : mapping, optional
        What some variables must be.
    variable_sort_fn, verbose, mode
        Kept for what is written for PDDLGym: there is one engine, and its order is fixed.

    Returns
    -------
    list of dict from TypedEntity to TypedEntity
        In order of the objects.
    """
    conditions = list(conds) if isinstance(conds, Sequence) else [conds]
    facts = [literal for literal in kb if not literal.is_negative]
    fixed = list(constants or ())
    objects = {entity for literal in facts for entity in literal.variables} | set(fixed)
    search = _Search(facts, conditions, objects, fixed, type_to_parent_types, init_assignments or {})
    return search.find(allow_redundant_variables, max_assignment_count)


class _Search:
    """A domain with one operator, whose valid actions are the assignments.

    Names are written by number: those of PDDLGym's structures may be anything. Types become static predicates.
    """

    def __init__(
        self,
        facts: Iterable[Literal],
        conditions: Sequence[Formula],
        objects: Iterable[TypedEntity],
        constants: Iterable[TypedEntity],
        above: Mapping[Type, set[Type]] | None,
        given: Mapping[TypedEntity, TypedEntity] | None = None,
    ) -> None:
        self.facts = sorted(facts)
        self.conditions = conditions
        self.above = above
        self.given = given or {}
        self.objects = sorted(set(objects), key=str)
        self.names = {entity: f"o{number}" for number, entity in enumerate(self.objects)}
        known = {*constants, *(o for o in self.objects if not o.startswith("?"))}
        free = _free(conditions, frozenset(known))
        bare = _free([c for c in conditions if not _fails(c)], frozenset(known))
        self.variables = [variable for variable in free if variable in bare]
        self.local = [variable for variable in free if variable not in bare]
        self.terms = dict(self.names)
        self.terms |= {variable: f"?v{number}" for number, variable in enumerate([*self.variables, *self.local])}
        self.predicates: dict[str, tuple[str, int]] = {}
        self.types: dict[str, str] = {}
        self.counter = itertools.count()

    def find(self, redundant: bool, most: int) -> list[_Assignment]:
        """The assignments, so many at most."""
        conditions = [self._type(variable.var_type, self.terms[variable]) for variable in self.variables]
        conditions += [self._condition(condition) for condition in self.conditions]
        pairs = itertools.combinations(self.variables, 2) if not redundant else ()
        conditions += [f"(not (= {self.terms[a]} {self.terms[b]}))" for a, b in pairs]
        conditions += [
            f"(= {self.terms[variable]} {self.names[entity]})"
            for variable, entity in self.given.items()
            if variable in self.terms and entity in self.names
        ]
        task = self._task(conditions)
        by_name = {name: entity for entity, name in self.names.items()}
        actions = task.valid_actions(task.initial_state)[:most]
        return [{v: by_name[name] for v, name in zip(self.variables, action.arguments)} for action in actions]

    def _task(self, conditions: list[str]) -> Task:
        init = [self._atom(fact) for fact in self.facts if fact.predicate.name != "="]
        for entity in self.objects:
            for type in {entity.var_type, *(self.above or {}).get(entity.var_type, ())}:
                init.append(self._type(type, self.names[entity]))
        declared = [f"({name}{''.join(f' ?x{i}' for i in range(n))})" for name, n in self.predicates.values()]
        declared += [f"({name} ?x)" for name in self.types.values()]
        parameters = " ".join(self.terms[variable] for variable in self.variables)
        domain = Domain(
            f"(define (domain search) (:requirements :adl) (:constants {' '.join(self.names.values())})"
            f" (:predicates {' '.join(declared)} (found)) (:action find :parameters ({parameters})"
            f" :precondition (and {' '.join(conditions)}) :effect (found)))"
        )
        text = f"(define (problem search) (:domain search) (:init {' '.join(init)}) (:goal (found)))"
        return Task(domain, Problem(text, domain))

    def _atom(self, literal: Literal) -> str:
        name = literal.predicate.name
        if name != "=":
            key = f"{name}/{literal.predicate.arity}"
            name = self.predicates.setdefault(key, (f"p{len(self.predicates)}", literal.predicate.arity))[0]
        return f"({' '.join([name, *(self.terms[entity] for entity in literal.variables)])})"

    def _type(self, type: Type, term: str) -> str:
        name = self.types.setdefault(str.__str__(type), f"t{len(self.types)}")
        return f"({name} {term})"

    def _condition(self, formula: Formula) -> str:
        if isinstance(formula, Literal):
            atom = self._atom(formula)
            local = [v for v in dict.fromkeys(formula.variables) if _fails(formula) and v in self.local]
            if local:
                typed = " ".join(self._type(v.var_type, self.terms[v]) for v in local)
                atom = f"(exists ({' '.join(self.terms[v] for v in local)}) (and {typed} {atom}))"
            return f"(not {atom})" if formula.is_negative or _fails(formula) else atom
        if isinstance(formula, (LiteralConjunction, LiteralDisjunction)):
            keyword = "and" if isinstance(formula, LiteralConjunction) else "or"
            return f"({keyword} {' '.join(map(self._condition, formula.literals))})"
        if isinstance(formula, (ForAll, Exists)):
            return self._quantified(formula)
        raise TypeError(f"this is no condition: {formula}")

    def _quantified(self, formula: ForAll | Exists) -> str:
        outer = dict(self.terms)
        names = [f"?q{next(self.counter)}" for _ in formula.variables]
        self.terms.update(zip(formula.variables, names))
        typed = " ".join(self._type(v.var_type, name) for v, name in zip(formula.variables, names))
        body = self._condition(formula.body)
        self.terms = outer
        bound = " ".join(names)
        written = (
            f"(forall ({bound}) (imply (and {typed}) {body}))"
            if isinstance(formula, ForAll)
            else f"(exists ({bound}) (and {typed} {body}))"
        )
        return f"(not {written})" if formula.is_negative else written


def _fails(formula: Formula) -> bool:
    """Whether it is a negation as failure."""
    return isinstance(formula, Literal) and formula.negated_as_failure


def _free(formulas: Iterable[Formula], known: frozenset[TypedEntity]) -> list[TypedEntity]:
    """The variables that no quantifier binds, in order of their first use."""
    found: dict[TypedEntity, None] = {}
    for formula in formulas:
        if isinstance(formula, Literal):
            found.update(dict.fromkeys(variable for variable in formula.variables if variable not in known))
        elif isinstance(formula, (LiteralConjunction, LiteralDisjunction)):
            found.update(dict.fromkeys(_free(formula.literals, known)))
        elif isinstance(formula, (ForAll, Exists)):
            found.update(dict.fromkeys(_free([formula.body], known | frozenset(formula.variables))))
    return list(found)
