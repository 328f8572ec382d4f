"""Registry of environments under PDDLGym's names."""

from __future__ import annotations

import atexit
import difflib
import functools
import importlib
import importlib.util
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium

from herbrand import Suite

from .core import PDDLEnv
from .posar import WORLDS, MyopicPOSAREnv, POSAREnv
from .search_and_rescue import SearchAndRescueEnv

__all__ = ["environment_names", "make", "pddlgym_folder", "register_envs", "register_pddl_env"]

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

# PDDLGym's further domains whose operators are the actions, by their files. The first ones have fixed action spaces.
_FIXED = "easygripper onearmedgripper tinyonearmedgripper lifelong_tiny_gripper"
_FURTHER = f"""{_FIXED} footwear generated_blocks blocks_medium manyblocksnopiles manyexplodingblockssmallpiles
    manyblockssmallpiles manyblockssmallpilesnoclear manyblockssmallpilesnohand manyblockssmallpilesnoclearhand
    quantifiedblocks2 quantifiedblocks3 equalityblocks equalityblocks2 manygrid manymiconic manygripper manyferry movie
    easynewspapers trapnewspapers maze visit_all"""

# The environments that `register_pddl_env` added, with the arguments of each.
_ADDED: dict[str, dict[str, Any]] = {}


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


def pddlgym_folder() -> Path | None:
    """Returns the folder of PDDLGym's domains and problems, if that package is installed. It is not imported."""
    try:
        found = importlib.util.find_spec("pddlgym")
    except (ImportError, ValueError):
        return None
    for place in (found and found.submodule_search_locations) or ():
        if (Path(place) / "pddl").is_dir():
            return Path(place) / "pddl"
    return None


def _own() -> dict[str, dict[str, Any]]:
    """Maps the name of each environment of PDDLGym's files to its arguments; empty if they are not found."""
    folder = pddlgym_folder()
    if folder is None:
        return {}
    found: dict[str, dict[str, Any]] = {}
    for domain in sorted(folder.glob("*.pddl")):
        for suffix in ("", "_test"):
            problems = folder / f"{domain.stem}{suffix}"
            if any(problems.glob("*.pddl")):
                name = domain.stem.capitalize()
                _, arguments = _DOMAINS.get(name, ("", _OPERATORS if domain.stem in _FURTHER.split() else _DECLARED))
                if domain.stem in _FIXED.split():
                    arguments = {**arguments, "dynamic_action_space": False}
                files = {"domain_file": str(domain), "problem_dir": str(problems)}
                found[f"PDDLEnv{name}{'Test' if suffix else ''}-v0"] = {**files, **arguments}
    return found


def _picture(domain: str) -> Callable[..., Any] | None:
    """Returns the function by which PDDLGym draws a domain; None if it has none or cannot be imported."""
    kind = domain.removeprefix("glib").removeprefix("many").removesuffix("_operator_actions")
    if "blocks" in kind:
        kind = "explodingblocks" if "exploding" in kind else "blocks"
    try:
        drawing: Callable[..., Any] = importlib.import_module(f"pddlgym.rendering.{kind}").render
    except Exception:  # noqa: BLE001  # Its imports fail in many ways where they are too old.
        return None
    return drawing


def environment_names() -> list[str]:
    """Returns the names that `make` accepts."""
    return sorted({*_environments(), *_own(), *_ADDED, *(f"{name}-v0" for name in WORLDS)})


def register_pddl_env(name: str, is_test_env: bool = False, other_args: Mapping[str, Any] | None = None) -> str:
    """Registers an environment, for `make` and for ``gymnasium.make``, and returns its name, such as ``"PDDLEnvLamps-v0"``.

    Parameters
    ----------
    name : str
        The name of the domain. Its files are ``<name>.pddl`` and the folder ``<name>`` or ``<name>_test`` below PDDLGym's
        folder ``pddl``.
    is_test_env : bool
        Whether the problems are those for tests.
    other_args : mapping, optional
        Arguments of `PDDLEnv`. ``domain_file`` and ``problem_dir`` say where files are that PDDLGym does not have.

    Raises
    ------
    FileNotFoundError
        If there are no such files.
    """
    arguments = dict(other_args or {})
    folder = pddlgym_folder() or Path("pddl")
    arguments.setdefault("domain_file", str(folder / f"{name.lower()}.pddl"))
    arguments.setdefault("problem_dir", str(folder / f"{name.lower()}{'_test' if is_test_env else ''}"))
    for key in ("domain_file", "problem_dir"):
        if not Path(arguments[key]).exists():
            raise FileNotFoundError(f"there is no {arguments[key]!r}: give {key!r} among other_args")
    id = f"PDDLEnv{name.capitalize()}{'Test' if is_test_env else ''}-v0"
    _ADDED[id] = arguments
    _register(id)
    return id


def make(id: str, **kwargs: Any) -> Any:
    """Creates an environment by its PDDLGym name.

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
    If the package ``pddlgym`` is installed, the environment has its domain, its problems, and its pictures as far as that
    package can be imported. Otherwise the domains are Herbrand's own counterparts: their predicates, operators and problems
    have other names.
    """
    kwargs.pop("disable_env_checker", None)
    theirs = _ADDED.get(id) or _own().get(id)
    if theirs is not None:
        if "render" not in theirs:
            theirs = {**theirs, "render": _picture(Path(theirs["domain_file"]).stem)}
        return PDDLEnv(**{**theirs, **kwargs})
    world = WORLDS.get(id.removesuffix("-v0")) if id.endswith("-v0") else None
    if world is not None:
        return MyopicPOSAREnv(world, **kwargs) if world.myopic else POSAREnv(world, **kwargs)
    known = _environments()
    if id not in known:
        near = difflib.get_close_matches(id, environment_names(), n=1, cutoff=0.7)
        hint = f": did you mean {near[0]!r}?" if near else ": `environment_names()` lists those that there are"
        if pddlgym_folder() is None:
            hint += "; with the package pddlgym there are more"
        raise gymnasium.error.NameNotFound(f"there is no environment {id!r}{hint}")
    kind, split = known[id]
    folder = _files(kind.domain)
    return kind.environment(folder / "domain.pddl", folder / split, **{**kind.arguments, **kwargs})


@functools.lru_cache(maxsize=None)
def _files(domain: str) -> Path:
    """Writes the files of a bundled domain to a temporary folder, because planners need paths."""
    folder = Path(tempfile.mkdtemp(prefix=f"herbrand-{domain}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (suite,) = Suite.named(domain)
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
        _register(name)


def _register(name: str) -> None:
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
