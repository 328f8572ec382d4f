#!/usr/bin/env python3
"""A small graph network in plain PyTorch learns the distance of blocks world states to their goals.

Needs `pip install torch`. It trains on all states of some problems with four blocks; breadth-first search computes their
distances. It is evaluated on problems with other goals: a greedy walk moves to the successor with the lowest predicted
distance. The labels of graphs include the goal, so one network serves all goals and numbers of blocks.

usage: graph_network.py [--problems 30] [--epochs 60] [--seed 0]
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from blocks_problems import problems
from torch import Tensor, nn

import herbrand
from herbrand.graphs import label_count, to_pyg

Graph = dict[str, Any]
Batch = tuple[Tensor, Tensor, Tensor, Tensor]


class Network(nn.Module):
    """Embeds labels, passes messages along edges in both directions with one weight per position, and sums over nodes."""

    def __init__(self, labels: int, positions: int, width: int = 32, rounds: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(labels, width)
        self.kinds = nn.Embedding(2 * positions, width)
        self.rounds = nn.ModuleList(
            nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, width)) for _ in range(rounds)
        )
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, labels: Tensor, edges: Tensor, positions: Tensor, owner: Tensor) -> Tensor:
        """Returns one number per graph; `owner` maps each node to its graph."""
        sources, targets = torch.cat([edges, edges.flip(0)], dim=1)
        kinds = self.kinds(torch.cat([2 * positions, 2 * positions + 1]))
        nodes = self.embed(labels)
        for update in self.rounds:
            messages = torch.relu(nodes[sources] + kinds)
            received = torch.zeros_like(nodes).index_add(0, targets, messages)
            nodes = nodes + update(torch.cat([nodes, received], dim=1))
        count = int(owner[-1]) + 1
        summed = torch.zeros(count, nodes.shape[1]).index_add(0, owner, nodes)
        return torch.as_tensor(self.read(summed)).squeeze(1)


def batch(graphs: list[Graph]) -> Batch:
    """Combines several graphs into one with disconnected parts."""
    sizes = np.array([graph["num_nodes"] for graph in graphs])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    edges = [graph["edge_index"] + start for graph, start in zip(graphs, starts)]
    return (
        torch.from_numpy(np.concatenate([graph["x"] for graph in graphs])),
        torch.from_numpy(np.concatenate(edges, axis=1)),
        torch.from_numpy(np.concatenate([graph["edge_attr"] for graph in graphs])),
        torch.from_numpy(np.repeat(np.arange(len(graphs)), sizes)),
    )


def distances(task: herbrand.Task) -> dict[herbrand.State, int]:
    """Maps the reachable states from which a goal is reachable to the length of a shortest plan."""
    predecessors: dict[herbrand.State, list[herbrand.State]] = {task.initial_state: []}
    queue = deque(predecessors)
    while queue:
        state = queue.popleft()
        for action in task.valid_actions(state):
            successor = task.apply(state, action)
            if successor not in predecessors:
                predecessors[successor] = []
                queue.append(successor)
            predecessors[successor].append(state)
    found = {state: 0 for state in predecessors if state.is_goal}
    queue.extend(found)
    while queue:
        state = queue.popleft()
        for before in predecessors[state]:
            if before not in found:
                found[before] = found[state] + 1
                queue.append(before)
    return found


def observe(env: herbrand.PDDLEnv, state: herbrand.State) -> Graph:
    """Returns the graph of a state of the environment's current problem."""
    return to_pyg(env.set_state(state)[0])


def examples(env: herbrand.PDDLEnv) -> list[tuple[Graph, int]]:
    """Returns the states of all problems as graphs, with their distances."""
    found = []
    for index in range(len(env.suite)):
        env.reset(seed=0, options={"problem": index})
        found += [(observe(env, state), distance) for state, distance in distances(env.task).items()]
    return found


def train(network: Network, data: list[tuple[Graph, int]], epochs: int) -> None:
    """Fits the distances by least squares."""
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        total = 0.0
        for chosen in torch.randperm(len(data)).split(128):
            some = [data[int(index)] for index in chosen]
            wanted = torch.tensor([distance for _, distance in some], dtype=torch.float32)
            loss = nn.functional.mse_loss(network(*batch([graph for graph, _ in some])), wanted)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += loss.item() * len(some)
        schedule.step()
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: mean squared error {total / len(data):.3f}", flush=True)


def solves(judge: Callable[[list[Graph]], Tensor], env: herbrand.PDDLEnv, index: int, limit: int = 40) -> bool:
    """Returns whether the greedy walk reaches the goal; `judge` predicts the distances of graphs."""
    env.reset(seed=0, options={"problem": index})
    task, state = env.task, env.task.initial_state
    for _ in range(limit):
        if state.is_goal:
            return True
        successors = [task.apply(state, action) for action in task.valid_actions(state)]
        with torch.no_grad():
            values = judge([observe(env, successor) for successor in successors])
        state = successors[int(values.argmin())]
    return state.is_goal


def main() -> None:
    """Trains on some problems and solves others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=30, help="problems to learn from (default 30)")
    parser.add_argument("--epochs", type=int, default=60, help="times that all states are seen (default 60)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    domain = herbrand.suite("blocks").domain

    def make(texts: list[str]) -> herbrand.PDDLEnv:
        return herbrand.make(domain, texts, observation="graph", horizon=None, through_goals=True)

    small = problems(list("abcd"), options.problems + 50, options.seed)
    learned = make(small[50:])
    data = examples(learned)
    print(f"{len(data)} states of {len(learned.suite)} problems")
    positions = max(len(one.parameters) for one in domain.predicates)
    network = Network(label_count(len(domain.types), len(domain.predicates)), positions)
    train(network, data, options.epochs)

    def judge(graphs: list[Graph]) -> Tensor:
        return network(*batch(graphs))

    for count, texts in ((4, small[:50]), (5, problems(list("abcde"), 50, options.seed))):
        judged = make(texts)
        solved = sum(solves(judge, judged, index) for index in range(len(texts)))
        print(f"{count} blocks, other problems: {solved} of {len(texts)} solved")


if __name__ == "__main__":
    main()
