"""Tests of text games and the exploring agent."""

from __future__ import annotations

import io
import json
import shutil
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest

from herbrand import explore
from herbrand.explore.__main__ import main
from herbrand.explore.serve import serve


def test_every_setting_is_played() -> None:
    for setting in explore.settings:
        games = explore.play(setting, range(10, 15))
        assert [game.game for game in games] == [10, 11, 12, 13, 14]
        assert all(game.won and game.steps <= explore.NativeWorld(setting).limit for game in games)
        for event in games[0].events:
            if event["event"] == "effects":
                assert event["confirmed"] and not event["contradicted"] and not event["unconfirmed"]


def test_a_game_is_the_same_each_time() -> None:
    first, second = (explore.play("coin", [12]) for _ in range(2))
    assert first == second


def test_a_world_is_played_by_hand() -> None:
    world = explore.NativeWorld("coin")
    seen = world.begin(10)
    assert seen.status == "running" and seen.done
    assert "look around" in world.commands()
    assert world.step("look around") == seen
    refused = world.step("fly away")
    assert not refused.done and refused.status == "running"
    with pytest.raises(RuntimeError, match="no game has begun"):
        explore.NativeWorld("coin").step("look around")
    with pytest.raises(ValueError, match="there is no setting"):
        explore.NativeWorld("chess")  # type: ignore[arg-type]


class Walled:
    """A native world behind Python's world protocol."""

    def __init__(self) -> None:
        self.inner = explore.NativeWorld("coin")
        self.steps = 0

    @property
    def task(self) -> str:
        return self.inner.task

    def begin(self, game: int) -> explore.Observation:
        return self.inner.begin(game)

    def step(self, command: str) -> explore.Observation:
        self.steps += 1
        return self.inner.step(command)

    def commands(self) -> Sequence[str]:
        return self.inner.commands()


def test_a_world_in_python_is_played() -> None:
    world = Walled()
    [game] = explore.play("coin", [10], world=world)
    assert game == explore.play("coin", [10])[0]
    assert world.steps == game.steps


def test_exceptions_of_a_world_come_through() -> None:
    class Broken(Walled):
        def step(self, command: str) -> explore.Observation:
            raise KeyError(command)

    with pytest.raises(KeyError):
        explore.play("coin", [10], world=Broken())


def test_a_reader_of_ones_own_is_asked_again() -> None:
    requests: list[explore.Request] = []

    def read(request: explore.Request) -> list[Mapping[str, Any]]:
        requests.append(request)
        return [{"statement": "holds", "fact": "(agent-at nowhere)"}]

    [game] = explore.play("coin", [10], reader=read, retries=2)
    assert game.ending == "unread" and game.steps == 0
    assert len(requests) == 3
    assert requests[0].feedback == () and len(requests[2].feedback) == 2
    [fault] = requests[1].feedback[0]["faults"]
    assert fault["code"] == "undeclared-object"


def test_readers_choose_commands_end_to_end() -> None:
    def read(request: explore.Request) -> str:
        return "fly away" if not request.feedback else request.commands[0]

    [game] = explore.play("coin", [10], reader=read, mode="end-to-end")
    assert game.ending == "out-of-steps"
    refused = [event for event in game.events if event["event"] == "refused"]
    assert refused[0]["feedback"] == {"feedback": "command", "command": "fly away"}


def test_readers_edit_lines() -> None:
    def read(request: explore.Request) -> Mapping[str, Any]:
        nothing: dict[str, Any] = {"add": [], "replace": {}, "delete": []}
        if "This is the " not in request.text:
            return {"objects": nothing, "init": nothing}
        room = request.text.split("This is the ")[1].split(".")[0]
        facts = [f"(agent-at {room})", f"(visited {room})"]
        return {"objects": nothing | {"add": [f"{room} - room"]}, "init": nothing | {"add": facts}}

    [game] = explore.play("coin", [10], reader=read, mode="lines", retries=0)
    assert game.ending == "stuck"
    [edits] = [event["edits"] for event in game.events if event["event"] == "read"]
    assert [edit["edit"] for edit in edits] == ["add-object", "add-fact", "add-fact"]


