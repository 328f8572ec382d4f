#!/usr/bin/env python3
"""A network learns from the plans of small problems of an own domain, and guides searches in larger ones: as heuristic and policy.

Needs `pip install torch matplotlib`.

usage: own_network.py [--epochs 10] [--plot FILE]
"""

import argparse

import numpy as np
import torch

import herbrand
from herbrand.graphs import ActionArrays, flatten
from herbrand.networks import RelationalPolicy, choose

DOMAIN = """(define (domain rooms) (:predicates (door ?a ?b) (at ?r) (locked ?r) (key ?r) (held) (lit ?r))
  (:action walk :parameters (?a ?b) :precondition (and (at ?a) (door ?a ?b) (not (locked ?b))) :effect (and (not (at ?a)) (at ?b)))
  (:action take :parameters (?r) :precondition (and (at ?r) (key ?r)) :effect (and (not (key ?r)) (held)))
  (:action open :parameters (?a ?b) :precondition (and (at ?a) (door ?a ?b) (locked ?b) (held)) :effect (not (locked ?b)))
  (:action light :parameters (?r) :precondition (at ?r) :effect (lit ?r)))"""


def problem(rooms: int, seed: int) -> str:
    """A ring of rooms, some of them locked, with a key in the first half; half of the rooms are to be lit."""
    random = np.random.default_rng(seed)
    near = [(i, j % rooms) for i in range(rooms) for j in (i - 1, i + 1)]
    locked = random.choice(np.arange(rooms // 2 + 1, rooms), rooms // 4, replace=False)
    facts = [f"(door r{i} r{j})" for i, j in near] + [f"(locked r{i})" for i in locked]
    facts += [f"(at r{random.integers(rooms // 2)})", f"(key r{random.integers(rooms // 2)})"]
    goal = [f"(lit r{i})" for i in random.choice(rooms, rooms // 2, replace=False)]
    objects = " ".join(f"r{i}" for i in range(rooms))
    return f"(define (problem p) (:domain rooms) (:objects {objects}) (:init {' '.join(facts)}) (:goal (and {' '.join(goal)})))"


def examples(texts: list[str]) -> list[tuple[object, ActionArrays, int, float]]:
    """The states of optimal plans: graph, valid actions, the index of the plan's action, and the cost from there."""
    found = []
    for text in texts:
        env = herbrand.make(DOMAIN, text, observation="graph")
        graph, _ = env.reset(seed=0)
        plan = env.plan_actions(planner="astar-lmcut")
        for step, action in enumerate(plan):
            actions = env.action_arrays()
            found.append((graph, actions, int(np.flatnonzero(actions.ids == action)[0]), len(plan) - step))
            graph = env.step(action)[0]
    return found


def main() -> None:
    """Learns, and compares the searches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--plot")
    options = parser.parse_args()
    torch.manual_seed(0)
    network = RelationalPolicy(herbrand.suite(DOMAIN, problem(4, 0)))
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    seen = examples([problem(rooms, seed) for rooms in (4, 5, 6) for seed in range(12)])
    for _ in range(options.epochs):
        for index in np.random.default_rng(0).permutation(len(seen)):
            graph, actions, chosen, cost = seen[index]
            scores, values = network(flatten([graph]), actions)
            choice = choose(scores, values, actions, indices=np.array([chosen]))
            loss = (values - cost).abs().mean() - choice.log_probabilities.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    @torch.no_grad()
    def heuristic(graphs: herbrand.graphs.GraphBatch) -> np.ndarray:
        none = np.zeros(0, dtype=np.int64)
        rows = np.zeros(len(graphs.starts) + 1, dtype=np.int64)
        return network(graphs, ActionArrays(none, none, np.zeros(1, np.int64), none, rows))[1].clamp(min=0).numpy()

    @torch.no_grad()
    def policy(graphs: herbrand.graphs.GraphBatch, actions: ActionArrays) -> np.ndarray:
        weights = network(graphs, actions)[0].exp().numpy()
        sums = np.add.reduceat(np.append(weights, 0), actions.rows[:-1])
        return weights / sums[actions.envs]

    searches = {"blind": {"heuristic": "blind"}, "network": {"heuristic": heuristic}, "policy": {"policy": policy}}
    rows = {name: [] for name in searches}
    for rooms in (6, 8, 10, 12):
        task = herbrand.load(DOMAIN, problem(rooms, 100))
        for name, search in searches.items():
            found = task.plan(observation="graph", batch=8, time=30, **search)
            rows[name].append(found.statistics.expanded)
            print(f"{rooms} rooms, {name}: {found.outcome}, {found.statistics.expanded} states expanded, cost {found.cost}")
    if options.plot:
        import matplotlib.pyplot as plt

        for name, expanded in rows.items():
            plt.semilogy((6, 8, 10, 12), expanded, label=name)
        plt.legend()
        plt.xlabel("rooms")
        plt.ylabel("states expanded")
        plt.savefig(options.plot)


if __name__ == "__main__":
    main()
