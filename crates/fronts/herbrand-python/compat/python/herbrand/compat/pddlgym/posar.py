"""Partially observed search and rescue: ``POSARRadius1-v0``, ``SmallMyopicPOSAR-v0`` and similar environments.

A robot searches a grid for one person. The location of the person is drawn at the start of an episode, and in the myopic
environments also the locations of fires. The robot observes them only from nearby. The worlds are PDDL: the draw is in
``:init``, and visibility is defined by ``[observe]`` in ``env.toml``.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Union, cast

import gymnasium

from herbrand import Domain, Problem, Task
from herbrand.env import PDDLEnv

__all__ = ["World", "WORLDS", "MyopicPOSAREnv", "POSAREnv", "POSARState"]

_Cell = tuple[int, int]
POSARState = tuple[tuple[str, Union[_Cell, int, str, bool, frozenset[_Cell]]], ...]
"""Pairs of a name and a value, sorted by name; hashable, and convertible by ``dict(state)``."""

_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Start(NamedTuple):
    """A possible initial state of an episode."""

    robot: _Cell
    person: _Cell
    fires: frozenset[_Cell]


class World(NamedTuple):
    """A grid: its size, its walls, and its equally likely initial states."""

    height: int
    width: int
    starts: tuple[Start, ...]
    rooms: tuple[_Cell, ...] = ()
    walls: frozenset[_Cell] = frozenset()
    radius: int = 0
    xray: bool = False
    myopic: bool = False

    def cells(self) -> list[_Cell]:
        """Returns the cells without walls, row by row."""
        all_cells = [(row, column) for row in range(self.height) for column in range(self.width)]
        return [cell for cell in all_cells if cell not in self.walls]

    def domain(self) -> str:
        """Returns the domain as PDDL."""
        xray = ["(xray)"], ["(:action do-xray :precondition (not (xray)) :effect (xray))"]
        facts, actions = xray if self.xray else ([], [])
        if self.myopic:
            facts, actions = ["(smoke)"], [
                "(:derived (smoke) (exists (?r ?c - cell) (and (robot-at ?r) (beside ?r ?c) (fire ?c))))"
            ]
        return f"""(define (domain posar)
  (:types cell direction)
  (:constants up down left right - direction)
  (:predicates
    (next ?from ?to - cell ?d - direction) (beside ?a ?b - cell) (fire ?c - cell)
    (robot-at ?c - cell) (person-at ?c - cell) (rescued) {" ".join(facts)})
  (:action move
    :parameters (?from ?to - cell ?d - direction)
    :precondition (and (robot-at ?from) (next ?from ?to ?d) (not (fire ?from)))
    :effect (and (not (robot-at ?from)) (robot-at ?to)))
  (:action pickup
    :parameters (?c - cell)
    :precondition (and (robot-at ?c) (person-at ?c))
    :effect (rescued))
  {" ".join(actions)})
"""

    def settings(self) -> str:
        """Returns the settings (``env.toml``): the agent's actions and the visibility rules."""
        sight = "(robot-at ?c)"
        if self.radius:
            sight = f"(or {sight} (exists (?r - cell) (and (robot-at ?r) (beside ?r ?c))))"
        if self.xray:
            sight = f"(or (xray) {sight})"
        fire = f'fire = "{sight}"\n' if self.myopic else ""
        xray = "[actions.do-xray]\noperators = { do-xray = [] }\n" if self.xray else ""
        return f"""[observe]
memory = "nothing"
[observe.visible]
person-at = "{sight}"
{fire}
[actions.move]
parameters = ["d"]
operators = {{ move = ["?d"] }}
[actions.pickup]
operators = {{ pickup = [] }}
{xray}"""

    def problem(self) -> str:
        """Returns the problem as PDDL."""
        cells = set(self.cells())
        init: list[str] = []
        for cell in self.cells():
            for name, step in _STEPS.items():
                beside = (cell[0] + step[0], cell[1] + step[1])
                if beside in cells:
                    init.append(f"(next {_name(cell)} {_name(beside)} {name})")
                    init.append(f"(beside {_name(cell)} {_name(beside)})")
        draws = [f"1/{len(self.starts)} (and {' '.join(_facts(start))})" for start in self.starts]
        return f"""(define (problem p) (:domain posar)
  (:objects {" ".join(map(_name, self.cells()))} - cell)
  (:init {" ".join(init)} (probabilistic {" ".join(draws)}))
  (:goal (rescued)))
"""


