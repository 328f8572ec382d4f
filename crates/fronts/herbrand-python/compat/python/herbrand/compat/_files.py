"""Atomic file writes: a file is written completely or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

__all__ = ["whole", "write_text"]


@contextlib.contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yields a temporary path to write to; on success it replaces `path` by an atomic rename.

    If an exception, a full disk or a kill interrupts the write, the old file is unchanged. If `path` is a link, its target
    is replaced.

    Parameters
    ----------
    path : path
        The file to write. Pipes and devices are written to directly.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        yield target
        return
    beside = target.with_name(f".herbrand-{secrets.token_hex(8)}{target.suffix}")
    try:
        yield beside
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes a text file as UTF-8, atomically."""
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
