"""The card of a data set: a JSON file with everything needed to record the data set again."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from .._herbrand import __version__
from ._arrow import pa
from .recipe import Policy, Recipe, Share

__all__ = ["NAME", "FORMAT", "begin", "finish", "part", "read_card", "recipe_of", "warnings"]

NAME = "card.json"
VERSION = 1
_FORMAT = "herbrand-data/"
FORMAT = f"{_FORMAT}{VERSION}"

_KEYS = {"format", "herbrand", "pyarrow", "recipe", "rows", "schema", "parts"}
_PART_KEYS = {"file", "first", "environments", "rows", "bytes", "sha256"}


def part(share: Share) -> str:
    """Returns the file name of a share."""
    return f"part-{share.index:05d}.parquet"


def begin(recipe: Recipe, folder: Path) -> list[Share]:
    """Writes a card without parts, and returns the shares whose files are missing in the folder.

    Raises
    ------
    FileExistsError
        If the folder contains files that are not parts of this recipe.
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
    """Writes the card of a complete data set; deletes partial files of killed workers."""
    parts = [_part(recipe, folder, share) for share in recipe.shares()]
    for left in folder.glob("*.partial"):
        left.unlink()
    card = read_card(folder)
    card |= {"rows": recipe.rows, "schema": {one.name: str(one.type) for one in schema}, "parts": parts}
    _write(folder, card)
    return card


def read_card(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the card of a data set.

    Raises
    ------
    ValueError
        If the file is not a card, or has another format version.
    """
    path = Path(folder) / NAME
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{str(path)!r} is no card: {error}") from error
    if not isinstance(card, dict) or not str(card.get("format")).startswith(_FORMAT):
        raise ValueError(f"{str(path)!r} is not a card of the format {FORMAT}")
    if card["format"] != FORMAT:
        raise ValueError(f"{str(path)!r} has the format {card['format']}, and this version of the package reads {FORMAT}")
    return card


def warnings(folder: str | os.PathLike[str], card: dict[str, Any], recipe: Recipe, schema: pa.Schema) -> list[str]:
    """The keys of a card that the format does not have, and the values that differ from the recipe and the files.

    Parameters
    ----------
    folder : path
        The data set.
    card : dict
        Its card.
    recipe : Recipe
        The recipe of the card.
    schema : pyarrow.Schema
        The columns of the files.

    Returns
    -------
    list of str
        A message for each, with the place in the card.
    """
    parts = card.get("parts", [])
    tables = [("", card, _KEYS), ("recipe.", card["recipe"], set(recipe.to_data()))]
    tables += [(f"parts[{at}].", one, _PART_KEYS) for at, one in enumerate(parts)]
    unknown = [f"{at}{key}" for at, table, keys in tables for key in table if key not in keys]
    found = [f"{NAME}, `{key}`: the format has no such key" for key in unknown]

    def compare(key: str, recorded: Any, here: Any) -> None:
        if recorded != here:
            found.append(f"{NAME}, `{key}`: {recorded} in the card, {here} here")

    if "schema" in card:
        compare("schema", card["schema"], {one.name: str(one.type) for one in schema})
    for at, (one, share) in enumerate(zip(parts, recipe.shares())):
        for key, here in _part(recipe, Path(folder), share).items():
            compare(f"parts[{at}].{key}", one.get(key), here)
    return found


def recipe_of(card: dict[str, Any], policy: Policy | None = None) -> Recipe:
    """Returns the recipe of a card. `policy` must be the policy that the card names."""
    return Recipe.from_data(card["recipe"], policy)


def _part(recipe: Recipe, folder: Path, share: Share) -> dict[str, Any]:
    """What a card says about the file of a share."""
    content = (folder / part(share)).read_bytes()
    return {
        "file": part(share),
        "first": share.first,
        "environments": share.count,
        "rows": share.count * recipe.steps,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _write(folder: Path, card: dict[str, Any]) -> None:
    partial = folder / f"{NAME}.partial"
    partial.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(folder / NAME)
