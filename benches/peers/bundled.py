#!/usr/bin/env python3
"""Measures the bundled domains by random walks, beside published figures and other packages, in one run.

usage: bundled.py [--packages pddlgym,pymimir,…] [--figures FILE] [--html FILE] [--program FILE] [DOMAIN ...]

DOMAIN is a bundled domain, `rddl/NAME`, or `rddl` for all of RDDL (default: all bundled PDDL domains). Prints a Markdown page, the
source of docs/reference/domains.md. Herbrand's figures are those of `herbrand bench`.

PDDLGym walks on its own files of the same domains (see `pddlgym_walk.py`), and Herbrand on the same files. The other packages walk
on the middle training problem of each domain (see `peer_walk.py`), and so does Herbrand. Packages are timed in CPU seconds, Herbrand in
seconds by the clock; reading and grounding are excluded for all. A package that fails is listed with its error.

The column `paper` has the speeds that the PDDLGym paper reports. --figures adds a column from a file with lines
`domain,steps per second`; a first line `domain,NAME` names the column (the file's name by default).

The packages are installed from PyPI into target/peers; HERBRAND_PEERS_PYTHON names a Python that has them. --html also writes the
page, with bars and with all data as JSON, as one HTML file that needs no others.
"""

import argparse
import html
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import instances
import peers

HERE = pathlib.Path(__file__).parent
VERSIONS = {"pddlgym": "==0.0.7", "pymimir": "", "unified-planning": "", "pyRDDLGym": ""}
PAPER = (
    'The column paper has the steps per second of PDDLGym that Silver and Chitnis report in "PDDLGym: Gym Environments from PDDL '
    'Problems" (2020), for a random policy in 100 episodes of 10 steps, on a laptop of that time. Its ratio compares two different machines.'
)
# The paper does not say which level of search and rescue it measured; its figure is shown at the first level.
PAPER_SPEEDS = {
    "baking": 5897, "blocks": 7064, "casino": 7747, "crafting": 4568, "depot": 97, "doors": 917, "elevator": 3501,
    "exploding-blocks": 6260, "ferry": 1679, "gripper": 319, "hanoi": 4580, "meet-pass": 7380, "rearrangement": 3808,
    "river": 18632, "search-and-rescue-1": 3223, "slide-tile": 3401, "sokoban": 155, "tireworld": 6491, "travel": 1251, "tsp": 1688,
}  # fmt: skip
STYLE = """body { margin: auto; max-width: 70rem; padding: 1rem; color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .9rem }
th, td { padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; text-align: left } .bar { background: #0072b2; height: .6rem }
pre { overflow-x: auto; white-space: pre-wrap }"""


def read_figures(path):
    """Returns the title of a file's column and its figures by domain; ends the program if a line is wrong."""
    title, figures, faults = path.stem, {}, []
    lines = [(number, line.strip()) for number, line in enumerate(path.read_text().splitlines(), 1)]
    for place, (number, line) in enumerate((number, line) for number, line in lines if line and not line.startswith("#")):
        domain, _, value = (part.strip() for part in line.partition(","))
        try:
            figures[domain] = float(value)
        except ValueError:
            if place or not value:
                faults.append(f"line {number}: expected `domain,number`")
            title = value
    if faults:
        sys.exit("\n".join([f"{path}:", *faults]))
    return title, figures


