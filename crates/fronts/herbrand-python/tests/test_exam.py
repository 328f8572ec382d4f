"""Tests of questions with exact answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import herbrand
import pytest
from herbrand import exam

DOMAINS = ["blocks", "ferry", "rddl/navigation-mdp"]


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    return exam.make(12, kinds=["plan-valid", "gap", "after", "rddl-after"], domains=DOMAINS, seed=3)


def test_questions_are_alike_and_the_same_each_time(questions: list[dict[str, Any]]) -> None:
    assert [question["kind"] for question in questions] == ["plan-valid", "after", "gap", "rddl-after"] * 3
    assert len({question["id"] for question in questions}) == 12

    def shape(value: Any) -> Any:
        return {key: shape(inner) for key, inner in value.items()} if isinstance(value, dict) else type(value)

    assert all(shape(question) == shape(questions[0]) for question in questions)
    assert {question["language"] for question in questions} == {"pddl", "rddl"}
    assert exam.make(12, kinds=["plan-valid", "gap", "after", "rddl-after"], domains=DOMAINS, seed=3) == questions
    assert exam.make(3, kinds=["gap"], domains=["blocks"], seed=4) != exam.make(3, kinds=["gap"], domains=["blocks"])


def test_questions_are_those_of_the_program(questions: list[dict[str, Any]]) -> None:
    command = [sys.executable, "-m", "herbrand", "exam", "make", "--count", "12", "--seed", "3", "--domain", ",".join(DOMAINS)]
    command += ["--kind", "plan-valid,gap,after,rddl-after"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [json.loads(line) for line in lines] == questions


def test_questions_about_files(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    subprocess.run([sys.executable, "-m", "herbrand", "generate", "blocks", "--size", "4", "--count", "2", "--out", folder], check=True)
    (folder / "domain.text.toml").write_text("[facts]\non = \"{1} is above {2}\"\n")
    problems = sorted(path for path in folder.rglob("*.pddl") if path.name != "domain.pddl")
    made = exam.make(6, kinds=["after", "plan"], files=[folder / "domain.pddl", *problems], seed=2)
    assert {question["domain"] for question in made} == {"own"}
    assert all(" is above " in question["question"] for question in made)
    assert exam.grade(made, {question["id"]: question["answer"] for question in made}).total.mean == 1.0
    (folder / "bad.pddl").write_text("(define")
    with pytest.raises(herbrand.ParseError, match="bad.pddl:1:1"):
        exam.make(2, files=[folder / "domain.pddl", folder / "bad.pddl"])


def test_answers_are_graded(questions: list[dict[str, Any]]) -> None:
    right = {question["id"]: question["answer"] for question in questions}
    grades = exam.grade(questions, right)
    assert (grades.total.right, grades.total.answers, grades.total.mean) == (12, 12, 1.0)
    assert grades.total.interval[0] < 1.0 and set(grades.kinds) == {"plan-valid", "gap", "after", "rddl-after"}
    assert str(grades) == grades.table and "plan-valid" in grades.table and grades.html.startswith("<!doctype html>")
    in_order = exam.grade(questions, [f"I think so.\nAnswer: {text}" for text in right.values()])
    assert in_order == grades
    given = [{"id": name, "answer": text, "model": "none"} for name, text in right.items()]
    assert exam.grade(iter(questions), iter(given)) == grades
    wrong = exam.grade(questions, ["?"] * 12)
    assert wrong.total.right == 0 and wrong.total.unread == 12
    assert not any(wrong.verdicts) and all(verdict.fault and verdict.read is None for verdict in wrong.verdicts)


def test_one_answer_is_judged(questions: list[dict[str, Any]]) -> None:
    for question in questions:
        assert exam.judge(question, question["answer"]) == exam.Verdict(question["id"], True, exam.judge(question, question["answer"]).read, None)
    choice = next(question for question in questions if question["form"] == "choice")
    other = next(letter for letter in "ABCD" if letter != choice["answer"])
    verdict = exam.judge(choice, other)
    assert not verdict and verdict.read == other and str(verdict.fault).startswith(f"the right answer is {choice['answer']}")


def test_faults_are_told(questions: list[dict[str, Any]]) -> None:
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `gap`"):
        exam.make(1, kinds=["gaps"])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `blocks`"):
        exam.make(1, domains=["blokcs"])
    with pytest.raises(herbrand.UnknownNameError, match="did you mean `rddl/traffic`"):
        exam.make(1, domains=["rddl/trafic"])
    with pytest.raises(herbrand.ConfigError, match="only 0 of 1 questions of kind rddl-after"):
        exam.make(1, kinds=["rddl-after"], domains=["blocks"])
    with pytest.raises(herbrand.ConfigError):
        exam.make(-1)
    with pytest.raises(ValueError, match="style"):
        exam.make(1, style="prose")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(herbrand.LimitError):
        exam.make(1000, limits={"time": 0.0})
    with pytest.raises(herbrand.ConfigError) as faults:
        exam.grade(questions, {"nothing": "yes"})
    assert "there is no question `nothing`" in str(faults.value)
    blank = exam.grade(questions, {})
    assert (blank.blank, blank.total.right) == (12, 0)
    with pytest.raises(ValueError, match="more answers than"):
        exam.grade(questions[:1], ["yes", "no"])
    with pytest.raises(herbrand.ConfigError, match="questions:1: "):
        exam.grade([{"id": "a"}], ["yes"])
    with pytest.raises(herbrand.ConfigError):
        exam.judge({}, "yes")


def test_questions_become_a_data_set(questions: list[dict[str, Any]], tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    table = datasets.Dataset.from_list(questions)
    # The types of the columns are guessed from the first rows.
    file = tmp_path / "exam.jsonl"
    file.write_text("\n".join(map(json.dumps, questions)))
    options = {"data_files": str(file), "cache_dir": str(tmp_path), "chunksize": 16 << 10}
    assert datasets.load_dataset("json", split="train", **options).to_list() == questions
    assert table.num_rows == 12 and table[0]["question"] == questions[0]["question"]
    assert exam.grade(table, list(table["answer"])).total.right == 12
