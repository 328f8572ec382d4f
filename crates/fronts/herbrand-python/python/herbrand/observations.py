"""Conversion of the engine's rows of numbers to observations: arrays or dicts of arrays."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import ObservedProblems, Suite
from .rendering import image_size

__all__ = ["Rows", "action_space", "mode_name"]


def mode_name(observation: str, pixels: tuple[int, int] | None) -> str:
    """Returns the engine's name of an observation mode; for pixels it includes height and width, by default 64 and 64.

    Raises `ValueError` for a size if the mode is another one.
    """
    height, width = image_size("pixels", (64, 64) if pixels is None else pixels)
    if observation == "pixels":
        return f"pixels-{height}x{width}"
    if pixels is not None:
        raise ValueError(f"pixels={pixels!r} is the size of observation='pixels', and observation={observation!r} has none")
    return observation


def warn_of_numbers(suite: Suite, observation: str) -> None:
    """Warns of numeric fluents that change and that observations of a mode leave out."""
    functions = suite.state_functions
    if functions and observation not in ("pixels", "graph", "graph-arrays", "bits-and-numbers"):
        names = ", ".join(f"`{name}`" for name in functions)
        warnings.warn(
            f"observations of mode {observation!r} leave out the numeric fluents {names} of {suite.name}, so different states "
            "can look the same: observation='bits-and-numbers' and observation='graph' have their values",
            UserWarning,
            stacklevel=4,
        )


def warn_of_hidden_atoms(suite: Suite, options: Mapping[str, Any], stacklevel: int) -> None:
    """Warns if a domain hides atoms from the agent, and the caller has not chosen an observation, which shows all of them."""
    if suite.hides_atoms and "observation" not in options:
        warnings.warn(
            f"`[observe]` of {suite.name} hides atoms, but observations show all of them unless you write observation='seen'; "
            "observation='bits' turns this warning off",
            UserWarning,
            stacklevel=stacklevel,
        )


# # The modes whose observations have one element per ground atom.
_BITS = frozenset({"bits", "bits-and-goal", "bits-and-numbers", "packed-bits", "packed-bits-and-goal", "seen"})

# # The number of problems that `warn_of_ids` compares: their atoms take time, and problems of a suite rarely agree.
_COMPARED = 20


def warn_of_ids(suite: Suite, engine: str, options: Mapping[str, Any], stacklevel: int) -> None:
    """Warns if observations are bits of several problems, and a bit means different atoms in them.

    The first problems of the suite are compared. There is no warning if the caller has chosen the numbering by ``ids=``.

    Parameters
    ----------
    suite : Suite
    engine : str
        The engine in use; with ``"lifted"`` the objects are compared, because there are no ground atoms.
    options : mapping
        The caller's keyword arguments of `herbrand.make` or `herbrand.make_vec`.
    stacklevel : int
        The distance of the caller, as for `warnings.warn` here.
    """
    observation = options.get("observation", "bits")
    if len(suite) < 2 or options.get("ids") is not None or suite.ids != "problem" or observation not in _BITS:
        return
    changing = options.get("part", "all") == "changing"
    numberings = (_numbering(suite, index, engine, changing) for index in range(min(len(suite), _COMPARED)))
    first = next(numberings, None)
    if any(numbering != first for numbering in numberings):
        warnings.warn(
            f"the {len(suite)} problems of {suite.name} number atoms and actions each in its own way, so that a bit means one thing "
            "in one problem and another in the next. If a policy is to learn from several problems, write ids='suite', or choose "
            "one problem; ids='problem' turns this warning off",
            UserWarning,
            stacklevel=stacklevel,
        )


def _numbering(suite: Suite, index: int, engine: str, changing: bool) -> list[tuple[Any, ...]]:
    """Returns the meaning of each bit of a problem, with objects by their places."""
    objects = suite.parse_problem(index).objects
    if engine == "lifted":
        return [one.types for one in objects]
    places = {one.name: place for place, one in enumerate(objects)}
    task = suite.task(index)
    atoms = task.ground_atoms
    seen = atoms[: len(atoms) - len(task.static_atoms)] if changing else atoms
    return [(atom.predicate, *(places.get(name, name) for name in atom.arguments)) for atom in seen]


class Rows:
    """A converter from rows of numbers to observations.

    Bits become a single array, and so do several scalar fields. Fields of different shapes become a dict with one array per
    field.

    Attributes
    ----------
    width : int
        The number of elements of a row.
    dtype : numpy.dtype
    storage : numpy.dtype
        The dtype of the arrays that the engine writes: int8 for all byte types.
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
        # In rows of ints, a field without bounds has the bits of float64.
        whole = self.dtype == np.int64
        self._types = [np.dtype(np.float64) if whole and low == -np.inf else self.dtype for _, _, low, _ in self._fields]
        self.space = self._space()

    def _space(self) -> spaces.Space[Any]:
        if self.dtype == np.int8:
            return spaces.MultiBinary(self._shape[0] if len(self._shape) == 1 else list(self._shape))
        if self._split:
            return spaces.Dict(
                {
                    name: spaces.Box(dtype.type(low), dtype.type(high), tuple(shape), dtype=dtype.type)
                    for (name, shape, low, high), dtype in zip(self._fields, self._types, strict=True)
                }
            )
        bounds = [np.full(math.prod(shape), (low, high)[end]) for end in (0, 1) for _, shape, low, high in self._fields]
        ends = np.concatenate(bounds).reshape(2, *self._shape) if self._fields else np.zeros((2, *self._shape))
        low, high = ends.astype(self.dtype)
        return spaces.Box(low, high, dtype=self.dtype.type)

    @property
    def is_plain(self) -> bool:
        """Whether the engine's array is the observation, without conversion."""
        return self.storage == self.dtype and not self._split

    @property
    def is_view(self) -> bool:
        """Whether the result of `read` is a view of the rows, so that it changes with them."""
        return True

    def read_one(self, row: NDArray[Any]) -> Any:
        """Converts one row of any shape to an observation."""
        return self.read(row.reshape(-1))

    def read(self, rows: NDArray[Any]) -> Any:
        """Converts rows of shape ``(…, width)`` to views of shape ``(…, *shape)``, or to a dict of such views."""
        lead, rows = rows.shape[:-1], rows.view(self.dtype)
        if not self._split:
            return rows.reshape((*lead, *self._shape))
        parts, start = {}, 0
        for (name, shape, _, _), dtype in zip(self._fields, self._types, strict=True):
            end = start + math.prod(shape)
            parts[name] = rows[..., start:end].reshape((*lead, *shape)).view(dtype)
            start = end
        return parts


