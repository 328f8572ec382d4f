"""Herbrand's grounder as an engine of Unified Planning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unified_planning.engines import CompilationKind, CompilerResult
from unified_planning.engines.compilers import Grounder
from unified_planning.engines.mixins.compiler import CompilerMixin
from unified_planning.model import Action as UnifiedAction
from unified_planning.model import Effect, FNode, InstantaneousAction, MinimizeActionCosts, ProblemKind
from unified_planning.model import Problem as UnifiedProblem
from unified_planning.model.walkers import Simplifier
from unified_planning.plans import ActionInstance

from ...ground_arrays import GroundArrays
from ...limits import LimitsLike
from .convert import Written
from .kinds import SIMULATED, HerbrandEngine

__all__ = ["HerbrandGrounder"]

_Instance = tuple[UnifiedAction, tuple[FNode, ...]]


class HerbrandGrounder(HerbrandEngine, CompilerMixin):  # type: ignore[misc]
    """Herbrand's grounder as a compiler: the engine ``herbrand-grounder``.

    The compiled problem has an action without parameters for each ground action that Herbrand finds reachable from the
    initial state. Every plan of the problem is kept. If all changing fluents are truth values, the conditions and
    effects are those of Herbrand's ground task: without what never changes, and mostly as disjunctions of conjunctions.

    Parameters
    ----------
    limits : Limits or mapping, optional
        Limits for grounding.
    """

    features = SIMULATED
    title = "herbrand-grounder"

    def __init__(self, limits: LimitsLike = None) -> None:
        HerbrandEngine.__init__(self)
        CompilerMixin.__init__(self, CompilationKind.GROUNDING)
        self._limits = limits

    @staticmethod
    def supports_compilation(compilation_kind: CompilationKind) -> bool:
        """Returns whether the engine supports this kind of compilation."""
        return bool(compilation_kind == CompilationKind.GROUNDING)

    @staticmethod
    def resulting_problem_kind(
        problem_kind: ProblemKind, compilation_kind: CompilationKind | None = None
    ) -> ProblemKind:
        """Returns the kind of the compiled problem."""
        return problem_kind.clone()

    def _compile(self, problem: UnifiedProblem, compilation_kind: CompilationKind) -> CompilerResult:
        written = Written(problem, for_planner=False, limits=self._limits)
        instances = [written.instance(ground) for ground in written.task.ground_actions]
        changed = [effect.fluent.type for action in problem.actions for effect in action.effects]
        arrays = written.task.arrays()
        # Axioms are the parts of conditions that would be too long as disjunctions.
        simple = not len(arrays.comparison_operators) and not len(arrays.axiom_heads)
        if simple and all(kind.is_bool_type() for kind in changed):
            compiled = _Ground(problem, written, instances, arrays).problem()
            originals = dict(zip((action.name for action in compiled.actions), instances, strict=True))
            back: Any = lambda one: ActionInstance(*originals[one.action.name])  # noqa: E731
        else:
            reachable: dict[UnifiedAction, list[tuple[FNode, ...]]] = {}
            for action, arguments in instances:
                reachable.setdefault(action, []).append(arguments)
            result: Any = Grounder(grounding_actions_map=reachable).compile(problem, compilation_kind)
            compiled, back = result.problem, result.map_back_action_instance
        compiled.name = f"{self.name}_{problem.name}"
        return CompilerResult(compiled, back, self.name)


class _Ground:
    """Makes a problem of the arrays of a ground task."""

    def __init__(
        self, problem: UnifiedProblem, written: Written, instances: Sequence[_Instance], arrays: GroundArrays
    ) -> None:
        self._problem, self._instances = problem, instances
        self._manager = problem.environment.expression_manager
        self._atoms = [written.expression(atom) for atom in written.task.ground_atoms[: arrays.atoms]]
        self._denied = [self._manager.Not(atom) for atom in self._atoms]
        self._true, self._false = self._manager.TRUE(), self._manager.FALSE()
        # Python's lists are read faster than arrays, one item at a time.
        self._lists: dict[str, list[int]] = {
            name: value.tolist() for name, value in vars(arrays).items() if hasattr(value, "tolist")
        }
        self._effects: dict[tuple[int, bool, FNode], Effect] = {}

    def problem(self) -> UnifiedProblem:
        """Returns the problem, whose actions are in the order of the instances."""
        compiled = self._problem.clone()
        compiled.clear_actions()
        compiled.clear_quality_metrics()
        actions = [self._action(number, name) for number, name in enumerate(self._names())]
        # `add_action` compares each name with all others.
        compiled._actions.extend(actions)  # noqa: SLF001
        for metric in self._problem.quality_metrics:
            if isinstance(metric, MinimizeActionCosts):
                metric = MinimizeActionCosts(self._costs(metric, actions), environment=self._problem.environment)
            compiled.add_quality_metric(metric)
        return compiled

    def _names(self) -> Iterator[str]:
        """Iterates over names for the actions: the action and its arguments, with a number if that is taken."""
        problem = self._problem
        named = [*problem.fluents, *problem.all_objects, *problem.user_types, *problem.actions]
        known, taken = {one.name for one in named}, set[str]()
        for action, arguments in self._instances:
            base = name = "_".join([action.name, *map(str, arguments)]) if arguments else action.name
            number = 0
            while name in taken or (arguments and name in known):
                name, number = f"{base}_{number}", number + 1
            taken.add(name)
            yield name

    def _action(self, number: int, name: str) -> InstantaneousAction:
        action = InstantaneousAction(name, _env=self._problem.environment)
        rows = self._conjunctions(self._lists["action_preconditions"][number])
        alternatives = [self._literals(row) for row in rows]
        one = alternatives[0] if len(alternatives) == 1 else [self._condition(alternatives)]
        action._set_preconditions(one)  # noqa: SLF001
        for effect in self._block(self._lists["action_effects"][number], self._true):
            action._add_effect_instance(effect)  # noqa: SLF001
        return action

    def _items(self, name: str, row: int) -> list[int]:
        """Returns a row of a list of lists."""
        starts = self._lists[f"first_{name}"]
        return self._lists[name][starts[row] : starts[row + 1]]

    def _conjunctions(self, condition: int) -> range:
        starts = self._lists["first_conjunctions"]
        return range(starts[condition], starts[condition + 1])

    def _literals(self, conjunction: int) -> list[FNode]:
        literals = self._items("literals", conjunction)
        return [self._atoms[one] if one >= 0 else self._denied[~one] for one in literals]

    def _condition(self, conjunctions: Sequence[Sequence[FNode]]) -> FNode:
        """Returns a disjunction of conjunctions as a formula."""
        return self._manager.Or(self._manager.And(one) for one in conjunctions).simplify()

    def _block(self, block: int, condition: FNode) -> Iterator[Effect]:
        """Iterates over the effects of a block under a condition."""
        adds = self._items("adds", block)
        for atom in self._items("deletes", block):
            if atom not in adds:
                yield self._effect(atom, False, condition)
        for atom in adds:
            yield self._effect(atom, True, condition)
        conditions = self._lists["when_conditions"]
        starts = self._lists["first_when_blocks"]
        for when in range(starts[block], starts[block + 1]):
            further = self._condition([self._literals(row) for row in self._conjunctions(conditions[when])])
            both = further if condition.is_true() else self._manager.And(condition, further).simplify()
            yield from self._block(self._lists["when_blocks"][when], both)

    def _effect(self, atom: int, value: bool, condition: FNode) -> Effect:
        key = (atom, value, condition)
        if key not in self._effects:
            self._effects[key] = Effect(self._atoms[atom], self._true if value else self._false, condition)
        return self._effects[key].clone()

    def _costs(self, metric: MinimizeActionCosts, actions: Sequence[UnifiedAction]) -> dict[UnifiedAction, Any]:
        simplifier = Simplifier(self._problem.environment, self._problem)
        costs = {}
        for action, (original, arguments) in zip(actions, self._instances, strict=True):
            cost = metric.get_action_cost(original)
            if cost is not None:
                given = dict(zip(original.parameters, arguments, strict=True))
                costs[action] = cost if cost.is_constant() else simplifier.simplify(cost.substitute(given))
        return costs
