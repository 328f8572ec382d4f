"""What all planners have in common."""

from __future__ import annotations

import abc
from typing import Any

from ..pddlgym.domains import PDDLDomain
from ..pddlgym.literals import Literal
from ..pddlgym.structs import State

__all__ = ["Planner", "PlanningFailure", "PlanningTimeout"]


class PlanningFailure(Exception):
    """There is no plan, or none was found."""


class PlanningTimeout(Exception):
    """No plan was found in the time that was given."""


class Planner(abc.ABC):
    """Something that finds plans."""

    def __init__(self) -> None:
        self._statistics: dict[str, Any] = {}

    @abc.abstractmethod
    def __call__(self, domain: PDDLDomain, state: State, horizon: float = ..., timeout: float = ...) -> list[Literal]:
        """A plan from a state to its goal: actions of the agent."""

    def reset_statistics(self) -> None:
        """Forgets the statistics."""
        self._statistics = {}

    def get_statistics(self) -> dict[str, Any]:
        """What the calls so far took: ``num_node_expansions`` (evaluated states, summed over all calls), and of the last
        call ``search_time`` and ``total_time`` in seconds, ``plan_length`` and ``plan_cost``.
        """
        return self._statistics
