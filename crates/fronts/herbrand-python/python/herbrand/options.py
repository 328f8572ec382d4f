"""Checks of keyword arguments, with suggestions for unknown ones."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

__all__ = ["check_options", "one_count", "option_names", "with_horizon"]

_F = TypeVar("_F", bound=Callable[..., Any])

# # Names from Gymnasium and other tools, with the way to say the same.
_ELSEWHERE = {
    "seed": "give it to reset(seed=…)",
    "options": "give them to reset(options=…)",
    "max_episode_steps": "write horizon=…",
    "max_steps": "write horizon=…",
    "time_limit": "write horizon=… for steps, or limits={'time': …} for the time of compiling",
    "obs_type": "write observation=…",
    "size": "write render_size=… or pixels=…",
    "time": "write limits={'time': …}",
    "memory": "write limits={'memory': …}",
    "num_envs": "many environments are made by herbrand.make_vec(domain, num_envs)",
    "threads": "many environments are made by herbrand.make_vec(domain, num_envs, threads=…)",
    "determinize": "herbrand.load(domain, problem, determinize=…) returns such a task",
}


def check_options(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raises `TypeError` for a keyword argument that a function does not have, with a suggestion."""
    names = {*known, "domain", "problem"}
    for name in given:
        if name in names:
            continue
        near = difflib.get_close_matches(name, names, n=1)
        if name in _ELSEWHERE:
            hint = f": {_ELSEWHERE[name]}"
        elif near:
            hint = f"; did you mean {near[0]!r}?"
        else:
            hint = f"; there are {', '.join(sorted(names))}"
        raise TypeError(f"{function} has no option {name!r}{hint}")


def with_horizon(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options with ``max_episode_steps``, which ``gymnasium.make_vec`` passes, as ``horizon``.

    If both are numbers, the smaller one is the horizon: that of the entry point and Gymnasium's limit hold together. As for
    ``gymnasium.make``, -1 is no limit.
    """
    others = dict(options)
    steps = others.pop("max_episode_steps", None)
    if steps is not None:
        limit, horizon = (None if steps == -1 else steps), others.get("horizon")
        others["horizon"] = limit if not isinstance(horizon, int) else horizon if limit is None else min(limit, horizon)
    return others


def option_names(made: type, shared: Iterable[str]) -> set[str]:
    """Returns the names of the keyword arguments of a class, and the names in ``shared``, which it takes as ``**options``."""
    return (signature(made).parameters.keys() - {"options"}) | set(shared)


def one_count(function: _F) -> _F:
    """Decorates a function with a parameter `num_envs`. A problem in its position and an unknown option get messages of their own."""
    parameters = signature(function).parameters
    place = list(parameters).index("num_envs")
    takes_all = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values())
    name = function.__qualname__.removesuffix(".__init__")

    @wraps(function)
    def checked(*positions: Any, **options: Any) -> Any:
        if len(positions) > place and "num_envs" in options:
            raise TypeError(f"num_envs is given twice: a problem is given by name, problem={positions[place]!r}")
        if not takes_all:
            check_options(name, options, parameters.keys() - {"self"})
        return function(*positions, **options)

    return cast(_F, checked)
