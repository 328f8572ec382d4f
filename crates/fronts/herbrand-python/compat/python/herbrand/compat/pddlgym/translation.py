"""Translation of `herbrand.model` to the structures of PDDLGym."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herbrand import model

from .entities import Type, TypedEntity
from .formulas import (
    Exists,
    ForAll,
    Formula,
    LiteralConjunction,
    LiteralDisjunction,
    ProbabilisticEffect,
    When,
    Written,
)
from .literals import Predicate
from .structs import Anti, Not

__all__ = ["EQUALITY", "Vocabulary"]

EQUALITY = Predicate("=", 2)
"""The predicate of equality."""

_Variables = Mapping[str, TypedEntity]


class Vocabulary:
    """The types, predicates and objects by their names in the model.

    Parameters
    ----------
    types : dict from str to Type
        The types. Union types (``either``) are added when they occur.
    predicates : mapping from str to Predicate
    objects : mapping from str to TypedEntity
        The objects and constants.
    """

    def __init__(
        self, types: dict[str, Type], predicates: Mapping[str, Predicate], objects: Mapping[str, TypedEntity]
    ) -> None:
        self.types = types
        self.predicates = predicates
        self.objects = objects

    def type(self, names: tuple[str, ...]) -> Type:
        """Returns a type, or the union of several."""
        name = names[0] if len(names) == 1 else f"(either {' '.join(names)})"
        if name == "object" and name not in self.types and "default" in self.types:
            return self.types["default"]
        return self.types.setdefault(name, Type(name))

    def entity(self, parameter: model.Parameter) -> TypedEntity:
        """Returns the variable of a parameter, with its question mark."""
        return TypedEntity("?" + parameter.name, self.type(parameter.types))

    def term(self, term: model.Term, variables: _Variables) -> TypedEntity:
        """Translates a term."""
        return variables[term.name] if isinstance(term, model.Variable) else self.objects[term]

    def _atom(self, predicate: str, arguments: Iterable[model.Term], variables: _Variables) -> Formula:
        return self.predicates[predicate](*(self.term(term, variables) for term in arguments))

    def formula(self, formula: model.Formula, variables: _Variables) -> Formula:
        """Translates a condition."""
        if isinstance(formula, model.Holds):
            return self._atom(formula.predicate, formula.arguments, variables)
        if isinstance(formula, model.Equal):
            return EQUALITY(self.term(formula.left, variables), self.term(formula.right, variables))
        if isinstance(formula, model.Compare):
            return Written(str(formula))
        if isinstance(formula, model.Not):
            negated: Formula = Not(self.formula(formula.operand, variables))
            return negated
        if isinstance(formula, model.And):
            return LiteralConjunction([self.formula(part, variables) for part in formula.operands])  # type: ignore[arg-type]
        if isinstance(formula, model.Or):
            return LiteralDisjunction([self.formula(part, variables) for part in formula.operands])
        if isinstance(formula, model.Imply):
            premise: Formula = Not(self.formula(formula.antecedent, variables))
            return LiteralDisjunction([premise, self.formula(formula.consequent, variables)])
        bound, inner = self.bind(formula.parameters, variables)
        body = self.formula(formula.body, inner)  # type: ignore[arg-type]
        return ForAll(body, bound) if isinstance(formula, model.Forall) else Exists(bound, body)

    def effect(self, effect: model.Effect, variables: _Variables) -> Formula:
        """Translates an effect."""
        if isinstance(effect, model.Add):
            return self._atom(effect.predicate, effect.arguments, variables)
        if isinstance(effect, model.Delete):
            added = self.predicates[effect.predicate]
            return Anti(added(*(self.term(term, variables) for term in effect.arguments)))
        if isinstance(effect, model.And):
            return LiteralConjunction([self.effect(part, variables) for part in effect.operands])  # type: ignore[arg-type]
        if isinstance(effect, model.When):
            return When(self.formula(effect.condition, variables), self.effect(effect.effect, variables))
        if isinstance(effect, model.Forall):
            bound, inner = self.bind(effect.parameters, variables)
            return ForAll(self.effect(effect.body, inner), bound)  # type: ignore[arg-type]
        if isinstance(effect, model.Probabilistic):
            outcomes = [self.effect(outcome, variables) for _, outcome in effect.alternatives]
            return ProbabilisticEffect(outcomes, [float(chance) for chance, _ in effect.alternatives])
        return Written(str(effect))

    def bind(
        self, parameters: Iterable[model.Parameter], variables: _Variables
    ) -> tuple[list[TypedEntity], dict[str, TypedEntity]]:
        """Translates the variables of a quantifier; returns them, and the scope inside the quantifier."""
        inner, bound = dict(variables), []
        taken = {entity.name for name, entity in variables.items() if entity.name != "?" + name}
        for parameter in parameters:
            entity = self.entity(parameter)
            while entity.name in taken:
                entity = TypedEntity(entity.name + "_", entity.var_type)
            inner[parameter.name] = entity
            bound.append(entity)
        return bound, inner


def conjunction(formula: Formula) -> LiteralConjunction:
    """Returns the formula or effect as a conjunction, with a single part if necessary."""
    return formula if isinstance(formula, LiteralConjunction) else LiteralConjunction([formula])
