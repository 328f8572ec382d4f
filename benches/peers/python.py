#!/usr/bin/env python3
"""Compares the Python package with PDDLGym and pymimir, on the same files in one run.

usage: python.py [--parts gym,walk,start,batch] [--runs 3] [--seconds 2] [--only WORD] [--instances FOLDER]

Builds a release wheel and installs it with the peers (PDDLGym and pymimir, from PyPI) into target/peers. Measures CPU time of
single-threaded processes; the sides alternate, and the fastest run of each counts.

gym    one environment with Gymnasium's interface (`PDDLEnv.sample` and `PDDLEnv.step`, with observation bits, mask and info)
       against PDDLGym's valid-action sampling (`pddlgym_walk.py`), on the files of PDDLGym's package: all problems of a domain in
       turn, 10 steps each. Herbrand's time includes the resets, PDDLGym's does not.
walk   random walks of 100 steps with all valid actions known in every state: the environment as above and the planning layer
       (`Task.valid_actions`, `Task.apply`), each against a direct use of pymimir's grounded generator; on bundled problems, or on
       competition problems (`instances.py` explains where to get those).
start  the time from the files to all successors of the first state, in CPU seconds without the imports, against pymimir's grounded
       generator. This is the time that a user waits for the first step.
batch  `VecEnv` of 1,024 environments with masks and bits, including sampling, on bundled domains, against the same loop of
       pymimir's.
"""

import argparse
import json

import instances
from peers import PYTHON, ROOT, Failed, install_wheel, run
from stepping import MIMIR, alternately, pairs, table

PINNED = ["pymimir==0.13.63", "pddlgym==0.0.7"]
WALK = ROOT / "crates" / "fronts" / "herbrand-cli" / "src" / "commands" / "bench" / "pddlgym_walk.py"
BATCHES = ["blocks", "gripper", "ferry", "sokoban", "hanoi", "elevator"]

GYM = """
import json, sys, time
import herbrand
domain, problems, seconds, steps = *sys.argv[1:3], float(sys.argv[3]), int(sys.argv[4])
env = herbrand.make(domain, problems, horizon=None, through_goals=steps == 100)
count = len(env.suite)
env.reset(seed=0)
taken = episodes = 0
start = time.process_time()
while time.process_time() < start + seconds:
    env.reset(options={"problem": episodes % count})
    episodes += 1
    for _ in range(steps):
        action = env.sample()
        _, _, terminated, _, _ = env.step(action)
        taken += 1
        if terminated:
            break
print(json.dumps({"rate": taken / (time.process_time() - start)}))
"""

LAYER = """
import json, random, sys, time
import herbrand
domain, problem, seconds = *sys.argv[1:3], float(sys.argv[3])
task = herbrand.load(domain, problem)
first = task.initial_state
applicable, successor = task.valid_actions, task.apply
draw = random.Random(0).random
steps = states = valid = 0
start = time.process_time()
while time.process_time() < start + seconds:
    state = first
    for _ in range(100):
        actions = applicable(state)
        states += 1
        valid += len(actions)
        if not actions:
            break
        state = successor(state, actions[int(draw() * len(actions))])
        steps += 1
print(json.dumps({"rate": steps / (time.process_time() - start), "valid": valid / states}))
"""

START = """
import json, sys, time
import herbrand
start = time.process_time()
task = herbrand.load(sys.argv[1], sys.argv[2])
state = task.initial_state
successors = [task.apply(state, action) for action in task.valid_actions(state)]
print(json.dumps({"rate": 1 / (time.process_time() - start), "valid": len(successors)}))
"""

MIMIR_START = """
import json, sys, time
import pymimir
start = time.process_time()
problem = pymimir.Problem(pymimir.Domain(sys.argv[1]), sys.argv[2], "grounded")
context = problem._search_context
repository = context.get_state_repository()
state = repository.get_or_create_initial_state()[0]
actions = context.get_applicable_action_generator().generate_applicable_actions(state)
successors = [repository.get_or_create_successor_state(state, action, 0.0) for action in actions]
print(json.dumps({"rate": 1 / (time.process_time() - start), "valid": len(successors)}))
"""

BATCH = """
import json, sys, time
import herbrand
domain, problem, seconds, copy = *sys.argv[1:3], float(sys.argv[3]), sys.argv[4] == "copy"
envs = herbrand.VecEnv(domain, problem=problem, num_envs=1024, horizon=100, operators=True, copy=copy)
envs.reset(seed=0)
steps = 0
start = time.process_time()
while time.process_time() < start + seconds:
    for _ in range(20):
        envs.step(envs.sample())
    steps += 20 * 1024
print(json.dumps({"rate": steps / (time.process_time() - start), "actions": int(envs.single_action_space.n)}))
"""


def ours(code, *arguments, options):
    printed, _ = run([PYTHON, "-c", code, *map(str, arguments)], options.limit)
    return json.loads(printed.splitlines()[-1])


