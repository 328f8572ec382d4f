"""Predicates and literals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .entities import Type, TypedEntity

if TYPE_CHECKING:
    from .formulas import Formula

__all__ = ["DerivedPredicate", "Literal", "Predicate"]


class Predicate:
    """A predicate. Calling it creates a literal.

    Predicates compare and hash by their text: the name, prefixed with ``Not`` or ``Anti`` for negations and deletions.

    Parameters
    ----------
    name : str
    arity : int
        The number of arguments.
    var_types : sequence of Type, optional
        The types of the arguments; by default arguments may have any type.
    is_negative : bool
        Whether it is negated, as in a precondition.
    is_anti : bool
        Whether it is deleted, as in an effect.
    negated_as_failure : bool
        Whether its literals are negated as failure: true if no objects for the literal's own variables satisfy the atom.
    """

    is_derived = False

    def __init__(
        self,
        name: str,
        arity: int,
        var_types: Sequence[Type] | None = None,
        is_negative: bool = False,
        is_anti: bool = False,
        negated_as_failure: bool = False,
    ) -> None:
        self.name = name
        self.arity = arity
        self.var_types = var_types
        self.is_negative = is_negative
        self.negated_as_failure = negated_as_failure
        self.is_anti = is_anti

    def __call__(self, *variables: str) -> Literal:
        if len(variables) != self.arity:
            raise AssertionError(f"{self.name} takes {self.arity} arguments, not {len(variables)}")
        return Literal(self, list(variables))

    def __str__(self) -> str:
        if self.negated_as_failure:
            return "~" + self.name
        if self.is_negative:
            return "Not" + self.name
        if self.is_anti:
            return "Anti" + self.name
        return self.name

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return self is other or str(self) == str(other)

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: object) -> bool:
        return str(self) > str(other)

    def _variant(self, is_negative: bool, is_anti: bool) -> Predicate:
        return Predicate(self.name, self.arity, self.var_types, is_negative=is_negative, is_anti=is_anti)

    @property
    def positive(self) -> Predicate:
        """The predicate without its negation."""
        return self._variant(False, self.is_anti)

    @property
    def negative(self) -> Predicate:
        """The negated predicate."""
        return self._variant(True, self.is_anti)

    @property
    def inverted_anti(self) -> Predicate:
        """The deleting predicate; for a deleting predicate, the adding one."""
        assert not self.is_negative
        return self._variant(False, not self.is_anti)

    def negate_as_failure(self) -> Predicate:
        """Returns the predicate negated as failure."""
        assert not self.negated_as_failure
        return Predicate(self.name, self.arity, self.var_types, is_anti=self.is_anti, negated_as_failure=True)

    def pddl_variables(self) -> list[str]:
        """Returns the parameters of its declaration, such as ``?v0 - block``."""
        if self.var_types:
            return [f"?v{i} - {type}" for i, type in enumerate(self.var_types)]
        return [f"?v{i}" for i in range(self.arity)]

    def pddl_str(self) -> str:
        """Returns its declaration as PDDL."""
        if self.negated_as_failure:
            raise NotImplementedError("a predicate that is negated as failure has no declaration")
        declaration = "(" + " ".join([self.name, *self.pddl_variables()]) + ")"
        return f"(not {declaration})" if self.is_anti or self.is_negative else declaration


class DerivedPredicate(Predicate):
    """A predicate defined by rules.

    Attributes
    ----------
    param_names : list of str
        The variables of the body that are the predicate's arguments.
    body : formula
        The condition for the predicate; a disjunction if it has several rules.
    """

    is_derived = True

    def __init__(
        self,
        name: str,
        arity: int,
        var_types: Sequence[Type] | None = None,
        is_negative: bool = False,
        is_anti: bool = False,
        negated_as_failure: bool = False,
    ) -> None:
        super().__init__(name, arity, var_types, is_negative, is_anti, negated_as_failure)
        self.param_names: list[str] | None = None
        self.body: Formula | None = None
        self._rules: list[tuple[Sequence[str], Formula]] = []

    def _variant(self, is_negative: bool, is_anti: bool) -> Predicate:
        made = DerivedPredicate(self.name, self.arity, self.var_types, is_negative=is_negative, is_anti=is_anti)
        made.param_names, made.body, made._rules = self.param_names, self.body, self._rules
        return made

    def setup(self, param_names: Iterable[str], body: Formula) -> None:
        """Sets a single rule."""
        self.param_names = list(param_names)
        assert self.var_types is None or len(self.param_names) == len(self.var_types)
        self.body = body
        self._rules = [(self.param_names, body)]

    def derived_pddl_str(self) -> str:
        """Returns its rules as PDDL."""
        rules = []
        for parameters, body in self._rules:
            head = " ".join([self.name, *map(_declared, parameters)])
            rules.append(f"(:derived ({head}) {body.pddl_str()})")
        return "\n  ".join(rules)


def _declared(variable: str) -> str:
    return f"{variable.name} - {variable.var_type}" if isinstance(variable, TypedEntity) else variable


class Literal:
    """A predicate applied to objects or variables.

    Literals compare and hash by their text: ``on(a:block,b:block)``.

    Parameters
    ----------
    predicate : Predicate
    variables : list of TypedEntity or str
        The arguments. Strings get the types that the predicate declares.
    """

    __slots__ = ("_str", "is_anti", "is_negative", "negated_as_failure", "predicate", "variables", "__dict__")

    def __init__(self, predicate: Predicate, variables: list[str]) -> None:
        self.predicate = predicate
        self.is_negative = predicate.is_negative
        self.is_anti = predicate.is_anti
        self.negated_as_failure = predicate.negated_as_failure
        types = predicate.var_types
        if types is not None:
            for i, (expected, variable) in enumerate(zip(types, variables)):
                if not hasattr(variable, "var_type"):
                    variables[i] = expected(variable)
        self.variables: list[TypedEntity] = variables  # type: ignore[assignment]
        self._write()

    def _write(self) -> None:
        self._str = f"{self.predicate}({','.join(map(str, self.variables))})"

    def set_variables(self, variables: list[TypedEntity]) -> None:
        """Replaces all arguments."""
        self.variables = variables
        self._write()

    def update_variable(self, var_idx: int, new_value: TypedEntity) -> None:
        """Replaces one argument."""
        self.variables[var_idx] = new_value
        self._write()

    def __str__(self) -> str:
        return self._str

    def __repr__(self) -> str:
        return self._str

    def __hash__(self) -> int:
        return hash(self._str)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Literal):
            return self._str == other._str
        return self._str == repr(other)

    def __lt__(self, other: object) -> bool:
        return self._str < repr(other)

    def __gt__(self, other: object) -> bool:
        return self._str > repr(other)

    def holds(self, state_literals: object) -> bool:
        """Raises `NotImplementedError`: use `herbrand.compat.pddlgym.inference.check_goal`."""
        raise NotImplementedError("Goals can only be LiteralConjunctions")

    @property
    def positive(self) -> Literal:
        """The literal without its negation."""
        return Literal(self.predicate.positive, list(self.variables))

    @property
    def negative(self) -> Literal:
        """The negated literal."""
        return Literal(self.predicate.negative, list(self.variables))

    @property
    def inverted_anti(self) -> Literal:
        """The deleting literal; for a deleting literal, the adding one."""
        return Literal(self.predicate.inverted_anti, list(self.variables))

    def negate_as_failure(self) -> Literal:
        """Returns the literal negated as failure; if it already is, the positive literal."""
        if self.negated_as_failure:
            return self.positive
        return self.predicate.negate_as_failure()(*self.variables)

    def pddl_variables(self) -> list[str]:
        """Returns the names of the arguments."""
        return [_name(variable) for variable in self.variables]

    def pddl_variables_typed(self) -> list[str]:
        """Returns the arguments with their types, such as ``?x - block``."""
        return [str(variable).replace(":", " - ") for variable in self.variables]

    def pddl_str(self) -> str:
        """Returns the literal as PDDL."""
        if self.negated_as_failure:
            raise NotImplementedError("PDDL has no negation as failure; an operator's precondition writes it out")
        atom = "(" + " ".join([self.predicate.name, *self.pddl_variables()]) + ")"
        return f"(not {atom})" if self.is_anti or self.is_negative else atom


def _name(variable: str) -> str:
    return variable.name if isinstance(variable, TypedEntity) else str(variable)
