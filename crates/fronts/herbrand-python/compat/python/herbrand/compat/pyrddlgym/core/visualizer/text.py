"""Pictures of states as text."""

from __future__ import annotations

from typing import Any

from ..compiler.model import RDDLPlanningModel
from .viz import BaseViz

__all__ = ["TextVisualizer"]


class TextVisualizer(BaseViz):
    """A line for each ground fluent.

    Parameters
    ----------
    model : RDDLPlanningModel
    """

    def __init__(self, model: RDDLPlanningModel) -> None:
        self.model = model

    def render(self, state: Any) -> Any:
        """Draws the names and values."""
        from PIL import Image, ImageDraw

        text = "\n".join(f"{name} = {_short(value)}" for name, value in state.items())
        _, _, width, height = ImageDraw.Draw(Image.new("RGB", (1, 1))).multiline_textbbox((8, 8), text)
        image = Image.new("RGB", (int(width) + 8, int(height) + 8), "white")
        ImageDraw.Draw(image).multiline_text((8, 8), text, fill="black")
        return image


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
