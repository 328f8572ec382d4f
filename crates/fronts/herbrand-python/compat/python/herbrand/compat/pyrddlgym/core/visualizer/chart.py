"""Charts of fluents over time."""

from __future__ import annotations

from typing import Any

from ..compiler.model import RDDLPlanningModel
from .viz import BaseViz

__all__ = ["ChartVisualizer"]

_ROW, _WIDTH, _LABEL = 36, 480, 160


class ChartVisualizer(BaseViz):
    """A row for each ground fluent with its values over the last steps: a line for numbers, dark and light for bools.

    Parameters
    ----------
    model : RDDLPlanningModel
    steps_history : int or None
        The number of steps shown; by default the horizon.
    """

    def __init__(self, model: RDDLPlanningModel, steps_history: int | None = None) -> None:
        self.model = model
        self.steps = steps_history or int(min(model.horizon, 500))
        self._history: list[dict[str, float]] = []

    def render(self, state: Any) -> Any:
        """Draws this state and the previous ones."""
        from PIL import Image, ImageDraw

        self._history = [*self._history, {name: self._number(value) for name, value in state.items()}][-self.steps :]
        image = Image.new("RGB", (_LABEL + _WIDTH, max(_ROW * len(state), 1)), "white")
        draw = ImageDraw.Draw(image)
        for row, name in enumerate(state):
            draw.text((4, row * _ROW + _ROW // 3), f"{name}", fill="black")
            self._draw(draw, row, [step.get(name, 0.0) for step in self._history])
        return image

    def _draw(self, draw: Any, row: int, values: list[float]) -> None:
        low, high = min(values), max(values)
        scale, width = (high - low) or 1.0, _WIDTH / max(self.steps, 1)
        base = (row + 1) * _ROW - 4
        points = [
            (_LABEL + (step + 0.5) * width, base - (value - low) / scale * (_ROW - 8)) for step, value in enumerate(values)
        ]
        draw.line([(_LABEL, base), (_LABEL + _WIDTH, base)], fill="lightgray")
        if len(points) > 1:
            draw.line(points, fill="steelblue", width=2)
        else:
            draw.point(points, fill="steelblue")

    def _number(self, value: Any) -> float:
        if isinstance(value, str):
            return float(self.model.object_to_index.get(value, 0))
        return float(value) if value is not None else 0.0
