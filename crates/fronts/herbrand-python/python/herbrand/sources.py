"""Resolution of domains and problems: names, paths, folders, texts, objects, and lists of them."""

from __future__ import annotations

import difflib
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, SupportsIndex, Union, overload

from ._collections import is_collected, package_folders
from ._herbrand import Domain, LiftedTask, Problem, RddlSuite, RddlTask, Suite, Task, defined_name
from ._paths import can_be_path, exists, shortened
from .errors import ConfigError, PDDLWarning, UnknownNameError
from .limits import LimitsLike
from .rddl.sources import RddlProblemsLike, is_rddl, rddl_suite

__all__ = ["DomainLike", "Ids", "ProblemLike", "ProblemsLike", "bundled_domains", "domain_texts", "load", "pddl_suite", "suite"]

Ids = Literal["problem", "suite"]
DomainLike = Union[str, "os.PathLike[str]", Domain, Suite]
ProblemLike = Union[str, int, "os.PathLike[str]", Problem]
ProblemsLike = Union[ProblemLike, Iterable[ProblemLike], None]

# The maximal depth of files in a suite's folder: levels/<n>/train/<problem>.
_DEPTH = 4


def bundled_domains() -> list[str]:
    """Returns the names of the bundled PDDL domains; a domain with levels has one name per level.

    ``RddlSuite.bundled_names()`` returns the names of the bundled RDDL environments.
    """
    return Suite.bundled_names()


@overload
def suite(domain: RddlSuite, problem: RddlProblemsLike = None, *, limits: LimitsLike = None) -> RddlSuite: ...


@overload
def suite(
    domain: DomainLike,
    problem: ProblemsLike = None,
    *,
    split: str | None = None,
    operators: bool = False,
    limits: LimitsLike = None,
    ids: Ids | None = None,
) -> Suite: ...


def suite(domain: Any, problem: Any = None, *, limits: LimitsLike = None, **options: Any) -> Any:
    """Loads a domain with its problems. In RDDL it returns a `RddlSuite` (see `herbrand.rddl.rddl_suite`).

    Parameters
    ----------
    domain : str, path, Domain, Suite or RddlSuite
        As for `pddl_suite`; or the name of a bundled RDDL environment (``"rddl/elevators"``), a problem of the installed
        package ``rddlrepository`` (``"rddlrepository:Elevators_MDP_ippc2011"``), a ``.rddl`` file, a folder of such files,
        or RDDL text.
    problem, limits, **options
        As for `pddl_suite`; RDDL has no further options.
    """
    if is_rddl(domain):
        refuse_pddl_options(options)
        return rddl_suite(domain, problem, limits=limits)
    return pddl_suite(domain, problem, limits=limits, **options)


def hidden_domain(domain: object) -> tuple[str | None, str | int | None] | None:
    """Returns the hidden domain and the start that a name of a domain under edit names: ``("blocks", 3)`` for
    ``"pddlworld/blocks@3"``. The domain is None for ``"pddlworld"``, the light switch, and the start is None if the name has
    none. Returns None for any other argument, and if there is a file or folder of this name.
    """
    if not isinstance(domain, str) or exists(domain):
        return None
    name, sign, start = domain.rpartition("@")
    if not sign or exists(domain.removeprefix("pddlworld/")):
        name, start = domain, ""
    first, _, rest = name.partition("/")
    if first != "pddlworld":
        return None
    return None if rest in ("", "light-switch") else rest, int(start) if start.isdecimal() else start or None


def refuse_pddl_options(options: dict[str, Any]) -> None:
    """Raises `ValueError` if an option is set that RDDL does not support."""
    given = [name for name, value in options.items() if value not in (None, False)]
    if given:
        raise ValueError(f"a domain in RDDL has no option `{given[0]}`")


