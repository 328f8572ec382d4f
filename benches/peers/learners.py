#!/usr/bin/env python3
"""Scores a learner on the learning track of the International Planning Competition 2023, beside LAMA, by the competition's formula.

usage: learners.py FOLDER [--domains NAME,NAME,…] [--problems 3] [--limit 20] [--train 30] [--memory 6] [--csv FILE]

FOLDER is a clone of https://github.com/ipc2023-learning/benchmarks. Builds a release wheel and installs it with the peers (from PyPI)
into target/peers, or uses the Python that HERBRAND_PEERS_PYTHON names, which must have both. For each domain:

- learns from the training problems for --train CPU seconds (`learned.py` says how), also which search to use: test problems are not
  seen before they are solved;
- takes --problems test problems, as many of each level, evenly spread among the files of the clone;
- gives each of three planners --limit CPU seconds and --memory GiB for each problem, text to plan, in one process at a time:

learned      a search with the learned heuristic, then `anytime` for the rest of the time; the cheapest plan counts
without      only `anytime` of Herbrand
LAMA         Fast Downward's alias `lama`, which looks for cheaper plans too

A problem scores C*/C, where C is the cost of the cheapest plan found and C* that of the cheapest reference plan in the folder
`solutions`, at most 1, and 0 if it is not solved. Every plan is executed by `herbrand validate`; a wrong plan scores 0. All limits
are CPU seconds. --csv keeps the results in a file as they come; those in it already are not measured again.
"""

import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from peers import PYTHON, TARGET, install_wheel, installed, markdown
from planning import measured

PINNED = ["up-fast-downward==1.0.0", "numpy", "scikit-learn"]
DOMAINS = ["blocksworld", "childsnack", "ferry", "floortile", "miconic", "rovers", "satellite", "sokoban", "spanner", "transport"]
LEVELS = ["easy", "medium", "hard"]
PLANNERS = ["learned", "without", "LAMA"]
LEARNED = pathlib.Path(__file__).with_name("learned.py")

Limits = collections.namedtuple("Limits", "time memory")


def spread(folder, count):
    """Returns this many problems of a folder, evenly spread, rather larger ones."""
    found = sorted(folder.glob("*.pddl"))
    count = min(count, len(found))
    return [found[(4 * i + 3) * len(found) // (4 * count)] for i in range(count)]


def references(folder):
    """Returns the cost of the cheapest reference plan of each problem."""
    costs = {}
    for name in ("upper_bounds.json", "upper_bounds_from_ipc_planners.json"):
        for problem, cost in json.loads((folder / "solutions" / name).read_text()).items():
            if cost is not None:
                costs[problem] = min(cost, costs.get(problem, cost))
    return costs


def learn(folder, domain, limits):
    """Returns the file of a learned model, after printing its description; None if the learner failed."""
    model = TARGET / "learners" / f"{domain}.json"
    model.parent.mkdir(parents=True, exist_ok=True)
    model.unlink(missing_ok=True)
    # The learner minds its time; the limit has room for the last step.
    roomy = limits._replace(time=1.5 * limits.time + 60)
    with tempfile.TemporaryDirectory() as scratch:
        command = [PYTHON, LEARNED, "train", folder / domain, model, str(limits.time)]
        output, status, seconds = measured(command, pathlib.Path(scratch), roomy)
    last = output.strip().splitlines()[-1:]
    print(f"{domain}: {last[0] if last else ''} ({seconds:.0f} s)", file=sys.stderr, flush=True)
    return model if status == 0 else None


def command_of(planner, domain, problem, plan, limits, model):
    """Returns the command of a planner."""
    if planner == "LAMA":
        driver = installed("up_fast_downward/downward/fast-downward.py")
        limit = ["--overall-time-limit", f"{limits.time:.0f}s"]
        return [PYTHON, driver, "--plan-file", plan, *limit, "--alias", "lama", domain, problem]
    given = [model] if planner == "learned" and model else []
    return [PYTHON, LEARNED, "solve", domain, problem, plan, str(limits.time), *given]


def cost_of(domain, problem, plans):
    """Returns the cost of the cheapest plan among files; None without a plan, or if it is wrong."""
    costs = [(float(found[1]), plan) for plan in plans if (found := re.search(r"; cost = ([\d.]+)", plan.read_text()))]
    if not costs:
        return None
    cost, plan = min(costs)
    command = [PYTHON, "-m", "herbrand", "validate", "--domain", domain, "--problem", problem, plan]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return cost
    print(f"wrong plan: {problem}: {done.stdout[-300:]}{done.stderr[-300:]}", file=sys.stderr)
    return None


def solve(planner, problem, limits, model):
    """Returns the cost of the best plan of a planner, None if it has none, and its CPU seconds."""
    domain = problem.parents[2] / "domain.pddl"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        command = command_of(planner, domain, problem, scratch / "plan", limits, model)
        output, status, seconds = measured(command, scratch, limits)
        cost = cost_of(domain, problem, [*scratch.glob("plan"), *scratch.glob("plan.*")])
        if cost is None and status not in (-9, -24, 21, 23):
            print(f"{planner}: {problem.parts[-4:]}: status {status}: {output[-200:]}", file=sys.stderr, flush=True)
        return cost, seconds


class Results:
    """The costs and seconds of the runs by problem and planner, kept in a file."""

    def __init__(self, path):
        self.path = path
        self.runs = {}
        if path and path.exists():
            with path.open(newline="") as file:
                for problem, planner, cost, seconds in csv.reader(file):
                    self.runs[problem, planner] = float(cost) if cost else None, float(seconds)

    def note(self, key, run):
        self.runs[key] = run
        if self.path:
            with self.path.open("a", newline="") as file:
                csv.writer(file).writerow([*key, "" if run[0] is None else f"{run[0]:g}", f"{run[1]:.2f}"])


def main():
    """Prints a table of scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--planners", default=",".join(PLANNERS))
    for name, default in [("problems", 3), ("limit", 20), ("train", 30), ("memory", 6)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    install_wheel(PINNED)
    costs, results = references(folder), Results(arguments.csv)
    limits = Limits(arguments.limit, arguments.memory)
    planners = arguments.planners.split(",")
    rows, totals = [], collections.Counter()
    for domain in arguments.domains.split(","):
        names = {
            problem: str(problem.relative_to(folder))
            for level in LEVELS
            for problem in spread(folder / domain / "testing" / level, arguments.problems // len(LEVELS))
        }
        scores, solved, model = collections.Counter(), collections.Counter(), None
        if any((name, "learned") not in results.runs for name in names.values()) and "learned" in planners:
            model = learn(folder, domain, limits._replace(time=arguments.train))
        for problem, name in names.items():
            for planner in planners:
                if (name, planner) not in results.runs:
                    results.note((name, planner), solve(planner, problem, limits, model))
                cost, seconds = results.runs[name, planner]
                if cost is not None:
                    solved[planner] += 1
                    scores[planner] += min(costs[name] / max(cost, 1e-9), 1)
            print(name, costs[name], *(f"{one}: {results.runs[name, one]}" for one in planners), sep="  ", file=sys.stderr, flush=True)
        totals += scores
        rows.append([domain, len(names), *(f"{scores[one]:.2f} ({solved[one]})" for one in planners)])
    rows.append(["all", sum(row[1] for row in rows), *(f"{totals[one]:.2f}" for one in planners)])
    markdown(["domain", "problems", *(f"{one} (solved)" for one in planners)], rows)


if __name__ == "__main__":
    main()
