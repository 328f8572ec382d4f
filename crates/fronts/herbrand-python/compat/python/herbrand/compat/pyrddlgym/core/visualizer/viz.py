"""The base class of visualizers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

__all__ = ["BaseViz"]


class BaseViz(ABC):
    """Draws states. The constructor takes the model and the keyword arguments of `RDDLEnv.set_visualizer`."""

    @abstractmethod
    def render(self, state: Any) -> Any:
        """Draws a state, a dict from names of ground fluents to values; returns a Pillow image."""
