"""Herbrand's grounder as an engine of Unified Planning."""

from __future__ import annotations

from typing import Any

from unified_planning.engines import CompilationKind, CompilerResult
from unified_planning.engines.compilers import Grounder
from unified_planning.engines.mixins.compiler import CompilerMixin
from unified_planning.model import FNode, ProblemKind
from unified_planning.model import Action as UnifiedAction
from unified_planning.model import Problem as UnifiedProblem

from ...limits import LimitsLike
from .convert import Written
from .kinds import SIMULATED, HerbrandEngine

__all__ = ["HerbrandGrounder"]


class HerbrandGrounder(HerbrandEngine, CompilerMixin):  # type: ignore[misc]
    """Herbrand's grounder as a compiler: the engine ``herbrand-grounder``.

    The compiled problem has an action without parameters for each ground action that Herbrand finds reachable from the
    initial state. Every plan of the problem is kept.

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
        reachable: dict[UnifiedAction, list[tuple[FNode, ...]]] = {}
        for ground in written.task.ground_actions:
            action, arguments = written.instance(ground)
            reachable.setdefault(action, []).append(arguments)
        compiled: Any = Grounder(grounding_actions_map=reachable).compile(problem, compilation_kind)
        compiled.problem.name = f"{self.name}_{problem.name}"
        return CompilerResult(compiled.problem, compiled.map_back_action_instance, self.name)
