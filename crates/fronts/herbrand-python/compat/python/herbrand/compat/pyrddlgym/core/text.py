"""Ground formulas as RDDL text."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from .compiler.model import RDDLPlanningModel

__all__ = ["Writer", "ground_value"]

# # Maps each variable to its object and the type of the object.
_Bound = dict[str, tuple[str, str]]

_INFIX = {"+", "-", "*", "/", "==", "~=", "<", "<=", ">", ">=", "^", "&", "|", "=>", "<=>"}
# # Aggregations, with the operator that joins the elements and the value if there are none.
_JOINED = {"sum": (" + ", "0"), "prod": (" * ", "1"), "forall": (" ^ ", "true"), "exists": (" | ", "false")}


def ground_value(model: RDDLPlanningModel, range: str, value: Any) -> str:
    """Returns a value as RDDL text."""
    if isinstance(value, str):
        return f"@{value}"
    if isinstance(value, bool) or range == "bool":
        return str(bool(value)).lower()
    if isinstance(value, float) and math.isinf(value):
        return "pos-inf" if value > 0 else "neg-inf"
    return _decimal(value) if range == "real" else str(value)


def _decimal(value: float) -> str:
    """Returns a decimal number without exponent that parses back to the same value."""
    text = f"{value:f}" if float(f"{value:f}") == value else f"{value:.340f}".rstrip("0")
    return text if "." in text else text + ".0"


class Writer:
    """Writes the formulas of a model as ground RDDL text.

    Parameters
    ----------
    model : RDDLPlanningModel
    """

    def __init__(self, model: RDDLPlanningModel) -> None:
        self.model = model

    def write(self, tree: Any, bound: _Bound) -> str:
        """Returns a tree as RDDL text with its variables replaced by objects."""
        head, *parts = tree
        special: dict[str, Callable[[list[Any], _Bound], str]] = {
            "literal": self._literal,
            "variable": lambda parts, bound: f"@{bound[parts[0]][0]}",
            "fluent": self._fluent,
            "if": self._if,
            "switch": self._switch,
            "Discrete": lambda parts, bound: self._discrete("Discrete", parts, bound),
            "UnnormDiscrete": lambda parts, bound: self._discrete("UnnormDiscrete", parts, bound),
        }
        if head in special:
            return special[head](parts, bound)
        if parts and isinstance(parts[0], tuple) and parts[0] and isinstance(parts[0][0], tuple):
            return self._over(head, parts[0], parts[1], bound)
        if head in ("det", "inverse", "pinverse", "cholesky") or head.startswith("Multi") or head == "Dirichlet":
            raise NotImplementedError(f"`{head}` is of vectors or matrices, which cannot be written without parameters")
        return self._operator(head, [self.write(part, bound) for part in parts])

    def _operator(self, head: str, written: list[str]) -> str:
        if head in _INFIX and len(written) == 2:
            return f"({written[0]} {head} {written[1]})"
        if head in ("-", "+", "~"):
            return f"({head}{written[0]})"
        distributions = head[:1].isupper()
        return f"{head}({', '.join(written)})" if distributions else f"{head}[{', '.join(written)}]"

    def _literal(self, parts: list[Any], bound: _Bound) -> str:
        value = parts[0]
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return str(value).lower()
        return ground_value(self.model, "real" if isinstance(value, float) else "int", value)

    def _fluent(self, parts: list[Any], bound: _Bound) -> str:
        name, *arguments = parts
        return self._indexed(name, [], arguments, bound)

    def _indexed(self, name: str, objects: list[str], arguments: list[Any], bound: _Bound) -> str:
        """Returns a ground variable; a computed argument becomes a switch over its values."""
        for place, argument in enumerate(arguments):
            if argument[0] == "variable":
                objects = [*objects, bound[argument[1]][0]]
            elif argument[0] == "literal":
                objects = [*objects, str(argument[1]).removeprefix("@")]
            else:
                of = self.model.variable_params[name.rstrip("'")][len(objects)]
                rest = arguments[place + 1 :]
                cases = ", ".join(
                    f"case @{item} : {self._indexed(name, [*objects, item], rest, bound)}"
                    for item in self.model.type_to_objects[of]
                )
                return f"(switch ({self.write(argument, bound)}) {{ {cases} }})"
        return self.model.ground_var(name, objects)

    def _if(self, parts: list[Any], bound: _Bound) -> str:
        condition, then, otherwise = (self.write(part, bound) for part in parts)
        return f"(if ({condition}) then {then} else {otherwise})"

    def _switch(self, parts: list[Any], bound: _Bound) -> str:
        subject, cases, *default = parts
        written = [f"case {item} : {self.write(body, bound)}" for item, body in cases]
        written += [f"default : {self.write(body, bound)}" for body in default]
        return f"(switch ({self.write(subject, bound)}) {{ {', '.join(written)} }})"

    def _discrete(self, head: str, parts: list[Any], bound: _Bound) -> str:
        first, *rest = parts
        if isinstance(first, tuple):
            ((variable, of),) = first
            pairs = [(f"@{item}", {**bound, variable: (item, of)}) for item in self.model.type_to_objects[of]]
            written = [f"{item} : {self.write(rest[0], inner)}" for item, inner in pairs]
            return f"{head}({of}, {', '.join(written)})"
        written = [f"{item} : {self.write(body, bound)}" for item, body in rest[0]]
        written += [f"{item} : otherwise" for item in rest[1:]]
        return f"{head}({first}, {', '.join(written)})"

    def _over(self, head: str, variables: Any, body: Any, bound: _Bound) -> str:
        """Expands an aggregation or quantifier over objects."""
        domains = [[(name, (item, of)) for item in self.model.type_to_objects[of]] for name, of in variables]
        written = [self.write(body, {**bound, **dict(pairs)}) for pairs in itertools.product(*domains)]
        if head in _JOINED:
            between, nothing = _JOINED[head]
            return f"({between.join(written)})" if written else nothing
        if head == "avg":
            return f"(({' + '.join(written)}) / {len(written)})"
        if head in ("min", "max", "minimum", "maximum"):
            nested = written[-1]
            for one in reversed(written[:-1]):
                nested = f"{head[:3]}[{one}, {nested}]"
            return nested
        if head in ("argmax", "argmin"):
            return self._best(head, [item for _, (item, _) in domains[0]], written)
        raise NotImplementedError(f"`{head}` cannot be written without parameters")

    def _best(self, head: str, items: list[str], written: list[str]) -> str:
        """Returns an expression for the first item with the best body (``argmax`` or ``argmin``)."""
        than = ">=" if head == "argmax" else "<="
        text = f"@{items[-1]}"
        for place in range(len(items) - 2, -1, -1):
            others = " ^ ".join(f"({written[place]} {than} {one})" for one in written)
            text = f"(if ({others}) then @{items[place]} else {text})"
        return text
