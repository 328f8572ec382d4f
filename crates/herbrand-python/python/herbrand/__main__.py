"""The command `herbrand`, which is also ``python -m herbrand``."""

from __future__ import annotations

import os
import signal
import sys

from ._herbrand import run_command

__all__ = ["main"]


def main() -> None:
    """Runs the program with the arguments of this process, and exits with its status."""
    # Data sets and peers are this Python's, if no other one is named.
    os.environ.setdefault("HERBRAND_PYTHON", sys.executable)
    # Python waits for its own code to run before it handles a signal; the program ends at once, as others do.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["herbrand", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
