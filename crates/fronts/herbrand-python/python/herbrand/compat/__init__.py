"""Interfaces of other packages on top of Herbrand: `pddlgym`, `pddlgym_planners`, `pyrddlgym` and `unified_planning`.

All but `unified_planning` are in a distribution of their own: ``pip install 'herbrand[compat]'``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_LAYERS = ("pddlgym", "pddlgym_planners", "pyrddlgym")


class _LayerFinder(MetaPathFinder):
    """Finds what the distribution herbrand-compat installed to another folder than this one, as an editable installation does.

    Python asks it after all others. If a layer is not installed, the error says what brings it.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package != __name__:
            return None
        folders = [os.path.join(entry, *package.split(".")) for entry in sys.path]
        found = PathFinder.find_spec(fullname, folders, target)
        if found is None and name in _LAYERS:
            # Without a name, `from herbrand.compat import pddlgym` raises it too.
            raise ModuleNotFoundError(f"{fullname} is in the distribution herbrand-compat: pip install 'herbrand[compat]'")
        return found


sys.meta_path.append(_LayerFinder())
