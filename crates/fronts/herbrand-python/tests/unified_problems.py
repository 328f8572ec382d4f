"""Random problems of Unified Planning, with all kinds of conditions and effects that Herbrand's engines support."""

from __future__ import annotations

import random
from typing import Any

from unified_planning.exceptions import UPConflictingEffectsException
from unified_planning.shortcuts import (
    LE,
    LT,
    Always,
    And,
    BoolType,
    Equals,
    Exists,
    Fluent,
    Forall,
    Iff,
    Implies,
    InstantaneousAction,
    IntType,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    Not,
    Object,
    Or,
    Plus,
    Problem,
    Times,
    UserType,
    Variable,
)


class Drawn:
    """Draws a problem; the same seed gives the same problem. Without `numbers`, all fluents are truth values."""

    def __init__(self, seed: int, *, numbers: bool = True) -> None:
        self.draw = random.Random(seed)
        self.numbers = numbers
        self.thing: Any = UserType("Thing")
        self.kinds: list[Any] = [UserType("Kind one", self.thing), UserType("kind_two", self.thing)]
        first = self.kinds[0]
        self.flag = Fluent("flag", BoolType())
        self.marked = Fluent("Marked!", BoolType(), t=self.thing)
        self.linked = Fluent("linked", BoolType(), a=first, b=self.thing)
        self.level = Fluent("level", IntType(0, 4) if self.draw.random() < 0.5 else IntType())
        self.weight = Fluent("weight", IntType(), a=first)
        self.place = Fluent("place", self.thing, a=first)
        self.objects = [Object(f"{kind.name} {number}", kind) for kind in self.kinds for number in range(2)]

    def problem(self) -> Any:
        """Returns the problem."""
        draw, problem = self.draw, Problem("drawn")
        for fluent in (self.flag, self.marked, self.linked):
            problem.add_fluent(fluent, default_initial_value=draw.random() < 0.3)
        if self.numbers:
            problem.add_fluent(self.level, default_initial_value=draw.randrange(3))
            problem.add_fluent(self.weight, default_initial_value=draw.randrange(3))
            problem.add_fluent(self.place, default_initial_value=self.objects[draw.randrange(4)])
        problem.add_objects(self.objects)
        for one in self.objects:
            problem.set_initial_value(self.marked(one), draw.random() < 0.5)
        actions = [self.action(f"Act {number}") for number in range(draw.randrange(2, 5))]
        problem.add_actions(actions)
        for _ in range(draw.randrange(1, 3)):
            problem.add_goal(self.condition([], 2))
        if self.numbers and draw.random() < 0.3:
            problem.add_trajectory_constraint(Always(Or(self.literal([]), LE(self.level(), draw.randrange(1, 5)))))
        if draw.random() < 0.5:
            problem.add_quality_metric(MinimizeSequentialPlanLength())
        else:
            problem.add_quality_metric(MinimizeActionCosts({one: draw.randrange(4) for one in actions}))
        return problem

    def action(self, name: str) -> Any:
        """Returns an action with random parameters, conditions and effects."""
        kinds = [self.draw.choice([*self.kinds, self.thing]) for _ in range(self.draw.randrange(3))]
        given: dict[str, Any] = {f"x{number}": kind for number, kind in enumerate(kinds)}
        action = InstantaneousAction(name, **given)
        parameters = list(action.parameters)
        for _ in range(self.draw.randrange(3)):
            action.add_precondition(self.condition(parameters, 2))
        for _ in range(self.draw.randrange(1, 5)):
            try:
                self.add_effect(action, parameters)
            except UPConflictingEffectsException:
                pass
        return action

    def add_effect(self, action: Any, parameters: list[Any]) -> None:
        """Adds a random effect."""
        draw = self.draw
        condition = self.condition(parameters, 1) if draw.random() < 0.4 else True
        way = draw.randrange(8 if self.numbers else 4)
        if way < 3:
            value = self.literal(parameters) if draw.random() < 0.3 else draw.random() < 0.6
            action.add_effect(self.atom(parameters), value, condition)
        elif way == 3:
            every = Variable("every", self.thing)
            action.add_effect(self.marked(every), draw.random() < 0.5, self.condition([every], 1), forall=[every])
        elif way == 4:
            place = self.place(self.term(self.kinds[0], parameters))
            action.add_effect(place, self.term(self.thing, parameters), condition)
        elif way == 5:
            action.add_effect(self.number(parameters), self.sum(parameters), condition)
        else:
            add = action.add_increase_effect if way == 6 else action.add_decrease_effect
            add(self.number(parameters), draw.randrange(1, 3), condition)

    def term(self, kind: Any, terms: list[Any]) -> Any:
        """Returns an object, or a parameter or variable of a type."""
        fitting = [one for one in [*terms, *self.objects] if kind.is_compatible(one.type)]
        return self.draw.choice(fitting)

    def atom(self, terms: list[Any]) -> Any:
        """Returns a fluent of type bool."""
        way = self.draw.randrange(4)
        if way == 0:
            return self.flag()
        if way == 1:
            return self.linked(self.term(self.kinds[0], terms), self.term(self.thing, terms))
        return self.marked(self.term(self.thing, terms))

    def literal(self, terms: list[Any]) -> Any:
        """Returns an atom or its negation."""
        atom = self.atom(terms)
        return Not(atom) if self.draw.random() < 0.4 else atom

    def number(self, terms: list[Any]) -> Any:
        """Returns a fluent of type int."""
        return self.level() if self.draw.random() < 0.5 else self.weight(self.term(self.kinds[0], terms))

    def sum(self, terms: list[Any]) -> Any:
        """Returns an expression of numbers."""
        make = self.draw.choice([Plus, Times])
        return make(self.number(terms), self.draw.randrange(3))

    def condition(self, terms: list[Any], depth: int) -> Any:
        """Returns a formula."""
        way = self.draw.randrange(12 if depth else 6)
        if way < 4 or (way < 6 and not self.numbers):
            return self.literal(terms)
        if way == 4:
            compare = self.draw.choice([LE, LT, Equals])
            return compare(self.number(terms), self.draw.randrange(4))
        if way == 5:
            if terms and self.draw.random() < 0.5:
                return Not(Equals(self.draw.choice(terms), self.term(self.thing, terms)))
            return Equals(self.place(self.term(self.kinds[0], terms)), self.term(self.thing, terms))
        if way < 9:
            make = self.draw.choice([And, Or, Iff, Implies])
            return make(self.condition(terms, depth - 1), self.condition(terms, depth - 1))
        variable = Variable(f"v{depth}", self.draw.choice([*self.kinds, self.thing]))
        quantify = self.draw.choice([Exists, Forall])
        return quantify(self.condition([*terms, variable], depth - 1), variable)
