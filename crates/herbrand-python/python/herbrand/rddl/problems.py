"""The instances that environments and batches are over, with how they are acted on and seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

from .._herbrand import ObservedProblems, RddlSuite
from ..limits import LimitsLike
from ..observations import Rows, mode_name
from .forms import ActionForm, ActionMode, ObservationMode, SeenFluents, action_form, joint_limit
from .sources import RddlLike, RddlProblemsLike, rddl_suite

__all__ = ["Preconditions", "ProblemOptions", "RddlProblems", "rddl_problems"]

Preconditions = Literal["reported", "enforced"]


class ProblemOptions(TypedDict, total=False):
    """How instances are acted on and seen: the keyword arguments that an environment and a batch share. `RddlEnv` says what each is,
    and what holds where it is left out.
    """

    actions: ActionMode
    observation: ObservationMode
    pixels: tuple[int, int]
    preconditions: Preconditions
    limits: LimitsLike


@dataclass(frozen=True)
class RddlProblems:
    """Instances of a domain for the engine, and the forms that agents know them in.

    Attributes
    ----------
    suite : RddlSuite
        The instances.
    observed : ObservedProblems
        What the engine takes.
    rows : Rows
        What becomes of rows of observations.
    form : ActionForm
        How actions become rows of numbers.
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
    pixels: tuple[int, int] = (64, 64),
    preconditions: Preconditions = "reported",
    limits: LimitsLike = None,
) -> RddlProblems:
    """The instances that are named, else the first one. Modes that there are not are an error, and so are dicts over instances with
    different fluents.
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
    modes = {"dict": "fluents", "flat": "narrowest", "pixels": mode_name("pixels", pixels)}
    observed = suite.observed(modes[observation], joint_limit(suite, actions))
    rows = SeenFluents(suite, observed) if observation == "dict" else Rows(observed)
    return RddlProblems(suite, observed, rows, action_form(suite, observed, actions))
