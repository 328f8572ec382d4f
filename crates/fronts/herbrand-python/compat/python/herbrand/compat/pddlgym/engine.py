"""The connection between PDDLGym's states and the engine: ground tasks, and positions of states in them.

Users see a `State`, which contains frozensets of literals. The engine's states are packed bits. A `Ground` is a ground task
with the tables for translation between both. A `Position` is the engine's state for a `State`; it is stored with the
`State`, so that a step translates only the atoms that it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from herbrand import Domain, Problem, Random, Task, model
from herbrand import State as EngineState

from .entities import Type, TypedEntity
from .formulas import Formula
from .inference import holds
from .literals import Literal, Predicate
from .structs import State

if TYPE_CHECKING:
    from herbrand import Action, Atom

__all__ = ["Carriers", "Engine", "Ground", "Position", "carriers_of"]

Carriers = tuple[tuple[str, str, tuple["int | str", ...]], ...]
"""For each operator: its name, the agent's action that it carries out, and for each parameter of the action its value.

A value is the index of a parameter of the operator, or a constant.
"""

# # The maximal number of cached ground tasks for states that do not belong to a problem of the domain.
_KEPT = 32


def carriers_of(domain: Domain) -> Carriers | None:
    """Returns the actions that operators carry out in PDDLGym's dialect; None if the domain declares no actions."""
    if all(operator.agent_action is None for operator in domain.operators):
        return None
    found: list[tuple[str, str, tuple[int | str, ...]]] = []
    for operator in domain.operators:
        indexes: dict[str, int] = {parameter.name: i for i, parameter in enumerate(operator.parameters)}
        action = operator.agent_action
        if action is None:
            found.append((operator.name, operator.name, tuple(indexes.values())))
            continue
        arguments = tuple(indexes[a.name] if isinstance(a, model.Variable) else a for a in action.arguments)
        found.append((operator.name, action.predicate, arguments))
    return tuple(found)


def types_above(domain: Domain) -> dict[Type, set[Type]]:
    """Maps each type to itself and all its supertypes."""
    names = [one.name for one in domain.types]
    return {Type(name): {Type(above) for above in names if domain.is_subtype(name, above)} for name in names}


class Engine:
    """A domain, with a cache of ground tasks for its states.

    Parameters
    ----------
    domain : Domain
    carriers : Carriers or None
        None if the operators are the agent's actions.
    predicates : mapping from str to Predicate
    """

    def __init__(
        self,
        domain: Domain,
        carriers: Carriers | None,
        predicates: Mapping[str, Predicate],
        settings: str | None = None,
    ) -> None:
        self.domain, self.settings = domain, settings
        self.predicates = dict(predicates)
        self.carriers = carriers
        self.carried = {operator: (action, arguments) for operator, action, arguments in carriers or ()}
        self.has_axioms = any(predicate.is_derived for predicate in self.predicates.values())
        self.above = types_above(domain)
        self._grounds: list[Ground] = []

    def ground(
        self, task: Task, objects: frozenset[TypedEntity], goal: Formula, equalities: Iterable[Literal] = ()
    ) -> Ground:
        """Builds the tables of a task."""
        return Ground(self, task, objects, goal, equalities)

    def locate(self, state: State, ground: Ground | None = None) -> Position:
        """Returns the position of a state in a ground task.

        Parameters
        ----------
        state : State
        ground : Ground, optional
            The task to try first. If the state does not fit, another task is searched or created: a task with the same
            objects in which all atoms of the state are reachable or always true.

        Raises
        ------
        ValueError
            If the state has literals that do not belong to the domain.
        """
        position = state._position
        if position is not None and position.ground.engine is self:
            return position
        tried = [*([ground] if ground is not None else []), *self._grounds]
        for candidate in tried:
            position = candidate.locate(state)
            if position is not None:
                break
        else:
            position = self._placed(self._new_ground(state, ground), state)
        state._position = position
        return position

    def satisfies(self, state: State, goal: Formula) -> bool:
        """Returns whether a goal is true in a state."""
        position = self.locate(state)
        if position.ground.goal == goal:
            return position.state.is_goal
        return holds(position.literals, goal, state.objects, self.above)

    @staticmethod
    def _placed(ground: Ground, state: State) -> Position:
        """Returns the position of a state in the task that was created from it."""
        position = ground.locate(state)
        if position is None:
            raise ValueError("the engine does not find the state that it was just given")
        return position

    def _new_ground(self, state: State, like: Ground | None) -> Ground:
        """Creates a ground task with this initial state; numeric values are copied from the problem of `like`."""
        self._check(state)
        constants = {constant.name for constant in self.domain.constants}
        objects = [o for o in state.objects if o.name not in constants]
        atoms = [l for l in state.literals if l.predicate.name != "=" and not l.predicate.is_derived]
        values = like.task.problem.values if like is not None else ()
        text = problem_text("state", self.domain.name, objects, atoms, state.goal, values)
        task = Task(self.domain, Problem(text, self.domain, "state"), settings=self.settings)
        equalities = [literal for literal in state.literals if literal.predicate.name == "="]
        ground = self.ground(task, state.objects, state.goal, equalities)
        self._grounds = [ground, *self._grounds[: _KEPT - 1]]
        return ground

    def _check(self, state: State) -> None:
        objects = {entity.name for entity in state.objects} | {one.name for one in self.domain.constants}
        for literal in sorted(state.literals):
            if literal.is_negative or literal.is_anti or literal.negated_as_failure:
                raise ValueError(f"a state has no negated literals: {literal}")
            if literal.predicate.name not in self.predicates and literal.predicate.name != "=":
                raise ValueError(f"the domain has no predicate `{literal.predicate.name}`: {literal}")
            for entity in literal.variables:
                if entity.name not in objects:
                    raise ValueError(f"the state has no object `{entity.name}`: {literal}")


