#!/usr/bin/env python3
"""Measures how hard the bundled domains without chance are: to plan in, and to learn.

usage: study.py planning [--planner NAME] [--time SECONDS] [--seeds N] [--csv FILE] [--svg FILE] [DOMAIN ...]
       study.py learning [--learners foldt,safe] [--points 10,30,100] [--seeds N] [--csv FILE] [--svg FILE] [DOMAIN ...] [-- OPTION ...]

planning  runs `herbrand plan` on every problem, once per seed. Seconds are CPU seconds for reading, grounding and search. A problem
          without a plan counts with the time spent on it. The picture has a bar per domain up to the mean, with a line from the
          fastest to the slowest run.
learning  runs `herbrand learn` on every domain with each learner. Errors are wrong predictions; solved is the share of test problems
          for which a plan by the learned model reaches the goal in the true one. Figures are means over the seeds, with the range. The
          picture has a panel per domain: solved test problems by the number of episodes. Options after `--` are those of
          `herbrand learn`, such as --plan-time 20s.

Prints a Markdown table; --csv writes all runs. The program is a release build; --program names another build. Seeds are 0, 1, 2, …
"""

import argparse
import csv
import html
import itertools
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).with_name("peers")))
import peers  # noqa: E402

COLOURS = {"foldt": "#0072b2", "safe": "#d55e00"}


def program(options, *words):
    """Returns the data that the program prints as JSON. A status of 1 or 3 means that no plan was found."""
    done = subprocess.run([options.program, *map(str, words), "--format", "json"], stdout=subprocess.PIPE)
    data = json.loads(done.stdout)
    if "error" in data:
        sys.exit(data["error"]["message"])
    return data


def domains(options):
    """Returns the names of the bundled PDDL domains without chance, or the given names if all of them are such domains."""
    rows = [row for row in program(options, "domains") if row["language"] == "pddl"]
    certain = [row["domain"] for row in rows if ":probabilistic-effects" not in row["requirements"]]
    if missing := set(options.domains) - set(certain):
        sys.exit(f"not bundled, or with chance: {', '.join(sorted(missing))}")
    return options.domains or certain


def plans(options):
    """Yields the runs of the planner."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "domains"
        subprocess.run([options.program, "domains", "--out", folder], check=True)
        for domain in domains(options):
            for split, seed in itertools.product(("train", "test"), range(options.seeds)):
                for problem in sorted((folder / domain / split).glob("*.pddl")):
                    words = [folder / domain / "domain.pddl", problem, "--planner", options.planner, "--seed", seed]
                    found = program(options, "plan", *words, "--time", options.time)
                    yield {
                        "domain": domain,
                        "problem": f"{split}/{problem.stem}",
                        "seed": seed,
                        "outcome": found["outcome"],
                        "steps": None if found["plan"] is None else len(found["plan"]),
                        "cost": found["cost"],
                        "expanded": found["expanded"],
                        "seconds": found["compile_cpu_seconds"] + found["search_cpu_seconds"],
                    }


def models(options):
    """Yields the learned models with their evaluation."""
    for domain, learner in itertools.product(domains(options), options.learners.split(",")):
        words = [domain, "--learner", learner, "--points", options.points, "--seeds", options.seeds, *options.options]
        yield from program(options, "learn", *words)["rows"]


def groups(rows, *keys):
    """Yields the rows with equal values of some keys."""
    for _, group in itertools.groupby(rows, lambda row: [row[key] for key in keys]):
        yield list(group)


def planning_table(rows):
    for group in sorted(groups(rows, "domain"), key=lambda group: statistics.fmean(row["seconds"] for row in group)):
        seconds = [row["seconds"] for row in group]
        steps = [row["steps"] for row in group if row["steps"] is not None]
        yield [
            group[0]["domain"],
            f"{len(steps)}/{len(group)}",
            f"{statistics.fmean(seconds):.4f}",
            f"{statistics.stdev(seconds) if len(seconds) > 1 else 0:.4f}",
            f"{max(seconds):.4f}",
            f"{statistics.fmean(steps):.1f}" if steps else "",
            f"{statistics.fmean(row['expanded'] for row in group):.0f}",
        ]


def with_range(values, digits):
    """Formats a mean, with the least and the greatest value if they differ."""
    if not values:
        return ""
    mean, least, most = (f"{value:.{digits}f}" for value in (statistics.fmean(values), min(values), max(values)))
    return mean if least == most else f"{mean} ({least}–{most})"


def solved(group):
    return [100 * row["solved"] / max(row["problems"], 1) for row in group if row["solved"] is not None]


def learning_table(rows):
    for group in groups(rows, "domain", "learner", "episodes"):
        first = group[0]
        yield [
            *(first[key] for key in ("domain", "learner", "episodes")),
            with_range([1000 * row["seconds"] for row in group], 0),
            with_range([100 * row["error"] for row in group if row["error"] is not None], 1),
            with_range(solved(group), 0),
            sum(row["gave_up"] for row in group),
        ]


def svg(width, height, marks):
    """Returns a picture. Each mark is a line of points with a colour and a width, or a text at a place."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    for mark in marks:
        if len(mark) == 3 and isinstance(mark[0], list):
            points, colour, thick = mark
            places = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            yield f'<path d="M{places}" fill="none" stroke="{colour}" stroke-width="{thick}"/>'
        else:
            text, x, y, anchor = mark
            yield f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(str(text))}</text>'
    yield "</svg>\n"


