"""Adapters of environments in text, each through the runner of its package; skipped where the package is missing.

The examples of the page "Train and examine language models" run too, with a server that takes the place of a model.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from herbrand import text as texts

from conftest import ROOT, served_model

PROBLEMS = [
    ("gripper", "train/01"),
    ("tireworld", "train/01"),
    ("rddl/sysadmin-mdp", "1"),
    ("coin-collector", "train/01"),
    ("pddlworld/blocks@2", "train/01"),
]
"""A problem in PDDL, one in PPDDL, one in RDDL, one that is partly observable, and a domain under edit."""

on_problems = pytest.mark.parametrize(("domain", "problem"), PROBLEMS, ids=["PDDL", "PPDDL", "RDDL", "partial", "edits"])


class Player:
    """Answers as a model that knows good steps. It keeps an environment beside that of the adapter."""

    def __init__(self, domain: str, problem: str, seed: int, **options: Any) -> None:
        self.env = texts.make(domain, problem, **options)
        self.env.reset(seed)
        self.total = 0.0
        self.answers = 0
        self.done = False
        self.info: Any = None

    def answer(self) -> str:
        """Returns the next answer: first one that cannot be read, then steps."""
        if self.answers == 0:
            answer = "dance"
        else:
            plan = self.env.plan()
            listed = self.env.valid_actions()
            answer = plan[0] if plan else listed[0].text if listed else "do nothing"
        return f"Let me think.\nAction: {answer}"

    def step(self, answer: str) -> str:
        """Carries out the answer and returns the text of the step."""
        text, reward, terminated, truncated, self.info = self.env.step(answer)
        self.total += reward
        self.answers += 1
        self.done = terminated or truncated
        return text


OPTIONS: dict[str, Any] = {"steps": 12, "rewards": {"goal": 1.0, "format": 0.25, "valid": 0.25, "task": 0.5}}


@on_problems
def test_gem(domain: str, problem: str) -> None:
    gem = pytest.importorskip("gem", reason="the package gem-llm is missing")
    from gem.wrappers.episode_tracking_wrapper import EpisodeTrackingWrapper  # pyright: ignore[reportMissingImports]
    from gem.wrappers.observation_wrapper import ObservationWrapper  # pyright: ignore[reportMissingImports]

    from herbrand.text.gem import GemEnv, register

    name = f"herbrand:{domain}-{random.random()}"
    register(name, domain, problem, **OPTIONS)
    wrapped = [lambda env: ObservationWrapper(env, include_chat_template=False), EpisodeTrackingWrapper]
    envs = gem.make_vec([name, name], wrappers=wrapped, seed=3)
    observations, _ = envs.reset(seed=[3, 4])
    players = [Player(domain, problem, seed, **OPTIONS) for seed in (3, 4)]
    while not all(player.done for player in players):
        running = [index for index, player in enumerate(players) if not player.done]
        answers = {index: players[index].answer() for index in running}
        seen = envs.step(answers)
        for place, index in enumerate(running):
            before = players[index].total
            text = players[index].step(answers[index])
            assert seen[1][place] == pytest.approx(players[index].total - before)
            assert (seen[2] | seen[3])[place] == players[index].done
            # After the end of an episode, the environment shows the beginning of the next.
            assert text in seen[0][place] or players[index].done
    env = gem.make(name)
    assert isinstance(env, GemEnv)
    env.reset(seed=3)
    env.step(env.sample_random_action())
    assert env.spawn(same_state=True)._text_env.observation() == env._text_env.observation()
    assert env.spawn(steps=1)._text_env.steps == 1


@on_problems
def test_textarena(domain: str, problem: str) -> None:
    textarena = pytest.importorskip("textarena", reason="the package textarena is missing")
    from textarena.wrappers import LLMObservationWrapper  # pyright: ignore[reportMissingImports]

    from herbrand.text.textarena import register

    player = Player(domain, problem, 3, **OPTIONS)

    agent: Any = textarena.Agent

    class Model(agent):  # type: ignore[misc, unused-ignore]
        def __call__(self, observation: str) -> str:
            assert player.env.title and observation
            answer = player.answer()
            player.step(answer)
            return answer

    name = f"Herbrand-{domain}-{random.random()}"
    register(name, domain, problem, **OPTIONS)
    env = LLMObservationWrapper(textarena.make(name))
    env.reset(num_players=1, seed=3)
    agents, over, info = {0: Model()}, False, None
    while not over:
        number, observation = env.get_observation()
        over, info = env.step(agents[number](observation))
    rewards, game_info = env.close()
    assert player.done and rewards[0] == pytest.approx(player.total)
    assert game_info[0]["reason"] == player.info["status"]
    assert info is not None and info["answers"] == player.answers


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serves an application in another thread."""
    import uvicorn  # pyright: ignore[reportMissingImports]

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@on_problems
def test_openenv(domain: str, problem: str) -> None:
    openenv = pytest.importorskip("openenv", reason="the package openenv is missing")
    from herbrand.text.openenv import app

    player = Player(domain, problem, 3, **OPTIONS)
    with served(app(domain, problem, **OPTIONS)) as address:
        with openenv.GenericEnvClient(base_url=address).sync() as client:
            result = client.reset(seed=3)
            assert result.observation["text"] == player.env.reset(3) and not result.done
            total = 0.0
            while not result.done:
                answer = player.answer()
                result = client.step({"answer": answer})
                assert result.observation["text"] == player.step(answer)
                total += result.reward
            assert player.done and total == pytest.approx(player.total)
            assert client.state()["step_count"] == player.answers


