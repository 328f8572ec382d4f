"""Where states meet the engine: ground tasks, and where a state stands in one.

A `State` is what users see: frozensets of literals. The engine's states are packed bits. `Ground` is one ground task
with the tables between both; a `Position` is a state's place in it, kept beside the state, so that only what an action
changes is ever translated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ... import model
from ..._herbrand import Domain, Problem, Random, Task
from ..._herbrand import State as EngineState
from .entities import Type, TypedEntity
from .formulas import Formula
from .inference import holds
from .literals import Literal, Predicate
from .structs import State

if TYPE_CHECKING:
    from ..._herbrand import Action, Atom

__all__ = ["Carriers", "Engine", "Ground", "Position", "carriers_of"]

Carriers = tuple[tuple[str, str, tuple["int | str", ...]], ...]
"""Operator, the agent's action that it carries out, and what each parameter of the action is to the operator."""

# So many ground tasks of states that no problem of the domain leads to are kept.
_KEPT = 32


def carriers_of(domain: Domain) -> Carriers | None:
    """How operators carry out the actions of PDDLGym's dialect; None when the domain declares none."""
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
    """By type: it and all types above it."""
    names = [one.name for one in domain.types]
    return {Type(name): {Type(above) for above in names if domain.is_subtype(name, above)} for name in names}


class Engine:
    """A domain, and the ground tasks of its states.

    Parameters
    ----------
    domain : Domain
    carriers : Carriers or None
        None when the operators are the agent's actions.
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
        """The tables of a task."""
        return Ground(self, task, objects, goal, equalities)

    def locate(self, state: State, ground: Ground | None = None) -> Position:
        """Where a state stands.

        Parameters
        ----------
        state : State
        ground : Ground, optional
            The task that is tried first. Where the state does not fit, another one is looked for or made: one with
            the same objects, of which these atoms, and no others, can be reached or always hold.

        Raises
        ------
        ValueError
            When the state has literals that mean nothing in the domain.
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
        """Whether a goal holds in a state."""
        position = self.locate(state)
        if position.ground.goal == goal:
            return position.state.is_goal
        return holds(position.literals, goal, state.objects, self.above)

    @staticmethod
    def _placed(ground: Ground, state: State) -> Position:
        """Where a state stands in the task that was made of it."""
        position = ground.locate(state)
        if position is None:
            raise ValueError("the engine does not find the state that it was just given")
        return position

    def _new_ground(self, state: State, like: Ground | None) -> Ground:
        """A ground task whose initial state this is; its numbers are those of the problem of another one."""
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
        The agent's actions that some state may allow, sorted.
    carried : list of int
        By ground operator: the index of the agent's action that it carries out.
    number : dict from Literal to int
        The index of each action.
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
        # What follows from static atoms alone is among those that always hold.
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
        """The state in which the problem begins, drawn where chance has a part in it."""
        return self.state(self.task.sample_initial(rng) if self.task.problem.chances else self.task.initial_state)

    def state(self, state: EngineState) -> State:
        """A state of the engine as users see it."""
        changing = [self.literals[atom.id] for atom in state.changing]  # type: ignore[index]
        return self._attach(state, self._always.union(changing))

    def successor(self, position: Position, successor: EngineState) -> State:
        """The same, by what has changed since another state."""
        added, removed = successor.changes(position.state)
        changed = [self.literals[number] for number in added]
        changed += [self.literals[number] for number in removed]
        return self._attach(successor, position.literals.symmetric_difference(changed))

    def _attach(self, state: EngineState, literals: frozenset[Literal]) -> State:
        made = State(literals, self.objects, self.goal)
        made._position = Position(self, state, literals)
        return made

    def locate(self, state: State) -> Position | None:
        """Where a state stands in this task; None when it has other objects, or atoms that this task has not."""
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
        """The atom of the same names, whatever types the literal's objects are said to be of."""
        if self._ids_by_name is None:
            self._ids_by_name = {_names(one): number for number, one in enumerate(self.literals)}
        return self._ids_by_name.get(_names(literal))

    def find(self, action: Literal) -> int | None:
        """The index of an action; None for one that no state allows. Objects count by name."""
        number = self.number.get(action)
        if number is not None:
            return number
        if self._by_name is None:
            self._by_name = {_names(literal): number for number, literal in enumerate(self.actions)}
        return self._by_name.get(_names(action))


def _names(literal: Literal) -> tuple[str, ...]:
    return (str(literal.predicate), *(str.__str__(variable) for variable in literal.variables))


class Position:
    """Where a state stands in a ground task.

    Attributes
    ----------
    ground : Ground
    state : herbrand.State
    literals : frozenset of Literal
        The literals of the state, with the derived ones that follow from the others.
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
        """The ground operators that are valid, ascending."""
        if self._valid is None:
            self._valid = self.ground.task.valid_action_ids(self.state)
        return self._valid

    @property
    def actions(self) -> list[int]:
        """The agent's actions that an operator can carry out, ascending."""
        if self._actions is None:
            carried = self.ground.carried
            self._actions = sorted({carried[operator] for operator in self.valid})
        return self._actions

    def operators(self, action: Literal) -> list[int]:
        """The valid operators that carry an action out."""
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
    """A problem as PDDL."""
    typed = "\n\t".join(sorted(f"{entity.name} - {entity.var_type}" for entity in objects))
    facts = [literal.pddl_str() for literal in sorted(literals)]
    facts += [f"(= {term} {value:g})" for term, value in values]
    init = "(:init\n\t" + "\n\t".join(facts) + "\n  )"
    last = f"(:goal {goal.pddl_str()})"
    sections = (init, last) if goal_last else (last, init)
    body = "\n  ".join([f"(:objects\n\t{typed}\n  )", *sections])
    return f"\n(define (problem {name}) (:domain {domain})\n  {body}\n)\n"
