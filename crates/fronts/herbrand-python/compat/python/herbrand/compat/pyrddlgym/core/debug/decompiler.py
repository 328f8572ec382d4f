"""Conversion of models to RDDL text."""

from __future__ import annotations

from ..compiler.model import RDDLPlanningModel

__all__ = ["RDDLDecompiler"]


class RDDLDecompiler:
    """Prints models as RDDL, in the canonical layout of ``herbrand fmt``."""

    def decompile_domain(self, model: RDDLPlanningModel) -> str:
        """Returns the text of the domain."""
        return model.domain_rddl

    def decompile_instance(self, model: RDDLPlanningModel) -> str:
        """Returns the text of the instance with its non-fluents."""
        return model.instance_rddl
