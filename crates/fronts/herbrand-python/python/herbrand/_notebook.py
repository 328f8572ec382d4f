"""Faults and plans in colours, for notebooks and the shell of IPython."""

from __future__ import annotations

import html
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._herbrand import Action

#: For each role of a part of an excerpt, the parameters of the terminal's colour and the style in a page.
_STYLES = {
    "error": ("1;31", "color:#d32f2f;font-weight:bold"),
    "warning": ("1;33", "color:#b26a00;font-weight:bold"),
    "frame": ("1;34", "color:#1e6fd9;font-weight:bold"),
    "strong": ("1", "font-weight:bold"),
    "plain": ("", ""),
}
_HEAD = re.compile(r"(error|warning)(\[\w+\])?: ")
_ARROW = re.compile(r" *(-->|:::) ")
_BELOW = re.compile(r" +\|")
_SOURCE = re.compile(r" *\d+ \|")
_REMARK = re.compile(r" *= (help|note): ")

#: The folder of the package, whose own calls are no help in a traceback.
_PACKAGE = str(Path(__file__).parent)


def _parts(rendered: str) -> Iterator[tuple[str, str]]:
    """Yields the parts of a rendered fault, each with its role. Together they are the text."""
    severity = "error"
    for number, line in enumerate(rendered.split("\n")):
        if number > 0:
            yield "plain", "\n"
        if head := _HEAD.match(line):
            severity = head[1]
            yield severity, head[0].removesuffix(": ")
            yield "strong", line[head.end() - 2 :]
        elif arrow := _ARROW.match(line):
            yield "frame", arrow[0]
            yield "plain", line[arrow.end() :]
        elif source := _SOURCE.match(line):
            yield "frame", source[0]
            yield "plain", line[source.end() :]
        elif below := _BELOW.match(line):
            yield "frame", below[0]
            yield severity if "^" in line else "frame", line[below.end() :]
        elif remark := _REMARK.match(line):
            yield "strong", remark[0]
            yield "plain", line[remark.end() :]
        else:
            yield "plain", line


def ansi(rendered: str) -> str:
    """Returns a rendered fault with the colours of a terminal."""
    parts = ((_STYLES[role][0], text) for role, text in _parts(rendered))
    return "".join(f"\x1b[{colour}m{text}\x1b[0m" if colour and text else text for colour, text in parts)


def page(rendered: str) -> str:
    """Returns a rendered fault with the colours of a page, as HTML."""
    parts = ((_STYLES[role][1], html.escape(text)) for role, text in _parts(rendered))
    body = "".join(f'<span style="{style}">{text}</span>' if style and text else text for style, text in parts)
    return f"<pre>{body}</pre>"


def traceback_lines(error: BaseException, rendered: str) -> list[str]:
    """Returns the lines of a traceback that ends with a rendered fault in colours. Calls inside this package are left out."""
    calls = [call for call in traceback.extract_tb(error.__traceback__) if not call.filename.startswith(_PACKAGE)]
    # The shell's own calls come first, and then the user's.
    shells = [at for at, call in enumerate(calls) if Path(call.filename).parent.name == "core" and "IPython" in call.filename]
    calls = calls[shells[-1] + 1 if shells else 0 :]
    name = f"{type(error).__module__}.{type(error).__qualname__}:"
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(calls)]
    return [line.rstrip("\n") for line in lines] + [f"\x1b[1;31m{name}\x1b[0m", *ansi(rendered).split("\n")]


def steps(actions: Iterable[Action] | None, remark: str) -> str:
    """Returns a plan as a numbered list in HTML, below a remark; only the remark if there is no plan."""
    head = f"<p>{html.escape(remark)}</p>"
    items = "".join(f"<li><code>{html.escape(str(action))}</code></li>" for action in actions or ())
    return f"{head}<ol>{items}</ol>" if items else head
