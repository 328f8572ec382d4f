"""Action schemas."""

from __future__ import annotations

from collections.abc import Sequence

from .entities import TypedEntity
from .formulas import Formula, LiteralConjunction, ProbabilisticEffect
from .literals import Literal
from .structs import NoChange, When
from .formulas import ForAll

__all__ = ["Operator", "most_likely"]


class Operator:
    """An action schema.

    Parameters
    ----------
    name : str
    params : list of TypedEntity
    preconds : formula
        The precondition, including the literal of the agent's action that the operator carries out, if there is one.
    effects : effect
    """

    def __init__(self, name: str, params: Sequence[TypedEntity], preconds: Formula, effects: Formula) -> None:
        self.name = name
        self.params = params
        self.preconds = preconds
        self.effects = effects

    def __str__(self) -> str:
        parameters = ",".join(map(str, self.params))
        before, after = (" & ".join(map(str, parts(side))) for side in (self.preconds, self.effects))
        return f"{self.name}({parameters}): {before} => {after}"

    def __repr__(self) -> str:
        return str(self)

    def pddl_str(self) -> str:
        """Returns the PDDL text."""
        parameters = " ".join(f"{param.name} - {param.var_type}" for param in self.params)
        preconditions = "\n\t\t\t".join(_preconditions(parts(self.preconds), self.params))
        effects = self.effects.pddl_str().replace("\n", "\n\t\t")
        return (
            f"\n\n\t(:action {self.name}\n\t\t:parameters ({parameters})"
            f"\n\t\t:precondition (and {preconditions})\n\t\t:effect {effects}\n\t)"
        )


def parts(formula: Formula) -> list[Formula]:
    """Returns the parts of a conjunction; for any other formula a list of itself."""
    return formula.literals if isinstance(formula, LiteralConjunction) else [formula]


def _preconditions(conditions: Sequence[Formula], params: Sequence[TypedEntity]) -> list[str]:
    """Returns the parts of a precondition as PDDL; negation as failure becomes a negated existential."""
    known = {param.name for param in params}
    written = []
    for condition in conditions:
        if not (isinstance(condition, Literal) and condition.negated_as_failure):
            written.append(condition.pddl_str())
            continue
        free = {v.name: v for v in condition.variables if v.startswith("?") and v.name not in known}
        atom = condition.positive.pddl_str()
        if free:
            variables = " ".join(f"{v.name} - {v.var_type}" for v in free.values())
            atom = f"(exists ({variables}) {atom})"
        written.append(f"(not {atom})")
    return written


def most_likely(effect: Formula) -> Formula | None:
    """Replaces each probabilistic choice by its most likely outcome; None if no effect remains."""
    if isinstance(effect, ProbabilisticEffect):
        chosen = effect.max()
        return None if chosen == NoChange() else most_likely(chosen)
    if isinstance(effect, LiteralConjunction):
        kept = (most_likely(part) for part in effect.literals)
        return LiteralConjunction([part for part in kept if part is not None])
    if isinstance(effect, ForAll):
        body = most_likely(effect.body)
        return None if body is None else ForAll(body, effect.variables)
    if isinstance(effect, When):
        inner = most_likely(effect.effect)
        return None if inner is None else When(effect.condition, inner)
    return effect
