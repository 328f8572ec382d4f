"""Search and rescue with observations of locations: ``SearchAndRescueLevel1-v0`` to ``7``."""

from __future__ import annotations

import re
from typing import Any, Union, cast

from .core import PDDLEnv, get_successor_state
from .entities import TypedEntity
from .literals import Literal
from .structs import State

__all__ = ["PlacesState", "SearchAndRescueEnv"]

_Place = tuple[int, int]
PlacesState = tuple[tuple[str, Union[_Place, str, None, frozenset[str]]], ...]
"""Pairs of a name and a value, sorted by name; hashable, and convertible by ``dict(state)``."""

_CELL = re.compile(r"r(\d+)c(\d+)$")
_CHANGING = {"robot-at", "person-at", "carrying", "hand-free", "open", "rubble", "rescued"}


class SearchAndRescueEnv(PDDLEnv):
    """Search and rescue whose observations contain all locations.

    An observation is a tuple of pairs, sorted by name:

    - ``("carrying", name or None)``: the person that the robot carries.
    - ``("rescue", frozenset of names)``: the persons in the goal; ``("rescued", frozenset of names)``: the rescued persons.
    - ``("robot0", (row, column))``, and the same for ``hospital0`` and so on, ``rubble0``, ``wall0``, and for each person on
      the ground. Rows and columns count from 0.

    Actions are literals, as in `PDDLEnv`. Methods that take a state expect an observation of the current problem.
    """

    @property
    def observation_space(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Raises `NotImplementedError`: Gymnasium has no space for these observations."""
        raise NotImplementedError("observations of places have no space")

    @observation_space.setter
    def observation_space(self, value: Any) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Ignores the space that `PDDLEnv` sets."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode; returns the observation, and a dict with the paths of the files."""
        state, info = super().reset(seed, options)
        self._start = state
        self._fixed = frozenset(one for one in state.literals if one.predicate.name not in _CHANGING)
        return self.places(state), info

    def step(self, action: Literal) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action; returns the observation and the other results of `PDDLEnv.step`."""
        state, reward, done, truncated, info = super().step(action)
        return self.places(state), reward, done, truncated, info

    def get_possible_actions(self) -> list[Literal]:
        """Returns all actions of the current problem, sorted by name."""
        return sorted(self.action_space.all_ground_literals(self.get_state(), valid_only=False))

    def get_successor_state(self, state: PlacesState, action: Literal) -> PlacesState:
        """Returns the successor of a state, or the same state if the action is invalid."""
        return self.places(get_successor_state(self.internal(state), action, self.domain))

    def check_goal(self, state: PlacesState) -> bool:
        """Returns whether a state satisfies the goal."""
        return self._is_goal_reached(self.internal(state))

    def render_from_state(self, state: PlacesState) -> Any:
        """Renders a state."""
        current = self.get_state()
        try:
            self.set_state(self.internal(state))
            return self.render()
        finally:
            self.set_state(current)

    def places(self, state: State) -> PlacesState:
        """Converts a state of literals to an observation."""
        seen: dict[str, Any] = {"carrying": None, "rescue": _names(self._goal_literals(), "rescued")}
        seen["rescued"] = _names(state.literals, "rescued")
        cells: set[_Place] = set()
        found: dict[str, list[_Place]] = {"hospital": [], "rubble": []}
        for literal in state.literals:
            name, arguments = literal.predicate.name, literal.variables
            cells.update(_place(one) for one in arguments if one.var_type == "cell")
            if name == "robot-at":
                seen["robot0"] = _place(arguments[0])
            elif name == "person-at":
                seen[arguments[0].name] = _place(arguments[1])
            elif name == "carrying":
                seen["carrying"] = arguments[0].name
            elif name in found:
                found[name].append(_place(arguments[0]))
        rows, columns = (range(max(place[axis] for place in cells) + 1) for axis in (0, 1))
        found["wall"] = [(row, column) for row in rows for column in columns if (row, column) not in cells]
        for name, places in found.items():
            seen |= {f"{name}{number}": place for number, place in enumerate(sorted(places))}
        return tuple(sorted(seen.items()))

    def internal(self, state: PlacesState) -> State:
        """Converts an observation of the current problem to a state of literals."""
        places = dict(state)
        objects = {str(one.name): one for one in self._start.objects}
        cells = {_place(one): one for one in self._start.objects if one.var_type == "cell"}
        rubble = {place for name, place in places.items() if name.startswith("rubble")}
        say = self.domain.predicates
        literals = set(self._fixed)
        literals |= {say["rubble" if place in rubble else "open"](cell) for place, cell in cells.items()}
        literals.add(say["robot-at"](cells[cast(_Place, places["robot0"])]))
        carried = places["carrying"]
        literals.add(say["hand-free"]() if carried is None else say["carrying"](objects[cast(str, carried)]))
        literals |= {say["rescued"](objects[name]) for name in cast("frozenset[str]", places["rescued"])}
        for name, place in places.items():
            if name in objects and objects[name].var_type == "person":
                literals.add(say["person-at"](objects[name], cells[cast(_Place, place)]))
        return self._start.with_literals(literals)

    def _goal_literals(self) -> list[Literal]:
        return [self._goal] if isinstance(self._goal, Literal) else list(self._goal.literals)  # type: ignore[union-attr, arg-type]


def _names(literals: Any, predicate: str) -> frozenset[str]:
    return frozenset(one.variables[0].name for one in literals if one.predicate.name == predicate)


def _place(cell: TypedEntity) -> _Place:
    found = _CELL.match(cell.name)
    assert found is not None, f"{cell} is no cell"
    return int(found[1]) - 1, int(found[2]) - 1
