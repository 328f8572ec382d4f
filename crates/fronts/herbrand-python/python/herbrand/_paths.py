"""Paths among arguments that may also be names or texts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

__all__ = ["can_be_path", "exists", "shortened"]

# The greatest lengths of a file's name and of a path in bytes.
_LONGEST, _LONGEST_PATH = 255, 4095


def can_be_path(text: str) -> bool:
    """Returns whether a str can be a path: whether it has no line break or other control character, and no part is too long."""
    if any(ord(letter) < 32 for letter in text) or len(text) > _LONGEST_PATH:
        return False
    parts = [len(part.encode(errors="replace")) for part in text.split("/")]
    return max(parts) <= _LONGEST and sum(parts) + len(parts) <= _LONGEST_PATH


def exists(given: Any) -> TypeGuard[str | os.PathLike[str]]:
    """Returns whether an argument is the path of a file or folder that exists. A text is none, however long it is."""
    if not isinstance(given, (str, os.PathLike)) or isinstance(given, str) and not can_be_path(given):
        return False
    try:
        return Path(given).exists()
    except (OSError, ValueError):
        return False


def shortened(text: str) -> str:
    """Returns the beginning of a text in quotes, for messages."""
    return repr(text if len(text) <= 60 else text[:60] + "…")
