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
    """Raised if a text is invalid; the message lists all faults with their locations."""


class RDDLInvalidActionError(ValueError):
    """Raised if an action has an unknown fluent or a value out of range, or sets too many fluents."""


class RDDLActionPreconditionNotSatisfiedError(ValueError):
    """Raised if an action violates a precondition and preconditions are enforced."""


class RDDLEpisodeAlreadyEndedError(RuntimeError):
    """Raised by a step after the end of an episode."""


class RDDLLogFolderError(ValueError):
    """Raised if a folder for logs cannot be created."""


class RDDLRandPolicyVecNotImplemented(NotImplementedError):
    """Raised if a random policy on arrays would have to set only some of their elements."""
