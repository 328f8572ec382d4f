"""Grounding of models: each ground variable becomes a pvariable without parameters."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from herbrand.rddl.model import RddlModel
from herbrand.rddl.sources import rddl_suite

from .compiler.model import RDDLPlanningModel
from .text import Writer, ground_value

__all__ = ["RDDLGroundedModel", "RDDLGrounder"]


class RDDLGroundedModel(RDDLPlanningModel):
    """A model whose pvariables have no parameters."""


class RDDLGrounder:
    """Grounds a model.

    Aggregations and quantifiers over objects are expanded. Types of objects become enums with the objects as values, so that
    formulas can refer to objects.

    Parameters
    ----------
    model : RDDLPlanningModel or RddlModel
        ``env.model``, or ``env.model.ast``.
    """

    def __init__(self, model: RDDLPlanningModel | RddlModel) -> None:
        self.model = model if isinstance(model, RDDLPlanningModel) else RDDLPlanningModel(model.task)

    def ground(self) -> RDDLGroundedModel:
        """Returns the ground model, by writing its text and parsing it."""
        domain, instance = self._domain(), self._instance()
        return RDDLGroundedModel(rddl_suite(domain, instance).task(0))

    def _names(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Maps each pvariable to its ground variables with their objects."""
        return {
            name: list(zip(self.model.variable_groundings[name], self.model.ground_types(types)))
            for name, types in self.model.variable_params.items()
        }

    def _domain(self) -> str:
        model, writer = self.model, Writer(self.model)
        types = [
            f"{one.name} : {{ {', '.join('@' + item for item in one.items)} }};" for one in model.ast.types if one.items
        ]
        pvariables, cpfs = [], []
        names = self._names()
        for one in model.ast.pvariables:
            default = "" if one.default is None else f", default = {ground_value(model, one.range, one.default)}"
            pvariables += [f"{name} : {{ {one.kind}, {one.range}{default} }};" for name, _ in names[one.name]]
        for cpf in model.ast.cpfs:
            prime = "'" if model.variable_types[cpf.head] == "state-fluent" else ""
            for name, objects in names[cpf.head]:
                bound = dict(zip(cpf.parameters, zip(objects, model.variable_params[cpf.head])))
                cpfs.append(f"{name}{prime} = {writer.write(cpf.formula.tree, bound)};")
        sections = {
            "types": types,
            "pvariables": pvariables,
            "cpfs": cpfs,
            "action-preconditions": [f"{writer.write(one.tree, {})};" for one in model.ast.preconditions],
            "state-action-constraints": [f"{writer.write(one.tree, {})};" for one in model.ast.constraints],
            "state-invariants": [f"{writer.write(one.tree, {})};" for one in model.ast.invariants],
            "termination": [f"{writer.write(one.tree, {})};" for one in model.ast.terminations],
        }
        blocks = [_block(name, lines) for name, lines in sections.items() if lines]
        reward = f"    reward = {writer.write(model.ast.reward.tree, {})};\n"
        return f"domain {model.domain_name} {{\n{''.join(blocks)}{reward}}}\n"

    def _instance(self) -> str:
        model = self.model
        constants = self._settings(model.non_fluents)
        initial = self._settings(model.state_fluents)
        most = model.task.max_nondef_actions
        horizon = model.task.horizon
        return (
            f"non-fluents {model.instance_name}-constants {{\n    domain = {model.domain_name};\n"
            f"{_block('non-fluents', constants) if constants else ''}}}\n"
            f"instance {model.instance_name} {{\n    domain = {model.domain_name};\n"
            f"    non-fluents = {model.instance_name}-constants;\n{_block('init-state', initial) if initial else ''}"
            f"    max-nondef-actions = {'pos-inf' if most is None else most};\n"
            f"    horizon = {'pos-inf' if horizon is None else horizon};\n    discount = {float(model.discount)};\n}}\n"
        )

    def _settings(self, values: Mapping[str, Any]) -> list[str]:
        """Returns the lines for ground variables whose values differ from their defaults."""
        lines = []
        for name, given in values.items():
            every = given if self.model.variable_params[name] else [given]
            default, range = self.model.variable_defaults[name], self.model.variable_ranges[name]
            pairs = zip(self.model.variable_groundings[name], every)
            lines += [f"{one} = {ground_value(self.model, range, value)};" for one, value in pairs if value != default]
        return lines


def _block(name: str, lines: list[str]) -> str:
    body = "".join(f"        {line}\n" for line in itertools.chain(lines))
    return f"    {name} {{\n{body}    }};\n"


