"""The problem files of the measurements, from PDDLGym, Herbrand and planning competitions.

PDDLGym's files come with its package and Herbrand's with this checkout. Competition problems are not a package: --instances names a
clone of https://github.com/aibasel/downward-benchmarks, or any folder with one folder per suite.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Bundled problems of medium size, used if no competition problems are given.
BUNDLED = [
    "blocks/test/10",
    "depot/train/10",
    "elevator-adl/test/10",
    "gripper/test/10",
    "hanoi/test/05",
    "logistics/test/10",
    "philosophers/test/05",
    "schedule/test/05",
    "sokoban/test/10",
    "spanner/test/10",
]


def pddlgym(python):
    """Yields PDDLGym's domains from the package installed for a Python: name, domain file, folder of problems."""
    package = next(python.parents[1].glob("lib/python*/site-packages/pddlgym/pddl"))
    for domain in sorted(package.glob("*.pddl")):
        problems = package / domain.stem
        if any(problems.glob("*.pddl")):
            yield domain.stem, domain, problems


def bundled(only=""):
    """Yields pairs of a domain and a problem of this checkout."""
    domains = ROOT / "domains"
    for name in BUNDLED:
        problem = domains / f"{name}.pddl"
        if only in name and problem.exists():
            yield problem.parents[1] / "domain.pddl", problem


def all_bundled(only=""):
    """Yields pairs of a domain and a problem for all PDDL problems of this checkout."""
    for problem in sorted((ROOT / "domains").glob("*/**/*.pddl")):
        domain = next((folder / "domain.pddl" for folder in problem.parents if (folder / "domain.pddl").exists()), None)
        if problem.name != "domain.pddl" and domain and only in str(problem):
            yield domain, problem


def competition(folder, suites=None):
    """Yields pairs of a domain and a problem from a folder of suites: all of them, or the named ones."""
    folder = pathlib.Path(folder).resolve()
    if suites is None:
        found = sorted(path for path in folder.rglob("*.pddl") if "domain" not in path.name)
    else:
        found = [path for name in suites for path in [*folder.rglob(f"{name}.pddl")][:1]]
    for problem in found:
        # Airport numbers its domains without the name of the problem: p20-domain.pddl belongs to p20-airport3-p7.pddl.
        number = problem.stem.split("-")[0]
        names = [f"{problem.stem}-domain.pddl", f"{problem.stem}.domain.pddl", f"domain_{problem.name}", f"domain-{problem.name}",
                 f"{number}-domain.pddl"]
        own = [problem.with_name(name) for name in names]
        domain = next((path for path in own if path.exists()), problem.with_name("domain.pddl"))
        if domain.exists():
            yield domain, problem


def in_turns(pairs):
    """Returns the pairs in another order: the smallest problem file of each folder, then the second smallest of each, and so on."""
    suites = {}
    for pair in sorted(pairs, key=lambda pair: (pair[1].stat().st_size, pair[1])):
        suites.setdefault(pair[1].parent, []).append(pair)
    turns = [(number, suite, pair) for suite, own in suites.items() for number, pair in enumerate(own)]
    return [pair for _, _, pair in sorted(turns, key=lambda turn: turn[:2])]
