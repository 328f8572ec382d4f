"""Satisfying assignments of conditions, and evaluation of goals, by Datalog."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from herbrand import Datalog

from .entities import Type, TypedEntity
from .formulas import Exists, ForAll, Formula, LiteralConjunction, LiteralDisjunction
from .literals import Literal, Predicate
from .structs import State

__all__ = ["check_goal", "find_satisfying_assignments"]

_Assignment = dict[TypedEntity, TypedEntity]


def check_goal(state: State, goal: Formula) -> bool:
    """Returns whether a goal is true in a state.

    Quantifiers range over the objects whose type is exactly the named one. Subtypes are respected only in states of an
    environment, for which the engine knows the type hierarchy.
    """
    if isinstance(goal, Literal):
        return (goal.positive in state.literals) != goal.is_negative
    if isinstance(goal, LiteralConjunction):
        return all(check_goal(state, part) for part in goal.literals)
    position = state._position
    if position is not None:
        return position.ground.engine.satisfies(state, goal)
    return holds(state.literals, goal, state.objects, None)


def holds(
    literals: Iterable[Literal], goal: Formula, objects: Iterable[TypedEntity], above: Mapping[Type, set[Type]] | None
) -> bool:
    """Returns whether exactly these true literals satisfy a goal; `above` maps each type to its supertypes."""
    facts = [literal for literal in literals if not literal.is_negative]
    return bool(_Search(facts, [goal], objects, objects, above).find(True, 1))


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
    """Finds the assignments of objects to variables that satisfy all conditions.

    Parameters
    ----------
    kb : iterable of Literal
        The true literals. Their arguments are the objects.
    conds : formula, or sequence of formulas
        Formulas. Arguments that are neither constants nor objects are variables.
    max_assignment_count : int
        The maximal number of assignments to return.
    type_to_parent_types : mapping from Type to set of Type, optional
        Maps each type to itself and all its supertypes. Without it, types must be equal.
    allow_redundant_variables : bool
        Whether two variables may denote the same object.
    constants : iterable of TypedEntity, optional
        Arguments that are objects, not variables.
    init_assignments : mapping, optional
        Fixed values of some variables.
    variable_sort_fn, verbose, mode
        Ignored; accepted for compatibility with PDDLGym. There is a single engine, and its order is fixed.

    Returns
    -------
    list of dict from TypedEntity to TypedEntity
        The assignments, ordered by their objects.
    """
    conditions = list(conds) if isinstance(conds, Sequence) else [conds]
    facts = [literal for literal in kb if not literal.is_negative]
    fixed = list(constants or ())
    objects = {entity for literal in facts for entity in literal.variables} | set(fixed)
    search = _Search(facts, conditions, objects, fixed, type_to_parent_types, init_assignments or {})
    return search.find(allow_redundant_variables, max_assignment_count)


class _Search:
    """A Datalog program whose relation `found` contains the assignments.

    Objects, predicates and types are written as numbers, since their names in PDDLGym are arbitrary strings. Each rule binds
    its variables by their types, so that negation and inequality apply to bound variables. A condition that is not a
    conjunction of literals gets an auxiliary relation over its free variables; the first argument of that relation is always
    ``u``.
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
        self.conditions = conditions
        self.objects = sorted(set(objects), key=str)
        self.terms = {entity: f"o{number}" for number, entity in enumerate(self.objects)}
        known = {*constants, *(o for o in self.objects if not o.startswith("?"))}
        free = _free(conditions, frozenset(known))
        bare = _free([c for c in conditions if not _fails(c)], frozenset(known))
        self.variables = [variable for variable in free if variable in bare]
        self.given = {v: self.terms[o] for v, o in (given or {}).items() if v in self.variables and o in self.terms}
        self.counter = itertools.count()
        self.scope = {variable: self._variable() for variable in self.variables}
        self.relations: dict[str, str] = {}
        self.rules: list[str] = []
        self.facts: dict[str, list[tuple[str, ...]]] = {}
        for fact in facts:
            if fact.predicate.name != "=":
                arguments = tuple(self.terms[entity] for entity in fact.variables)
                self.facts.setdefault(self._relation(fact.predicate), []).append(("u", *arguments))
        for entity in self.objects:
            for type in {entity.var_type, *(above or {}).get(entity.var_type, ())}:
                self.facts.setdefault(self._type(type), []).append((self.terms[entity],))

    def find(self, redundant: bool, most: int) -> list[_Assignment]:
        """Returns at most `most` assignments."""
        body = [literal for condition in self.conditions for literal in self._literals(condition)]
        pairs = itertools.combinations(self.scope.values(), 2) if not redundant else ()
        body += [f"{one} != {other}" for one, other in pairs]
        body += [f"{self.scope[variable]} = {name}" for variable, name in self.given.items()]
        self._rule("found", self.scope.values(), body)
        model = Datalog("\n".join(self.rules)).run(self.facts)
        numbers = sorted(tuple(int(name[1:]) for name in row[1:]) for row in model["found"])
        return [{v: self.objects[n] for v, n in zip(self.variables, row)} for row in numbers[:most]]

    def _variable(self) -> str:
        return f"V{next(self.counter)}"

    def _relation(self, predicate: Predicate) -> str:
        return self.relations.setdefault(f"{predicate.name}/{predicate.arity}", f"p{len(self.relations)}")

    def _type(self, type: Type) -> str:
        return self.relations.setdefault(f"type {str.__str__(type)}", f"t{len(self.relations)}")

    def _rule(self, head: str, arguments: Iterable[str], body: Iterable[str]) -> str:
        """Adds a rule that binds all variables in scope to objects of their types; returns its head."""
        types = [f"{self._type(variable.var_type)}({name})" for variable, name in self.scope.items()]
        atom = f"{head}({', '.join(['u', *arguments])})"
        self.rules.append(f"{atom} :- {', '.join([*types, *body, 'u = u'])}.")
        return atom

    def _literals(self, formula: Formula) -> list[str]:
        """Returns the body literals of a condition."""
        if isinstance(formula, Literal):
            return [self._literal(formula)]
        if isinstance(formula, LiteralConjunction):
            return [literal for part in formula.literals for literal in self._literals(part)]
        if isinstance(formula, LiteralDisjunction):
            return [self._disjunction(formula)]
        if isinstance(formula, (ForAll, Exists)):
            return [self._quantified(formula)]
        raise TypeError(f"this is no condition: {formula}")

    def _literal(self, literal: Literal) -> str:
        local = [v for v in dict.fromkeys(literal.variables) if v not in self.scope and v not in self.terms]
        if _fails(literal) and local:
            positive = literal.predicate.positive(*literal.variables)
            return f"not {self._exists(local, positive)}"
        negative = literal.is_negative or _fails(literal)
        arguments = [self.scope.get(entity) or self.terms[entity] for entity in literal.variables]
        if literal.predicate.name == "=":
            return f" {'!=' if negative else '='} ".join(arguments)
        return f"{'not ' if negative else ''}{self._relation(literal.predicate)}({', '.join(['u', *arguments])})"

    def _disjunction(self, formula: LiteralDisjunction) -> str:
        name, arguments = f"h{next(self.counter)}", list(self.scope.values())
        for part in formula.literals:
            self._rule(name, arguments, self._literals(part))
        return f"{name}({', '.join(['u', *arguments])})"

    def _quantified(self, formula: ForAll | Exists) -> str:
        bound = list(formula.variables)
        if isinstance(formula, Exists):
            found = self._exists(bound, formula.body)
            return f"not {found}" if formula.is_negative else found
        refuted = self._exists(bound, formula.body, negate=True)
        return refuted if formula.is_negative else f"not {refuted}"

    def _exists(self, bound: Iterable[TypedEntity], body: Formula, negate: bool = False) -> str:
        """Returns an atom that is true if some objects for the variables make a condition true (or false)."""
        name, outer = f"h{next(self.counter)}", dict(self.scope)
        self.scope = {v: term for v, term in outer.items() if v not in bound} | {v: self._variable() for v in bound}
        literals = self._literals(body)
        if negate:
            literals = [f"not {self._rule(f'h{next(self.counter)}', self.scope.values(), literals)}"]
        # # An outer variable that is shadowed inside stays an argument of the relation, bound to any object of its type.
        hidden = {v: term for v, term in outer.items() if v not in self.scope or self.scope[v] != term}
        types = [f"{self._type(variable.var_type)}({term})" for variable, term in hidden.items()]
        atom = self._rule(name, outer.values(), [*types, *literals])
        self.scope = outer
        return atom


def _fails(formula: Formula) -> bool:
    """Returns whether a formula is a negation as failure."""
    return isinstance(formula, Literal) and formula.negated_as_failure


def _free(formulas: Iterable[Formula], known: frozenset[TypedEntity]) -> list[TypedEntity]:
    """Returns the free variables in order of their first use."""
    found: dict[TypedEntity, None] = {}
    for formula in formulas:
        if isinstance(formula, Literal):
            found.update(dict.fromkeys(variable for variable in formula.variables if variable not in known))
        elif isinstance(formula, (LiteralConjunction, LiteralDisjunction)):
            found.update(dict.fromkeys(_free(formula.literals, known)))
        elif isinstance(formula, (ForAll, Exists)):
            found.update(dict.fromkeys(_free([formula.body], known | frozenset(formula.variables))))
    return list(found)
