"""The columns of a data set, and the conversion of steps to rows.

A row is one step of one environment:

=================  =================================  ==========================================================
column             type                               meaning
=================  =================================  ==========================================================
environment        uint32                             the number of the environment, from 0
seed               uint64                             its seed
episode            uint32                             the number of the episode in that environment, from 0
step               uint32                             the number of the step in that episode, from 0
problem            uint32                             the index of the problem in the suite
observation        fixed_size_binary[w] or            the observation before the step: bytes (bits packed eight per
                   fixed_size_list<double>[w]         byte), in RDDL the values of the fluents
mask               fixed_size_binary[m]               the valid actions, packed: bit ``i % 8`` of byte
                                                      ``i // 8`` is action ``i``; only if actions are discrete
action             uint32 or                          the action; if it is not discrete, one number per field
                   fixed_size_list<double>[f]
reward             double
terminated         bool                               whether the episode ended by its state
truncated          bool                               whether the episode ended by its horizon
goal, dead_end     bool                               of the state after the step
applied            bool                               whether the step carried out its action
next_observation   as observation, of any length      the observation after the step, if it is not in the next row:
                                                      at the end of an episode or environment; null elsewhere
=================  =================================  ==========================================================

Rows are sorted by environment within a row group, and by step within an environment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base_vector import BaseVecEnv
from ._arrow import pa

__all__ = ["Block", "Columns"]


@dataclass(frozen=True)
class Block:
    """Consecutive steps of a share: arrays of shape ``(environments, steps, …)``."""

    environment: NDArray[np.uint32]
    episode: NDArray[np.uint32]
    step: NDArray[np.uint32]
    problem: NDArray[np.uint32]
    observation: NDArray[Any]
    mask: NDArray[np.uint8]
    action: NDArray[Any]
    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    goal: NDArray[np.bool_]
    dead_end: NDArray[np.bool_]
    applied: NDArray[np.bool_]
    next_observation: NDArray[Any]
    has_next: NDArray[np.bool_]
    """Marks the steps with a next observation."""


@dataclass(frozen=True)
class Columns:
    """The types and widths of the columns.

    Attributes
    ----------
    width : int
        The number of elements of an observation.
    dtype : dtype
        The type of the elements: uint8, or float64 in RDDL.
    actions : int
        The number of actions; if actions are not discrete, the number of fields of an action.
    discrete : bool
        Whether an action is a single number from a finite set.
    """

    width: int
    dtype: np.dtype[Any]
    actions: int
    discrete: bool

    @classmethod
    def of(cls, envs: BaseVecEnv) -> Columns:
        """Returns the columns for these environments. Raises `ValueError` if observations are not vectors."""
        box = envs.single_observation_space
        if box.shape is None or len(box.shape) != 1 or box.dtype is None:
            raise ValueError(f"a data set has observations that are vectors, not {box}")
        discrete = envs.problems.is_discrete
        space: Any = envs.single_action_space
        return cls(box.shape[0], np.dtype(box.dtype), int(space.n) if discrete else space.shape[0], discrete)

    @property
    def schema(self) -> pa.Schema:
        """The Arrow and Parquet schema."""
        action = pa.uint32() if self.discrete else pa.list_(pa.float64(), self.actions)
        fields = [
            *((name, pa.uint64() if name == "seed" else pa.uint32()) for name in _NUMBERS),
            ("observation", self._observation(fixed=True)),
            *([("mask", pa.binary(self.mask_bytes))] if self.discrete else []),
            ("action", action),
            ("reward", pa.float64()),
            *((name, pa.bool_()) for name in _FLAGS),
        ]
        all_fields = [pa.field(name, kind, nullable=False) for name, kind in fields]
        return pa.schema([*all_fields, pa.field("next_observation", self._observation(fixed=False))])

    @property
    def mask_bytes(self) -> int:
        """The number of bytes of a packed mask."""
        return (self.actions + 7) // 8

    def _observation(self, fixed: bool) -> pa.DataType:
        if self.dtype == np.uint8:
            return pa.binary(self.width) if fixed else pa.binary()
        kind = pa.from_numpy_dtype(self.dtype)
        return pa.list_(kind, self.width) if fixed else pa.list_(kind)

    def rows(self, block: Block, seed: int) -> pa.RecordBatch:
        """Converts a block to rows; `seed` is the seed of environment 0."""
        count = block.environment.size
        flat = {name: getattr(block, name).reshape(count) for name in (*_NUMBERS, *_FLAGS) if name != "seed"}
        columns: dict[str, pa.Array] = {name: pa.array(values) for name, values in flat.items()}
        columns["seed"] = pa.array(block.environment.reshape(count).astype(np.uint64) + np.uint64(seed))
        columns["observation"] = self._vectors(block.observation.reshape(count, self.width))
        if self.discrete:
            columns["mask"] = _bytes(block.mask.reshape(count, self.mask_bytes))
            columns["action"] = pa.array(block.action.reshape(count).astype(np.uint32))
        else:
            columns["action"] = _lists(block.action.reshape(count, self.actions))
        columns["reward"] = pa.array(block.reward.reshape(count))
        columns["next_observation"] = self._sparse(block, count)
        return pa.record_batch([columns[name] for name in self.schema.names], schema=self.schema)

    def _vectors(self, rows: NDArray[Any]) -> pa.Array:
        return _bytes(rows) if self.dtype == np.uint8 else _lists(rows)

    def _sparse(self, block: Block, count: int) -> pa.Array:
        """Returns the column of next observations, null in rows without one."""
        given = block.has_next.reshape(count)
        values = np.ascontiguousarray(block.next_observation.reshape(count, self.width)[given])
        offsets = np.concatenate([[0], np.cumsum(given)]).astype(np.int32) * np.int32(self.width)
        valid = pa.py_buffer(np.packbits(given, bitorder="little").tobytes())
        ends = pa.py_buffer(offsets)
        kind, nulls = self._observation(fixed=False), int(count - given.sum())
        if self.dtype == np.uint8:
            return pa.Array.from_buffers(kind, count, [valid, ends, pa.py_buffer(values.reshape(-1))], nulls)
        inner = pa.array(values.reshape(-1))
        return pa.Array.from_buffers(kind, count, [valid, ends], nulls, children=[inner])

    def block(self, table: pa.Table | pa.RecordBatch, environments: int) -> Block:
        """Converts rows back to a block with this number of environments; the inverse of `rows`."""
        count = table.num_rows
        steps = count // environments

        def column(name: str) -> pa.Array:
            found = table.column(name)
            return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found

        def flat(name: str) -> NDArray[Any]:
            values: NDArray[Any] = column(name).to_numpy(zero_copy_only=False)
            return values.reshape(environments, steps)

        def vectors(name: str, width: int) -> NDArray[Any]:
            return _read(column(name), width).reshape(environments, steps, width)

        given = np.asarray(column("next_observation").is_valid()).reshape(environments, steps)
        following = np.zeros((environments, steps, self.width), dtype=self.dtype)
        following[given] = _read(column("next_observation").drop_null(), self.width)
        names = [name for name in (*_NUMBERS, *_FLAGS) if name != "seed"]
        return Block(
            **{name: flat(name) for name in names},
            observation=vectors("observation", self.width),
            mask=vectors("mask", self.mask_bytes) if self.discrete else np.zeros((environments, steps, 0), np.uint8),
            action=flat("action") if self.discrete else vectors("action", self.actions),
            reward=flat("reward"),
            next_observation=following,
            has_next=given,
        )


_NUMBERS = ("environment", "seed", "episode", "step", "problem")
_FLAGS = ("terminated", "truncated", "goal", "dead_end", "applied")


def _bytes(rows: NDArray[np.uint8]) -> pa.Array:
    """Returns an array with one binary value of fixed length per row."""
    rows = np.ascontiguousarray(rows, dtype=np.uint8)
    return pa.Array.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows.reshape(-1))])


def _lists(rows: NDArray[Any]) -> pa.Array:
    """Returns an array with one list of fixed length per row."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(rows).reshape(-1)), rows.shape[1])


def _read(column: pa.Array, width: int) -> NDArray[Any]:
    """Returns the rows of a column of binary values or lists, each of `width` elements."""
    if pa.types.is_fixed_size_binary(column.type):
        data = np.frombuffer(column.buffers()[1], dtype=np.uint8)
        return data[column.offset * width : (column.offset + len(column)) * width].reshape(-1, width)
    if pa.types.is_binary(column.type):
        data = np.frombuffer(b"".join(column.to_pylist()), dtype=np.uint8)
        return data.reshape(-1, width)
    values: NDArray[Any] = column.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(-1, width)
