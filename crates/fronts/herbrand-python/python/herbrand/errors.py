"""The exceptions of Herbrand, and the records that they carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _notebook

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
    "PDDLWarning",
    "ParseError",
    "StepError",
    "UnknownNameError",
]


@dataclass(frozen=True)
class Diagnostic:
    """An error or warning about a text.

    Attributes
    ----------
    code : str
        A stable code such as ``"E0102"``; ``herbrand explain E0102`` prints its description.
    severity : str
        ``"error"`` or ``"warning"``.
    message : str
        The fault in one line.
    file : str or None
        The name of the file or text.
    line, column : int or None
        The start of the fault, counted from 1; columns count characters.
    end_line, end_column : int or None
        The end of the fault.
    help : str or None
        A suggestion for a fix.
    notes : tuple of str
        Further remarks.
    rendered : str
        The message with an excerpt of the source lines.
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

    def _repr_html_(self) -> str:
        """Returns the fault with its excerpt in colours, for notebooks."""
        return _notebook.page(self.rendered)


@dataclass(frozen=True)
class Explanation:
    """The reasons why an action is or is not valid in a state.

    Attributes
    ----------
    action : Action
    valid : bool
    failures : tuple of str
        The conditions that fail, with all variables bound; if the precondition has several disjuncts, the first of each that
        fails. Empty if the action is valid, or if no disjunct can ever hold.
    text : str
        The explanation in one sentence.
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
    """The base class of all errors of this package."""


class PDDLWarning(UserWarning):
    """A faulty file was repaired and accepted. The text shows the place and the repair."""


class ParseError(HerbrandError, ValueError):
    """Raised if a text is not a correct domain or problem.

    ``str()`` of the error shows each fault with its source line, like the program ``herbrand``. The attributes ``code``,
    ``file``, ``line``, ``column``, ``message`` and ``help`` describe the first error.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        All errors and warnings, in the order of the text.
    """

    def __init__(self, rendered: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(rendered, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])

    def _repr_html_(self) -> str:
        """Returns all faults with their excerpts in colours, for notebooks."""
        return _notebook.page(str(self))

    def _render_traceback_(self) -> list[str]:
        """Returns the lines that IPython prints if the error is raised: the calls, and the faults in colours."""
        return _notebook.traceback_lines(self, str(self))

    @property
    def _first(self) -> Diagnostic | None:
        errors = [one for one in self.diagnostics if one.severity == "error"]
        return next(iter(errors or self.diagnostics), None)

    @property
    def code(self) -> str | None:
        """The stable code of the first error, such as ``"E0102"``."""
        return self._first.code if self._first else None

    @property
    def file(self) -> str | None:
        """The name of the faulty file or text."""
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
        """The message of the first error, in one line."""
        return self._first.message if self._first else str(self)

    @property
    def help(self) -> str | None:
        """A suggestion for fixing the first error."""
        return self._first.help if self._first else None


class GroundingError(HerbrandError):
    """Raised if a problem cannot be compiled: cyclic axioms, or too many actions or atoms to number."""


class StepError(HerbrandError):
    """Raised if an action cannot be applied."""


class LimitError(GroundingError, StepError):
    """Raised if compiling a problem or a step reaches a limit of time or memory (`herbrand.Limits`)."""


class ConfigError(HerbrandError, ValueError):
    """Raised if the settings of a domain (``env.toml``) or the layout of its folder are invalid."""


class UnknownNameError(HerbrandError, LookupError):
    """Raised if a name, number or object does not identify a known domain, problem, atom or action."""


class InvalidActionError(StepError, ValueError):
    """Raised if an action is not valid in a state.

    Attributes
    ----------
    failures : tuple of str
        The unmet conditions, with all variables bound.
    """

    def __init__(self, message: str, failures: tuple[str, ...] = ()) -> None:
        super().__init__(message, failures)
        self.failures = failures

    def __str__(self) -> str:
        return str(self.args[0])


class EpisodeError(HerbrandError, RuntimeError):
    """Raised by a step before the first reset, after the end of an episode, or while a thread steps the environments."""


class DatalogError(HerbrandError, ValueError):
    """Raised if a Datalog program is invalid, or if its evaluation exceeds a limit."""


@dataclass(frozen=True)
class EditFault:
    """A fault of one edit of a batch.

    Attributes
    ----------
    edit : int
        The index of the edit in its batch, from 0. The text of the fault counts from 1.
    code : str
        The kind of fault, such as ``"undeclared-object"``.
    message : str
        A description of the fault, with a suggestion if there is one.
    """

    edit: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"edit {self.edit + 1}: {self.code}: {self.message}"


class EditError(HerbrandError, ValueError):
    """Raised if edits cannot be applied, or if an observation contradicts permanent knowledge. Nothing has changed.

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
    """Raised if no model can be learned from the experience, or if recorded transitions do not fit their domain."""


class InternalError(HerbrandError):
    """Raised by a bug in Herbrand. Please report it together with the code that triggered it."""
