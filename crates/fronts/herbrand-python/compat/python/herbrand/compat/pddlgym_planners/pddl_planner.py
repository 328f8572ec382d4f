"""Planners that run on Herbrand's engine."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from herbrand import Action
from herbrand.errors import LimitError
from herbrand.limits import Limits
from herbrand.planning import Plan, PlannerName

from ..pddlgym.domains import PDDLDomain
from ..pddlgym.literals import Literal
from ..pddlgym.structs import State
from .planner import Planner, PlanningFailure, PlanningTimeout

__all__ = ["PDDLPlanner"]


class PDDLPlanner(Planner):
    """One of Herbrand's planners, with the interface of pddlgym_planners.

    Parameters
    ----------
    planner : str
        One of `herbrand.planners`.
    """

    def __init__(self, planner: PlannerName) -> None:
        super().__init__()
        self._planner: PlannerName = planner

    def __call__(
        self,
        domain: PDDLDomain,
        state: State,
        horizon: float = np.inf,
        timeout: float = 10,
        return_files: bool = False,
        translate_separately: bool = False,
    ) -> Any:
        """Returns a plan from a state to its goal.

        Parameters
        ----------
        domain : PDDLDomain
        state : State
        horizon : float
            The maximal number of steps of a plan.
        timeout : float
            The time limit in seconds.
        return_files : bool
            Not supported: no files are written.
        translate_separately : bool
            Ignored: grounding and search are a single call.

        Returns
        -------
        list of Literal
            The agent's actions.

        Raises
        ------
        PlanningFailure
            If there is no plan, or if the plan has more steps than `horizon`.
        PlanningTimeout
            If the time limit is reached.
        """
        if return_files:
            raise NotImplementedError("this method writes no files: use `domain.write` and `PDDLProblemParser.create_pddl_file`")
        began = time.monotonic()
        try:
            position = domain._current_engine().locate(state)
            left = max(timeout - (time.monotonic() - began), 0.0)
            found = position.ground.task.plan(position.state, planner=self._planner, limits=Limits(time=left))
        except LimitError as error:
            raise PlanningTimeout("Planning timed out!") from error
        self._count(found, time.monotonic() - began)
        if found.outcome == "out-of-time":
            raise PlanningTimeout("Planning timed out!")
        if found.actions is None:
            raise PlanningFailure(f"Plan not found! {found.outcome}")
        if len(found.actions) > horizon:
            raise PlanningFailure("PDDL planning failed due to horizon")
        ground = position.ground
        return [self._action(ground, action) for action in found.actions]

    @staticmethod
    def _action(ground: Any, operator: Action) -> Literal:
        assert operator.id is not None, "operators of ground tasks have numbers"
        literal: Literal = ground.actions[ground.carried[operator.id]]
        return literal

    def _count(self, found: Plan, seconds: float) -> None:
        expansions = self._statistics.get("num_node_expansions", 0)
        self._statistics["num_node_expansions"] = expansions + found.statistics.evaluated
        self._statistics["search_time"] = found.statistics.time
        self._statistics["total_time"] = seconds
        if found.actions is not None:
            self._statistics["plan_length"] = len(found.actions)
            self._statistics["plan_cost"] = found.cost
