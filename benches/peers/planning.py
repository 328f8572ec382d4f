#!/usr/bin/env python3
"""Compares planning with Fast Downward and pymimir, on the same files in one run.

usage: planning.py [--time SECONDS] [--memory GIB] [--per-family COUNT] [--bundled [WORD]] [--every N] [--program FILE]
                   [--csv FILE] [--optimal] [--optimal-time SECONDS] [--only PLANNER,PLANNER,…] [--part N/M] [FOLDER ...]
       planning.py --summary CSV …

Takes the problems of the suites in each FOLDER (`instances.py` explains where to get them). --per-family takes only the last COUNT
problems of each suite. --bundled adds the deterministic bundled problems (those with WORD in their path), and --every takes only
every Nth of these. Installs the peers (up-fast-downward and pymimir, from PyPI) into target/peers, or uses the Python named by
HERBRAND_PEERS_PYTHON. Without --program, builds `herbrand` in release mode.

landmarks, portfolio, eager, hill-climbing   `herbrand plan`
lama-first                                   Fast Downward's alias
eager(ff)                                    Fast Downward's eager_greedy([ff()])
pymimir                                      its `gbfs_lazy` with its FF heuristic, on its grounded successor generator
astar-lmcut, FD lmcut                        with --optimal: A* with landmark cuts in both; --optimal-time is their limit

All times are CPU seconds:

text to plan   the whole process
task to plan   from the ground task, including the preparation of heuristics: Fast Downward's search component ("Total time"),
               Herbrand's `search_cpu_seconds`
search         the search from its first state, without preparation: Fast Downward's "Search time", Herbrand's time without its
               `preparation_seconds`, and pymimir's call of `gbfs_lazy`

Every plan is validated with `herbrand validate`. The limits apply to each run as a whole. The time limit is in CPU seconds, so that
a busy machine solves as many problems as an idle one. --part takes every Mth instance, to split a run, and --summary summarises the
CSV files of several parts, separately for competition and bundled instances.

The exit status is 1 if a plan is wrong, if two optimal costs differ, or if one planner reports a problem as unsolvable that another
one solves.
"""

import argparse
import collections
import csv
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import instances
from peers import PYTHON, ROOT, TARGET, geometric_mean, install, installed, with_declared_features

PINNED = ["up-fast-downward==1.0.0", "pymimir==0.13.63"]

Run = collections.namedtuple("Run", "outcome seconds task search cost plan")

HERBRAND = ["landmarks", "portfolio", "eager", "hill-climbing"]
DOWNWARD = {
    "lama-first": ["--alias", "lama-first"],
    "eager(ff)": ["--search", "eager_greedy([ff()])"],
    "FD lmcut": ["--search", "astar(lmcut())"],
}
OPTIMAL = ["astar-lmcut", "FD lmcut"]
SATISFICING = [*HERBRAND, "lama-first", "eager(ff)", "pymimir"]

# The clocks that report search times cannot resolve shorter searches.
SHORT = 0.05

MIMIR = """
import json, sys, time
import pymimir
problem = pymimir.Problem(pymimir.Domain(sys.argv[1]), sys.argv[2], "grounded")
heuristic = pymimir.FFHeuristic(problem)
start = time.process_time()
result = pymimir.gbfs_lazy(problem, problem.get_initial_state(), heuristic)
seconds = time.process_time() - start
if result.solution is not None:
    with open(sys.argv[3], "w") as file:
        for action in result.solution:
            print(action._advanced_ground_action.to_string_for_plan(problem._advanced_problem), file=file)
print(json.dumps({"status": result.status, "seconds": seconds, "cost": result.solution_cost}))
"""


def measured(command, folder, limits):
    """Runs a command; returns its output, its status, and the CPU seconds of it and its descendants."""

    def limit():
        os.setsid()
        seconds = math.ceil(limits.time)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        size = int(limits.memory * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    output = folder / "output"
    with output.open("w") as file:
        process = subprocess.Popen(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, preexec_fn=limit)
        # The CPU limit does not stop a process that waits forever; this limit does.
        end = time.monotonic() + 20 * limits.time + 60
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > end:
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.005)
    process.returncode = os.waitstatus_to_exitcode(status)
    return output.read_text(errors="replace"), process.returncode, usage.ru_utime + usage.ru_stime


def unfinished(status):
    return "out-of-time" if status in (-signal.SIGKILL, -signal.SIGXCPU) else f"status {status}"


