"""Replay of data sets: repeats the recorded actions and compares everything else."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import card
from ._arrow import pq
from .pool import Pool, Progress, pool_of
from .recipe import Recipe, Share
from .schema import Block, Columns
from .steps import seeded, taken

__all__ = ["Replay", "replay"]

_MOST = 20
"""The maximal number of reported differences."""


@dataclass(frozen=True)
class Replay:
    """The result of a replay.

    Attributes
    ----------
    rows : int
        The number of repeated steps.
    differences : list of str
        The first differences, each with environment, episode, step and column.
    warnings : list of str
        Keys of the card that its format does not have, and values of the card that differ from the recipe and the files.
    """

    rows: int = 0
    differences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def replay(
    folder: str | os.PathLike[str], workers: int | Pool[Any] = 1, progress: Progress | None = None
) -> Replay:
    """Repeats the actions of a data set from the same seeds, and compares every column.

    Parameters
    ----------
    folder : path
        The data set.
    workers : int or Pool
        As for `herbrand.data.record`.
    progress : callable, optional
        Called after each file with the number of repeated rows and the total number of rows.

    Raises
    ------
    ValueError
        If there is no card, it has another version, or the columns of a file are not those of the recipe.
    """
    found = card.read_card(folder)
    names_policy = {**found["recipe"], "policy": None}
    recipe = Recipe.from_data(names_policy)
    rows, differences = 0, list[str]()
    for count, differing in pool_of(workers).map(partial(_replay_part, recipe, str(folder)), recipe.shares()):
        rows += count
        differences += differing[: _MOST - len(differences)]
        if progress is not None:
            progress(rows, found["rows"])
        if len(differences) >= _MOST:
            break
    else:
        if rows != found["rows"]:
            differences.append(f"there are {rows} rows, where the card says {found['rows']}")
    schema = pq.read_schema(Path(folder) / card.part(recipe.shares()[0]))
    return Replay(rows, differences, card.warnings(folder, found, recipe, schema))


def _replay_part(recipe: Recipe, folder: str, share: Share) -> tuple[int, list[str]]:
    """Replays one file; returns its number of repeated rows and the differences."""
    differences = list[str]()
    with pq.ParquetFile(Path(folder) / card.part(share)) as file:
        envs, seen = seeded(recipe, share)
        columns = Columns.of(envs)
        if not file.schema_arrow.equals(columns.schema):
            raise ValueError(f"the columns of {card.part(share)} are not those of its recipe")
        rows = 0
        for group in range(file.num_row_groups):
            if len(differences) >= _MOST:
                break
            table = file.read_row_group(group)
            rows += table.num_rows
            seen = _replay_block(envs, seen, columns, columns.block(table, share.count), differences)
    return rows, differences


def _replay_block(envs: Any, seen: Any, columns: Columns, block: Block, differences: list[str]) -> Any:
    for at in range(block.reward.shape[1]):
        step, after = taken(envs, seen, block.action[:, at].astype(np.int64 if columns.discrete else np.float64))
        mask, final, _ = step.pop("mask"), step.pop("final"), step.pop("action")
        if columns.discrete:
            step["mask"] = np.packbits(mask.view(np.uint8), axis=-1, bitorder="little")
        ended, given = step["terminated"] | step["truncated"], block.has_next[:, at]
        following = np.where(ended[:, np.newaxis], final, after)
        step["next_observation"] = np.where(given[:, np.newaxis], following, 0)
        for name, mine in step.items():
            _compare(name, mine, block, at, differences)
        seen = after
    return seen


def _compare(name: str, mine: Any, block: Block, at: int, differences: list[str]) -> None:
    theirs = getattr(block, name)[:, at]
    same = np.equal(mine, theirs) | (np.not_equal(mine, mine) & np.not_equal(theirs, theirs))
    wrong = ~(same if same.ndim == 1 else same.all(axis=-1))
    for index in np.flatnonzero(wrong)[: _MOST - len(differences)]:
        where = (int(block.environment[index, at]), int(block.episode[index, at]), int(block.step[index, at]))
        differences.append("environment {}, episode {}, step {}: {} differs".format(*where, name))
