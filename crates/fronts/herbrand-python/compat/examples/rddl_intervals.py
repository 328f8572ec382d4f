#!/usr/bin/env python3
"""Interval bounds of a policy's rewards: the script `run_intervals` of pyRDDLGym with other imports.

usage: rddl_intervals.py DOMAIN INSTANCE {random,noop} {support,mean,P}

Draws range over their supports, equal their means, or range between their P- and (1 - P)-quantiles.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import herbrand.compat.pyrddlgym as pyRDDLGym
from herbrand.compat.pyrddlgym.core.intervals import (
    RDDLIntervalAnalysis,
    RDDLIntervalAnalysisMean,
    RDDLIntervalAnalysisPercentile,
)


def main(domain: str, instance: str, policy: str, method: str) -> None:
    env = pyRDDLGym.make(domain, instance, vectorized=True)
    if method == "support":
        analysis = RDDLIntervalAnalysis(env.model)
    elif method == "mean":
        analysis = RDDLIntervalAnalysisMean(env.model)
    else:
        share = float(method)
        analysis = RDDLIntervalAnalysisPercentile(env.model, (share, 1 - share))
    actions: dict[str, tuple[Any, Any]] | None = None
    if policy == "random":
        actions = {}
        for name, range in env.model.action_ranges.items():
            low, high = env._bounds[name]
            if range == "bool":
                low, high = np.zeros(np.shape(low)), np.ones(np.shape(high))
            actions[name] = (low, high)
    low, high = analysis.bound(action_bounds=actions, per_epoch=True)["reward"]
    print(f"value lower bound = {np.sum(low)}, value upper bound = {np.sum(high)}")
    env.close()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
