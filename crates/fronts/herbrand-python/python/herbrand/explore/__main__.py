"""The test games of all settings, in the bundled worlds and in TextWorldExpress."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from herbrand import explore


def row(name: str, games: Sequence[explore.Game]) -> str:
    won = [game.steps for game in games if game.won]
    mean = f"{sum(won) / len(won):.1f}" if won else "–"
    unread = sum(
        len(event.get("unread", ())) for game in games for event in game.events if event["event"] == "read"
    )
    contradicted = sum(
        len(event["contradicted"]) for game in games for event in game.events if event["event"] == "effects"
    )
    return f"{name:<34}{len(won):>4} of {len(games):<5}{mean:>6}{max(won, default=0):>6}{unread:>8}{contradicted:>8}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the test games of all settings in the bundled worlds and in TextWorldExpress, and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m herbrand.explore", description=main.__doc__)
    parser.add_argument("--games", default="10..60", help="a range without its end (default: 10..60)")
    parser.add_argument("--worlds", choices=["all", "native", "textworld"], default="all")
    parser.add_argument("--execute", choices=["whole-plan", "until-surprise", "every-step"], default="until-surprise")
    options = parser.parse_args(arguments)
    start, _, end = options.games.partition("..")
    try:
        numbers = range(int(start), int(end or int(start) + 1))
    except ValueError:
        parser.error(f"--games takes a range such as 10..60, not {options.games!r}")
    print(f"{'world':<34}{'won':>4}{'':9}{'steps':>6}{'most':>6}{'unread':>8}{'wrong':>8}")
    complete = True
    for setting in explore.settings:
        if options.worlds in ("all", "native"):
            games = explore.play(setting, numbers, execution=options.execute)
            print(row(f"native {setting}", games), flush=True)
            complete &= all(game.won for game in games)
    if options.worlds in ("all", "textworld"):
        for setting in explore.settings:
            try:
                with explore.TextWorldExpress(setting) as world:
                    games = explore.play(setting, numbers, world=world, execution=options.execute)
            except explore.UnavailableError as error:
                print(f"TextWorldExpress is left out: {error}")
                return 0 if complete and options.worlds == "all" else 1
            print(row(f"TextWorldExpress {setting}", games), flush=True)
            complete &= all(game.won for game in games)
    return 0 if complete else 1


if __name__ == "__main__":
    raise SystemExit(main())
