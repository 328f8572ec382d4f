"""What is recorded: problems, seeds, steps and a policy, and how that is split into shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from .._herbrand import RddlSuite, Suite
from ..base_vector import BaseVecEnv
from ..rddl.vector import RddlVecEnv
from ..vector import VecEnv

__all__ = ["Policy", "Recipe", "Share"]


class Policy(Protocol):
    """Chooses actions; a function or object that can be pickled.

    It is called with the observations, ``(num_envs, …)``, the action masks, ``(num_envs, actions)``, the indexes of the
    problems, ``(num_envs,)``, and a generator for its own draws, which is made from the seed of the share.
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
    """The number of its first environment."""
    count: int
    """How many environments it has."""


@dataclass(frozen=True)
class Recipe:
    """What makes a data set, to the byte.

    Environment ``i`` has the seed ``seed + i`` and takes `steps` steps; where an episode ends the next one begins.

    Parameters
    ----------
    suite : Suite or RddlSuite
        The problems, as `herbrand.suite` gives them.
    num_envs : int
        How many environments.
    steps : int
        How many steps each of them takes.
    seed : int
        From 0, below 2**63.
    policy : Policy, optional
        Who chooses; a uniformly random valid action if left out, which is much the fastest.
    observation : str
        As for `herbrand.make_vec`, an array; in RDDL it is always the flat vector.
    options : mapping
        Other options of the environments, as for `herbrand.make_vec`: ``horizon``, ``through_goals``, ….
    share : int
        How many environments a share has. It bounds what a worker holds in memory, and is part of what the files look like.
    block : int
        How many steps of them are held at once: a row group of Parquet has ``share * block`` rows.
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
        """How many rows the data set has: one per environment and step."""
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
        """Environments as the recipe has them, before their first reset."""
        common: dict[str, Any] = {"num_envs": count, "autoreset_mode": "SameStep", "statistics": False, **self.options}
        if isinstance(self.suite, RddlSuite):
            return RddlVecEnv(self.suite, actions="flat", observation="flat", **common)
        return VecEnv(self.suite, observation=self.observation, **common)  # type: ignore[arg-type]

    def to_data(self) -> dict[str, Any]:
        """The recipe as JSON has it; with the texts of the problems, so that nothing else is needed to make it again."""
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
        """The recipe that `to_data` wrote.

        Parameters
        ----------
        data : mapping
        policy : Policy, optional
            The policy, of which the data only have the name.

        Raises
        ------
        ValueError
            When the data name another policy.
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
    """The value as JSON has it."""
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
    """What a file is called in messages, without the folders of the machine that it was on."""
    return PurePath(path).name
