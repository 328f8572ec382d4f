"""The planner class named after FF."""

from __future__ import annotations

from .pddl_planner import PDDLPlanner

__all__ = ["FF"]


class FF(PDDLPlanner):
    """Searches like FF: enforced hill-climbing with the FF heuristic, then greedy best-first search."""

    def __init__(self) -> None:
        super().__init__("hill-climbing")
