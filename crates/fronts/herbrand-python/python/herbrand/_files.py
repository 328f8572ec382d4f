"""Output files, which are written completely or not at all, and over existing files only if asked."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_new(path: str | os.PathLike[str], overwrite: bool) -> Path:
    """Returns the path without links.

    Raises
    ------
    FileExistsError
        If a file exists there that must not be overwritten, or a link that leads nowhere.
    """
    path = Path(path)
    if path.is_file() and not overwrite:
        raise FileExistsError(errno.EEXIST, "exists: choose another name, or write overwrite=True", os.fspath(path))
    if path.is_symlink() and not path.exists():
        raise FileExistsError(errno.EEXIST, "is a link to a file that does not exist", os.fspath(path))
    return path.resolve()


@contextmanager
def new_file(path: str | os.PathLike[str], overwrite: bool) -> Iterator[IO[bytes]]:
    """Opens a file that gets its name when it is complete. An exception leaves the old file as it was."""
    target = check_new(path, overwrite)
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
        check_new(path, overwrite)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
