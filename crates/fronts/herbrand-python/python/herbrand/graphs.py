"""States as graphs: the observations of mode ``"graph"``, their valid actions, and conversions for graph libraries.

A node is an object, an atom of the state or the goal, or a numeric fluent of the state. An edge leads from an atom or a
fluent to each of its arguments. This is the
instance learning graph of Chen, Thiébaux and Trevizan (AAAI 2024) with directed edges. A graph is a
`gymnasium.spaces.GraphInstance`:

- ``nodes``: int64, shape ``(nodes,)``: the label of each node, below `label_count`. Objects come first; the label of an
  object is the index of its first type. The label of an atom is the number of types, plus four times the index of its
  predicate, plus its role. Role 0: true; 1: true and required by the goal; 2: required and false; 3: true and forbidden by
  the goal. The label of a fluent is the number of types, plus four times that of predicates, plus the index of its function.
  If the states of the domain have numeric fluents, ``nodes`` is float64, shape ``(nodes, 2)``: label and value. The value of
  a fluent is that of ``env.state.numbers``, in the units of the domain; that of other nodes is 0.
- ``edges``: int64, shape ``(edges,)``: the argument position of the object, from 0.
- ``edge_links``: int32, shape ``(edges, 2)``: the indices of the node of the atom or fluent, and of the object's node.

Observations of mode ``"graph-arrays"``, and of mode ``"graph"`` in a `herbrand.VecEnv`, are dicts of int64 arrays of fixed
length: ``nodes`` ``(N,)``, ``edges`` ``(E,)``, ``edge_links`` ``(E, 2)``, ``node_count`` and ``edge_count`` ``(1,)``. `N` and
`E` are the maximal sizes over all problems; unused elements are -1. With numeric fluents there is also ``values``, float64
``(N,)``: the values of the nodes, padded with 0. `from_arrays` converts such a dict to a graph.

`PDDLEnv.action_arrays` and `VecEnv.action_arrays` return the valid actions with the nodes of their arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import LinearEstimate, WeisfeilerLeman

__all__ = ["ActionArrays", "GraphBatch", "LinearEstimate", "WeisfeilerLeman", "flatten", "from_arrays", "graph_space", "label_count", "to_jraph", "to_pyg"]


class ActionArrays(NamedTuple):
    """The valid actions of one state, or of the states of several environments. All arrays are int64.

    Attributes
    ----------
    schemas : array, (actions,)
        For each action the index of its operator in ``suite.domain.operators``, or if the domain declares actions of the agent,
        the index of its action in ``suite.agent_actions``.
    arguments : array, (arguments,)
        The arguments of all actions, each as the index of the object's node in the graph of its own state.
    offsets : array, (actions + 1,)
        Action ``i`` has the arguments ``arguments[offsets[i]:offsets[i + 1]]``.
    ids : array, (actions,)
        For each action its number, for `step`. The numbers of a state are in ascending order.
    rows : array, (environments + 1,)
        Environment ``i`` has the actions from ``rows[i]`` to ``rows[i + 1]``. In a dead end there are none.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("ferry", problem=0, num_envs=2, observation="graph")
    >>> observations, _ = envs.reset(seed=1)
    >>> actions = envs.action_arrays()
    >>> actions.rows, actions.schemas, actions.ids
    (array([0, 2, 4]), array([0, 1, 0, 1]), array([1, 2, 1, 2]))
    >>> actions.arguments[actions.offsets[1] : actions.offsets[2]]
    array([2])
    """

    schemas: NDArray[np.int64]
    arguments: NDArray[np.int64]
    offsets: NDArray[np.int64]
    ids: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def envs(self) -> NDArray[np.int64]:
        """For each action the index of its environment: int64, ``(actions,)``."""
        return np.repeat(np.arange(len(self.rows) - 1), np.diff(self.rows))


class GraphBatch(NamedTuple):
    """The graphs of several environments or states as one graph with disconnected parts, as `flatten` returns it.

    Attributes
    ----------
    labels : array of int64, (nodes,)
    values : array of float64, (nodes,)
        The values of numeric fluents; 0 for other nodes.
    edges : array of int64, (edges,)
        The argument position of each edge.
    edge_links : array of int64, (edges, 2)
        The ends of each edge among the nodes of all graphs.
    envs : array of int64, (nodes,)
        For each node the index of its environment.
    starts : array of int64, (environments,)
        The first node of each environment. Node ``i`` of environment ``e`` has the index ``starts[e] + i`` here.
    """

    labels: NDArray[np.int64]
    values: NDArray[np.float64]
    edges: NDArray[np.int64]
    edge_links: NDArray[np.int64]
    envs: NDArray[np.int64]
    starts: NDArray[np.int64]


def flatten(arrays: Mapping[str, NDArray[Any]] | Sequence[spaces.GraphInstance] | GraphBatch) -> GraphBatch:
    """Joins the graphs of a vector environment, without padding, or graphs of single environments.

    Parameters
    ----------
    arrays : mapping from str to arrays, sequence of GraphInstance, or GraphBatch
        The observations of a `herbrand.VecEnv` of mode ``"graph"``, or a single one of mode ``"graph-arrays"``; or observations of
        mode ``"graph"``, also of several problems of a domain. A batch is returned as it is.

    Examples
    --------
    >>> import herbrand
    >>> envs = herbrand.VecEnv("ferry", problem=0, num_envs=2, observation="graph")
    >>> observations, _ = envs.reset(seed=1)
    >>> batch, actions = herbrand.graphs.flatten(observations), envs.action_arrays()
    >>> nodes = actions.arguments + np.repeat(batch.starts[actions.envs], np.diff(actions.offsets))
    >>> len(batch.starts), len(nodes)
    (2, 4)
    """
    if isinstance(arrays, GraphBatch):
        return arrays
    if not isinstance(arrays, Mapping):
        return _joined([_arrays(graph) for graph in arrays])
    many = {name: array if arrays["nodes"].ndim > 1 else array[np.newaxis] for name, array in arrays.items()}
    counts = many["node_count"][:, 0]
    starts = np.cumsum(counts) - counts
    is_node = np.arange(many["nodes"].shape[1]) < counts[:, np.newaxis]
    is_edge = np.arange(many["edges"].shape[1]) < many["edge_count"]
    return GraphBatch(
        labels=many["nodes"][is_node],
        values=many["values"][is_node] if "values" in many else np.zeros(counts.sum()),
        edges=many["edges"][is_edge],
        edge_links=(many["edge_links"] + starts[:, np.newaxis, np.newaxis])[is_edge],
        envs=np.repeat(np.arange(len(counts)), counts),
        starts=starts,
    )


def _joined(parts: Sequence[tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]]) -> GraphBatch:
    """Joins the nodes, the edges and the links of graphs."""
    pairs = [nodes if nodes.ndim > 1 else np.stack([nodes, np.zeros(len(nodes))], axis=1) for nodes, _, _ in parts]
    counts = np.array([len(nodes) for nodes in pairs], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    nodes = np.concatenate([np.zeros((0, 2)), *pairs])
    return GraphBatch(
        labels=nodes[:, 0].astype(np.int64),
        values=nodes[:, 1],
        edges=np.concatenate([np.zeros(0, np.int64), *(edges for _, edges, _ in parts)]),
        edge_links=np.concatenate([np.zeros((0, 2), np.int64), *(part[2] + start for part, start in zip(parts, starts))]),
        envs=np.repeat(np.arange(len(counts)), counts),
        starts=starts,
    )


def label_count(types: int, predicates: int, functions: int = 0) -> int:
    """Returns the number of node labels for a domain with this many types and predicates, and functions if it is numeric."""
    return types + 4 * predicates + functions


def graph_space(types: int, predicates: int, arity: int, functions: int = 0) -> spaces.Graph:
    """Returns the space of a domain's graphs.

    Parameters
    ----------
    types, predicates : int
        The numbers of types and of predicates.
    arity : int
        The largest number of arguments of a predicate or function.
    functions : int
        The number of functions if states have numeric fluents, else 0.
    """
    labels = label_count(types, predicates, functions)
    pairs = spaces.Box(np.array([0.0, -np.inf]), np.array([labels - 1.0, np.inf]), dtype=np.float64)
    return spaces.Graph(
        node_space=pairs if functions else spaces.Discrete(labels),
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
    labels = parts["nodes"][:nodes]
    pairs = np.stack([labels, parts["values"][:nodes]], axis=1) if "values" in parts else labels
    return spaces.GraphInstance(pairs, parts["edges"][:edges], links)


def _arrays(graph: spaces.GraphInstance) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    nodes = np.asarray(graph.nodes)
    edges = np.asarray(() if graph.edges is None else graph.edges, dtype=np.int64)
    links = np.zeros((0, 2)) if graph.edge_links is None else graph.edge_links
    return nodes, edges, np.asarray(links, dtype=np.int64)


def to_pyg(graph: spaces.GraphInstance) -> dict[str, Any]:
    """Returns the arrays of a graph under the names that PyTorch Geometric uses.

    Returns
    -------
    dict
        ``x``: int64 ``(nodes,)``, or with numeric fluents float64 ``(nodes, 2)``; ``edge_index``: int64 ``(2, edges)``,
        contiguous; ``edge_attr``: int64 ``(edges,)``;
        ``num_nodes``: int.
    """
    nodes, edges, links = _arrays(graph)
    return {"x": nodes, "edge_index": np.ascontiguousarray(links.T), "edge_attr": edges, "num_nodes": len(nodes)}


def to_jraph(graph: spaces.GraphInstance) -> dict[str, Any]:
    """Returns the arrays of a graph under the field names of Jraph's ``GraphsTuple``.

    Returns
    -------
    dict
        ``nodes``, ``edges``, ``senders`` (atoms and fluents), ``receivers`` (objects), all int64 except that with numeric
        fluents ``nodes`` is float64 ``(nodes, 2)``; ``n_node``, ``n_edge``: int64
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
