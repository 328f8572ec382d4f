"""The card of a data set: how it was made, so that it can be made again."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa

from .._herbrand import __version__
from .recipe import Policy, Recipe, Share

__all__ = ["NAME", "FORMAT", "begin", "finish", "part", "read_card", "recipe_of"]

NAME = "card.json"
FORMAT = "herbrand-data/1"


def part(share: Share) -> str:
    """The name of the file that holds a share."""
    return f"part-{share.index:05d}.parquet"


def begin(recipe: Recipe, folder: Path) -> list[Share]:
    """Writes a card without parts, and returns the shares that the folder has no file of.

    Raises
    ------
    FileExistsError
        When the folder holds something else than parts of this recipe.
    """
    card = {"format": FORMAT, "herbrand": __version__, "pyarrow": pa.__version__, "recipe": recipe.to_data()}
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(one.name for one in folder.iterdir() if not one.name.endswith(".partial"))
    if found:
        same = NAME in found and all(read_card(folder).get(key) == value for key, value in card.items())
        if not same:
            raise FileExistsError(f"{str(folder)!r} is not empty and contains no data set of this recipe")
        return [share for share in recipe.shares() if part(share) not in found]
    _write(folder, card)
    return recipe.shares()


def finish(recipe: Recipe, folder: Path, schema: pa.Schema) -> dict[str, Any]:
    """Writes the card of a data set that has all its parts; clears away what killed workers left half written."""
    parts = []
    for share in recipe.shares():
        content = (folder / part(share)).read_bytes()
        parts.append(
            {
                "file": part(share),
                "first": share.first,
                "environments": share.count,
                "rows": share.count * recipe.steps,
                "bytes": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
    for left in folder.glob("*.partial"):
        left.unlink()
    card = read_card(folder)
    card |= {"rows": recipe.rows, "schema": {one.name: str(one.type) for one in schema}, "parts": parts}
    _write(folder, card)
    return card


def read_card(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The card of a data set.

    Raises
    ------
    ValueError
        When it is no card, or of another format.
    """
    path = Path(folder) / NAME
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{str(path)!r} is no card: {error}") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ValueError(f"{str(path)!r} is not a card of the format {FORMAT}")
    return card


def recipe_of(card: dict[str, Any], policy: Policy | None = None) -> Recipe:
    """The recipe of a card; `policy` is the one that it names."""
    return Recipe.from_data(card["recipe"], policy)


def _write(folder: Path, card: dict[str, Any]) -> None:
    partial = folder / f"{NAME}.partial"
    partial.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(folder / NAME)
