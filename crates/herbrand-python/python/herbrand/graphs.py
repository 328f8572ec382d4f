"""States as graphs: what observations of mode ``"graph"`` are, and how graph libraries take them.

A node is an object or an atom, of the state or of the goal; an edge leads from an atom to each of its arguments. This
is the instance learning graph of Chen, Thiébaux and Trevizan (AAAI 2024) with directed edges. A graph is a
`gymnasium.spaces.GraphInstance`:

- ``nodes``: int64, shape ``(nodes,)``: a label each, below `label_count`. Objects come first, labelled by the number of
  their first type; an atom has the number of types, plus four times the number of its predicate, plus its role: 0
  holds, 1 holds as the goal asks, 2 is asked for and does not hold, 3 holds and is forbidden.
- ``edges``: int64, shape ``(edges,)``: which argument the object is, from 0.
- ``edge_links``: int32, shape ``(edges, 2)``: the atom and the object.

Observations of mode ``"graph-arrays"``, and those of mode ``"graph"`` of a `herbrand.VecEnv`, are dicts of int64 arrays that
are as long for every state: ``nodes`` ``(N,)``, ``edges`` ``(E,)``, ``edge_links`` ``(E, 2)``, as long as any graph of any
problem can be and -1 where the state's graph ends, and ``node_count`` and ``edge_count`` ``()``. `from_arrays` gives the graph
of one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

__all__ = ["from_arrays", "graph_space", "label_count", "to_jraph", "to_pyg"]


def label_count(types: int, predicates: int) -> int:
    """How many labels the nodes of a domain's graphs range over."""
    return types + 4 * predicates


def graph_space(types: int, predicates: int, arity: int) -> spaces.Graph:
    """The space of the graphs of a domain with so many types and predicates, and this largest arity."""
    return spaces.Graph(
        node_space=spaces.Discrete(label_count(types, predicates)),
        edge_space=spaces.Discrete(max(1, arity)),
    )


def from_arrays(arrays: Mapping[str, NDArray[np.int64]], *index: int) -> spaces.GraphInstance:
    """The graph of an observation of mode ``"graph-arrays"``.

    Parameters
    ----------
    arrays : mapping from str to arrays
        The observation, or those of many environments.
    *index : int
        Which environment; none for a single observation.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("blocks", problem=0, num_envs=2, observation="graph")
    >>> observations, _ = envs.reset(seed=1)
    >>> herbrand.graphs.from_arrays(observations, 1).edge_links.shape[1]
    2
    """
    parts = {name: array[index] for name, array in arrays.items()}
    nodes, edges = int(parts["node_count"]), int(parts["edge_count"])
    links = parts["edge_links"][:edges].astype(np.int32)
    return spaces.GraphInstance(parts["nodes"][:nodes], parts["edges"][:edges], links)


def _arrays(graph: spaces.GraphInstance) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    nodes = np.asarray(graph.nodes, dtype=np.int64)
    edges = np.asarray(() if graph.edges is None else graph.edges, dtype=np.int64)
    links = np.zeros((0, 2)) if graph.edge_links is None else graph.edge_links
    return nodes, edges, np.asarray(links, dtype=np.int64)


def to_pyg(graph: spaces.GraphInstance) -> dict[str, Any]:
    """The arrays of a graph under the names of PyTorch Geometric.

    Returns
    -------
    dict
        ``x``: int64 ``(nodes,)``; ``edge_index``: int64 ``(2, edges)``, contiguous; ``edge_attr``: int64 ``(edges,)``;
        ``num_nodes``: int.
    """
    nodes, edges, links = _arrays(graph)
    return {"x": nodes, "edge_index": np.ascontiguousarray(links.T), "edge_attr": edges, "num_nodes": len(nodes)}


def to_jraph(graph: spaces.GraphInstance) -> dict[str, Any]:
    """The arrays of a graph under the names of Jraph's ``GraphsTuple``.

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
