"""Small problems that exercise every part of the interface, for tests of agents and wrappers."""

from __future__ import annotations

from . import _herbrand
from ._herbrand import ObservedProblems

__all__ = ["balloon", "grid_worlds"]


def balloon(flights: int = 1) -> ObservedProblems:
    """Creates balloon flights: problems with a mixed action of an integer and a real number, random observations, and no
    goal.

    The pilot lights burners (``burn``, 0 to 3 units of gas) and sets the vent (``vent``, -1 to 1). A noisy altimeter shows
    the height (``shown``) and the greatest height shown so far (``greatest``). The flight ends on the ground, or after 40
    steps. The reward is the negative distance from a height of 5.

    Parameters
    ----------
    flights : int
        The number of problems. Problem ``i`` starts with ``10 * (i + 1)`` units of gas.

    Examples
    --------
    >>> import herbrand, herbrand.testing
    >>> env = herbrand.BaseEnv(herbrand.testing.balloon())
    >>> observation, info = env.reset(seed=1)
    >>> env.action_name([2, -0.5])
    'burn = 2, vent = -0.5'
    """
    return _herbrand.balloon(flights)


def grid_worlds(maps: str, name: str = "grid-worlds") -> ObservedProblems:
    """Creates grid worlds from drawings: a small language, for tests of agents and as an example of adding one.

    A robot moves up, down, left or right until it reaches the goal, which gives a reward of 1. On ice it slides one cell
    further with probability 1/2. Observations are its row and column, counted from 0.

    Parameters
    ----------
    maps : str
        The maps. Each is a line with its name and lines of ``#`` (wall), ``.`` (floor), ``~`` (ice), ``@`` (robot) and
        ``G`` (goal); empty lines separate maps.
    name : str
        The name of the set.

    Raises
    ------
    ConfigError
        The drawings have faults. The message lists all of them.

    Examples
    --------
    >>> import herbrand, herbrand.testing
    >>> env = herbrand.BaseEnv(herbrand.testing.grid_worlds("room\\n####\\n#@G#\\n####"))
    >>> observation, info = env.reset(seed=1)
    >>> env.step(env.action_id("right"))[1:3]
    (1.0, True)
    """
    return _herbrand.grid_worlds(name, maps)
