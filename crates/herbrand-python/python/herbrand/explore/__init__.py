"""Games in text, and an agent that explores them.

A world says what is seen and takes commands. The agent makes statements of each text, keeps what it knows as a planning
problem, plans for the best goal that it can reach in what it knows, and acts:

>>> from herbrand import explore
>>> world = explore.NativeWorld("coin")
>>> seen = world.begin(10)
>>> seen.status
'running'
>>> [game] = explore.play("coin", games=[10])
>>> game.won, game.steps <= 50
(True, True)
>>> print(game.transcript().splitlines()[0])
This is the study.

The settings are those of PDDLEGO (Zhang et al. 2024): ``"coin"``, ``"cooking-easy"`` and ``"cooking-hard"``. `NativeWorld` has
generated games of the bundled domains; `TextWorldExpress` plays the simulator of that name, which needs Java and the package
``textworld-express`` (``pip install herbrand[textworld]``). ``python -m herbrand.explore`` plays the test games of all of them.

A reader of your own is a function of a `Request` that gives a list of statements, as `herbrand.edits.Belief.observe` takes
them; in the mode ``"whole-problem"`` the text of a problem, in ``"end-to-end"`` the next command:

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

from .._herbrand import NativeWorld, explore_game

__all__ = [
    "Game",
    "NativeWorld",
    "Reader",
    "Request",
    "Seen",
    "TextWorld",
    "TextWorldExpress",
    "UnavailableError",
    "play",
    "settings",
]

Setting = Literal["coin", "cooking-easy", "cooking-hard"]
Status = Literal["running", "won", "lost"]
Ending = Literal["won", "lost", "out-of-steps", "stuck", "unread", "stopped"]
Execution = Literal["whole-plan", "until-surprise", "every-step"]
Mode = Literal["edits", "whole-problem", "end-to-end"]

settings: tuple[Setting, ...] = ("coin", "cooking-easy", "cooking-hard")
"""The kinds of games."""


class UnavailableError(RuntimeError):
    """A simulator cannot be started: Java or its package is missing."""


class Seen(NamedTuple):
    """What a world answers.

    Attributes
    ----------
    text : str
        What is seen.
    score : float
        How much is done, from 0 to 1.
    status : {"running", "won", "lost"}
        Whether the game goes on.
    done : bool
        Whether the command was carried out.
    """

    text: str
    score: float
    status: Status
    done: bool


class TextWorld(Protocol):
    """A game in text. `play` takes any object of this form."""

    @property
    def task(self) -> str:
        """What the player is told to do."""
        ...

    def begin(self, game: int) -> Seen:
        """Begins a game anew; the same number is the same game."""
        ...

    def step(self, command: str) -> Seen:
        """Carries out a command. One that makes no sense changes nothing, and the text says so."""
        ...

    def commands(self) -> Sequence[str]:
        """The commands that do something now."""
        ...


class TextWorldExpress:
    """The games of TextWorldExpress, in the settings of the paper: no distractors, doors, no limit of what can be held.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}
    fold : {"train", "dev", "test"}, default "train"
        Which set of games the numbers are of.

    Raises
    ------
    UnavailableError
        When Java or the package ``textworld-express`` is missing.
    ValueError
        When there is no such setting.

    Notes
    -----
    The simulator is a Java program that runs beside Python; `close` ends it, and so does leaving a ``with`` block.
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
        """What the player is told to do."""
        return str(self._env.getTaskDescription())

    def begin(self, game: int) -> Seen:
        """Begins the game of a seed."""
        text, infos = self._env.reset(seed=game, gameFold=self._fold)
        return self._seen(text, infos, done=True)

    def step(self, command: str) -> Seen:
        """Carries out a command."""
        done = command in self._valid
        text, _, _, infos = self._env.step(command)
        return self._seen(text, infos, done=done)

    def commands(self) -> list[str]:
        """The commands that the simulator takes now, in alphabetical order."""
        return sorted(self._valid)

    def close(self) -> None:
        """Ends the simulator."""
        self._env.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _seen(self, text: str, infos: Mapping[str, Any], *, done: bool) -> Seen:
        self._valid = list(infos["validActions"])
        status: Status = "won" if infos["tasksuccess"] else "lost" if infos["taskfailure"] else "running"
        return Seen(text, float(infos["score"]), status, done)


