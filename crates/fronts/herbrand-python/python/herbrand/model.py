"""The lifted model: the contents of a domain and a problem as immutable Python values.

A formula is one of `Holds`, `Equal`, `Compare`, `Not`, `And`, `Or`, `Imply`, `Forall`, `Exists`. An effect is one of `Add`,
`Delete`, `Assign`, `And`, `Forall`, `When`, `Probabilistic`. An argument is a `Variable` or the name of an object (a
string). ``str()`` of each value is PDDL.
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
    """A type and its direct supertypes; ``object`` has none."""

    name: str
    parents: tuple[str, ...]


@dataclass(frozen=True)
class Object:
    """An object or constant with its types: one, or several for ``either``."""

    name: str
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} - {_types(self.types)}"


@dataclass(frozen=True)
class Parameter:
    """A declaration of a variable: its name, without question mark, and its types."""

    name: str
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"?{self.name} - {_types(self.types)}"


@dataclass(frozen=True)
class Variable:
    """An occurrence of a variable, bound by the innermost enclosing `Parameter` with its name."""

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
        How its atoms can change. ``"static"``: never; ``"fluent"``: by effects; ``"derived"``: by axioms. ``"action"``: the
        predicate names an action of the agent (in the dialect of PDDLGym) and is never part of a state.
    """

    name: str
    parameters: tuple[Parameter, ...]
    kind: str

    def __str__(self) -> str:
        return _list(self.name, *self.parameters)


@dataclass(frozen=True)
class Function:
    """A numeric function. It is ``implicit`` if the language declares it, not the domain."""

    name: str
    parameters: tuple[Parameter, ...]
    implicit: bool

    def __str__(self) -> str:
        return _list(self.name, *self.parameters)


@dataclass(frozen=True)
class Holds:
    """An atom as a formula: true if the atom is in the state."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list(self.predicate, *self.arguments)


@dataclass(frozen=True)
class Equal:
    """Equality of two terms: true if both denote the same object."""

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
    """Negation of a formula."""

    operand: Formula

    def __str__(self) -> str:
        return _list("not", self.operand)


@dataclass(frozen=True)
class And:
    """Conjunction of formulas or of effects."""

    operands: tuple[Formula | Effect, ...]

    def __str__(self) -> str:
        return _list("and", *self.operands)


@dataclass(frozen=True)
class Or:
    """Disjunction of formulas."""

    operands: tuple[Formula, ...]

    def __str__(self) -> str:
        return _list("or", *self.operands)


@dataclass(frozen=True)
class Imply:
    """Implication of two formulas."""

    antecedent: Formula
    consequent: Formula

    def __str__(self) -> str:
        return _list("imply", self.antecedent, self.consequent)


@dataclass(frozen=True)
class Forall:
    """Universal quantification of a formula or an effect."""

    parameters: tuple[Parameter, ...]
    body: Formula | Effect

    def __str__(self) -> str:
        return _list("forall", _list(*self.parameters), self.body)


@dataclass(frozen=True)
class Exists:
    """Existential quantification of a formula."""

    parameters: tuple[Parameter, ...]
    body: Formula

    def __str__(self) -> str:
        return _list("exists", _list(*self.parameters), self.body)


@dataclass(frozen=True)
class Add:
    """Add effect: the atom becomes true."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list(self.predicate, *self.arguments)


@dataclass(frozen=True)
class Delete:
    """Delete effect: the atom becomes false."""

    predicate: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return _list("not", _list(self.predicate, *self.arguments))


@dataclass(frozen=True)
class Assign:
    """Numeric effect: changes the value of a function.

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
    """Conditional effect: occurs if the condition is true before the action."""

    condition: Formula
    effect: Effect

    def __str__(self) -> str:
        return _list("when", self.condition, self.effect)


@dataclass(frozen=True)
class Probabilistic:
    """Probabilistic effect: one of the alternatives; with the remaining probability, none of them."""

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
    """``+``, ``-``, ``*`` or ``/``, applied to its operands from left to right; ``-`` of one operand negates it."""

    operator: str
    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return _list(self.operator, *self.operands)


@dataclass(frozen=True)
class Special:
    """A quantity allowed only in metrics, such as ``total-time``."""

    name: str

    def __str__(self) -> str:
        return _list(self.name)


Expression = Union[float, FunctionTerm, Arithmetic, Special]
Formula = Union[Holds, Equal, Compare, Not, And, Or, Imply, Forall, Exists]
Effect = Union[Add, Delete, Assign, And, Forall, When, Probabilistic]


@dataclass(frozen=True)
class Axiom:
    """A derivation rule: the predicate is true of its parameters if the body is true."""

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
        The precondition without the atom of the agent's action.
    agent_action : Holds or None
        The action of the agent that this operator carries out (in the dialect of PDDLGym): an atom of an action predicate
        over some of the parameters.
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
    """One alternative of a probabilistic initial state: its atoms, function values and nested choices."""

    atoms: tuple[Atom, ...]
    values: tuple[tuple[FunctionTerm, float], ...]
    chances: tuple[InitialChance, ...]


@dataclass(frozen=True)
class InitialChance:
    """A probabilistic choice of initial facts: one of the alternatives; with the remaining probability, none."""

    alternatives: tuple[tuple[Fraction, InitialOutcome], ...]


@dataclass(frozen=True)
class Metric:
    """The plan metric: an expression to ``"minimize"`` or ``"maximize"``."""

    direction: str
    expression: Expression

    def __str__(self) -> str:
        return _list(":metric", self.direction, self.expression)
