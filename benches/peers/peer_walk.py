#!/usr/bin/env python3
"""Random walks by another package on one problem, measured: prints one line of JSON.

usage: peer_walk.py --list
       peer_walk.py PEER DOMAIN PROBLEM [--steps 10] [--seconds 1] [--limit 20] [--seed 0]

PEER is one of

pymimir           its grounded successor generator, called directly
unified-planning  its sequential simulator
pyRDDLGym         its environment, with actions by its random agent; DOMAIN and PROBLEM are in RDDL

A walk takes a random valid action --steps times at most; it ends where nothing is valid, and but for pymimir's at the goal. Reading and grounding are
left out. Times are CPU seconds of this process; a package is stopped after --limit seconds in total. If it cannot read or step a
problem, the line has the key `error`, and the exit status is 0.

--list prints the version of this Python, and those of the packages that are installed in it.
"""

import argparse
import importlib.metadata
import json
import math
import os
import platform
import random
import signal
import sys
import time
import warnings

PEERS = ["pddlgym", "pymimir", "unified-planning", "pyRDDLGym"]


def versions():
    """The version of each package that is installed."""
    found = {}
    for name in PEERS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return {"python": platform.python_version(), "peers": found}


class Mimir:
    """pymimir 0.13: a problem's own search context."""

    def __init__(self, domain, problem, seed):
        import pymimir

        self.problem = pymimir.Problem(pymimir.Domain(domain), problem, "grounded")
        context = self.problem._search_context
        self.applicable = context.get_applicable_action_generator().generate_applicable_actions
        repository = context.get_state_repository()
        self.first = repository.get_or_create_initial_state()[0]
        self.successor = repository.get_or_create_successor_state
        self.draw = random.Random(seed).random

    def walk(self, steps):
        """Takes at most `steps` steps; returns how many it took."""
        state = self.first
        for taken in range(steps):
            actions = self.applicable(state)
            if not actions:
                return taken
            state = self.successor(state, actions[int(self.draw() * len(actions))], 0.0)[0]
        return steps


class UnifiedPlanning:
    """The sequential simulator of Unified Planning."""

    def __init__(self, domain, problem, seed):
        from unified_planning.io import PDDLReader
        from unified_planning.shortcuts import SequentialSimulator, get_environment

        get_environment().credits_stream = None
        self.simulator = SequentialSimulator(PDDLReader().parse_problem(domain, problem))
        self.draw = random.Random(seed).random

    def walk(self, steps):
        simulator, state = self.simulator, self.simulator.get_initial_state()
        for taken in range(steps):
            actions = list(simulator.get_applicable_actions(state))
            if not actions or simulator.is_goal(state):
                return taken
            action, parameters = actions[int(self.draw() * len(actions))]
            state = simulator.apply(state, action, parameters)
        return steps


class PyRDDLGym:
    """The environment of pyRDDLGym."""

    def __init__(self, domain, problem, seed):
        import pyRDDLGym
        from pyRDDLGym.core.policy import RandomAgent

        self.env = pyRDDLGym.make(domain, problem)
        self.agent = RandomAgent(self.env.action_space, num_actions=self.env.max_allowed_actions, seed=seed)

    def walk(self, steps):
        state, _ = self.env.reset()
        for taken in range(steps):
            state, _, terminated, truncated, _ = self.env.step(self.agent.sample_action(state))
            if terminated or truncated:
                return taken + 1
        return steps


def stop_after(seconds):
    """Raises an error when this process has used `seconds` of CPU time, where the system can measure it."""

    def stop(*_):
        raise TimeoutError(f"stopped after {seconds:g} CPU seconds")

    try:
        import resource
    except ImportError:
        return
    signal.signal(signal.SIGXCPU, stop)
    # A peer that never returns to Python is killed by the operating system.
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))


KINDS = {"pymimir": Mimir, "unified-planning": UnifiedPlanning, "pyRDDLGym": PyRDDLGym}


def measure(options):
    """Walks for `options.seconds` of CPU time, after one walk that is not counted."""
    report = {"error": None, "steps": 0, "seconds": 0.0, "steps_per_s": None}
    try:
        walks = KINDS[options.peer](options.domain, options.problem, options.seed)
        walks.walk(options.steps)
        start = time.process_time()
        idle = 0
        while report["seconds"] < options.seconds and idle < 100:
            taken = walks.walk(options.steps)
            idle = 0 if taken else idle + 1
            report["steps"] += taken
            report["seconds"] = time.process_time() - start
    except Exception as error:  # whatever a peer may raise
        report["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:200].rstrip(": ")
    if report["steps"]:
        report["steps_per_s"] = report["steps"] / report["seconds"]
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("peer", nargs="?", choices=KINDS, metavar="PEER")
    parser.add_argument("domain", nargs="?", metavar="DOMAIN")
    parser.add_argument("problem", nargs="?", metavar="PROBLEM")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.list:
        print(json.dumps(versions()))
        return
    if options.problem is None:
        parser.error("a peer, a domain and a problem are needed")
    warnings.filterwarnings("ignore")
    out = os.dup(1)
    os.dup2(2, 1)  # peers print what they like
    stop_after(options.limit)
    report = measure(options)
    sys.stdout.flush()
    with os.fdopen(out, "w") as file:
        print(json.dumps(report), file=file)


if __name__ == "__main__":
    main()
