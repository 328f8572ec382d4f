"""Compares the stub of the compiled module with it, and copies the module's docstrings into the stub of a wheel.

Signatures are written in ``python/herbrand/_herbrand.pyi``, docstrings in Rust. ``python docstrings.py WHEEL…`` brings both
together for editors; the build backend beside this file does so for each wheel. The methods that classes of both engines
share are written once in the stub: in a private class that exists there only, such as ``_PlanningTask``.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

STUB = Path(__file__).parent / "python" / "herbrand" / "_herbrand.pyi"

_Documented = Union[ast.ClassDef, ast.FunctionDef]

# The name, kind and default of a parameter; None without a default, ``...`` if it is not known.
_Parameter = tuple[str, str, "str | None"]


def with_docstrings(stub: str, module: Any) -> str:
    """Returns the stub with the module's docstrings of its classes and functions.

    Parameters
    ----------
    stub : str
        The stub, without docstrings.
    module : module
        The module that the stub describes.
    """
    lines = stub.splitlines()
    # Works from the end, so that earlier line numbers stay valid.
    for node, document in reversed(list(_documented(ast.parse(stub), module))):
        _write(lines, node, document)
    return "\n".join(lines) + "\n"


def differences(stub: str, module: Any) -> list[str]:
    """Returns the differences in names and signatures between a stub and its module, one text each.

    The names are those of functions, classes and public methods; the signatures have the names, kinds and defaults of
    parameters. Shared methods have the same docstring in all classes.
    """
    tree = ast.parse(stub)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    public = {name for name in functions.keys() | classes.keys() if not name.startswith("_")}
    names = {name for name in vars(module) if not name.startswith("_")}
    found = [f"{name}: only in one of both" for name in sorted(public ^ names)]
    for name in sorted(functions.keys() & names):
        found += _signatures(functions[name], getattr(module, name), name)
    for name in sorted(classes.keys() & names):
        found += _class_differences(name, classes, getattr(module, name))
    for node in classes.values():
        for member in _members(node):
            documents = {_document(getattr(owner, member.name, None)) for owner in _owners(node, tree, module)}
            if len(documents) > 1 and not member.name.startswith("__"):
                found.append(f"{node.name}.{member.name}: the classes have different docstrings")
    return found


def _class_differences(name: str, classes: dict[str, ast.ClassDef], owner: Any) -> Iterator[str]:
    """Returns the differences between a class of the stub, with its bases in the stub, and that of the module."""
    bases = [base for base in _bases(classes[name]) if base in classes]
    declared = {member.name: member for base in [*bases, name] for member in _members(classes[base])}
    inherited = {base for base in _bases(classes[name]) if base not in classes} - {"Generic"}
    public = {one for one in vars(owner) if not one.startswith("_") and not inherited}
    for missing in sorted(public - declared.keys()):
        yield f"{name}.{missing}: not in the stub"
    for member in declared.values():
        what = f"{name}.{member.name}"
        if member.name == "__new__":
            yield from _signatures(member, owner, what)
        elif member.name not in vars(owner):
            yield f"{what}: not in the module"
        elif not member.name.startswith("__"):
            yield from _signatures(member, getattr(owner, member.name), what)


def _signatures(node: ast.FunctionDef, value: Any, what: str) -> Iterator[str]:
    """Returns the difference between the signatures of a function in the stub and in the module, if there is one."""
    decorators = {ast.unparse(one) for one in node.decorator_list}
    if "overload" in decorators:
        return
    if ("property" in decorators) != inspect.isgetsetdescriptor(value):
        yield f"{what}: a property in one of both only"
        return
    if "property" in decorators:
        return
    parameters = list(inspect.signature(value).parameters.values())
    theirs = [(one.name, one.kind.description, _default(one.default)) for one in parameters if one.name != "self"]
    mine = list(_parameters(node))
    if node.args.kwarg and not any(kind == "variadic keyword" for _, kind, _ in theirs):
        mine[-1:] = _options(node.args.kwarg)
        mine, theirs = sorted(mine), sorted(theirs)
    same = [one[:2] for one in mine] == [one[:2] for one in theirs] and all(
        one[2] == other[2] or "..." in (one[2], other[2]) for one, other in zip(mine, theirs)
    )
    if not same:
        yield f"{what}: {mine} in the stub, {theirs} in the module"


def _options(keywords: ast.arg) -> list[_Parameter]:
    """Returns the keywords of ``**options: Unpack[RddlPlannerOptions]``, a dict of `herbrand.rddl.planning`."""
    from herbrand.rddl import planning

    name = ast.unparse(keywords.annotation or ast.Constant("")).removeprefix("Unpack[").removesuffix("]")
    return [(one, "keyword-only", "...") for one in getattr(planning, name).__annotations__]


def _parameters(node: ast.FunctionDef) -> Iterator[_Parameter]:
    """Returns the parameters without ``self`` and ``cls``."""
    given = node.args
    plain = [(one, "positional-only") for one in given.posonlyargs]
    plain += [(one, "positional or keyword") for one in given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + [ast.unparse(one) for one in given.defaults]
    rows = [(one.arg, kind, default) for (one, kind), default in zip(plain, defaults)]
    if given.vararg:
        rows.append((given.vararg.arg, "variadic positional", None))
    for one, value in zip(given.kwonlyargs, given.kw_defaults):
        rows.append((one.arg, "keyword-only", None if value is None else ast.unparse(value)))
    if given.kwarg:
        rows.append((given.kwarg.arg, "variadic keyword", None))
    yield from (row for row in rows if row[0] not in ("self", "cls"))


def _default(value: Any) -> str | None:
    """Returns the text of a parameter's default; None if it has none."""
    if value is inspect.Parameter.empty:
        return None
    return "..." if value is ... else ast.unparse(ast.parse(repr(value), mode="eval"))


