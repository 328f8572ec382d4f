"""A policy network for problems of any size: it scores the valid actions of graphs.

Needs ``pip install torch``.

Examples
--------
>>> import herbrand
>>> from herbrand.networks import RelationalPolicy  # doctest: +SKIP
>>> envs = herbrand.make_vec("ferry", num_envs=8, observation="graph")
>>> policy = RelationalPolicy(envs.suite)  # doctest: +SKIP
>>> observations, infos = envs.reset(seed=1)
>>> choice = policy.act(observations, envs.action_arrays())  # doctest: +SKIP
>>> observations, rewards, *_ = envs.step(choice.ids)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._herbrand import Suite
from .graphs import ActionArrays, GraphBatch, flatten, label_count

__all__ = ["Choice", "RelationalPolicy", "choose"]

_MISSING = "herbrand.networks needs PyTorch: pip install torch"

try:
    torch: Any = import_module("torch")
    _Module: Any = torch.nn.Module
except ImportError:
    torch = None
    _Module = object

Tensor = Any


class RelationalPolicy(_Module):  # type: ignore[misc]
    """Scores the valid actions of each environment, and estimates the value of its state.

    In each round, atoms and numeric fluents receive messages from their arguments, objects from the atoms and fluents that
    contain them (the largest in each component), and all nodes the mean of their graph. The score of an action depends on its
    schema, its arguments and that mean. The weights depend on the domain only, so a network that has learned on small
    problems acts in larger ones.

    Parameters
    ----------
    suite : Suite
        A suite of the domain, such as ``envs.suite``.
    width : int
        The number of components of a node's vector.
    rounds : int
        The number of rounds of messages.
    """

    def __init__(self, suite: Suite, width: int = 32, rounds: int = 4) -> None:
        if torch is None:
            raise ImportError(_MISSING)
        super().__init__()
        nn = torch.nn
        types, predicates, arity, functions = suite.graph_sizes
        declared = suite.agent_actions or [(one.name, one.parameters) for one in suite.domain.operators]
        most = max([len(parameters) for _, parameters in declared], default=0)

        def layers(inputs: int, outputs: int) -> Any:
            return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs))

        self.labels = nn.Embedding(label_count(types, predicates, functions), width)
        self.values = nn.Linear(1, width, bias=False)
        self.positions = nn.Embedding(2 * max(arity, 1), width)
        self.messages = nn.ModuleList(layers(2 * width, width) for _ in range(rounds))
        self.updates = nn.ModuleList(layers(3 * width, width) for _ in range(rounds))
        self.schemas = nn.Embedding(len(declared), width)
        self.arguments = nn.Embedding(max(most, 1), width)
        self.argument = layers(2 * width, width)
        self.score = layers(3 * width, 1)
        self.value = layers(width, 1)

    def forward(
        self, observations: Mapping[str, NDArray[Any]] | GraphBatch, actions: ActionArrays
    ) -> tuple[Tensor, Tensor]:
        """Returns the scores of the actions, ``(actions,)``, and the values of the states, ``(environments,)``.

        Parameters
        ----------
        observations : mapping from str to arrays, or GraphBatch
            Observations as for `herbrand.graphs.flatten`, also those of a search.
        actions : ActionArrays
            The valid actions of the same states.
        """
        batch, device = flatten(observations), self.labels.weight.device

        def tensor(array: NDArray[Any]) -> Tensor:
            return torch.as_tensor(array, device=device)

        count, envs = len(batch.starts), tensor(batch.envs)
        atoms, objects = tensor(batch.edge_links).T
        sources, targets = torch.cat([objects, atoms]), torch.cat([atoms, objects])
        edges = tensor(batch.edges)
        positions = self.positions(torch.cat([2 * edges, 2 * edges + 1]))
        values = tensor(batch.values.astype(np.float32)).unsqueeze(1)
        nodes = self.labels(tensor(batch.labels)) + self.values(values.sign() * values.abs().log1p())
        sizes = torch.bincount(envs, minlength=count).unsqueeze(1)

        def mean() -> Tensor:
            return nodes.new_zeros(count, nodes.shape[1]).index_add(0, envs, nodes) / sizes

        for message, update in zip(self.messages, self.updates, strict=True):
            sent = message(torch.cat([nodes[sources], positions], dim=1))
            into = targets.unsqueeze(1).expand_as(sent)
            received = torch.zeros_like(nodes).scatter_reduce(0, into, sent, "amax", include_self=False)
            nodes = nodes + update(torch.cat([nodes, received, mean()[envs]], dim=1))
        lengths = np.diff(actions.offsets)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        places = tensor(np.arange(len(owners)) - np.repeat(actions.offsets[:-1], lengths))
        chosen = nodes[tensor(actions.arguments + batch.starts[actions.envs][owners])]
        given = self.argument(torch.cat([chosen, self.arguments(places)], dim=1))
        given = nodes.new_zeros(len(lengths), nodes.shape[1]).index_add(0, tensor(owners), given)
        whole = mean()
        scored = torch.cat([self.schemas(tensor(actions.schemas)), given, whole[tensor(actions.envs)]], dim=1)
        return self.score(scored).squeeze(1), self.value(whole).squeeze(1)

    def act(
        self, observations: Mapping[str, NDArray[Any]], actions: ActionArrays, *, greedy: bool = False
    ) -> Choice:
        """Chooses a valid action in every environment: see `choose`. The generator of PyTorch draws."""
        scores, values = self(observations, actions)
        return choose(scores, values, actions, greedy=greedy)


class Choice(NamedTuple):
    """The actions that a policy chose, one per environment.

    Attributes
    ----------
    ids : array of int64, (environments,)
        The numbers of the actions, for `herbrand.VecEnv.step`; 0 where no action is valid.
    indices : array of int64, (environments,)
        Their indices in the `herbrand.graphs.ActionArrays`.
    log_probabilities : Tensor, (environments,)
        The logarithms of their probabilities.
    entropies : Tensor, (environments,)
        The entropy of each distribution, in nats.
    values : Tensor, (environments,)
        The estimated values of the states.
    """

    ids: NDArray[np.int64]
    indices: NDArray[np.int64]
    log_probabilities: Tensor
    entropies: Tensor
    values: Tensor


def choose(
    scores: Tensor,
    values: Tensor,
    actions: ActionArrays,
    *,
    greedy: bool = False,
    indices: NDArray[np.int64] | None = None,
) -> Choice:
    """Chooses an action in every environment by the softmax of the scores over its valid actions.

    Parameters
    ----------
    scores, values : Tensor
        The results of a `RelationalPolicy`, or of another network.
    actions : ActionArrays
        The valid actions that have these scores.
    greedy : bool
        Whether to choose the action with the highest score instead of drawing one.
    indices : array of int64, (environments,), optional
        Actions that were chosen before, by index, whose probabilities are wanted now.
    """
    count, envs = len(actions.rows) - 1, torch.as_tensor(actions.envs, device=scores.device)
    highest = scores.new_full((count,), -torch.inf).scatter_reduce(0, envs, scores.detach(), "amax")
    shifted = scores - highest[envs]
    logs = shifted - scores.new_zeros(count).index_add(0, envs, shifted.exp()).log()[envs]
    entropies = scores.new_zeros(count).index_add(0, envs, -logs.exp() * logs)
    some = np.diff(actions.rows) > 0
    if indices is None:
        noise = torch.zeros_like(scores) if greedy else -torch.empty_like(scores).exponential_().log()
        order = np.lexsort([(scores.detach() + noise).cpu().numpy(), actions.envs])
        indices = np.zeros(count, dtype=np.int64)
        indices[some] = order[actions.rows[1:][some] - 1]
    ids = np.zeros(count, dtype=np.int64)
    ids[some] = actions.ids[indices[some]]
    marked = torch.as_tensor(some, device=scores.device)
    chosen = logs.new_zeros(count).masked_scatter(marked, logs[torch.as_tensor(indices[some], device=scores.device)])
    return Choice(ids, indices, chosen, entropies, values)
