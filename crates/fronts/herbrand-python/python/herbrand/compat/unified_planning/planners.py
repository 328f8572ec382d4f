"""Herbrand's planners as engines of Unified Planning."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import IO, Any
from warnings import warn

from unified_planning.engines import AnytimeGuarantee, OptimalityGuarantee, PlanGenerationResult
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import SequentialPlanValidator
from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin, ReplannerMixin
from unified_planning.exceptions import UPUsageError
from unified_planning.model import Action as UnifiedAction
from unified_planning.model import Problem as UnifiedProblem

from ...errors import LimitError
from ...limits import Limits
from ...planning import Outcome, Plan, PlannerName, planners
from .convert import Written
from .kinds import OPTIMAL, PLANNED, HerbrandEngine, contested, message

__all__ = ["HerbrandAnytimePlanner", "HerbrandOptimalPlanner", "HerbrandPlanner", "HerbrandReplanner"]

_STATUS: dict[Outcome, Status] = {
    "proven-unsolvable": Status.UNSOLVABLE_PROVEN,
    "exhausted": Status.UNSOLVABLE_INCOMPLETELY,
    "out-of-time": Status.TIMEOUT,
    "out-of-memory": Status.MEMOUT,
    "cancelled": Status.TIMEOUT,
}


class _Deadline:
    """The seconds that are left of a timeout; there is no end without one."""

    def __init__(self, timeout: float | None) -> None:
        self._end = None if timeout is None else time.monotonic() + timeout

    def left(self, most: float | None = None) -> Limits | None:
        """Returns what is left as limits, but at most `most` seconds."""
        if self._end is None:
            return None if most is None else Limits(time=most)
        left = max(self._end - time.monotonic(), 0.001)
        return Limits(time=left if most is None else min(left, most))

    def is_over(self) -> bool:
        """Returns whether no time is left."""
        return self._end is not None and time.monotonic() >= self._end


class _Planning(HerbrandEngine):
    """Calls a planner of Herbrand."""

    features = PLANNED
    usual: PlannerName = "landmarks"

    def __init__(self, planner: PlannerName | None = None, seed: int = 0) -> None:
        HerbrandEngine.__init__(self)
        if planner is not None and planner not in planners():
            raise UPUsageError(f"planner is one of {', '.join(planners())}, not {planner!r}")
        self._planner: PlannerName | None = planner
        self._seed = seed

    def _found(
        self, problem: UnifiedProblem, optimal: bool, deadline: _Deadline, output: IO[str] | None
    ) -> PlanGenerationResult:
        """Searches once, and returns the result."""
        try:
            written = Written(problem, for_planner=True, limits=deadline.left())
        except LimitError as error:
            return self._none(Status.TIMEOUT, str(error))
        usual: PlannerName = "astar-lmcut" if optimal else self.usual
        planner = self._planner or usual
        plan = written.task.plan(planner=planner, seed=self._seed, limits=deadline.left())
        if output is not None:
            output.write(f"{planner}: {plan.outcome}, {plan.statistics.expanded} states expanded\n")
        return self._result(written, plan, optimal)

    def _result(self, written: Written, plan: Plan, optimal: bool) -> PlanGenerationResult:
        problem = written.problem
        exact = not written.rounded and plan.statistics.rounding is None
        if plan.actions is None:
            if plan.outcome in ("proven-unsolvable", "exhausted") and not exact:
                reason = plan.statistics.rounding or "Unified Planning writes fewer decimals"
                return self._none(Status.UNSOLVABLE_INCOMPLETELY, f"there is no plan with rounded numbers: {reason}")
            return self._none(_STATUS[plan.outcome])
        # Without a metric, Unified Planning calls no plan optimal.
        proven = plan.proven_optimal and exact and bool(problem.quality_metrics)
        texts = [f"{plan.planner} found a plan, but no proof that it is optimal"] if optimal and not proven else []
        found = written.plan(plan)
        # The search rounds numbers, and does not see all contradicting effects that Unified Planning sees.
        doubtful = not exact or bool(contested(problem))
        validator = SequentialPlanValidator()
        if doubtful and validator.supports(problem.kind) and not validator.validate(problem, found):
            text = f"{plan.planner} found a plan only with rounded numbers or contradicting effects"
            return self._none(Status.UNSOLVABLE_INCOMPLETELY, text)
        status = Status.SOLVED_OPTIMALLY if proven else Status.SOLVED_SATISFICING
        return PlanGenerationResult(status, found, self.name, log_messages=list(map(message, texts)))

    def _none(self, status: Status, *texts: str) -> PlanGenerationResult:
        """Returns a result without a plan."""
        return PlanGenerationResult(status, None, self.name, log_messages=list(map(message, texts)))


class HerbrandPlanner(_Planning, OneshotPlannerMixin):  # type: ignore[misc]
    """Herbrand's planners as a oneshot planner: the engine ``herbrand``.

    Parameters
    ----------
    planner : str, optional
        One of `herbrand.planners`. By default ``"landmarks"``, or ``"astar-lmcut"`` if an optimal plan is requested.
    seed : int, default 0
        The seed for breaking ties.
    """

    def __init__(self, planner: PlannerName | None = None, seed: int = 0) -> None:
        _Planning.__init__(self, planner, seed)
        OneshotPlannerMixin.__init__(self)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Returns whether every plan has this guarantee."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    def _solve(
        self,
        problem: UnifiedProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            raise UPUsageError("Herbrand's planners have heuristics of their own")
        return self._found(problem, self._is_strict(problem), _Deadline(timeout), output_stream)

    def _is_strict(self, problem: UnifiedProblem) -> bool:
        """Returns whether only an optimal plan will do."""
        return bool(self.optimality_metric_required)


class HerbrandOptimalPlanner(HerbrandPlanner):
    """A\\* with LM-cut as a oneshot planner: the engine ``herbrand-opt``. It proves its plans optimal.

    A proof needs costs that are not negative and have at most six decimals, and comparisons of numbers that are exact in
    binary. Without a proof, the status of a plan is ``SOLVED_SATISFICING``.

    Parameters
    ----------
    planner : str, default "astar-lmcut"
        One of the ``astar`` planners of `herbrand.planners`.
    seed : int, default 0
        The seed for breaking ties.
    """

    features = OPTIMAL
    title = "herbrand-opt"
    usual: PlannerName = "astar-lmcut"

    def __init__(self, planner: PlannerName | None = None, seed: int = 0) -> None:
        HerbrandPlanner.__init__(self, planner, seed)
        if planner is not None and not planner.startswith("astar"):
            raise UPUsageError(f"{planner} does not prove that its plans are optimal; the astar planners do")

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Returns whether every plan has this guarantee; always True."""
        return True

    def _is_strict(self, problem: UnifiedProblem) -> bool:
        return bool(problem.quality_metrics)