def pddl_suite(
    domain: DomainLike,
    problem: ProblemsLike = None,
    *,
    split: str | None = None,
    operators: bool = False,
    limits: LimitsLike = None,
    ids: Ids | None = None,
) -> Suite:
    """Loads a PDDL domain with its problems.

    Parameters
    ----------
    domain : str, path, Domain or Suite
        The name of a bundled domain, the path of a domain file or of a folder, PDDL text, or a parsed object. Or a domain
        of an installed package (``"pddlgym:sokoban"``, ``"pypddl-datasets:classical/tests/gripper"``), or a fetched domain
        (``"fetched:ferry"``; see ``herbrand fetch --help``).
    problem : str, int, path, Problem, an iterable of them, or None
        The problems. For a bundled domain or a folder: names (``"03"``, ``"test/03"``) or indices from 0, each an int; by
        default all problems. Otherwise: the path of a problem file or of a folder of them, PDDL text, or a parsed object.
    split : {"train", "test"}, optional
        Selects the training or test problems of a bundled domain or a folder.
    operators : bool, default False
        Whether every operator with all its parameters is an action, instead of the agent's actions that the domain declares.
    limits : Limits or mapping, optional
        Limits for compiling each problem, and with the lifted engine for each step. By default those of the given suite.
    ids : {"problem", "suite"}, optional
        The numbering of actions and observed atoms. ``"problem"`` (the default): each problem has its own numbers.
        ``"suite"``: a number is the same schema or predicate with the same object indices in all problems, padded to the
        largest problem, so that one policy can be trained on all of them. For a bundled domain or a folder, the numbers
        cover all its problems, whatever `split` and `problem` select. By default that of the given suite.

    Raises
    ------
    UnknownNameError
        If the domain or a problem does not exist.
    ParseError
        If the domain is invalid. Problems are parsed on first use.
    """
    if is_rddl(domain):
        raise ValueError("the domain is in RDDL: use `herbrand.make`, `suite`, `load` or `herbrand.rddl`")
    found = _chosen(domain, problem, split, operators, ids)
    return found if limits is None else found.with_limits(limits)


def _chosen(
    domain: DomainLike, problem: ProblemsLike, split: str | None, operators: bool, ids: Ids | None
) -> Suite:
    found = _whole_suite(domain, operators)
    if found is None:
        if split is not None:
            raise ValueError("`split` needs a bundled domain or a folder with parts")
        return _numbered(_suite_of_problems(domain, problem, operators), ids)
    found = _numbered(found, ids)
    if split is not None:
        found = found.split(split)
        if len(found) == 0:
            raise ConfigError(f"{found.name} has no {split} problems")
    if problem is None:
        return found
    several = isinstance(problem, Iterable) and not isinstance(problem, (str, os.PathLike, Problem))
    given: list[Any] = list(problem) if several else [problem]  # type: ignore[arg-type]
    if all(map(_is_reference, given)):
        if not given:
            raise ConfigError(f"{found.name} needs one problem or more")
        return found.select(given)
    return _numbered(_suite_of_problems(found.domain, given, operators), ids)


def _is_reference(problem: object) -> bool:
    """Returns whether an argument is the name or the index of a problem of a suite."""
    if isinstance(problem, str):
        if not _is_pddl(problem) and not can_be_path(problem):
            raise UnknownNameError(f"there is no problem {shortened(problem)}")
        return not _is_pddl(problem) and not (problem and exists(problem))
    return isinstance(problem, SupportsIndex)


def _numbered(found: Suite, ids: Ids | None) -> Suite:
    return found if ids is None or ids == found.ids else found.with_ids(ids)


@overload
def load(domain: RddlSuite, problem: str | int | None = None, *, limits: LimitsLike = None) -> RddlTask: ...


@overload
def load(
    domain: DomainLike,
    problem: ProblemLike | None = None,
    *,
    split: str | None = None,
    determinize: str | None = None,
    limits: LimitsLike = None,
    engine: Literal["grounded"] = "grounded",
    lenient: bool = False,
) -> Task: ...


@overload
def load(
    domain: DomainLike,
    problem: ProblemLike | None = None,
    *,
    split: str | None = None,
    limits: LimitsLike = None,
    engine: Literal["lifted"],
    lenient: bool = False,
) -> LiftedTask: ...