@on_problems
def test_verifiers(domain: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("verifiers.v1", reason="the package verifiers is missing")
    from types import ModuleType

    import httpx  # pyright: ignore[reportMissingImports]
    import verifiers.v1 as vf  # pyright: ignore[reportMissingImports]
    from verifiers.v1.env import RunSlot  # pyright: ignore[reportMissingImports]

    from herbrand.text.verifiers import HerbrandConfig, HerbrandEnv, HerbrandEnvConfig

    class ChatConfig(vf.HarnessConfig):  # type: ignore[misc, unused-ignore]
        pass

    class Chat(vf.Harness[ChatConfig]):  # type: ignore[misc, unused-ignore]
        """A harness that asks the model in this process: those of the package install programs by uv."""

        APPENDS_SYSTEM_PROMPT = True
        SUPPORTS_RESUME = True
        EXECUTES_CODE = False
        NEEDS_CONTAINER = False

        async def launch(
            self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: Any, **_: Any
        ) -> Any:
            prompt: Any = self.resolve_prompt(data)[1]
            if isinstance(prompt, str):
                messages = [{"role": "user", "content": prompt}]
            else:
                messages = [{"role": one.role, "content": one.content} for one in prompt]
            async with httpx.AsyncClient(timeout=60) as client:
                answer = await client.post(
                    f"{endpoint}/chat/completions",
                    headers={"Authorization": f"Bearer {secret}"},
                    json={"model": ctx.model, "messages": messages},
                )
                answer.raise_for_status()
            return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    plugin: Any = ModuleType("herbrand_chat")
    plugin.Chat, plugin.__all__ = Chat, ["Chat"]
    from importlib.machinery import ModuleSpec

    plugin.__spec__ = ModuleSpec("herbrand_chat", None)
    monkeypatch.setitem(sys.modules, "herbrand_chat", plugin)
    monkeypatch.setenv("HERBRAND_KEY", "none")

    player = Player(domain, problem, 0, **OPTIONS)

    def reply(messages: list[dict[str, Any]]) -> str:
        answer = player.answer()
        player.step(answer)
        return answer

    with served_model(reply) as address:
        config = HerbrandEnvConfig(
            taskset=HerbrandConfig(domain=domain, problem=problem, **OPTIONS),
            player={"harness": {"id": "herbrand_chat"}, "runtime": {"type": "subprocess"}},
        )
        env = HerbrandEnv(config)
        context = vf.ModelContext(
            model="fake", client=vf.EvalClientConfig(base_url=address, api_key_var="HERBRAND_KEY")
        )

        async def play() -> Any:
            [task] = list(env.taskset)
            assert task.data.prompt == player.env.reset(0)
            async with env.serving():
                return await env.run_slot(RunSlot(task), context)

        episode = asyncio.run(play())
    assert episode.ok, episode.errors
    [trace] = episode.traces
    assert player.done and trace.reward == pytest.approx(player.total)
    assert trace.metrics["answers"] == player.answers and trace.metrics["faults"] == 1.0
    assert trace.metrics["goal"] == float(player.info["status"] == "goal")


PAGE = ROOT / "docs/tutorials/language-models.md"
PROGRAMS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
MODEL = ROOT / "crates/fronts/herbrand-python/examples/text_model.py"


def examples(section: str) -> list[str]:
    """Returns the code of a section of the page, a text per block."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"\n### {section}\n")
    return re.findall(r"^```\w+\n(.*?)^```", re.split(r"^##", rest, maxsplit=1, flags=re.MULTILINE)[0], re.DOTALL | re.MULTILINE)


@contextmanager
def guessing_model() -> Iterator[str]:
    """Runs `text_model.py` and returns its address."""
    with subprocess.Popen([sys.executable, MODEL, "--port", "0"], stdout=subprocess.PIPE, text=True) as model:
        assert model.stdout is not None
        try:
            yield model.stdout.readline().removeprefix("listening on ").strip()
        finally:
            model.terminate()


def run(command: list[str], folder: Path) -> str:
    """Runs a command in a folder, with the programs of this environment, and returns its output."""
    env = {**os.environ, "PATH": PROGRAMS}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_of_gem(tmp_path: Path) -> None:
    pytest.importorskip("gem", reason="the package gem-llm is missing")
    [example] = examples("GEM")
    printed = run([sys.executable, "-c", example], tmp_path)
    assert re.search(r"^(goal|budget) after \d+ answers$", printed, re.MULTILINE), printed


def test_the_example_of_openenv(tmp_path: Path) -> None:
    pytest.importorskip("openenv", reason="the package openenv is missing")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    server, client = (example.replace("8000", port) for example in examples("OpenEnv"))
    with subprocess.Popen([sys.executable, "-c", server]) as process:
        try:
            for _ in range(600):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", int(port))) == 0:
                        break
                time.sleep(0.1)
            printed = run([sys.executable, "-c", client], tmp_path)
        finally:
            process.terminate()
    assert re.search(r"^reward [01]\.0 after \d+ answers$", printed, re.MULTILINE), printed


def test_the_example_of_textarena(tmp_path: Path) -> None:
    pytest.importorskip("textarena", reason="the package textarena is missing")
    [example] = examples("TextArena")
    with guessing_model() as address:
        printed = run([sys.executable, "-c", example.replace("http://127.0.0.1:8080/v1", address)], tmp_path)
    assert re.search(r"^reward (0\.0 status budget|1\.0 status goal)$", printed, re.MULTILINE), printed


def test_the_example_of_verifiers(tmp_path: Path) -> None:
    pytest.importorskip("verifiers.v1", reason="the package verifiers is missing")
    if shutil.which("uv", path=PROGRAMS) is None:
        pytest.skip("the program uv, which starts the agents of verifiers, is missing")
    taskset, command = examples("verifiers")
    (tmp_path / "herbrand_blocks.py").write_text(taskset, encoding="utf-8")
    with guessing_model() as address:
        printed = run(["sh", "-c", command.replace("http://127.0.0.1:8080/v1", address)], tmp_path)
    assert printed.count("[success ]") == 2 and "herbrand_reward" in printed, printed
    assert list(tmp_path.glob("outputs/*/traces.jsonl"))