class Ground:
    """A ground task with its atoms and actions as literals.

    Attributes
    ----------
    actions : list of Literal
        The agent's actions that are applicable in some state, sorted.
    carried : list of int
        The index of the agent's action that each ground operator carries out.
    number : dict from Literal to int
        Maps each action to its index.
    """

    def __init__(
        self,
        engine: Engine,
        task: Task,
        objects: frozenset[TypedEntity],
        goal: Formula,
        equalities: Iterable[Literal] = (),
    ) -> None:
        self.engine = engine
        self.task = task
        self.objects = objects
        self.goal = goal
        self._named = {entity.name: entity for entity in objects}
        self.literals = [self._literal(atom) for atom in task.ground_atoms]
        self._ids = {literal: number for number, literal in enumerate(self.literals)}
        self._ids_by_name: dict[tuple[str, ...], int] | None = None
        self._fixed_from = len(self.literals) - len(task.static_atoms)
        fixed = self.literals[self._fixed_from :]
        self._always = frozenset([*fixed, *equalities])
        # # Literals derived only from static atoms are always true as well.
        self._always_derived = [literal for literal in fixed if literal.predicate.is_derived]
        self._given = len(fixed) - len(self._always_derived)
        self._number_actions()

    def _literal(self, atom: Atom) -> Literal:
        return self.engine.predicates[atom.predicate](*(self._named[name] for name in atom.arguments))

    def _number_actions(self) -> None:
        of_operator = [self._agent_action(action) for action in self.task.ground_actions]
        self.actions = sorted(set(of_operator))
        self.number = {literal: number for number, literal in enumerate(self.actions)}
        self.carried = [self.number[literal] for literal in of_operator]
        self.operators: list[list[int]] = [[] for _ in self.actions]
        for operator, number in enumerate(self.carried):
            self.operators[number].append(operator)
        self._by_name: dict[tuple[str, ...], int] | None = None

    def _agent_action(self, action: Action) -> Literal:
        names = action.arguments
        name = action.name
        if name in self.engine.carried:
            name, chosen = self.engine.carried[name]
            names = tuple(names[one] if isinstance(one, int) else one for one in chosen)
        return self.engine.predicates[name](*(self._named[one] for one in names))

    def initial(self, rng: Random) -> State:
        """Returns the initial state, drawn at random if it is probabilistic."""
        return self.state(self.task.sample_initial(rng) if self.task.problem.chances else self.task.initial_state)

    def state(self, state: EngineState) -> State:
        """Converts a state of the engine to a `State`."""
        changing = [self.literals[atom.id] for atom in state.changing]  # type: ignore[index]
        return self._attach(state, self._always.union(changing))

    def successor(self, position: Position, successor: EngineState) -> State:
        """Converts a successor by applying only its changes to the literals of `position`."""
        added, removed = successor.changes(position.state)
        changed = [self.literals[number] for number in added]
        changed += [self.literals[number] for number in removed]
        return self._attach(successor, position.literals.symmetric_difference(changed))

    def _attach(self, state: EngineState, literals: frozenset[Literal]) -> State:
        made = State(literals, self.objects, self.goal)
        made._position = Position(self, state, literals)
        return made

    def locate(self, state: State) -> Position | None:
        """Returns the position of a state in this task; None if it has other objects or unknown atoms."""
        if state.objects != self.objects:
            return None
        ids, renamed = [], []
        for literal in state.literals:
            if literal.predicate.is_derived or literal.predicate.name == "=":
                continue
            number = self._ids.get(literal)
            if number is None:
                number = self._renamed(literal)
                if number is None:
                    return None
                renamed.append((literal, self.literals[number]))
            ids.append(number)
        changing = [number for number in ids if number < self._fixed_from]
        if len(ids) - len(changing) != self._given:
            return None
        found = self.task.state(changing)
        literals = state.literals
        if renamed:
            wrong, right = zip(*renamed)
            literals = literals.difference(wrong).union(right)
        if self.engine.has_axioms:
            plain = [literal for literal in literals if not literal.predicate.is_derived]
            derived = [self.literals[atom.id] for atom in found.changing]  # type: ignore[index]
            literals = frozenset([*plain, *derived, *self._always_derived])
        return Position(self, found, literals)

    def _renamed(self, literal: Literal) -> int | None:
        """Returns the atom with the same names, regardless of the types in the literal."""
        if self._ids_by_name is None:
            self._ids_by_name = {_names(one): number for number, one in enumerate(self.literals)}
        return self._ids_by_name.get(_names(literal))

    def find(self, action: Literal) -> int | None:
        """Returns the index of an action, compared by names; None if it is not applicable in any state."""
        number = self.number.get(action)
        if number is not None:
            return number
        if self._by_name is None:
            self._by_name = {_names(literal): number for number, literal in enumerate(self.actions)}
        return self._by_name.get(_names(action))