def load(
    domain: Any,
    problem: Any = None,
    *,
    split: str | None = None,
    determinize: str | None = None,
    limits: LimitsLike = None,
    engine: Literal["grounded", "lifted"] = "grounded",
    lenient: bool = False,
) -> Any:
    """Returns the planning task of one problem; for an RDDL instance a `RddlTask`.

    Parameters
    ----------
    domain, problem, split
        As for `suite`; by default the first problem.
    determinize : {None, "most-likely", "all-outcomes"}
        How probabilistic effects are made deterministic, as for `Task`.
    limits : Limits or mapping, optional
        As for `suite`.
    engine : {"grounded", "lifted"}
        ``"lifted"`` returns a `LiftedTask`, which is not grounded.
    lenient : bool, default False
        Whether faults of a domain and a problem in files or texts that have one obvious repair are repaired, as for `Domain`.
        Each repair is a `PDDLWarning` with its place and the assumption.

    Examples
    --------
    >>> import herbrand
    >>> herbrand.load("blocks", "test/01")  # doctest: +ELLIPSIS
    <Task blocks test/01: ... atoms, ... actions>
    """
    if isinstance(problem, Iterable) and not isinstance(problem, (str, os.PathLike, Problem)):
        given = list(problem)
        if len(given) != 1:
            raise ValueError(f"`load` returns the task of one problem, not of {len(given)}: `herbrand.suite` takes several")
        problem = given[0]
    if is_rddl(domain):
        refuse_pddl_options({"split": split, "determinize": determinize, "engine": engine != "grounded"})
        return rddl_suite(domain, problem, limits=limits).task(0)
    if lenient:
        domain, problem = _leniently(domain, problem)
    if engine not in ("grounded", "lifted"):
        raise ValueError(f"engine is 'grounded' or 'lifted', not {engine!r}")
    chosen = pddl_suite(domain, problem, split=split, operators=True, limits=limits)
    if engine == "lifted":
        if determinize is not None:
            raise ValueError("a lifted task cannot be determinized: `determinize` needs the grounded engine")
        return chosen.lifted_task(0)
    if determinize is None:
        return chosen.task(0)
    return Task(chosen.domain, chosen.parse_problem(0), determinize=determinize, limits=limits)


def _leniently(domain: Any, problem: Any) -> tuple[Any, Any]:
    """Reads a domain and a problem leniently, as far as they are files or texts, and warns of the repairs."""
    if not isinstance(domain, Domain) and not _is_pddl(domain) and not (exists(domain) and Path(domain).is_file()):
        raise ValueError("`lenient` needs the file or the text of a domain")
    read = domain if isinstance(domain, Domain) else Domain(domain, lenient=True)
    if _is_pddl(problem) or exists(problem):
        problem = Problem(problem, read)
    found = [*read.diagnostics, *(problem.diagnostics if isinstance(problem, Problem) else ())]
    for one in found:
        if one.code.startswith("E"):
            warnings.warn(f"\n{one}", PDDLWarning, stacklevel=3)
    return read, problem


def _is_pddl(text: object) -> bool:
    return isinstance(text, str) and "(" in text and not exists(text)


def _whole_suite(domain: DomainLike, operators: bool) -> Suite | None:
    """Returns the suite with the problems of `domain`; None if `domain` comes without problems."""
    if isinstance(domain, Suite):
        return domain
    if isinstance(domain, Domain) or _is_pddl(domain):
        return None
    if not isinstance(domain, (str, os.PathLike)):
        raise TypeError(f"a domain is a name, a path, PDDL, a Domain or a Suite, not {domain!r}")
    if not domain or isinstance(domain, str) and not can_be_path(domain):
        text = "an empty text" if not domain else f"neither a name, a path, PDDL nor RDDL: {shortened(str(domain))}"
        raise UnknownNameError(f"the domain is {text}: give a name, a path or PDDL")
    if is_collected(domain):
        return Suite.named(domain, *package_folders(), operators)[0]
    path, is_there = Path(domain), exists(domain)
    if is_there and path.is_dir():
        return _one_level(Suite.from_folder(path, operators), str(path))
    if is_there and path.is_file():
        return None
    if not isinstance(domain, str) or path.suffix == ".pddl":
        raise FileNotFoundError(f"there is no file or folder {str(path)!r}{_meant(path)}")
    try:
        found = Suite.named(domain, operators=operators)
    except UnknownNameError as error:
        raise UnknownNameError(f"{error}{_hint(domain)}") from None
    return _one_level(found, domain)


def _hint(name: str) -> str:
    """Returns the end of the message about an unknown domain: how to use an id of Gymnasium or of PDDLGym."""
    if name.startswith("PDDLEnv"):
        return f": it is an id of PDDLGym, for herbrand.compat.pddlgym.make({name!r})"
    if name.partition(":")[2].startswith("herbrand/") or name.startswith("herbrand/"):
        return f": it is an id of Gymnasium, for gymnasium.make({name!r})"
    return ""


def _meant(path: Path) -> str:
    """Returns the end of the message about a path that does not exist: the file or folder with the most similar name."""
    if not exists(str(path.parent)) or not path.parent.is_dir():
        return ""
    names = [one.name for one in path.parent.iterdir() if one.is_dir() or one.suffix in (".pddl", ".rddl")]
    near = difflib.get_close_matches(path.name, names, 1, 0.7)
    return f"; did you mean the path {str(path.parent / near[0])!r}?" if near else ""