def mimir(domain, problem, options):
    return ours(MIMIR, "grounded", domain, problem, options.seconds, options=options)


def pddlgym(domain, problems, options):
    command = [PYTHON, WALK, "--limit", str(options.peer_seconds), "--steps", "10", domain, problems]
    printed, _ = run(command, options.limit)
    found = json.loads(printed.splitlines()[-1])
    if found["error"] or not found.get("steps_per_s"):
        raise Failed(f"PDDLGym: {found['error'] or 'no step in time'}")
    return {"rate": found["steps_per_s"]}


def gym_row(options):
    def measure(domain, problems):
        left, right = alternately(
            lambda: ours(GYM, domain, problems, options.seconds, 10, options=options),
            lambda: pddlgym(domain, problems, options),
            options.runs,
            "rate",
        )
        return [f"{left['rate']:,.0f}", f"{right['rate']:,.1f}"], [left["rate"] / right["rate"]]

    return measure


def walk_row(options):
    def measure(domain, problem):
        environment = max(
            (ours(GYM, domain, problem, options.seconds, 100, options=options) for _ in range(options.runs)),
            key=lambda row: row["rate"],
        )
        layer, theirs = alternately(
            lambda: ours(LAYER, domain, problem, options.seconds, options=options),
            lambda: mimir(domain, problem, options),
            options.runs,
            "rate",
        )
        rates = [environment["rate"], layer["rate"], theirs["rate"]]
        cells = [f"{layer['valid']:.1f}", f"{theirs['valid']:.1f}", *(f"{rate:,.0f}" for rate in rates)]
        return cells, [rates[0] / rates[2], rates[1] / rates[2]]

    return measure


def start_row(options):
    def measure(domain, problem):
        own, theirs = alternately(
            lambda: ours(START, domain, problem, options=options),
            lambda: ours(MIMIR_START, domain, problem, options=options),
            options.runs,
            "rate",
        )
        cells = [str(own["valid"]), str(theirs["valid"]), *(f"{1000 / side['rate']:,.1f}" for side in (own, theirs))]
        return cells, [own["rate"] / theirs["rate"]]

    return measure


def batch_row(options):
    def measure(domain, problem):
        own, theirs = alternately(
            lambda: ours(BATCH, domain, problem, options.seconds, "own", options=options),
            lambda: mimir(domain, problem, options),
            options.runs,
            "rate",
        )
        copied = ours(BATCH, domain, problem, options.seconds, "copy", options=options)
        cells = [str(own["actions"]), *(f"{side['rate']:,.0f}" for side in (own, copied, theirs))]
        return cells, [side["rate"] / theirs["rate"] for side in (own, copied)]

    return measure


def pddlgym_files(options):
    return [(str(domain), str(problems)) for name, domain, problems in instances.pddlgym(PYTHON) if options.only in name]


def bundled(options):
    folders = [ROOT / "domains" / name for name in BATCHES if options.only in name]
    return [(str(folder / "domain.pddl"), str(folder / "train" / "01.pddl")) for folder in folders]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="gym,walk,start,batch", help="what to measure (default gym,walk,start,batch)")
    parser.add_argument("--only", default="", metavar="WORD", help="only files whose path has this in it")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side; the fastest counts (default 3)")
    parser.add_argument("--seconds", type=float, default=2, help="seconds of a walk (default 2)")
    parser.add_argument("--peer-seconds", type=float, default=5, help="seconds of PDDLGym's walks (default 5)")
    parser.add_argument("--limit", type=float, default=60, help="seconds any process may take (default 60)")
    parser.add_argument("--instances", metavar="FOLDER", help="a folder of competition suites, for the walks")
    parser.add_argument("--installed", action="store_true", help="build and install nothing")
    options = parser.parse_args()
    options.files = []
    if not options.installed:
        install_wheel(PINNED)
    parts = options.parts.split(",")
    if "gym" in parts:
        head = ["ours, steps/s", "PDDLGym", "ratio"]
        table("One environment, beside PDDLGym's valid-action sampling", head, pddlgym_files(options), gym_row(options))
    if "walk" in parts:
        head = ["valid, ours", "pymimir's", "environment", "planning layer", "pymimir", "env ratio", "layer ratio"]
        table("Random walks, beside pymimir's grounded ones", head, pairs(options), walk_row(options))
    if "start" in parts:
        head = ["valid, ours", "pymimir's", "ours, ms", "pymimir", "ratio"]
        table("From the files to the first successors, beside pymimir", head, pairs(options), start_row(options))
    if "batch" in parts:
        head = ["actions", "in place", "copied", "pymimir", "ratio", "ratio, copied"]
        table("VecEnv of 1,024, beside pymimir's loop", head, bundled(options), batch_row(options))


if __name__ == "__main__":
    main()
