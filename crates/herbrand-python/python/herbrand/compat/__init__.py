"""The interfaces of other packages on top of this engine: `pddlgym`, and `pddlgym_planners`."""
