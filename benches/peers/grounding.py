#!/usr/bin/env python3
"""Compares grounding with Fast Downward's translator and gringo, on the same files in one run.

usage: grounding.py [--runs 5] [--limit SECONDS] [--least COUNT] [--generated SIZE …] [--instances FOLDER]
                    [DOMAIN PROBLEM ...]

Without files, takes the problems that `cargo bench -p herbrand --bench grounding -- --write` generates, and competition problems if
--instances names them (`instances.py` explains where to get those). Problems with fewer atoms and actions than --least are
skipped. Installs the peers (clingo and up-fast-downward, from PyPI) into target/peers.

All times are CPU seconds, the fastest of --runs runs; peers that take more than ten seconds run once.

herbrand   the whole process, from text to ground task
FD         Fast Downward's translator: parsing, normalising and instantiating, as it reports them (in steps of 10 ms), without
           the start of Python; also the times of two of its parts, the model and the instantiation after it
gringo     loading and grounding the relaxed program with ground actions as atoms
datalog    loading and evaluating the same program text with Herbrand's example `evaluate`; both exclude the start of the
           process

Two columns report memory, as the peak of the process minus the peak of a process with an almost empty input:

B/atom     bytes per atom of the relaxed model without action atoms: `evaluate` on the program without them
B/action   bytes of grounding per ground action and ground axiom, minus 150 bytes per atom and four bytes per literal and
           effect
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import instances
from peers import PYTHON, ROOT, TARGET, install, installed

PINNED = ["clingo==5.8.3", "up-fast-downward==1.0.0"]
BYTES_PER_ATOM = 150
SLOW = 10.0

GRINGO = """
import sys, time
from clingo import Control
control = Control(["--warn=none"])
start = time.process_time()
control.load(sys.argv[1])
control.ground([("base", [])])
print(time.process_time() - start, len(control.symbolic_atoms))
"""

EMPTY = ("(define (domain d) (:predicates (p)) (:action a :effect (p)))", "(define (problem p) (:domain d) (:goal (p)))")

COLUMNS = ["instance", "atoms", "actions", "herbrand s", "FD s", "FD model", "FD inst.", "FD/herbrand", "gringo s", "datalog s",
           "gringo/datalog", "MB", "FD MB", "B/atom", "B/action"]


def build():
    packages = [option for name in ("cli", "ground", "datalog") for option in ("-p", f"herbrand-{name}")]
    subprocess.run(["cargo", "build", "--release", "--quiet", *packages, "--examples", "--bins"], cwd=ROOT, check=True)
    return TARGET / "release"


def generate(sizes):
    folder = TARGET / "generated"
    cargo = ["cargo", "bench", "--quiet", "--bench", "grounding", "--", "--write", folder]
    subprocess.run([*cargo, *map(str, sizes)], cwd=ROOT, check=True)
    return [(family / "domain.pddl", family / f"{size}.pddl") for family in sorted(folder.iterdir()) for size in sizes]


def competition(options):
    return instances.competition(options.instances) if options.instances else []


def run(command, limit):
    """Returns the CPU seconds of a process and its output; None if it exceeds the limit or fails."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        killer = subprocess.Popen([sys.executable, "-c", f"import os, time; time.sleep({limit}); os.kill({process.pid}, 9)"])
        _, status, used = os.wait4(process.pid, 0)
        killer.kill()
        killer.wait()
        output.seek(0)
        return (used.ru_utime + used.ru_stime, output.read()) if status == 0 else None


def fastest(command, options, seconds=lambda done: done[0]):
    """Returns the fastest of some runs; takes a single run if it is slow."""
    runs = []
    while len(runs) < options.runs and (not runs or runs[0][0] < SLOW):
        done = run(command, options.limit)
        if done is None:
            return None
        runs.append((seconds(done), done[1]))
    return min(runs)


