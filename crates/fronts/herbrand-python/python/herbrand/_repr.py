"""The repr of results with long contents."""

from __future__ import annotations

import reprlib
from dataclasses import fields
from typing import TYPE_CHECKING, Any

__all__ = ["OneLine"]

if TYPE_CHECKING:
    from _typeshed import DataclassInstance as _Base
else:
    _Base = object


class _Short(reprlib.Repr):
    """Reprs of at most about 80 characters."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother, self.maxlong = 2, 80, 80, 80
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = 3

    def repr1(self, x: Any, level: int) -> str:
        """Returns the repr of a value in one line."""
        text = " ".join(super().repr1(x, level).split())
        return text if len(text) <= self.maxother else text[: self.maxother - 1] + "…"


class OneLine(_Base):
    """A dataclass whose repr is one line: long values are shortened."""

    def __repr__(self) -> str:
        short = _Short()
        parts = ", ".join(f"{one.name}={short.repr(getattr(self, one.name))}" for one in fields(self) if one.repr)
        return f"{type(self).__name__}({parts})"
