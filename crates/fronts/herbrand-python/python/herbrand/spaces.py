"""Observation spaces that Gymnasium lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

__all__ = ["AtomTuple", "Atoms"]

AtomTuple = tuple[str, ...]


class Atoms(gymnasium.Space[frozenset[AtomTuple]]):
    """The space of sets of atoms. An element is a frozenset of tuples of a predicate and object names.

    Parameters
    ----------
    predicates : mapping from str to int
        The arity of each predicate.
    objects : sequence of str
        The objects in samples. Observations may contain others, since objects differ between problems.
    seed : int or Generator, optional
    """

    def __init__(
        self,
        predicates: Mapping[str, int],
        objects: Sequence[str] = (),
        seed: int | np.random.Generator | None = None,
    ) -> None:
        self.predicates = dict(predicates)
        self.objects = tuple(objects)
        super().__init__(None, None, seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: sets cannot be flattened to a `Box`."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> frozenset[AtomTuple]:
        """Returns a random set of at most ten atoms. Masks are not supported."""
        if mask is not None or probability is not None:
            raise ValueError("sets of atoms are sampled without masks and probabilities")
        names = [name for name, arity in self.predicates.items() if arity == 0 or self.objects]
        if not names:
            return frozenset()
        count = int(self.np_random.integers(11))
        return frozenset(self._atom(str(self.np_random.choice(names))) for _ in range(count))

    def _atom(self, name: str) -> AtomTuple:
        arity = self.predicates[name]
        arguments = [str(self.np_random.choice(self.objects)) for _ in range(arity)] if arity else []
        return (name, *arguments)

    def contains(self, x: Any) -> bool:
        """Returns whether `x` is a frozenset of atoms of these predicates."""
        return isinstance(x, frozenset) and all(
            isinstance(atom, tuple)
            and len(atom) > 0
            and self.predicates.get(atom[0]) == len(atom) - 1
            and all(isinstance(name, str) for name in atom)
            for atom in x
        )

    def to_jsonable(self, sample_n: Iterable[frozenset[AtomTuple]]) -> list[Any]:
        """Converts each set to a sorted list of lists."""
        return [sorted(list(atom) for atom in sample) for sample in sample_n]

    def from_jsonable(self, sample_n: Sequence[Any]) -> list[frozenset[AtomTuple]]:
        """Inverse of `to_jsonable`."""
        return [frozenset(tuple(atom) for atom in sample) for sample in sample_n]

    def __eq__(self, other: object) -> bool:
        """Returns whether both spaces have the same predicates and objects."""
        return isinstance(other, Atoms) and (self.predicates, self.objects) == (other.predicates, other.objects)

    def __repr__(self) -> str:
        """Returns the predicates with their arities."""
        return f"Atoms({', '.join(f'{name}/{arity}' for name, arity in self.predicates.items())})"
