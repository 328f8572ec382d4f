"""PDDLGym's domains, and their parser."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from herbrand import Domain, Suite, model
from herbrand.sources import domain_texts

from .._files import write_text
from .engine import Carriers, Engine, carriers_of
from .entities import Type, TypedEntity
from .formulas import LiteralConjunction, LiteralDisjunction
from .lenient import warn_of_repairs
from .literals import DerivedPredicate, Predicate
from .operators import Operator, most_likely
from .translation import EQUALITY, Vocabulary, conjunction

__all__ = ["PDDLDomain", "PDDLDomainParser"]


class PDDLDomain:
    """A planning domain.

    Parameters
    ----------
    domain_name : str
    types : dict from str to Type
    type_hierarchy : dict from Type to set of Type
        Maps each type to its direct subtypes.
    predicates : dict from str to Predicate
        All predicates, including those of the agent's actions.
    operators : dict from str to Operator
    actions : set of str or Predicate
        The names of the agent's actions; if operators are actions, their predicates.
    constants : list of TypedEntity
    operators_as_actions : bool
        Whether the operators are the agent's actions.
    is_probabilistic : bool

    Notes
    -----
    Operators, predicates and types may be modified in place. The engine detects the changes on the next use of the domain.
    """

    def __init__(
        self,
        domain_name: str | None = None,
        types: dict[str, Type] | None = None,
        type_hierarchy: dict[Type, set[Type]] | None = None,
        predicates: dict[str, Predicate] | None = None,
        operators: dict[str, Operator] | None = None,
        actions: Iterable[Any] | None = None,
        constants: list[TypedEntity] | None = None,
        operators_as_actions: bool = False,
        is_probabilistic: bool = False,
    ) -> None:
        self.domain_name = domain_name or "domain"
        self.types = types or {}
        self.type_hierarchy = type_hierarchy or {}
        self.predicates = predicates or {}
        self.operators = operators or {}
        self.actions: set[Any] = set(actions or ())
        self.constants = constants or []
        self.operators_as_actions = operators_as_actions
        self.is_probabilistic = is_probabilistic
        self.requirements: tuple[str, ...] = (":typing",)
        self.functions: tuple[model.Function, ...] = ()
        self._engine: Engine | None = None
        self._engine_of: object = None

    @property
    def type_to_parent_types(self) -> dict[Type, set[Type]]:
        """Maps each type to itself and all its supertypes."""
        unions = [type for type in self.types.values() if type.startswith("(either ")]
        above: dict[Type, set[Type]] = {type: {type} for type in self.types.values()}
        for type, found in above.items():
            open_ = [*(part for part in _members(type) if part in above), type]
            while open_:
                here = open_.pop()
                found.add(here)
                open_ += [parent for parent, below in self.type_hierarchy.items() if here in below - {parent}]
        for type, found in above.items():
            found.update(union for union in unions if found.intersection(_members(union)))
        return above

    def determinize(self) -> None:
        """Replaces each probabilistic effect by its most likely outcome; ties go to the first."""
        assert self.is_probabilistic
        for operator in self.operators.values():
            operator.effects = most_likely(operator.effects) or LiteralConjunction([])

    def to_string(self) -> str:
        """Returns the domain as PDDL. The agent's actions are in a comment, in PDDLGym's dialect.

        If the operators are the actions, it is plain PDDL for any planner.
        """
        agent = [] if self.operators_as_actions else sorted(map(str, self.actions))
        hidden = set(self.operators) if self.operators_as_actions else set()
        predicates = [p.pddl_str() for p in self.predicates.values() if p.name != "=" and p.name not in hidden]
        derived = [p.derived_pddl_str() for p in self.predicates.values() if isinstance(p, DerivedPredicate)]
        sections = [
            f"(:requirements {' '.join(self._requirements())})",
            f"(:types {self._types_pddl_str()})" if self.types else "",
            f"(:constants {_typed(self.constants)})" if self.constants else "",
            "(:predicates " + "\n\t".join(predicates) + "\n  )",
            "(:functions " + " ".join(map(str, self.functions)) + ")" if self.functions else "",
            f"; (:actions {' '.join(agent)})" if agent else "",
            *derived,
            *(operator.pddl_str() for operator in self.operators.values()),
        ]
        body = "\n  ".join(section for section in sections if section)
        return f"\n(define (domain {self.domain_name})\n  {body}\n)\n"

    def write(self, fname: str | os.PathLike[str]) -> None:
        """Writes `to_string` to a file."""
        write_text(fname, self.to_string())

    def _requirements(self) -> list[str]:
        found = [*self.requirements, ":equality" if "=" in self.predicates else "", ":typing"]
        found += [":derived-predicates"] if any(p.is_derived for p in self.predicates.values()) else []
        chance = any("PROBABILISTIC" in str(operator.effects) for operator in self.operators.values())
        found += [":probabilistic-effects"] if chance else []
        left_out = {"", "" if chance else ":probabilistic-effects"}
        return [one for one in dict.fromkeys(found) if one not in left_out]

    def _types_pddl_str(self) -> str:
        lines = []
        placed: set[str] = {"object"}
        for above, below in self.type_hierarchy.items():
            names = sorted(name for name in map(str.__str__, below) if name != above)
            if names:
                lines.append(f"{' '.join(names)} - {above}")
                placed.update(names)
        above_only = [str.__str__(type) for type in self.type_hierarchy if type not in placed]
        rest = [name for name in self.types if name not in placed and not name.startswith("(")]
        return "\n\t".join([*lines, " ".join(dict.fromkeys([*above_only, *rest]))]).strip()

    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.types, self.predicates, {entity.name: entity for entity in self.constants})

    def _fingerprint(self) -> object:
        """Returns a key that changes if the engine must be rebuilt."""
        operators = tuple(map(str, self.operators.values()))
        predicates = tuple((str(p), p.arity, p.var_types and tuple(p.var_types)) for p in self.predicates.values())
        bodies = tuple(p.derived_pddl_str() for p in self.predicates.values() if isinstance(p, DerivedPredicate))
        hierarchy = tuple((above, frozenset(below)) for above, below in self.type_hierarchy.items())
        constants = tuple(map(str, self.constants))
        return operators, predicates, bodies, hierarchy, constants, tuple(self.types), self.operators_as_actions

    def _current_engine(self) -> Engine:
        """Returns the engine for the current contents of the domain."""
        fingerprint = self._fingerprint()
        if self._engine is None or fingerprint != self._engine_of:
            # # Operators may have arguments of the wrong type, like the file that the domain was read from.
            model_ = Domain(self.to_string(), self.domain_name, lenient=True)
            carriers = None if self.operators_as_actions else carriers_of(model_)
            settings = None if self._engine is None else self._engine.settings
            self._engine = Engine(model_, carriers, self.predicates, settings)
            self._engine_of = fingerprint
        return self._engine

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None, "_engine_of": None}


class PDDLDomainParser(PDDLDomain):
    """A domain parsed from a file.

    Parameters
    ----------
    domain_fname : str or path
        If the file is named ``domain.pddl``, settings (``env.toml``) beside it are read too.
    expect_action_preds : bool
        Whether the agent's actions are declared, in PDDLGym's dialect or in the settings. If they are not declared, the
        operators are the actions.
    operators_as_actions : bool
        Whether the operators are the agent's actions, whatever the file declares.

    Raises
    ------
    herbrand.ParseError
        If the file has a fault that cannot be repaired unambiguously. Every other fault is a `PDDLWarning`.

    Attributes
    ----------
    domain : str
        The text of the file.
    domain_fname : str
    uses_typing : bool
    """

    def __init__(
        self,
        domain_fname: str | os.PathLike[str],
        expect_action_preds: bool = True,
        operators_as_actions: bool = False,
    ) -> None:
        self.domain_fname = os.fspath(domain_fname)
        name, source, settings = domain_texts(Path(domain_fname))
        file, text = source
        self.model = Domain(text, file, lenient=True)
        warn_of_repairs(self.model.diagnostics)
        as_actions = operators_as_actions or not expect_action_preds
        suite = Suite.from_texts(name, source, settings, [], as_actions, read=self.model)
        self.domain = self.model.text or ""
        carriers = suite.carriers
        types, hierarchy = _types(self.model)
        super().__init__(
            domain_name=self.model.name,
            types=types,
            type_hierarchy=hierarchy,
            operators_as_actions=carriers is None,
            is_probabilistic=":probabilistic-effects" in self.model.requirements,
        )
        self.uses_typing = "default" not in types
        self.requirements = self.model.requirements
        self.functions = tuple(function for function in self.model.functions if not function.implicit)
        vocabulary = self._vocabulary()
        self.constants = sorted(
            TypedEntity(constant.name, vocabulary.type(constant.types)) for constant in self.model.constants
        )
        self._declare_predicates(carriers)
        self._declare_operators(carriers)
        self._engine = Engine(self.model, carriers, self.predicates, suite.settings)
        self._engine_of = self._fingerprint()

    def _declare_predicates(self, carriers: Carriers | None) -> None:
        vocabulary = self._vocabulary()
        derived = {axiom.predicate for axiom in self.model.axioms}
        for declared in self.model.predicates:
            if declared.kind == "action" and carriers is None:
                continue
            kind = DerivedPredicate if declared.name in derived else Predicate
            types = [vocabulary.type(parameter.types) for parameter in declared.parameters]
            self.predicates[declared.name] = kind(declared.name, len(types), types)
        for operator in self.model.operators:
            _declare_action(self.predicates, operator, carriers, vocabulary)
        used = f"{self.model.operators}{self.model.axioms}"
        if "Equal(" in used:
            self.predicates["="] = EQUALITY
        _declare_rules(self.model.axioms, self.predicates, self._vocabulary())
        names = [operator.name for operator in self.model.operators]
        if carriers is None:
            self.actions = {self.predicates[name] for name in names}
        else:
            self.actions = {action for _, action, _ in carriers}

    def _declare_operators(self, carriers: Carriers | None) -> None:
        vocabulary = self._vocabulary()
        carried = {operator: (action, arguments) for operator, action, arguments in carriers or ()}
        for operator in self.model.operators:
            params, variables = vocabulary.bind(operator.parameters, {})
            preconds = conjunction(vocabulary.formula(operator.precondition, variables))
            if operator.name in carried:
                action, arguments = carried[operator.name]
                terms = [params[a] if isinstance(a, int) else vocabulary.objects[a] for a in arguments]
                preconds = LiteralConjunction([self.predicates[action](*terms), *preconds.literals])
            effects = conjunction(vocabulary.effect(operator.effect, variables))
            self.operators[operator.name] = Operator(operator.name, params, preconds, effects)
        chance = any("PROBABILISTIC" in str(operator.effects) for operator in self.operators.values())
        self.is_probabilistic = self.is_probabilistic or chance


def _members(union: Type) -> list[Type]:
    """Returns the member types of a union."""
    return [Type(name) for name in union[len("(either ") : -1].split()] if union.startswith("(") else []


def _typed(entities: Iterable[TypedEntity]) -> str:
    return "\n\t".join(sorted(f"{entity.name} - {entity.var_type}" for entity in entities))


def _types(domain: Domain) -> tuple[dict[str, Type], dict[Type, set[Type]]]:
    """Returns the types, and the direct subtypes of each.

    An untyped domain has the single type ``default``. The type ``object`` is included if anything has it.
    """
    declared = [one for one in domain.types if one.name != "object"]
    if not declared:
        return {"default": Type("default")}, {}
    parameters = [parameter for predicate in domain.predicates for parameter in predicate.parameters]
    parameters += [parameter for operator in domain.operators for parameter in operator.parameters]
    used = any("object" in one.types for one in parameters)
    used = used or any("object" in one.types for one in domain.constants)
    # # Some files declare `object` as a subtype of another type.
    used = used or any(one.parents for one in domain.types if one.name == "object")
    names = [*(["object"] if used else []), *(one.name for one in declared)]
    types = {name: Type(name) for name in names}
    hierarchy: dict[Type, set[Type]] = {}
    for one in domain.types:
        for parent in one.parents:
            if parent in types and one.name in types:
                hierarchy.setdefault(types[parent], set()).add(types[one.name])
    return types, hierarchy


def _declare_action(
    predicates: dict[str, Predicate],
    operator: model.Operator,
    carriers: Carriers | None,
    vocabulary: Vocabulary,
) -> None:
    """Adds the predicate of an operator's action if it is missing."""
    name, indexes = operator.name, tuple(range(len(operator.parameters)))
    for carrier, action, arguments in carriers or ():
        if carrier == operator.name:
            name, indexes = action, arguments  # type: ignore[assignment]
    if name in predicates:
        return
    types = [
        vocabulary.type(operator.parameters[index].types) if isinstance(index, int) else vocabulary.type(("object",))
        for index in indexes
    ]
    predicates[name] = Predicate(name, len(types), types)


def _declare_rules(
    axioms: Iterable[model.Axiom], predicates: Mapping[str, Predicate], vocabulary: Vocabulary
) -> None:
    """Adds the rules of the axioms to the derived predicates."""
    for axiom in axioms:
        predicate = predicates[axiom.predicate]
        assert isinstance(predicate, DerivedPredicate)
        params, variables = vocabulary.bind(axiom.parameters, {})
        rule = vocabulary.formula(axiom.body, variables)
        if predicate.body is None or predicate.param_names is None:
            predicate.setup([param.name for param in params], rule)
            predicate._rules = [(params, rule)]
            continue
        predicate._rules.append((params, rule))
        names = {p.name: TypedEntity(first, e.var_type) for p, first, e in zip(axiom.parameters, predicate.param_names, params)}
        further = vocabulary.formula(axiom.body, names)
        bodies = predicate.body.literals if len(predicate._rules) > 2 else [predicate.body]  # type: ignore[union-attr]
        predicate.body = LiteralDisjunction([*bodies, further])
