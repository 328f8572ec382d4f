"""Interval bounds of all fluents and of the reward, with the interface of ``pyRDDLGym.core.intervals``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .compiler.model import RDDLPlanningModel

__all__ = ["RDDLIntervalAnalysis", "RDDLIntervalAnalysisMean", "RDDLIntervalAnalysisPercentile"]

Bounds = dict[str, tuple[Any, Any]]


class RDDLIntervalAnalysis:
    """Computes bounds over the horizon of an instance. A draw ranges over the support of its distribution.

    Parameters
    ----------
    rddl : RDDLPlanningModel
        The model, as in ``env.model``.
    logger
        Ignored.
    """

    def __init__(self, rddl: RDDLPlanningModel, logger: Any = None) -> None:
        self.rddl = rddl
        self.logger = logger

    def _spread(self) -> dict[str, Any]:
        return {}

    def bound(
        self,
        action_bounds: Mapping[str, tuple[Any, Any]] | None = None,
        per_epoch: bool = False,
        state_bounds: Mapping[str, tuple[Any, Any]] | None = None,
    ) -> Bounds:
        """Computes the lower and upper bounds, as arrays by pvariable.

        Parameters
        ----------
        action_bounds : mapping, optional
            Bounds of action fluents. Missing fluents have their defaults, as with ``NoOpAgent``.
        per_epoch : bool
            Whether the first axis of arrays is the step. If not, the bounds hold in all steps.
        state_bounds : mapping, optional
            Bounds of state fluents before the first step. Missing fluents have their initial values.
        """
        task = self.rddl.task
        actions = {name: (float(value), float(value)) for name, value in self._defaults().items()}
        actions.update(self._ground(action_bounds))
        found = task.bounds(actions=actions, states=self._ground(state_bounds), **self._spread())
        steps = found["steps"]
        bounds: Bounds = {}
        names = [*self.rddl.state_fluents, *self.rddl.action_fluents, *self.rddl.interm_fluents]
        names += [*self.rddl.derived_fluents, *self.rddl.observ_fluents]
        for name in dict.fromkeys(names):
            ground = self.rddl.variable_groundings[name]
            series = [found["fluents"][one] for one in ground]
            bounds[name] = self._arrays(series, self.rddl.object_counts(self.rddl.variable_params[name]), steps, per_epoch)
        for name, primed in self.rddl.next_state.items():
            series = [found["fluents"][one + "'"] for one in self.rddl.variable_groundings[name]]
            shape = self.rddl.object_counts(self.rddl.variable_params[name])
            bounds[primed] = self._arrays(series, shape, steps, per_epoch)
        bounds["reward"] = self._arrays([found["reward"]], (), steps, per_epoch)
        return bounds

    def _defaults(self) -> dict[str, Any]:
        task = self.rddl.task
        defaults: dict[str, Any] = {}
        for name, value in task.no_action.items():
            range = self.rddl.variable_ranges[self.rddl.parse_grounded(name)[0]]
            objects = self.rddl.type_to_objects.get(range)
            defaults[name] = objects.index(value) if objects is not None and value in objects else value
        return defaults

    def _ground(self, bounds: Mapping[str, tuple[Any, Any]] | None) -> dict[str, tuple[float, float]]:
        """Converts bounds, given by ground variable or as arrays by pvariable, to bounds by ground variable."""
        ground: dict[str, tuple[float, float]] = {}
        for name, (low, high) in (bounds or {}).items():
            ones = self.rddl.variable_groundings.get(name, [name])
            lows = np.broadcast_to(np.asarray(low, dtype=float).reshape(-1), (len(ones),))
            highs = np.broadcast_to(np.asarray(high, dtype=float).reshape(-1), (len(ones),))
            ground.update({one: (float(a), float(b)) for one, a, b in zip(ones, lows, highs, strict=True)})
        return ground

    @staticmethod
    def _arrays(series: list[Any], shape: tuple[int, ...], steps: int, per_epoch: bool) -> tuple[Any, Any]:
        # # The axes are fluent, step, and end of the interval.
        ends = np.array(series, dtype=float).reshape(len(series), steps, 2)
        low, high = (ends[:, :, end].T.reshape(steps, *shape) for end in (0, 1))
        if per_epoch:
            return low, high
        return low.min(axis=0), high.max(axis=0)


class RDDLIntervalAnalysisPercentile(RDDLIntervalAnalysis):
    """Computes bounds under the assumption that draws are between two quantiles of their distributions.

    Parameters
    ----------
    rddl : RDDLPlanningModel
    percentiles : pair of float
        The lower and the upper quantile, between 0 and 1.
    logger
        Ignored.
    """

    def __init__(self, rddl: RDDLPlanningModel, percentiles: tuple[float, float], logger: Any = None) -> None:
        super().__init__(rddl, logger)
        low, high = percentiles
        if not 0 < low <= high < 1:
            raise ValueError(f"percentiles are between 0 and 1, the lower one first, not {percentiles}")
        self.percentiles = low, high

    def _spread(self) -> dict[str, Any]:
        return {"between": self.percentiles}


class RDDLIntervalAnalysisMean(RDDLIntervalAnalysis):
    """Computes bounds with each draw replaced by its mean; without a mean, by its support."""

    def _spread(self) -> dict[str, Any]:
        return {"mean": True}
