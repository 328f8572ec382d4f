"""What rows of numbers that the engine writes are to an agent: arrays, or dicts of arrays."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import ObservedProblems

__all__ = ["Rows", "action_space", "mode_name"]


def mode_name(observation: str, pixels: tuple[int, int]) -> str:
    """How the engine calls a mode of observation: pixels with their height and width."""
    if observation != "pixels":
        return observation
    height, width = pixels
    return f"pixels-{height}x{width}"


class Rows:
    """How rows of numbers are read as observations.

    Bits are a single array, as are several fields that are a number each. Fields of different shapes are a dict with an
    array for each.

    Attributes
    ----------
    width : int
        The number of elements of a row.
    dtype : numpy.dtype
    storage : numpy.dtype
        That of the arrays that the engine writes: int8 for all bytes.
    space : gymnasium.spaces.Space
        The space of one observation.
    """

    def __init__(self, problems: ObservedProblems) -> None:
        self._shape = tuple(problems.shape)
        self._fields = problems.observation_fields
        self.width = math.prod(self._shape)
        self.dtype = np.dtype(problems.dtype)
        self.storage = np.dtype(np.int8) if self.dtype == np.uint8 else self.dtype
        scalars = all(not shape for _, shape, _, _ in self._fields)
        self._split = self.storage != np.int8 and len(self._fields) > 1 and not scalars
        self.space = self._space()

    def _space(self) -> spaces.Space[Any]:
        if self.dtype == np.int8:
            return spaces.MultiBinary(self._shape[0] if len(self._shape) == 1 else list(self._shape))
        if self._split:
            return spaces.Dict({name: self._box(shape, low, high) for name, shape, low, high in self._fields})
        bounds = [np.full(math.prod(shape), (low, high)[end]) for end in (0, 1) for _, shape, low, high in self._fields]
        ends = np.concatenate(bounds).reshape(2, *self._shape) if self._fields else np.zeros((2, *self._shape))
        low, high = ends.astype(self.dtype)
        return spaces.Box(low, high, dtype=self.dtype.type)

    def _box(self, shape: list[int], low: float, high: float) -> spaces.Box:
        return spaces.Box(self.dtype.type(low), self.dtype.type(high), tuple(shape), dtype=self.dtype.type)

    @property
    def is_plain(self) -> bool:
        """Whether an array that the engine writes is the observation itself."""
        return self.storage == self.dtype and not self._split

    @property
    def is_view(self) -> bool:
        """Whether what `read` gives changes with the rows."""
        return True

    def read_one(self, row: NDArray[Any]) -> Any:
        """One row, of any shape, as an observation."""
        return self.read(row.reshape(-1))

    def read(self, rows: NDArray[Any]) -> Any:
        """Rows, shape ``(…, width)``, as observations: views of them of shape ``(…, *shape)``, or a dict of such views."""
        lead, rows = rows.shape[:-1], rows.view(self.dtype)
        if not self._split:
            return rows.reshape((*lead, *self._shape))
        parts, start = {}, 0
        for name, shape, _, _ in self._fields:
            end = start + math.prod(shape)
            parts[name] = rows[..., start:end].reshape((*lead, *shape))
            start = end
        return parts


def copied(observation: Any) -> Any:
    """An observation whose arrays nobody else writes to."""
    if isinstance(observation, dict):
        return {name: part.copy() if isinstance(part, np.ndarray) else part for name, part in observation.items()}
    return observation.copy()


class Copies:
    """Copies of observations of one kind, one after the other. They are the caller's own, as those of `copied` are, but the memory of a
    large array is written to again once nobody else has it: the system gives new memory of that size page by page, which takes longer
    than the copy.
    """

    _LARGE = 1 << 16

    def __init__(self) -> None:
        # By part of an observation, the last two arrays.
        self._last: dict[str, list[NDArray[Any]]] = {}

    def of(self, observation: Any) -> Any:
        """A copy of an array, or of a dict of arrays."""
        if isinstance(observation, dict):
            return {name: self._part(name, part) for name, part in observation.items()}
        return self._part("", observation)

    def _part(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        if array.nbytes < self._LARGE:
            return array.copy()
        last = self._last.get(name, [])
        for index in range(len(last)):
            # The list has a reference, and the argument is one. So has each view, and whatever else reads the memory.
            if sys.getrefcount(last[index]) == 2 and _takes(last[index], array):
                np.copyto(last[index], array)
                return last[index]
        copy = array.copy()
        # Callers often have one observation until they have the next.
        self._last[name] = [*last[-1:], copy]
        return copy


def _takes(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether an array, which its last owner may have changed, can be written to and is of the kind of another."""
    return one.flags.writeable and one.shape == other.shape and one.dtype == other.dtype


def action_space(problems: ObservedProblems) -> spaces.Space[Any]:
    """The space of one action: a number of an alternative, or one number per field."""
    fields = problems.action_fields
    if problems.is_discrete:
        return spaces.Discrete(problems.mask_len)
    low, high = (np.array([field[end] for field in fields], dtype=np.float64) for end in (2, 3))
    return spaces.Box(low, high, dtype=np.float64)
