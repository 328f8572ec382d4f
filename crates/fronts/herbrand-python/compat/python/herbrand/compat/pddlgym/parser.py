"""PDDLGym's names for parsing and writing PDDL."""

from __future__ import annotations

from collections.abc import Iterable

from .domains import PDDLDomain, PDDLDomainParser
from .entities import TypedEntity
from .literals import Literal, Predicate
from .operators import Operator, parts
from .problems import PDDLProblemParser
from .structs import ground_literal

__all__ = ["Operator", "PDDLDomain", "PDDLDomainParser", "PDDLProblemParser", "parse_plan_step"]


def parse_plan_step(
    plan_step: str,
    operators: Iterable[Operator],
    action_predicates: Iterable[Predicate],
    objects: Iterable[TypedEntity],
    operators_as_actions: bool = False,
) -> Literal:
    """Returns the agent's action for a plan step such as ``stack a b``.

    Parameters
    ----------
    plan_step : str
        An operator and the names of its arguments, with or without parentheses.
    operators, action_predicates, objects
        The operators, action predicates and objects of the domain and the problem.
    operators_as_actions : bool
        Whether the operator is the action.

    Raises
    ------
    ValueError
        If the operator or an object does not exist.
    """
    name, *names = plan_step.strip().strip("()").lower().split()
    known = {entity.name: entity for entity in objects}
    for argument in names:
        if argument not in known:
            raise ValueError(f"`{plan_step}` names the object `{argument}`, which does not exist")
    arguments = [known[argument] for argument in names]
    predicates = {predicate.name.lower(): predicate for predicate in action_predicates}
    operator = next((one for one in operators if one.name.lower() == name), None)
    if operators_as_actions and name in predicates:
        return predicates[name](*arguments)
    if operator is None or len(operator.params) != len(arguments):
        raise ValueError(f"`{plan_step}` names no operator with this number of parameters")
    assignments = {**{entity: entity for entity in known.values()}, **dict(zip(operator.params, arguments))}
    for condition in parts(operator.preconds):
        if isinstance(condition, Literal) and condition.predicate.name.lower() in predicates:
            return ground_literal(condition, assignments)
    raise ValueError(f"the operator `{operator.name}` carries out no action of the agent")