def test_whoever_watches_may_stop() -> None:
    heard: list[str] = []

    def watch(event: Mapping[str, Any]) -> bool:
        heard.append(event["event"])
        return len(heard) < 5

    [game] = explore.play("coin", [10], watch=watch)
    assert game.ending == "stopped" and len(heard) <= 10


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="execution is"):
        explore.play("coin", [10], execution="slowly")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mode is"):
        explore.play("coin", [10], mode="loudly")  # type: ignore[arg-type]


def test_a_missing_simulator_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(explore.UnavailableError, match="Java"):
        explore.TextWorldExpress("coin")
    assert main(["--games", "10..12"]) == 0
    printed = capsys.readouterr().out
    assert "native cooking-hard" in printed and "TextWorldExpress is left out" in printed


@pytest.fixture(params=explore.settings)
def simulator(request: pytest.FixtureRequest) -> Any:
    pytest.importorskip("textworld_express")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    with explore.TextWorldExpress(request.param) as world:
        yield request.param, world


def test_the_simulator_is_played(simulator: tuple[Any, explore.TextWorldExpress]) -> None:
    setting, world = simulator
    for game in explore.play(setting, range(10, 13), world=world):
        assert game.won, game.transcript()
        for event in game.events:
            if event["event"] == "read":
                assert not event.get("unread")
            if event["event"] == "effects":
                assert not event["contradicted"]


def test_invalid_commands_may_count_as_steps() -> None:
    def lost(request: explore.Request) -> str:
        return "fly away" if len(request.feedback) < 2 else "look around"

    limit = explore.NativeWorld("coin").limit
    [game] = explore.play("coin", [10], reader=lost, mode="end-to-end", count_invalid=True)
    given = sum(event["event"] == "seen" for event in game.events) - 1
    refused = sum(event["event"] == "refused" for event in game.events)
    assert game.ending == "out-of-steps" and game.steps == limit == given + refused and refused >= 2 * given > 0
    [game] = explore.play("coin", [10], reader=lost, mode="end-to-end")
    assert game.steps == limit == sum(event["event"] == "seen" for event in game.events) - 1
    # Without an end of the tries, the steps end the game.
    [game] = explore.play("coin", [10], reader=lambda _: "fly away", mode="end-to-end", count_invalid=True)
    assert (game.ending, game.steps) == ("out-of-steps", limit)
    [game] = explore.play("coin", [10], reader=lambda _: "fly away", mode="end-to-end")
    assert (game.ending, game.steps) == ("unread", 0)


class _Model(BaseHTTPRequestHandler):
    """A server of a language model that always looks around."""

    asked: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = {"choices": [{"message": {"content": '{"command": "look around"}'}}]}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_a_model_plays_a_world_of_ones_own() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        model = explore.LanguageModel("m", f"http://127.0.0.1:{server.server_port}/v1", temperature=0.5)
        [game] = explore.play("coin", [10], world=Walled(), reader=model, mode="end-to-end")
    finally:
        server.shutdown()
    assert game.ending == "out-of-steps" and len(_Model.asked) == game.steps
    assert _Model.asked[0]["model"] == "m" and _Model.asked[0]["temperature"] == 0.5
    assert repr(model).startswith("<LanguageModel m at http://127.0.0.1")
    with pytest.raises(ValueError):
        explore.LanguageModel("m", "nowhere", patience=-1)


def test_a_world_is_served_to_the_program() -> None:
    requests = io.StringIO('{"begin": 10}\n{"step": "look around"}\n{"step": "fly away"}\n')
    answers = io.StringIO()
    serve(explore.NativeWorld("coin"), requests, answers)
    lines = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [line["done"] for line in lines] == [True, True, False]
    assert lines[0]["task"] == explore.NativeWorld("coin").task and "look around" in lines[0]["commands"]
