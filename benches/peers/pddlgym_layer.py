#!/usr/bin/env python3
"""Compares random walks on PDDLGym and on Herbrand's layer with the same interface, in one process: steps per second.

usage: pddlgym_layer.py [--operators] [--steps 10] [--limit SECONDS] [--seed N] [--as-is] DOMAIN [DOMAIN ...]

DOMAIN names a domain in PDDLGym's package, such as `sokoban`. A step draws a valid action from the action space
(`dynamic_action_space=True`) and takes it. A walk has at most --steps steps. It ends at the goal, and in a dead end, in which
PDDLGym would loop forever; the check for dead ends is not measured. The problems are used in turn, for --limit CPU seconds of
walking on each side. Resets are not measured, nor is the grounding that PDDLGym delays until the first draw.

PDDLGym 0.0.7 grounds all atoms in every step to find derived ones, even in domains without derived predicates. This script disables
that, which changes no state but makes PDDLGym many times faster; --as-is enables it.

All times are CPU seconds of this process and its children (PDDLGym runs Prolog in a process). Needs the packages `herbrand`,
`herbrand-compat` and `pddlgym==0.0.7`.
"""

import argparse
import itertools
import math
import pathlib
import resource
import warnings

import herbrand.compat.pddlgym.core as herbrand_core

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pddlgym.core as pddlgym_core


def cpu():
    """Returns the CPU seconds of this process and of its finished children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def environment(core, folder, options):
    """Creates an environment of either package."""
    files = str(folder.with_suffix(".pddl")), str(folder)
    env = core.PDDLEnv(*files, operators_as_actions=options.operators, dynamic_action_space=True, seed=options.seed)
    derived = any(predicate.is_derived for predicate in env.domain.predicates.values())
    if core is pddlgym_core and not options.as_is and not derived:
        env._handle_derived_literals = lambda state: state
    return env


def rate(core, folder, options):
    """Returns steps per CPU second."""
    env = environment(core, folder, options)
    steps, seconds = 0, 0.0
    for episode in itertools.count():
        env.fix_problem_index(episode % len(env.problems))
        obs, _ = env.reset()
        for _ in range(options.steps):
            if core is pddlgym_core and not env.action_space.all_ground_literals(obs):
                break
            start = cpu()
            try:
                obs, _, done, _, _ = env.step(env.action_space.sample(obs))
            except IndexError:  # a dead end in Herbrand
                break
            seconds += cpu() - start
            steps += 1
            if done:
                break
        if seconds > options.limit or (episode > 100 and steps == 0):
            return steps / seconds if steps else 0.0


def main():
    """Walks in each domain and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="+", metavar="DOMAIN")
    parser.add_argument("--operators", action="store_true", help="the operators are the agent's actions")
    parser.add_argument("--steps", type=int, default=10, help="steps of a walk at most (default 10)")
    parser.add_argument("--limit", type=float, default=2.0, help="CPU seconds for each (default 2)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--as-is", action="store_true", help="PDDLGym looks for derived atoms in every domain")
    options = parser.parse_args()
    print(f"{'domain':<20}{'PDDLGym':>12}{'Herbrand':>12}{'ratio':>9}")
    ratios = []
    package = pathlib.Path(pddlgym_core.__file__).parent / "pddl"
    for folder in (package / name for name in options.domains):
        theirs, ours = rate(pddlgym_core, folder, options), rate(herbrand_core, folder, options)
        if theirs:
            ratios.append(ours / theirs)
        print(f"{folder.name:<20}{theirs:>12,.0f}{ours:>12,.0f}{ours / theirs if theirs else math.inf:>9,.0f}", flush=True)
    if ratios:
        print(f"geometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):,.0f}")


if __name__ == "__main__":
    main()
