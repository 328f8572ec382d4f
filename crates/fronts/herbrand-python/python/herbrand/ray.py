"""Runs the shares of a `herbrand.data.Recipe` on Ray workers.

Needs ``pip install herbrand[ray]``. If a worker is killed, its share is repeated. Results equal those of a single process.

Examples
--------
>>> import herbrand
>>> from herbrand import data
>>> from herbrand.ray import Ray  # doctest: +SKIP
>>> recipe = data.Recipe(herbrand.suite("sokoban"), num_envs=1024, steps=10_000)
>>> data.record(recipe, "sokoban-data", Ray(workers=2))  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from .data import Pool, Recipe, Share, Totals
from .data import record as _record
from .data import rollout as _rollout
from .data import tables as _tables
from .data.pool import WorkerDied

__all__ = ["Ray", "collect", "record", "rollout"]


def _ray() -> Any:
    """Returns the package ``ray``, imported on first use."""
    return import_module("ray")


class Ray(Pool[Any]):
    """A pool of Ray tasks, on this machine or on the cluster that ``ray.init`` has connected to.

    Parameters
    ----------
    workers : int, optional
        The number of shares in progress at once; by default the number of processors of the cluster.
    attempts : int
        The number of times a share is tried before its loss is an error.
    **resources
        The resources of a Ray task: ``num_cpus``, ``memory``, ….
    """

    def __init__(self, workers: int | None = None, attempts: int = 3, **resources: Any) -> None:
        ray = _ray()
        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        super().__init__(workers or max(1, int(ray.cluster_resources().get("CPU", 1))), attempts)
        # # Ray must not retry: the pool counts the attempts.
        self._options = {"max_retries": 0, **resources}

    def submit(self, call: Callable[[Share], Any], share: Share) -> Any:
        ray = _ray()
        return ray.remote(**self._options)(call_share).remote(call, share)

    def finished(self, handles: Sequence[Any]) -> list[Any]:
        ray = _ray()
        done, _ = ray.wait(list(handles), num_returns=1, fetch_local=False)
        return list(done)

    def result(self, handle: Any) -> Any:
        ray = _ray()
        try:
            return ray.get(handle)
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError, ray.exceptions.NodeDiedError) as error:
            raise WorkerDied(str(error).splitlines()[0]) from error


def call_share(call: Callable[[Share], Any], share: Share) -> Any:
    """Processes a share; called on a worker."""
    return call(share)


def rollout(recipe: Recipe, workers: int | None = None) -> Totals:
    """Runs `herbrand.data.rollout` on Ray workers."""
    return _rollout(recipe, Ray(workers))


def collect(recipe: Recipe, workers: int | None = None) -> Iterator[Any]:
    """Runs `herbrand.data.tables` on Ray workers; yields Arrow tables in the order of the shares."""
    return _tables(recipe, Ray(workers))


def record(recipe: Recipe, folder: str | os.PathLike[str], workers: int | None = None, **options: Any) -> dict[str, Any]:
    """Runs `herbrand.data.record` on Ray workers. All of them need access to the folder."""
    return _record(recipe, folder, Ray(workers), **options)
