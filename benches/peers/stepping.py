#!/usr/bin/env python3
"""Compares stepping with pymimir and Fast Downward, on the same files in one run.

usage: stepping.py [--parts walk,search,lifted] [--runs 3] [--seconds 2] [--only WORD] [--instances FOLDER]
                   [DOMAIN PROBLEM ...]

Without files, takes bundled problems, or competition problems (`instances.py` explains where to get those). Installs the peers
(pymimir and up-fast-downward, from PyPI) into target/peers. Measures CPU time of single-threaded processes; the sides alternate, and
the fastest run of each counts.

walk    random walks with all valid actions known in every state, restarted after 100 steps, continuing past goals:
        `herbrand rollout` against a direct use of pymimir's grounded successor generator (its `State` objects sort and wrap every
        list, which halves the speed). Herbrand's time includes reading and grounding.
lifted  the same with pymimir's lifted generator, if this `herbrand rollout` has `--engine lifted`.
search  breadth-first search with duplicate detection: `StateSpace` without transitions against Fast Downward's `astar(blind())`, which is stopped
        after some seconds; Herbrand then finds as many states. Fast Downward omits operators that change nothing, so the ratio of
        expanded states per second is more meaningful than that of generated ones.

pymimir lists an action once per way to satisfy its precondition. Its walk is therefore not uniform over actions with disjunctive
preconditions, and the mean numbers of valid actions differ there.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

import instances
from peers import (
    PYTHON,
    ROOT,
    TARGET,
    Failed,
    geometric_mean,
    install,
    installed,
    run,
    with_declared_features,
)

PINNED = ["pymimir==0.13.63", "up-fast-downward==1.0.0"]
INSTANCES = [
    "blocks/probBLOCKS-8-0",
    "blocks/probBLOCKS-17-0",
    "gripper/prob20",
    "sokoban-opt08-strips/p10",
    "depot/p10",
    "satellite/p10-pfile10",
    "miconic-fulladl/f10-0",
    "schedule/probschedule-10-0",
    "philosophers/p05-phil6",
    "psr-middle/p10-s45-n3-l5-f30",
]

MIMIR = """
import json, random, sys, time
import pymimir
mode, domain, problem, seconds = *sys.argv[1:4], float(sys.argv[4])
problem = pymimir.Problem(pymimir.Domain(domain), problem, mode)
context = problem._search_context
applicable = context.get_applicable_action_generator().generate_applicable_actions
repository = context.get_state_repository()
first, successor = repository.get_or_create_initial_state()[0], repository.get_or_create_successor_state
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
        state = successor(state, actions[int(draw() * len(actions))], 0.0)[0]
        steps += 1
print(json.dumps({"rate": steps / (time.process_time() - start), "valid": valid / states}))
"""


def build():
    cargo = ["cargo", "build", "--release", "--quiet"]
    subprocess.run([*cargo, "-p", "herbrand-cli"], cwd=ROOT, check=True)
    subprocess.run([*cargo, "-p", "herbrand-step", "--example", "search"], cwd=ROOT, check=True)


def our_walk(domain, problem, options, *more):
    command = [TARGET / "release" / "herbrand", "rollout", "--domain", domain, "--problem", problem, "--format", "json"]
    command += ["--seconds", str(options.seconds), "--threads", "1", "--steps", "100", "--through-goals", *more]
    printed, seconds = run(command, options.limit)
    row = json.loads(printed)["rows"][0]
    return {"rate": row["steps"] / seconds, "valid": row["mean_valid_actions"]}


def mimir_walk(domain, problem, mode, options):
    with tempfile.TemporaryDirectory() as scratch:
        declared = pathlib.Path(scratch) / "domain.pddl"
        declared.write_text(with_declared_features(pathlib.Path(domain).read_text()))
        printed, _ = run([PYTHON, "-c", MIMIR, mode, declared, problem, str(options.seconds)], options.limit)
    return json.loads(printed.splitlines()[-1])


def fast_downward(domain, problem, options):
    """Returns the rates of Fast Downward's search, and the number of states that it found."""
    folder = installed("up_fast_downward/downward/builds/release/bin")
    with tempfile.TemporaryDirectory() as scratch:
        sas = pathlib.Path(scratch) / "task.sas"
        run([PYTHON, "-m", "fast_downward.translate", domain, problem, "--sas-file", sas], options.limit, cwd=folder)
        command = [folder / "downward", "--search", f"astar(blind(),max_time={options.search_seconds})"]
        command += ["--internal-plan-file", f"{scratch}/plan"]
        with sas.open() as text:
            done = subprocess.run(command, stdin=text, capture_output=True, text=True, timeout=options.limit)
    number = lambda pattern: float(re.search(pattern, done.stdout)[1])
    seconds = number(r"\] Search time: ([\d.]+)s")
    return {
        "generated": number(r"Generated (\d+) state") / seconds,
        "expanded": number(r"Expanded (\d+) state") / seconds,
        "states": int(number(r"Number of registered states: (\d+)")),
    }


