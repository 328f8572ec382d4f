"""The base class of all planners, and their exceptions."""

from __future__ import annotations

import abc
from typing import Any

from ..pddlgym.domains import PDDLDomain
from ..pddlgym.literals import Literal
from ..pddlgym.structs import State

__all__ = ["Planner", "PlanningFailure", "PlanningTimeout"]


class PlanningFailure(Exception):
    """Raised if there is no plan or none was found."""


class PlanningTimeout(Exception):
    """Raised if no plan was found within the time limit."""


class Planner(abc.ABC):
    """The abstract base class of planners."""

    def __init__(self) -> None:
        self._statistics: dict[str, Any] = {}

    @abc.abstractmethod
    def __call__(self, domain: PDDLDomain, state: State, horizon: float = ..., timeout: float = ...) -> list[Literal]:
        """Returns a plan from a state to its goal, as the agent's actions."""

    def reset_statistics(self) -> None:
        """Clears the statistics."""
        self._statistics = {}

    def get_statistics(self) -> dict[str, Any]:
        """Returns the statistics of the calls so far.

        ``num_node_expansions`` is the number of evaluated states, summed over all calls. ``search_time`` and ``total_time``
        in seconds, ``plan_length`` and ``plan_cost`` are those of the last call.
        """
        return self._statistics