def planning_picture(rows):
    """Returns the size of the picture and its marks: bars on a logarithmic axis."""
    bars = sorted((statistics.fmean(times), min(times), max(times), name) for name, times in
                  ((group[0]["domain"], [row["seconds"] for row in group]) for group in groups(rows, "domain")))  # fmt: skip
    low = math.floor(math.log10(min(bar[1] for bar in bars)))
    high = max(math.ceil(math.log10(max(bar[2] for bar in bars))), low + 1)
    height = 20 * len(bars) + 60

    def x(seconds):
        return 160 + 580 * (math.log10(seconds) - low) / (high - low)

    marks = [("CPU seconds from text to plan", 450, height - 8, "middle")]
    for power in range(low, high + 1):
        marks.append(([(x(10**power), 10), (x(10**power), height - 45)], "#ccc", 1))
        marks.append((f"1e{power}", x(10**power), height - 28, "middle"))
    for index, (mean, least, most, name) in enumerate(bars):
        y = height - 55 - 20 * index
        marks.append((name, 150, y + 4, "end"))
        marks.append(([(160, y), (x(mean), y)], "#80b8d8", 14))
        marks.append(([(x(least), y), (x(most), y)], "black", 1))
    return 760, height, marks


def learning_picture(rows):
    """Returns the size of the picture and its marks: a panel for each domain."""
    panels = [*groups(rows, "domain")]
    episodes = [max(row["episodes"], 1) for row in rows]
    first, span = min(episodes), math.log(max(max(episodes), min(episodes) + 1) / min(episodes))
    columns = min(len(panels), 5)
    marks = [("test problems solved (%) by episodes", 12, 22, "start")]
    for place, (name, colour) in enumerate(COLOURS.items()):
        marks.append(([(250 + 80 * place, 18), (268 + 80 * place, 18)], colour, 2))
        marks.append((name, 274 + 80 * place, 22, "start"))
    for index, panel in enumerate(panels):
        left, top = 40 + 190 * (index % columns), 60 + 150 * (index // columns)
        marks.append((panel[0]["domain"], left + 70, top - 8, "middle"))
        for percent in (0, 50, 100):
            marks.append(([(left, top + 100 - percent), (left + 140, top + 100 - percent)], "#ccc", 1))
            marks.append((percent, left - 5, top + 104 - percent, "end"))
        for points in groups(panel, "learner"):
            colour, line = COLOURS[points[0]["learner"]], []
            for group in groups(points, "episodes"):
                x = left + 140 * math.log(max(group[0]["episodes"], 1) / first) / span
                marks.append((group[0]["episodes"], x, top + 116, "middle"))
                if shares := solved(group):
                    line.append((x, top + 100 - statistics.fmean(shares)))
                    marks.append(([(x, top + 100 - min(shares)), (x, top + 100 - max(shares))], colour, 1))
            if line:
                marks.append((line, colour, 2))
    return max(190 * columns + 10, 440), 150 * math.ceil(len(panels) / 5) + 40, marks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    studies = parser.add_subparsers(dest="study", required=True)
    for name in ("planning", "learning"):
        study = studies.add_parser(name)
        study.add_argument("domains", nargs="*", metavar="DOMAIN")
        study.add_argument("--seeds", type=int, default=3, help="number of seeds (default 3)")
        study.add_argument("--csv", type=pathlib.Path, metavar="FILE", help="write all runs")
        study.add_argument("--svg", type=pathlib.Path, metavar="FILE", help="write the picture")
        study.add_argument("--program", type=pathlib.Path, metavar="FILE", help="a built program (default: a release build)")
        if name == "planning":
            study.add_argument("--planner", default="hill-climbing")
            study.add_argument("--time", default="10s", help="time per problem (default 10s)")
        else:
            study.add_argument("--learners", default="foldt,safe")
            study.add_argument("--points", default="10,30,100", help="numbers of episodes, one model for each")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    options.options = words[split + 1 :]
    if not options.program:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=peers.ROOT, check=True)
        options.program = peers.TARGET / "release" / "herbrand"
    if options.study == "planning":
        rows, table, picture = [*plans(options)], planning_table, planning_picture
        head = ["domain", "solved", "CPU seconds", "± deviation", "slowest", "steps", "expanded"]
    else:
        rows, table, picture = [*models(options)], learning_table, learning_picture
        head = ["domain", "learner", "episodes", "ms", "errors (%)", "solved (%)", "gave up"]
    peers.markdown(head, table(rows))
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    if options.svg:
        options.svg.write_text("\n".join(svg(*picture(rows))))


if __name__ == "__main__":
    main()