def _one_level(suites: list[Suite], name: str) -> Suite:
    if len(suites) != 1:
        levels = ", ".join(one.name for one in suites)
        raise UnknownNameError(f"`{name}` has levels: choose one of {levels}")
    return suites[0]


def _suite_of_problems(domain: DomainLike, problem: ProblemsLike, operators: bool) -> Suite:
    """Builds a suite from a single domain (a file, a text or an object) and the given problems."""
    if problem is None:
        raise ValueError(f"a domain that is given as a file, text or object needs `problem`{_beside(domain)}")
    name, source, config = domain_texts(domain)
    several = isinstance(problem, Iterable) and not isinstance(problem, (str, os.PathLike))
    given = list(problem) if several else [problem]  # type: ignore[arg-type]
    problems = _distinct([text for one in given for text in _problem_texts(one)])
    if not problems:
        raise ConfigError(f"{name} has no problem")
    read = domain if isinstance(domain, Domain) else None
    return Suite.from_texts(name, source, config, problems, operators, read=read)


def _beside(domain: DomainLike) -> str:
    """Returns the end of the message about a file without a problem, if the file or its folder has one."""
    if not exists(domain):
        return ""
    path = Path(domain)
    text = path.read_bytes()
    if defined_name(text, "domain") is None and defined_name(text, "problem") is not None:
        return f": {str(path)!r} is no domain but a problem"
    files = (one for depth in range(_DEPTH) for one in path.parent.glob("*/" * depth + "*.pddl"))
    if any(one.name != path.name for one in files):
        return f", or give its folder {str(path.parent)!r}"
    return ""


_Text = tuple[str, Union[str, bytes]]
_NamedText = tuple[Union[str, None], str, str, Union[str, bytes]]


def _distinct(problems: list[_NamedText]) -> list[_NamedText]:
    """Makes the names of problems unique by appending numbers to repeated names."""
    seen: dict[str, int] = {}
    renamed = []
    for split, name, file, text in problems:
        seen[name] = seen.get(name, 0) + 1
        number = "" if seen[name] == 1 else f"-{seen[name]}"
        renamed.append((split, name + number, file, text))
    return renamed


def domain_texts(domain: DomainLike) -> tuple[str, _Text, _Text | None]:
    """Returns the name of a domain, its text, and its settings.

    The name is that of the file, or of the folder if the file is ``domain.pddl``. Without a file it is the name in the text.
    """
    if isinstance(domain, Domain):
        return _name(domain.file, domain.name), (domain.file or "domain", domain.text or domain.to_pddl()), None
    if isinstance(domain, str) and _is_pddl(domain):
        return defined_name(domain, "domain") or "domain", ("domain", domain), None
    path = Path(domain)  # type: ignore[arg-type]
    config = path.parent / "env.toml"
    settings = (str(config), config.read_bytes()) if path.name == "domain.pddl" and config.is_file() else None
    return _name(path, path.stem), (str(path), path.read_bytes()), settings


def _name(file: str | Path | None, otherwise: str) -> str:
    """Returns the name of a domain or problem by its file, or `otherwise` if it has no file."""
    path = Path(file or "")
    if path.suffix != ".pddl":
        return otherwise
    return path.resolve().parent.name if path.name == "domain.pddl" else path.stem


def _is_domain(text: bytes) -> bool:
    """Returns whether a text defines a domain and no problem."""
    return defined_name(text, "domain") is not None and defined_name(text, "problem") is None


def _problem_texts(problem: object) -> list[_NamedText]:
    """Returns the problems of one argument as tuples of split, name, file and text.

    The name is that of the file without ``.pddl``. Without a file it is the name in the text.
    """
    if isinstance(problem, Problem):
        name = _name(problem.file, problem.name)
        return [(None, name, problem.file or problem.name, problem.text or problem.to_pddl())]
    if isinstance(problem, str) and _is_pddl(problem):
        return [(None, defined_name(problem, "problem") or "problem", "problem", problem)]
    if not isinstance(problem, (str, os.PathLike)):
        raise TypeError(f"a problem is a path, a folder, PDDL or a Problem, not {problem!r}")
    if not exists(problem):
        raise FileNotFoundError(f"there is no file or folder {shortened(str(problem))}")
    path = Path(problem)
    if path.is_dir():
        files = [(one, one.read_bytes()) for one in sorted(path.glob("*.pddl")) if one.name != "domain.pddl"]
        return [(None, one.stem, str(one), text) for one, text in files if not _is_domain(text)]
    return [(None, path.stem, str(path), path.read_bytes())]
