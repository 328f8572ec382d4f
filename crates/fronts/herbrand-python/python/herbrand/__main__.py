"""The command-line program ``herbrand``, also run by ``python -m herbrand``."""

from __future__ import annotations

import os
import signal
import sys

from ._herbrand import run_command

__all__ = ["main"]


def main() -> None:
    """Runs the program with this process's arguments and exits with its status."""
    # # Unless the user names another Python, data sets and peers use this one.
    os.environ.setdefault("HERBRAND_PYTHON", sys.executable)
    # # Python defers signal handlers until its own code runs again. With the default handler, Ctrl-C ends the program at
    # once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["herbrand", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