def our_search(domain, problem, states, options):
    program = TARGET / "release" / "examples" / "search"
    printed, whole = run([program, domain, problem, str(states)], options.limit)
    _, compiling = run([program, domain, problem, "0"], options.limit)
    found = json.loads(printed)
    seconds = max(whole - compiling, 1e-4)
    return {
        "generated": found["generated"] / seconds,
        "expanded": found["expanded"] / seconds,
        "states": found["states"],
        "bytes": found["bytes"] / found["states"],
    }


def fastest(measure, runs, key):
    return max((measure() for _ in range(runs)), key=lambda row: row[key])


def alternately(one, other, runs, key):
    """Returns the fastest run of each of two sides that alternate."""
    pairs = [(one(), other()) for _ in range(runs)]
    return tuple(max(rows, key=lambda row: row[key]) for rows in zip(*pairs))


def instance_name(problem):
    """Returns the end of a problem's path: its folder and name, preceded by the domain's for `train` and `test`."""
    parts = pathlib.Path(problem).parts
    count = 3 if parts[-2] in ("train", "test") else 2
    return "/".join(parts[-count:]).removesuffix(".pddl")[:33]


def table(title, head, pairs, measure):
    """Prints a row per instance, then mean and minimum of the ratios, which `measure` returns separately."""
    print(f"\n{title}\n{'instance':<34}" + "".join(f"{cell:>16}" for cell in head), flush=True)
    all_ratios = []
    for domain, problem in pairs:
        name = instance_name(problem)
        try:
            cells, ratios = measure(domain, problem)
        except Failed as failed:
            print(f"{name:<34}  {failed}", flush=True)
            continue
        all_ratios.append(ratios)
        cells += [f"{ratio:.1f}" for ratio in ratios]
        print(f"{name:<34}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    columns = list(zip(*all_ratios))
    for name, fold in (("geometric mean", geometric_mean), ("least", min)):
        cells = [f"{fold(column):.1f}" for column in columns]
        print(f"{name:<34}" + "".join(f"{cell:>16}" for cell in [""] * (len(head) - len(cells)) + cells))


def walk_row(mode, options, *more):
    def measure(domain, problem):
        ours, theirs = alternately(
            lambda: our_walk(domain, problem, options, *more),
            lambda: mimir_walk(domain, problem, mode, options),
            options.runs,
            "rate",
        )
        cells = [f"{ours['valid']:.1f}", f"{theirs['valid']:.1f}", f"{ours['rate']:,.0f}", f"{theirs['rate']:,.0f}"]
        return cells, [ours["rate"] / theirs["rate"]]

    return measure


def search_row(options):
    def measure(domain, problem):
        theirs = fastest(lambda: fast_downward(domain, problem, options), 1, "expanded")
        ours, again = alternately(
            lambda: our_search(domain, problem, theirs["states"], options),
            lambda: fast_downward(domain, problem, options),
            options.runs,
            "expanded",
        )
        theirs = max(theirs, again, key=lambda row: row["expanded"])
        cells = [f"{ours['states']:,}", f"{ours['bytes']:.0f}"]
        cells += [f"{side[kind]:,.0f}" for kind in ("generated", "expanded") for side in (ours, theirs)]
        return cells, [ours[kind] / theirs[kind] for kind in ("generated", "expanded")]

    return measure


def has_engines():
    printed, _ = run([TARGET / "release" / "herbrand", "rollout", "--help"], 60)
    return "--engine" in printed


def pairs(options):
    """Returns pairs of a domain and a problem."""
    if options.files:
        return [tuple(map(os.path.abspath, pair)) for pair in zip(options.files[::2], options.files[1::2])]
    if options.instances:
        found = instances.competition(options.instances, [name for name in INSTANCES if options.only in name])
    else:
        found = instances.bundled(options.only)
    return [(str(domain), str(problem)) for domain, problem in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="DOMAIN PROBLEM")
    parser.add_argument("--parts", default="walk,search,lifted", help="what to measure (default walk,search,lifted)")
    parser.add_argument("--only", default="", metavar="WORD", help="only instances whose path has this in it")
    parser.add_argument("--instances", metavar="FOLDER", help="a folder of competition suites")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side; the fastest counts (default 3)")
    parser.add_argument("--seconds", type=float, default=2, help="seconds of a walk (default 2)")
    parser.add_argument("--search-seconds", type=float, default=5, help="seconds of Fast Downward's search (default 5)")
    parser.add_argument("--limit", type=float, default=120, help="seconds any process may take (default 120)")
    options = parser.parse_args()
    install(PINNED)
    build()
    files = pairs(options)
    parts = options.parts.split(",")
    walk_head = ["valid, ours", "pymimir's", "ours, steps/s", "pymimir", "ratio"]
    if "walk" in parts:
        table("Random walks, beside pymimir's grounded ones", walk_head, files, walk_row("grounded", options))
    if "search" in parts:
        head = ["states", "bytes/state", "ours, gen/s", "FD gen/s", "ours, exp/s", "FD exp/s", "gen ratio", "exp ratio"]
        table("Breadth-first search, beside Fast Downward's blind search", head, files, search_row(options))
    if "lifted" in parts and has_engines():
        walk = walk_row("lifted", options, "--engine", "lifted")
        table("Random walks, lifted, beside pymimir's lifted ones", walk_head, files, walk)
    elif "lifted" in parts:
        print("\nLifted walks: left out, as this `herbrand rollout` has no --engine")


if __name__ == "__main__":
    main()
