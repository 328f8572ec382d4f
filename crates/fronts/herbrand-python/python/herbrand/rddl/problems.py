"""The instances of an environment, with the forms of its actions and observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

from .._herbrand import ObservedProblems, RddlSuite
from ..limits import LimitsLike
from ..observations import Rows, mode_name
from .forms import ActionForm, ActionMode, ObservationMode, SeenFluents, action_form, joint_limit
from .sources import RddlLike, RddlProblemsLike, rddl_suite

__all__ = ["Preconditions", "ProblemOptions", "RddlProblems", "rddl_problems"]

Preconditions = Literal["reported", "refused", "replaced", "ignored"]


class ProblemOptions(TypedDict, total=False):
    """The keyword arguments shared by `RddlEnv` and `RddlVecEnv`. See `RddlEnv` for their meaning and defaults."""

    actions: ActionMode
    observation: ObservationMode
    pixels: tuple[int, int] | None
    preconditions: Preconditions
    limits: LimitsLike


@dataclass(frozen=True)
class RddlProblems:
    """Instances of a domain for the engine, with the conversions of actions and observations.

    Attributes
    ----------
    suite : RddlSuite
        The instances.
    observed : ObservedProblems
        The instances in the form that the engine expects.
    rows : Rows
        The converter from rows to observations.
    form : ActionForm
        The converter from actions to rows.
    """

    suite: RddlSuite
    observed: ObservedProblems
    rows: Rows
    form: ActionForm


def rddl_problems(
    domain: RddlLike,
    problem: RddlProblemsLike,
    *,
    actions: ActionMode = "dict",
    observation: ObservationMode = "dict",
    pixels: tuple[int, int] | None = None,
    preconditions: Preconditions = "reported",
    limits: LimitsLike = None,
) -> RddlProblems:
    """Selects the named instances, by default the first one, and the forms of actions and observations.

    Raises `ValueError` for an unknown mode, and for dict actions or observations over several instances.
    """
    suite = rddl_suite(domain, problem, limits=limits)
    if problem is None and not isinstance(domain, RddlSuite):
        suite = suite.select(0)
    suite = suite.with_preconditions(preconditions)
    if actions not in ("dict", "flat", "joint"):
        raise ValueError(f"actions are 'dict', 'flat' or 'joint', not {actions!r}")
    if observation not in ("dict", "flat", "pixels"):
        raise ValueError(f"observation is 'dict', 'flat' or 'pixels', not {observation!r}")
    if len(suite) > 1 and "dict" in (actions, observation):
        raise ValueError(
            f"{suite.name} has {len(suite)} instances, and dicts name the fluents of one: choose one, or "
            "actions='flat' (or 'joint') and observation='flat' (or 'pixels')"
        )
    mode = {"dict": "fluents", "flat": "narrowest"}.get(observation, mode_name(observation, pixels))
    observed = suite.observed(mode, joint_limit(suite, actions))
    rows = SeenFluents(suite, observed) if observation == "dict" else Rows(observed)
    return RddlProblems(suite, observed, rows, action_form(suite, observed, actions))
