"""Ground tasks as arrays: facts, operators and axioms, for heuristics and networks of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._herbrand import Task

__all__ = ["GroundArrays"]


@dataclass(frozen=True, eq=False, repr=False)
class GroundArrays:
    """The facts, operators and axioms of a ground task as NumPy arrays. `Task.arrays` creates one.

    Every list of lists is a pair of arrays: the items of list `i` are ``NAME[first_NAME[i] : first_NAME[i + 1]]``. Ids are
    positions in `Task.ground_atoms` and `Task.ground_actions`.

    ::

        action     precondition (condition), effect (block), cost
        condition  conjunctions, one of which holds        conjunction  literals and comparisons, all of which hold
        block      adds, deletes, assignments, conditional blocks, draws      draw  blocks with probabilities
        axiom      head (atom) if body (conjunction)

    Attributes
    ----------
    task : Task
        The task.
    fluents, atoms : int
        The number of fluent atoms, which have the smallest ids, and of fluent and derived atoms.
    initial : array of int32
        The fluent atoms that are true in the initial state. The block `initial_effect` has its random part.
    goal : int
        The condition of the goal.
    first_conjunctions : array of int32
        The first conjunction of each condition; the last entry is the number of conjunctions.
    first_literals, literals : arrays of int32
        The literals of each conjunction: the id of an atom, or ``~id`` if it must be false.
    first_comparisons : array of int32
        The comparisons of each conjunction.
    comparison_operators, comparison_left, comparison_right, comparison_negated : arrays
        For each comparison: 0 for ``<``, 1 for ``<=``, 2 for ``=``, 3 for ``>=``, 4 for ``>``; the expressions on both sides;
        whether it is negated.
    expression_kinds, expression_values, expression_left, expression_right : arrays
        For each expression its kind: 0 for a constant, whose value is in `expression_values`; 1 for a numeric fluent, whose id is
        in `expression_left`; 2 if undefined; 3 to 6 for ``+``, ``-``, ``*`` and ``/`` of the expressions `expression_left` and
        `expression_right`; 7 to 9 for ``total-time``, ``goal-achieved`` and ``goal-probability``.
    first_adds, adds, first_deletes, deletes : arrays of int32
        The atoms that each block makes true and false. An atom that one action adds and deletes is true afterwards.
    first_assignment_targets, assignment_targets, assignment_values, assignment_operators : arrays of int32
        The numeric effects of each block: the numeric fluent, the expression, and 0 to 4 for ``assign``, ``increase``,
        ``decrease``, ``scale-up`` and ``scale-down``.
    first_when_blocks, when_blocks, when_conditions : arrays of int32
        The conditional effects of each block: blocks, and their conditions.
    first_draws, draws : arrays of int32
        The draws of each block, which are independent of each other.
    first_alternative_blocks, alternative_blocks, alternative_probabilities : arrays
        The alternatives of each draw: blocks, and their probabilities. The rest up to 1 is no change.
    action_schemas, action_preconditions, action_effects : arrays of int32
        The schema, the condition and the block of each action.
    action_costs : array of float64
        The least cost of a step by each action, as for `StateSpace.costs`: its cost if it is the same in all states; NaN if it
        depends on numbers that change.
    axiom_heads, axiom_bodies, first_axioms : arrays of int32
        The axioms, and the first axiom of each stratum. Axioms only negate atoms of earlier strata.
    state_numbers : int
        The number of numeric fluents of a state, which have the smallest ids. The others accumulate costs and rewards.
    initial_numbers : array of float64
        The initial value of each numeric fluent; NaN if undefined.

    Examples
    --------
    >>> import herbrand
    >>> arrays = herbrand.load("blocks").arrays()
    >>> arrays.action_effects.shape == arrays.action_costs.shape
    True
    >>> first = arrays.action_effects[0]
    >>> added = arrays.adds[arrays.first_adds[first] : arrays.first_adds[first + 1]]
    >>> all(0 <= atom < arrays.fluents for atom in added)
    True
    """

    task: Task
    fluents: int
    atoms: int
    goal: int
    initial_effect: int
    initial: NDArray[np.int32]
    first_conjunctions: NDArray[np.int32]
    first_literals: NDArray[np.int32]
    literals: NDArray[np.int32]
    first_comparisons: NDArray[np.int32]
    comparison_operators: NDArray[np.int32]
    comparison_left: NDArray[np.int32]
    comparison_right: NDArray[np.int32]
    comparison_negated: NDArray[np.bool_]
    expression_kinds: NDArray[np.int32]
    expression_values: NDArray[np.float64]
    expression_left: NDArray[np.int32]
    expression_right: NDArray[np.int32]
    first_adds: NDArray[np.int32]
    adds: NDArray[np.int32]
    first_deletes: NDArray[np.int32]
    deletes: NDArray[np.int32]
    first_assignment_targets: NDArray[np.int32]
    assignment_targets: NDArray[np.int32]
    assignment_values: NDArray[np.int32]
    assignment_operators: NDArray[np.int32]
    first_when_blocks: NDArray[np.int32]
    when_blocks: NDArray[np.int32]
    when_conditions: NDArray[np.int32]
    first_draws: NDArray[np.int32]
    draws: NDArray[np.int32]
    first_alternative_blocks: NDArray[np.int32]
    alternative_blocks: NDArray[np.int32]
    alternative_probabilities: NDArray[np.float64]
    action_schemas: NDArray[np.int32]
    action_preconditions: NDArray[np.int32]
    action_effects: NDArray[np.int32]
    action_costs: NDArray[np.float64]
    axiom_heads: NDArray[np.int32]
    axiom_bodies: NDArray[np.int32]
    first_axioms: NDArray[np.int32]
    state_numbers: int
    initial_numbers: NDArray[np.float64]

    def __repr__(self) -> str:
        """Returns a summary."""
        return f"GroundArrays({self.atoms} atoms, {len(self.action_effects)} actions, {len(self.axiom_heads)} axioms)"

    def effect_matrix(self, part: str) -> Any:
        """Returns the unconditional effects as a sparse matrix of SciPy, actions × atoms, with 1 where an action has the effect.

        Parameters
        ----------
        part : {"adds", "deletes"}
            The effects. Those under conditions and draws are in other blocks, and are left out.

        Returns
        -------
        scipy.sparse.csr_array
        """
        from scipy.sparse import csr_array

        if part not in ("adds", "deletes"):
            raise ValueError(f'part is "adds" or "deletes", not {part!r}')
        items, starts = getattr(self, part), getattr(self, f"first_{part}")
        blocks = csr_array((np.ones(len(items)), items, starts), shape=(len(starts) - 1, self.atoms))
        return blocks[self.action_effects]
