"""The lifted model: what a domain and a problem say, as immutable Python values.

A formula is one of `Holds`, `Equal`, `Compare`, `Not`, `And`, `Or`, `Imply`, `Forall`, `Exists`. An effect is one of
`Add`, `Delete`, `Assign`, `And`, `Forall`, `When`, `Probabilistic`. An argument is a `Variable`, or a string: the name
of an object. ``str()`` of each of them is PDDL.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from ._herbrand import Atom

__all__ = [
    "Add", "And", "Arithmetic", "Assign", "Axiom", "Compare", "Delete", "Effect", "Equal", "Exists", "Expression",
    "Forall", "Formula", "Fraction", "Function", "FunctionTerm", "Holds", "Imply", "InitialChance", "InitialOutcome",
    "Metric", "Not", "Object", "Operator", "Or", "Parameter", "Predicate", "Probabilistic", "Special", "Term", "Type",
    "Variable", "When",
]  # fmt: skip


def _list(*items: object) -> str:
    return "(" + " ".join(str(item) for item in items) + ")"


def _types(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else _list("either", *types)


@dataclass(frozen=True)
class Type:
    """A type and the types right above it: none for ``object``."""

    name: str
    parents: tuple[str, ...]


@dataclass(frozen=True)
class Object:
    """An object or constant, with its types: one, or several for ``either``."""

    name: str
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} - {_types(self.types)}"


@dataclass(frozen=True)
class Parameter:
    """A declared variable, without its question mark, and the types that it ranges over."""

    name: str
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"?{self.name} - {_types(self.types)}"


@dataclass(frozen=True)
class Variable:
    """A use of a variable, which the nearest `Parameter` of its name around it declares."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


Term = Union[Variable, str]


@dataclass(frozen=True)
class Predicate:
    """A predicate.

    Attributes
    ----------
    kind : str
        What may change its atoms: ``"static"``, nothing; ``"fluent"``, effects; ``"derived"``, axioms; ``"action"``:
        it names an action of the agent (the dialect of PDDLGym) and is never part of a state.
    """

    name: str
    parameters: tuple[Parameter, ...]
    kind: str

    def __str__(self) -> str:
        return _list(self.name, *self.parameters)


@dataclass(frozen=True)
class Function:
    """A numeric function; ``implicit`` when the language declares it, not the text."""

    name: str
    parameters: tuple[Parameter, ...]
    implicit: bool

    def __str__(self) -> str:
        return _list(self.name, *self.parameters)


@dataclass(frozen=True)
class Holds:
    """The atom is true."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list(self.predicate, *self.arguments)


@dataclass(frozen=True)
class Equal:
    """Both terms name one object."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return _list("=", self.left, self.right)


@dataclass(frozen=True)
class Compare:
    """A comparison of two numbers: ``<``, ``<=``, ``=``, ``>=`` or ``>``."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return _list(self.operator, self.left, self.right)


@dataclass(frozen=True)
class Not:
    """The formula is false."""

    operand: Formula

    def __str__(self) -> str:
        return _list("not", self.operand)


@dataclass(frozen=True)
class And:
    """All of these formulas, or all of these effects."""

    operands: tuple[Formula | Effect, ...]

    def __str__(self) -> str:
        return _list("and", *self.operands)


@dataclass(frozen=True)
class Or:
    """One of these at least."""

    operands: tuple[Formula, ...]

    def __str__(self) -> str:
        return _list("or", *self.operands)


@dataclass(frozen=True)
class Imply:
    """The second holds if the first does."""

    antecedent: Formula
    consequent: Formula

    def __str__(self) -> str:
        return _list("imply", self.antecedent, self.consequent)


@dataclass(frozen=True)
class Forall:
    """For all objects of these types: a formula or an effect."""

    parameters: tuple[Parameter, ...]
    body: Formula | Effect

    def __str__(self) -> str:
        return _list("forall", _list(*self.parameters), self.body)


@dataclass(frozen=True)
class Exists:
    """For some objects of these types."""

    parameters: tuple[Parameter, ...]
    body: Formula

    def __str__(self) -> str:
        return _list("exists", _list(*self.parameters), self.body)


@dataclass(frozen=True)
class Add:
    """The atom becomes true."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list(self.predicate, *self.arguments)


