"""Registration of the bundled domains with Gymnasium.

The ids of PDDL domains are ``herbrand/Sokoban-v0``, ``herbrand/SokobanTest-v0`` and so on; those of RDDL domains
``herbrand/RddlElevators-v0`` and so on. ``herbrand/PddlWorld-v0`` is the environment of `herbrand.pddlworld`.

``import herbrand`` registers them; ``gymnasium.make("herbrand:herbrand/Sokoban-v0")`` does both.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from ._herbrand import RddlSuite
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


def register_envs() -> None:
    """Registers all bundled domains that are not registered yet."""
    for domain in bundled_domains():
        for split in ("train", "test"):
            id = f"herbrand/{env_name(domain, split)}-v0"
            if id in registry:
                continue
            register(
                id=id,
                entry_point="herbrand.env:PDDLEnv",
                vector_entry_point="herbrand.vector:make_vec_env",
                kwargs={"domain": domain, "split": split},
            )
    for domain in RddlSuite.bundled_names():
        id = f"herbrand/{env_name(domain)}-v0"
        if id not in registry:
            register(
                id=id,
                entry_point="herbrand.rddl.env:RddlEnv",
                vector_entry_point="herbrand.rddl.vector:make_vec_env",
                kwargs={"domain": domain},
            )
    if "herbrand/PddlWorld-v0" not in registry:
        register(
            id="herbrand/PddlWorld-v0",
            entry_point="herbrand.pddlworld:PddlWorldEnv",
            vector_entry_point="herbrand.pddlworld:make_vec_env",
        )
