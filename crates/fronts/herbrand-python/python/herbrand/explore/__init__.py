"""Text games, and an agent that explores them.

A world shows texts and accepts commands. The agent turns each text into statements and stores its knowledge as a planning
problem. It plans for the best goal that is reachable by this knowledge, and acts:

>>> from herbrand import explore
>>> world = explore.NativeWorld("coin")
>>> observation = world.begin(10)
>>> observation.status
'running'
>>> [game] = explore.play("coin", games=[10])
>>> game.won, game.steps <= 50
(True, True)
>>> print(game.transcript().splitlines()[0])
This is the study.

The settings are those of PDDLEGO (Zhang et al. 2024): ``"coin"``, ``"cooking-easy"`` and ``"cooking-hard"``. `NativeWorld`
runs generated games of the bundled domains. `TextWorldExpress` runs the simulator of that name, which needs Java and the
package ``textworld-express`` (``pip install herbrand[textworld]``). ``python -m herbrand.explore`` plays the test games of
all of them.

A custom reader is a function that takes a `Request` and returns a list of statements in the format of
`herbrand.edits.Belief.observe`. In mode ``"lines"`` it returns the lines to add, to replace and to delete, in the form of
`herbrand.edits.lines`. In mode ``"whole-problem"`` it returns the text of a problem, in mode ``"end-to-end"`` the
next command:

>>> def lost(request):
...     return "look around"
>>> [game] = explore.play("cooking-easy", games=[10], reader=lost, mode="end-to-end")
>>> game.ending, game.steps
('out-of-steps', 20)
"""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol

from typing_extensions import Self

from .._herbrand import LanguageModel, NativeWorld, explore_game
from .._repr import OneLine

__all__ = [
    "Game",
    "LanguageModel",
    "NativeWorld",
    "Observation",
    "Reader",
    "Request",
    "TextWorld",
    "TextWorldExpress",
    "UnavailableError",
    "play",
    "settings",
]

Setting = Literal["coin", "cooking-easy", "cooking-hard"]
Status = Literal["running", "won", "lost"]
Ending = Literal["won", "lost", "out-of-steps", "stuck", "unread", "stopped", "not-played"]
Execution = Literal["whole-plan", "until-surprise", "every-step"]
Mode = Literal["edits", "lines", "whole-problem", "end-to-end"]

settings: tuple[Setting, ...] = ("coin", "cooking-easy", "cooking-hard")
"""The settings of games."""


class UnavailableError(RuntimeError):
    """Raised if a simulator cannot be started because Java or its package is missing."""


class Observation(NamedTuple):
    """An answer of a world.

    Attributes
    ----------
    text : str
        The text for the player.
    score : float
        The progress, from 0 to 1.
    status : {"running", "won", "lost"}
        Whether the game continues.
    done : bool
        Whether the command was carried out.
    """

    text: str
    score: float
    status: Status
    done: bool


class TextWorld(Protocol):
    """A text game. `play` accepts any object with these members."""

    @property
    def task(self) -> str:
        """The description of the player's task."""
        ...

    def begin(self, game: int) -> Observation:
        """Starts a game; equal numbers give equal games."""
        ...

    def step(self, command: str) -> Observation:
        """Carries out a command. An invalid command changes nothing, and the returned text says so."""
        ...

    def commands(self) -> Sequence[str]:
        """Returns the commands that are valid now."""
        ...


