"""The exceptions that environments raise."""

from __future__ import annotations

__all__ = [
    "RDDLActionPreconditionNotSatisfiedError",
    "RDDLEpisodeAlreadyEndedError",
    "RDDLInvalidActionError",
    "RDDLLogFolderError",
    "RDDLParseError",
    "RDDLRandPolicyVecNotImplemented",
]


class RDDLParseError(SyntaxError):
    """A text is at fault; the message has every fault with its place."""


class RDDLInvalidActionError(ValueError):
    """An action that names no action fluent, has a value that a fluent cannot take, or sets too many fluents."""


class RDDLActionPreconditionNotSatisfiedError(ValueError):
    """An action violates a precondition, and preconditions are enforced."""


class RDDLEpisodeAlreadyEndedError(RuntimeError):
    """A step after the end of an episode."""


class RDDLLogFolderError(ValueError):
    """A folder for logs cannot be made."""


class RDDLRandPolicyVecNotImplemented(NotImplementedError):
    """A random policy on arrays cannot set some of their elements alone."""
