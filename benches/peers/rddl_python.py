#!/usr/bin/env python3
"""Compares RDDL from Python with pyRDDLGym, problem by problem, in one run.

usage: rddl_python.py [--seconds 2] [--rounds 5] [--only TEXT]

Needs the package herbrand for the Python of this script; installs the peer (pyRDDLGym and rddlrepository, from PyPI) into
target/rddl-peers. A single environment takes 64 joint actions in turn through Gymnasium's interface, with dicts as actions and
observations, and resets at the end of an episode. pyRDDLGym's `RandomAgent` draws the same dicts for both sides in advance. A
`VecEnv` of 1,024 environments takes rows of actions that are drawn in advance, and returns rows of observations: on one thread, on
one thread per processor, and on as many with arrays that are updated in place (`copy=False`). Rates are environment steps per second
of processor time, or of wall-clock time if there are several threads. The sides alternate for --rounds rounds. Each round has five
parts, and the fastest counts. Ratios are to pyRDDLGym's single environment in the same round, because it has no batches and one
thread, so that temporary load affects both sides. The table has the medians of all rounds.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
import warnings

from rddl_peers import PROBLEMS, files, geometric_mean, install, printed, walk


# The number of threads of a batch, and whether every call returns new arrays.
BATCHES = {
    "VecEnv": (1, True),
    f"{os.cpu_count()} threads": (os.cpu_count(), True),
    "and in place": (os.cpu_count(), False),
}


def single(domain, instance, actions, seconds):
    """Returns the steps per second of one environment."""
    import herbrand

    env = herbrand.rddl.make(domain, instance)
    env.reset(seed=1)
    best = 0.0
    for _ in range(5):
        begin, steps = time.process_time(), 0
        while time.process_time() < begin + seconds / 5:
            for action in actions:
                try:
                    ended = any(env.step(action)[2:4])
                except herbrand.StepError:
                    ended = True
                steps += 1
                if ended:
                    env.reset()
        best = max(best, steps / (time.process_time() - begin))
    return best


def batch(domain, instance, seconds, threads, copy=True, count=1024):
    """Returns the steps per second of a batch."""
    import herbrand

    forms = {"actions": "flat", "observation": "flat"}
    envs = herbrand.rddl.make_vec(domain, problem=instance, num_envs=count, threads=threads, copy=copy, **forms)
    clock = time.process_time if threads == 1 else time.perf_counter
    envs.reset(seed=1)
    drawn = [envs.unwrapped.sample() for _ in range(16)]
    best = 0.0
    for _ in range(5):
        begin, steps = clock(), 0
        while clock() < begin + seconds / 5:
            for actions in drawn:
                envs.step(actions)
                steps += count
        best = max(best, steps / (clock() - begin))
    return best


def round_of(pair, seconds):
    """Returns the rates of pyRDDLGym, of a single environment, and of batches."""
    theirs, actions = walk(pair, seconds)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(actions, file)
        file.flush()
        return theirs, *printed([sys.executable, __file__, "--seconds", str(seconds), "--ours", *pair, file.name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--ours", nargs=3, metavar=("DOMAIN", "INSTANCE", "ACTIONS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.ours:
        domain, instance, actions = options.ours
        with open(actions) as file:
            one = single(domain, instance, json.load(file), options.seconds)
        print(json.dumps([one, *(batch(domain, instance, options.seconds, *way) for way in BATCHES.values())]))
        return
    install(["pyRDDLGym", "rddlrepository"])
    ways = ["single", *BATCHES]
    ratios = {way: [] for way in ways}
    print(f"{'problem':24}{'pyRDDLGym':>12}" + "".join(f"{way:>20}{'ratio':>8}" for way in ways))
    for name in PROBLEMS:
        if options.only not in name or name == "RecSim-5":
            continue
        pair = files(name)
        rounds = [round_of(pair, options.seconds) for _ in range(options.rounds)]
        theirs, *ours = (statistics.median(rates) for rates in zip(*rounds))
        row = [statistics.median(ours[way] / theirs for theirs, *ours in rounds) for way in range(len(ways))]
        for way, ratio in zip(ways, row):
            ratios[way].append(ratio)
        shown = (f"{rate:20,.0f}{ratio:8,.0f}" for rate, ratio in zip(ours, row))
        print(f"{name:24}{theirs:12,.0f}" + "".join(shown), flush=True)
    for way in ways:
        print(f"{way}: geometric mean of the ratios {geometric_mean(ratios[way]):,.0f}, least {min(ratios[way]):,.0f}")


if __name__ == "__main__":
    main()
