"""Fast Downward, in name."""

from __future__ import annotations

from ...planning import PlannerName
from .pddl_planner import PDDLPlanner

__all__ = ["FD"]

_PLANNERS: dict[str, PlannerName] = {
    "seq-opt-lmcut": "astar-lmcut",
    "lama-first": "landmarks",
    "lama": "anytime",
    "seq-sat-lama-2011": "anytime",
}


class FD(PDDLPlanner):
    """A planner that searches as a configuration of Fast Downward does.

    Parameters
    ----------
    alias_flag : str
        ``"--alias NAME"`` with ``seq-opt-lmcut`` (the default: optimal plans), ``lama-first``, ``lama`` or
        ``seq-sat-lama-2011`` (ever cheaper plans until the time is over).
    final_flags : str
        Not available: a search configuration of one's own means nothing here.
    """

    def __init__(self, alias_flag: str = "--alias seq-opt-lmcut", final_flags: str = "") -> None:
        name = alias_flag.replace("--alias", "").strip(" =")
        if name not in _PLANNERS or final_flags:
            known = ", ".join(_PLANNERS)
            raise ValueError(f"the supported options of Fast Downward are --alias {known}, not {alias_flag!r} {final_flags!r}")
        super().__init__(_PLANNERS[name])
