#!/usr/bin/env python3
"""Checks the bundled RDDL environments with pyRDDLGym, and measures three policies on each instance.

usage: rddl_worlds.py [--episodes 10] [--instances 1-5] [--json FILE] [ENVIRONMENT ...]

Needs `pip install pyRDDLGym==2.7 numpy`. Reports for each instance the mean undiscounted return of the empty joint action, of random
actions, and of the policy in `rddl_policies.py`. A random step draws as many ground actions as max-nondef-actions allows, each from
its space; if a precondition fails, it draws half as many, down to none. The run fails if the hand-written policy violates a
precondition, if a reward is not finite, if an invariant is violated, or if the policy is not better than the empty joint action.
"""

import argparse
import json
import logging
import math
import pathlib
import random
import statistics
import sys
import warnings

from rddl_policies import POLICIES, View

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

ROOT = pathlib.Path(__file__).resolve().parents[2] / "domains" / "rddl"


def load(name, instance):
    import pyRDDLGym

    folder = ROOT / name
    return pyRDDLGym.make(str(folder / "domain.rddl"), str(folder / f"{instance}.rddl"))


def view(env):
    model = env.model
    named = {}
    for values in (model.non_fluents, model.state_fluents):
        for key, value in model.ground_vars_with_values(values).items():
            kind = model.variable_ranges[model.parse_grounded(key)[0]]
            known = kind in ("bool", "int", "real") or isinstance(value, str)
            named[key] = plain(value) if known else model.index_to_object_string_array(kind, [value])[0]
    seen = View(model.type_to_objects, named, model.variable_params, {})
    seen.memory["max-nondef-actions"] = env.max_allowed_actions
    seen.memory["partial"] = bool(model.observ_fluents)
    return seen


def plain(value):
    return value.item() if hasattr(value, "item") else value


def nothing(env, seen, rng):
    return {}


def by_chance(env, seen, rng):
    names = list(env.action_space.spaces)
    count = min(env.max_allowed_actions, len(names))
    while count:
        chosen = {name: plain(env.action_space[name].sample()) for name in rng.sample(names, count)}
        prepared = env.sampler.prepare_actions_for_sim(chosen)
        if env.sampler.check_action_preconditions(prepared, silent=True):
            return chosen
        count //= 2
    return {}


def by_hand(env, seen, rng):
    actions = POLICIES[seen.memory["name"]](seen)
    prepared = env.sampler.prepare_actions_for_sim(actions)
    env.sampler.check_action_preconditions(prepared, silent=False)
    return actions


def episodes(name, instance, policy, count):
    """Returns the returns of some episodes, the number of terminations, and the numbers of steps."""
    env = load(name, instance)
    env.seed(1)
    env.action_space.seed(1)
    rng, returns, endings, steps = random.Random(1), [], 0, 0
    for _ in range(count):
        observation, _ = env.reset()
        seen, total, over = view(env), 0.0, env.done
        seen.memory["name"] = name
        if not seen.memory["partial"]:
            seen.see(observation)
        while not over:
            observation, reward, terminated, truncated, _ = env.step(policy(env, seen, rng))
            if not math.isfinite(reward):
                sys.exit(f"{name} {instance}: the reward is {reward}")
            if truncated and not terminated and not env.sampler.check_state_invariants(silent=True):
                sys.exit(f"{name} {instance}: an invariant fails")
            seen.see({key: plain(value) for key, value in observation.items()})
            total, steps, over = total + float(reward), steps + 1, terminated or truncated
            endings += terminated
        returns.append(total)
    return {"mean": statistics.fmean(returns), "spread": statistics.pstdev(returns), "endings": endings, "steps": steps}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("environments", nargs="*", metavar="ENVIRONMENT")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--instances", default="1-5", help="such as 1-5 or 2")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows to this file")
    options = parser.parse_args()
    first, _, last = options.instances.partition("-")
    rows, failed = [], 0
    for name in options.environments or sorted(path.name for path in ROOT.iterdir() if path.is_dir()):
        for instance in range(int(first), int(last or first) + 1):
            policies = {"nothing": nothing, "random": by_chance, "hand": by_hand}
            row = {key: episodes(name, instance, policy, options.episodes) for key, policy in policies.items()}
            env = load(name, instance)
            env.reset()
            sizes = {"objects": sum(len(v) for v in env.model.type_to_objects.values()),
                     "states": len(env.model.ground_vars_with_values(env.model.state_fluents)),
                     "actions": len(env.action_space.spaces), "horizon": env.horizon,
                     "at_most": env.max_allowed_actions,
                     "observations": len(env.model.ground_vars_with_values(env.model.observ_fluents))}
            rows.append({"environment": name, "instance": instance, **sizes, **row})
            means = "".join(f"{key} {value['mean']:>11.2f} ±{value['spread']:<9.2f}" for key, value in row.items())
            worse = row["hand"]["mean"] <= row["nothing"]["mean"]
            failed += worse
            ends = "/".join(str(row[key]["endings"]) for key in row)
            print(f"{name:34}{instance} {means} ends {ends}{' WORSE' if worse else ''}", flush=True)
    if options.json:
        options.json.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    sys.exit(f"{failed} instances where the hand policy is no better than doing nothing" if failed else 0)


if __name__ == "__main__":
    main()
