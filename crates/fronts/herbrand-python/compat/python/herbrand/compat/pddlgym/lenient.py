"""Warnings about faulty PDDL files that PDDLGym accepts."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable

from herbrand.errors import Diagnostic, PDDLWarning

__all__ = ["PDDLWarning", "warn_of_repairs"]


def warn_of_repairs(diagnostics: Iterable[Diagnostic]) -> None:
    """Issues a warning for each fault of a file that was parsed leniently.

    Common warnings, such as those about missing requirement flags, are left out.
    """
    package = os.path.dirname(__file__)
    for one in diagnostics:
        # # Codes of errors begin with E. W0105 warns of a supertype of `object`.
        if one.code.startswith("E") or one.code == "W0105":
            warnings.warn(f"\n{one}", PDDLWarning, stacklevel=_callers(package))


def _callers(package: str) -> int:
    """Returns the `stacklevel` (for `warnings.warn` in the caller) of the first frame outside a package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level
