#!/usr/bin/env python3
"""Compares straight-line plans with JaxPlanner (pyRDDLGym-jax) at equal wall-clock time, problem by problem, in one run.

usage: rddl_planners.py [--seconds 20] [--seeds 1] [--episodes 30] [--only TEXT] [--bundled]

Needs the package herbrand for the Python of this script; installs the peer (pyRDDLGym, pyRDDLGym-jax and rddlrepository, from PyPI)
into target/rddl-peers. The problems are the ones for which JaxPlanner has a tuned configuration, which it uses on one core for
--seconds seconds. Its compilation time is reported but not counted. Herbrand plans with the planner "auto" and its defaults on one
core. Its time includes reading and compiling the texts. pyRDDLGym's simulator executes both plans with the same seeds.

With --bundled, the problems are the first instances of eleven environments that Herbrand bundles, JaxPlanner has its default
configuration for all of them, and Herbrand plans with "gradient". As in JaxPlanner, plans may violate preconditions, which
pyRDDLGym's simulator ignores.

A cell has the mean return and half of its 95 % confidence interval. With several seeds, each side plans once with each, and a cell has
the mean over all plans and those of the worst and the best plan. Herbrand counts as at least as good if its mean is not below
JaxPlanner's, except for rounding. The load of the machine is that of the last minute.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import time

from rddl_peers import PYTHON, ROOT, archive, install, printed

# Folder and instance in rddlrepository, and the configuration of JaxPlanner.
PROBLEMS = {
    "CartPole continuous": ("gym/CartPole/Continuous", 0, "Cartpole_Continuous_gym_slp"),
    "MountainCar continuous": ("gym/MountainCar/Continuous", 0, "MountainCar_Continuous_gym_slp"),
    "Wildfire-3": ("competitions/IPPC2014/Wildfire/MDP", 3, "Wildfire_MDP_ippc2014_slp"),
    "Reservoir continuous": ("standalone/Reservoir/Continuous", 0, "Reservoir_Continuous_slp"),
    "HVAC-1": ("competitions/IPPC2023/HVAC", 1, "HVAC_ippc2023_slp"),
    "UAV continuous": ("standalone/UAV/Continuous", 0, "UAV_Continuous_slp"),
    "PowerGen continuous": ("standalone/PowerGen/Continuous", 0, "PowerGen_Continuous_slp"),
    "Quadcopter": ("physics/Quadcopter", 0, "Quadcopter_slp"),
}

# Environments of --bundled.
BUNDLED = [
    "cartpole-continuous",
    "mountain-car",
    "racing-car",
    "uav-continuous",
    "power-unit-commitment-continuous",
    "supply-chain",
    "elevators",
    "traffic",
    "mars-rover",
    "fire-fighting",
    "recommender-system",
]

# The evaluation of both sides.
EVALUATE = """
import json, logging, os, sys, time, warnings
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
import pyRDDLGym
from pyRDDLGym.core.policy import BaseAgent
domain, instance, episodes = sys.argv[1], sys.argv[2], int(sys.argv[3])
def evaluate(agent, vectorized):
    env = pyRDDLGym.make(domain, instance, vectorized=vectorized)
    paid = agent.evaluate(env, episodes=episodes, seed=42)
    return [float(paid["mean"]), float(paid["std"])]
"""

THEIRS = EVALUATE + """
import jax, pyRDDLGym_jax
from pyRDDLGym_jax.core.planner import load_config, JaxBackpropPlanner, JaxOfflineController
path = os.path.join(os.path.dirname(pyRDDLGym_jax.__file__), "examples", "configs", sys.argv[4] + ".cfg")
planner_args, _, train_args = load_config(path)
begin = time.perf_counter()
model = pyRDDLGym.make(domain, instance, vectorized=True).model
planner = JaxBackpropPlanner(rddl=model, **planner_args)
# A few steps of descent compile what the others need.
few = dict(train_args, epochs=3, train_seconds=600, print_progress=False, print_summary=False)
planner.optimize(**few)
compiled = time.perf_counter() - begin
train_args.update(epochs=10**9, train_seconds=float(sys.argv[5]), print_progress=False, print_summary=False)
paid, planned = [], 0.0
for seed in range(int(sys.argv[6])):
    train_args["key"] = jax.random.PRNGKey(seed)
    begin = time.perf_counter()
    controller = JaxOfflineController(planner, **train_args)
    planned = max(planned, time.perf_counter() - begin)
    paid.append(evaluate(controller, True))
