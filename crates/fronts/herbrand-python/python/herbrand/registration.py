"""Registration of the bundled domains with Gymnasium.

The ids of PDDL domains are ``herbrand/Sokoban-v0``, ``herbrand/SokobanTest-v0`` and so on; those of RDDL domains
``herbrand/RddlElevators-v0`` and so on. ``herbrand/PddlWorld-v0`` is the environment of `herbrand.pddlworld`.

Gymnasium's own limit ends the episodes: ``gymnasium.make(id, max_episode_steps=50)`` sets another, and ``-1`` sets none.

``import herbrand`` registers them; ``gymnasium.make("herbrand:herbrand/Sokoban-v0")`` does both.
"""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register, registry

from ._herbrand import RddlSuite, Suite
from .sources import bundled_domains

__all__ = ["env_name", "register_envs"]


def env_name(domain: str, split: str = "train") -> str:
    """Returns the name of a domain's environment, without namespace and version.

    >>> env_name("search-and-rescue-1", "test")
    'SearchAndRescue1Test'
    >>> env_name("rddl/mars-rover")
    'RddlMarsRover'
    """
    words = "".join(word[:1].upper() + word[1:] for word in domain.replace("/", "-").split("-"))
    return words + ("Test" if split == "test" else "")


def _limited(horizon: int | None, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that leave the horizon of environments to Gymnasium's wrapper `TimeLimit`."""
    if horizon is None:
        return {"kwargs": options}
    return {"max_episode_steps": horizon, "kwargs": {**options, "horizon": None}}


def register_envs() -> None:
    """Registers all bundled domains that are not registered yet."""
    for domain in bundled_domains():
        for split in ("train", "test"):
            if (id := f"herbrand/{env_name(domain, split)}-v0") not in registry:
                register(
                    id=id,
                    entry_point="herbrand.env:make",
                    vector_entry_point="herbrand.vector:make_vec_env",
                    **_limited(Suite.bundled_horizon(domain), {"domain": domain, "split": split}),
                )
    for domain in RddlSuite.bundled_names():
        if (id := f"herbrand/{env_name(domain)}-v0") not in registry:
            register(
                id=id,
                entry_point="herbrand.rddl.env:RddlEnv",
                vector_entry_point="herbrand.vector:make_vec_env",
                **_limited(RddlSuite.bundled_horizon(domain), {"domain": domain}),
            )
    if "herbrand/PddlWorld-v0" not in registry:
        register(
            id="herbrand/PddlWorld-v0",
            entry_point="herbrand.pddlworld:PddlWorldEnv",
            vector_entry_point="herbrand.pddlworld:make_vec_env",
        )