def _documented(tree: ast.Module, module: Any) -> Iterator[tuple[_Documented, str | None]]:
    """Returns the classes and functions of the stub in their order, each with its docstring in the module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, _document(getattr(module, node.name))
        if not isinstance(node, ast.ClassDef):
            continue
        if hasattr(module, node.name):
            yield node, _document(getattr(module, node.name))
        owner = _owners(node, tree, module)[0]
        for member in _members(node):
            special = member.name.startswith("__")
            yield member, None if special else _document(getattr(owner, member.name))


def _owners(node: ast.ClassDef, tree: ast.Module, module: Any) -> list[Any]:
    """Returns the module's class, or of a class that exists in the stub only, the classes that derive from it."""
    if hasattr(module, node.name):
        return [getattr(module, node.name)]
    derived = [one.name for one in tree.body if isinstance(one, ast.ClassDef) and node.name in _bases(one)]
    return [getattr(module, name) for name in derived]


def _bases(node: ast.ClassDef) -> list[str]:
    """Returns the names of the base classes, without their parameters."""
    return [ast.unparse(base).partition("[")[0] for base in node.bases]


def _members(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [member for member in node.body if isinstance(member, ast.FunctionDef)]


def _document(value: Any) -> str | None:
    document = value.__doc__
    return inspect.cleandoc(document) if document else None


def _write(lines: list[str], node: _Documented, document: str | None) -> None:
    """Writes the docstring of a class or function: before its first member, or in place of its ellipsis."""
    if document is None:
        return
    first = node.body[0]
    written = textwrap.indent(_quoted(document), " " * (node.col_offset + 4)).split("\n")
    start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
    if isinstance(first, ast.Expr):
        lines[start] = lines[start].removesuffix(" ...")
        start += 1
    lines[start:start] = written


def _quoted(document: str) -> str:
    text = document.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = "\n" if "\n" in text else ""
    return f'"""{text}{end}"""'


def main(*wheels: str) -> None:
    """Copies the docstrings of the first wheel's module into the stubs of all wheels. This machine can load the first."""
    written = None
    for wheel in wheels:
        # A loaded library cannot be deleted on Windows.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
            tool = [sys.executable, "-m", "wheel"]
            subprocess.run([*tool, "unpack", "--dest", made, wheel], check=True, stdout=subprocess.DEVNULL)
            (unpacked,) = Path(made).iterdir()
            stub = unpacked / "herbrand" / STUB.name
            if written is None:
                (library,) = (one for one in stub.parent.glob("_herbrand.*") if one.suffix in (".so", ".pyd"))
                written = with_docstrings(stub.read_text(encoding="utf-8"), _loaded(library))
            stub.write_text(written, encoding="utf-8")
            destination = str(Path(wheel).parent)
            subprocess.run([*tool, "pack", "--dest-dir", destination, unpacked], check=True, stdout=subprocess.DEVNULL)


def _loaded(library: Path) -> Any:
    """Returns the compiled module in a file, without its package."""
    specification = importlib.util.spec_from_file_location("_herbrand", library)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(*sys.argv[1:])
