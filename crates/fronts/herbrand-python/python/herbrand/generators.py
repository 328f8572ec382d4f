"""Random generation of new problems of the bundled domains, each with a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

from ._herbrand import Action, Generator, Problem, Suite
from ._repr import OneLine
from .sources import pddl_suite as suite

__all__ = ["Generated", "Generator", "generate", "generate_suite"]


@dataclass(frozen=True, repr=False)
class Generated(OneLine):
    """A generated problem.

    Attributes
    ----------
    problem : Problem
    plan : tuple of Action
        Operators that lead to the goal. In a probabilistic domain they reach it with positive probability.
    """

    problem: Problem
    plan: tuple[Action, ...]


def generate(domain: str, size: int, *, seed: int = 0, index: int = 0) -> Generated:
    """Generates problem number `index` for a seed and a size.

    Parameters
    ----------
    domain : str
        The name of a bundled domain, or of one of its levels.
    size : int
        The size. `Generator.size_meaning` says what it counts; `Generator.sizes` has the smallest and the largest.
    seed, index : int
        Numbers from 0. A problem depends only on `domain`, `size`, `seed` and `index`.

    Raises
    ------
    UnknownNameError
        If the domain does not exist.
    ValueError
        If the size is out of range.

    Examples
    --------
    >>> import herbrand
    >>> made = herbrand.generate("blocks", 4, seed=7)
    >>> task = herbrand.load("blocks", made.problem)
    >>> state = task.initial_state
    >>> for action in made.plan:
    ...     state = task.apply(state, action)
    >>> state.is_goal
    True
    """
    name, text, plan = _draw(Generator(domain), size, seed, index)
    return Generated(Problem(text, suite(domain).domain, name), tuple(map(Action.parse, plan)))


def _draw(generator: Generator, size: int, seed: int, index: int) -> tuple[str, str, list[str]]:
    """Generates a problem. Raises `ValueError` for negative numbers."""
    for name, number in (("size", size), ("seed", seed), ("index", index)):
        if not isinstance(number, SupportsIndex):
            raise TypeError(f"{name} is an int, not {number!r}")
    least, most = generator.sizes
    if size < 0:
        meaning = generator.size_meaning
        raise ValueError(f"{generator.domain} has problems of size {least} to {most} ({meaning}), not {size}")
    if min(seed, index) < 0:
        raise ValueError(f"seed and index are 0 or more, not {min(seed, index)}")
    return generator.draw(size, seed, index)


def generate_suite(domain: str, size: int, *, count: int, seed: int = 0, operators: bool = False) -> Suite:
    """Creates a suite of the first `count` problems for a seed and a size, with the settings of the bundled domain.

    Parameters
    ----------
    domain, size, seed
        As for `generate`.
    count : int
        The number of problems, at least 1.
    operators : bool, default False
        As for `herbrand.suite`.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make(herbrand.generate_suite("sokoban", 6, count=3, seed=1))
    >>> env.suite.problem_names
    ('sokoban-6-1-0', 'sokoban-6-1-1', 'sokoban-6-1-2')
    """
    if count < 1:
        raise ValueError(f"count is 1 or more, not {count}")
    generator, bundled = Generator(domain), suite(domain, operators=operators)
    drawn = (_draw(generator, size, seed, index) for index in range(count))
    problems: list[tuple[str | None, str, str, str | bytes]] = [(None, name, name, text) for name, text, _ in drawn]
    settings = None if bundled.settings is None else ("env.toml", bundled.settings)
    text = bundled.domain.text or bundled.domain.to_pddl()
    return Suite.from_texts(bundled.name, ("domain.pddl", text), settings, problems, operators)
