"""Herbrand's validator of plans as an engine of Unified Planning."""

from __future__ import annotations

from typing import Any

from unified_planning.engines import FailedValidationReason, ValidationResult, ValidationResultStatus
from unified_planning.engines.mixins import PlanValidatorMixin
from unified_planning.engines.sequential_simulator import (
    evaluate_quality_metric,
    evaluate_quality_metric_in_initial_state,
)
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError
from unified_planning.model import Problem as UnifiedProblem
from unified_planning.plans import ActionInstance, PlanKind, SequentialPlan

from .kinds import SIMULATED, HerbrandEngine, message
from .simulator import HerbrandSimulator

__all__ = ["HerbrandValidator"]


class HerbrandValidator(HerbrandEngine, PlanValidatorMixin):  # type: ignore[misc]
    """Herbrand's validator of sequential plans: the engine ``herbrand-validator``.

    The result has the states of the plan up to the first fault (`HerbrandState`), the action that is not applicable, a
    message that says why, and the value of the metric.
    """

    features = SIMULATED
    title = "herbrand-validator"

    def __init__(self, **options: Any) -> None:
        HerbrandEngine.__init__(self)
        PlanValidatorMixin.__init__(self)

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Returns whether the engine supports plans of this kind."""
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    def _validate(self, problem: UnifiedProblem, plan: SequentialPlan) -> ValidationResult:
        if len(problem.quality_metrics) > 1:
            raise UPProblemDefinitionError("Unified Planning does not support several metrics of one problem")
        simulator = HerbrandSimulator(problem, error_on_failed_checks=self.error_on_failed_checks)
        metric = problem.quality_metrics[0] if problem.quality_metrics else None
        value: Any = None if metric is None else evaluate_quality_metric_in_initial_state(simulator, metric)
        trace = [simulator.get_initial_state()]
        for number, step in enumerate(plan.actions, 1):
            arguments = step.actual_parameters
            try:
                successor = simulator.apply(trace[-1], step)
                why = None if successor else simulator.explain(trace[-1], step.action, arguments)
            except UPUsageError as error:
                successor, why = None, str(error)
            if successor is None:
                return self._invalid(f"step {number}, {step}, is not applicable: {why}", trace, step)
            if metric is not None:
                ends = (trace[-1], step.action, arguments, successor)
                value = evaluate_quality_metric(simulator, metric, value, *ends)
            trace.append(successor)
        open_goals = simulator.get_unsatisfied_goals(trace[-1])
        if open_goals:
            return self._invalid(f"goals that the plan does not reach: {', '.join(map(str, open_goals))}", trace, None)
        values = None if metric is None else {metric: value}
        return ValidationResult(ValidationResultStatus.VALID, self.name, [], values, trace=trace)

    def _invalid(self, text: str, trace: list[Any], step: ActionInstance | None) -> ValidationResult:
        reasons = FailedValidationReason
        reason = reasons.UNSATISFIED_GOALS if step is None else reasons.INAPPLICABLE_ACTION
        logs = [message(text)]
        return ValidationResult(ValidationResultStatus.INVALID, self.name, logs, None, reason, step, trace=trace)
