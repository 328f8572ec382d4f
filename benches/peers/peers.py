"""Helpers of the scripts in this folder: paths, installation of peers and of a wheel of this package, measured processes, and
tables."""

import math
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "peers"
# If the environment names a Python that has the peers, nothing is installed.
NAMED = os.environ.get("HERBRAND_PEERS_PYTHON")
PYTHON = pathlib.Path(NAMED or PEERS / "bin" / "python")


class Failed(Exception):
    """A measurement failed."""


def install(packages):
    """Installs packages from PyPI for `PYTHON`, whose environment is created if it does not exist."""
    if NAMED:
        return
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *packages], check=True)


def install_wheel(packages):
    """Installs a release wheel of this package together with peers."""
    install(["maturin", *packages])
    if NAMED:
        return
    package, wheels = ROOT / "crates" / "fronts" / "herbrand-python", TARGET / "wheels"
    maturin = [PYTHON, "-m", "maturin", "build", "--release", "--quiet", "--out", wheels]
    subprocess.run(maturin, cwd=package, check=True, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    newest = max(wheels.glob("herbrand-*.whl"), key=os.path.getmtime)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", newest], check=True)
    install(["gymnasium>=1.0,<2"])


def installed(path):
    """Returns a file or folder of a package installed for `PYTHON`."""
    return next(PYTHON.parents[1].glob(f"lib/python*/site-packages/{path}"))


def run(command, limit, **options):
    """Returns the output of a command and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, **options)
    except subprocess.TimeoutExpired:
        raise Failed(f"stopped after {limit:.0f} s") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Failed(done.stderr.strip()[-300:] or f"exit status {done.returncode}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def markdown(head, rows):
    """Prints a Markdown table row by row: names are aligned left, numbers right."""
    print(f"| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def with_declared_features(text):
    """Returns the text of a domain with all features declared, as pymimir requires; competition files lack some declarations."""
    if "(:derived" in text and ":derived-predicates" not in text:
        return text.replace("(:requirements", "(:requirements :adl :derived-predicates")
    return text
