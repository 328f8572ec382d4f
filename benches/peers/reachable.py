#!/usr/bin/env python3
"""Counts the ground actions that Fast Downward's translator reaches in the delete relaxation.

usage: reachable.py FOLDER > tests/reachable_actions.txt

Considers each problem of the suites in FOLDER (`instances.py` explains where to get them) whose domain has conjunctive conditions
only (no `or`, `imply`, `exists`, `forall`, `when` and no derived predicate). Prints the number of distinct pairs of schema and
arguments among the instantiated actions, including actions without effects. Installs up-fast-downward from PyPI into target/peers.
"""

import pathlib
import re
import subprocess
import sys

import instances
from grounding import PINNED
from peers import PYTHON, install

COUNT = """
import contextlib, io, sys
from fast_downward.translate import build_model, instantiate, normalize, options, pddl_parser, pddl_to_prolog
options.set_options([*sys.argv[1:], "--keep-no-ops"])
with contextlib.redirect_stdout(io.StringIO()):
    task = pddl_parser.open(*sys.argv[1:])
    normalize.normalize(task)
    actions = instantiate.instantiate(task, build_model.compute_model(pddl_to_prolog.translate(task)))[2]
print(len({action.name for action in actions}))
"""

NOT_CONJUNCTIVE = re.compile(r"\((or|imply|exists|forall|when|:derived)\b", re.IGNORECASE)


def main():
    install(PINNED)
    package = next(PYTHON.parents[1].glob("lib/python*/site-packages/up_fast_downward/downward/builds/release/bin"))
    folder = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) == 2 else sys.exit(__doc__)
    print("# Ground actions that are reachable when deletes are ignored, as Fast Downward's translator counts them.")
    print(f"# Made by `python3 benches/peers/reachable.py` with {PINNED[1]}.")
    for domain, problem in instances.competition(folder):
        if NOT_CONJUNCTIVE.search(domain.read_text()):
            continue
        done = subprocess.run([PYTHON, "-c", COUNT, domain, problem], cwd=package, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{problem}: {done.stderr.strip()[-400:]}")
        print(problem.relative_to(folder), done.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
