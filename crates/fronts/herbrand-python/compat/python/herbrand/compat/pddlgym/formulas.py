"""Formulas and effects over literals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Union

import numpy as np

from .entities import TypedEntity
from .literals import Literal, Predicate

__all__ = [
    "Exists",
    "ForAll",
    "Formula",
    "LiteralConjunction",
    "LiteralDisjunction",
    "NoChange",
    "ProbabilisticEffect",
    "When",
    "Written",
]

NoChange = Predicate("NOCHANGE", 0)
"""The outcome of a `ProbabilisticEffect` in which nothing changes."""


class _ByText:
    """A base class of objects that compare and hash by their text (``str``)."""

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return self is other or str(self) == str(other)


class _Several(_ByText):
    """A list of parts joined by a connective.

    Parameters
    ----------
    literals : list of literals, formulas or effects
    """

    _sign = ""
    _keyword = ""

    def __init__(self, literals: Iterable[Formula]) -> None:
        self.literals: list[Formula] = literals if isinstance(literals, list) else list(literals)

    def pddl_variables(self) -> set[str]:
        """Returns the names of all arguments."""
        return set().union(*(part.pddl_variables() for part in self.literals))

    def pddl_variables_typed(self) -> set[str]:
        """Returns all arguments with their types."""
        return set().union(*(part.pddl_variables_typed() for part in self.literals))

    def pddl_str(self) -> str:
        """Returns the PDDL text."""
        parts = "\n\t".join(part.pddl_str() for part in self.literals)
        return f"({self._keyword}\n\t{parts})"

    def __str__(self) -> str:
        return f"{self._sign}{self.literals}"

    __hash__ = _ByText.__hash__


class LiteralConjunction(_Several):
    """A conjunction of formulas or effects."""

    _sign, _keyword = "AND", "and"

    def holds(self, state_literals: Iterable[Literal]) -> bool:
        """Returns whether it is true in a set of ground literals. All parts must be literals."""
        true = frozenset(state_literals)
        for part in self.literals:
            if not isinstance(part, Literal):
                raise NotImplementedError("`holds` takes conjunctions of literals: use `inference.check_goal`")
            if (part.positive in true) == part.is_negative:
                return False
        return True


class LiteralDisjunction(_Several):
    """A disjunction of formulas."""

    _sign, _keyword = "OR", "or"

    def holds(self, state_literals: object) -> bool:
        """Raises `NotImplementedError`: use `herbrand.compat.pddlgym.inference.check_goal`."""
        raise NotImplementedError("Goals can only be LiteralConjunctions")


class _Quantified(_ByText):
    _sign = ""
    _keyword = ""
    variables: Sequence[TypedEntity]
    body: Formula
    is_negative: bool

    def pddl_variables(self) -> set[str]:
        """Returns the names of all arguments in its body."""
        return set(self.body.pddl_variables())

    def pddl_variables_typed(self) -> set[str]:
        """Returns all arguments in its body with their types."""
        return set(self.body.pddl_variables_typed())

    def pddl_str(self) -> str:
        """Returns the PDDL text."""
        variables = " ".join(f"{v.name} - {v.var_type}" for v in self.variables)
        written = f"({self._keyword} ({variables}) {self.body.pddl_str()})"
        return f"(not {written})" if self.is_negative else written

    def __str__(self) -> str:
        written = f"{self._sign} ({self.variables}) : {self.body}"
        return f"NOT-{written}" if self.is_negative else written


class ForAll(_Quantified):
    """A universally quantified formula or effect.

    Parameters
    ----------
    body : formula or effect
    variables : TypedEntity or list of them
    is_negative : bool
        Whether the quantified formula is negated.
    """

    _sign, _keyword = "FORALL", "forall"

    def __init__(
        self, body: Formula, variables: TypedEntity | Sequence[TypedEntity], is_negative: bool = False
    ) -> None:
        self.body = body
        self.variables = [variables] if isinstance(variables, TypedEntity) else variables
        self.is_negative = is_negative

    @property
    def positive(self) -> ForAll:
        """The formula without its negation."""
        return ForAll(self.body, self.variables)


class Exists(_Quantified):
    """An existentially quantified formula.

    Parameters
    ----------
    variables : list of TypedEntity
    body : formula
    is_negative : bool
        Whether the quantified formula is negated.
    """

    _sign, _keyword = "EXISTS", "exists"

    def __init__(self, variables: Sequence[TypedEntity], body: Formula, is_negative: bool = False) -> None:
        self.variables = variables
        self.body = body
        self.is_negative = is_negative

    @property
    def positive(self) -> Exists:
        """The formula without its negation."""
        return Exists(self.variables, self.body)


class ProbabilisticEffect(_ByText):
    """A probabilistic choice between effects; `NoChange` has the remaining probability.

    Parameters
    ----------
    literals : list of effects
        An outcome of several literals is a `LiteralConjunction`.
    probabilities : list of float
        Their sum is at most 1. Both lists are copied.
    """

    def __init__(self, literals: Iterable[Formula], probabilities: Iterable[float]) -> None:
        self.literals: list[Formula] = [*literals, NoChange()]
        given = [float(probability) for probability in probabilities]
        rest = 1.0 - sum(given)
        if len(given) + 1 != len(self.literals) or rest < -1e-9 or min(given, default=0.0) < 0.0:
            raise AssertionError(f"give one probability per outcome, with a sum of at most 1, not {given}")
        self.probabilities = [*given, rest if rest > 1e-12 else 0.0]

    def pddl_variables(self) -> set[str]:
        """Returns the names of all arguments."""
        return set().union(*(outcome.pddl_variables() for outcome in self.literals))

    def pddl_variables_typed(self) -> set[str]:
        """Returns all arguments with their types."""
        return set().union(*(outcome.pddl_variables_typed() for outcome in self.literals))

    def pddl_str(self) -> str:
        """Returns the PPDDL text. Each probability is written as the simplest fraction within rounding error."""
        parts = [
            f"{_simple(probability)} {outcome.pddl_str()}"
            for outcome, probability in zip(self.literals, self.probabilities)
            if not _is_no_change(outcome)
        ]
        return f"(probabilistic {' '.join(parts)})"

    def sample(self) -> Formula:
        """Returns a random outcome, drawn by NumPy's global generator."""
        weights = np.array(self.probabilities)
        return self.literals[int(np.random.choice(len(weights), p=weights / weights.sum()))]

    def max(self) -> Formula:
        """Returns the most likely outcome; ties go to the first."""
        most = max(self.probabilities)
        # # Probabilities that are meant to be equal may differ in their last bits, such as 1/3 and 1 - 2/3.
        return self.literals[next(i for i, one in enumerate(self.probabilities) if one > most - 1e-12)]

    def __str__(self) -> str:
        return f"PROBABILISTIC{list(zip(self.literals, self.probabilities))}"


