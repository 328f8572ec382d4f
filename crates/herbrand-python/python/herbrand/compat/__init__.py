"""The interfaces of other packages on top of this engine: `herbrand.compat.pddlgym`."""
