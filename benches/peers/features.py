#!/usr/bin/env python3
"""Compares the Weisfeiler–Leman features of states with those of WLPlan, and measures both in one run.

usage: features.py [--problems 6] [--steps 12] [--rounds 2] [DOMAIN ...]

Builds a release wheel and installs it with the peer (from PyPI) into target/peers, or uses the Python that HERBRAND_PEERS_PYTHON
names, which must have both. For each domain, walks of a few steps from the training problems give the states. WLPlan knows neither
types nor atoms that always hold, so that all objects get one label and such atoms are left out; its colours are those of multisets
(`multiset_hash`). The table has the number of features of each side, whether both count the same, up to the order of the features,
and the microseconds a state. Those of WLPlan include making its graphs of the states.
"""

import argparse
import json
import subprocess
import sys

from peers import PYTHON, install_wheel, markdown

PINNED = ["wlplan==2.1.0", "numpy", "gymnasium>=1,<2"]
DOMAINS = ["blocks", "depot", "ferry", "gripper", "hanoi", "logistics", "sokoban", "spanner"]
REPEATS = 20


# The following functions run in the Python of the peers.


def states(domain, problem, steps):
    """Returns the graphs, the atoms that can change, the goal and the objects of the states of a walk."""
    import herbrand
    import numpy as np

    options = {"split": "train", "part": "changing"}
    task = herbrand.load(domain, problem, split="train")
    env = herbrand.make(domain, problem, observation="graph", **options)
    bits, _ = herbrand.make(domain, problem, observation="bits-and-goal", **options).reset(seed=0)
    goal = [task.ground_atoms[i] for i in np.flatnonzero(bits[len(bits) // 2 :])]
    fixed = {str(atom) for atom in task.static_atoms}
    graphs, atoms = [], []
    graph, _ = env.reset(seed=0)
    for step in range(steps):
        graphs.append(graph)
        atoms.append([atom for atom in env.unwrapped.state if str(atom) not in fixed])
        valid = np.flatnonzero(env.unwrapped.action_masks())
        graph, _, terminated, truncated, _ = env.step(int(valid[step % len(valid)]))
        if terminated or truncated:
            break
    return graphs, atoms, goal, [one.name for one in task.problem.objects]


def compare(domain, problems, steps, rounds):
    """Returns the numbers of features, whether they are equal, and the seconds a state."""
    import time

    import herbrand
    import numpy as np
    from wlplan.data import DomainDataset, ProblemDataset
    from wlplan.feature_generator import init_feature_generator
    from wlplan.planning import Atom, Domain, Predicate, Problem, State

    model = herbrand.load(domain, 0, split="train").domain
    predicates = {one.name: Predicate(one.name, len(one.parameters)) for one in model.predicates}
    theirs = Domain(domain, list(predicates.values()), [], [], [])

    def atom(one):
        return Atom(predicates[one.predicate], list(one.arguments))

    graphs, parts = [], []
    for problem in range(problems):
        own, atoms, goal, objects = states(domain, problem, steps)
        graphs += own
        given = Problem(theirs, objects, [atom(one) for one in goal], [])
        parts.append(ProblemDataset(given, [State([atom(one) for one in state]) for state in atoms]))
    dataset = DomainDataset(theirs, parts)
    generator = init_feature_generator("wl", theirs, graph_representation="ilg", iterations=rounds, multiset_hash=True)
    generator.collect(dataset)
    batch = herbrand.graphs.flatten(graphs)
    batch = batch._replace(labels=np.where(batch.labels < len(model.types), 0, batch.labels))
    features = herbrand.graphs.WeisfeilerLeman(rounds=rounds)
    features.learn(batch)
    counted = [np.array(generator.embed(dataset)).astype(int), features.count(batch).astype(int)]
    is_equal = sorted(map(tuple, counted[0].T)) == sorted(map(tuple, counted[1].T))
    spent = []
    for work in (lambda: generator.embed(dataset), lambda: features.count(batch)):
        begin = time.process_time()
        for _ in range(REPEATS):
            work()
        spent.append((time.process_time() - begin) / REPEATS / len(graphs))
    return [counted[0].shape[1], counted[1].shape[1], is_equal, *spent]


# The following runs in any Python.


def main():
    """Prints a table."""
    if sys.argv[1:2] == ["--compare"]:
        print(json.dumps(compare(*json.loads(sys.argv[2]))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("domains", nargs="*", default=DOMAINS, metavar="DOMAIN")
    for name, default in [("problems", 6), ("steps", 12), ("rounds", 2)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    install_wheel(PINNED)
    rows = []
    for domain in arguments.domains:
        given = json.dumps([domain, arguments.problems, arguments.steps, arguments.rounds])
        done = subprocess.run([PYTHON, __file__, "--compare", given], stdout=subprocess.PIPE, check=True, text=True)
        theirs, ours, is_equal, peer, own = json.loads(done.stdout.strip().splitlines()[-1])
        times = [f"{peer * 1e6:.1f}", f"{own * 1e6:.1f}", f"{peer / own:.1f}"]
        rows.append([domain, theirs, ours, "yes" if is_equal else "no", *times])
    markdown(["domain", "WLPlan", "Herbrand", "equal", "WLPlan, µs", "Herbrand, µs", "ratio"], rows)


if __name__ == "__main__":
    main()
