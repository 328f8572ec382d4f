"""Environments of GEM (General Experience Maker). Needs ``pip install gem-llm``.

>>> import gem  # doctest: +SKIP
>>> from herbrand.text.gem import register  # doctest: +SKIP
>>> register("herbrand:Blocks", "blocks", "train/01")  # doctest: +SKIP
>>> env = gem.make("herbrand:Blocks", seed=1)  # doctest: +SKIP
>>> observation, info = env.reset()  # doctest: +SKIP
"""

# Pyright takes the package of this name for this module.
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from __future__ import annotations

from typing import Any

from .._herbrand import Random
from .env import TextEnv

try:
    import gem  # pyright: ignore[reportMissingImports]
    from gem.core import Env  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise ImportError("herbrand.text.gem needs the package gem-llm: pip install gem-llm") from error

__all__ = ["GemEnv", "register"]


class GemEnv(Env):  # type: ignore[misc, unused-ignore]
    """A `TextEnv` with the interface of ``gem.Env``.

    Parameters
    ----------
    domain, problem, **options
        As for `herbrand.text.make`.
    """

    def __init__(self, domain: Any, problem: Any = None, **options: Any) -> None:
        super().__init__()
        self._text_env = TextEnv(domain, problem, **options)
        self._draws = Random(options.get("seed", 0))

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Starts an episode; returns its first text, and an info with the key ``suffix`` that wrappers of GEM need."""
        if seed is not None:
            self._draws = Random(seed)
        return self._text_env.reset(seed), {"suffix": ""}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carries out an answer; see `TextEnv.step`."""
        text, reward, terminated, truncated, info = self._text_env.step(action)
        return text, reward, terminated, truncated, {**info, "suffix": ""}

    def sample_random_action(self) -> str:
        """Draws a valid action, as a sentence in ``<answer>``."""
        actions = self._text_env.valid_actions()
        text = actions[self._draws.below(len(actions))].text if actions else "do nothing"
        return f"<answer>{text}</answer>"

    def spawn(self, same_state: bool = False, **kwargs: Any) -> GemEnv:
        """Returns a new environment with the same options, or others; with `same_state`, in the same state."""
        if same_state and kwargs:
            raise ValueError("an environment with other options is not in the same state")
        other = object.__new__(type(self))
        Env.__init__(other)
        other._text_env = self._text_env.copy() if same_state else self._text_env.with_options(**kwargs)
        other._draws = Random(kwargs.get("seed", 0))
        return other


def register(env_id: str, domain: Any, problem: Any = None, **options: Any) -> None:
    """Registers a problem with ``gem.make`` under an id."""
    gem.register(env_id, "herbrand.text.gem:GemEnv", domain=domain, problem=problem, **options)