def _name(cell: _Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _cell(name: str) -> _Cell:
    row, column = name[1:].split("c")
    return int(row) - 1, int(column) - 1


def _facts(start: Start) -> list[str]:
    fires = [f"(fire {_name(cell)})" for cell in sorted(start.fires)]
    return [f"(robot-at {_name(start.robot)})", f"(person-at {_name(start.person)})", *fires]


class POSAREnv(gymnasium.Env[Any, Any]):
    """Search and rescue in which the robot sees into nearby rooms.

    An observation is a tuple of pairs, sorted by name: ``("robot", (row, column))``, ``("rescued", bool)``, and for each room
    ``("room0", content)``. The content is ``"person"``, ``"empty"``, or ``"?"`` if the room is out of sight. If the robot has
    X-rays, which show all rooms, there is also ``("xray", bool)``. States are such tuples with the index of the person's room.

    Actions are ints: `up`, `down`, `left`, `right`, `pickup`, and `do_xray`. An impossible action changes nothing.
    """

    up, down, left, right, pickup, do_xray = range(6)
    world: World

    def __init__(self, world: World, seed: int = 0) -> None:
        self.world = world
        self.height, self.width = world.height, world.width
        self.room_locs, self.wall_locs = list(world.rooms), sorted(world.walls)
        self.sense_radius = world.radius
        self.actions = tuple(range(6 if world.xray else 5))
        self.action_space = gymnasium.spaces.Discrete(len(self.actions))
        self._env = _environment(world, through_goals=False)
        # # A second environment that evaluates arbitrary states.
        self._probe = _environment(world, through_goals=True)
        self._probe.reset(seed=0)
        names = [str(atom) for atom in self._probe.task.ground_atoms]
        self._bits = {name: bit for bit, name in enumerate(names)}
        self._stride = len(names)
        self._problem_index: int | None = None
        self._seen: Any = None
        self._seed: int | None = seed

    @property
    def problems(self) -> list[Any]:
        """The possible initial states; `fix_problem_index` takes an index of this list."""
        rooms = {cell: room for room, cell in enumerate(self.world.rooms)}
        return [(start.robot, rooms[start.person]) for start in self.world.starts]

    def fix_problem_index(self, problem_idx: int) -> None:
        """Selects the initial state of the following episodes."""
        self._problem_index = problem_idx

    def seed(self, seed: int = 0) -> None:
        """Sets the seed for the next reset."""
        self._seed = seed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[POSARState, dict[str, Any]]:
        """Starts an episode; returns the observation and an empty dict."""
        super().reset(seed=seed)
        self._seed = seed if seed is not None else self._seed
        self._seen, _ = self._env.reset(seed=self._seed)
        self._seed = None
        if self._problem_index is not None:
            start = self.world.starts[self._problem_index]
            self._seen, _ = self._env.set_state(self._env.task.state(_facts(start)))
        return self._observation(self._seen), {}

    def step(self, action: int) -> tuple[POSARState, float, bool, bool, dict[str, Any]]:
        """Takes an action; returns observation, reward, whether the person is rescued, False, and an empty dict."""
        self._seen, reward, done, _, _ = self._env.step(self._known(action))
        return self._observation(self._seen), float(reward), done, False, {}

    def get_possible_actions(self) -> list[int]:
        """Returns all actions."""
        return list(self.actions)

    def get_observation(self, state: POSARState | None = None) -> POSARState:
        """Returns the observation in a state, by default in the current one."""
        if state is None:
            return self._observation(self._seen)
        seen, _ = self._probe.set_state(self._internal(state))
        return self._observation(seen)

    def get_successor_state(self, state: POSARState, action: int) -> POSARState:
        """Returns the successor of a state."""
        self._probe.set_state(self._internal(state))
        self._probe.step(self._known(action))
        return self._external(self._probe.state)

    def get_state(self) -> POSARState:
        """Returns the complete current state."""
        return self._external(self._env.state)

    def check_goal(self, state: POSARState) -> bool:
        """Returns whether the person is rescued in a state."""
        return bool(dict(state)["rescued"])

    def observation_to_states(self, obs: POSARState) -> frozenset[POSARState]:
        """Returns the states with this observation."""
        known = dict(obs)
        rooms = {room: known[f"room{room}"] for room in range(len(self.world.rooms))}
        found = [room for room, what in rooms.items() if what == "person"]
        hidden = [room for room, what in rooms.items() if what == "?"]
        base = {"robot": known["robot"], "rescued": known["rescued"], "xray": known.get("xray", False)}
        return frozenset(_pairs({**base, "person": room}) for room in found or hidden)

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Draws the robot's observation: an array of uint8, ``(height, width, 3)``. Rooms out of sight are grey.

        ``mode="ansi"`` returns a text: R robot, p person in sight, # wall, f known fire.
        """
        mode = kwargs.get("mode", args[0] if args else "rgb_array")
        return self._rendered(self._observation(self._seen), mode)

    def render_from_state(self, state: POSARState, mode: str = "rgb_array") -> Any:
        """Draws the observation in a state, as `render` does."""
        return self._rendered(self.get_observation(state), mode)

    def _rendered(self, observation: POSARState, mode: str) -> Any:
        if mode in ("ansi", "human"):
            return self._draw(observation)
        if mode != "rgb_array":
            raise NotImplementedError(f"render mode is 'rgb_array', 'ansi' or 'human', not {mode!r}")
        return sight(self.world.cells()).state(self._shown(observation)).image()

    def _shown(self, observation: POSARState) -> list[str]:
        """Converts an observation to facts of the domain used for drawing."""
        known = dict(observation)
        shown = [f"(robot-at {_name(cast(_Cell, known['robot']))})"]
        shown += [f"(fire {_name(cell)})" for cell in sorted(self.world.starts[0].fires)]
        for room, cell in enumerate(self.world.rooms):
            what = {"person": ["room", "person-at"], "?": ["room", "unknown"]}.get(str(known[f"room{room}"]), ["room"])
            shown += [f"({fact} {_name(cell)})" for fact in what]
        return shown + [f"({name})" for name in ("rescued", "xray") if known.get(name)]

    def _known(self, action: int) -> int:
        if action not in self.actions:
            raise ValueError(f"there is no action {action!r}: there are {len(self.actions)}")
        return int(action)

    def _bit(self, row: Any, name: str) -> bool:
        bit = self._bits.get(name)
        return bit is not None and bool(row[bit])

    def _robot(self, row: Any) -> _Cell:
        return next(cell for cell in self.world.cells() if self._bit(row, f"(robot-at {_name(cell)})"))

    def _observation(self, seen: Any) -> POSARState:
        truth, known = seen[: self._stride], seen[self._stride : 2 * self._stride]
        told: dict[str, Any] = {"robot": self._robot(truth), "rescued": self._bit(truth, "(rescued)")}
        if self.world.xray:
            told["xray"] = self._bit(truth, "(xray)")
        for room, cell in enumerate(self.world.rooms):
            atom = f"(person-at {_name(cell)})"
            told[f"room{room}"] = ("person" if self._bit(truth, atom) else "empty") if self._bit(known, atom) else "?"
        return _pairs(told)

    def _internal(self, state: POSARState) -> Any:
        parts = cast("dict[str, Any]", dict(state))
        atoms = _facts(self._start(parts))
        atoms += [f"({name})" for name in ("rescued", "xray") if parts.get(name)]
        return self._probe.task.state(atoms)

    def _start(self, parts: dict[str, Any]) -> Start:
        return Start(parts["robot"], self.world.rooms[parts["person"]], self.world.starts[0].fires)

    def _external(self, state: Any) -> POSARState:
        parts = self._parts(state)
        rooms = {cell: room for room, cell in enumerate(self.world.rooms)}
        return _pairs({**parts, "person": rooms[parts["person"]], "xray": "(xray)" in map(str, state)})

    def _parts(self, state: Any) -> dict[str, Any]:
        places = {atom.predicate: _cell(atom.arguments[0]) for atom in state if atom.predicate in ("robot-at", "person-at")}
        return {
            "robot": places["robot-at"],
            "person": places["person-at"],
            "rescued": any(atom.predicate == "rescued" for atom in state),
        }

    def _draw(self, observation: POSARState) -> str:
        known = dict(observation)
        people = [cell for room, cell in enumerate(self.world.rooms) if known.get(f"room{room}") == "person"]
        return self._grid(known["robot"], people, self.world.starts[0].fires)

    def _grid(self, robot: Any, people: Iterable[_Cell], fires: Iterable[_Cell]) -> str:
        drawn = {**dict.fromkeys(self.world.walls, "#"), **dict.fromkeys(fires, "f")}
        drawn |= {**dict.fromkeys(people, "p"), robot: "R"}
        rows = range(self.world.height)
        return "\n".join("".join(drawn.get((row, column), ".") for column in range(self.world.width)) for row in rows)


class MyopicPOSAREnv(POSAREnv):
    """Search and rescue in which the robot sees its own cell, and smells fires in adjacent cells.

    An observation is a tuple of pairs, sorted by name: ``("robot", (row, column))``, ``("rescued", bool)``,
    ``("cell", content)`` with the content ``"person"``, ``"fire"`` or ``"empty"``, and ``("smoke", bool)``. States contain
    the locations of the person and of the fires.
    """

    @property
    def problems(self) -> list[POSARState]:
        """The possible initial states."""
        return [
            _pairs({"robot": one.robot, "person": one.person, "fire_locs": one.fires, "rescued": False})
            for one in self.world.starts
        ]

    def observation_to_states(self, obs: POSARState) -> frozenset[POSARState]:
        """Raises `NotImplementedError`: there are too many such states."""
        raise NotImplementedError("too many states look like this")

    def _observation(self, seen: Any) -> POSARState:
        truth = seen[: self._stride]
        robot = self._robot(truth)
        here = [what for what in ("person", "fire") if self._bit(truth, f"({_HERE[what]} {_name(robot)})")]
        told = {"robot": robot, "rescued": self._bit(truth, "(rescued)"), "smoke": self._bit(truth, "(smoke)")}
        return _pairs({**told, "cell": here[0] if here else "empty"})

    def _start(self, parts: dict[str, Any]) -> Start:
        return Start(parts["robot"], parts["person"], parts["fire_locs"])

    def _external(self, state: Any) -> POSARState:
        fires = frozenset(_cell(atom.arguments[0]) for atom in state if atom.predicate == "fire")
        return _pairs({**self._parts(state), "fire_locs": fires})

    def _draw(self, observation: POSARState) -> str:
        known = dict(observation)
        return self._grid(known["robot"], [], [])

    def _shown(self, observation: POSARState) -> list[str]:
        known = dict(observation)
        here = cast(_Cell, known["robot"])
        shown = [f"(robot-at {_name(here)})"] + [f"(unknown {_name(cell)})" for cell in self.world.cells() if cell != here]
        if known["cell"] in _HERE:
            shown.append(f"({_HERE[str(known['cell'])]} {_name(here)})")
        return shown + [f"({name})" for name in ("rescued", "smoke") if known.get(name)]


_HERE = {"person": "person-at", "fire": "fire"}


def _pairs(parts: dict[str, Any]) -> POSARState:
    return tuple(sorted(parts.items()))


_SIGHT = """(define (domain sight)
  (:types cell)
  (:predicates (robot-at ?c - cell) (person-at ?c - cell) (fire ?c - cell) (room ?c - cell) (unknown ?c - cell)
    (rescued) (smoke) (xray))
  (:action see
    :parameters (?c - cell)
    :effect (and (robot-at ?c) (person-at ?c) (fire ?c) (room ?c) (unknown ?c) (rescued) (smoke) (xray))))
"""

_SIGHT_SETTINGS = """[render]
grid = { cells = "r{row}c{column}" }
layer = [
    { fact = "room", fill = "tint", colour = "sky", means = "room" },
    { fact = "unknown", fill = "tint", colour = "grey", means = "out of sight" },
    { fact = "fire", shape = "fire", colour = "red", means = "fire" },
    { fact = "person-at", shape = "person", colour = "orange", means = "person" },
    { fact = "robot-at", shape = "robot", colour = "blue", means = "robot" },
]
list = [{ title = "also", facts = ["rescued", "smoke", "xray"] }]
"""


@functools.lru_cache(maxsize=16)
def _sight(cells: tuple[_Cell, ...]) -> Task:
    problem = f"(define (problem grid) (:domain sight) (:objects {' '.join(map(_name, cells))} - cell) (:init) (:goal (and)))"
    domain = Domain(_SIGHT)
    return Task(domain, Problem(problem, domain, "what the robot sees"), settings=_SIGHT_SETTINGS)


def sight(cells: Iterable[_Cell]) -> Task:
    """Returns a task whose states are the robot's knowledge of a grid; used for drawing."""
    return _sight(tuple(cells))


def _environment(world: World, *, through_goals: bool) -> PDDLEnv:
    folder = Path(tempfile.mkdtemp(prefix="herbrand-posar-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in (("domain", world.domain()), ("p", world.problem())):
        (folder / f"{name}.pddl").write_text(text, encoding="utf-8")
    (folder / "env.toml").write_text(world.settings(), encoding="utf-8")
    seen: Any = "seen"
    return PDDLEnv(
        folder, observation=seen, horizon=None, through_goals=through_goals, dead_end_terminates=False
    )


def _rooms(robots: Sequence[_Cell], rooms: Sequence[_Cell], fires: Iterable[_Cell] = ()) -> tuple[Start, ...]:
    burning = frozenset(fires)
    return tuple(Start(robot, room, burning) for robot in robots for room in rooms)


_LARGE_ROOMS = ((6, 0), (0, 6), (6, 6), (3, 6))
_WALLS = ((1, 1), (2, 4), (1, 4), (1, 5), (2, 5), (2, 6), (3, 2), (4, 4), (4, 6), (5, 1), (5, 3), (5, 4))
_LARGE = World(
    7,
    7,
    _rooms([(4, 3)], _LARGE_ROOMS, [(1, 2), (2, 3), (4, 0)]),
    rooms=_LARGE_ROOMS,
    walls=frozenset(_WALLS),
)
_SMALL_ROOMS = tuple((row, column) for row in (0, 2) for column in range(3))
_SMALL = World(3, 3, _rooms([(1, 1)], _SMALL_ROOMS), rooms=_SMALL_ROOMS)

WORLDS: dict[str, World] = {
    "POSARRadius0": _LARGE,
    "POSARRadius0Xray": _LARGE._replace(xray=True),
    "POSARRadius1": _LARGE._replace(radius=1),
    "POSARRadius1Xray": _LARGE._replace(radius=1, xray=True),
    "SmallPOSARRadius0": _SMALL,
    "SmallPOSARRadius1": _SMALL._replace(radius=1),
    "SmallMyopicPOSAR": World(
        3,
        5,
        (
            Start((0, 2), (0, 0), frozenset({(2, 2)})),
            Start((1, 2), (2, 0), frozenset({(0, 1)})),
            Start((1, 2), (2, 2), frozenset({(2, 0)})),
            Start((1, 2), (0, 4), frozenset({(0, 3), (2, 0)})),
        ),
        myopic=True,
    ),
    "TinyMyopicPOSAR": World(
        1,
        5,
        (
            Start((0, 2), (0, 4), frozenset({(0, 0)})),
            Start((0, 2), (0, 0), frozenset({(0, 4)})),
        ),
        myopic=True,
    ),
}
"""Maps PDDLGym's names, without the version, to the worlds."""