class TextWorldExpress:
    """The games of TextWorldExpress in the settings of the paper: no distractor items, doors, unlimited inventory.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}
    fold : {"train", "dev", "test"}, default "train"
        The set of games that game numbers refer to.

    Raises
    ------
    UnavailableError
        If Java or the package ``textworld-express`` is missing.
    ValueError
        If the setting is unknown.

    Notes
    -----
    The simulator is a Java process. `close`, or leaving a ``with`` block, terminates it.
    """

    _GAMES: Mapping[str, tuple[str, str]] = {
        "coin": ("coin", "numLocations=11"),
        "cooking-easy": ("cookingworld", "numLocations=2,numIngredients=2"),
        "cooking-hard": ("cookingworld", "numLocations=5,numIngredients=5"),
    }

    def __init__(self, setting: Setting, *, fold: Literal["train", "dev", "test"] = "train") -> None:
        if setting not in self._GAMES:
            raise ValueError(f"there is no setting {setting!r}: take {', '.join(settings)}")
        if shutil.which("java") is None:
            raise UnavailableError("TextWorldExpress runs on Java, and there is no program `java` on the path")
        try:
            package = importlib.import_module("textworld_express")
        except ImportError as error:
            raise UnavailableError(
                "the package `textworld-express` is missing: `pip install herbrand[textworld]`"
            ) from error
        name, parameters = self._GAMES[setting]
        self._fold = fold
        self._env: Any = package.TextWorldExpressEnv(envStepLimit=2**31 - 2)
        self._env.load(
            gameName=name, gameParams=f"{parameters},numDistractorItems=0,includeDoors=1,limitInventorySize=0"
        )
        self._valid: list[str] = []

    @property
    def task(self) -> str:
        """The description of the player's task."""
        return str(self._env.getTaskDescription())

    def begin(self, game: int) -> Observation:
        """Starts the game with this seed."""
        text, infos = self._env.reset(seed=game, gameFold=self._fold)
        return self._seen(text, infos, done=True)

    def step(self, command: str) -> Observation:
        """Carries out a command."""
        done = command in self._valid
        text, _, _, infos = self._env.step(command)
        return self._seen(text, infos, done=done)

    def commands(self) -> list[str]:
        """Returns the commands that are valid now, in alphabetical order."""
        return sorted(self._valid)

    def close(self) -> None:
        """Terminates the simulator."""
        self._env.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _seen(self, text: str, infos: Mapping[str, Any], *, done: bool) -> Observation:
        self._valid = list(infos["validActions"])
        status: Status = "won" if infos["tasksuccess"] else "lost" if infos["taskfailure"] else "running"
        return Observation(text, float(infos["score"]), status, done)


@dataclass(frozen=True, repr=False)
class Request(OneLine):
    """The input of a reader.

    Attributes
    ----------
    task : str
        The description of the player's task.
    command : str or None
        The last command; None at the start.
    text : str
        The world's answer.
    problem : str
        The current knowledge, as a problem in PDDL.
    facts : tuple of str
        The facts of that problem.
    placeholders : tuple of str
        The placeholder objects: objects about which only their existence is known.
    commands : tuple of str
        The commands that are valid now; only in mode ``"end-to-end"``.
    feedback : tuple of mappings
        The faults of earlier answers to the same text, each with a kind in ``"feedback"``.
    mode : {"edits", "lines", "whole-problem", "end-to-end"}
        The expected kind of answer.
    """

    task: str
    command: str | None
    text: str
    problem: str
    facts: tuple[str, ...]
    placeholders: tuple[str, ...]
    commands: tuple[str, ...]
    feedback: tuple[Mapping[str, Any], ...]
    mode: Mode


Reader = Callable[[Request], "str | Mapping[str, Any] | Iterable[Mapping[str, Any]]"]
"""A function that reads a text; it returns statements, edits of lines, a problem or a command, depending on the mode."""


@dataclass(frozen=True, repr=False)
class Game(OneLine):
    """The record of a game.

    Attributes
    ----------
    game : int
        The number of the game.
    ending : {"won", "lost", "out-of-steps", "stuck", "unread", "stopped", "not-played"}
        The reason for the end.
    steps : int
        The number of commands.
    score : float
        The progress by the world's count, from 0 to 1.
    events : tuple of mappings
        The events in order, each with a kind in ``"event"``.
    """

    game: int
    ending: Ending
    steps: int
    score: float
    events: tuple[Mapping[str, Any], ...]

    @property
    def won(self) -> bool:
        """Whether the player completed the task."""
        return self.ending == "won"

    def transcript(self) -> str:
        """Returns the texts and commands of the game."""
        lines = []
        for event in self.events:
            if event["event"] == "seen":
                if event["command"] is not None:
                    lines.append(f"> {event['command']}")
                lines.append(event["text"])
        return "\n".join(lines)


