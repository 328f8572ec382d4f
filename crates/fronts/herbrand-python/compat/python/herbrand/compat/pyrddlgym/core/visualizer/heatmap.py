"""Heatmaps of fluents over time."""

from __future__ import annotations

from typing import Any

from .chart import _LABEL, _ROW, _WIDTH, ChartVisualizer

__all__ = ["HeatmapVisualizer"]


class HeatmapVisualizer(ChartVisualizer):
    """Like `ChartVisualizer`, but with one cell per step: darker cells are greater values, relative to the fluent's other
    values.
    """

    def _draw(self, draw: Any, row: int, values: list[float]) -> None:
        low, high = min(values), max(values)
        scale, width = (high - low) or 1.0, _WIDTH / max(self.steps, 1)
        for step, value in enumerate(values):
            shade = int(230 - 200 * (value - low) / scale)
            left = _LABEL + step * width
            box = [(left, row * _ROW + 4), (left + max(width - 1, 1), (row + 1) * _ROW - 4)]
            draw.rectangle(box, fill=(shade, shade, 255))
