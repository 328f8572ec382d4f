"""Warnings about PDDL files that PDDLGym reads although they are at fault."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable

from ...errors import Diagnostic

__all__ = ["PDDLWarning", "warn_of_repairs"]


class PDDLWarning(UserWarning):
    """A file is at fault, and was read in the one way that suggests itself. The text shows the place and says how it was read."""


def warn_of_repairs(diagnostics: Iterable[Diagnostic]) -> None:
    """Warns of each fault of a file that was read leniently.

    Warnings that PDDL files commonly cause, such as a missing requirement flag, are left out.
    """
    package = os.path.dirname(__file__)
    for one in diagnostics:
        # The codes of faults begin with E. W0105 is a type above `object`.
        if one.code.startswith("E") or one.code == "W0105":
            warnings.warn(f"\n{one}", PDDLWarning, stacklevel=_callers(package))


def _callers(package: str) -> int:
    """The stack level, as `warnings.warn` counts from the caller, of the first frame outside of a package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level
