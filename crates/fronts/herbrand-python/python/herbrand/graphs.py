"""States as graphs: the observations of mode ``"graph"``, and conversions for graph libraries.

A node is an object, or an atom of the state or the goal. An edge leads from an atom to each of its arguments. This is the
instance learning graph of Chen, Thiébaux and Trevizan (AAAI 2024) with directed edges. A graph is a
`gymnasium.spaces.GraphInstance`:

- ``nodes``: int64, shape ``(nodes,)``: the label of each node, below `label_count`. Objects come first; the label of an
  object is the index of its first type. The label of an atom is the number of types, plus four times the index of its
  predicate, plus its role. Role 0: true; 1: true and required by the goal; 2: required and false; 3: true and forbidden by
  the goal.
- ``edges``: int64, shape ``(edges,)``: the argument position of the object, from 0.
- ``edge_links``: int32, shape ``(edges, 2)``: the indices of the atom's node and the object's node.

Observations of mode ``"graph-arrays"``, and of mode ``"graph"`` in a `herbrand.VecEnv`, are dicts of int64 arrays of fixed
length: ``nodes`` ``(N,)``, ``edges`` ``(E,)``, ``edge_links`` ``(E, 2)``, ``node_count`` and ``edge_count`` ``(1,)``. `N` and
`E` are the maximal sizes over all problems; unused elements are -1. `from_arrays` converts such a dict to a graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import WeisfeilerLeman

__all__ = ["WeisfeilerLeman", "batch", "from_arrays", "graph_space", "label_count", "to_jraph", "to_pyg"]


def label_count(types: int, predicates: int) -> int:
    """Returns the number of node labels for a domain with this many types and predicates."""
    return types + 4 * predicates


def graph_space(types: int, predicates: int, arity: int) -> spaces.Graph:
    """Returns the space of a domain's graphs, from its numbers of types and predicates and its largest arity."""
    return spaces.Graph(
        node_space=spaces.Discrete(label_count(types, predicates)),
        edge_space=spaces.Discrete(max(1, arity)),
    )


def from_arrays(arrays: Mapping[str, NDArray[np.int64]], *index: int) -> spaces.GraphInstance:
    """Converts an observation of mode ``"graph-arrays"`` to a graph.

    Parameters
    ----------
    arrays : mapping from str to arrays
        A single observation, or the observations of a vector environment.
    *index : int
        The index of the environment; left out for a single observation.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("blocks", problem=0, num_envs=2, observation="graph")
    >>> observations, _ = envs.reset(seed=1)
    >>> herbrand.graphs.from_arrays(observations, 1).edge_links.shape[1]
    2
    """
    parts = {name: array[index] for name, array in arrays.items()}
    nodes, edges = parts["node_count"].item(), parts["edge_count"].item()
    links = parts["edge_links"][:edges].astype(np.int32)
    return spaces.GraphInstance(parts["nodes"][:nodes], parts["edges"][:edges], links)


def batch(graphs: Sequence[spaces.GraphInstance]) -> dict[str, NDArray[np.int64]]:
    """Joins graphs to one, in the form that functions of `Task.plan` get with ``observation="graph"``.

    Returns
    -------
    dict
        ``nodes``, ``edges`` and ``edge_links`` of all graphs one after the other, where the links count the nodes of all; and
        ``node_counts`` and ``edge_counts`` of each graph.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("blocks", 0, observation="graph")
    >>> graph, _ = env.reset(seed=1)
    >>> herbrand.graphs.batch([graph, graph])["node_counts"].tolist() == 2 * [len(graph.nodes)]
    True
    """
    parts = [_arrays(graph) for graph in graphs]
    counts = [len(nodes) for nodes, _, _ in parts]
    starts = np.cumsum([0, *counts])
    links = [links + start for (_, _, links), start in zip(parts, starts)]
    return {
        "nodes": np.concatenate([np.zeros(0, np.int64), *(nodes for nodes, _, _ in parts)]),
        "edges": np.concatenate([np.zeros(0, np.int64), *(edges for _, edges, _ in parts)]),
        "edge_links": np.concatenate([np.zeros((0, 2), np.int64), *links]),
        "node_counts": np.array(counts, dtype=np.int64),
        "edge_counts": np.array([len(edges) for _, edges, _ in parts], dtype=np.int64),
    }


def _arrays(graph: spaces.GraphInstance) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    nodes = np.asarray(graph.nodes, dtype=np.int64)
    edges = np.asarray(() if graph.edges is None else graph.edges, dtype=np.int64)
    links = np.zeros((0, 2)) if graph.edge_links is None else graph.edge_links
    return nodes, edges, np.asarray(links, dtype=np.int64)


def to_pyg(graph: spaces.GraphInstance) -> dict[str, Any]:
    """Returns the arrays of a graph under the names that PyTorch Geometric uses.

    Returns
    -------
    dict
        ``x``: int64 ``(nodes,)``; ``edge_index``: int64 ``(2, edges)``, contiguous; ``edge_attr``: int64 ``(edges,)``;
        ``num_nodes``: int.
    """
    nodes, edges, links = _arrays(graph)
    return {"x": nodes, "edge_index": np.ascontiguousarray(links.T), "edge_attr": edges, "num_nodes": len(nodes)}


def to_jraph(graph: spaces.GraphInstance) -> dict[str, Any]:
    """Returns the arrays of a graph under the field names of Jraph's ``GraphsTuple``.

    Returns
    -------
    dict
        ``nodes``, ``edges``, ``senders`` (atoms), ``receivers`` (objects), all int64; ``n_node``, ``n_edge``: int64
        ``(1,)``; ``globals``: None.
    """
    nodes, edges, links = _arrays(graph)
    return {
        "nodes": nodes,
        "edges": edges,
        "senders": links[:, 0].copy(),
        "receivers": links[:, 1].copy(),
        "n_node": np.array([len(nodes)]),
        "n_edge": np.array([len(edges)]),
        "globals": None,
    }
