"""Recipes of data sets: problems, seeds, steps and a policy, and the division into shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from .._herbrand import RddlSuite, Suite
from .._repr import OneLine
from ..base_vector import BaseVecEnv
from ..rddl.vector import RddlVecEnv
from ..vector import VecEnv

__all__ = ["Policy", "Recipe", "Share"]


class Policy(Protocol):
    """A policy: a function or object that chooses actions and can be pickled.

    It is called with the observations, ``(num_envs, …)``, the action masks, ``(num_envs, actions)``, the problem indexes,
    ``(num_envs,)``, and a random generator seeded by the share.
    """

    def __call__(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        problems: NDArray[np.int64],
        generator: np.random.Generator,
        /,
    ) -> NDArray[Any]: ...


@dataclass(frozen=True)
class Share:
    """A part of a recipe: consecutive environments, with all their steps."""

    index: int
    first: int
    """The number of the first environment."""
    count: int
    """The number of environments."""


@dataclass(frozen=True, repr=False)
class Recipe(OneLine):
    """The definition of a data set, down to the bytes of its files.

    Environment ``i`` has the seed ``seed + i`` and takes `steps` steps. If an episode ends, the next one begins.

    Parameters
    ----------
    suite : Suite or RddlSuite
        The problems, as returned by `herbrand.suite`.
    num_envs : int
        The number of environments.
    steps : int
        The number of steps per environment.
    seed : int
        The seed of environment 0, from 0 and below 2**63.
    policy : Policy, optional
        The policy; by default uniformly random valid actions, which is by far the fastest.
    observation : str
        As for `herbrand.make_vec`; observations must be arrays. In RDDL it is always the flat vector.
    options : mapping
        Other options of the environments, as for `herbrand.make_vec`: ``horizon``, ``through_goals``, ….
    share : int
        The number of environments per share. It bounds the memory of a worker and determines the division into files.
    block : int
        The number of steps held in memory at once: a Parquet row group has ``share * block`` rows.
    """

    suite: Suite | RddlSuite
    num_envs: int = 256
    steps: int = 1000
    seed: int = 0
    policy: Policy | None = None
    observation: str = "packed-bits"
    options: Mapping[str, Any] = field(default_factory=dict)
    share: int = 256
    block: int = 64

    def __post_init__(self) -> None:
        for name in ("num_envs", "steps", "share", "block"):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < 1:
                raise ValueError(f"{name} is a whole number from 1, not {value!r}")
        if not 0 <= self.seed < 2**63 - self.num_envs:
            raise ValueError(f"seed is a whole number from 0 to 2**63, not {self.seed!r}")
        if not isinstance(self.suite, (Suite, RddlSuite)):
            raise TypeError(f"suite must come from `herbrand.suite`, not {self.suite!r}")
        taken = {"num_envs", "autoreset_mode", "observation", "actions", "copy", "statistics"}
        unknown = taken & set(self.options)
        if unknown:
            raise ValueError(f"`{unknown.pop()}` is set by the recipe; leave out the option")

    @property
    def rows(self) -> int:
        """The number of rows of the data set: one per environment and step."""
        return self.num_envs * self.steps

    @property
    def is_rddl(self) -> bool:
        """Whether the problems are in RDDL."""
        return isinstance(self.suite, RddlSuite)

    def shares(self) -> list[Share]:
        """All shares, in the order of their environments."""
        starts = range(0, self.num_envs, self.share)
        return [Share(i, first, min(self.share, self.num_envs - first)) for i, first in enumerate(starts)]

    def environments(self, count: int) -> BaseVecEnv:
        """Creates `count` environments with the options of the recipe, before their first reset."""
        common: dict[str, Any] = {"num_envs": count, "autoreset_mode": "SameStep", "statistics": False, **self.options}
        if isinstance(self.suite, RddlSuite):
            return RddlVecEnv(self.suite, actions="flat", observation="flat", **common)
        return VecEnv(self.suite, observation=self.observation, **common)  # type: ignore[arg-type]

    def to_data(self) -> dict[str, Any]:
        """Returns the recipe as JSON data. It includes the texts of the problems, so it is self-contained."""
        policy = None if self.policy is None else _name(self.policy)
        return {
            "language": "rddl" if self.is_rddl else "pddl",
            "suite": _plain(self.suite.__reduce__()[1]),
            "environments": self.num_envs,
            "steps": self.steps,
            "seed": self.seed,
            "policy": policy,
            "observation": "flat" if self.is_rddl else self.observation,
            "options": _plain(dict(self.options)),
            "share": self.share,
            "block": self.block,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], policy: Policy | None = None) -> Recipe:
        """Rebuilds a recipe from the result of `to_data`.

        Parameters
        ----------
        data : mapping
        policy : Policy, optional
            The policy; the data contain only its name.

        Raises
        ------
        ValueError
            If the data name another policy.
        """
        name = None if policy is None else _name(policy)
        if name != data["policy"]:
            wanted = data["policy"] or "the random policy"
            raise ValueError(f"the data were recorded with {wanted}, not with {name or 'the random policy'}")
        suite = _rddl_suite(data["suite"]) if data["language"] == "rddl" else _pddl_suite(data["suite"])
        return cls(
            suite,
            num_envs=data["environments"],
            steps=data["steps"],
            seed=data["seed"],
            policy=policy,
            observation="packed-bits" if data["language"] == "rddl" else data["observation"],
            options=data["options"],
            share=data["share"],
            block=data["block"],
        )


def _name(policy: Any) -> str:
    kind = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{kind.__module__}.{kind.__qualname__}"


def _plain(value: Any) -> Any:
    """Converts a value to JSON data. Raises `TypeError` if it cannot be converted."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"an option of a recipe is a number, a text or a list of them, not {value!r}")


def _pddl_suite(data: list[Any]) -> Suite:
    name, domain, config, problems, operators, limits, chosen = data
    pair = None if config is None else (config[0], config[1])
    named = [(split, title, _file(file), text) for split, title, file, text in problems]
    return Suite.from_texts(name, (_file(domain[0]), domain[1]), pair, named, operators, (limits[0], limits[1]), chosen)


def _rddl_suite(data: list[Any]) -> RddlSuite:
    bundled, (name, files), chosen, limits, preconditions = data
    restore: Any = RddlSuite._restore  # type: ignore[attr-defined]
    texts = (name, [(_file(file), text) for file, text in files])
    found: RddlSuite = restore(bundled, texts, chosen, (limits[0], limits[1]), preconditions)
    return found


def _file(path: Union[str, PurePath]) -> str:
    """Returns a file name for messages, without the folders of the original machine."""
    return PurePath(path).name
