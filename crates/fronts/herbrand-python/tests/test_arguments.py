"""Names, paths and texts as arguments: any other value raises an exception with a class of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import herbrand
import herbrand.text
from herbrand import exam, pddlworld

DOMAIN = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
PROBLEM = "(define (problem q) (:domain d) (:objects o) (:init) (:goal (p o)))"
# No parenthesis, and longer than the name of a file may be.
RDDL = """domain counter {
    pvariables { n : { state-fluent, int, default = 0 }; step : { action-fluent, bool, default = false }; };
    cpfs { n' = n + step; };
    reward = n;
}
instance i { domain = counter; max-nondef-actions = 1; horizon = 5; discount = 1.0; }
"""

GIVEN: list[Any] = [
    None,
    "",
    " ",
    "x" * 5000,
    "x/" * 3000,
    "a line\nand another",
    "(",
    "(define",
    "domain {",
    "nul\0byte",
    b"(define (domain d))",
    b"\xff\xfe",
    5,
    2.5,
    ["x"],
    {"x": 1},
    Path("no/such/folder"),
    Path("x" * 300),
    "no/such/file.pddl",
    "no/such/file.rddl",
    "rddl/nothing",
    "pddlworld/nothing",
    "pddlgym:nothing",
    "fetched:nothing",
]

FUNCTIONS: dict[str, Callable[[Any], object]] = {
    "make": lambda given: herbrand.make(given),
    "make with a problem": lambda given: herbrand.make(given, PROBLEM),
    "make a problem": lambda given: herbrand.make(DOMAIN, given),
    "make a bundled problem": lambda given: herbrand.make("blocks", given),
    "make an RDDL problem": lambda given: herbrand.make(RDDL, given),
    "make_vec": lambda given: herbrand.make_vec(given, 2),
    "load": lambda given: herbrand.load(given),
    "load a problem": lambda given: herbrand.load(DOMAIN, given),
    "load leniently": lambda given: herbrand.load(given, PROBLEM, lenient=True),
    "plan": lambda given: herbrand.plan(given),
    "suite": lambda given: herbrand.suite(given),
    "rddl.make": lambda given: herbrand.rddl.make(given),
    "rddl_suite": lambda given: herbrand.rddl.rddl_suite(given),
    "rddl_suite of problems": lambda given: herbrand.rddl.rddl_suite(RDDL, given),
    "Domain": lambda given: herbrand.Domain(given),
    "Problem": lambda given: herbrand.Problem(given, herbrand.Domain(DOMAIN)),
    "pddlworld.make": lambda given: pddlworld.make(given),
    "text.make": lambda given: herbrand.text.make(given),
    "wording": lambda given: herbrand.text.make("blocks", "train/01", wording=given),
    "exam.make": lambda given: exam.make(1, files=[given]),
    "exam.make problems": lambda given: exam.make(1, files=["no.pddl", given]),
}

# None, and the objects that a function takes, are no mistakes everywhere.
FINE = {
    ("make a bundled problem", "None"),
    ("make a bundled problem", "5"),
    ("make an RDDL problem", "None"),
    ("rddl_suite of problems", "None"),
    ("pddlworld.make", "None"),
    ("wording", "None"),
    ("Domain", repr(b"(define (domain d))")),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_no_argument_is_refused(name: str) -> None:
    for given in GIVEN:
        if (name, repr(given)) in FINE:
            FUNCTIONS[name](given)
            continue
        expected = (herbrand.HerbrandError, TypeError, ValueError, FileNotFoundError, IsADirectoryError)
        with pytest.raises(expected) as raised:
            FUNCTIONS[name](given)
            pytest.fail(f"{name} takes {given!r}")
        message = str(raised.value)
        assert message and len(message) < 100_000 and "File name too long" not in message, (given, message[:300])


def test_texts_without_parentheses_are_texts() -> None:
    assert "(" not in RDDL and len(RDDL) > 255
    for text in (RDDL, f"// {'a comment ' * 50}\n\n{RDDL}", f"\n{RDDL}"):
        env: Any = herbrand.make(text)
        observation, _ = env.reset(seed=1)
        assert observation["n"].tolist() == [0] and herbrand.rddl.rddl_suite(text).domain_name == "counter"
        assert herbrand.make_vec(text, 2).reset(seed=1)[0]["n"].tolist() == [[0], [0]]
        assert "step" in herbrand.text.make(text).reset()


def test_a_path_may_have_parentheses(tmp_path: Path) -> None:
    folder = tmp_path / "a copy (1)"
    folder.mkdir()
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "q.pddl").write_text(PROBLEM)
    for domain, problem in ((folder, None), (folder / "domain.pddl", folder / "q.pddl")):
        for given in ((domain, problem), (str(domain), problem and str(problem))):
            env = herbrand.make(*given)
            assert env.reset(seed=1)[1]["problem"] == "q"


def test_an_exam_takes_the_files_that_the_program_takes(tmp_path: Path) -> None:
    made = herbrand.generate("blocks", 4)
    (tmp_path / "domain.pddl").write_text(herbrand.suite("blocks").domain.text or "")
    (tmp_path / "q.pddl").write_text(made.problem.to_pddl())
    asked = [
        exam.make(2, kinds=["plan-valid"], files=files)
        for files in ([tmp_path], [str(tmp_path)], [tmp_path / "domain.pddl", tmp_path / "q.pddl"])
    ]
    assert asked[0] == asked[1] == asked[2] and asked[0][0]["domain"] == tmp_path.name
    rddl = tmp_path / "counter.rddl"
    rddl.write_text(RDDL)
    assert exam.make(1, kinds=["rddl-after"], files=[rddl])[0]["domain"] == "counter"
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "domain.pddl").write_text(DOMAIN.replace("(p ?x)))", "(r ?x)))"))
    (tmp_path / "bad" / "q.pddl").write_text(PROBLEM)
    with pytest.raises(herbrand.ParseError, match="domain.pddl"):
        exam.make(1, files=[tmp_path / "bad"])


def test_settings_beside_a_domain_in_rddl_apply(tmp_path: Path) -> None:
    (tmp_path / "domain.rddl").write_text(RDDL)
    (tmp_path / "env.toml").write_text('description = "Counts."\n')
    for given in (tmp_path, tmp_path / "domain.rddl"):
        assert herbrand.rddl.rddl_suite(given).description == "Counts."
    (tmp_path / "env.toml").write_text("nonsense = [")
    with pytest.raises(herbrand.HerbrandError, match="env.toml"):
        herbrand.rddl.rddl_suite(tmp_path)
