"""Tests of the output in notebooks: faults in colours, and plans."""

from __future__ import annotations

import re
from html import unescape

import herbrand
import pytest
from herbrand import Domain, ParseError

FAULTY = "(define (domain d)\n  (:predicates (on ?x))\n  (:action a :effect (onn ?x))) ; <é>"
WARNED = "(define (domain d) (:requirements :adl :adl) (:predicates (on ?x - t)))"


def raised(text: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        Domain(text, "my.pddl")
    return caught.value


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize("text", [FAULTY, WARNED, "", "(define (domain d)"])
def test_colours_change_no_word_of_a_fault(text: str) -> None:
    error = raised(text)
    lines = error._render_traceback_()
    assert without_colours("\n".join(lines)).endswith(f"herbrand.errors.ParseError:\n{error}")
    page = error._repr_html_()
    assert unescape(re.sub(r"<[^>]*>", "", page)) == str(error)
    assert "".join(one._repr_html_() for one in error.diagnostics).replace("</pre><pre>", "\n\n") == page


def test_the_line_and_the_caret_of_a_fault_are_in_colours() -> None:
    error = raised(FAULTY)
    text = "\n".join(error._render_traceback_())
    assert "\x1b[1;31merror[E0101]\x1b[0m" in text
    assert "\x1b[1;34m3 |\x1b[0m   (:action a :effect (onn ?x))) ; <é>" in text
    caret = next(line for line in text.split("\n") if "^^^" in line)
    assert re.fullmatch(r"\x1b\[1;34m  \|\x1b\[0m\x1b\[1;31m +\^\^\^[^\x1b]+\x1b\[0m", caret)
    page = error._repr_html_()
    assert re.search(r'<span style="color:#d32f2f[^>]*"> +\^\^\^', page)
    assert "; &lt;é&gt;" in page and "<é>" not in page


def test_a_raised_fault_shows_the_cell_and_not_the_package() -> None:
    shell_of = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell
    shell = shell_of.instance()
    shown: list[str] = []
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    source = f"import herbrand\nherbrand.Domain({FAULTY!r}, 'my.pddl')"
    assert not shell.run_cell(source).success
    text = without_colours("\n".join(shown))
    assert "herbrand.Domain(" in text and "error[E0101]" in text and "^^^" in text
    assert "IPython" not in text, text


def test_a_plan_is_a_list() -> None:
    plan = herbrand.plan("hanoi")
    page = plan._repr_html_()
    assert page.startswith(f"<p>{len(plan)} steps, cost {plan.cost:g}")
    assert re.findall("<li><code>(.*?)</code></li>", page) == [str(action) for action in plan]
    impossible = herbrand.plan(
        "(define (domain d) (:predicates (p)))", "(define (problem q) (:domain d) (:goal (p)))"
    )
    assert impossible._repr_html_() == f"<p>{impossible.outcome}</p>"
