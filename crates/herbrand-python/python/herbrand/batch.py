"""The arrays that the engine writes into when it steps many environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Batch"]


@dataclass(frozen=True)
class Batch:
    """Arrays with one row per environment, or one per environment and step.

    Attributes
    ----------
    observations : array, (rows, width)
    masks : array of int8, (rows, actions)
    rewards : array of float64, (rows,)
    terminated, truncated : array of bool, (rows,)
    flags : array of bool, (rows, 3)
        Goal, dead end, applied.
    finals : array, (rows, width)
        The last observations of the episodes that ended in the step; no rows where they are not wanted.
    final_flags : array of bool, (rows, 3)
        The flags of those states.
    problems : array of int64, (rows,)
        The index of the problem that is observed.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    flags: NDArray[np.bool_]
    finals: NDArray[Any]
    final_flags: NDArray[np.bool_]
    problems: NDArray[np.int64]

    @classmethod
    def zeros(cls, rows: int, finals: int, width: int, actions: int, dtype: np.dtype[Any]) -> Batch:
        """Arrays of zeros, with so many rows."""
        return cls(
            np.zeros((rows, width), dtype=dtype),
            np.zeros((rows, actions), dtype=np.int8),
            np.zeros(rows, dtype=np.float64),
            np.zeros(rows, dtype=np.bool_),
            np.zeros(rows, dtype=np.bool_),
            np.zeros((rows, 3), dtype=np.bool_),
            np.zeros((finals, width), dtype=dtype),
            np.zeros((rows, 3), dtype=np.bool_),
            np.zeros(rows, dtype=np.int64),
        )

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays in the order in which the engine takes them."""
        return tuple(self.__dict__.values())

    @property
    def goal(self) -> NDArray[np.bool_]:
        """Whether the goal holds."""
        return self.flags[..., 0]

    @property
    def dead_end(self) -> NDArray[np.bool_]:
        """Whether no action is valid."""
        return self.flags[..., 1]

    @property
    def applied(self) -> NDArray[np.bool_]:
        """Whether the step carried out its action."""
        return self.flags[..., 2]

    def by_environment(self, count: int, steps: int) -> Batch:
        """The same arrays with shape ``(count, steps, …)``."""
        split = (array.reshape(count, steps, *array.shape[1:]) if len(array) else array for array in self.arrays)
        return Batch(*split)

    def take_last(self, steps: Batch) -> None:
        """Takes over what the last of many steps wrote, given by environment."""
        for mine, theirs in zip(self.arrays, steps.arrays, strict=True):
            if len(theirs):
                mine[...] = theirs[:, -1]