def play(
    setting: Setting,
    games: Iterable[int] = range(10, 60),
    *,
    world: TextWorld | None = None,
    reader: Reader | LanguageModel | None = None,
    execution: Execution = "until-surprise",
    mode: Mode = "edits",
    retries: int = 5,
    count_invalid: bool = False,
    planner: str = "landmarks",
    watch: Callable[[Mapping[str, Any]], bool | None] | None = None,
) -> list[Game]:
    """Plays games with an exploring agent.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}
        The kind of game. It determines the goals and the maximal number of commands.
    games : iterable of int, default range(10, 60)
        The numbers of the games; by default the test games of the paper.
    world : TextWorld, optional
        The world to play in; by default a bundled one.
    reader : callable or LanguageModel, optional
        Turns texts into statements. A `LanguageModel` asks a model over HTTP. By default rules that know the sentences of the bundled worlds and of TextWorldExpress.
    execution : {"until-surprise", "whole-plan", "every-step"}
        When the agent plans again: at surprises, after the whole plan, or after every step.
    mode : {"edits", "lines", "whole-problem", "end-to-end"}
        The kind of answer that the reader gives.
    retries : int, default 5
        The maximal number of times the reader is asked again about one text.
    count_invalid : bool, default False
        Whether commands that are not valid count as steps, as PDDLEGO counts them, in mode ``"end-to-end"``.
    planner : str, default "landmarks"
        The planner for searches that accept any plan.
    watch : callable, optional
        Called with each event as it happens. If it returns False, the game stops.

    Returns
    -------
    list of Game

    Raises
    ------
    ValueError
        If a name is unknown.
    RuntimeError
        If the world breaks. Exceptions of the world, the reader and `watch` propagate.
    """
    asked = reader if reader is None or isinstance(reader, LanguageModel) else _reader(reader)
    heard = None if watch is None else _watcher(watch)
    tuples = None if world is None else _Tuples(world)
    played = []
    for number in games:
        record = json.loads(
            explore_game(setting, number, tuples, asked, execution, mode, retries, count_invalid, planner, heard)
        )
        played.append(
            Game(record["game"], record["ending"], record["steps"], record["score"], tuple(record["events"]))
        )
    return played


class _Tuples:
    """An adapter that returns a world's answers as tuples, the form that the engine expects."""

    def __init__(self, world: TextWorld) -> None:
        self._world = world

    @property
    def task(self) -> str:
        return self._world.task

    def begin(self, game: int) -> tuple[str, float, str, bool]:
        seen = self._world.begin(game)
        return seen.text, seen.score, seen.status, seen.done

    def step(self, command: str) -> tuple[str, float, str, bool]:
        seen = self._world.step(command)
        return seen.text, seen.score, seen.status, seen.done

    def commands(self) -> list[str]:
        return list(self._world.commands())


def _reader(reader: Reader) -> Callable[[str], str]:
    def read(asked: str) -> str:
        request = json.loads(asked)
        for name in ("facts", "placeholders", "commands", "feedback"):
            request[name] = tuple(request[name])
        answer = reader(Request(**request))
        if request["mode"] == "edits":
            statements = answer if isinstance(answer, (str, Mapping)) else [dict(one) for one in answer]
            return json.dumps({"statements": {"statements": statements}})
        if request["mode"] == "lines":
            return json.dumps({"lines": json.loads(answer) if isinstance(answer, str) else answer})
        return json.dumps({"problem" if request["mode"] == "whole-problem" else "command": answer})

    return read


def _watcher(watch: Callable[[Mapping[str, Any]], bool | None]) -> Callable[[str], bool | None]:
    def heard(event: str) -> bool | None:
        return watch(json.loads(event))

    return heard
