#!/usr/bin/env python3
"""Planning beside Fast Downward, on the same files in one run.

usage: planning.py [--time SECONDS] [--memory GIB] [--per-family COUNT] [--bundled] [--program FILE]
                   [--csv FILE] [--optimal] [--only PLANNER,PLANNER,…] [--part N/M] [FOLDER ...]

Takes the problems of the suites in each FOLDER (`instances.py` says where to get them), with --per-family only the last so
many of each suite, and with --bundled the bundled problems of `instances.py`. Installs Fast Downward (up-fast-downward, from
PyPI) into target/peers; without --program builds `herbrand` in release mode.

  landmarks, eager, hill-climbing   `herbrand plan`
  lama-first                        Fast Downward's alias
  eager(ff)                         Fast Downward's eager_greedy([ff()])
  lmcut, FD lmcut                   with --optimal only: A* with landmark cuts, both

Times are CPU seconds of the whole process from text to plan, and of the search alone: Fast Downward's as it reports it, of
Herbrand's process the share that the search has of its wall-clock time. Every plan is
executed by `herbrand validate`. The limits hold for each run as a whole; that of time is one of CPU time, so that a machine
that does other things too solves as much as an idle one. --part takes every Mth instance, for runs in pieces.
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
from grounding import PYTHON, ROOT, TARGET, install

Run = collections.namedtuple("Run", "outcome seconds search cost plan")

SATISFICING = ["landmarks", "eager", "hill-climbing"]
DOWNWARD = {"lama-first": ["--alias", "lama-first"], "eager(ff)": ["--search", "eager_greedy([ff()])"]}
OPTIMAL = {"FD lmcut": ["--search", "astar(lmcut())"]}


def measured(command, folder, limits):
    """Runs a command: its output, its status, and the CPU seconds of it and of all that it started."""

    def limit():
        os.setsid()
        seconds = math.ceil(limits.time)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        size = int(limits.memory * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    output = folder / "output"
    with output.open("w") as file:
        process = subprocess.Popen(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, preexec_fn=limit)
        # The limit is one of CPU time; this is for a process that waits for ever.
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


def herbrand(program, planner, domain, problem, folder, limits):
    plan = folder / "plan"
    command = [program, "plan", "--domain", domain, "--problem", problem, "--planner", planner, "--format", "json"]
    command += ["--time", "1h", "--memory", f"{limits.memory}GiB", "--out", plan]
    output, status, seconds = measured(command, folder, limits)
    if status not in (0, 1):
        out_of_time = status in (-signal.SIGKILL, -signal.SIGXCPU)
        return Run("out-of-time" if out_of_time else f"status {status}", seconds, None, None, None)
    data = json.loads(output)
    # The program tells wall-clock times: their share of the whole is taken of the CPU time.
    share = data["search_seconds"] / max(data["search_seconds"] + data["compile_seconds"], 1e-9)
    return Run(data["outcome"], seconds, seconds * share, data["cost"], plan if data["plan"] is not None else None)


def downward(arguments, domain, problem, folder, limits):
    driver = next(PYTHON.parents[1].glob("lib/python*/site-packages/up_fast_downward/downward/fast-downward.py"))
    plan = folder / "plan"
    before, after = (arguments, []) if arguments[0] == "--alias" else ([], arguments)
    command = [PYTHON, driver, "--plan-file", plan, "--overall-time-limit", f"{math.ceil(limits.time)}s", *before, domain, problem, *after]
    output, status, seconds = measured(command, folder, limits)
    search = re.search(r"Search time: ([\d.e+-]+)s", output)
    cost = re.search(r"Plan cost: (\d+)", output)
    if plan.exists():
        outcome = "plan"
    elif "unsolvable" in output.lower() and status in (10, 11):
        outcome = "proven-unsolvable"
    else:
        outcome = {12: "exhausted", 22: "out-of-memory", 23: "out-of-time", -9: "out-of-time", -24: "out-of-time"}.get(status, f"status {status}")
    return Run(outcome, seconds, float(search[1]) if search else None, float(cost[1]) if cost else None, plan if plan.exists() else None)


def is_valid(program, domain, problem, plan):
    command = [program, "validate", "--domain", domain, "--problem", problem, plan]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def problems(arguments):
    pairs = [*instances.bundled()] if arguments.bundled else []
    for folder in arguments.folders:
        by_suite = collections.defaultdict(list)
        for domain, problem in instances.competition(folder):
            by_suite[problem.parent].append((domain, problem))
        for suite in sorted(by_suite):
            pairs += by_suite[suite][-arguments.per_family :] if arguments.per_family else by_suite[suite]
    return pairs


def geometric(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def compare(results, ours, theirs):
    both = [(runs[ours], runs[theirs]) for runs in results.values() if runs[ours].plan and runs[theirs].plan]
    whole = geometric([one.seconds and other.seconds / one.seconds for one, other in both])
    search = [(one.search, other.search) for one, other in both if other.search and other.search >= 0.05 and one.search]
    alone = geometric([other / one for one, other in search])
    print(f"{ours} beside {theirs}: {len(both)} solved by both; {theirs} takes {whole:.1f} times the time from text to plan, "
          f"{alone:.1f} times in search alone (on {len(search)} where that is 0.05 s or more)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--time", type=float, default=30)
    parser.add_argument("--memory", type=int, default=4)
    parser.add_argument("--per-family", type=int, default=0)
    parser.add_argument("--bundled", action="store_true")
    parser.add_argument("--optimal", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--program")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    install()
    if not arguments.program:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=ROOT, check=True)
    program = pathlib.Path(arguments.program or TARGET / "release" / "herbrand").resolve()
    ours = ["astar-lmcut"] if arguments.optimal else SATISFICING
    theirs = OPTIMAL if arguments.optimal else DOWNWARD
    if arguments.only:
        ours = [name for name in ours if name in arguments.only.split(",")]
        theirs = {name: options for name, options in theirs.items() if name in arguments.only.split(",")}
    results, wrong = {}, []
    number, parts = map(int, arguments.part.split("/"))
    for domain, problem in problems(arguments)[number::parts]:
        name, runs = "/".join([*problem.parts[-3:-1], problem.stem]), {}
        for planner in [*ours, *theirs]:
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                if planner in ours:
                    run = herbrand(program, planner, domain, problem, folder, arguments)
                else:
                    run = downward(theirs[planner], domain, problem, folder, arguments)
                if run.plan and not is_valid(program, domain, problem, run.plan):
                    wrong.append((name, planner))
            runs[planner] = run
        results[name] = runs
        print(name, *(f"{planner}: {run.outcome} {run.seconds:.2f}s cost {run.cost}" for planner, run in runs.items()), sep="  ", flush=True)
    print()
    for planner in [*ours, *theirs]:
        solved = sum(runs[planner].plan is not None for runs in results.values())
        unsolvable = sum(runs[planner].outcome == "proven-unsolvable" for runs in results.values())
        print(f"{planner}: {solved} of {len(results)} solved, {unsolvable} called unsolvable")
    for one in ours:
        for other in theirs:
            compare(results, one, other)
    if arguments.optimal:
        pairs = [(runs[ours[0]].cost, runs[other].cost) for runs in results.values() for other in theirs]
        both = [(one, other) for one, other in pairs if one is not None and other is not None]
        print(f"costs: {sum(one == other for one, other in both)} of {len(both)} equal")
    claims = [name for name, runs in results.items()
              if {"plan", "proven-unsolvable"} <= {run.outcome for run in runs.values()}]
    print("wrong plans:", wrong or "none", "  solved by one and called unsolvable by another:", claims or "none")
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["instance", "planner", "outcome", "cpu_seconds", "search_seconds", "cost"])
            for name, runs in results.items():
                for planner, run in runs.items():
                    writer.writerow([name, planner, run.outcome, f"{run.seconds:.3f}", run.search, run.cost])


if __name__ == "__main__":
    main()
