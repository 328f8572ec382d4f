"""What compiling a problem, and stepping it, may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict, Union

__all__ = ["Limits", "LimitsLike"]


@dataclass(frozen=True)
class Limits:
    """What compiling one problem may take; with the lifted engine also what each step may.

    When a limit is reached, `herbrand.LimitError` is raised, and whatever was made so far is freed.

    Attributes
    ----------
    time : float or None
        Seconds; None for no limit.
    memory : int or None
        Bytes, as the engine counts what it holds; None for no limit.

    Examples
    --------
    >>> import herbrand
    >>> limits = herbrand.Limits(time=60, memory=2 * 1024**3)
    >>> env = herbrand.make("blocks", limits=limits)
    >>> env = herbrand.make("blocks", limits={"time": 60})
    """

    time: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not self.time >= 0:
            raise ValueError(f"a time limit is a number of seconds, 0 or more, not {self.time!r}")
        if self.memory is not None and not (isinstance(self.memory, int) and self.memory >= 0):
            raise ValueError(f"a memory limit is a number of bytes, 0 or more, not {self.memory!r}")


class _LimitsDict(TypedDict, total=False):
    time: float | None
    memory: int | None


LimitsLike = Union[Limits, _LimitsDict, Mapping[str, Union[float, int, None]], None]
