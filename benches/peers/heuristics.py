#!/usr/bin/env python3
"""Compares searches that ask a heuristic in Python with those of pymimir, with the same network, in one run.

usage: heuristics.py [--seconds 5] [--python FILE] [DOMAIN:PROBLEM ...]

Builds a release wheel and installs it with the peers (from PyPI) into target/peers, or uses the Python named by --python, which
must have both. The network is a NumPy one with a hidden layer of 64 and random weights; its input is a vector with one number for
each atom. Greedy best-first search expands states until the CPU time is over, again if it finds plans; expansions a second
count. pymimir asks for one state at a time; Herbrand for 1, 32 and 1,024.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from peers import PYTHON, install_wheel, markdown

PINNED = ["pymimir==0.13.63", "numpy"]
PROBLEMS = ["blocks:test/10", "depot:test/10", "ferry:test/10", "gripper:test/10"]
BATCHES = [1, 32, 1024]


# The following functions run in the Python of the peers.


def network(width):
    """Returns a function from rows of bits to positive numbers."""
    import numpy as np

    random = np.random.default_rng(1)
    first = random.normal(size=(width, 64)).astype(np.float32)
    last = random.normal(size=64).astype(np.float32)

    def estimate(rows):
        hidden = np.maximum(rows.astype(np.float32) @ first, 0)
        return np.abs(hidden @ last)

    return estimate


def herbrand_speed(domain, problem, seconds, batch):
    """Returns the expansions and the CPU seconds of searches."""
    import time

    import herbrand

    task = herbrand.load(domain, problem)
    estimate = network(len(task.ground_atoms))
    expanded, begin = 0, time.process_time()
    while (left := seconds - (time.process_time() - begin)) > 0:
        expanded += task.plan(heuristic=estimate, batch=batch, time=left).statistics.expanded
    return expanded, time.process_time() - begin


def atom_count(domain, problem):
    """Returns the number of ground atoms."""
    import herbrand

    return len(herbrand.load(domain, problem).ground_atoms)


def mimir_speed(domain, problem, seconds, width):
    """Returns the expansions and the CPU seconds of searches, for a network of this many inputs."""
    import time

    import numpy as np
    import pymimir

    task = pymimir.Problem(pymimir.Domain(domain), problem)
    numbers = {}

    class Network(pymimir.Heuristic):
        """Numbers atoms in the order in which they are seen."""

        def __init__(self):
            self.estimate = network(width)

        def compute_value(self, state, goal=None):
            row = np.zeros((1, width), dtype=np.int8)
            for atom in state.get_atoms():
                row[0, numbers.setdefault(atom.get_index(), len(numbers)) % width] = 1
            return float(self.estimate(row)[0])

        def get_preferred_actions(self):
            return set()

    expanded = [0]

    def count(state):
        expanded[0] += 1

    begin = time.process_time()
    while (left := seconds - (time.process_time() - begin)) > 0:
        pymimir.gbfs_eager(task, task.get_initial_state(), Network(), max_time_seconds=left, on_expand_state=count)
    return expanded[0], time.process_time() - begin


def measure(arguments):
    """Runs one measurement and prints it as JSON."""
    kind, *given = json.loads(arguments)
    work = {"herbrand": herbrand_speed, "mimir": mimir_speed, "atoms": atom_count}[kind]
    print(json.dumps(work(*given)))


# The following runs in any Python.


def run(python, *arguments):
    """Returns the result of one measurement in a process of its own; None if it fails."""
    command = [python, __file__, "--measure", json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr.strip().splitlines()[-1:], file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    """Prints a table of expansions a second."""
    if sys.argv[1:2] == ["--measure"]:
        return measure(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", default=PROBLEMS, metavar="DOMAIN:PROBLEM")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--python")
    arguments = parser.parse_args()
    python = arguments.python
    if python is None:
        python = PYTHON
        install_wheel(PINNED)
    rows = []
    for name in arguments.problems:
        domain, problem = name.split(":")
        folder = pathlib.Path(__file__).parents[2] / "domains" / domain
        files = [str(folder / "domain.pddl"), str(folder / f"{problem}.pddl")]
        given = [*files, arguments.seconds]
        peer, *ours = [
            done and done[0] / done[1]
            for done in [
                run(python, "mimir", *given, run(python, "atoms", *files)),
                *(run(python, "herbrand", *given, batch) for batch in BATCHES),
            ]
        ]
        cells = [f"{one:,.0f} ({one / peer:.1f} times)" if one and peer else "-" for one in ours]
        rows.append([name, f"{peer:,.0f}" if peer else "-", *cells])
    heads = ["problem", "pymimir", *(f"Herbrand, {batch} at once" for batch in BATCHES)]
    markdown(heads, rows)
    return None


if __name__ == "__main__":
    main()
