#!/usr/bin/env python3
"""A language model answers an exam, through any server that speaks the OpenAI protocol.

Reads the questions that `herbrand exam make` wrote, prints the grades, and writes the answers for `herbrand exam grade`.

usage: text_exam.py exam.jsonl --url http://127.0.0.1:8080/v1 --model NAME [--out answers.jsonl]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from herbrand import exam
from text_agent import Model


def main() -> None:
    """Asks each question in a conversation of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exam", type=Path, help="the file of questions")
    parser.add_argument("--url", required=True, help="the address of the server, up to /v1")
    parser.add_argument("--model", required=True, help="the name of the model")
    parser.add_argument("--out", type=Path, default=Path("answers.jsonl"), help="the file of answers")
    options = parser.parse_args()
    model = Model(options.url, options.model)
    questions = [json.loads(line) for line in options.exam.read_text(encoding="utf-8").splitlines()]
    answers = []
    with options.out.open("w", encoding="utf-8") as file:
        for question in questions:
            answer = model.reply([{"role": "user", "content": question["question"]}])
            answers.append({"id": question["id"], "answer": answer})
            print(json.dumps(answers[-1]), file=file, flush=True)
    print(exam.grade(questions, answers))


if __name__ == "__main__":
    main()