def herbrand(program, planner, domain, problem, folder, limits):
    plan = folder / "plan"
    command = [program, "plan", "--domain", domain, "--problem", problem, "--planner", planner, "--format", "json"]
    command += ["--time", "1h", "--memory", f"{limits.memory}GiB", "--out", plan]
    output, status, seconds = measured(command, folder, limits)
    data = json.loads(output) if status in (0, 1, 3) else {"error": None}
    if "error" in data:
        return Run(unfinished(status), seconds, None, None, None, None)
    task = data["search_cpu_seconds"]
    prepared = data["preparation_seconds"] / max(data["search_seconds"], 1e-9)
    found = plan if data["plan"] is not None else None
    return Run(data["outcome"], seconds, task, task * (1 - min(prepared, 1)), data["cost"], found)


def downward(arguments, domain, problem, folder, limits):
    driver = installed("up_fast_downward/downward/fast-downward.py")
    plan = folder / "plan"
    before, after = (arguments, []) if arguments[0] == "--alias" else ([], arguments)
    command = [PYTHON, driver, "--plan-file", plan, "--overall-time-limit", f"{math.ceil(limits.time)}s", *before, domain, problem, *after]
    output, status, seconds = measured(command, folder, limits)

    def number(name):
        found = re.search(rf"{name}: ([\d.e+-]+)", output)
        return float(found[1]) if found else None

    if plan.exists():
        outcome = "plan"
    elif "unsolvable" in output.lower() and status in (10, 11):
        outcome = "proven-unsolvable"
    else:
        outcome = {12: "exhausted", 22: "out-of-memory", 23: "out-of-time"}.get(status, unfinished(status))
    return Run(outcome, seconds, number("Total time"), number("Search time"), number("Plan cost"), plan if plan.exists() else None)


def mimir(domain, problem, folder, limits):
    declared, plan = folder / "domain.pddl", folder / "plan"
    declared.write_text(with_declared_features(pathlib.Path(domain).read_text()))
    output, status, seconds = measured([PYTHON, "-c", MIMIR, declared, problem, plan], folder, limits)
    if status != 0:
        return Run(unfinished(status), seconds, None, None, None, None)
    data = json.loads(output.splitlines()[-1])
    outcome = {"solved": "plan", "unsolvable": "proven-unsolvable"}.get(data["status"], data["status"])
    return Run(outcome, seconds, None, data["seconds"], data["cost"], plan if plan.exists() else None)


def take(program, planner, domain, problem, folder, limits):
    if planner in DOWNWARD:
        return downward(DOWNWARD[planner], domain, problem, folder, limits)
    if planner == "pymimir":
        return mimir(domain, problem, folder, limits)
    return herbrand(program, planner, domain, problem, folder, limits)


def is_valid(program, domain, problem, plan):
    command = [program, "validate", "--domain", domain, "--problem", problem, plan]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def name_of(problem):
    """Returns the path of a bundled problem in this checkout, or the path of another problem from its suite's folder."""
    if problem.is_relative_to(ROOT):
        return str(problem.relative_to(ROOT).with_suffix(""))
    return "/".join([*problem.parts[-4:-1], problem.stem])


def problems(arguments):
    pairs = []
    if arguments.bundled is not None:
        certain = [pair for pair in instances.all_bundled(arguments.bundled) if "probabilistic" not in pair[0].read_text()]
        pairs += certain[:: arguments.every]
    for folder in arguments.folders:
        by_suite = collections.defaultdict(list)
        for domain, problem in instances.competition(folder):
            by_suite[problem.parent].append((domain, problem))
        for suite in sorted(by_suite):
            pairs += by_suite[suite][-arguments.per_family :] if arguments.per_family else by_suite[suite]
    return pairs


# Summaries of runs.


def solved(run):
    return run is not None and run.outcome == "plan"


def compare(results, ours, theirs):
    runs = [(runs[ours], runs[theirs]) for runs in results.values() if ours in runs and theirs in runs]
    if not runs:
        return
    alone = sum(solved(one) and not solved(other) for one, other in runs)
    missed = sum(solved(other) and not solved(one) for one, other in runs)
    both = [(one, other) for one, other in runs if solved(one) and solved(other)]
    whole = [other.seconds / max(one.seconds, 0.001) for one, other in both]
    print(f"{ours} beside {theirs}: {len(both)} solved by both, {alone} by the first alone, {missed} by the second alone, of {len(runs)}")
    print(f"  text to plan: {geometric_mean(whole):.2f} times the time of {ours}")
    long = [(one, other) for one, other in both if other.search and other.search >= SHORT and one.search]
    for name, part in (("task to plan", "task"), ("search", "search")):
        ratios = [getattr(other, part) / max(getattr(one, part), 0.0001) for one, other in long if getattr(other, part)]
        if ratios:
            print(f"  {name}: {geometric_mean(ratios):.2f} times, least {min(ratios):.2f}, most {max(ratios):.1f}, "
                  f"over the {len(ratios)} instances in which {theirs} searches for {SHORT} s or more")


