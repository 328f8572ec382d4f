"""An RDDL domain and instance under the names of pyRDDLGym's models."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herbrand import RddlTask
from herbrand.rddl.model import RddlModel

__all__ = ["RDDLLiftedModel", "RDDLPlanningModel"]

_TYPES = {"bool": np.bool_, "int": np.int64, "real": np.float64}


class RDDLPlanningModel:
    """The model of an environment: the contents of a domain and an instance.

    Parameters
    ----------
    task : RddlTask

    Attributes
    ----------
    task : RddlTask
        The task itself, which offers more than this class: see `herbrand.rddl`.
    ast : RddlModel
        Types, pvariables, CPFs and conditions, as text and as trees.
    """

    NEXT_STATE_SYM = "'"
    FLUENT_SEP = "___"
    OBJECT_SEP = "__"

    def __init__(self, task: RddlTask) -> None:
        self.task = task

    @cached_property
    def ast(self) -> RddlModel:
        """The domain as Python data."""
        return self.task.model

    @property
    def domain_name(self) -> str:
        """The name of the domain."""
        return self.task.domain_name

    @property
    def instance_name(self) -> str:
        """The name of the instance."""
        return self.task.name

    @property
    def domain_rddl(self) -> str:
        """The domain as RDDL."""
        return self.task.suite.domain_rddl()

    @property
    def instance_rddl(self) -> str:
        """The instance as RDDL."""
        return self.task.suite.instance_rddl()

    @property
    def horizon(self) -> int | float:
        """The number of steps of an episode; infinite if only a termination condition can end it."""
        return math.inf if self.task.horizon is None else self.task.horizon

    @property
    def discount(self) -> float:
        """The discount per step."""
        return self.task.discount

    @cached_property
    def max_allowed_actions(self) -> int:
        """The number of ground action fluents that may differ from their defaults at once."""
        count = sum(len(self.variable_groundings[name]) for name in self.action_ranges)
        most = self.task.max_nondef_actions
        return count if most is None else min(most, count)

    @cached_property
    def type_to_objects(self) -> dict[str, list[str]]:
        """Maps each type to its objects, and each enum to its values."""
        return {one.name: list(one.items) for one in self.ast.types}

    @cached_property
    def enum_types(self) -> set[str]:
        """The names of the enums."""
        return {one.name for one in self.ast.types if one.is_enum}

    @cached_property
    def object_to_type(self) -> dict[str, str]:
        """Maps each object to its type."""
        return {item: one.name for one in self.ast.types for item in one.items}

    @cached_property
    def object_to_index(self) -> dict[str, int]:
        """Maps each object to its index within its type."""
        return {item: place for one in self.ast.types for place, item in enumerate(one.items)}

    @cached_property
    def variable_types(self) -> dict[str, str]:
        """Maps each pvariable to its kind: ``"state-fluent"`` and so on."""
        return {one.name: one.kind for one in self.ast.pvariables}

    @cached_property
    def variable_ranges(self) -> dict[str, str]:
        """Maps each pvariable to its range: ``"bool"``, ``"int"``, ``"real"`` or a type."""
        return {one.name: one.range for one in self.ast.pvariables}

    @cached_property
    def variable_params(self) -> dict[str, list[str]]:
        """Maps each pvariable to the types of its parameters."""
        return {one.name: list(one.parameters) for one in self.ast.pvariables}

    @cached_property
    def variable_defaults(self) -> dict[str, Any]:
        """Maps each pvariable to its default; None if it is computed."""
        return {one.name: one.default for one in self.ast.pvariables}

    @cached_property
    def variable_groundings(self) -> dict[str, list[str]]:
        """Maps each pvariable to the names of its ground variables in row-major order."""
        return {
            name: [self.ground_var(name, objects) for objects in self.ground_types(types)]
            for name, types in self.variable_params.items()
        }

    def _ranges(self, kind: str) -> dict[str, str]:
        return {one.name: one.range for one in self.ast.pvariables if one.kind == kind}

    @cached_property
    def state_ranges(self) -> dict[str, str]:
        """The ranges of the state fluents."""
        return self._ranges("state-fluent")

    @cached_property
    def action_ranges(self) -> dict[str, str]:
        """The ranges of the action fluents."""
        return self._ranges("action-fluent")

    @cached_property
    def observ_ranges(self) -> dict[str, str]:
        """The ranges of the observ fluents."""
        return self._ranges("observ-fluent")

    def _values(self, kind: str) -> dict[str, Any]:
        """Maps pvariables of a kind to a value, or a list in row-major order; computed ones to zeros."""
        found: dict[str, Any] = {}
        for one in self.ast.pvariables:
            if one.kind == kind:
                zero: Any = {"bool": False, "int": 0, "real": 0.0}.get(one.range)
                if zero is None:
                    zero = next(iter(self.type_to_objects[one.range]), None)
                values = self.task.values(one.name)
                if values is None:
                    values = [zero] * self._count(one.parameters)
                found[one.name] = values if one.parameters else values[0]
        return found

    @cached_property
    def non_fluents(self) -> dict[str, Any]:
        """Maps each non-fluent to its value, or to the list of its values in row-major order."""
        return self._values("non-fluent")

    @cached_property
    def state_fluents(self) -> dict[str, Any]:
        """Maps each state fluent to its initial value, or to the list of its initial values."""
        return self._values("state-fluent")

    @cached_property
    def action_fluents(self) -> dict[str, Any]:
        """Maps each action fluent to its default, or to a list with one default per ground fluent."""
        return self._values("action-fluent")

    @cached_property
    def interm_fluents(self) -> dict[str, Any]:
        """Maps each intermediate fluent to zeros."""
        return self._values("interm-fluent")

    @cached_property
    def derived_fluents(self) -> dict[str, Any]:
        """Maps each derived fluent to zeros."""
        return self._values("derived-fluent")

    @cached_property
    def observ_fluents(self) -> dict[str, Any]:
        """Maps each observ fluent to zeros."""
        return self._values("observ-fluent")

    @cached_property
    def next_state(self) -> dict[str, str]:
        """Maps each state fluent to its primed name."""
        return {name: name + self.NEXT_STATE_SYM for name in self.state_ranges}

    @cached_property
    def prev_state(self) -> dict[str, str]:
        """Maps each primed name to its state fluent."""
        return {primed: name for name, primed in self.next_state.items()}

    @cached_property
    def cpfs(self) -> dict[str, tuple[list[tuple[str, str]], Any]]:
        """Maps each fluent (state fluents are primed) to its typed parameters and its formula."""
        return {
            self.next_state.get(cpf.head, cpf.head): (
                list(zip(cpf.parameters, self.variable_params[cpf.head])),
                cpf.formula,
            )
            for cpf in self.ast.cpfs
        }

    @property
    def reward(self) -> Any:
        """The formula of the reward."""
        return self.ast.reward

    @property
    def terminations(self) -> list[Any]:
        """The termination conditions."""
        return list(self.ast.terminations)

    @property
    def preconditions(self) -> list[Any]:
        """The action preconditions, followed by the state-action constraints."""
        return [*self.ast.preconditions, *self.ast.constraints]

    @property
    def invariants(self) -> list[Any]:
        """The state invariants."""
        return list(self.ast.invariants)

    # Names of ground variables.

    @classmethod
    def ground_var(cls, name: str, objects: Iterable[str] | None) -> str:
        """Returns the name of a ground variable: ``fluent___o1__o2``, with the prime, if any, at the end."""
        listed = list(objects or ())
        primed = name.endswith(cls.NEXT_STATE_SYM)
        bare = name.removesuffix(cls.NEXT_STATE_SYM)
        ground = bare + (cls.FLUENT_SEP + cls.OBJECT_SEP.join(listed) if listed else "")
        return ground + (cls.NEXT_STATE_SYM if primed else "")

    @classmethod
    def parse_grounded(cls, expr: str) -> tuple[str, list[str]]:
        """Splits the name of a ground variable into the pvariable and the objects."""
        primed = expr.endswith(cls.NEXT_STATE_SYM)
        name, _, objects = expr.removesuffix(cls.NEXT_STATE_SYM).partition(cls.FLUENT_SEP)
        return name + (cls.NEXT_STATE_SYM if primed else ""), objects.split(cls.OBJECT_SEP) if objects else []

    def ground_types(self, ptypes: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """Returns all tuples of objects of these types, in row-major order."""
        return itertools.product(*(self.type_to_objects[one] for one in ptypes))

    def object_counts(self, types: Iterable[str]) -> tuple[int, ...]:
        """Returns the number of objects of each type."""
        return tuple(len(self.type_to_objects[one]) for one in types)

    def object_indices(self, objects: Iterable[str]) -> tuple[int, ...]:
        """Returns the indices of objects within their types."""
        return tuple(self.object_to_index[one.removeprefix("@")] for one in objects)

    def _count(self, types: Iterable[str]) -> int:
        return math.prod(self.object_counts(types))

    def _ground_names(self, var: str) -> list[str]:
        primed = var.endswith(self.NEXT_STATE_SYM)
        names = self.variable_groundings[var.removesuffix(self.NEXT_STATE_SYM)]
        return [name + self.NEXT_STATE_SYM for name in names] if primed else names

    def ground_var_with_value(self, var: str, value: Any) -> Iterator[tuple[str, Any]]:
        """Pairs each ground variable of a pvariable with the same value."""
        return zip(self._ground_names(var), itertools.repeat(value))

    def ground_vars_with_value(self, dict_values: Mapping[str, Any]) -> dict[str, Any]:
        """Maps each ground variable to the value of its pvariable."""
        return {name: one for var, value in dict_values.items() for name, one in self.ground_var_with_value(var, value)}

    def ground_var_with_values(self, var: str, values: Any) -> Iterator[tuple[str, Any]]:
        """Pairs each ground variable with its value, from a list or array in row-major order."""
        if not self.variable_params[var.removesuffix(self.NEXT_STATE_SYM)]:
            value = np.asarray(values).reshape(-1)[0] if isinstance(values, np.ndarray) else values
            return zip(self._ground_names(var), [value])
        return zip(self._ground_names(var), np.ravel(values), strict=True)

    def ground_vars_with_values(self, dict_values: Mapping[str, Any]) -> dict[str, Any]:
        """Maps each ground variable to its value."""
        return {name: one for var, values in dict_values.items() for name, one in self.ground_var_with_values(var, values)}

    def arrays(self, var: str, ground: Mapping[str, Any]) -> NDArray[Any]:
        """Returns the values of a pvariable's ground variables as an array with one axis per parameter."""
        range = self.variable_ranges[var]
        values = [ground[name] for name in self.variable_groundings[var]]
        dtype = _TYPES.get(range)
        made = np.array(values, dtype=dtype if None not in values else object)
        return made.reshape(self.object_counts(self.variable_params[var]))


class RDDLLiftedModel(RDDLPlanningModel):
    """A model with parameters, as written in the files."""
