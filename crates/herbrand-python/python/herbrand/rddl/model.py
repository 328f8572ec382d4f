"""What a `RddlTask` consists of, as data: types, pvariables, conditional probability functions (CPFs), conditions, and what reads what.

Formulas are there as text and as trees. A tree is a tuple: what the node is, then its parts.

- ``("literal", value)``, ``("variable", "?x")``; an enum value is ``"@name"``.
- ``("fluent", name, argument, …)``; the name ends in ``'`` for the next value of a state fluent.
- ``("+", a, b)`` and so on for operators, ``("sin", a)`` for functions, ``("if", condition, a, b)``.
- ``("switch", subject, ((item, branch), …), default)``.
- ``("sum", (("?x", type), …), body)`` for whatever binds variables: ``sum``, ``prod``, ``avg``, ``min``, ``max``, ``forall``,
  ``exists``, ``argmax``, ``argmin``, ``det``.
- ``("Bernoulli", p)``, ``("Normal", mean, variance)`` for draws; ``("Discrete", type, ((item, weight), …))`` for those of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Union

from .._herbrand import RddlState, RddlTask

__all__ = ["Cpf", "Formula", "Pvariable", "RddlModel", "RddlStep", "RddlValue", "Type"]

RddlValue = Union[bool, int, float, str]


@dataclass(frozen=True)
class Type:
    """A type of objects, or an enum.

    Attributes
    ----------
    name : str
    is_enum : bool
    items : tuple of str
        The objects of the instance, or the enum's values without ``@``.
    """

    name: str
    is_enum: bool
    items: tuple[str, ...]


@dataclass(frozen=True)
class Pvariable:
    """A parameterised variable.

    Attributes
    ----------
    name : str
    kind : str
        ``"non-fluent"``, ``"state-fluent"``, ``"action-fluent"``, ``"interm-fluent"``, ``"derived-fluent"`` or
        ``"observ-fluent"``.
    parameters : tuple of str
        The types of its parameters.
    range : str
        ``"bool"``, ``"int"``, ``"real"`` or the name of a type.
    default : bool, int, float, str or None
        None for what is computed.
    """

    name: str
    kind: str
    parameters: tuple[str, ...]
    range: str
    default: RddlValue | None


@dataclass(frozen=True)
class Formula:
    """A formula as text and as a tree (see the module)."""

    text: str
    tree: Any

    def __str__(self) -> str:
        """The text."""
        return self.text

    @property
    def reads(self) -> tuple[str, ...]:
        """The pvariables that it reads, each once, in order of their first place; a prime stands for the next value."""
        found: dict[str, None] = {}
        _collect(self.tree, found)
        return tuple(found)


def _collect(tree: Any, found: dict[str, None]) -> None:
    if not isinstance(tree, tuple):
        return
    if len(tree) > 1 and tree[0] == "fluent" and isinstance(tree[1], str):
        found[tree[1]] = None
    for part in tree:
        _collect(part, found)


@dataclass(frozen=True)
class Cpf:
    """How the value of a fluent is found, for each binding of its parameters.

    Attributes
    ----------
    head : str
        The fluent; that of a state fluent gives its next value.
    parameters : tuple of str
        The variables of the head: ``("?x",)``.
    formula : Formula
    level : int
        Functions are evaluated by level, from 0: each reads those of lower levels alone.
    """

    head: str
    parameters: tuple[str, ...]
    formula: Formula
    level: int


@dataclass(frozen=True)
class RddlModel:
    """A domain with the objects of an instance, as data.

    Attributes
    ----------
    types : tuple of Type
    pvariables : tuple of Pvariable
    cpfs : tuple of Cpf
    reward : Formula
    preconditions, constraints, invariants, terminations : tuple of Formula
        ``action-preconditions``, ``state-action-constraints``, ``state-invariants`` and ``termination``.
    task : RddlTask
        What it is of.
    """

    types: tuple[Type, ...]
    pvariables: tuple[Pvariable, ...]
    cpfs: tuple[Cpf, ...]
    reward: Formula
    preconditions: tuple[Formula, ...]
    constraints: tuple[Formula, ...]
    invariants: tuple[Formula, ...]
    terminations: tuple[Formula, ...]
    task: RddlTask

    @classmethod
    def _of(cls, plain: dict[str, Any], task: RddlTask) -> RddlModel:
        def formulas(name: str) -> tuple[Formula, ...]:
            return tuple(Formula(*one) for one in plain[name])

        return cls(
            types=tuple(Type(name, is_enum, tuple(items)) for name, is_enum, items in plain["types"]),
            pvariables=tuple(Pvariable(*one) for one in plain["pvariables"]),
            cpfs=tuple(
                Cpf(head, parameters, Formula(text, tree), level)
                for head, parameters, text, tree, level in plain["cpfs"]
            ),
            reward=Formula(*plain["reward"]),
            preconditions=formulas("preconditions"),
            constraints=formulas("constraints"),
            invariants=formulas("invariants"),
            terminations=formulas("terminations"),
            task=task,
        )

    def pvariable(self, name: str) -> Pvariable:
        """The pvariable of this name.

        Raises
        ------
        KeyError
            When there is none.
        """
        return next((one for one in self.pvariables if one.name == name), None) or _missing(name)

    def type(self, name: str) -> Type:
        """The type of this name.

        Raises
        ------
        KeyError
            When there is none.
        """
        return next((one for one in self.types if one.name == name), None) or _missing(name)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Who reads whom: pairs of what is read and who reads it, without non-fluents. A state fluent's next value has a prime;
        ``reward`` is a reader too.
        """
        fluents = {one.name for one in self.pvariables if one.kind != "non-fluent"}
        states = {one.name for one in self.pvariables if one.kind == "state-fluent"}
        readers = [(cpf.head + ("'" if cpf.head in states else ""), cpf.formula) for cpf in self.cpfs]
        readers.append(("reward", self.reward))
        return tuple(
            (read, reader)
            for reader, formula in readers
            for read in formula.reads
            if read.rstrip("'") in fluents
        )


def _missing(name: str) -> Any:
    raise KeyError(name)


class RddlStep(NamedTuple):
    """What a step of a `RddlTask` gives.

    Attributes
    ----------
    state : RddlState
        The state after the step.
    reward : float
    terminated : bool
        Whether a termination condition holds in it.
    broken : bool
        Whether a state invariant does not.
    violated : list of int
        The numbers, from 0, of the action preconditions that the action violated.
    derived : dict
        The values of intermediate and derived fluents within the step.
    observed : dict
        The values of the observ fluents.
    """

    state: RddlState
    reward: float
    terminated: bool
    broken: bool
    violated: list[int]
    derived: dict[str, RddlValue]
    observed: dict[str, RddlValue]
