#!/usr/bin/env python3
"""Records traces of the agent actions of bundled domains with PDDLGym.

usage: record_pddlgym.py [--steps 20] [--walks 3] [DOMAIN ...]

Needs `pip install pddlgym==0.0.7`. Covers conjunctive domains whose env.toml declares actions with some of the operators'
parameters, and probabilistic domains whose outcomes are single atoms (PDDLGym takes an outcome with several atoms for several
outcomes). The domains are translated to PDDLGym's dialect, with an atom for the agent action in each precondition and all of its
groundings in the initial state. Probabilities are written as decimals, because PDDLGym drops fractions. Walks go through the first
training problem; NAME.pddlgym.trace.jsonl next to this script lists the valid agent actions in every visited state.
"""

import argparse
import json
import pathlib
import random
import tempfile
import tomllib
import warnings
from fractions import Fraction

import numpy

from expressions import Objects, keyword, parse, sections, show, typed

warnings.filterwarnings("ignore")
import gym  # noqa: E402

gym.logger.set_level(50)
from pddlgym.core import PDDLEnv  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DOMAINS = HERE.parents[1] / "domains"
CONJUNCTIVE = ["baking", "doors", "ferry", "hanoi", "meet-pass", "newspapers", "slide-tile", "sokoban", "spanner", "tsp"]
WITH_CHANCE = ["casino", "tireworld"]


def in_dialect(domain, problem, declared):
    """Returns domain and problem with atoms for the agent actions."""
    objects = Objects(domain, problem)
    predicates = sections(domain, ":predicates")[0]
    init = sections(problem, ":init")[0]
    operators = {action[1]: action for action in sections(domain, ":action")}
    for name, agent in declared.items():
        for operator, arguments in agent["operators"].items():
            action = operators[operator]
            place = action.index(":precondition") + 1
            condition = action[place]
            conjuncts = condition[1:] if condition[0] == "and" else [condition]
            action[place] = ["and", [name, *arguments], *conjuncts]
            kinds = dict(typed(keyword(action, ":parameters")))
        parameters = [(f"?{parameter}", kinds[argument]) for parameter, argument in zip(agent["parameters"], arguments)]
        predicates.append([name, *spelt_out(parameters)])
        init += [[name, *binding.values()] for binding in objects.bindings(parameters)]
    actions = f"; (:actions {' '.join(declared)})\n"
    text = show(readable(domain)).replace("(:predicates", f"\n{actions}(:predicates", 1)
    return text.replace("(:action ", "\n(:action "), show(problem)


def readable(domain):
    """Returns the domain for PDDLGym's parser: every parameter with its type, one type per line, decimal numbers."""
    types = typed(sections(domain, ":types")[0][1:])
    if all(parent == "object" for _, parent in types):
        lines = [name for name, _ in types]
    else:
        lines = [f"\n{name} - {parent} \n" for name, parent in types]
    sections(domain, ":types")[0][1:] = lines
    for predicate in sections(domain, ":predicates")[0][1:]:
        predicate[1:] = spelt_out(typed(predicate[1:]))
    for action in sections(domain, ":action"):
        place = action.index(":parameters") + 1
        action[place] = spelt_out(typed(action[place]))
    return with_decimals(domain)


def spelt_out(parameters):
    return [word for parameter, kind in parameters for word in (parameter, "-", kind)]


def with_decimals(expression):
    """Returns an expression with every probability as a decimal number."""
    if isinstance(expression, str):
        return expression
    if expression and expression[0] == "probabilistic":
        parts = zip(expression[1::2], expression[2::2])
        pairs = [(str(float(Fraction(chance))), with_decimals(effect)) for chance, effect in parts]
        return ["probabilistic", *(word for pair in pairs for word in pair)]
    return [with_decimals(part) for part in expression]


def name(literal):
    return "(" + " ".join([literal.predicate.name] + [variable.name for variable in literal.variables]) + ")"


def record(folder, problem_file, options):
    declared = tomllib.loads((folder / "env.toml").read_text())["actions"]
    domain, problem = parse((folder / "domain.pddl").read_text()), parse(problem_file.read_text())
    domain, problem = in_dialect(domain, problem, declared)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "domain.pddl").write_text(domain)
        (scratch / "problems").mkdir()
        (scratch / "problems" / "problem.pddl").write_text(problem)
        files = str(scratch / "domain.pddl"), str(scratch / "problems")
        env = PDDLEnv(*files, dynamic_action_space=True, raise_error_on_invalid_action=True)
    yield {
        "oracle": "PDDLGym 0.0.7",
        "domain": folder.name,
        "problem": problem_file.relative_to(folder).with_suffix("").as_posix(),
        "seed": 1,
        "agent_actions": sorted(declared),
        "repeated_objects_excluded": True,
    }
    rng = random.Random(1)
    numpy.random.seed(1)
    for walk in range(options.walks):
        state, _ = env.reset()
        goal = env._is_goal_reached(state)
        for step in range(options.steps + 1):
            actions = {name(action): action for action in env.action_space.all_ground_literals(state, valid_only=True)}
            chosen = rng.choice(sorted(actions)) if actions and step < options.steps else None
            atoms = (literal for literal in state.literals if literal.predicate.name not in declared)
            yield {
                "walk": walk,
                "step": step,
                "atoms": sorted(map(name, atoms)),
                "actions": sorted(actions),
                "goal": bool(goal),
                "chosen": chosen,
            }
            if chosen is None:
                break
            state, _, goal, _, _ = env.step(actions[chosen])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN")
    parser.add_argument("--steps", type=int, default=20, help="steps of a walk (default 20)")
    parser.add_argument("--walks", type=int, default=3, help="walks of each domain (default 3)")
    options = parser.parse_args()
    for domain in options.domains or CONJUNCTIVE + WITH_CHANCE:
        folder = DOMAINS / domain
        problem = min(folder.glob("train/*.pddl"))
        lines = [json.dumps(line) for line in record(folder, problem, options)]
        (HERE / f"{domain}.pddlgym.trace.jsonl").write_text("\n".join(lines) + "\n")
        print(domain, len(lines) - 1, flush=True)


if __name__ == "__main__":
    main()
