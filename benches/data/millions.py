"""Measures recording millions of steps to Parquet and replaying them: time, file size, and resident memory.

Records a data set of random valid actions in this process, then replays it: repeats all recorded actions and compares every
column. Resident memory is sampled ten times per second; each line reports the maximum during a tenth of the work.

Needs `pip install 'herbrand[data]'`:

    python3 benches/data/millions.py [--domain sokoban] [--envs 1000] [--steps 10000] [--share 50]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow

import herbrand
from herbrand import data

PAGE = os.sysconf("SC_PAGE_SIZE")


class Memory:
    """The resident memory of this process, sampled by a thread."""

    def __init__(self) -> None:
        self._most = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            self._look()

    def _look(self) -> None:
        self._most = max(self._most, int(Path("/proc/self/statm").read_text().split()[1]) * PAGE)

    def most(self) -> int:
        """Returns the maximum in bytes since the last call."""
        self._look()
        most, self._most = self._most, 0
        return most

    def close(self) -> None:
        """Stops the thread."""
        self._over.set()
        self._thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="sokoban")
    parser.add_argument("--envs", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--share", type=int, default=50, help="environments of a file (default 50)")
    options = parser.parse_args()
    suite = herbrand.suite(options.domain)
    recipe = data.Recipe(suite, num_envs=options.envs, steps=options.steps, share=options.share, seed=1)
    memory = Memory()
    print(f"{options.domain}, {recipe.rows:,} steps, PyArrow {pyarrow.__version__}, load {os.getloadavg()[0]:.1f}")
    print(f"before: {memory.most() / 2**20:.0f} MiB resident")

    def told(kind: str) -> Callable[[int, int], None]:
        began, tenth = time.perf_counter(), 0

        def progress(done: int, rows: int) -> None:
            nonlocal tenth
            if 10 * done // rows > tenth:
                tenth = 10 * done // rows
                seconds = time.perf_counter() - began
                print(f"{kind} {done:>12,} steps {seconds:7.1f} s {memory.most() / 2**20:5.0f} MiB resident", flush=True)

        return progress

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "steps"
        card = data.record(recipe, folder, progress=told("recorded"))
        print(f"{len(card['parts'])} files, {sum(part['bytes'] for part in card['parts']):,} bytes")
        replayed = data.replay(folder, progress=told("replayed"))
        print(f"{replayed.rows:,} steps replayed, {len(replayed.differences) or 'no'} differences")
        for difference in replayed.differences:
            print(difference)
    memory.close()


if __name__ == "__main__":
    main()
