#!/usr/bin/env python3
"""Compares a random policy on PDDLGym's own files with PDDLGym, in one run.

usage: random_policy.py [--episodes 100] [--steps 10] [--limit SECONDS] [DOMAIN ...]

Installs PDDLGym from PyPI into target/peers and uses the files of its package; DOMAIN selects some of its domains. Measures CPU
time of one thread without resets and grounding. PDDLGym draws actions with its valid-action sampling. If that fails or exceeds
--limit CPU seconds, it draws from a list of all valid actions (see `pddlgym_walk.py`). Herbrand's side is `herbrand rollout` on the
same problems, uniform over the valid agent actions. Domains that PDDLGym cannot read or step are reported and skipped. PDDLGym runs
Prolog (`swipl`) for domains that are not conjunctive.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

import instances

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PYTHON = TARGET / "peers" / "bin" / "python"
WALK = pathlib.Path(__file__).with_name("pddlgym_walk.py")
PINNED = "pddlgym==0.0.7"


def theirs(domain, problems, options):
    """Returns PDDLGym's row, by valid-action sampling or else by listing; a text with the reason if both fail."""
    reason = "no answer"
    for mode in ("valid", "list"):
        command = [PYTHON, WALK, "--mode", mode, "--limit", str(options.limit), "--episodes", str(options.peer_episodes)]
        command += ["--steps", str(options.steps), domain, problems]
        try:
            # Sampling that hangs does not check its own limit.
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.patience)
        except subprocess.TimeoutExpired:
            reason = f"stopped after {options.patience:.0f} s"
            continue
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["failed"])[-1]
            continue
        row = json.loads(done.stdout.strip().splitlines()[-1])
        if row.get("steps_per_s"):
            return row
        reason = row.get("error") or "no step"
    return str(reason)[:90]


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)["rows"][0]


def ours(domain, problems, options):
    """Returns steps per CPU second: of many episodes, minus a run of one episode."""
    command = [TARGET / "release" / "herbrand", "rollout", "--domain", domain, "--steps", str(options.steps)]
    command += ["--threads", "1", "--format", "json", "--problem", *sorted(problems.glob("*.pddl"))]
    many, row = cpu([*command, "--episodes", str(options.episodes)])
    one, first = cpu([*command, "--episodes", "1"])
    return (row["steps"] - first["steps"]) / max(many - one, 1e-3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN")
    parser.add_argument("--episodes", type=int, default=50_000, help="our episodes (default 50000)")
    parser.add_argument("--peer-episodes", type=int, default=100, help="PDDLGym's episodes, at most (default 100)")
    parser.add_argument("--steps", type=int, default=10, help="steps of an episode (default 10)")
    parser.add_argument("--limit", type=float, default=10, help="CPU seconds of PDDLGym's walks (default 10)")
    parser.add_argument("--patience", type=float, default=120, help="seconds that a process of PDDLGym may take (default 120)")
    options = parser.parse_args()
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", TARGET / "peers"], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", PINNED], check=True)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=ROOT, check=True)
    print(f"{'domain':<20}{'mode':>8}{'ours, steps/s':>16}{'PDDLGym':>12}{'ratio':>12}")
    ratios = []
    for name, domain, problems in instances.pddlgym(PYTHON):
        if options.domains and name not in options.domains:
            continue
        row = theirs(domain, problems, options)
        if isinstance(row, str):
            print(f"{name:<20}  left out: {row}", flush=True)
            continue
        rate = ours(domain, problems, options)
        ratios.append(rate / row["steps_per_s"])
        cells = f"{row['mode']:>8}{rate:>16,.0f}{row['steps_per_s']:>12,.1f}{ratios[-1]:>12,.0f}"
        print(f"{name:<20}{cells}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
    print(f"geometric mean of {len(ratios)}: {mean:,.0f}; least: {min(ratios, default=math.nan):,.0f}")


if __name__ == "__main__":
    main()
