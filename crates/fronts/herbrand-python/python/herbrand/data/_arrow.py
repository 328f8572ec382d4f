"""PyArrow, imported on first use. Totals of a recipe (`herbrand.data.rollout`) do without it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["ds", "pa", "pq"]

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq
else:

    class _Deferred:
        """A module of PyArrow that is imported when an attribute is read."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            try:
                module = import_module(self._name)
            except ImportError as error:
                raise ImportError("data sets in files and tables need PyArrow: pip install 'herbrand[data]'") from error
            return getattr(module, attribute)

    pa, ds, pq = map(_Deferred, ("pyarrow", "pyarrow.dataset", "pyarrow.parquet"))
