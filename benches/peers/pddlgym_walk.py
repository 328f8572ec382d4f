#!/usr/bin/env python3
"""Random walks by PDDLGym, measured: prints one line of JSON.

usage: pddlgym_walk.py [--mode valid|list] [--operators | --agent] [--episodes 100] [--steps 10] [--limit SECONDS]
                       [--seed N] [--as-is] [--install] DOMAIN PROBLEMS

DOMAIN is a PDDL file, PROBLEMS a problem file or a folder of them, which are then taken in turn. A walk ends after --steps
steps, at the goal, or in a dead end.

--mode valid   one valid action is drawn by PDDLGym's own sampling (`dynamic_action_space=True`), the default. It loops for
               ever where nothing is valid, so that is looked up before, outside of the time.
--mode list    all valid actions are listed, one is drawn.

The agent's actions are PDDLGym's action predicates where the domain has any (`; (:actions …)`), else the operators;
--operators and --agent choose.

PDDLGym 0.0.7 grounds all atoms in every step to look for derived ones, even in domains without derived predicates. There
that is left out here, which changes no state and makes it many times as fast; --as-is leaves it in.

All times are CPU seconds of this process and its children (PDDLGym asks Prolog in a process
of its own). `seconds` is the time of drawing and stepping, `reset_seconds` the additional time of resets. The walks stop
after --limit CPU seconds in total; `episodes` is the number of episodes they finished.

Needs `pip install pddlgym==0.0.7`, and SWI-Prolog (`swipl`) for domains beyond STRIPS; --install puts the former into
target/peers and uses it from there. Exit status 3: PDDLGym is not installed. If PDDLGym cannot read or step a problem, the
line has the key `error`, and the exit status is 0.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings

PINNED = "pddlgym==0.0.7"


def cpu():
    """CPU seconds of this process and of its children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


class Walks:
    """Random walks in one environment, with their times."""

    def __init__(self, env, options):
        self.env, self.options = env, options
        if not options.as_is and not any(predicate.is_derived for predicate in env.domain.predicates.values()):
            env._handle_derived_literals = lambda state: state
        self.rng = random.Random(options.seed)
        env.action_space.seed(options.seed)
        self.steps = self.episodes = self.goals = self.dead_ends = self.listed = 0
        self.seconds = self.reset_seconds = 0.0
        self.end = cpu() + options.limit

    def run(self):
        for episode in range(self.options.episodes):
            if cpu() > self.end:
                break
            self.env.fix_problem_index(episode % len(self.env.problems))
            start = cpu()
            state, _ = self.env.reset()
            # Grounding, which PDDLGym leaves to the first draw, belongs to the reset.
            self.env.action_space._update_objects_from_state(state)
            self.reset_seconds += cpu() - start
            self.walk(state)
            self.episodes += 1

    def walk(self, state):
        for _ in range(self.options.steps):
            if cpu() > self.end:
                return
            if not self.any_valid(state):
                self.dead_ends += 1
                return
            start = cpu()
            state, _, goal, _, _ = self.env.step(self.draw(state))
            self.seconds += cpu() - start
            self.steps += 1
            if goal:
                self.goals += 1
                return

    def any_valid(self, state):
        space = self.env.action_space
        if isinstance(space, LiteralActionSpace):
            return bool(space.all_ground_literals(state))
        return any(space._lit_valid_test(state, literal) for literal in space._all_ground_literals)

    def draw(self, state):
        space = self.env.action_space
        if self.options.mode == "valid":
            return space.sample(state)
        valid = sorted(space.all_ground_literals(state))
        self.listed += len(valid)
        return self.rng.choice(valid)

    def report(self):
        return {
            "mode": self.options.mode,
            "episodes": self.episodes,
            "steps": self.steps,
            "goals": self.goals,
            "dead_ends": self.dead_ends,
            "seconds": self.seconds,
            "reset_seconds": self.reset_seconds,
            "steps_per_s": self.steps / self.seconds if self.seconds else None,
            "mean_valid_actions": self.listed / self.steps if self.steps and self.options.mode == "list" else None,
        }


def operators_are_actions(options):
    if options.operators or options.agent:
        return options.operators
    return "(:actions" not in pathlib.Path(options.domain).read_text(errors="replace").lower()


def measure(options, folder):
    operators = operators_are_actions(options)
    report = {"domain": options.domain, "problems": options.problems, "operators": operators, "error": None}
    walks = None
    try:
        env = PDDLEnv(options.domain, folder, operators_as_actions=operators, dynamic_action_space=True)
        walks = Walks(env, options)
        walks.run()
    except Exception as error:  # whatever a peer may raise
        report["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:200].rstrip(": ")
    return report | (walks.report() if walks else {})


def problem_folder(path):
    """The folder of problems for PDDLGym: `path` if it is a folder, else a new folder with only this file."""
    if os.path.isdir(path):
        return contextlib.nullcontext(path)
    folder = tempfile.TemporaryDirectory()
    shutil.copy(path, folder.name)
    return folder


def reexecute_installed():
    """Installs PDDLGym into target/peers and starts over there."""
    peers = pathlib.Path(__file__).resolve().parents[2] / "target" / "peers"
    python = peers / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", peers], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", PINNED], check=True, stdout=sys.stderr)
    arguments = [argument for argument in sys.argv if argument != "--install"]
    os.execv(python, [str(python), *arguments])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", metavar="DOMAIN")
    parser.add_argument("problems", metavar="PROBLEMS")
    parser.add_argument("--mode", choices=["valid", "list"], default="valid")
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--operators", action="store_true")
    actions.add_argument("--agent", action="store_true")
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--as-is", action="store_true")
    parser.add_argument("--install", action="store_true")
    options = parser.parse_args()
    if options.install:
        reexecute_installed()
    warnings.filterwarnings("ignore")
    out = os.dup(1)
    os.dup2(2, 1)  # PDDLGym, gym and Prolog print what they like
    try:
        global gym, PDDLEnv, LiteralActionSpace
        import gym
        from pddlgym.core import PDDLEnv
        from pddlgym.spaces import LiteralActionSpace
    except ImportError as error:
        print(f"PDDLGym is not installed ({error}): pip install {PINNED}", file=sys.stderr)
        sys.exit(3)
    gym.logger.set_level(50)
    with problem_folder(options.problems) as folder:
        report = measure(options, folder)
    with os.fdopen(out, "w") as file:
        print(json.dumps(report), file=file)


if __name__ == "__main__":
    main()
