"""The planner FF, in name."""

from __future__ import annotations

from .pddl_planner import PDDLPlanner

__all__ = ["FF"]


class FF(PDDLPlanner):
    """Enforced hill-climbing with the FF heuristic, then greedy best-first search: how FF searches."""

    def __init__(self) -> None:
        super().__init__("hill-climbing")
