#!/usr/bin/env python3
"""Grounding beside Fast Downward's translator and gringo, on the same files in one run.

usage: grounding.py [--runs 3] [--limit SECONDS] [DOMAIN PROBLEM ...]

Without files: the competition instances of ../shared/corpus/bench, where they exist. Installs the peers (clingo and
up-fast-downward, from PyPI) into target/peers. All times are CPU seconds of whole processes or, for Fast Downward, what
it reports itself: parsing, normalising and instantiating for the whole, computing the model for the model alone.

Prints one row an instance: atoms of the relaxed model (action atoms left out), actions, our seconds from text to ground
task, Fast Downward's seconds and the ratio; gringo's seconds on the same Datalog program, ours for load and model alone,
and the ratio; our peak memory above that of an empty run, in bytes an atom and action.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ROOT / "target" / "peers"
PYTHON = PEERS / "bin" / "python"
PINNED = ["clingo==5.8.3", "up-fast-downward==1.0.0"]

GRINGO = """
import sys, resource
from clingo import Control
control = Control(["--warn=none"])
control.load(sys.argv[1])
control.ground([("base", [])])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""


def install():
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *PINNED], check=True)


def build():
    cargo = ["cargo", "build", "--release", "--quiet"]
    subprocess.run([*cargo, "-p", "herbrand-cli", "-p", "herbrand-ground", "--examples", "--bins"], cwd=ROOT, check=True)
    return ROOT / "target" / "release"


def cpu(command, limit):
    """CPU seconds of a command and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr.strip()[-400:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def fast_downward(domain, problem, limit):
    """Seconds to the end of instantiation, and for the model alone."""
    package = next(PEERS.glob("lib/python*/site-packages/up_fast_downward/downward/builds/release/bin"))
    with tempfile.TemporaryDirectory() as folder:
        command = [PYTHON, "-u", "-m", "fast_downward.translate", domain, problem, "--sas-file", f"{folder}/o.sas"]
        process = subprocess.Popen(command, cwd=package, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = {}
        try:
            for line in process.stdout:
                if found := re.match(r"(Parsing|Normalizing task|Instantiating|Computing model)\W.*\[([\d.]+)s CPU", line):
                    seconds[found[1]] = float(found[2])
                if line.startswith("Instantiating: ["):
                    break
        finally:
            process.kill()
            process.wait()
    if "Instantiating" not in seconds:
        return None, None
    whole = sum(seconds.get(part, 0.0) for part in ("Parsing", "Normalizing task", "Instantiating"))
    return whole, seconds.get("Computing model")


def gringo(bin_folder, domain, problem, limit):
    with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
        program = subprocess.run([bin_folder / "examples" / "asp", domain, problem], capture_output=True, check=True)
        file.write(program.stdout.decode())
        file.flush()
        try:
            done = subprocess.run([PYTHON, "-c", GRINGO, file.name], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        return float(done.stdout) if done.returncode == 0 else None


def instances():
    bench = ROOT.parent / "shared" / "corpus" / "bench"
    if not bench.exists():
        sys.exit("no instances: name DOMAIN PROBLEM pairs, or put the corpus at ../shared/corpus")
    for folder in sorted(bench.iterdir()):
        for problem in sorted(folder.glob("*.pddl")):
            if problem.name != "domain.pddl":
                yield folder / "domain.pddl", problem


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="DOMAIN PROBLEM")
    parser.add_argument("--runs", type=int, default=3, help="our runs an instance; the fastest counts (default 3)")
    parser.add_argument("--limit", type=float, default=300, help="seconds a peer may take (default 300)")
    options = parser.parse_args()
    pairs = list(zip(options.files[::2], options.files[1::2])) or list(instances())
    install()
    bin_folder = build()
    head = ["instance", "atoms", "actions", "ours s", "FD s", "FD/ours", "FD model s", "gringo s", "gringo/ours", "peak B/item"]
    print(("{:<34}" + "{:>13}" * (len(head) - 1)).format(*head))
    large, all_gringo = [], []
    for domain, problem in pairs:
        domain, problem = os.path.abspath(domain), os.path.abspath(problem)
        command = [bin_folder / "herbrand", "ground", "--domain", domain, "--problem", problem, "--format", "json"]
        runs = [cpu(command, options.limit) for _ in range(options.runs)]
        ours = max(min(seconds for seconds, _ in runs), 1e-4)
        data = json.loads(runs[0][1])
        whole, model = fast_downward(domain, problem, options.limit)
        theirs = gringo(bin_folder, domain, problem, options.limit)
        items = data["atoms"] + data["actions"]
        if whole and items >= 10_000:
            large.append(whole / ours)
        if theirs:
            all_gringo.append(theirs / ours)
        show = lambda value, digits=3: "–" if value is None else f"{value:.{digits}f}"
        name = "/".join(pathlib.Path(problem).parts[-2:])[:33]
        ratio = lambda value: show(value / ours if value else None, 1)
        row = [data["atoms"], data["actions"], show(ours), show(whole), ratio(whole), show(model), show(theirs), ratio(theirs),
               show(data["peak_bytes"] / max(items, 1), 0)]
        print(f"{name:<34}" + "".join(f"{cell:>13}" for cell in row), flush=True)
    print(f"\ngeometric means: Fast Downward / ours {geometric_mean(large):.1f} over {len(large)} instances of at least "
          f"10,000 atoms and actions; gringo / ours {geometric_mean(all_gringo):.1f} over all")


if __name__ == "__main__":
    main()
