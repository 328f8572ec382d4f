"""The problem files that the measurements take: PDDLGym's own, Herbrand's, and those of competitions.

PDDLGym's come with its package, Herbrand's with this checkout. Those of competitions are no package: a clone of
https://github.com/aibasel/downward-benchmarks, or any folder with a folder for each suite, is named by --instances.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Bundled domains and problems of middle size, where no competition's are named.
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
    """PDDLGym's domains, of the package that is installed beside a Python: name, domain file, folder of problems."""
    package = next(python.parents[1].glob("lib/python*/site-packages/pddlgym/pddl"))
    for domain in sorted(package.glob("*.pddl")):
        problems = package / domain.stem
        if any(problems.glob("*.pddl")):
            yield domain.stem, domain, problems


def bundled(only=""):
    """Pairs of a domain and a problem of this checkout."""
    domains = ROOT / "domains"
    for name in BUNDLED:
        problem = domains / f"{name}.pddl"
        if only in name and problem.exists():
            yield problem.parents[1] / "domain.pddl", problem


def all_bundled(only=""):
    """Pairs of a domain and a problem: all problems in PDDL of this checkout."""
    for problem in sorted((ROOT / "domains").glob("*/**/*.pddl")):
        domain = next((folder / "domain.pddl" for folder in problem.parents if (folder / "domain.pddl").exists()), None)
        if problem.name != "domain.pddl" and domain and only in str(problem):
            yield domain, problem


def competition(folder, suites=None):
    """Pairs of a domain and a problem of a folder of suites: of all its suites, or the problems that are named."""
    folder = pathlib.Path(folder).resolve()
    if suites is None:
        found = sorted(path for path in folder.rglob("*.pddl") if "domain" not in path.name)
    else:
        found = [path for name in suites for path in [*folder.rglob(f"{name}.pddl")][:1]]
    for problem in found:
        # Airport numbers its domains alone: p20-domain.pddl is that of p20-airport3-p7.pddl.
        number = problem.stem.split("-")[0]
        names = [f"{problem.stem}-domain.pddl", f"{problem.stem}.domain.pddl", f"domain_{problem.name}", f"{number}-domain.pddl"]
        own = [problem.with_name(name) for name in names]
        domain = next((path for path in own if path.exists()), problem.with_name("domain.pddl"))
        if domain.exists():
            yield domain, problem
