#!/usr/bin/env python3
"""Counts the ground actions that Fast Downward's translator reaches, deletes ignored.

usage: reachable.py > tests/reachable_actions.txt

For each problem of ../shared/corpus/{bench,ipc} whose domain has conjunctive conditions alone (no `or`, `imply`,
`exists`, `forall`, `when` and no derived predicate): the number of distinct pairs of schema and arguments among the
instantiated actions, those without effects included. Installs up-fast-downward from PyPI into target/peers.
"""

import pathlib
import re
import subprocess
import sys

from grounding import PYTHON, ROOT, install, PINNED

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
    install()
    package = next(PYTHON.parents[1].glob("lib/python*/site-packages/up_fast_downward/downward/builds/release/bin"))
    corpus = ROOT.parent / "shared" / "corpus"
    print("# Ground actions that are reachable when deletes are ignored, as Fast Downward's translator counts them.")
    print(f"# Made by `python3 benches/peers/reachable.py` with {PINNED[1]}.")
    for domain in sorted(corpus.glob("bench/*/domain.pddl")) + sorted(corpus.glob("ipc/*/domain.pddl")):
        if NOT_CONJUNCTIVE.search(domain.read_text()):
            continue
        for problem in sorted(domain.parent.glob("*.pddl")):
            if problem == domain:
                continue
            done = subprocess.run([PYTHON, "-c", COUNT, domain, problem], cwd=package, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{problem}: {done.stderr.strip()[-400:]}")
            print(problem.relative_to(corpus), done.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