class HerbrandAnytimePlanner(_Planning, AnytimePlannerMixin):  # type: ignore[misc]
    """Herbrand's search for cheaper and cheaper plans as an anytime planner: the engine ``herbrand-anytime``.

    Each plan is cheaper than the one before, by the metric, or by the number of steps if there is none. The status of
    these results is ``INTERMEDIATE``. When no cheaper plan exists or the timeout is over, a last result repeats the
    last plan with the final status.

    Parameters
    ----------
    seed : int, default 0
        The seed for breaking ties.
    """

    features = OPTIMAL
    title = "herbrand-anytime"

    def __init__(self, seed: int = 0) -> None:
        _Planning.__init__(self, None, seed)
        AnytimePlannerMixin.__init__(self)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        """Returns whether the plans have this guarantee."""
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _get_solutions(
        self, problem: UnifiedProblem, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        deadline = _Deadline(timeout)
        try:
            written = Written(problem, for_planner=True, limits=deadline.left())
        except LimitError as error:
            yield self._none(Status.TIMEOUT, str(error))
            return
        plan = written.task.plan(planner="landmarks", seed=self._seed, limits=deadline.left())
        if plan.actions is None:
            yield self._result(written, plan, False)
            return
        best = plan
        yield self._intermediate(written, best, output_stream)
        # Each search begins from scratch, so the slices double: all together take at most twice the time of the last.
        share = 0.25
        while not plan.proven_optimal and not deadline.is_over():
            plan = written.task.plan(planner="anytime", seed=self._seed, limits=deadline.left(share))
            if plan.actions is not None and plan.cost is not None and best.cost is not None and plan.cost < best.cost:
                best = plan
                yield self._intermediate(written, best, output_stream)
            if plan.actions is not None and plan.statistics.time < share / 2 and not plan.proven_optimal:
                # The search ended before its time: nothing cheaper exists, but costs were rounded.
                break
            share *= 2
        last = plan if plan.proven_optimal else best
        yield self._result(written, last, False)

    def _intermediate(self, written: Written, plan: Plan, output: IO[str] | None) -> PlanGenerationResult:
        if output is not None:
            output.write(f"{plan.planner}: a plan of cost {plan.cost:g}\n")
        return PlanGenerationResult(Status.INTERMEDIATE, written.plan(plan), self.name)


class HerbrandReplanner(_Planning, ReplannerMixin):  # type: ignore[misc]
    """A planner for a problem that changes: the engine ``herbrand-replanner``.

    Parameters
    ----------
    problem : unified_planning.model.Problem
        The problem; the engine changes a copy.
    error_on_failed_checks : bool, default True
        Whether an unsupported problem, or the removal of a goal or action that the problem lacks, is an error.
        Otherwise it is a warning.
    planner, seed
        As for `HerbrandPlanner`.
    """

    title = "herbrand-replanner"

    def __init__(
        self,
        problem: UnifiedProblem,
        error_on_failed_checks: bool = True,
        planner: PlannerName | None = None,
        seed: int = 0,
    ) -> None:
        _Planning.__init__(self, planner, seed)
        ReplannerMixin.__init__(self, problem, error_on_failed_checks)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Returns whether every plan has this guarantee."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    def _resolve(self, timeout: float | None = None, output_stream: IO[str] | None = None) -> PlanGenerationResult:
        supported = self.supports(self._problem.kind)
        self._check(supported, f"We cannot establish whether {self.name} can solve this problem!")
        return self._found(self._problem, False, _Deadline(timeout), output_stream)

    def _check(self, holds: bool, text: str) -> None:
        if holds or self.skip_checks:
            return
        if self.error_on_failed_checks:
            raise UPUsageError(text)
        warn(text, stacklevel=3)

    def _update_initial_value(self, fluent: Any, value: Any) -> None:
        self._problem.set_initial_value(fluent, value)

    def _add_goal(self, goal: Any) -> None:
        self._problem.add_goal(goal)

    def _remove_goal(self, goal: Any) -> None:
        (removed,) = self._problem.environment.expression_manager.auto_promote(goal)
        goals = list(self._problem.goals)
        self._check(removed in goals, f"the problem has no goal {removed} to remove")
        self._problem.clear_goals()
        for kept in goals:
            if kept != removed:
                self._problem.add_goal(kept)

    def _add_action(self, action: UnifiedAction) -> None:
        self._problem.add_action(action)

    def _remove_action(self, name: str) -> None:
        actions = list(self._problem.actions)
        self._check(self._problem.has_action(name), f"the problem has no action {name} to remove")
        self._problem.clear_actions()
        for kept in actions:
            if kept.name != name:
                self._problem.add_action(kept)
