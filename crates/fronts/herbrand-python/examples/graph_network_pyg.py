#!/usr/bin/env python3
"""A PyTorch Geometric graph network learns distances on the `graph` observation, like graph_network.py in plain PyTorch.

Needs `pip install torch torch_geometric`. Graphs are converted to `Data`, batches come from `DataLoader`, `GINEConv` passes
messages in both directions, and `global_add_pool` sums over nodes.

usage: graph_network_pyg.py [--problems 30] [--epochs 40] [--seed 0]
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from blocks_problems import problems
from graph_network import examples, solves
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINEConv, global_add_pool

import herbrand
from herbrand.graphs import label_count


def data(graph: dict[str, Any], distance: int | None = None) -> Data:
    """Converts a graph to PyTorch Geometric, with edges in both directions, and its distance if known."""
    links, kinds = torch.from_numpy(graph["edge_index"]), torch.from_numpy(graph["edge_attr"])
    wanted = {} if distance is None else {"y": torch.tensor([float(distance)])}
    return Data(
        x=torch.from_numpy(graph["x"]),
        edge_index=torch.cat([links, links.flip(0)], dim=1),
        edge_attr=torch.cat([2 * kinds, 2 * kinds + 1]),
        **wanted,
    )


class Network(nn.Module):
    """Embeds labels and the positions of arguments, passes messages, and sums over nodes."""

    def __init__(self, labels: int, positions: int, width: int = 32, rounds: int = 4) -> None:
        super().__init__()
        self.nodes, self.kinds = nn.Embedding(labels, width), nn.Embedding(2 * positions, width)

        def layers() -> nn.Sequential:
            return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

        self.rounds = nn.ModuleList(GINEConv(layers()) for _ in range(rounds))
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, batch: Any) -> Tensor:
        """Returns one number per graph of a batch."""
        nodes, kinds = self.nodes(batch.x), self.kinds(batch.edge_attr)
        for messages in self.rounds:
            nodes = nodes + messages(nodes, batch.edge_index, kinds)
        return torch.as_tensor(self.read(global_add_pool(nodes, batch.batch))).squeeze(1)


def train(network: Network, known: list[Data], epochs: int) -> None:
    """Fits the distances by least squares."""
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        total = 0.0
        for batch in DataLoader(known, batch_size=128, shuffle=True):
            loss = nn.functional.mse_loss(network(batch), batch.y)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += loss.item() * batch.num_graphs
        schedule.step()
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: mean squared error {total / len(known):.3f}", flush=True)


def main() -> None:
    """Trains on some problems and solves others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=30, help="problems to learn from (default 30)")
    parser.add_argument("--epochs", type=int, default=40, help="times that all states are seen (default 40)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    domain = herbrand.suite("blocks").domain

    def make(texts: list[str]) -> herbrand.PDDLEnv:
        return herbrand.make(domain, texts, observation="graph", horizon=None, through_goals=True)

    texts = problems(list("abcd"), options.problems + 50, options.seed)
    known = [data(*example) for example in examples(make(texts[50:]))]
    print(f"{len(known)} states of {options.problems} problems")
    positions = max(len(one.parameters) for one in domain.predicates)
    network = Network(label_count(len(domain.types), len(domain.predicates)), positions)
    train(network, known, options.epochs)
    judged = make(texts[:50])

    def judge(graphs: list[dict[str, Any]]) -> Tensor:
        return network(Batch.from_data_list([data(graph) for graph in graphs]))

    solved = sum(solves(judge, judged, index) for index in range(50))
    print(f"other problems: {solved} of 50 solved")


if __name__ == "__main__":
    main()