def bench(words, options):
    """Returns the rows of `herbrand bench`."""
    command = [options.program, "bench", *words, "--format", "json", "--seconds", str(options.seconds)]
    command += ["--steps", str(options.steps), "--seed", str(options.seed)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def walk(script, *arguments):
    """Returns the line that a script of walks prints; a line with an error if it prints none."""
    done = subprocess.run([peers.PYTHON, HERE / script, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def pddlgym_files(name, files):
    """Returns the domain and the problems of PDDLGym for a bundled domain; `None` if it has none."""
    kind, _, level = name.rpartition("-")
    names = [name, f"{kind}_level{level}", name.removesuffix("-1")]
    return next((files[one] for one in (one.replace("-", "") for one in names) if one in files), None)


def middle_problem(name, folder):
    """Returns the files of the middle training problem of a domain, or of its middle instance in RDDL."""
    rddl = name.startswith("rddl/")
    problems = sorted((folder / name).glob("[0-9]*.rddl" if rddl else "train/*.pddl"))
    return folder / name / f"domain.{'rddl' if rddl else 'pddl'}", problems[len(problems) // 2]


def compare(row, packages, folder, files, options):
    """Yields a comparison of Herbrand with each package on one domain."""
    name = row["domain"]
    protocol = ["--steps", options.steps, "--limit", options.limit, "--seed", options.seed]
    for package in packages:
        if package == "pddlgym":
            if not (found := pddlgym_files(name, files)):
                continue
            domain, problem = found
            ours, title = [domain, *sorted(problem.glob("*.pddl"))], "PDDLGym's"
            theirs = walk("pddlgym_walk.py", domain, problem, *protocol)
        else:
            if (package == "pyRDDLGym") != name.startswith("rddl/"):
                continue
            ours = domain, problem = middle_problem(name, folder)
            title = problem.stem
            theirs = walk("peer_walk.py", package, domain, problem, "--seconds", options.seconds, *protocol)
        speed = bench(ours, options)[0]["steps_per_s"]
        their_speed = theirs.get("steps_per_s")
        ratio = speed / their_speed if their_speed else None
        yield {"domain": name, "problem": title, "package": package, "steps_per_s": speed, "ratio": ratio, "theirs": theirs}


def short(number):
    """Formats a number with three digits, such as 12.3k; `–` for `None`."""
    if number is None:
        return "–"
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def times(ratio):
    return "–" if ratio is None else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def span(least, greatest):
    return str(least) if least == greatest else f"{least}–{greatest}"


def summary(name, ratios):
    if not ratios:
        return f"{name} has no figures for these domains."
    mean = times(statistics.geometric_mean(ratios))
    domains = f"{len(ratios)} domain{'s' if len(ratios) > 1 else ''}"
    return f"Over {domains}, the geometric mean of the ratios to {name} is {mean}, and the least ratio is {times(min(ratios))}."


def sections(rows, compared, columns, versions):
    """Yields the sections of the page: title, head of the table, rows, and paragraphs below."""
    head = ["domain", "beyond typed STRIPS", "problems", "objects", "atoms", "actions", "first step", "steps/s"]
    table, ratios = [], {title: [] for title in columns}
    for row in rows:
        cells = [row["domain"], ", ".join(row["features"]), str(row["problems"])]
        cells += [span(**row[key]) for key in ("objects", "atoms", "actions")]
        cells += [f"{row['first_step_seconds'] * 1e3:.2f} ms", short(row["steps_per_s"])]
        for title, figures in columns.items():
            figure = figures.get(row["domain"])
            ratio = row["steps_per_s"] / figure if figure else None
            ratios[title] += [ratio] if ratio else []
            cells += [short(figure), times(ratio)]
        table.append(cells)
    notes = [PAPER] if "paper" in columns else []
    notes += [summary(title, found) for title, found in ratios.items()]
    yield "All domains", [*head, *(word for title in columns for word in (title, "ratio"))], table, notes
    for package in dict.fromkeys(one["package"] for one in compared):
        ours = [one for one in compared if one["package"] == package]
        table = []
        for one in ours:
            speeds = [short(one["steps_per_s"]), short(one["theirs"].get("steps_per_s")), times(one["ratio"])]
            table.append([one["domain"], one["problem"], *speeds, one["theirs"].get("error") or ""])
        head = ["domain", "problem", "Herbrand steps/s", f"{package} steps/s", "ratio", "error"]
        yield f"Compared with {package}", head, table, [summary(package, [one["ratio"] for one in ours if one["ratio"]])]
    yield "Machine and versions", ["item", "value"], [*map(list, versions.items())], []


def as_html(parts, rows, data):
    """Yields the page as HTML. Bars have a linear scale."""
    yield f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Herbrand, measured</title>\n<style>{STYLE}</style>\n<h1>Herbrand, measured</h1>'
    most = max(row["steps_per_s"] for row in rows)
    for title, head, table, notes in parts:
        yield f"<h2>{html.escape(title)}</h2>\n<table>\n<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head) + "</tr>"
        for index, cells in enumerate(table):
            yield "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
            if title == "All domains":
                yield f'<td style="width: 12rem"><div class="bar" style="width: {100 * rows[index]["steps_per_s"] / most:.0f}%"></div></td>'
            yield "</tr>"
        yield "</table>" + "".join(f"\n<p>{html.escape(note)}</p>" for note in notes)
    yield f"<details><summary>All data as JSON</summary><pre>{html.escape(json.dumps(data, indent=2))}</pre></details>\n</html>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN")
    parser.add_argument("--packages", default="pddlgym", help=f"some of {','.join(VERSIONS)}, or none (default pddlgym)")
    parser.add_argument("--seconds", type=float, default=0.25, help="seconds per figure (default 0.25)")
    parser.add_argument("--steps", type=int, default=10, help="steps of an episode (default 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds of another package per domain (default 20)")
    parser.add_argument("--figures", type=pathlib.Path, metavar="FILE", help="figures for comparison")
    parser.add_argument("--html", type=pathlib.Path, metavar="FILE", help="also write an HTML page")
    parser.add_argument("--program", type=pathlib.Path, metavar="FILE", help="a built program (default: a release build)")
    options = parser.parse_args()
    packages = [name for name in options.packages.split(",") if name != "none"]
    if unknown := set(packages) - set(VERSIONS):
        parser.error(f"no such package: {', '.join(sorted(unknown))}")
    columns = {"paper": PAPER_SPEEDS} if options.steps == 10 else {}
    columns |= dict([read_figures(options.figures)]) if options.figures else {}
    if not options.program:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "herbrand-cli"], cwd=peers.ROOT, check=True)
        options.program = peers.TARGET / "release" / "herbrand"
    if packages:
        peers.install([name + VERSIONS[name] for name in packages])
    files = {name: found for name, *found in instances.pddlgym(peers.PYTHON)} if "pddlgym" in packages else {}
    versions = {"time": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), "system": platform.platform()}
    versions |= {"cores": str(os.cpu_count()), "load": f"{os.getloadavg()[0]:.2f}"}
    if packages:
        found = walk("peer_walk.py", "--list")
        versions |= {"Python": found["python"]} | {name: found["peers"].get(name, "missing") for name in packages}
    rows = bench(options.domains, options)
    compared = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder) / "domains"
        subprocess.run([options.program, "domains", "--out", folder], check=True)
        for row in rows:
            compared += compare(row, packages, folder, files, options)
    parts = [*sections(rows, compared, columns, versions)]
    print(f"# The bundled domains\n\nMade by `{' '.join(['python3', *sys.argv])}`.")
    for title, head, table, notes in parts:
        print(f"\n## {title}\n")
        peers.markdown(head, table)
        for note in notes:
            print(f"\n{note}")
    if options.html:
        data = {"command": sys.argv, "versions": versions, "domains": rows, "compared": compared}
        options.html.write_text("\n".join(as_html(parts, rows, data)))


if __name__ == "__main__":
    main()
