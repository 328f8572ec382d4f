"""Names of problems in collections: installed packages, and what ``herbrand fetch`` keeps."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ._herbrand import is_collected as _is_collected

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

__all__ = ["is_collected", "package_folders"]


def is_collected(name: Any) -> TypeGuard[str]:
    """Returns whether an argument is a name such as ``"pddlgym:sokoban"``."""
    return isinstance(name, str) and _is_collected(name)


def package_folders() -> tuple[list[str], str | None]:
    """Returns the folders in which this Python looks for packages, and the path of its interpreter."""
    return [path for path in sys.path if path], sys.executable or None
