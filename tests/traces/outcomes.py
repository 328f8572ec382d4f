#!/usr/bin/env python3
"""Computes exact outcome tables of the bundled probabilistic domains from their texts.

usage: outcomes.py [--steps 20] [--walks 3] [DOMAIN ...]

A plain enumerator of PPDDL in Python, without a planning library: states are sets of atoms, formulas are evaluated as parsed, and
probabilities are fractions. It takes random walks through the first training problem of each probabilistic domain and writes
NAME.outcomes.jsonl next to this script: for each visited state its atoms, whether the goal holds, and all valid operators with all
outcomes. Each outcome has its exact probability and the added and deleted atoms. Outcomes with the same successor are merged.
"""

import argparse
import json
import pathlib
import random
from fractions import Fraction

from expressions import Objects, keyword, parse, section, sections, show, typed

HERE = pathlib.Path(__file__).resolve().parent
DOMAINS = HERE.parents[1] / "domains"


class Task:
    """A domain with a problem: states are frozen sets of atoms, an atom is a tuple of words."""

    def __init__(self, domain, problem):
        self.objects = Objects(domain, problem)
        self.actions = sections(domain, ":action")
        self.initial = frozenset(tuple(atom) for atom in section(problem, ":init"))
        self.goal = section(problem, ":goal")[0]

    def holds(self, state, formula, binding):
        if not formula:
            return True
        head, *parts = formula
        if head == "and":
            return all(self.holds(state, part, binding) for part in parts)
        if head == "or":
            return any(self.holds(state, part, binding) for part in parts)
        if head == "not":
            return not self.holds(state, parts[0], binding)
        if head == "imply":
            return not self.holds(state, parts[0], binding) or self.holds(state, parts[1], binding)
        if head in ("forall", "exists"):
            inner = (binding | more for more in self.objects.bindings(typed(parts[0])))
            return (all if head == "forall" else any)(self.holds(state, parts[1], each) for each in inner)
        if head == "=":
            return binding.get(parts[0], parts[0]) == binding.get(parts[1], parts[1])
        return ground(formula, binding) in state

    def effects(self, state, effect, binding):
        """Returns all outcomes of an effect: probability, added atoms, deleted atoms."""
        nothing = [(Fraction(1), frozenset(), frozenset())]
        if not effect:
            return nothing
        head, *parts = effect
        if head == "and":
            return together(self.effects(state, part, binding) for part in parts)
        if head == "forall":
            bindings = self.objects.bindings(typed(parts[0]))
            return together(self.effects(state, parts[1], binding | more) for more in bindings)
        if head == "when":
            return self.effects(state, parts[1], binding) if self.holds(state, parts[0], binding) else nothing
        if head == "probabilistic":
            chances = [Fraction(chance) for chance in parts[::2]]
            ways = [(1 - sum(chances), frozenset(), frozenset())]
            for chance, part in zip(chances, parts[1::2]):
                ways += [(chance * share, adds, dels) for share, adds, dels in self.effects(state, part, binding)]
            return ways
        if head == "not":
            return [(Fraction(1), frozenset(), frozenset([ground(parts[0], binding)]))]
        return [(Fraction(1), frozenset([ground(effect, binding)]), frozenset())]

    def outcomes(self, state, action, binding):
        """Returns the probability of each successor."""
        chances = {}
        for chance, adds, dels in self.effects(state, keyword(action, ":effect"), binding):
            successor = (state - dels) | adds
            chances[successor] = chances.get(successor, 0) + chance
        assert sum(chances.values()) == 1
        return {successor: chance for successor, chance in chances.items() if chance}

    def valid(self, state):
        """Returns all valid operators with their outcomes."""
        table = {}
        for action in self.actions:
            parameters = typed(keyword(action, ":parameters"))
            for binding in self.objects.bindings(parameters):
                if self.holds(state, keyword(action, ":precondition"), binding):
                    table[show([action[1], *binding.values()])] = self.outcomes(state, action, binding)
        return table


def ground(atom, binding):
    return tuple(binding.get(word, word) for word in atom)


def together(parts):
    """Returns the joint outcomes of independent effects."""
    ways = [(Fraction(1), frozenset(), frozenset())]
    for part in parts:
        part = list(part)
        ways = [(p * q, adds | more, dels | less) for p, adds, dels in ways for q, more, less in part]
    return ways


def texts(atoms):
    return sorted(show(list(atom)) for atom in atoms)


def record(folder, problem_file, options):
    domain = parse((folder / "domain.pddl").read_text())
    task = Task(domain, parse(problem_file.read_text()))
    yield {
        "oracle": "tests/traces/outcomes.py",
        "domain": (folder / "domain.pddl").relative_to(DOMAINS).as_posix(),
        "problem": problem_file.relative_to(DOMAINS).as_posix(),
    }
    rng = random.Random(1)
    seen = set()
    for _ in range(options.walks):
        state = task.initial
        for _ in range(options.steps + 1):
            table = task.valid(state)
            if state not in seen:
                seen.add(state)
                yield line(task, state, table)
            if not table:
                break
            successors = table[rng.choice(sorted(table))]
            state = rng.choice(sorted(successors, key=texts))


def line(task, state, table):
    outcome = lambda successor, chance: {
        "chance": str(chance),
        "added": texts(successor - state),
        "deleted": texts(state - successor),
    }
    rows = {
        action: [outcome(successor, successors[successor]) for successor in sorted(successors, key=texts)]
        for action, successors in sorted(table.items())
    }
    return {"atoms": texts(state), "goal": task.holds(state, task.goal, {}), "actions": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN")
    parser.add_argument("--steps", type=int, default=20, help="steps of a walk (default 20)")
    parser.add_argument("--walks", type=int, default=3, help="walks of each domain (default 3)")
    options = parser.parse_args()
    for folder in sorted(DOMAINS.iterdir()):
        text = (folder / "domain.pddl").read_text() if (folder / "domain.pddl").exists() else ""
        if options.domains and folder.name not in options.domains or ":probabilistic-effects" not in text:
            continue
        lines = [json.dumps(line) for line in record(folder, min(folder.glob("train/*.pddl")), options)]
        (HERE / f"{folder.name}.outcomes.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
