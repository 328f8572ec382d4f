"""The games of TextWorldExpress for ``herbrand explore --simulator "python3 -m herbrand.explore.serve"``.

Each line of the input is a request, ``{"begin": 10}`` or ``{"step": "open door"}``, and each line of the output an answer:
the fields of `herbrand.explore.Observation`, the task, and the commands that are valid now.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from herbrand import explore

__all__ = ["main", "serve"]


def serve(world: explore.TextWorld, requests: TextIO, answers: TextIO) -> None:
    """Answers requests until they end."""
    for line in requests:
        request = json.loads(line)
        seen = world.begin(request["begin"]) if "begin" in request else world.step(request["step"])
        answer = {**seen._asdict(), "task": world.task, "commands": list(world.commands())}
        print(json.dumps(answer), file=answers, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves the games of the setting that the argument names."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # The simulator prints to the standard output too.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        if len(words) != 1 or words[0] not in explore.settings:
            raise ValueError(f"the last word is a setting: {', '.join(explore.settings)}")
        with explore.TextWorldExpress(words[0]) as world:
            serve(world, sys.stdin, answers)
    except Exception as error:
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
