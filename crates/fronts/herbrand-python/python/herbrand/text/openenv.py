"""Environments of OpenEnv, and a server for them. Needs ``pip install openenv``.

>>> from herbrand.text.openenv import app  # doctest: +SKIP
>>> import uvicorn  # doctest: +SKIP
>>> uvicorn.run(app("blocks", "train/01"), port=8000)  # doctest: +SKIP

A client is ``openenv.GenericEnvClient(base_url="http://127.0.0.1:8000")``; an action is ``{"answer": "pick up block b"}``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from .env import TextEnv

try:
    from openenv.core.env_server import Action, Environment, create_fastapi_app  # pyright: ignore[reportMissingImports]
    from openenv.core.env_server import Observation, State  # pyright: ignore[reportMissingImports]
    from openenv.core.env_server.types import EnvironmentMetadata  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise ImportError("herbrand.text.openenv needs the package openenv: pip install openenv") from error

__all__ = ["OpenEnvEnvironment", "TextAnswer", "TextObservation", "app"]


class TextAnswer(Action):  # type: ignore[misc, unused-ignore]
    """An answer of a model; see `TextEnv.step`."""

    answer: str


class TextObservation(Observation):  # type: ignore[misc, unused-ignore]
    """The text of a reset or a step. The field ``metadata`` has the keys of `StepInfo` after a step."""

    text: str


class OpenEnvEnvironment(Environment):  # type: ignore[misc, unused-ignore]
    """A `TextEnv` with the interface of OpenEnv's ``Environment``.

    Parameters
    ----------
    domain, problem, **options
        As for `herbrand.text.make`.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, domain: Any, problem: Any = None, **options: Any) -> None:
        super().__init__()
        self._text_env = TextEnv(domain, problem, **options)
        self._state = State(episode_id=None, step_count=0)

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, problem: int | None = None, **_: Any
    ) -> TextObservation:
        """Starts an episode; `problem` is the index of a problem."""
        text = self._text_env.reset(seed, problem)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return TextObservation(text=text, done=False, reward=None)

    def step(self, action: TextAnswer, timeout_s: float | None = None, **_: Any) -> TextObservation:
        """Carries out an answer. Limits of time are those of the environment's options, not `timeout_s`."""
        text, reward, terminated, truncated, info = self._text_env.step(action.answer)
        self._state = State(episode_id=self._state.episode_id, step_count=info["answers"])
        fault = info["fault"]
        metadata = {**info, "fault": None if fault is None else fault._asdict(), "truncated": truncated}
        return TextObservation(text=text, reward=reward, done=terminated or truncated, metadata=metadata)

    @property
    def state(self) -> State:
        """The episode's id and the number of its answers."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Returns the name and a description of the environment."""
        suite = self._text_env.problems.suite
        description = suite.description or f"The planning problems of {suite.name} in sentences."
        return EnvironmentMetadata(name=f"herbrand-{suite.name}", description=description)


def app(domain: Any, problem: Any = None, *, sessions: int = 64, **options: Any) -> Any:
    """Returns a FastAPI application that serves a problem to OpenEnv's clients, each with an environment of its own.

    Parameters
    ----------
    domain, problem, **options
        As for `herbrand.text.make`.
    sessions : int, default 64
        The maximal number of clients at once.
    """
    first = OpenEnvEnvironment(domain, problem, **options)
    make: Callable[[], OpenEnvEnvironment] = lambda: OpenEnvEnvironment(domain, problem, **options)  # noqa: E731
    name = first.get_metadata().name
    return create_fastapi_app(make, TextAnswer, TextObservation, max_concurrent_envs=sessions, env_name=name)
