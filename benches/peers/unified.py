#!/usr/bin/env python3
"""Compares Herbrand's simulator and grounder with the other engines of Unified Planning, on the same problems in one run.

usage: unified.py [--parts simulate,ground] [--runs 3] [--calls 200] [--limit 60] [--only WORD] [--instances FOLDER]

Builds a release wheel and installs it with the peers (Unified Planning and Fast Downward's engines, from PyPI) into target/peers. If
HERBRAND_PEERS_PYTHON names a Python that has them, nothing is installed. Each measurement is a process of its own; the engines
alternate, and the fastest run of each counts. Times are CPU seconds, after Unified Planning has read the problem.

simulate  `get_applicable_actions`, exhausted, and `apply` of one of the actions, in the states of a random walk, against Unified
          Planning's `sequential_simulator`. The first call, in which that simulator grounds the problem, is counted as the start.
          Both sides report the number of applicable actions; a difference is an error. A simulator that makes fewer than --calls
          calls in --limit seconds is measured on those.
ground    `compile` against `up_grounder`, which enumerates all parameters, and against `fast-downward-grounder` and
          `fast-downward-reachability-grounder` of up-fast-downward, with the number of ground actions.

Without --instances, takes bundled problems that Unified Planning reads.
"""

import argparse
import json
import pathlib

import instances
from peers import PYTHON, Failed, geometric_mean, install_wheel, markdown, run

PINNED = ["unified-planning==1.3.0", "up-fast-downward==1.0.0"]
BUNDLED = [
    "blocks/test/10",
    "depot/train/10",
    "elevator-adl/test/10",
    "ferry/test/10",
    "gripper/test/10",
    "hanoi/test/05",
    "logistics/test/10",
    "sokoban/test/10",
    "spanner/test/10",
]

READ = """
import json, random, sys, time
import unified_planning.shortcuts as up
from unified_planning.io import PDDLReader
from unified_planning.engines import CompilationKind
import herbrand.compat.unified_planning
environment = up.get_environment()
environment.credits_stream = None
name, domain, file, calls, limit = *sys.argv[1:4], int(sys.argv[4]), float(sys.argv[5])
problem = PDDLReader().parse_problem(domain, file)
clock = time.process_time
begin = clock()
"""

SIMULATE = READ + """
simulator = environment.factory.SequentialSimulator(problem, name=name)
first = state = simulator.get_initial_state()
list(simulator.get_applicable_actions(state))
start, draw = clock() - begin, random.Random(0)
listing = stepping = 0.0
counts = []
for _ in range(calls):
    before = clock()
    found = list(simulator.get_applicable_actions(state))
    between = clock()
    counts.append(len(found))
    listing += between - before
    if found:
        # The engines list the same actions in different orders.
        action, arguments = sorted(found, key=lambda one: (one[0].name, str(one[1])))[draw.randrange(len(found))]
        before = clock()
        state = simulator.apply(state, action, arguments)
        stepping += clock() - before
    else:
        state = first
    if clock() - begin > limit:
        break
made = len(counts)
print(json.dumps({"start": start, "list": listing / made, "apply": stepping / made, "counts": counts}))
"""

GROUND = READ + """
with environment.factory.Compiler(name=name) as compiler:
    ground = compiler.compile(problem, CompilationKind.GROUNDING).problem
print(json.dumps({"seconds": clock() - begin, "actions": len(ground.actions)}))
"""


def measured(script, engine, pair, options):
    command = [PYTHON, "-W", "ignore", "-c", script, engine, *map(str, pair), str(options.calls), str(options.limit)]
    printed, _ = run(command, 20 * options.limit)
    return json.loads(printed.splitlines()[-1])


def alternately(script, engines, pair, options, key):
    """Returns the fastest result of each engine, or its failure."""
    best = {}
    for _ in range(options.runs):
        for engine in engines:
            if isinstance(best.get(engine), Failed):
                continue
            try:
                found = measured(script, engine, pair, options)
            except Failed as failed:
                best[engine] = failed
                continue
            best[engine] = min(best.get(engine, found), found, key=lambda row: row[key])
    return best


def simulate(pairs, options):
    ratios = []

    def rows():
        for name, *pair in pairs:
            found = alternately(SIMULATE, ["herbrand-simulator", "sequential_simulator"], pair, options, "list")
            ours, theirs = found.values()
            if isinstance(ours, Failed) or isinstance(theirs, Failed):
                reasons = (" ".join(str(one).split())[-60:] for one in (ours, theirs) if isinstance(one, Failed))
                yield [name, "; ".join(reasons), *[""] * 7]
                continue
            common = min(len(ours["counts"]), len(theirs["counts"]))
            if ours["counts"][:common] != theirs["counts"][:common]:
                raise SystemExit(f"{name}: different numbers of applicable actions")
            mean = sum(theirs["counts"]) / len(theirs["counts"])
            micro = [f"{1e6 * one[key]:,.0f}" for key in ("list", "apply") for one in (ours, theirs)]
            starts = [f"{1e3 * one['start']:,.0f}" for one in (ours, theirs)]
            ratios.append(theirs["list"] / ours["list"])
            yield [name, f"{mean:.1f}", *micro[:2], f"{ratios[-1]:,.0f}", *micro[2:], *starts]

    head = ["problem", "applicable", "list, µs", "UP", "ratio", "apply, µs", "UP", "start, ms", "UP"]
    markdown(head, rows())
    print(f"ratio of lists: geometric mean {geometric_mean(ratios):,.0f}, least {min(ratios):,.0f}")


def ground(pairs, options):
    peers = ["up_grounder", "fast-downward-grounder", "fast-downward-reachability-grounder"]
    ratios = {engine: [] for engine in peers}

    def rows():
        for name, *pair in pairs:
            found = alternately(GROUND, ["herbrand-grounder", *peers], pair, options, "seconds")
            ours = found["herbrand-grounder"]
            cells = []
            for engine, one in found.items():
                failed = isinstance(one, Failed)
                cells.append(" ".join(str(one).split())[-60:] if failed else f"{1e3 * one['seconds']:,.0f} ({one['actions']:,})")
                if engine in ratios and not failed and not isinstance(ours, Failed):
                    ratios[engine].append(one["seconds"] / ours["seconds"])
            yield [name, *cells]

    markdown(["problem, ms (actions)", "Herbrand", *peers], rows())
    for engine, own in ratios.items():
        print(f"{engine}: geometric mean of ratios {geometric_mean(own):.1f}, least {min(own, default=0):.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="simulate,ground")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds after which a walk ends")
    parser.add_argument("--only", default="")
    parser.add_argument("--instances", type=pathlib.Path)
    options = parser.parse_args()
    install_wheel(PINNED)
    if options.instances:
        found = instances.competition(options.instances)
    else:
        files = [instances.ROOT / "domains" / f"{name}.pddl" for name in BUNDLED]
        found = [(file.parents[1] / "domain.pddl", file) for file in files]
    pairs = [("/".join(file.parts[-3:]).removesuffix(".pddl"), domain, file) for domain, file in found]
    pairs = [pair for pair in pairs if options.only in pair[0]]
    for part in options.parts.split(","):
        {"simulate": simulate, "ground": ground}[part](pairs, options)


if __name__ == "__main__":
    main()
