"""State spaces as arrays: states, transitions, distances, dead ends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ._files import check_new, new_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._herbrand import Action, RddlTask, Task

__all__ = ["StateSpace"]

_State = TypeVar("_State")


@dataclass(frozen=True, eq=False, repr=False)
class StateSpace(Generic[_State]):
    """The states that a breadth-first search finds, and the transitions between them, as NumPy arrays.

    States have numbers in the order of discovery. A *choice* is an action that is valid in a state; it has one outcome for each
    successor that it may lead to::

        state   s    choices   first_choices[s] : first_choices[s + 1]
        choice  c    action    actions[c]         outcomes  first_outcomes[c] : first_outcomes[c + 1]
        outcome o    state     targets[o]         probabilities[o]   costs[o]

    Distances count every outcome as a step that can be chosen, so with chance they are the least that luck allows.
    `Task.state_space` and `RddlTask.state_space` create one.

    Attributes
    ----------
    task : Task or RddlTask
        The task.
    action_objects : sequence of Action, or of mappings from str to value
        The actions by their numbers: ground actions, or joint actions of RDDL.
    states : array of uint64, states × words
        The bits of each state: bit ``i % 64`` of word ``i // 64`` is the truth of fluent atom `i`, or of the `i`-th state fluent
        of type bool. `bits` unpacks them.
    numbers : array of float64, states × numbers
        The numeric fluents of each state; NaN if undefined. In RDDL, the state fluents that are not bools. Numbers that only
        the metric reads keep their first value if each action changes them by a constant amount.
    starts, start_probabilities : arrays of int32 and float64
        The start states and their probabilities.
    expanded : int
        The number of expanded states, which have the smallest numbers. The others have no choices here.
    limit : str or None
        The reason why states are missing; None if the space is complete.
    goals : array of bool
        Whether the goal holds in each state.
    first_choices, actions, first_outcomes, targets : arrays of int32
        The transitions.
    probabilities, costs : arrays of float64
        The probability and the cost of each outcome: the amount that the step adds to the metric, which may be negative, or that
        it takes away if the metric is maximised. 1 without a metric, or if the metric is no linear sum. In RDDL the cost is the
        negated reward.
    start_steps, goal_steps : arrays of int32
        The least number of steps from a start state, and to a goal state; −1 if there is no way.
    goal_costs : array of float64, or None
        The least cost to a goal state, or infinity. None if some cost is negative.
    dead_ends : array of bool
        Whether no goal state can be reached. A state from which an unexpanded state can be reached is not counted.
    components : array of int32
        The strongly connected component of each state. A step never leads to a component with a greater number.
    rounding : str or None
        The reason why numbers may be rounded, so that states may be missing, or be two instead of one: 0.1, for example, is not
        exact in binary. None if all numbers are exact, and in RDDL.

    Examples
    --------
    >>> import herbrand
    >>> space = herbrand.load("blocks").state_space()
    >>> len(space), space.complete, int(space.goals.sum())
    (5, True, 1)
    >>> int(space.start_steps.max()), int(space.dead_ends.sum())
    (4, 0)
    >>> space.state(0) == space.task.initial_state
    True
    """

    task: Task | RddlTask
    action_objects: Sequence[Action] | Sequence[dict[str, Any]]
    states: NDArray[np.uint64]
    numbers: NDArray[np.float64]
    starts: NDArray[np.int32]
    start_probabilities: NDArray[np.float64]
    expanded: int
    limit: str | None
    goals: NDArray[np.bool_]
    first_choices: NDArray[np.int32]
    actions: NDArray[np.int32]
    first_outcomes: NDArray[np.int32]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    costs: NDArray[np.float64]
    start_steps: NDArray[np.int32]
    goal_steps: NDArray[np.int32]
    goal_costs: NDArray[np.float64] | None
    dead_ends: NDArray[np.bool_]
    components: NDArray[np.int32]
    rounding: str | None = None

    def __len__(self) -> int:
        """Returns the number of states."""
        return len(self.goals)

    def __repr__(self) -> str:
        """Returns a summary."""
        part = "" if self.complete else ", a part of the space"
        return f"StateSpace({len(self)} states, {len(self.targets)} transitions{part})"

    @property
    def complete(self) -> bool:
        """Whether all states were found and expanded."""
        return self.limit is None

    def state(self, number: int) -> _State:
        """Returns the state with a number.

        Raises
        ------
        IndexError
            If there is no such state.
        """
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} states, so no number {number}")
        row = (self.states[number].tolist(), self.numbers[number].tolist())
        state: Any = self.task._state_of_row(*row)  # noqa: SLF001
        return state  # type: ignore[no-any-return]

    def bits(self) -> NDArray[np.uint8]:
        """Returns the states as a matrix of 0 and 1, with a row for each state.

        In PDDL, column ``i`` is the atom ``task.ground_atoms[i]``, for the atoms that actions change. Atoms that are derived or
        never change have no column. In RDDL, the columns are the bits of `states`; the last ones, which fill up the words,
        are 0.
        """
        octets = self.states.astype("<u8", copy=False).view(np.uint8)
        columns = len(_names_of_bits(self.task).get("atoms", [])) or None
        return np.unpackbits(octets.reshape(len(self), -1), axis=1, count=columns, bitorder="little")

    def counts(self) -> dict[str, NDArray[Any]]:
        """Counts the outcomes of each state, those that lead to it, and its shortest plans, as arrays with an entry for each state.

        Returns
        -------
        dict from str to array
            ``"outcomes"`` and ``"nearer"``, ``"level"``, ``"farther"`` among them, which lead nearer to a goal state, to a state
            at the same distance, or farther away or to a dead end; ``"incoming"``, the outcomes that lead to the state; and
            ``"shortest_plans"``, the ways to a goal state by `goal_steps` outcomes, as float64, exact up to 2**53.

        Examples
        --------
        >>> import herbrand
        >>> counts = herbrand.load("blocks", "train/01").state_space().counts()
        >>> counts["outcomes"].tolist(), counts["shortest_plans"].tolist()
        ([1, 2, 2, 2, 1], [1.0, 1.0, 1.0, 1.0, 1.0])
        """
        size = len(self)
        choices = np.repeat(np.arange(size), np.diff(self.first_choices))
        sources = choices[np.repeat(np.arange(len(self.actions)), np.diff(self.first_outcomes))]
        far = np.iinfo(np.int32).max
        steps = np.where(self.goal_steps < 0, far, self.goal_steps)
        here, there = steps[sources], steps[self.targets]
        plans = (steps == 0).astype(np.float64)
        order = np.argsort(here, kind="stable")
        order = order[(there < here)[order]]
        levels = np.unique(here[order], return_index=True)[1][1:]
        for edges in np.split(order, levels):
            np.add.at(plans, sources[edges], plans[self.targets[edges]])
        groups = {"outcomes": sources, "nearer": sources[there < here], "level": sources[(there == here) & (here < far)]}
        groups |= {"farther": sources[there > here], "incoming": self.targets}
        return {name: np.bincount(states, minlength=size) for name, states in groups.items()} | {"shortest_plans": plans}

    def successors(self, number: int) -> Iterator[tuple[Any, list[tuple[float, float, int]]]]:
        """Iterates over the choices of a state: each an action, with its outcomes as tuples of probability, cost and state."""
        for choice in range(self.first_choices[number], self.first_choices[number + 1]):
            outcomes = slice(self.first_outcomes[choice], self.first_outcomes[choice + 1])
            columns = (self.probabilities[outcomes], self.costs[outcomes], self.targets[outcomes])
            yield self.action_objects[self.actions[choice]], list(zip(*(column.tolist() for column in columns), strict=True))

    def adjacency(self, weight: str = "costs") -> Any:
        """Returns the transitions as a sparse matrix of SciPy, states × states, whose indices are not copied. Without chance,
        its data are not copied either. Several actions from one state to another are several entries; ``sum_duplicates`` of a
        copy adds them up.

        Parameters
        ----------
        weight : {"costs", "probabilities", "ones"}
            The data of the matrix: the costs or the probabilities of the outcomes, or 1 for each.

        Returns
        -------
        scipy.sparse.csr_array
        """
        from scipy.sparse import csr_array

        if weight not in ("costs", "probabilities", "ones"):
            raise ValueError(f'weight is "costs", "probabilities" or "ones", not {weight!r}')
        data = np.ones(len(self.targets)) if weight == "ones" else getattr(self, weight)
        certain = len(self.targets) == len(self.actions)
        starts = self.first_choices if certain else self.first_outcomes[self.first_choices]
        return csr_array((data, self.targets, starts), shape=(len(self), len(self)), copy=False)

    def transition_matrix(self) -> Any:
        """Returns the probabilities as a sparse matrix of SciPy, choices × states, whose arrays are not copied: the hyperedges of
        a Markov decision process. Each row sums to 1.

        Returns
        -------
        scipy.sparse.csr_array
        """
        from scipy.sparse import csr_array

        arrays = (self.probabilities, self.targets, self.first_outcomes)
        return csr_array(arrays, shape=(len(self.actions), len(self)), copy=False)

    def to_networkx(self) -> Any:
        """Returns the space as a graph of NetworkX. Nodes are numbers of states, with the attributes ``goal``, ``dead_end``,
        ``start_steps`` and ``goal_steps``; edges are outcomes, with ``action``, ``choice``, ``probability`` and ``cost``.

        Returns
        -------
        networkx.MultiDiGraph
        """
        import networkx

        graph = networkx.MultiDiGraph()
        columns = (self.goals, self.dead_ends, self.start_steps, self.goal_steps)
        for number, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            names = ("goal", "dead_end", "start_steps", "goal_steps")
            graph.add_node(number, **dict(zip(names, values, strict=True)))
        choice_states = np.repeat(np.arange(len(self)), np.diff(self.first_choices))
        choices = np.repeat(np.arange(len(self.actions)), np.diff(self.first_outcomes))
        edges = (choice_states[choices], self.targets, choices, self.probabilities, self.costs)
        actions = self.actions.tolist()
        for source, target, choice, probability, cost in zip(*(column.tolist() for column in edges), strict=True):
            action = str(self.action_objects[actions[choice]])
            graph.add_edge(source, target, action=action, choice=choice, probability=probability, cost=cost)
        return graph

    def to_parquet(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the space as tables in Parquet. Needs ``pip install 'herbrand[data]'``.

        - ``states.parquet`` has a row for each state: its number, the words of its ``bits``, its ``numbers``, the probability
          that it is the start, and the attributes of this class that have an entry for each state, such as ``goal``. The
          metadata of the file have the keys ``complete``, ``limit`` and, for a `Task`, ``atoms``: the names of the bits. Their
          values are JSON.
        - ``transitions.parquet`` has a row for each outcome: source, choice, action, target, probability and cost.
        - ``actions.parquet`` has the text of each action.

        Parameters
        ----------
        folder : str or path
            The folder; it is made if it does not exist.
        overwrite : bool
            Whether existing files may be overwritten. Otherwise one raises FileExistsError, and none is written.
        """
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise ImportError("files in Parquet need PyArrow: pip install 'herbrand[data]'") from error

        def lists(rows: NDArray[Any]) -> Any:
            return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), rows.shape[1])

        states: dict[str, Any] = {"state": np.arange(len(self), dtype=np.int32)}
        states |= {name: lists(rows) for name, rows in (("bits", self.states), ("numbers", self.numbers)) if rows.shape[1]}
        start = np.zeros(len(self))
        np.add.at(start, self.starts, self.start_probabilities)
        states |= {"start_probability": start, "expanded": np.arange(len(self)) < self.expanded, "goal": self.goals}
        states |= {"dead_end": self.dead_ends, "start_steps": self.start_steps, "goal_steps": self.goal_steps}
        states |= {} if self.goal_costs is None else {"goal_cost": self.goal_costs}
        states["component"] = self.components
        about = {"complete": self.complete, "limit": self.limit, "rounding": self.rounding} | _names_of_bits(self.task)
        metadata = {name: json.dumps(value) for name, value in about.items()}
        choices = np.repeat(np.arange(len(self.actions), dtype=np.int32), np.diff(self.first_outcomes))
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_choices))
        transitions: dict[str, Any] = {"source": sources[choices], "choice": choices, "action": self.actions[choices]}
        transitions |= {"target": self.targets, "probability": self.probabilities, "cost": self.costs}
        actions = {"action": [_named(one) for one in self.action_objects]}
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tables = {
            folder / "states.parquet": pyarrow.table(states).replace_schema_metadata(metadata),
            folder / "transitions.parquet": pyarrow.table(transitions),
            folder / "actions.parquet": pyarrow.table(actions),
        }
        for path in tables:
            check_new(path, overwrite)
        for path, table in tables.items():
            with new_file(path, overwrite) as file:
                parquet.write_table(table, file)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Writes all arrays to an ``.npz`` file, which `numpy.load` reads. The program's ``herbrand space --out`` writes the same
        arrays and the names of bits, numbers and actions.

        Parameters
        ----------
        path : str or path
            The file; ``.npz`` is appended to a name with another ending.
        overwrite : bool
            Whether an existing file may be overwritten. Otherwise it raises FileExistsError.
        """
        arrays: dict[str, Any] = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        name = fspath(path)
        with new_file(name if name.endswith(".npz") else f"{name}.npz", overwrite) as file:
            np.savez(file, expanded=self.expanded, complete=self.complete, **arrays)


def _names_of_bits(task: Any) -> dict[str, list[str]]:
    """Returns the atoms of a task's bits under the key ``atoms``; nothing for RDDL."""
    if not hasattr(task, "ground_atoms"):
        return {}
    return {"atoms": [str(atom) for atom in task.ground_atoms[: task.arrays().fluents]]}


def _named(action: Any) -> str:
    """Returns a ground action, or a joint action of RDDL, as text."""
    return json.dumps(action) if isinstance(action, dict) else str(action)
