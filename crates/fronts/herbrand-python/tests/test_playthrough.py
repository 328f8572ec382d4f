"""The playthrough of each language: the state, the reward and the number of actions after each step.

The tests of the program, of the page and of MCP replay the same files.
"""

from __future__ import annotations

import json

import pytest

import herbrand

from conftest import ROOT


@pytest.mark.parametrize("language", ["pddl", "rddl"])
def test_a_playthrough_goes_as_recorded(language: str) -> None:
    played = json.loads((ROOT / "tests" / "playthroughs" / f"{language}.json").read_text())
    is_rddl = language == "rddl"
    env = (
        herbrand.rddl.make(played["domain"], played["problem"], actions="flat")
        if is_rddl
        else herbrand.make(played["domain"], played["problem"])
    )
    env.reset(seed=0)
    total = 0.0
    for step in played["steps"]:
        terminated = False
        if step["action"] is not None:
            _, reward, terminated, _, _ = env.step(env.action_id(step["action"]))
            total += reward
        assert (total, terminated) == (step["reward"], step["goal"])
        # In RDDL, doing nothing is a number, too.
        assert len(env.valid_actions()) == step["actions"] + is_rddl
        facts = set()
        for kind, name, arguments, value in env.facts():
            if kind == "fluent" and value is not False:
                fact = f"({' '.join((name, *arguments))})"
                facts.add(f"{fact} = {value}" if is_rddl else fact)
        assert facts >= set(step["facts"])
