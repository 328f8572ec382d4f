"""Tests of the interface of pddlgym_planners."""

from __future__ import annotations

import herbrand.compat.pddlgym as pddlgym
import pytest
from herbrand.compat.pddlgym_planners.fd import FD
from herbrand.compat.pddlgym_planners.ff import FF
from herbrand.compat.pddlgym_planners.planner import PlanningFailure, PlanningTimeout


def test_pddlgym_planners_have_their_interface() -> None:
    env = pddlgym.make("PDDLEnvBlocks-v0")
    env.fix_problem_index(1)
    state, _ = env.reset()
    for planner in (FF(), FD(), FD("--alias lama-first")):
        at, done = state, False
        env.set_state(state)
        plan = planner(env.domain, at)
        for action in plan:
            at, _, done, _, _ = env.step(action)
        assert done
        statistics = planner.get_statistics()
        assert statistics["plan_length"] == len(plan) == statistics["plan_cost"]
        assert statistics["num_node_expansions"] > 0
        assert 0 <= statistics["search_time"] <= statistics["total_time"]
        before = statistics["num_node_expansions"]
        planner(env.domain, state)
        assert planner.get_statistics()["num_node_expansions"] == 2 * before
        planner.reset_statistics()
        assert planner.get_statistics() == {}
        with pytest.raises(PlanningFailure, match="horizon"):
            planner(env.domain, state, horizon=len(plan) - 1)
        with pytest.raises(PlanningTimeout):
            planner(env.domain, state, timeout=0)
    with pytest.raises(ValueError, match="seq-opt-lmcut"):
        FD(final_flags="--search magic")
