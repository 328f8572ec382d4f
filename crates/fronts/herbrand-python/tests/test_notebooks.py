"""Tests of the output in notebooks: faults in colours, plans, domains and problems."""

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


def test_a_domain_is_a_table() -> None:
    domain = Domain(
        "(define (domain lights) (:requirements :typing :numeric-fluents) (:types room - object) (:constants hall - room) "
        "(:predicates (lit ?r - room) (door ?a ?b)) (:functions (heat ?r - room)) "
        "(:action light :parameters (?r - room) :precondition (door ?r hall) :effect (lit ?r)))"
    )
    page = domain._repr_html_()
    assert page.startswith("<p><b>lights</b>, 2 predicates, 1 operator</p>")
    rows = re.findall("<tr><td>(.*?)</td><td><code>(.*?)</code></td></tr>", page)
    assert rows == [
        ("predicate", "(lit ?r - room)"),
        ("static predicate", "(door ?a ?b)"),
        ("function", "(heat ?r - room)"),
        ("operator", "(light ?r - room)"),
    ]
    text = re.search("<pre>(.*?)</pre>", page, re.DOTALL)
    assert text and unescape(text[1]) == domain.to_pddl()


def test_a_problem_is_a_picture_with_its_text() -> None:
    suite = herbrand.suite("gripper")
    problem = suite[0]
    page = problem._repr_html_()
    assert page.startswith(f"<p><b>{problem.name}</b> of gripper, {len(problem.objects)} objects, {len(problem.init)} facts</p>")
    # The picture is that of the initial state without settings.
    task = herbrand.Task(suite.domain, problem)
    assert task.initial_state.svg("auto") in page
    assert unescape(page.split("<pre>")[1].split("</pre>")[0]) == problem.to_pddl()


def test_a_long_problem_has_no_picture_and_its_text_is_cut() -> None:
    domain = Domain("(define (domain d) (:predicates (on ?x)) (:action a :parameters (?x) :effect (on ?x)))")
    names = [f"object-{number}" for number in range(3000)]
    facts = " ".join(f"(on {name})" for name in names)
    problem = herbrand.Problem(f"(define (problem p) (:domain d) (:objects {' '.join(names)}) (:init {facts}))", domain)
    page = problem._repr_html_()
    assert "<svg" not in page and "3000 facts" in page and "…</pre>" in page
    assert len(page) < 41_000
