"""The planner class named after Fast Downward."""

from __future__ import annotations

from herbrand.planning import PlannerName

from .pddl_planner import PDDLPlanner

__all__ = ["FD"]

_PLANNERS: dict[str, PlannerName] = {
    "seq-opt-lmcut": "astar-lmcut",
    "lama-first": "landmarks",
    "lama": "anytime",
    "seq-sat-lama-2011": "anytime",
}


class FD(PDDLPlanner):
    """A planner that searches like a configuration of Fast Downward.

    Parameters
    ----------
    alias_flag : str
        ``"--alias NAME"``, where the name is ``seq-opt-lmcut`` (the default: optimal plans), ``lama-first``, ``lama`` or
        ``seq-sat-lama-2011`` (increasingly cheaper plans until the time limit).
    final_flags : str
        Not supported: custom search configurations have no counterpart here.
    """

    def __init__(self, alias_flag: str = "--alias seq-opt-lmcut", final_flags: str = "") -> None:
        name = alias_flag.replace("--alias", "").strip(" =")
        if name not in _PLANNERS or final_flags:
            known = ", ".join(_PLANNERS)
            raise ValueError(f"the supported options of Fast Downward are --alias {known}, not {alias_flag!r} {final_flags!r}")
        super().__init__(_PLANNERS[name])
