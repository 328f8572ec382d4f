"""Compares recording with Ray workers to recording in one process, in alternation; then tests recording with a worker killed halfway.

`rollout` computes totals, `record` writes Parquet, `collect` returns Arrow tables to this process. Ray's workers are started before
any measurement and stay alive. Each round reports the machine's load before it, the wall-clock time, and the CPU seconds of this
process and all of Ray's processes. On a machine with other work, the CPU seconds indicate the time on two idle processors. Finally a
worker is killed when half of the shares are done, and the files are compared byte for byte with those of one process.

Needs `pip install 'herbrand[ray]'` and otherwise idle processors:

    python3 benches/data/ray_workers.py [--workers 2] [--rounds 3] [--envs 2048] [--steps 1000] [--domain sokoban] [--kinds record …]
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

import herbrand
from herbrand import data
from herbrand.ray import Ray

KINDS: dict[str, Callable[[data.Recipe, Any, Path], Any]] = {
    "rollout": lambda recipe, workers, folder: data.rollout(recipe, workers),
    "record": lambda recipe, workers, folder: data.record(recipe, folder, workers),
    "collect": lambda recipe, workers, folder: sum(table.num_rows for table in data.tables(recipe, workers)),
}


@dataclass(frozen=True)
class Process:
    """Information about a process from the operating system."""

    parent: int
    command: bytes
    cpu: float


def descendants() -> dict[int, Process]:
    """Returns this process and all of its descendants."""
    found: dict[int, Process] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                found[int(entry.name)] = Process(int(fields[1]), (entry / "cmdline").read_bytes(), used)
            except OSError:
                continue

    def ours(process: int) -> bool:
        while process in found and process != os.getpid():
            process = found[process].parent
        return process == os.getpid()

    return {number: process for number, process in found.items() if ours(number)}


def cpu() -> float:
    """Returns the CPU seconds of this process and its descendants."""
    return sum(process.cpu for process in descendants().values())


def workers_of_ray() -> list[int]:
    """Returns the ids of this process's Ray workers that currently process a share."""
    return [number for number, process in descendants().items() if process.command.startswith(b"ray::call_share")]


def seconds(kind: str, recipe: data.Recipe, workers: Any, folder: Path) -> tuple[float, float]:
    """Returns the wall-clock seconds and the CPU seconds that a recipe takes."""
    shutil.rmtree(folder, ignore_errors=True)
    began, before = time.perf_counter(), cpu()
    KINDS[kind](recipe, workers, folder)
    return time.perf_counter() - began, cpu() - before


def disturbed(recipe: data.Recipe, workers: int, folder: Path) -> int:
    """Records and kills a worker when half of the rows are done; returns the number of killed workers."""
    killed: list[int] = []

    def progress(done: int, rows: int) -> None:
        if not killed and 2 * done >= rows and (found := workers_of_ray()):
            os.kill(found[0], signal.SIGKILL)
            killed.append(found[0])

    data.record(recipe, folder, Ray(workers), progress)
    return len(killed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="sokoban")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="what is measured (default: all)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--envs", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    suite = herbrand.suite(options.domain)
    recipe = data.Recipe(suite, num_envs=options.envs, steps=options.steps, seed=1)
    ray.init(num_cpus=options.workers, log_to_driver=False, include_dashboard=False)
    # Ray starts a worker when there is a task for it.
    data.rollout(data.Recipe(suite, num_envs=8 * options.workers, steps=100, share=2), Ray(options.workers))
    print(f"Ray {ray.__version__}, {options.domain}, {recipe.rows:,} steps in {len(recipe.shares())} shares")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        print("| | load | one process, s | Ray, s | ratio | one process, CPU s | Ray, CPU s |\n|---|---:|---:|---:|---:|---:|---:|")
        for kind in options.kinds:
            ratios = []
            for _ in range(options.rounds):
                load = os.getloadavg()[0]
                alone = seconds(kind, recipe, 1, folder / f"{kind}-alone")
                beside = seconds(kind, recipe, Ray(options.workers), folder / f"{kind}-ray")
                ratios.append(alone[0] / beside[0])
                times = f"{alone[0]:.1f} | {beside[0]:.1f} | {ratios[-1]:.2f} | {alone[1]:.1f} | {beside[1]:.1f}"
                print(f"| {kind} | {load:.1f} | {times} |", flush=True)
            print(f"| {kind}, median | | | | {statistics.median(ratios):.2f} | | |")
        if "record" not in options.kinds:
            ray.shutdown()
            return
        killed = disturbed(recipe, options.workers, folder / "disturbed")
        calm = folder / "record-alone"
        names = sorted(path.name for path in calm.iterdir())
        same = [(calm / name).read_bytes() == (folder / "disturbed" / name).read_bytes() for name in names]
        size = sum((calm / name).stat().st_size for name in names)
        print(f"{killed} worker killed halfway: {sum(same)} of {len(same)} files, {size:,} bytes, are the same to the byte")
    ray.shutdown()


if __name__ == "__main__":
    main()
