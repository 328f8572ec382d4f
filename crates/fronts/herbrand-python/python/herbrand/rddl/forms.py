"""The forms of RDDL actions and observations for agents, and their conversion to and from the engine's rows of numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._herbrand import ObservedProblems, RddlSuite
from ..errors import InvalidActionError, UnknownNameError
from ..observations import Rows

__all__ = ["ActionForm", "ActionMode", "ObservationMode", "SeenFluents", "action_form", "joint_limit"]

ActionMode = Literal["dict", "flat", "joint"]
ObservationMode = Literal["dict", "flat", "pixels"]

# # The maximal number of joint actions that are numbered.
_JOINT_LIMIT = 1_000_000

# The greatest int up to which a double represents all ints.
_EXACT = 2**53


def joint_limit(suite: RddlSuite, mode: ActionMode) -> int | None:
    """Returns the maximal number of joint actions; None if actions are not numbers of joint actions.

    A flat action is the number of a joint action if at most one discrete fluent can be set at once.
    """
    if mode == "joint":
        return _JOINT_LIMIT
    if mode != "flat":
        return None
    fluents = [suite.action_fluents(index) for index in range(len(suite))]
    discrete = all(range not in ("int", "real") for fluent in fluents for _, range, _, _ in fluent)
    single = all(
        len(fluent) == 1 or suite.max_nondef_actions(index) in (0, 1) for index, fluent in enumerate(fluents)
    )
    return _JOINT_LIMIT if discrete and single else None


def ground_space(range: str, items: list[str] | None, low: float, high: float) -> spaces.Space[Any]:
    """Returns the space of a ground fluent: ``Discrete`` for a bool or an item, ``Box`` of shape (1,) for a number."""
    if range == "bool":
        return spaces.Discrete(2)
    if items is not None:
        return spaces.Discrete(max(len(items), 1))
    return spaces.Box(low, high, (1,), np.int64 if range == "int" else np.float64)


def is_wide(low: float, high: float) -> bool:
    """Returns whether a double rounds some ints between two bounds. At least one bound is finite."""
    return any(abs(end) > _EXACT for end in (low, high) if abs(end) != np.inf)


class ActionForm(ABC):
    """The conversion of an agent's actions to rows of numbers, one number per action fluent.

    Attributes
    ----------
    space : gymnasium.spaces.Space
        The space of one action.
    exact : bool
        Whether the engine draws rows of exact cells: int64, in which reals are bits of float64.
    """

    space: spaces.Space[Any]
    exact = False

    @abstractmethod
    def row(self, action: Any) -> Any:
        """Converts an action for the engine."""

    @abstractmethod
    def rows(self, actions: Any, count: int) -> NDArray[Any]:
        """Converts the actions of `count` environments for the engine."""

    @abstractmethod
    def read(self, row: Any) -> Any:
        """Converts an action drawn by the engine, or an array of them with shape ``(…, fields)``."""


class JointActions(ActionForm):
    """Actions that are numbers of joint actions."""

    def __init__(self, problems: ObservedProblems) -> None:
        self.space = spaces.Discrete(problems.mask_len)

    def row(self, action: Any) -> Any:
        return action

    def rows(self, actions: Any, count: int) -> NDArray[Any]:
        return np.asarray(actions)

    def read(self, row: Any) -> Any:
        return row


class FlatActions(ActionForm):
    """Actions that are vectors with one number per action fluent.

    The space is a ``MultiDiscrete`` if all fluents are discrete, otherwise a ``Box``, whose values are rounded for fluents
    that are not real.
    """

    def __init__(self, problems: ObservedProblems) -> None:
        fields = problems.action_fields
        kinds = [kind for _, kind, _, _ in fields]
        low, high = (np.array([field[end] for field in fields], dtype=np.float64) for end in (2, 3))
        self._whole = np.array([kind != "real" for kind in kinds], dtype=np.bool_)
        self._exact = all(kind == "discrete" for kind in kinds) or not self._whole.any()
        if fields and all(kind == "discrete" for kind in kinds):
            self.space = spaces.MultiDiscrete((high + 1).astype(np.int64))
            self._dtype: type[np.generic] = np.int64
        else:
            self.space = spaces.Box(low, high, dtype=np.float64)
            self._dtype = np.float64

    def row(self, action: Any) -> Any:
        if self._exact:
            return action
        return self.rows(action, 1)

    def rows(self, actions: Any, count: int) -> NDArray[Any]:
        if self._exact:
            return np.asarray(actions, dtype=np.float64)
        rows = np.array(actions, dtype=np.float64)
        if rows.shape[-1:] != self._whole.shape:
            return rows  # # The engine refuses it.
        rows[..., self._whole] = np.rint(rows[..., self._whole])
        return rows

    def read(self, row: Any) -> Any:
        return row.astype(self._dtype)


class DictActions(ActionForm):
    """Actions that are dicts from names of ground action fluents to values. Missing fluents have their default values.

    An object or enum value is given by its index or its name.
    """

    def __init__(self, suite: RddlSuite, problems: ObservedProblems) -> None:
        fluents = suite.action_fluents()
        self._places = {name: place for place, (name, _, _, _) in enumerate(fluents)}
        self._items = {name: {item: place for place, item in enumerate(items)} for name, _, items, _ in fluents if items}
        self._defaults = [default for _, _, _, default in fluents]
        bounds = [(low, high) for _, _, low, high in problems.action_fields]
        self._discrete = [range not in ("int", "real") for _, range, _, _ in fluents]
        self._ints = [range == "int" for _, range, _, _ in fluents]
        self.exact = any(whole and is_wide(*ends) for whole, ends in zip(self._ints, bounds, strict=True))
        parts = {
            name: ground_space(range, items, *ends)
            for (name, range, items, _), ends in zip(fluents, bounds, strict=True)
        }
        self.space = spaces.Dict(parts)

    @property
    def fields(self) -> list[tuple[str, dict[str, int] | None]]:
        """The name of each action field, with the indices of its values by name if they have names."""
        return [(name, self._items.get(name)) for name in self._places]

    def row(self, action: Any) -> list[Any]:
        row: list[Any] = self._defaults.copy()
        places = self._places
        for name, value in _mapping(action, self._places).items():
            place = places.get(name)
            if place is None:
                raise self._unknown(name)
            kind = type(value)
            if kind is not float and kind is not int and kind is not bool:
                value = self._number(name, value)
            row[place] = value
        return row

    def _unknown(self, name: object) -> UnknownNameError:
        near = get_close_matches(name, self._places, n=1) if isinstance(name, str) else []
        hint = f"; did you mean `{near[0]}`?" if near else f": there is {', '.join(self._places)}"
        return UnknownNameError(f"there is no action fluent {name!r}{hint}")

    def _number(self, name: str, value: Any) -> Any:
        """Converts a value to a number: an item's name to its index, an array of one element to the element."""
        if isinstance(value, str):
            place = self._items.get(name, {}).get(value.removeprefix("@"))
            if place is None:
                raise InvalidActionError(f"`{name}` cannot be {value!r}")
            return place
        return np.asarray(value).item()

    def rows(self, actions: Any, count: int) -> NDArray[Any]:
        if not isinstance(actions, Mapping):
            return self._joined([np.array(column) for column in zip(*map(self.row, actions), strict=True)], len(actions))
        columns = [np.full(count, default) for default in self._defaults]
        for name, column in actions.items():
            place = self._places.get(name)
            if place is None:
                raise self._unknown(name)
            values = np.asarray(column)
            if values.dtype.kind in "UO":
                values = np.array([self._number(name, value) for value in values.reshape(count)])
            columns[place] = values.reshape(count)
        return self._joined(columns, count)

    def _joined(self, columns: list[NDArray[Any]], count: int) -> NDArray[Any]:
        """Returns one row per environment: doubles, or exact cells if a double would round an int."""
        whole = [place for place, kind in enumerate(self._ints) if kind and columns[place].dtype.kind in "iu"]
        if not any(np.any(np.abs(columns[place].astype(np.float64)) > _EXACT) for place in whole):
            return np.stack(columns, axis=-1).astype(np.float64) if columns else np.zeros((count, 0))
        cells = np.empty((count, len(columns)), dtype=np.int64)
        for place, column in enumerate(columns):
            if self._discrete[place] or self._ints[place]:
                kept = column.astype(np.int64)
                if np.any(kept != column):
                    name = list(self._places)[place]
                    raise InvalidActionError(f"`{name}` takes an int, not {column[kept != column][0]}")
                cells[:, place] = kept
            else:
                cells[:, place] = column.astype(np.float64).view(np.int64)
        return cells

    def read(self, row: Any) -> Any:
        columns = np.moveaxis(row, -1, 0)
        if row.ndim > 1:
            return {name: self._part(place, columns[place]) for name, place in self._places.items()}
        return {
            name: int(row[place]) if self._discrete[place] else self._part(place, columns[place])
            for name, place in self._places.items()
        }

    def _part(self, place: int, column: NDArray[Any]) -> NDArray[Any]:
        """Converts a column of rows that the engine drew."""
        if self._discrete[place]:
            return column.astype(np.int64)
        column = column[..., np.newaxis]
        if self._ints[place]:
            return column.astype(np.int64)
        return column.copy().view(np.float64) if column.dtype == np.int64 else column.astype(np.float64)