def _is_no_change(effect: Formula) -> bool:
    return isinstance(effect, Literal) and effect.predicate == NoChange


def _simple(probability: float) -> Fraction:
    """Returns the simplest fraction within rounding error of a float: 1/3 for 0.333…"""
    near = Fraction(probability).limit_denominator(10**6)
    return near if abs(float(near) - probability) < 1e-12 else Fraction(probability)


class When(_ByText):
    """A conditional effect: it occurs if its condition was true before the action. PDDLGym has no such class.

    Parameters
    ----------
    condition : formula
    effect : effect
    """

    def __init__(self, condition: Formula, effect: Formula) -> None:
        self.condition = condition
        self.effect = effect

    def pddl_variables(self) -> set[str]:
        """Returns the names of all arguments."""
        return {*self.condition.pddl_variables(), *self.effect.pddl_variables()}

    def pddl_variables_typed(self) -> set[str]:
        """Returns all arguments with their types."""
        return {*self.condition.pddl_variables_typed(), *self.effect.pddl_variables_typed()}

    def pddl_str(self) -> str:
        """Returns the PDDL text."""
        return f"(when {self.condition.pddl_str()} {self.effect.pddl_str()})"

    def __str__(self) -> str:
        return f"WHEN {self.condition} : {self.effect}"


class Written(_ByText):
    """A numeric comparison or effect, stored as PDDL text. PDDLGym has no such class.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def pddl_variables(self) -> set[str]:
        """Returns an empty set: the text is not analysed."""
        return set()

    def pddl_variables_typed(self) -> set[str]:
        """Returns an empty set: the text is not analysed."""
        return set()

    def pddl_str(self) -> str:
        """Returns the PDDL text."""
        return self.text

    def __str__(self) -> str:
        return self.text


Formula = Union[
    Literal, LiteralConjunction, LiteralDisjunction, ForAll, Exists, ProbabilisticEffect, When, Written
]
"""The types of preconditions, goals and effects, and of their parts."""
