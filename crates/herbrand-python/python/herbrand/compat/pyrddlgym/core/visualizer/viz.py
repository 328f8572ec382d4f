"""What a visualizer is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

__all__ = ["BaseViz"]


class BaseViz(ABC):
    """Draws states. It is made with the model and the keyword arguments of `RDDLEnv.set_visualizer`."""

    @abstractmethod
    def render(self, state: Any) -> Any:
        """A picture, an image of Pillow, of a state: a dict from names of ground fluents to values."""