def fast_downward(domain, problem, options):
    """Returns the total seconds, the seconds of the model and of the instantiation, and the peak memory in bytes."""
    package = installed("up_fast_downward/downward/builds/release/bin")
    best = None
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            command = ["timeout", str(options.limit), PYTHON, "-u", "-m", "fast_downward.translate", domain, problem]
            process = subprocess.Popen([*command, "--sas-file", f"{folder}/o.sas"], cwd=package, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            seconds, peak = {}, None
            for line in process.stdout:
                if found := re.match(r"(\w+ ?\w*)(?:\.\.\.|:) \[([\d.]+)s CPU", line):
                    seconds[found[1]] = float(found[2])
                if line.startswith("Instantiating: ["):
                    peak = peak_of_python(process.pid)
                    break
            process.terminate()
            process.wait()
        if "Instantiating" not in seconds:
            return None
        whole = sum(seconds.get(part, 0.0) for part in ("Parsing", "Normalizing task", "Instantiating"))
        if best is None or whole < best[0]:
            best = whole, seconds["Computing model"], seconds["Completing instantiation"], peak
        if whole > SLOW:
            break
    return best


def peak_of_python(timeout):
    """Returns the peak memory in bytes of the child of a `timeout` process."""
    children = pathlib.Path(f"/proc/{timeout}/task/{timeout}/children").read_text().split()
    status = pathlib.Path(f"/proc/{children[0]}/status").read_text() if children else ""
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return 1024 * int(found[1]) if found else None


class Herbrand:
    """Measures Herbrand."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        with tempfile.TemporaryDirectory() as scratch:
            files = [pathlib.Path(scratch, name) for name in ("domain.pddl", "problem.pddl")]
            for file, text in zip(files, EMPTY):
                file.write_text(text)
            program = pathlib.Path(scratch, "program.lp")
            program.write_text("p(a).")
            self.empty = self.ground(*files)[1]["peak_bytes"]
            self.empty_model = self.evaluate(program)[1]["peak_bytes"]

    def ground(self, domain, problem):
        command = [self.folder / "herbrand", "ground", "--domain", domain, "--problem", problem, "--format", "json"]
        return self.json(command)

    def evaluate(self, program):
        command = [self.folder / "examples" / "evaluate", program]
        return self.json(command, lambda done: json.loads(done[1])["seconds"])

    def json(self, command, seconds=lambda done: done[0]):
        done = fastest(command, self.options, seconds)
        return done and (done[0], json.loads(done[1]))

    def program(self, path, *arguments):
        with open(path, "w") as file:
            subprocess.run([self.folder / "examples" / "asp", *arguments], stdout=file, check=True)


def gringo(program, options):
    done = fastest([PYTHON, "-c", GRINGO, program], options, lambda done: float(done[1].split()[0]))
    return done and (done[0], int(done[1].split()[1]))


def measure(herbrand, domain, problem, options):
    """Returns a row of the table; None if the instance is too small or cannot be read."""
    ours = herbrand.ground(domain, problem)
    if ours is None or ours[1]["atoms"] + ours[1]["actions"] < options.least:
        return None
    seconds, task = ours
    with tempfile.TemporaryDirectory() as scratch:
        program, atoms_alone = (pathlib.Path(scratch, name) for name in ("program.lp", "atoms.lp"))
        herbrand.program(program, domain, problem)
        herbrand.program(atoms_alone, "--atoms", domain, problem)
        theirs, datalog, model = gringo(program, options), herbrand.evaluate(program), herbrand.evaluate(atoms_alone)
    if theirs and theirs[1] != datalog[1]["facts"]:
        sys.exit(f"{problem}: gringo finds {theirs[1]} atoms, herbrand {datalog[1]['facts']}")
    atoms, rules = model[1]["facts"], max(task["actions"] + task["axioms"], 1)
    beyond = task["peak_bytes"] - herbrand.empty - BYTES_PER_ATOM * atoms - 4 * (task["literals"] + task["effects"])
    translator = fast_downward(domain, problem, options) or (None,) * 4
    return {
        "instance": "/".join(problem.parts[-2:]).removesuffix(".pddl"),
        "atoms": atoms,
        "actions": task["actions"],
        "herbrand s": seconds,
        "FD s": translator[0],
        "FD model": translator[1],
        "FD inst.": translator[2],
        "FD/herbrand": translator[0] and translator[0] / seconds,
        "gringo s": theirs and theirs[0],
        "datalog s": datalog[0],
        "gringo/datalog": theirs and theirs[0] / datalog[0],
        "MB": task["peak_bytes"] / 1e6,
        "FD MB": translator[3] and translator[3] / 1e6,
        "B/atom": (model[1]["peak_bytes"] - herbrand.empty_model) / max(atoms, 1),
        "B/action": beyond / rules,
    }


def show(column, value):
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    digits = 3 if column.endswith(" s") else 2 if column.startswith("FD ") and "MB" not in column else 0
    digits = 1 if "/" in column and not column.startswith("B") else digits
    return f"{value:,.{digits}f}"


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def geometric_mean(rows, column):
    values = [row[column] for row in rows if row[column]]
    mean = math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")
    return f"{column}: geometric mean {mean:.2f}, least {min(values, default=math.nan):.2f}, over {len(values)} instances"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="DOMAIN PROBLEM", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5, help="runs of each side; the fastest counts (default 5)")
    parser.add_argument("--limit", type=float, default=600, help="seconds that a run may take (default 600)")
    parser.add_argument("--least", type=int, default=1000, help="atoms and actions that an instance must have (default 1000)")
    parser.add_argument("--instances", metavar="FOLDER", help="a folder of competition suites")
    parser.add_argument("--generated", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], metavar="SIZE",
                        help="sizes of the generated problems (default 10000 100000 1000000)")
    options = parser.parse_args()
    install(PINNED)
    herbrand = Herbrand(build(), options)
    pairs = list(zip(options.files[::2], options.files[1::2])) or [*competition(options), *generate(options.generated)]
    print_row(COLUMNS)
    print_row(["---"] + ["---:"] * (len(COLUMNS) - 1))
    rows = []
    for domain, problem in pairs:
        row = measure(herbrand, domain.resolve(), problem.resolve(), options)
        if row:
            rows.append(row)
            print_row([show(column, row[column]) for column in COLUMNS])
    groups = {
        "at least 10,000 atoms": [row for row in rows if row["atoms"] >= 10_000],
        "at least 10,000 atoms and actions": [row for row in rows if row["atoms"] + row["actions"] >= 10_000],
        "at least 90,000 atoms and actions": [row for row in rows if row["atoms"] + row["actions"] >= 90_000],
        "all": rows,
    }
    for name, group in groups.items():
        print(f"\n{name}:")
        for column in ("FD/herbrand", "gringo/datalog"):
            print(geometric_mean(group, column))


if __name__ == "__main__":
    main()
