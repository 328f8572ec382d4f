"""Execution of recipes: recorded as Parquet files, returned as Arrow tables, or reduced to totals."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np

from . import card
from ._arrow import ds, pa, pq
from .pool import Pool, Progress, pool_of
from .recipe import Policy, Recipe, Share
from .steps import blocks

__all__ = ["Totals", "read", "record", "remake", "rollout", "tables"]


def record(
    recipe: Recipe,
    folder: str | os.PathLike[str],
    workers: int | Pool[Any] = 1,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Records a data set in a folder: one Parquet file per share, and ``card.json``.

    The files do not depend on the number of workers. If a call was interrupted, the same call completes its folder.

    Parameters
    ----------
    recipe : Recipe
    folder : path
        The folder; it is created if necessary.
    workers : int or Pool
        The number of processes, or a pool such as `herbrand.ray.Ray`. All workers need access to the folder.
    progress : callable, optional
        Called after each share with the number of finished rows and the total number of rows.

    Returns
    -------
    dict
        The card: the recipe with the texts of the problems, the versions, and the files with their SHA-256.

    Raises
    ------
    FileExistsError
        If the folder contains files that are not parts of this recipe.
    WorkerError
        If the worker of one share was killed repeatedly.
    """
    folder = Path(folder)
    missing = card.begin(recipe, folder)
    done = recipe.rows - sum(share.count for share in missing) * recipe.steps
    for rows in pool_of(workers).map(partial(_write_part, recipe, str(folder)), missing):
        done += rows
        if progress is not None:
            progress(done, recipe.rows)
    first = next(iter(recipe.shares()))
    return card.finish(recipe, folder, pq.read_schema(folder / card.part(first)))


def _write_part(recipe: Recipe, folder: str, share: Share) -> int:
    """Writes the file of a share atomically, and returns its number of rows."""
    path = Path(folder) / card.part(share)
    partial_path = path.with_name(f"{path.name}.{os.getpid()}.partial")
    writer: pq.ParquetWriter | None = None
    rows = 0
    try:
        for columns, block in blocks(recipe, share):
            batch = columns.rows(block, recipe.seed)
            if writer is None:
                writer = pq.ParquetWriter(partial_path, batch.schema, compression="zstd", version="2.6")
            writer.write_table(pa.Table.from_batches([batch]), row_group_size=batch.num_rows)
            rows += batch.num_rows
    except BaseException:
        if writer is not None:
            writer.close()
        partial_path.unlink(missing_ok=True)
        raise
    assert writer is not None, "a recipe has one step or more"
    writer.close()
    partial_path.replace(path)
    return rows


def tables(recipe: Recipe, workers: int | Pool[Any] = 1) -> Iterator[pa.Table]:
    """Yields the rows as Arrow tables, one per share, in the order of the shares.

    If the consumer is slow, the workers wait: at most two tables per worker are in memory.

    Parameters
    ----------
    recipe, workers
        As for `record`.
    """
    yield from pool_of(workers).map(partial(_table, recipe), recipe.shares())


def _table(recipe: Recipe, share: Share) -> pa.Table:
    parts = [columns.rows(block, recipe.seed) for columns, block in blocks(recipe, share)]
    # # One chunk per column: a table is pickled chunk by chunk, which takes longer than to copy the chunks.
    return pa.Table.from_batches(parts).combine_chunks()


@dataclass(frozen=True)
class Totals:
    """Totals over the steps of a recipe.

    Attributes
    ----------
    steps : int
        The number of steps.
    episodes : int
        The number of episodes that ended.
    goals, dead_ends : int
        The number of these that ended in a goal, and in a dead end.
    returns : float
        The sum of the returns of the episodes that ended; infinite or NaN if one of them is.
    non_finite : int
        The number of episodes that ended with an infinite or NaN return.
    first_non_finite : tuple of int, or None
        The environment, episode and step of the first infinite or NaN reward, each from 0. First means the lowest
        environment, then the lowest episode and step.
    """

    steps: int = 0
    episodes: int = 0
    goals: int = 0
    dead_ends: int = 0
    returns: float = 0.0
    non_finite: int = 0
    first_non_finite: tuple[int, int, int] | None = None

    @property
    def mean_return(self) -> float:
        """The mean return per episode; NaN if no episode ended or a return is NaN, infinite if a return is."""
        return self.returns / self.episodes if self.episodes else float("nan")

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.steps + other.steps,
            self.episodes + other.episodes,
            self.goals + other.goals,
            self.dead_ends + other.dead_ends,
            self.returns + other.returns,
            self.non_finite + other.non_finite,
            min((one.first_non_finite for one in (self, other) if one.first_non_finite is not None), default=None),
        )


def rollout(recipe: Recipe, workers: int | Pool[Any] = 1) -> Totals:
    """Runs a recipe and returns totals only. They do not depend on the number of workers.

    Parameters
    ----------
    recipe, workers
        As for `record`.

    Examples
    --------
    >>> import herbrand
    >>> from herbrand import data
    >>> totals = data.rollout(data.Recipe(herbrand.suite("blocks", "train/01"), num_envs=8, steps=200))
    >>> totals.steps
    1600
    """
    return reduce(Totals.__add__, pool_of(workers).map(partial(_totals, recipe), recipe.shares()), Totals())


def _totals(recipe: Recipe, share: Share) -> Totals:
    totals, open_returns = Totals(), np.zeros(share.count)
    for _, block in blocks(recipe, share):
        ended = block.terminated | block.truncated
        returns, non_finite = 0.0, 0
        for at in range(ended.shape[1]):
            open_returns += block.reward[:, at]
            closed = open_returns[ended[:, at]]
            returns += float(closed.sum())
            non_finite += int((~np.isfinite(closed)).sum())
            open_returns[ended[:, at]] = 0.0
        goals, dead_ends = (int((ended & flag).sum()) for flag in (block.goal, block.dead_end))
        strange = ~np.isfinite(block.reward)
        places = zip(block.environment[strange], block.episode[strange], block.step[strange], strict=True)
        first = min(((int(env), int(episode), int(step)) for env, episode, step in places), default=None)
        totals += Totals(ended.size, int(ended.sum()), goals, dead_ends, returns, non_finite, first)
    return totals


def read(folder: str | os.PathLike[str]) -> ds.Dataset:
    """Opens the data set in a folder as a PyArrow data set of its files, in order.

    Raises
    ------
    ValueError
        If the folder has no card, or if parts are missing because recording was interrupted.
    """
    found = card.read_card(folder)
    if "parts" not in found:
        raise ValueError(f"{str(folder)!r} is incomplete because recording was interrupted: repeat the call that recorded it")
    return ds.dataset([str(Path(folder) / one["file"]) for one in found["parts"]], format="parquet")


def remake(
    folder: str | os.PathLike[str],
    into: str | os.PathLike[str],
    workers: int | Pool[Any] = 1,
    policy: Policy | None = None,
) -> list[str]:
    """Records a data set again from its card, and compares the files.

    Parameters
    ----------
    folder : path
        The folder of the original data set.
    into : path
        The folder of the new data set.
    workers : int or Pool
        As for `record`.
    policy : Policy, optional
        The policy that the card names; left out if it was the random one.

    Returns
    -------
    list of str
        The files that differ; empty if all are equal byte by byte. Another version of PyArrow may write other bytes.
    """
    old = card.read_card(folder)
    new = record(card.recipe_of(old, policy), into, workers)
    digests = {one["file"]: one["sha256"] for one in new["parts"]}
    return [one["file"] for one in old["parts"] if digests.get(one["file"]) != one["sha256"]]


