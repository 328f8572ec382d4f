"""Interfaces of other packages on top of Herbrand: `pddlgym`, `pddlgym_planners`, `pyrddlgym` and `unified_planning`."""
