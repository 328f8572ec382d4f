"""The arrays that the engine fills when it steps many environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._repr import OneLine

__all__ = ["ENDS", "Batch"]

ENDS = np.array([None, "goal", "terminal", "dead_end", "invariant", "horizon"], dtype=object)
"""The reasons for which an episode ends, by their number in `Batch.end`."""


@dataclass(frozen=True, repr=False)
class Batch(OneLine):
    """Arrays with one row per environment, or one per environment and step.

    Attributes
    ----------
    observations : array, (rows, width)
    masks : array of int8, (rows, actions), or (rows, bytes) if masks are packed
    rewards : array of float64, (rows,)
    terminated, truncated : array of bool, (rows,)
    goal, dead_end : array of bool, (rows,)
        Whether the goal holds, and whether no action is valid.
    applied : array of bool, (rows,)
        Whether the step carried out its action.
    stepped : array of bool, (rows,)
        False if a new episode began in place of the step.
    end : array of int8, (rows,)
        Why the step ended the episode, an index of `ENDS`; 0 if it did not.
    problems : array of int64, (rows,)
        The index of the observed problem.
    finals : array, (rows, width)
        The final observations of the episodes that ended in the step; zero rows unless autoreset is in the same step.
    final_goal, final_dead_end : array of bool, (rows,)
        Whether the goal holds, and whether no action is valid, in those final states; False in the other rows.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    goal: NDArray[np.bool_]
    dead_end: NDArray[np.bool_]
    applied: NDArray[np.bool_]
    stepped: NDArray[np.bool_]
    end: NDArray[np.int8]
    problems: NDArray[np.int64]
    finals: NDArray[Any]
    final_goal: NDArray[np.bool_]
    final_dead_end: NDArray[np.bool_]

    @classmethod
    def zeros(cls, rows: int, finals: int, width: int, actions: int, dtype: np.dtype[Any]) -> Batch:
        """Allocates arrays of zeros with `rows` rows, and `finals` rows for final states."""

        def flags(count: int) -> NDArray[np.bool_]:
            return np.zeros(count, dtype=np.bool_)

        return cls(
            observations=np.zeros((rows, width), dtype=dtype),
            masks=np.zeros((rows, actions), dtype=np.int8),
            rewards=np.zeros(rows, dtype=np.float64),
            terminated=flags(rows),
            truncated=flags(rows),
            goal=flags(rows),
            dead_end=flags(rows),
            applied=flags(rows),
            stepped=flags(rows),
            end=np.zeros(rows, dtype=np.int8),
            problems=np.zeros(rows, dtype=np.int64),
            finals=np.zeros((finals, width), dtype=dtype),
            final_goal=flags(finals),
            final_dead_end=flags(finals),
        )

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays in the order in which the engine expects them."""
        return tuple(self.__dict__.values())

    def clear(self) -> None:
        """Zeroes the arrays that a call with several steps writes only in part."""
        for array in (self.observations, self.masks, self.finals):
            array.fill(0)

    def by_environment(self, count: int, steps: int) -> Batch:
        """Returns the same arrays with shape ``(count, steps, …)``."""
        split = (array.reshape(count, steps, *array.shape[1:]) if len(array) else array for array in self.arrays)
        return Batch(*split)

    def take_last(self, steps: Batch) -> None:
        """Copies the last of many steps, given by environment, into these arrays."""
        for mine, theirs in zip(self.arrays, steps.arrays, strict=True):
            if len(theirs):
                mine[...] = theirs[:, -1]
