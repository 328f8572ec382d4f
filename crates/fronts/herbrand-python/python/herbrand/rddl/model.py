"""The parts of a `RddlTask` as Python data: types, pvariables, conditional probability functions (CPFs), conditions,
dependencies.

A formula has a text and a tree. A tree is a tuple of the kind of node and its parts.

- ``("literal", value)``, ``("variable", "?x")``; an enum value is ``"@name"``.
- ``("fluent", name, argument, …)``; the name ends in ``'`` for the value of a state fluent in the next state.
- ``("+", a, b)`` and so on for operators, ``("sin", a)`` for functions, ``("if", condition, a, b)``.
- ``("switch", subject, ((item, branch), …), default)``.
- ``("sum", (("?x", type), …), body)`` for operators that bind variables: ``sum``, ``prod``, ``avg``, ``min``, ``max``,
  ``forall``, ``exists``, ``argmax``, ``argmin``, ``det``.
- ``("Bernoulli", p)``, ``("Normal", mean, variance)`` for draws of numbers; ``("Discrete", type, ((item, weight), …))`` for
  draws of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Union

from .._herbrand import RddlState, RddlTask
from .._repr import OneLine

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
        The types of the parameters.
    range : str
        ``"bool"``, ``"int"``, ``"real"`` or the name of a type.
    default : bool, int, float, str or None
        None for fluents that are computed.
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
        """The pvariables that it reads, without duplicates, by first occurrence. A prime marks the next value."""
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
    """The CPF of a fluent: the formula for its value, for each binding of its parameters.

    Attributes
    ----------
    head : str
        The fluent. The CPF of a state fluent defines its next value.
    parameters : tuple of str
        The variables of the head: ``("?x",)``.
    formula : Formula
    level : int
        The evaluation level, from 0: a CPF reads CPFs of lower levels only.
    """

    head: str
    parameters: tuple[str, ...]
    formula: Formula
    level: int


@dataclass(frozen=True, repr=False)
class RddlModel(OneLine):
    """An RDDL domain with the objects of an instance, as Python data.

    Attributes
    ----------
    types : tuple of Type
    pvariables : tuple of Pvariable
    cpfs : tuple of Cpf
    reward : Formula
    preconditions, constraints, invariants, terminations : tuple of Formula
        ``action-preconditions``, ``state-action-constraints``, ``state-invariants`` and ``termination``.
    task : RddlTask
        The task that this is the model of.
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
        """Returns the pvariable with this name.

        Raises
        ------
        KeyError
            If there is no such pvariable.
        """
        return next((one for one in self.pvariables if one.name == name), None) or _missing(name)

    def type(self, name: str) -> Type:
        """Returns the type with this name.

        Raises
        ------
        KeyError
            If there is no such type.
        """
        return next((one for one in self.types if one.name == name), None) or _missing(name)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The dependencies: pairs of a fluent and its reader, without non-fluents.

        The next value of a state fluent has a prime. ``reward`` is a reader too.
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
    """The result of a step of a `RddlTask`.

    Attributes
    ----------
    state : RddlState
        The state after the step.
    reward : float
    terminated : bool
        Whether a termination condition is true in `state`.
    invariant_violated : bool
        Whether a state invariant is false in `state`.
    violated : list of int
        The indices of the action preconditions that the action violated.
    derived : dict
        The values of intermediate and derived fluents in this step.
    observed : dict
        The values of the observ fluents.
    """

    state: RddlState
    reward: float
    terminated: bool
    invariant_violated: bool
    violated: list[int]
    derived: dict[str, RddlValue]
    observed: dict[str, RddlValue]
