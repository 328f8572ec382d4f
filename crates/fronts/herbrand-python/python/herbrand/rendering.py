"""Rendering of environments: render modes, picture formats, and windows."""

from __future__ import annotations

import math
import operator
import os
import pathlib
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Callable, Literal, Protocol, Union

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from ._files import new_file
from ._herbrand import encode_animation

__all__ = ["RENDER_MODES", "Image", "RenderMode", "Renderer", "Window", "open_window", "save_animation", "to_rgb"]

RenderMode = Literal["ansi", "svg", "rgb_array", "rgb_array_list", "human"]
RENDER_MODES: tuple[RenderMode, ...] = ("ansi", "svg", "rgb_array", "rgb_array_list", "human")

Image = NDArray[np.uint8]
"""A picture: uint8, ``(height, width, 3)``."""

Renderer = Callable[[Any], Union[Image, NDArray[Any]]]
"""Draws a picture of a state."""


def check_mode(mode: str | None) -> None:
    """Raises `ValueError` for an unknown render mode."""
    if mode is not None and mode not in RENDER_MODES:
        known = ", ".join(repr(one) for one in RENDER_MODES)
        raise ValueError(f"render_mode is {known} or None, not {mode!r}")


def image_size(name: str, given: Any) -> tuple[int, int]:
    """Returns a picture size as height and width. Raises `TypeError` or `ValueError` if it is not two positive integers."""
    fault = f"{name} is (height, width), two ints from 1, not {given!r}"
    try:
        height, width = map(operator.index, given)
    except (TypeError, ValueError):
        raise TypeError(fault) from None
    if height < 1 or width < 1:
        raise ValueError(fault)
    return height, width


def check_renderer(renderer: object) -> None:
    """Raises `TypeError` if a renderer cannot be called."""
    if renderer is not None and not callable(renderer):
        raise TypeError(f"renderer is a function of the state that returns a picture, not {renderer!r}")


def to_rgb(picture: Any) -> Image:
    """Converts a renderer's picture to uint8 of shape ``(height, width, 3)``. Transparent pixels are blended with white.

    Parameters
    ----------
    picture : array_like
        Grey ``(height, width)``, or with one, three or four channels; uint8, or floats from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> to_rgb(np.zeros((2, 3))).shape
    (2, 3, 3)
    >>> to_rgb(np.array([[[0, 0, 0, 0]]], dtype=np.uint8)).tolist()
    [[[255, 255, 255]]]
    """
    array = np.asarray(picture)
    if array.ndim == 2:
        array = array[..., np.newaxis]
    if array.ndim != 3 or array.shape[2] not in (1, 3, 4):
        raise ValueError(f"a picture is an array of shape (height, width, 3), not {np.shape(picture)}")
    if array.dtype.kind == "f":
        array = np.rint(np.clip(array, 0.0, 1.0) * 255).astype(np.uint8)
    if array.shape[2] == 4:
        colour, opacity = array[..., :3].astype(np.uint32), array[..., 3:].astype(np.uint32)
        array = (colour * opacity + 255 * (255 - opacity) + 127) // 255
    if array.shape[2] == 1:
        array = np.repeat(array, 3, axis=2)
    return np.ascontiguousarray(array, dtype=np.uint8)


class Window(Protocol):
    """A window that shows pictures."""

    def show(self, picture: Image) -> None:
        """Replaces the shown picture."""

    def close(self) -> None:
        """Closes the window."""


class PygameWindow:
    """A pygame window, like those of Gymnasium's own environments."""

    def __init__(self, title: str, fps: float) -> None:
        self._pygame: Any = import_module("pygame")
        self._title, self._fps = title, fps
        self._screen: Any = None
        self._clock: Any = None

    def show(self, picture: Image) -> None:
        """Shows a picture; waits if necessary to stay within the frame rate."""
        pygame, size = self._pygame, (picture.shape[1], picture.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            pygame.init()
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode(size)
            self._clock = self._clock or pygame.time.Clock()
        self._screen.blit(pygame.surfarray.make_surface(np.transpose(picture, (1, 0, 2))), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._pygame.quit()
            self._screen = None


class CvWindow:
    """An OpenCV window."""

    def __init__(self, title: str, fps: float) -> None:
        self._cv2: Any = import_module("cv2")
        self._title, self._wait, self._open = title, max(1, round(1000 / fps)), False

    def show(self, picture: Image) -> None:
        """Shows a picture and waits for the duration of a frame."""
        self._cv2.imshow(self._title, picture[..., ::-1])
        self._cv2.waitKey(self._wait)
        self._open = True

    def close(self) -> None:
        """Closes the window."""
        if self._open:
            self._cv2.destroyWindow(self._title)
            self._open = False


def open_window(title: str, fps: float) -> Window:
    """Opens a window, with pygame if it is installed, otherwise with OpenCV.

    Raises
    ------
    gymnasium.error.DependencyNotInstalled
        If neither is installed.
    """
    for make in (PygameWindow, CvWindow):
        try:
            return make(title, fps)
        except ImportError:
            continue
    raise DependencyNotInstalled(
        "render_mode='human' opens a window by pygame or OpenCV, and neither is installed: `pip install pygame`, or take "
        "render_mode='rgb_array'"
    )


def save_animation(path: str | os.PathLike[str], frames: Iterable[Any], *, delay: float = 0.5, overwrite: bool = False) -> None:
    """Writes pictures, such as those of ``env.render()``, as an animation that repeats forever.

    Parameters
    ----------
    path
        The file, which ends in ``.gif``, or in ``.webp`` to keep all colours.
    frames
        The pictures, as `to_rgb` takes them: at least one. The animation has the size of the largest; smaller ones are in its
        upper left corner.
    delay : float
        The time for which each picture is shown, in seconds.
    overwrite : bool
        Whether an existing file may be overwritten.

    Raises
    ------
    ValueError
        For another ending, for a delay that is negative or not finite, without pictures, and for a picture of another shape or
        with too many pixels.
    FileExistsError
        If the file exists and ``overwrite`` is false.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import herbrand, pathlib, tempfile
    >>> env = herbrand.make("sokoban", "train/03", render_mode="rgb_array_list")
    >>> _, info = env.reset(seed=1)
    >>> for _ in range(3):
    ...     _ = env.step(env.unwrapped.sample())
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "episode.gif"
    >>> herbrand.save_animation(path, env.render(), delay=0.3)
    >>> path.read_bytes()[:6]
    b'GIF89a'
    """
    ending = pathlib.PurePath(path).suffix.lower()
    if ending not in (".gif", ".webp"):
        raise ValueError(f"an animation is a .gif or .webp file, not {os.fspath(path)!r}")
    if not (math.isfinite(delay) and delay >= 0):
        raise ValueError(f"delay is a number of seconds, not {delay!r}")
    pictures = [to_rgb(frame) for frame in frames]
    if not pictures:
        raise ValueError("an animation needs at least one picture")
    contents = encode_animation(pictures, round(delay * 1000), ending == ".webp")
    with new_file(path, overwrite) as file:
        file.write(contents)