def copied(observation: Any) -> Any:
    """Returns a copy of an observation."""
    if isinstance(observation, dict):
        return {name: part.copy() if isinstance(part, np.ndarray) else part for name, part in observation.items()}
    return observation.copy()


class Copies:
    """Copies successive observations, and reuses the memory of large copies that the caller has dropped.

    Each copy belongs to the caller, as with `copied`. Reuse is faster because the operating system maps fresh memory of that
    size page by page, which takes longer than the copy.
    """

    _LARGE = 1 << 16

    def __init__(self) -> None:
        # The last two arrays, for each part of an observation.
        self._last: dict[str, list[NDArray[Any]]] = {}

    def of(self, observation: Any) -> Any:
        """Returns a copy of an array or of a dict of arrays."""
        if isinstance(observation, dict):
            return {name: self._part(name, part) for name, part in observation.items()}
        return self._part("", observation)

    def _part(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        if array.nbytes < self._LARGE:
            return array.copy()
        last = self._last.get(name, [])
        for index in range(len(last)):
            # # One reference is the list's, one is the argument's. A caller or a view that still uses the array adds
            # another.
            if sys.getrefcount(last[index]) == 2 and _takes(last[index], array):
                np.copyto(last[index], array)
                return last[index]
        copy = array.copy()
        # # Two arrays are needed because callers often hold one observation until they receive the next.
        self._last[name] = [*last[-1:], copy]
        return copy


def _takes(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Returns whether an array is still writeable and has the shape and dtype of another."""
    return one.flags.writeable and one.shape == other.shape and one.dtype == other.dtype


def action_space(problems: ObservedProblems) -> spaces.Space[Any]:
    """Returns the space of one action: ``Discrete``, or a ``Box`` with one number per field."""
    fields = problems.action_fields
    if problems.is_discrete:
        return spaces.Discrete(problems.mask_len)
    low, high = (np.array([field[end] for field in fields], dtype=np.float64) for end in (2, 3))
    return spaces.Box(low, high, dtype=np.float64)