def _mapping(action: Any, fluents: Iterable[str]) -> Mapping[str, Any]:
    if action is None:
        return {}
    if not isinstance(action, Mapping):
        example = "".join(f", such as {{{fluent!r}: …}}" for fluent in list(fluents)[:1])
        number = "; with actions='joint', actions are numbers" if isinstance(action, (int, np.integer)) else ""
        raise TypeError(f"an action is not {action!r}, but a mapping from action fluents to values{example}{number}")
    return action


def action_form(suite: RddlSuite, problems: ObservedProblems, mode: ActionMode) -> ActionForm:
    """Returns the form of actions for a mode."""
    if problems.is_discrete:
        return JointActions(problems)
    if mode == "flat":
        return FlatActions(problems)
    return DictActions(suite, problems)


class SeenFluents(Rows):
    """Observations that are dicts from names of ground fluents to values: ints for bools and items, arrays of shape (1,) for
    numbers. Rows are exact cells: int64, in which reals are bits of float64.
    """

    def __init__(self, suite: RddlSuite, problems: ObservedProblems) -> None:
        self._fluents = suite.seen_fluents()
        names = [name for name, _, _, _ in self._fluents]
        discrete = [range not in ("int", "real") for _, range, _, _ in self._fluents]
        ints = [range == "int" for _, range, _, _ in self._fluents]
        places = range(len(names))
        self._discrete = ([names[i] for i in places if discrete[i]], np.array([i for i in places if discrete[i]], dtype=int))
        self._ints = ([names[i] for i in places if ints[i]], np.array([i for i in places if ints[i]], dtype=int))
        reals = [i for i in places if not discrete[i] and not ints[i]]
        self._reals = ([names[i] for i in reals], np.array(reals, dtype=int))
        self._alike = len(self._discrete[0]) == len(names) or len(reals) == len(names)
        super().__init__(problems)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The name of each element of a row, and whether it is ``"discrete"``, an ``"int"`` or a ``"real"``."""
        return [(name, range if range in ("int", "real") else "discrete") for name, range, _, _ in self._fluents]

    def _space(self) -> spaces.Space[Any]:
        parts = {
            name: ground_space(range, items, low, high)
            for (name, range, items, _), (_, _, low, high) in zip(self._fluents, self._fields, strict=True)
        }
        return spaces.Dict(parts)

    @property
    def is_plain(self) -> bool:
        return False

    @property
    def is_view(self) -> bool:
        return False

    def read(self, rows: NDArray[Any]) -> Any:
        """Converts rows of shape ``(…, width)`` to a dict by name."""
        if rows.ndim > 1:
            return self._columns(rows)
        if self._alike:
            if self._reals[0]:
                return dict(zip(self._reals[0], rows[: len(self._reals[0]), np.newaxis].view(np.float64)))
            return dict(zip(self._discrete[0], rows.tolist()))
        seen: dict[str, Any] = dict(zip(self._discrete[0], rows[self._discrete[1]].tolist()))
        seen.update(zip(self._ints[0], rows[self._ints[1], np.newaxis]))
        seen.update(zip(self._reals[0], rows[self._reals[1], np.newaxis].view(np.float64)))
        return seen

    def _columns(self, rows: NDArray[Any]) -> dict[str, Any]:
        """Converts rows of many environments: one array per fluent."""
        def columns(places: NDArray[Any]) -> NDArray[Any]:
            return np.moveaxis(rows[..., places], -1, 0)

        seen: dict[str, Any] = dict(zip(self._discrete[0], columns(self._discrete[1])))
        seen.update(zip(self._ints[0], columns(self._ints[1])[..., np.newaxis]))
        seen.update(zip(self._reals[0], columns(self._reals[1])[..., np.newaxis].view(np.float64)))
        return seen