def _names(literal: Literal) -> tuple[str, ...]:
    return (str(literal.predicate), *(str.__str__(variable) for variable in literal.variables))


class Position:
    """The engine's counterpart of a `State` in a ground task.

    Attributes
    ----------
    ground : Ground
    state : herbrand.State
    literals : frozenset of Literal
        The literals of the state, with recomputed derived literals.
    """

    __slots__ = ("_actions", "_valid", "ground", "literals", "state")

    def __init__(self, ground: Ground, state: EngineState, literals: frozenset[Literal]) -> None:
        self.ground = ground
        self.state = state
        self.literals = literals
        self._valid: list[int] | None = None
        self._actions: list[int] | None = None

    @property
    def valid(self) -> list[int]:
        """The valid ground operators in ascending order."""
        if self._valid is None:
            self._valid = self.ground.task.valid_action_ids(self.state)
        return self._valid

    @property
    def actions(self) -> list[int]:
        """The agent's actions with a valid operator, in ascending order."""
        if self._actions is None:
            carried = self.ground.carried
            self._actions = sorted({carried[operator] for operator in self.valid})
        return self._actions

    def operators(self, action: Literal) -> list[int]:
        """Returns the valid operators that carry out an action."""
        number = self.ground.find(action)
        if number is None:
            return []
        carriers = self.ground.operators[number]
        if len(carriers) == 1 and self._valid is None:
            task, state = self.ground.task, self.state
            return carriers if task.is_valid(state, carriers[0]) else []
        carried = self.ground.carried
        return [operator for operator in self.valid if carried[operator] == number]


def problem_text(
    name: str,
    domain: str,
    objects: Iterable[TypedEntity],
    literals: Iterable[Literal],
    goal: Formula,
    values: Iterable[tuple[Any, float]] = (),
    goal_last: bool = True,
) -> str:
    """Returns a problem as PDDL text."""
    typed = "\n\t".join(sorted(f"{entity.name} - {entity.var_type}" for entity in objects))
    facts = [literal.pddl_str() for literal in sorted(literals)]
    facts += [f"(= {term} {value:g})" for term, value in values]
    init = "(:init\n\t" + "\n\t".join(facts) + "\n  )"
    last = f"(:goal {goal.pddl_str()})"
    sections = (init, last) if goal_last else (last, init)
    body = "\n  ".join([f"(:objects\n\t{typed}\n  )", *sections])
    return f"\n(define (problem {name}) (:domain {domain})\n  {body}\n)\n"
