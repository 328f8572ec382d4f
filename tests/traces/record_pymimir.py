#!/usr/bin/env python3
"""Records traces of the deterministic bundled domains with pymimir, an independent planning library in C++.

usage: record_pymimir.py [--steps 20] [--walks 3] [DOMAIN ...]

Needs `pip install pymimir==0.13.63`. For each domain below domains/ (all deterministic ones by default), it takes random walks through
the first training problem with pymimir's lifted engine, and writes NAME.pymimir.trace.jsonl next to this script: all atoms, all
applicable operators, and the goal test of every visited state.
"""

import argparse
import json
import pathlib
import random

import pymimir

HERE = pathlib.Path(__file__).resolve().parent
DOMAINS = HERE.parents[1] / "domains"


def names(atoms):
    """Returns the texts of the atoms that are neither types nor equalities."""
    texts = (str(atom).lower() for atom in atoms)
    return sorted(text for text in texts if not text.startswith(("(object ", "(= ", "(number ")))


def record(domain_file, problem_file, options):
    domain = pymimir.Domain(str(domain_file))
    problem = pymimir.Problem(domain, str(problem_file), "lifted")
    rng = random.Random(1)
    first, goal = problem.get_initial_state(), problem.get_goal_condition()
    yield {
        "oracle": "pymimir 0.13.63, lifted",
        **bundled(problem_file),
        "seed": 1,
        "static": names(first.get_atoms(ignore_fluent=True, ignore_derived=True)),
    }
    for walk in range(options.walks):
        state = first
        for step in range(options.steps + 1):
            # An operator is listed once per way to satisfy its precondition.
            actions = {str(action).lower(): action for action in state.generate_applicable_actions()}
            chosen = rng.choice(sorted(actions)) if actions and step < options.steps else None
            yield {
                "walk": walk,
                "step": step,
                "fluents": names(state.get_atoms(ignore_static=True, ignore_derived=True)),
                "derived": names(state.get_atoms(ignore_static=True, ignore_fluent=True)),
                "actions": sorted(actions),
                "goal": bool(goal.holds(state)),
                "chosen": chosen,
            }
            if chosen is None:
                break
            state = actions[chosen].apply(state)


def bundled(problem_file):
    """Returns the names of a bundled domain and its problem, as `herbrand` takes them."""
    *folders, split, _ = problem_file.relative_to(DOMAINS).parts
    return {"domain": "-".join(part for part in folders if part != "levels"), "problem": f"{split}/{problem_file.stem}"}


def first_problem(folder):
    folders = [folder, *sorted(folder.glob("levels/*"))]
    return min(next(problem for problem in folders if (problem / "train").exists()).glob("train/*.pddl"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN")
    parser.add_argument("--steps", type=int, default=20, help="steps of a walk (default 20)")
    parser.add_argument("--walks", type=int, default=3, help="walks of each domain (default 3)")
    options = parser.parse_args()
    for folder in sorted(DOMAINS.iterdir()):
        domain_file = folder / "domain.pddl"
        if options.domains and folder.name not in options.domains or not domain_file.exists():
            continue
        if ":probabilistic-effects" in domain_file.read_text():
            continue
        try:
            lines = [json.dumps(line) for line in record(domain_file, first_problem(folder), options)]
        except RuntimeError as error:
            print(f"{folder.name}: left out: {str(error).splitlines()[0]}")
            continue
        (HERE / f"{folder.name}.pymimir.trace.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
