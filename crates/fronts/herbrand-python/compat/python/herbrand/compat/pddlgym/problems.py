"""PDDLGym's problems, and their parser."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Union

from herbrand import Atom, Domain, Problem, Random, Task

from .._files import write_text
from .engine import Engine, Ground, problem_text
from .entities import Type, TypedEntity
from .formulas import Formula, LiteralConjunction
from .lenient import warn_of_repairs
from .literals import Literal, Predicate
from .structs import State
from .translation import EQUALITY, Vocabulary

if TYPE_CHECKING:
    from .domains import PDDLDomainParser

__all__ = ["PDDLProblemParser"]

_Target = Union[str, "os.PathLike[str]", IO[str]]


class PDDLProblemParser:
    """A problem parsed from a file.

    Parameters
    ----------
    problem_fname : str or path
    domain_name : str
    types : mapping from str to Type
    predicates : mapping from str to Predicate
    action_names : collection of str
        Predicates of the agent's actions. Their atoms are left out of the initial state.
    constants : list of TypedEntity, optional

    Attributes
    ----------
    problem_name : str
    objects : list of TypedEntity
        Sorted, followed by the constants.
    initial_state : frozenset of Literal
    goal : formula

    Raises
    ------
    herbrand.ParseError
        If the file has a fault that cannot be repaired unambiguously. Every other fault is a `PDDLWarning`.
    """

    def __init__(
        self,
        problem_fname: str | os.PathLike[str],
        domain_name: str,
        types: Mapping[str, Type],
        predicates: Mapping[str, Predicate],
        action_names: Collection[Any] = (),
        constants: Iterable[TypedEntity] | None = None,
    ) -> None:
        self.constants = list(constants or [])
        domain = _outline(domain_name, types, predicates, self.constants)
        self._read(problem_fname, domain, dict(types), predicates, action_names)
        if self.model.domain.name != domain_name:
            raise AssertionError("Problem file doesn't match the domain file!")

    @classmethod
    def of(cls, problem_fname: str | os.PathLike[str], domain: PDDLDomainParser) -> PDDLProblemParser:
        """Parses a problem file of a parsed domain."""
        problem = cls.__new__(cls)
        problem.constants = list(domain.constants)
        problem._read(problem_fname, domain.model, domain.types, domain.predicates, domain.actions)
        return problem

    def _read(
        self,
        path: str | os.PathLike[str],
        domain: Domain,
        types: dict[str, Type],
        predicates: Mapping[str, Predicate],
        action_names: Collection[Any],
    ) -> None:
        self.problem_fname = os.fspath(path)
        self.domain_name = domain.name
        self.types = types
        self.predicates = predicates
        self.action_names = action_names
        self.uses_typing = "default" not in types
        self.model = Problem(Path(path).read_bytes(), domain, self.problem_fname)
        warn_of_repairs(self.model.diagnostics)
        self.problem = self.model.text or ""
        self.problem_name = self.model.name
        vocabulary = Vocabulary(types, predicates, {})
        constants = {constant.name for constant in self.constants}
        declared = (one for one in self.model.objects if one.name not in constants)
        objects = sorted(TypedEntity(one.name, vocabulary.type(one.types)) for one in declared)
        self.objects = [*objects, *self.constants]
        self._vocabulary = Vocabulary(types, predicates, {entity.name: entity for entity in self.objects})
        self.initial_state = frozenset(self._initial_literals())
        goal = self.model.goal
        self.goal: Formula = LiteralConjunction([]) if goal is None else self._vocabulary.formula(goal, {})
        self._ground: Ground | None = None
        self._start: tuple[object, State | None] = (None, None)

    def _initial_literals(self) -> list[Literal]:
        hidden = set(map(str, self.action_names))
        atoms = (atom for atom in self.model.init if atom.predicate not in hidden)
        literals = [self._literal(atom) for atom in atoms]
        if "=" in self.predicates:
            literals += [EQUALITY(entity, entity) for entity in self.objects]
        return literals

    def _literal(self, atom: Atom) -> Literal:
        objects = self._vocabulary.objects
        return self.predicates[atom.predicate](*(objects[name] for name in atom.arguments))

    def initial(self, engine: Engine, rng: Random) -> State:
        """Returns the initial state of an episode: that of the attributes, with derived literals."""
        key = (engine, self.initial_state, tuple(self.objects), self.goal, str(self.goal))
        if self._start[0] == key and self._start[1] is not None and not self.model.chances:
            return self._start[1]
        if not self._is_as_read(engine):
            given = State(frozenset(self.initial_state), frozenset(self.objects), self.goal)
            position = engine.locate(given)
            state = given.with_literals(position.literals)
            state._position = position
        else:
            state = self._grounded(engine).initial(rng)
        self._start = (key, state)
        return state

    def _is_as_read(self, engine: Engine) -> bool:
        if engine.domain != self.model.domain:
            return False
        read = self._vocabulary.objects
        goal = self.model.goal
        meant = LiteralConjunction([]) if goal is None else self._vocabulary.formula(goal, {})
        same_objects = list(map(str, self.objects)) == list(map(str, read.values()))
        return same_objects and self.goal == meant and self.initial_state == frozenset(self._initial_literals())

    def _grounded(self, engine: Engine) -> Ground:
        if self._ground is None or self._ground.engine is not engine or self._ground.goal != self.goal:
            equalities = [literal for literal in self.initial_state if literal.predicate.name == "="]
            task = Task(engine.domain, self.model, settings=engine.settings)
            self._ground = engine.ground(task, frozenset(self.objects), self.goal, equalities)
        return self._ground

    @staticmethod
    def pddl_string(
        objects: Iterable[TypedEntity],
        initial_state: Iterable[Literal],
        problem_name: str,
        domain_name: str,
        goal: Formula,
        fast_downward_order: bool = False,
    ) -> str:
        """Returns a problem with a state as its initial state, as PDDL.

        Parameters
        ----------
        objects : iterable of TypedEntity
            The objects without constants.
        initial_state : iterable of Literal
            The initial literals. Derived literals and equalities are left out.
        problem_name, domain_name : str
        goal : formula
        fast_downward_order : bool
            Whether the goal follows the initial state, as some planners require.
        """
        literals = [one for one in initial_state if not one.predicate.is_derived and one.predicate.name != "="]
        return problem_text(problem_name, domain_name, objects, literals, goal, (), fast_downward_order)

    @staticmethod
    def create_pddl_file(
        file_or_filepath: _Target,
        objects: Iterable[TypedEntity],
        initial_state: Iterable[Literal],
        problem_name: str,
        domain_name: str,
        goal: Formula,
        fast_downward_order: bool = False,
    ) -> None:
        """Writes `pddl_string` to a path or an open file."""
        text = PDDLProblemParser.pddl_string(
            objects, initial_state, problem_name, domain_name, goal, fast_downward_order
        )
        if isinstance(file_or_filepath, (str, os.PathLike)):
            write_text(file_or_filepath, text)
        else:
            file_or_filepath.write(text)

    def write(
        self,
        file_or_filepath: _Target,
        objects: Iterable[TypedEntity] | None = None,
        initial_state: Iterable[Literal] | None = None,
        problem_name: str | None = None,
        domain_name: str | None = None,
        goal: Formula | None = None,
        fast_downward_order: bool = False,
    ) -> None:
        """Writes the problem; arguments replace its own parts. Constants are left out of the objects."""
        chosen = self.objects if objects is None else objects
        constants = {constant.name for constant in self.constants}
        PDDLProblemParser.create_pddl_file(
            file_or_filepath,
            [entity for entity in chosen if entity.name not in constants],
            self.initial_state if initial_state is None else initial_state,
            problem_name or self.problem_name,
            domain_name or self.domain_name,
            self.goal if goal is None else goal,
            fast_downward_order,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_ground": None, "_start": (None, None)}


def _outline(
    name: str, types: Mapping[str, Type], predicates: Mapping[str, Predicate], constants: Iterable[TypedEntity]
) -> Domain:
    """Returns a domain with these names, for parsing problems regardless of argument types."""
    names = [one for one in types if one != "object" and not one.startswith("(")]
    typed = " ".join(f"{constant.name} - {constant.var_type}" for constant in constants)
    declared = " ".join(
        "(" + " ".join([one.name, *(f"?v{i}" for i in range(one.arity))]) + ")"
        for one in predicates.values()
        if one.name != "="
    )
    text = f"(define (domain {name}) (:requirements :adl) (:types {' '.join(names)})"
    return Domain(f"{text} (:constants {typed}) (:predicates {declared}))", name, lenient=True)
