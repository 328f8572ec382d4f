"""The build backend: maturin's, with the docstrings of the compiled module in the stub of each wheel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docstrings
import maturin
from maturin import *  # The other hooks.


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Builds a wheel and returns its name."""
    name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    docstrings.main(str(Path(wheel_directory) / name))
    return name
