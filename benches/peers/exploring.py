"""Compares steps per second of text games: the bundled worlds against TextWorldExpress, in alternation.

A random policy draws one of the commands that have an effect, which it requests before every step. Creating games is not measured.
Reports wall-clock seconds and the CPU seconds of both processes, because TextWorldExpress is a Java program controlled from Python.

Needs Java and `pip install herbrand textworld-express==1.1.0`:

    python3 benches/peers/exploring.py [--rounds 5] [--steps 2000]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time

from herbrand import explore


def cpu(process: int | None) -> float:
    """Returns the CPU seconds of this process and of another one."""
    seconds = time.process_time()
    if process is not None:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def walk(world: explore.TextWorld, steps: int, game: int, process: int | None) -> tuple[float, float]:
    """Takes `steps` random steps, starting in game number `game`; returns wall-clock seconds and CPU seconds."""
    draws = random.Random(game)
    wall, used, left = 0.0, 0.0, steps
    while left > 0:
        status = world.begin(game).status
        game += 1
        count = 0
        began, before = time.perf_counter(), cpu(process)
        while count < min(left, 200) and status == "running":
            command = draws.choice(world.commands())
            status = world.step(command).status
            count += 1
        wall += time.perf_counter() - began
        used += cpu(process) - before
        left -= max(count, 1)
    return wall, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    print("| setting | Herbrand steps/s | TextWorldExpress steps/s | ratio | ratio of CPU seconds |")
    print("|---|---:|---:|---:|---:|")
    for setting in explore.settings:
        native = explore.NativeWorld(setting)
        with explore.TextWorldExpress(setting) as peer:
            process = peer._env._gateway.java_process.pid
            many = options.steps * 50
            walk(native, many // 10, 0, None)
            walk(peer, options.steps, 0, process)
            ours, theirs = [], []
            for number in range(options.rounds):
                theirs.append(walk(peer, options.steps, 1000 * number, process))
                ours.append(walk(native, many, 1000 * number, None))
        rates = [
            (many / mine[0], options.steps / other[0], other[0] / mine[0] * 50, other[1] / mine[1] * 50)
            for mine, other in zip(ours, theirs, strict=True)
        ]
        mine, other, ratio, used = (statistics.median(column) for column in zip(*rates, strict=True))
        print(f"| {setting} | {mine:,.0f} | {other:,.0f} | {ratio:.0f} | {used:.0f} |", flush=True)


if __name__ == "__main__":
    main()
