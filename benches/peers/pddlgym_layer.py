#!/usr/bin/env python3
"""Random walks by one script on PDDLGym and on Herbrand's layer of the same interface, in one process: steps a second.

usage: pddlgym_layer.py [--operators] [--steps 10] [--limit SECONDS] [--seed N] [--as-is] DOMAIN [DOMAIN ...]

DOMAIN is the name of one of the domains whose files PDDLGym's package brings, such as `sokoban`. A step draws a valid action from the action space (`dynamic_action_space=True`)
and takes it. A walk has --steps steps at most; it ends at the goal, and in a dead end, which PDDLGym would loop in for
ever: whether there is one is looked up outside of the time. The problems are taken in turn until --limit CPU seconds of
walking are over, for each of both. Resets, and the grounding that PDDLGym leaves to the first draw, are outside of the
time.

PDDLGym 0.0.7 grounds all atoms in every step to look for derived ones, even in domains without derived predicates. There
that is left out here, which changes no state and makes it many times as fast; --as-is leaves it in.

All times are CPU seconds of this process and its children (PDDLGym asks Prolog in a process of its own). Needs the package
`herbrand` and `pddlgym==0.0.7`.
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
    """CPU seconds of this process and of its children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def environment(core, folder, options):
    """An environment of either package."""
    files = str(folder.with_suffix(".pddl")), str(folder)
    env = core.PDDLEnv(*files, operators_as_actions=options.operators, dynamic_action_space=True, seed=options.seed)
    derived = any(predicate.is_derived for predicate in env.domain.predicates.values())
    if core is pddlgym_core and not options.as_is and not derived:
        env._handle_derived_literals = lambda state: state
    return env


def rate(core, folder, options):
    """Steps a CPU second."""
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
            except IndexError:  # a dead end, as Herbrand says it
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