@dataclass(frozen=True)
class Request:
    """What a reader is asked.

    Attributes
    ----------
    task : str
        What the player is told to do.
    command : str or None
        The command that was given last; None at the start.
    text : str
        What the world answered.
    problem : str
        What is known so far, as a problem in PDDL.
    facts : tuple of str
        The facts of that problem.
    placeholders : tuple of str
        The objects of which no more is known than that they exist.
    commands : tuple of str
        The commands that do something now, in the mode ``"end-to-end"``.
    feedback : tuple of mappings
        What was wrong with earlier answers to the same text, each with a kind in ``"feedback"``.
    mode : {"edits", "whole-problem", "end-to-end"}
        What kind of answer is expected.
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


Reader = Callable[[Request], "str | Iterable[Mapping[str, Any]]"]
"""A function that reads: statements, a problem or a command, as the mode says."""


@dataclass(frozen=True)
class Game:
    """A game that was played.

    Attributes
    ----------
    game : int
        Its number.
    ending : {"won", "lost", "out-of-steps", "stuck", "unread", "stopped"}
        How it ended.
    steps : int
        How many commands were given.
    score : float
        How much was done, from 0 to 1, as the world counts it.
    events : tuple of mappings
        What happened, in order: each has a kind in ``"event"``.
    """

    game: int
    ending: Ending
    steps: int
    score: float
    events: tuple[Mapping[str, Any], ...]

    @property
    def won(self) -> bool:
        """Whether the task was done."""
        return self.ending == "won"

    def transcript(self) -> str:
        """The texts and commands of the game."""
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
    reader: Reader | None = None,
    execution: Execution = "until-surprise",
    mode: Mode = "edits",
    retries: int = 5,
    planner: str = "landmarks",
    watch: Callable[[Mapping[str, Any]], bool | None] | None = None,
) -> list[Game]:
    """Plays games with an agent that explores.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}
        What is to be done, and how many commands the agent has.
    games : iterable of int, default range(10, 60)
        The numbers of the games; the default are the test games of the paper.
    world : TextWorld, optional
        Where they are played; the bundled worlds where it is left out.
    reader : callable, optional
        Makes statements of texts; the rules, which know the sentences of the bundled worlds and of TextWorldExpress, where
        it is left out.
    execution : {"until-surprise", "whole-plan", "every-step"}
        How much of a plan is carried out at once.
    mode : {"edits", "whole-problem", "end-to-end"}
        What the reader is asked for.
    retries : int, default 5
        How often the reader is asked again about one text.
    planner : str, default "landmarks"
        How to search where any plan will do.
    watch : callable, optional
        Hears of each event as it happens; False ends the game.

    Returns
    -------
    list of Game

    Raises
    ------
    ValueError
        When one of the names is unknown.
    RuntimeError
        When the world breaks. Exceptions of the world, the reader and `watch` come through.
    """
    asked = None if reader is None else _reader(reader)
    heard = None if watch is None else _watcher(watch)
    tuples = None if world is None else _Tuples(world)
    played = []
    for number in games:
        record = json.loads(
            explore_game(setting, number, tuples, asked, execution, mode, retries, planner, heard)
        )
        played.append(
            Game(record["game"], record["ending"], record["steps"], record["score"], tuple(record["events"]))
        )
    return played


class _Tuples:
    """A world whose answers are tuples, as the engine takes them."""

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
            statements = answer if isinstance(answer, str) else [dict(one) for one in answer]
            return json.dumps({"statements": {"statements": statements}})
        return json.dumps({"problem" if request["mode"] == "whole-problem" else "command": answer})

    return read


def _watcher(watch: Callable[[Mapping[str, Any]], bool | None]) -> Callable[[str], bool | None]:
    def heard(event: str) -> bool | None:
        return watch(json.loads(event))

    return heard
