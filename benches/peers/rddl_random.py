#!/usr/bin/env python3
"""Compares random valid actions in every bundled RDDL environment with pyRDDLGym, and prints a table in Markdown.

usage: rddl_random.py [--program PROGRAM] [--episodes 500] [--peer-episodes 40] [--seconds 60] [ENVIRONMENT ...]

Run it with a Python that has `herbrand`, `pyRDDLGym` and `rddlrepository`. Herbrand's row is `herbrand rollout` of the first problem:
how episodes ended, valid joint actions per state, and mean return with its standard error. For pyRDDLGym's column, its simulator takes
each step, and the action is drawn uniformly from the valid ones of its state by `RddlTask.sample_action`; --seconds limits each
environment. Episodes end at the horizon, by a termination condition, or at a broken state invariant in both.
"""

import argparse
import json
import logging
import math
import pathlib
import statistics
import subprocess
import tempfile
import time
import warnings

import herbrand
import numpy as np

ENDS = ("terminal", "invariant", "horizon")


def ours(program, name, episodes):
    command = [program, "rollout", name, "1", "--episodes", str(episodes), "--seed", "1", "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["rows"][0]


def plain(value):
    return value.item() if isinstance(value, (np.generic, np.ndarray)) else value


def theirs(folder, task, episodes, seconds):
    """Returns the returns of pyRDDLGym's episodes; an error as text if it cannot read or step the problem."""
    import pyRDDLGym

    logging.disable(logging.WARNING)
    warnings.filterwarnings("ignore")
    try:
        env = pyRDDLGym.make(str(folder / "domain.rddl"), str(folder / "1.rddl"))
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:60]
    random, returns, end = herbrand.Random(1), [], time.monotonic() + seconds
    fluents = list(task.initial_state.to_dict())
    for episode in range(episodes):
        env.reset(seed=episode)
        total = 0.0
        while True:
            states = env.sampler.states
            state = task.state({name: plain(states[name]) for name in fluents})
            action = task.sample_action(state, random) or {}
            try:
                _, reward, terminated, truncated, _ = env.step(action)
            except Exception as error:
                return f"{type(error).__name__}: {error}".splitlines()[0][:60]
            total += reward
            if terminated or truncated:
                break
        returns.append(total)
        if time.monotonic() > end:
            break
    return returns


def mean_and_error(returns):
    error = statistics.stdev(returns) / math.sqrt(len(returns)) if len(returns) > 1 else 0.0
    return statistics.mean(returns), error


def number(value):
    return f"{value:,.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="herbrand")
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--peer-episodes", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("environments", nargs="*", metavar="ENVIRONMENT")
    options = parser.parse_args()
    names = options.environments or list(herbrand.RddlSuite.bundled_names())
    print("| environment | terminal | invariant | horizon | valid actions | return | pyRDDLGym | difference / error |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([options.program, "domains", "--out", scratch], check=True, capture_output=True)
        for name in names:
            row, task = ours(options.program, name, options.episodes), herbrand.load(name, "1")
            returns = theirs(pathlib.Path(scratch) / name, task, options.peer_episodes, options.seconds)
            valid = "–" if row["mean_valid_actions"] is None else number(row["mean_valid_actions"])
            cells = [name, *(f"{row['ends'][end]}" for end in ENDS), valid]
            mean, error = row["mean_return"], row["return_deviation"] / math.sqrt(max(row["counted"], 1))
            cells.append(f"{number(mean)} ± {number(error)}")
            if isinstance(returns, str):
                cells += [returns, "–"]
            else:
                peer, peer_error = mean_and_error(returns)
                both = math.hypot(error, peer_error)
                cells += [f"{number(peer)} ± {number(peer_error)}", f"{abs(mean - peer) / both:.1f}" if both else f"{abs(mean - peer):.1f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
