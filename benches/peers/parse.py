#!/usr/bin/env python3
"""Compares reading of a large problem with pypddl (the Loki parser), on the same files in one run.

usage: parse.py [--runs 10] [DOMAIN PROBLEM]

Without files, takes a generated problem with 300 objects and 72,000 facts. Installs pypddl from PyPI into target/peers. Each side
runs in its own process, which reads both files from disk and checks them several times. The fastest run counts, so the times
exclude starting the process and importing modules.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "peers"
PYTHON = PEERS / "bin" / "python"
PINNED = "pypddl==1.7.0"

LOKI = """
import pathlib, sys, time
from pypddl.formalism import Parser, ParserOptions
best = float("inf")
for _ in range(int(sys.argv[3])):
    start = time.perf_counter()
    parser = Parser(pathlib.Path(sys.argv[1]).read_text(), ParserOptions())
    task = parser.parse_task(pathlib.Path(sys.argv[2]).read_text())
    best = min(best, time.perf_counter() - start)
    del parser, task
print(best)
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()[-400:]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="DOMAIN PROBLEM")
    parser.add_argument("--runs", type=int, default=10, help="runs of each side; the fastest counts (default 10)")
    options = parser.parse_args()
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", PINNED], check=True)
    cargo = ["cargo", "build", "--release", "--quiet", "-p", "herbrand-pddl", "--example", "throughput"]
    subprocess.run(cargo, cwd=ROOT, check=True)
    throughput = TARGET / "release" / "examples" / "throughput"
    if options.files:
        domain, problem = options.files
    else:
        folder = TARGET / "parse"
        run(throughput, "write", folder)
        domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    ours = json.loads(run(throughput, "read", domain, problem, str(options.runs)))
    theirs = float(run(PYTHON, "-c", LOKI, domain, problem, str(options.runs)))
    print(f"{ours['bytes'] / 1e6:.2f} MB, fastest of {options.runs} runs each")
    for name, seconds in (("herbrand", ours["seconds"]), (PINNED, theirs)):
        print(f"{name:<16}{1e3 * seconds:>10.2f} ms{ours['bytes'] / seconds / 1e6:>10.1f} MB/s")
    print(f"pypddl / herbrand: {theirs / ours['seconds']:.1f}")


if __name__ == "__main__":
    main()