def groups(results):
    """Yields all instances, or the competition and the bundled instances separately if there are both."""
    bundled = {name: runs for name, runs in results.items() if name.startswith("domains/")}
    others = {name: runs for name, runs in results.items() if name not in bundled}
    if bundled and others:
        yield from (("competition", others), ("bundled", bundled))
    yield "all", results


def summary(results):
    """Prints a summary of the runs; returns whether all results are consistent."""
    return all([judged(name, runs) for name, runs in groups(results)])


def judged(title, results):
    planners = list(dict.fromkeys(planner for runs in results.values() for planner in runs))
    print(f"\n{title}: {len(results)} instances")
    wrong_plans = 0
    for planner in planners:
        own = [runs[planner] for runs in results.values() if planner in runs]
        unsolvable = sum(run.outcome == "proven-unsolvable" for run in own)
        wrong = sum(run.outcome == "wrong plan" for run in own)
        wrong_plans += wrong
        print(f"{planner}: {sum(map(solved, own))} of {len(own)} solved, {unsolvable} called unsolvable, {wrong} wrong plans")
    for one in planners:
        for other in planners:
            ours, theirs = one in [*HERBRAND, "astar-lmcut"], other not in [*HERBRAND, "astar-lmcut"]
            if ours and theirs and (one in OPTIMAL) == (other in OPTIMAL):
                compare(results, one, other)
    unequal = []
    if all(planner in planners for planner in OPTIMAL):
        pairs = {name: [runs.get(planner) for planner in OPTIMAL] for name, runs in results.items()}
        both = {name: (one.cost, other.cost) for name, (one, other) in pairs.items() if solved(one) and solved(other)}
        unequal = [name for name, (one, other) in both.items() if not math.isclose(one, other)]
        print(f"optimal costs: {len(both) - len(unequal)} of {len(both)} equal", *unequal)
    claims = [name for name, runs in results.items() if {"plan", "proven-unsolvable"} <= {run.outcome for run in runs.values()}]
    print("solved by one and called unsolvable by another:", claims or "none")
    return not (wrong_plans or unequal or claims)


COLUMNS = ["instance", "planner", "outcome", "cpu_seconds", "task_seconds", "search_seconds", "cost"]


def read(files):
    number = lambda text: float(text) if text else None
    results = collections.defaultdict(dict)
    for file in files:
        with open(file, newline="") as rows:
            for name, planner, outcome, *figures in list(csv.reader(rows))[1:]:
                results[name][planner] = Run(outcome, *map(number, figures), None)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--time", type=float, default=30)
    parser.add_argument("--memory", type=int, default=4)
    parser.add_argument("--per-family", type=int, default=0)
    parser.add_argument("--bundled", nargs="?", const="", metavar="WORD")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--optimal", action="store_true")
    parser.add_argument("--optimal-time", type=float)
    parser.add_argument("--only", default="landmarks,portfolio,lama-first,pymimir")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--program")
    parser.add_argument("--csv")
    parser.add_argument("--summary", action="store_true", help="FOLDERs are CSV files of earlier runs")
    arguments = parser.parse_args()
    if arguments.summary:
        sys.exit(not summary(read(arguments.folders)))
    install(PINNED)
    if not arguments.program:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=ROOT, check=True)
    program = pathlib.Path(arguments.program or TARGET / "release" / "herbrand").resolve()
    wanted = arguments.only.split(",")
    planners = [planner for planner in SATISFICING if planner in wanted] + (OPTIMAL if arguments.optimal else [])
    briefly = argparse.Namespace(**vars(arguments) | {"time": arguments.optimal_time or arguments.time})
    number, parts = map(int, arguments.part.split("/"))
    results = {}
    with open(arguments.csv or os.devnull, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for domain, problem in problems(arguments)[number::parts]:
            name, runs = name_of(problem), {}
            for planner in planners:
                with tempfile.TemporaryDirectory() as folder:
                    limits = briefly if planner in OPTIMAL else arguments
                    run = take(program, planner, domain, problem, pathlib.Path(folder), limits)
                    if run.plan and not is_valid(program, domain, problem, run.plan):
                        run = run._replace(outcome="wrong plan")
                runs[planner] = run
                seconds = ["" if value is None else f"{value:.6f}" for value in (run.seconds, run.task, run.search)]
                table.writerow([name, planner, run.outcome, *seconds, run.cost])
            file.flush()
            results[name] = runs
            print(name, *(f"{planner}: {run.outcome} {run.seconds:.2f}s cost {run.cost}" for planner, run in runs.items()), sep="  ", flush=True)
    sys.exit(not summary(results))


if __name__ == "__main__":
    main()
