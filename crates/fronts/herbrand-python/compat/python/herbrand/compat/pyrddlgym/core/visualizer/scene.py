"""Pictures of states, as declared beside a domain."""

from __future__ import annotations

from typing import Any, Literal

from ..compiler.model import RDDLPlanningModel
from .viz import BaseViz

__all__ = ["SceneVisualizer"]


class SceneVisualizer(BaseViz):
    """The picture that ``[render]`` in ``env.toml`` declares, or a generic one.

    Parameters
    ----------
    model : RDDLPlanningModel
    size : (int, int), optional
        Height and width of pictures; by default the size of the first picture.
    theme : {"light", "dark"}
    """

    def __init__(
        self,
        model: RDDLPlanningModel,
        size: tuple[int, int] | None = None,
        theme: Literal["light", "dark"] = "light",
    ) -> None:
        self.model, self.size = model, size
        self.theme: Literal["light", "dark"] = theme

    def render(self, state: Any) -> Any:
        """Draws a state. Missing fluents have their initial values."""
        from PIL import Image

        task = self.model.task
        known = set(task.initial_state)
        values = {name: value for name, value in state.items() if name in known}
        picture = task.state(values).image(self.size, theme=self.theme)
        self.size = picture.shape[0], picture.shape[1]
        return Image.fromarray(picture)
