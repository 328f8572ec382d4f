"""Games of TextArena for one player. Needs ``pip install textarena``.

>>> import textarena  # doctest: +SKIP
>>> from herbrand.text.textarena import register  # doctest: +SKIP
>>> register("Herbrand-Blocks-v0", "blocks", "train/01")  # doctest: +SKIP
>>> env = textarena.make("Herbrand-Blocks-v0")  # doctest: +SKIP
>>> env.reset(num_players=1, seed=1)  # doctest: +SKIP
"""

# Pyright takes the package of this name for this module.
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from __future__ import annotations

from typing import Any

from .env import TextEnv, sentence

try:
    import textarena  # pyright: ignore[reportMissingImports]
    from textarena import Env, ObservationType, SinglePlayerState  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise ImportError("herbrand.text.textarena needs the package textarena: pip install textarena") from error

__all__ = ["TextArenaEnv", "register"]


class TextArenaEnv(Env):  # type: ignore[misc, unused-ignore]
    """A `TextEnv` with the interface of ``textarena.Env``. The reward of the player is the sum of the rewards of the steps.

    Parameters
    ----------
    domain, problem, **options
        As for `herbrand.text.make`.
    errors : int, optional
        The number of successive answers that may not be carried out before the game is lost; by default the budget decides.
    """

    def __init__(self, domain: Any, problem: Any = None, *, errors: int | None = None, **options: Any) -> None:
        super().__init__()
        self._text_env = TextEnv(domain, problem, **options)
        self._errors = self._text_env.steps if errors is None else errors
        self._total = 0.0

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Starts a game of one player."""
        steps = self._text_env.steps
        self.state = SinglePlayerState(num_players=num_players, seed=seed, max_turns=steps, error_allowance=self._errors)
        text = self._text_env.reset(seed)
        self._total = 0.0
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: text)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Carries out an answer; returns whether the game is over, and an info."""
        self.state.add_observation(action, ObservationType.PLAYER_ACTION, from_id=self.state.current_player_id)
        text, reward, terminated, truncated, info = self._text_env.step(action)
        self._total += reward
        fault = info["fault"]
        if fault is not None:
            self.state.set_invalid_move(reason=sentence(fault.message), reward=self._total)
        else:
            self.state.add_observation(text, ObservationType.GAME_BOARD)
        if terminated or truncated:
            self.state.set_outcome(reward=self._total, reason=info["status"])
        self.state.step_info = dict(info)
        over, step_info = self.state.step()
        return bool(over), dict(step_info)


def register(env_id: str, domain: Any, problem: Any = None, **options: Any) -> None:
    """Registers a problem with ``textarena.make`` under an id."""
    textarena.register(env_id, "herbrand.text.textarena:TextArenaEnv", domain=domain, problem=problem, **options)
