"""Small problems that use every part of the interface, to test agents and wrappers with."""

from __future__ import annotations

from . import _herbrand
from ._herbrand import ObservedProblems

__all__ = ["balloon"]


def balloon(flights: int = 1) -> ObservedProblems:
    """Flights of a hot-air balloon: an action is an integer and a real number at once, observations are drawn, and episodes
    end without a goal.

    The pilot lights burners (``burn``, 0 to 3, which costs as much gas) and sets the vent (``vent``, -1 to 1). A noisy
    altimeter shows the height (``shown``) and the greatest height that it has shown (``greatest``). The flight ends on the
    ground, or after 40 steps; the reward is minus the distance from a height of 5.

    Parameters
    ----------
    flights : int
        How many problems: the one at index ``i`` begins with ``10 * (i + 1)`` units of gas.

    Examples
    --------
    >>> import herbrand, herbrand.testing
    >>> env = herbrand.BaseEnv(herbrand.testing.balloon())
    >>> observation, info = env.reset(seed=1)
    >>> env.action_name([2, -0.5])
    'burn = 2, vent = -0.5'
    """
    return _herbrand.balloon(flights)
