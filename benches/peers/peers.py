"""What the scripts of this folder share: where things are, how peers and a wheel of this package are installed, how a
process is run and measured, and how rows are printed."""

import math
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "peers"
# A Python that has the peers already may be named; then nothing is installed.
NAMED = os.environ.get("HERBRAND_PEERS_PYTHON")
PYTHON = pathlib.Path(NAMED or PEERS / "bin" / "python")


class Failed(Exception):
    """A measurement that did not end well."""


def install(packages):
    """Installs packages from PyPI for `PYTHON`, which is made if there is none."""
    if NAMED:
        return
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *packages], check=True)


def install_wheel(packages):
    """Installs a release wheel of this package beside its peers."""
    install(["maturin", *packages])
    if NAMED:
        return
    package, wheels = ROOT / "crates" / "herbrand-python", TARGET / "wheels"
    maturin = [PYTHON, "-m", "maturin", "build", "--release", "--quiet", "--out", wheels]
    subprocess.run(maturin, cwd=package, check=True, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    newest = max(wheels.glob("herbrand-*.whl"), key=os.path.getmtime)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", newest], check=True)
    install(["gymnasium>=1.0,<2"])


def installed(path):
    """A file or folder of a package that `PYTHON` has."""
    return next(PYTHON.parents[1].glob(f"lib/python*/site-packages/{path}"))


def run(command, limit, **options):
    """What a command printed, and the CPU seconds it took."""
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
    """Prints rows as a table in Markdown as they come: names to the left, figures to the right."""
    print(f"| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def with_declared_features(text):
    """The text of a domain in which every feature is declared, as pymimir wants it; files of competitions do without."""
    if "(:derived" in text and ":derived-predicates" not in text:
        return text.replace("(:requirements", "(:requirements :adl :derived-predicates")
    return text
