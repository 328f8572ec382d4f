"""Limits of time and memory for compiling, stepping and searching a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Union, cast

from ._herbrand import bytes_of, seconds_of

__all__ = ["Limits", "LimitsLike"]


@dataclass(frozen=True, init=False)
class Limits:
    """Limits of time and memory for compiling one problem. With the lifted engine they also limit each step.

    If a limit is reached, `herbrand.LimitError` is raised and partial results are freed.

    Parameters
    ----------
    time : float or str, optional
        Seconds, or a duration such as ``"10s"``, ``"500ms"`` or ``"2m"``; no limit if left out.
    memory : int or str, optional
        Bytes, as counted by the engine, or a size such as ``"500MB"`` or ``"2GiB"``; no limit if left out.

    Attributes
    ----------
    time : float or None
        Seconds.
    memory : int or None
        Bytes.

    Examples
    --------
    >>> import herbrand
    >>> herbrand.Limits(time="1m", memory="2GiB")
    Limits(time=60.0, memory=2147483648)
    >>> env = herbrand.make("blocks", limits={"time": 60, "memory": "500MB"})
    """

    time: float | None = None
    memory: int | None = None

    def __init__(self, time: float | str | None = None, memory: float | str | None = None) -> None:
        object.__setattr__(self, "time", None if time is None else _seconds(time))
        object.__setattr__(self, "memory", None if memory is None else _bytes(memory))


def _seconds(given: Any) -> float:
    """Converts a time limit to seconds. Raises `ValueError` if it is malformed."""
    if isinstance(given, str):
        return seconds_of(given)
    if not isinstance(given, (int, float)) or not given >= 0:
        raise ValueError(f"a time limit is a number of seconds from 0, or a duration such as '10s', not {given!r}")
    return given


def _bytes(given: Any) -> int:
    """Converts a memory limit to bytes. Raises `ValueError` if it is malformed."""
    if isinstance(given, str):
        return bytes_of(given)
    if not isinstance(given, (int, float)) or not 0 <= given < 2**64 or given % 1:
        raise ValueError(f"a memory limit is a number of bytes from 0, or a size such as '2GiB', not {given!r}")
    return int(given)


def as_limits(
    limits: LimitsLike = None, time: float | str | None = None, memory: float | str | None = None
) -> Limits:
    """Returns the limits given by a function's arguments; `time` and `memory` override those of `limits`."""
    if limits is None:
        limits = Limits()
    elif isinstance(limits, Mapping):
        limits = Limits(**cast("dict[str, Any]", limits))
    elif not isinstance(limits, Limits):
        raise TypeError(f"limits are a herbrand.Limits or a mapping, not {limits!r}")
    return Limits(limits.time if time is None else time, limits.memory if memory is None else memory)


class _LimitsDict(TypedDict, total=False):
    time: float | str | None
    memory: float | str | None


LimitsLike = Union[Limits, _LimitsDict, Mapping[str, Union[float, str, None]], None]
