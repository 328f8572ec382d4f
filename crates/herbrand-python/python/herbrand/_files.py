"""Files that are written whole or not at all."""

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
    """Yields the path to write to, which is beside `path` and renamed to it at the end.

    After an exception, a full disk or a kill, the file that was there before is unchanged. Links stay links.

    Parameters
    ----------
    path : path
        The file. Pipes and devices are written to directly.
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
    """Writes a text as UTF-8, whole or not at all."""
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
