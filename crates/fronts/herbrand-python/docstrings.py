"""Copies the docstrings of the compiled module into its stub, for editors and type checkers.

``python docstrings.py`` rewrites ``python/herbrand/_herbrand.pyi``. A test checks that both agree. Docstrings are written
once, in Rust.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path
from typing import Any, Union

STUB = Path(__file__).parent / "python" / "herbrand" / "_herbrand.pyi"

_Documented = Union[ast.ClassDef, ast.FunctionDef]


def with_docstrings(stub: str, module: Any) -> str:
    """Returns the stub with the module's docstrings of its classes and functions.

    Parameters
    ----------
    stub : str
        The stub, with or without docstrings.
    module : module
        The module that the stub describes.
    """
    lines = stub.splitlines()
    # Works from the end, so that earlier line numbers stay valid.
    for node, document in reversed(list(_documented(ast.parse(stub), module))):
        _write(lines, node, document)
    return "\n".join(lines) + "\n"


def _documented(tree: ast.Module, module: Any) -> list[tuple[_Documented, str | None]]:
    found: list[tuple[_Documented, str | None]] = []
    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        owner = getattr(module, node.name)
        found.append((node, _document(owner)))
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(member, ast.FunctionDef):
                special = member.name.startswith("__")
                found.append((member, None if special else _document(getattr(owner, member.name))))
    return found


def _document(value: Any) -> str | None:
    document = value.__doc__
    return inspect.cleandoc(document) if document else None


def _write(lines: list[str], node: _Documented, document: str | None) -> None:
    """Writes the docstring of a class or function in place of its old docstring or ellipsis."""
    first = node.body[0]
    indent = " " * (node.col_offset + 4)
    written = textwrap.indent(_quoted(document), indent).split("\n") if document else []
    replaced = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if not replaced:
        start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
        lines[start:start] = written
    elif first.value.value is not ...:  # type: ignore[attr-defined]
        rest = [] if len(node.body) > 1 or written else [f"{indent}..."]
        lines[first.lineno - 1 : first.end_lineno] = [*written, *rest]
    elif written:
        head = lines[first.lineno - 1].rstrip().removesuffix("...").rstrip()
        lines[first.lineno - 1 : first.lineno] = [*([head] if head else []), *written]


def _quoted(document: str) -> str:
    text = document.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = "\n" if "\n" in text else ""
    return f'"""{text}{end}"""'


def main() -> None:
    """Rewrites the stub."""
    from herbrand import _herbrand

    STUB.write_text(with_docstrings(STUB.read_text(encoding="utf-8"), _herbrand), encoding="utf-8")


if __name__ == "__main__":
    main()
