"""Registry of environments under PDDLGym's names."""

from __future__ import annotations

import atexit
import difflib
import functools
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium

from herbrand import Suite

from .core import PDDLEnv
from .posar import WORLDS, MyopicPOSAREnv, POSAREnv
from .search_and_rescue import SearchAndRescueEnv

__all__ = ["environment_names", "make", "register_envs"]

_DECLARED: dict[str, bool] = {}
_OPERATORS = {"operators_as_actions": True, "dynamic_action_space": True}

# # PDDLGym's name of each domain, with the corresponding bundled domain and the arguments that PDDLGym registers.
_DOMAINS: dict[str, tuple[str, dict[str, bool]]] = {
    "Baking": ("baking", _DECLARED),
    "Blocks": ("blocks", _DECLARED),
    "Blocks_operator_actions": ("blocks", _OPERATORS),
    "Casino": ("casino", _DECLARED),
    "Depot": ("depot", _OPERATORS),
    "Derivedblocks": ("blocks-derived", _DECLARED),
    "Doors": ("doors", _DECLARED),
    "Elevator": ("elevator", _DECLARED),
    "Explodingblocks": ("exploding-blocks", _DECLARED),
    "Ferry": ("ferry", _DECLARED),
    "Fridge": ("fridge", _OPERATORS),
    "Gripper": ("gripper", _OPERATORS),
    "Hanoi": ("hanoi", _DECLARED),
    "Hanoi_operator_actions": ("hanoi", _OPERATORS),
    "Hiking": ("hiking", _OPERATORS),
    "Manylogistics": ("logistics", _OPERATORS),
    "Manytireworld": ("tireworld", _OPERATORS),
    "Meetpass": ("meet-pass", _DECLARED),
    "Minecraft": ("crafting", _DECLARED),
    "Navigation1": ("navigation", _DECLARED),
    "Newspapers": ("newspapers", _OPERATORS),
    "Quantifiedblocks": ("quantified-blocks", _OPERATORS),
    "Rearrangement": ("rearrangement", _DECLARED),
    "River": ("river", _DECLARED),
    "Slidetile": ("slide-tile", _DECLARED),
    "Snake": ("snake", _OPERATORS),
    "Sokoban": ("sokoban", _DECLARED),
    "Spannerlearning": ("spanner", _OPERATORS),
    "Tireworld": ("tireworld", _DECLARED),
    "Travel": ("travel", _DECLARED),
    "Tsp": ("tsp", _DECLARED),
    "Tsp_operator_actions": ("tsp", _OPERATORS),
}
_LEVELS = range(1, 8)


class _Kind(NamedTuple):
    """An entry of the registry: a bundled domain, arguments of the environment, and its class."""

    domain: str
    arguments: dict[str, bool]
    environment: type[PDDLEnv] = PDDLEnv


def _environments() -> dict[str, tuple[_Kind, str]]:
    """Maps each name to its entry and the split of the domain."""
    kinds = {f"PDDLEnv{name}": _Kind(*found) for name, found in _DOMAINS.items()}
    for level in _LEVELS:
        domain = f"search-and-rescue-{level}"
        kinds[f"PDDLSearchAndRescueLevel{level}"] = _Kind(domain, _DECLARED)
        kinds[f"SearchAndRescueLevel{level}"] = _Kind(domain, _DECLARED, SearchAndRescueEnv)
    return {
        f"{name}{suffix}-v0": (kind, split)
        for name, kind in kinds.items()
        for suffix, split in (("", "train"), ("Test", "test"))
    }


def environment_names() -> list[str]:
    """Returns the names that `make` accepts."""
    return sorted([*_environments(), *(f"{name}-v0" for name in WORLDS)])


def make(id: str, **kwargs: Any) -> Any:
    """Creates the environment of a bundled domain by its PDDLGym name.

    Parameters
    ----------
    id : str
        A name such as ``"PDDLEnvSokoban-v0"``, or ``"PDDLEnvSokobanTest-v0"`` for the test problems.
    **kwargs
        Arguments of `PDDLEnv` that override those of the name. For a ``POSAR`` environment: its ``seed``.

    Raises
    ------
    gymnasium.error.NameNotFound
        If the name does not exist.

    Notes
    -----
    The domains are Herbrand's own counterparts: their predicates, operators and problems have other names than PDDLGym's. To
    use PDDLGym's files, create a `PDDLEnv`.
    """
    world = WORLDS.get(id.removesuffix("-v0")) if id.endswith("-v0") else None
    if world is not None:
        kwargs.pop("disable_env_checker", None)
        return MyopicPOSAREnv(world, **kwargs) if world.myopic else POSAREnv(world, **kwargs)
    known = _environments()
    if id not in known:
        near = difflib.get_close_matches(id, environment_names(), n=1, cutoff=0.7)
        hint = f": did you mean {near[0]!r}?" if near else ": `environment_names()` lists those that there are"
        raise gymnasium.error.NameNotFound(f"there is no environment {id!r}{hint}")
    kind, split = known[id]
    folder = _files(kind.domain)
    kwargs.pop("disable_env_checker", None)
    return kind.environment(folder / "domain.pddl", folder / split, **{**kind.arguments, **kwargs})


@functools.lru_cache(maxsize=None)
def _files(domain: str) -> Path:
    """Writes the files of a bundled domain to a temporary folder, because planners need paths."""
    folder = Path(tempfile.mkdtemp(prefix=f"herbrand-{domain}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (suite,) = Suite.bundled(domain)
    (folder / "domain.pddl").write_text(suite.domain.text or suite.domain.to_pddl(), encoding="utf-8")
    if suite.settings is not None:
        (folder / "env.toml").write_text(suite.settings, encoding="utf-8")
    for index, name in enumerate(suite.problem_names):
        problem = suite.parse_problem(index)
        path = folder / f"{re.sub(r'[^/A-Za-z0-9_.-]', '_', name)}.pddl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(problem.text or problem.to_pddl(), encoding="utf-8")
    return folder


def register_envs() -> None:
    """Registers all names with Gymnasium: ``gymnasium.make("PDDLEnvSokoban-v0")``."""
    for name in environment_names():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point=_Maker(name),
                order_enforce=False,
                disable_env_checker=True,
            )


class _Maker:
    """The entry point of one environment name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, **kwargs: Any) -> Any:
        return make(self.name, **kwargs)
