"""What can go wrong, and what is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._herbrand import Action

__all__ = [
    "ConfigError",
    "DatalogError",
    "Diagnostic",
    "EditError",
    "EditFault",
    "EpisodeError",
    "Explanation",
    "GroundingError",
    "HerbrandError",
    "InternalError",
    "InvalidActionError",
    "LearningError",
    "LimitError",
    "ParseError",
    "StepError",
    "UnknownNameError",
]


@dataclass(frozen=True)
class Diagnostic:
    """One fault of a text, or one warning.

    Attributes
    ----------
    code : str
        A stable code such as ``"E0102"``; ``herbrand explain E0102`` says more about it.
    severity : str
        ``"error"`` or ``"warning"``.
    message : str
        What is wrong, in one line.
    file : str or None
        What the text is called.
    line, column : int or None
        Where the fault begins, from 1; columns count characters.
    end_line, end_column : int or None
        Where it ends.
    help : str or None
        What to do about it.
    notes : tuple of str
        Further remarks.
    rendered : str
        The message with the lines that it speaks of.
    """

    code: str
    severity: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    help: str | None
    notes: tuple[str, ...]
    rendered: str

    def __str__(self) -> str:
        return self.rendered


@dataclass(frozen=True)
class Explanation:
    """Why an action is or is not valid in a state.

    Attributes
    ----------
    action : Action
    valid : bool
    failures : tuple of str
        For each way in which the precondition can hold, the first condition that fails, with all variables bound.
        Empty when the action is valid, or when no way is left at all.
    text : str
        All of it in one sentence.
    """

    action: Action
    valid: bool
    failures: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return self.valid


class HerbrandError(Exception):
    """The base of all errors of this package."""


class ParseError(HerbrandError, ValueError):
    """A text is not a correct domain or problem.

    Printed, it shows each fault with its line, as the program ``herbrand`` does. The attributes ``code``, ``file``,
    ``line``, ``column``, ``message`` and ``help`` are those of the first error.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        All faults and warnings, in the order of the text.
    """

    def __init__(self, rendered: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(rendered, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def _first(self) -> Diagnostic | None:
        errors = [one for one in self.diagnostics if one.severity == "error"]
        return next(iter(errors or self.diagnostics), None)

    @property
    def code(self) -> str | None:
        """The stable code of the first error."""
        return self._first.code if self._first else None

    @property
    def file(self) -> str | None:
        """What the faulty text is called."""
        return self._first.file if self._first else None

    @property
    def line(self) -> int | None:
        """The line of the first error, from 1."""
        return self._first.line if self._first else None

    @property
    def column(self) -> int | None:
        """The column of the first error, from 1."""
        return self._first.column if self._first else None

    @property
    def message(self) -> str:
        """The first error in one line."""
        return self._first.message if self._first else str(self)

    @property
    def help(self) -> str | None:
        """What to do about the first error."""
        return self._first.help if self._first else None


class GroundingError(HerbrandError):
    """A problem cannot be compiled: axioms in a circle, or more actions or atoms than can be numbered."""


class StepError(HerbrandError):
    """An action cannot be carried out."""


class LimitError(GroundingError, StepError):
    """A limit of time or memory (`herbrand.Limits`) is reached, in compiling a problem or in a step."""


class ConfigError(HerbrandError, ValueError):
    """The settings of a domain (``env.toml``) or the layout of its folder are at fault."""


class UnknownNameError(HerbrandError, LookupError):
    """A text, number or object names no domain, problem, atom or action."""


class InvalidActionError(StepError, ValueError):
    """An action is not valid in a state.

    Attributes
    ----------
    failures : tuple of str
        The conditions that fail, with all variables bound.
    """

    def __init__(self, message: str, failures: tuple[str, ...] = ()) -> None:
        super().__init__(message, failures)
        self.failures = failures

    def __str__(self) -> str:
        return str(self.args[0])


class EpisodeError(HerbrandError, RuntimeError):
    """A step before the first reset, or after the end of an episode."""


class DatalogError(HerbrandError, ValueError):
    """A Datalog program is at fault, or its evaluation crossed a limit."""


@dataclass(frozen=True)
class EditFault:
    """What is wrong with one edit of a batch.

    Attributes
    ----------
    edit : int
        The place of the edit in its batch, from 0.
    code : str
        The kind, such as ``"undeclared-object"``.
    message : str
        What is wrong, with a suggestion where there is one.
    """

    edit: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"edit {self.edit}: {self.code}: {self.message}"


class EditError(HerbrandError, ValueError):
    """Edits cannot be carried out, or an observation contradicts what is known. Nothing has changed.

    Attributes
    ----------
    faults : tuple of EditFault
        All faults, in the order of the edits or statements.
    """

    def __init__(self, faults: Iterable[EditFault | tuple[int, str, str]]) -> None:
        self.faults = tuple(one if isinstance(one, EditFault) else EditFault(*one) for one in faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


class LearningError(HerbrandError, ValueError):
    """No model can be learned from what was seen, or recorded transitions do not fit their domain."""


class InternalError(HerbrandError):
    """A bug in Herbrand. Please report it with what led to it."""
