"""Conversion of data sets to and from the format of Minari."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import card
from ._arrow import pa, pq
from .recipe import Recipe
from .schema import Block, Columns

__all__ = ["from_minari", "to_minari"]

_INFOS = ("environment", "episode", "problem", "goal", "dead_end", "applied")


def to_minari(folder: str | os.PathLike[str], dataset_id: str, **options: Any) -> Any:
    """Creates a Minari data set from the completed episodes of a data set.

    Infos contain the numbers of the environment and the episode, the problem, the flags, and the packed action mask if
    actions are discrete. The description is the card. Memory: one file of the data set, plus Minari's episodes.

    Needs ``pip install minari h5py``.

    Parameters
    ----------
    folder : path
    dataset_id : str
        The name for Minari, such as ``"herbrand/sokoban-random-v0"``.
    **options
        As for ``minari.create_dataset_from_buffers``: ``author``, ``algorithm_name``, ….

    Returns
    -------
    minari.MinariDataset
    """
    try:
        import minari
        from minari.data_collector import EpisodeBuffer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("`to_minari` needs Minari: pip install minari h5py", name=error.name) from error

    found = card.read_card(folder)
    recipe = Recipe.from_data({**found["recipe"], "policy": None})
    envs = recipe.environments(1)
    columns = Columns.of(envs)
    episodes = [
        EpisodeBuffer(id=index, **parts)
        for index, parts in enumerate(_episodes(Path(folder), recipe, columns))
    ]
    told: dict[str, Any] = {
        "observation_space": envs.single_observation_space,
        "action_space": envs.single_action_space,
        "algorithm_name": recipe.to_data()["policy"] or "random",
        "description": json.dumps(found),
    }
    return minari.create_dataset_from_buffers(dataset_id, episodes, **{**told, **options})


def _episodes(folder: Path, recipe: Recipe, columns: Columns) -> Iterator[dict[str, Any]]:
    """Yields the completed episodes, by environment."""
    for share in recipe.shares():
        file = pq.ParquetFile(folder / card.part(share))
        groups = [columns.block(file.read_row_group(at), share.count) for at in range(file.num_row_groups)]
        block = Block(**{name: np.concatenate([getattr(one, name) for one in groups], 1) for name in vars(groups[0])})
        ended = block.terminated | block.truncated
        for index in range(share.count):
            start = 0
            for last in np.flatnonzero(ended[index]).tolist():
                yield _episode(block, recipe, columns, index, slice(start, last + 1))
                start = last + 1


def _episode(block: Block, recipe: Recipe, columns: Columns, index: int, steps: slice) -> dict[str, Any]:
    final = block.next_observation[index, steps.stop - 1]
    infos = {name: _with_first(getattr(block, name)[index, steps]) for name in _INFOS}
    infos["action_mask"] = _with_first(block.mask[index, steps])
    environment = int(block.environment[index, 0])
    action = block.action[index, steps]
    return {
        "seed": recipe.seed + environment,
        "observations": np.concatenate([block.observation[index, steps], final[np.newaxis]]),
        "actions": action.astype(np.int64) if columns.discrete else action,
        "rewards": block.reward[index, steps],
        "terminations": block.terminated[index, steps],
        "truncations": block.truncated[index, steps],
        "infos": infos,
    }


def _with_first(values: NDArray[Any]) -> NDArray[Any]:
    """Repeats the first value, since Minari has infos of the first state as well as of each step."""
    return np.concatenate([values[:1], values])


def from_minari(dataset: Any) -> pa.Table:
    """Converts a data set made by `to_minari` back to a table with the columns of `herbrand.data`.

    Raises
    ------
    ValueError
        If the description is not a card, so that `to_minari` did not make the data set.
    """
    try:
        found = json.loads(dataset.storage.metadata["description"])
        recipe = Recipe.from_data({**found["recipe"], "policy": None})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("the data set has no card in its description: `to_minari` did not make it") from error
    columns = Columns.of(recipe.environments(1))
    rows = [columns.rows(_block(episode, columns), recipe.seed) for episode in dataset.iterate_episodes()]
    return pa.Table.from_batches(rows, schema=columns.schema)


def _block(episode: Any, columns: Columns) -> Block:
    """Converts an episode to a block of one environment."""
    count = len(episode.rewards)
    infos = {name: np.asarray(episode.infos[name])[1:] for name in (*_INFOS, "action_mask")}
    following = np.zeros((count, columns.width), dtype=columns.dtype)
    following[-1] = episode.observations[-1]
    given = np.zeros(count, dtype=np.bool_)
    given[-1] = True
    parts: dict[str, Any] = {
        "observation": np.asarray(episode.observations)[:-1].astype(columns.dtype),
        "action": np.asarray(episode.actions),
        "reward": np.asarray(episode.rewards, dtype=np.float64),
        "terminated": np.asarray(episode.terminations, dtype=np.bool_),
        "truncated": np.asarray(episode.truncations, dtype=np.bool_),
        "mask": infos.pop("action_mask").astype(np.uint8),
        "step": np.arange(count, dtype=np.uint32),
        "next_observation": following,
        "has_next": given,
    }
    parts |= {name: infos.pop(name).astype(np.bool_) for name in ("goal", "dead_end", "applied")}
    parts |= {name: values.astype(np.uint32) for name, values in infos.items()}
    return Block(**{name: values[np.newaxis] for name, values in parts.items()})
