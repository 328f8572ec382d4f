"""The command line of `herbrand.data`: ``python -m herbrand.data``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import herbrand

from . import Recipe, WorkerError, read_card, record, remake, replay

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0 on success, 1 if data differ, 2 for bad input, 130 if interrupted."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (OSError, ValueError, herbrand.HerbrandError, WorkerError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one ended", file=sys.stderr)
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m herbrand.data", description="Record, replay and make again data sets of experience in Parquet."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("record", help="record random valid actions")
    one.add_argument("domain", help="a bundled domain (sokoban, rddl/elevators), a file or a folder")
    one.add_argument("problem", nargs="?", help="a problem by its name or file; all of them if left out")
    one.add_argument("--split", choices=["train", "test"], help="the part of the domain's problems to choose from")
    one.add_argument("--out", required=True, metavar="FOLDER", help="where the files go")
    one.add_argument("--envs", type=int, default=256, metavar="N", help="how many environments (256)")
    one.add_argument("--steps", type=int, default=1000, metavar="N", help="how many steps each takes (1000)")
    one.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the first environment (0)")
    one.add_argument("--horizon", type=int, metavar="N", help="the most steps of an episode")
    one.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes (1)")
    one.set_defaults(run=_record)
    two = commands.add_parser("replay", help="take the actions again and compare")
    two.add_argument("folder")
    two.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes (1)")
    two.set_defaults(run=_replay)
    three = commands.add_parser("remake", help="make a data set again from its card, and compare the files")
    three.add_argument("folder")
    three.add_argument("--out", required=True, metavar="FOLDER", help="where the new files go")
    three.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes (1)")
    three.set_defaults(run=_remake)
    return parser


def _record(options: argparse.Namespace) -> int:
    suite = herbrand.suite(options.domain, options.problem, **({} if options.split is None else {"split": options.split}))
    more = {} if options.horizon is None else {"horizon": options.horizon}
    recipe = Recipe(suite, num_envs=options.envs, steps=options.steps, seed=options.seed, options=more)
    start = time.monotonic()
    card = record(recipe, options.out, options.workers, _progress if sys.stderr.isatty() else None)
    seconds = time.monotonic() - start
    size = sum(part["bytes"] for part in card["parts"])
    print(f"{card['rows']:,} steps in {len(card['parts'])} files of {size:,} bytes, {seconds:.1f} s: {options.out}")
    return 0


def _progress(done: int, rows: int) -> None:
    print(f"\r{done:,} of {rows:,} steps", end="\n" if done == rows else "", file=sys.stderr, flush=True)


def _replay(options: argparse.Namespace) -> int:
    replayed = replay(options.folder, options.workers, _progress if sys.stderr.isatty() else None)
    for warning in replayed.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    for difference in replayed.differences:
        print(difference)
    print(f"{replayed.rows:,} steps, {len(replayed.differences) or 'no'} differences")
    return 1 if replayed.differences else 0


def _remake(options: argparse.Namespace) -> int:
    differing = remake(options.folder, options.out, options.workers)
    for name in differing:
        print(f"{name} differs")
    count = len(read_card(options.folder)["parts"])
    print(f"{count - len(differing)} of {count} files are the same to the byte")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