@dataclass(frozen=True)
class Delete:
    """The atom becomes false."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list("not", _list(self.predicate, *self.arguments))


@dataclass(frozen=True)
class Assign:
    """A function gets another value.

    Attributes
    ----------
    operator : str
        ``"assign"``, ``"increase"``, ``"decrease"``, ``"scale-up"`` or ``"scale-down"``.
    """

    operator: str
    target: FunctionTerm
    value: Expression

    def __str__(self) -> str:
        return _list(self.operator, self.target, self.value)


@dataclass(frozen=True)
class When:
    """The effect happens if the condition holds before the action."""

    condition: Formula
    effect: Effect

    def __str__(self) -> str:
        return _list("when", self.condition, self.effect)


@dataclass(frozen=True)
class Probabilistic:
    """One of the effects, with its probability; nothing with what is left of 1."""

    alternatives: tuple[tuple[Fraction, Effect], ...]

    def __str__(self) -> str:
        return _list("probabilistic", *(part for pair in self.alternatives for part in pair))


@dataclass(frozen=True)
class FunctionTerm:
    """A numeric function applied to terms."""

    function: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list(self.function, *self.arguments)


@dataclass(frozen=True)
class Arithmetic:
    """``+``, ``-``, ``*`` or ``/`` of its operands, from left to right; ``-`` of one operand negates it."""

    operator: str
    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return _list(self.operator, *self.operands)


@dataclass(frozen=True)
class Special:
    """A quantity that only a metric can name, such as ``total-time``."""

    name: str

    def __str__(self) -> str:
        return _list(self.name)


Expression = Union[float, FunctionTerm, Arithmetic, Special]
Formula = Union[Holds, Equal, Compare, Not, And, Or, Imply, Forall, Exists]
Effect = Union[Add, Delete, Assign, And, Forall, When, Probabilistic]


@dataclass(frozen=True)
class Axiom:
    """A derivation rule: the predicate holds of its parameters when the body does."""

    predicate: str
    parameters: tuple[Parameter, ...]
    body: Formula

    def __str__(self) -> str:
        return _list(":derived", _list(self.predicate, *self.parameters), self.body)


@dataclass(frozen=True)
class Operator:
    """An action schema.

    Attributes
    ----------
    precondition : Formula
        Without the agent's atom.
    agent_action : Holds or None
        The action of the agent that this operator carries out (the dialect of PDDLGym): an atom of an action
        predicate over some of the parameters.
    """

    name: str
    parameters: tuple[Parameter, ...]
    precondition: Formula
    effect: Effect
    agent_action: Holds | None

    def __str__(self) -> str:
        parameters = _list(*self.parameters)
        return _list(
            ":action", self.name, ":parameters", parameters, ":precondition", self.precondition, ":effect", self.effect
        )


@dataclass(frozen=True)
class InitialOutcome:
    """What one alternative of a probabilistic initial state holds."""

    atoms: tuple[Atom, ...]
    values: tuple[tuple[FunctionTerm, float], ...]
    chances: tuple[InitialChance, ...]


@dataclass(frozen=True)
class InitialChance:
    """One of the alternatives, with its probability; none of them with what is left of 1."""

    alternatives: tuple[tuple[Fraction, InitialOutcome], ...]


@dataclass(frozen=True)
class Metric:
    """What a plan is judged by: ``"minimize"`` or ``"maximize"`` an expression."""

    direction: str
    expression: Expression

    def __str__(self) -> str:
        return _list(":metric", self.direction, self.expression)
