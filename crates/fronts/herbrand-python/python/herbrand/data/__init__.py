"""Data sets of experience: recorded in parallel, stored in Parquet files, and reproducible from a card.

A `Recipe` defines a data set: problems, seeds, steps and a policy. It is split into shares. The rows of a share do not
depend on the process that records it, so the data set does not depend on the number of workers. If a worker is killed, its
share is recorded again.

Files and tables need ``pip install herbrand[data]`` (PyArrow). `rollout`, which returns totals only, does not.

Examples
--------
>>> import herbrand, tempfile
>>> from herbrand import data
>>> recipe = data.Recipe(herbrand.suite("sokoban", "01"), num_envs=4, steps=50, seed=1)
>>> with tempfile.TemporaryDirectory() as folder:
...     card = data.record(recipe, folder)
...     table = data.read(folder).to_table()
...     replayed = data.replay(folder)
>>> card["rows"], table.num_rows, replayed.rows, replayed.differences
(200, 200, 200, [])
>>> table.column_names[:5]
['environment', 'seed', 'episode', 'step', 'problem']
"""

from __future__ import annotations

from typing import Any

from .card import read_card
from .minari import from_minari, to_minari
from .pool import InProcess, Pool, Processes, WorkerDied, WorkerError
from .recipe import Policy, Recipe, Share
from .record import Totals, read, record, remake, rollout, tables
from .replay import Replay, replay
from .schema import Columns

__all__ = [
    "Columns",
    "InProcess",
    "Policy",
    "Pool",
    "Processes",
    "Recipe",
    "Replay",
    "Share",
    "Totals",
    "WorkerDied",
    "WorkerError",
    "from_minari",
    "read",
    "read_card",
    "record",
    "remake",
    "replay",
    "rollout",
    "tables",
    "to_minari",
]
