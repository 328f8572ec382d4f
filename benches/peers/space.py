#!/usr/bin/env python3
"""Compares the exploration of whole state spaces with pymimir's `StateSpace`, on the same files in one run.

usage: space.py [--runs 3] [--states 1000000] [--only WORD] [--program PATH] [DOMAIN PROBLEM ...]

Without files, takes the bundled problems whose spaces have 1,000 states or more. Installs pymimir from PyPI into target/peers.
`herbrand space` and pymimir each explore all states with their transitions and goal distances, in a process of its own that
measures only the exploration and the distances, in CPU time; the sides alternate, and the fastest run of each counts. The bytes
per state are the growth of the process's memory while it explores, divided by the number of states. For Herbrand, time and
memory are the differences to a run that explores one state only.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import instances
from peers import PYTHON, ROOT, TARGET, Failed, geometric_mean, install, markdown, run, with_declared_features

PINNED = ["pymimir==0.13.63"]

MIMIR = """
import json, resource, sys, time
import pymimir
from pymimir.advanced.datasets import StateSpace, StateSpaceOptions
domain, problem, states = sys.argv[1], sys.argv[2], int(sys.argv[3])
context = pymimir.Problem(pymimir.Domain(domain), problem, "grounded")._search_context
options = StateSpaceOptions()
options.max_num_states, options.remove_if_unsolvable = states, False
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before, start = peak(), time.process_time()
found = StateSpace.create(context, options)
seconds = time.process_time() - start
if found is None:
    print("null")
else:
    graph = found[0].get_graph()
    row = {"states": graph.get_num_vertices(), "transitions": graph.get_num_edges(), "seconds": seconds}
    print(json.dumps(row | {"bytes": peak() - before}))
"""


def ours(program, domain, problem, states, limit):
    command = [program, "space", "--domain", domain, "--problem", problem, "--format", "json", "--states", str(states)]
    printed, seconds = run(command, limit)
    found = json.loads(printed)
    return found | {"peak": found["peak_bytes"], "whole": seconds}


def theirs(domain, problem, states, limit):
    with tempfile.TemporaryDirectory() as scratch:
        declared = pathlib.Path(scratch) / "domain.pddl"
        declared.write_text(with_declared_features(pathlib.Path(domain).read_text()))
        printed, _ = run([PYTHON, "-c", MIMIR, declared, problem, str(states)], limit)
    return json.loads(printed.splitlines()[-1])


def measure(domain, problem, options):
    best, other = None, None
    for _ in range(options.runs):
        found = ours(options.program, domain, problem, options.states, options.limit)
        if not found["complete"] or found["states"] < 1000:
            raise Failed(f"{found['states']:,} states{'' if found['complete'] else ' are not all'}")
        base = ours(options.program, domain, problem, 0, options.limit)
        found["grown"] = found["peak"] - base["peak"]
        found["seconds"] = max(found["whole"] - base["whole"], 1e-4)
        best = min(best or found, found, key=lambda row: row["seconds"])
        peer = theirs(domain, problem, options.states, options.limit)
        if peer is None:
            raise Failed("pymimir gives up")
        other = min(other or peer, peer, key=lambda row: row["seconds"])
    if best["states"] != other["states"]:
        raise Failed(f"{best['states']:,} states, but pymimir finds {other['states']:,}")
    return best, other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="DOMAIN PROBLEM")
    parser.add_argument("--only", default="", metavar="WORD", help="only instances whose path has this in it")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side; the fastest counts (default 3)")
    parser.add_argument("--states", type=int, default=1_000_000, help="the largest space (default 1000000)")
    parser.add_argument("--limit", type=float, default=300, help="seconds any process may take (default 300)")
    parser.add_argument("--program", help="the program; by default it is built")
    options = parser.parse_args()
    install(PINNED)
    if not options.program:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=ROOT, check=True)
        options.program = TARGET / "release" / "herbrand"
    if options.files:
        pairs = [tuple(map(os.path.abspath, pair)) for pair in zip(options.files[::2], options.files[1::2])]
    else:
        pairs = [(str(domain), str(problem)) for domain, problem in instances.bundled(options.only)]
    ratios = []

    def rows():
        for domain, problem in pairs:
            name = "/".join(pathlib.Path(problem).parts[-3:]).removesuffix(".pddl")
            try:
                best, other = measure(domain, problem, options)
            except Failed as failed:
                yield [name, failed, "", "", "", "", "", ""]
                continue
            rates = [row["states"] / max(row["seconds"], 1e-6) for row in (best, other)]
            memory = [best["grown"] / best["states"], other["bytes"] / other["states"]]
            ratios.append((rates[0] / rates[1], memory[1] / max(memory[0], 1)))
            cells = [f"{best['states']:,}", f"{best['transitions']:,}", *(f"{rate:,.0f}" for rate in rates)]
            yield [name, *cells, *(f"{bytes_:.0f}" for bytes_ in memory), f"{ratios[-1][0]:.1f}"]

    head = ["instance", "states", "transitions", "states/s", "pymimir", "bytes/state", "pymimir", "ratio of rates"]
    markdown(head, rows())
    for name, place in (("rates", 0), ("memory", 1)):
        column = [pair[place] for pair in ratios]
        if column:
            print(f"ratios of {name}: geometric mean {geometric_mean(column):.1f}, least {min(column):.1f}")


if __name__ == "__main__":
    main()