print()
print(json.dumps([paid, planned, compiled]))
"""

OURS = EVALUATE + """
with open(sys.argv[4]) as file:
    plans = json.load(file)
class Follow(BaseAgent):
    use_tensor_obs = False
    def __init__(self, plan):
        self.plan = plan
    def reset(self):
        self.step = 0
    def sample_action(self, state):
        action = self.plan[self.step] if self.step < len(self.plan) else {}
        self.step += 1
        return action
print(json.dumps([evaluate(Follow(plan), False) for plan in plans]))
"""


def plan(domain, instance, seconds, planner, seeds):
    """Returns the actions of a plan by seed, and the longest time to find one."""
    import herbrand

    plans, longest = [], 0.0
    for seed in range(seeds):
        begin = time.perf_counter()
        task = herbrand.rddl.rddl_suite(domain, instance).task(0)
        found = task.plan(planner=planner, lookahead=task.horizon, time=seconds, seed=seed, enforced=planner == "auto")
        plans.append(list(found.actions))
        longest = max(longest, time.perf_counter() - begin)
    return [plans, longest]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--episodes", type=int, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--bundled", action="store_true")
    parser.add_argument("--plan", nargs=2, metavar=("DOMAIN", "INSTANCE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.plan:
        planner = "gradient" if options.bundled else "auto"
        print(json.dumps(plan(*options.plan, options.seconds, planner, options.seeds)))
        return
    install(["pyRDDLGym", "pyRDDLGym_jax", "rddlrepository"])

    def mean(paid):
        return sum(mean for mean, _ in paid) / len(paid)

    def cell(paid):
        if len(paid) > 1:
            means = [mean for mean, _ in paid]
            return f"{mean(paid):,.2f} ({min(means):,.2f} to {max(means):,.2f})"
        [(only, deviation)] = paid
        return f"{only:,.2f} ± {1.96 * deviation / math.sqrt(options.episodes):,.2f}"

    good, count = 0, 0
    print(f"{'problem':34}{'JaxPlanner':>42}{'compiles s':>12}{'plans s':>9}{'herbrand':>42}{'in all s':>10}{'load':>6}")
    if options.bundled:
        problems = {name: (ROOT / "domains" / "rddl" / name, "1.rddl", "default_slp") for name in BUNDLED}
    else:
        problems = {
            name: (archive() / folder, f"instance{number}.rddl", configuration)
            for name, (folder, number, configuration) in PROBLEMS.items()
        }
    for name, (folder, instance, configuration) in problems.items():
        if options.only not in name:
            continue
        pair = [str(folder / file) for file in ("domain.rddl", instance)]
        evaluated = [*pair, str(options.episodes)]
        command = [str(PYTHON), "-c", THEIRS, *evaluated, configuration, str(options.seconds), str(options.seeds)]
        try:
            theirs, planned, compiled = printed(command, one_core=True)
        except SystemExit as error:
            # The peer does not support every construct.
            theirs, planned, compiled = None, math.nan, math.nan
            print(f"{name}: JaxPlanner: {str(error).splitlines()[-1][:160]}", file=sys.stderr)
        command = [sys.executable, __file__, "--seconds", str(options.seconds), "--seeds", str(options.seeds), "--plan", *pair]
        command += ["--bundled"] if options.bundled else []
        plans, took = printed(command, one_core=True)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(plans, file)
            file.flush()
            ours = printed([str(PYTHON), "-c", OURS, *evaluated, file.name], one_core=True)
        load = os.getloadavg()[0]
        if theirs is None:
            print(f"{name:34}{'failed':>42}{'':21}{cell(ours):>42}{took:10.1f}{load:6.1f}", flush=True)
            continue
        is_good = mean(ours) >= mean(theirs) - 1e-6 * abs(mean(theirs))
        good, count = good + is_good, count + 1
        print(f"{name:34}{cell(theirs):>42}{compiled:12.1f}{planned:9.1f}{cell(ours):>42}{took:10.1f}{load:6.1f}"
              f"{'' if is_good else ' (worse)'}", flush=True)
    print(f"at least as good on {good} of {count}")


if __name__ == "__main__":
    main()
