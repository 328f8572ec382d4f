"""Animations of episodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...._files import whole

__all__ = ["MovieGenerator"]


class MovieGenerator:
    """Collects the pictures of an episode and writes them as an animated GIF.

    Parameters
    ----------
    save_dir : str
        The folder.
    env_name : str
        The prefix of file names.
    max_frames : int
        The maximal number of pictures.
    skip : int
        Only every `skip`-th picture is stored.
    save_format : str
        Ignored: pictures are stored in memory.
    frame_duration : int
        Milliseconds for each picture.
    loop : int
        The number of repetitions of the animation; 0 for endless.
    save_as_mp4 : bool
        Must be False: videos are not supported.
    """

    def __init__(
        self,
        save_dir: str,
        env_name: str,
        max_frames: int,
        skip: int = 1,
        save_format: str = "png",
        frame_duration: int = 100,
        loop: int = 0,
        save_as_mp4: bool = False,
    ) -> None:
        if save_as_mp4:
            raise NotImplementedError("episodes are written as GIF")
        self.save_dir, self.env_name = save_dir, env_name
        self.max_frames, self.skip = max_frames, skip
        self.frame_duration, self.loop = frame_duration, loop
        self._frames: list[Any] = []
        self._seen = 0

    def save_frame(self, image: Any) -> None:
        """Adds a picture."""
        if self._seen % self.skip == 0 and len(self._frames) < self.max_frames:
            self._frames.append(image)
        self._seen += 1

    def save_animation(self, file_name: str | None = None) -> None:
        """Writes the animation and clears the pictures."""
        frames, self._frames, self._seen = self._frames, [], 0
        if not frames:
            return
        folder = Path(self.save_dir)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{file_name or self.env_name}.gif"
        first, *rest = frames
        with whole(path) as beside:
            first.save(beside, save_all=True, append_images=rest, duration=self.frame_duration, loop=self.loop)
