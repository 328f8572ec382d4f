"""Resolution of RDDL domains and instances: names, paths, folders, texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Union

from .._collections import is_collected, package_folders
from .._herbrand import RddlSuite, collected_in_rddl
from .._paths import can_be_path, exists, shortened
from ..errors import UnknownNameError
from ..limits import LimitsLike

__all__ = ["RddlLike", "RddlProblemsLike", "is_rddl", "rddl_suite"]

RddlLike = Union[str, "os.PathLike[str]", RddlSuite]
RddlProblemsLike = Union[str, int, "os.PathLike[str]", Iterable[Union[str, int, "os.PathLike[str]"]], None]

# # RDDL text starts with one of these blocks, after comments.
_BLOCK = re.compile(r"\s*(//[^\n]*\n\s*)*(domain|instance|non-fluents)\b[^(]*\{")


def _is_text(given: object) -> bool:
    return isinstance(given, str) and _BLOCK.match(given) is not None


def is_rddl(domain: object) -> bool:
    """Returns whether an argument denotes an RDDL domain.

    This is the case for a suite, a bundled name such as ``"rddl/elevators"``, a name of a collection such as
    ``"rddlrepository:Elevators_MDP_ippc2011"``, an RDDL text, a ``.rddl`` file, and a folder with such files and no PDDL
    files.
    """
    if isinstance(domain, RddlSuite) or _is_text(domain):
        return True
    if not isinstance(domain, (str, os.PathLike)) or isinstance(domain, str) and not can_be_path(domain):
        return False
    name = os.fspath(domain)
    if is_collected(name):
        return collected_in_rddl(name)
    if name.endswith(".rddl"):
        return True
    if os.path.isdir(name):
        path = Path(name)
        return any(path.glob("*.rddl")) and not any(path.rglob("*.pddl"))
    return str(domain).startswith("rddl/")


def rddl_suite(
    domain: RddlLike, problem: RddlProblemsLike = None, *, limits: LimitsLike = None
) -> RddlSuite:
    """Loads an RDDL domain with its instances.

    Parameters
    ----------
    domain : str, path or RddlSuite
        The name of a bundled environment (``"rddl/elevators"``) or of a problem of a collection
        (``"rddlrepository:Elevators_MDP_ippc2011"``), the path of a file or of a folder of files, or RDDL text.
    problem : str, int, path, a list of them, or None
        The instances: names, or indices from 0; by default all of them. If the domain is a single file or text: the path of
        an instance's file, or its text.
    limits : Limits or mapping, optional
        Limits for parsing the texts and compiling each instance; by default those of the given suite.

    Raises
    ------
    UnknownNameError
        If the environment or an instance does not exist.
    FileNotFoundError
        If a file does not exist.
    ParseError
        If a text is invalid; it lists all faults.

    Examples
    --------
    >>> from herbrand.rddl import rddl_suite
    >>> rddl_suite("rddl/elevators").problem_names
    ('1', '2', '3', '4', '5')
    """
    if not isinstance(domain, (str, os.PathLike, RddlSuite)):
        raise TypeError(f"an RDDL domain is a name, a path, RDDL or an RddlSuite, not {domain!r}")
    if isinstance(domain, str) and not _is_text(domain) and not can_be_path(domain):
        raise UnknownNameError(f"the domain is neither a name, a path nor RDDL: {shortened(domain)}")
    several = isinstance(problem, Iterable) and not isinstance(problem, (str, bytes, os.PathLike))
    given: list[Any] = list(problem) if several else [] if problem is None else [problem]  # type: ignore[arg-type]
    if not isinstance(domain, RddlSuite) and not _is_named(domain):
        texts = [one for one in given if _is_source(one)]
        rest = [one for one in given if not _is_source(one)]
        files = [_file(domain), *(_file(one) for one in texts)]
        if exists(domain) and Path(domain).name == "domain.rddl":
            files += _settings(Path(domain).parent)
        suite = RddlSuite.from_texts(files, None, limits)
    elif isinstance(domain, RddlSuite):
        suite, rest = (domain if limits is None else domain.with_limits(limits)), given
    else:
        suite, rest = _named(domain, limits), given
    return suite if not rest else suite.select([_name(one) for one in rest])


def _is_named(domain: RddlLike) -> bool:
    """Returns whether the argument is a bundled name or a folder, which come with instances."""
    return is_collected(domain) or not _is_text(domain) and not _is_file(domain) and not str(domain).endswith(".rddl")


def _is_source(problem: object) -> bool:
    """Returns whether the argument is a text, the path of a file, or a path with the ending of an RDDL file."""
    if _is_text(problem):
        return True
    return isinstance(problem, (str, os.PathLike)) and (_is_file(problem) or str(problem).endswith(".rddl"))


def _is_file(given: object) -> bool:
    return exists(given) and Path(given).is_file()


def _file(given: object) -> tuple[str, str | bytes]:
    """Returns the name and the content of a file or text. A text is named after its instance if it has one."""
    if _is_text(given):
        instance = re.search(r"\binstance\s+([\w-]+)", str(given))
        return (instance[1] if instance else "text"), str(given)
    path = Path(str(given))
    return str(path), path.read_bytes()


def _settings(folder: Path) -> list[tuple[str, str | bytes]]:
    """Returns the settings of a folder, if there are any."""
    settings = folder / "env.toml"
    return [_file(settings)] if settings.is_file() else []


def _named(domain: RddlLike, limits: LimitsLike) -> RddlSuite:
    if is_collected(domain):
        return RddlSuite.named(domain, *package_folders(), limits)
    path = Path(str(domain))
    if exists(domain) and path.is_dir():
        return RddlSuite.from_folder(path, limits)
    return RddlSuite.named(str(domain), limits=limits)


def _name(problem: Any) -> Any:
    if isinstance(problem, str) and not can_be_path(problem):
        raise UnknownNameError(f"there is no instance {shortened(problem)}")
    return str(problem) if isinstance(problem, os.PathLike) else problem
