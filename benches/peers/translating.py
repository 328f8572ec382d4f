#!/usr/bin/env python3
"""Compares `herbrand translate` with Fast Downward's translator, on the same files in one run.

usage: translating.py [--runs 3] [--limit SECONDS] [--search SECONDS] [--instances FOLDER] [--only WORD] [--every N]
                      [--turns] [--give-up N] [--rows FILE] [--table FILE] [DOMAIN PROBLEM ...]

Without files, takes the problems of the folder that --instances names (`instances.py` explains where to get them), or all
bundled ones. Installs the peer (up-fast-downward, from PyPI) into target/peers, unless --python names a Python that has it.

Times are the CPU seconds of the whole processes, the fastest of --runs runs; a program runs once if it takes more than ten
seconds. A bit is a bit of a state: for each variable that operators change, the logarithm of the number of its values, rounded
up. With --search, Fast Downward's A* runs on both outputs, blind and with LM-cut (without axioms and conditional effects), for
that many CPU seconds each, and the costs of the plans are compared.

A whole collection takes days. --turns begins with the smallest problem of each suite, then takes the second smallest of each,
and so on; --give-up N searches no more in a suite after N problems in a row that neither search solves. --rows FILE appends a line of JSON
for each problem; a later run with the same file leaves out the problems that it has. --table FILE writes the figures of each
suite as Markdown.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

import instances

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOW = 10.0
SEARCHES = ("blind", "lmcut")


def limit_process(pid, seconds, memory):
    """Gives a process limits of CPU seconds and bytes.

    The limits are set from outside: a function that runs in the child before it starts the program would make Python copy
    its own pages first, which takes 4 ms of the child's time.
    """
    resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))


def cpu(command, limit, memory, folder):
    """Returns the CPU seconds of a process, and None; or None and the reason if it exceeds the limit or fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **options) as process:
        limit_process(process.pid, limit, memory)
        try:
            _, errors = process.communicate(timeout=20 * limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, "out of time"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode == 0:
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, None
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, "out of time"
    last = (errors.strip().splitlines() or [""])
    return None, f"status {process.returncode}: {(last[0] if last[0].startswith('error') else last[-1])[:200]}"


def fastest(command, options, folder):
    times = []
    for _ in range(options.runs):
        time, reason = cpu(command, options.limit, options.memory << 30, folder)
        if time is None:
            return None, reason
        times.append(time)
        if time > SLOW:
            break
    return min(times), None


def figures(path):
    """Returns the bits of a state, and the numbers of variables, operators and axioms of a translated file."""
    lines = path.read_text().split("\n")
    bits = variables = 0
    for index, line in enumerate(lines):
        if line == "begin_variable":
            variables += 1
            if lines[index + 2] == "-1":
                bits += math.ceil(math.log2(int(lines[index + 3])))
    count = lambda marker: sum(line == marker for line in lines)
    return {"bits": bits, "variables": variables, "operators": count("begin_operator"), "axioms": count("begin_rule")}


def search(binary, file, how, limit, memory):
    """Returns the cost of an optimal plan, `none` if there is no plan, or None if the search did not end."""
    with open(file) as text, tempfile.TemporaryDirectory() as folder:
        command = [binary, "--search", f"astar({how}())"]
        options = {"stdin": text, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True, "cwd": folder}
        with subprocess.Popen(command, **options) as process:
            limit_process(process.pid, limit, memory)
            output, _ = process.communicate()
    found = re.search(r"Plan cost: (\d+)", output)
    if found:
        return int(found[1])
    return "none" if "unsolvable" in output or process.returncode in (11, 12) else None


def searched(binary, ours, theirs, how, options):
    """Returns the costs of both files; the second is None without a search if the first search did not end."""
    first = search(binary, ours, how, options.search, options.memory << 30)
    return [first, None if first is None else search(binary, theirs, how, options.search, options.memory << 30)]


def peer(python):
    """Returns the translator's command and the search binary of the package for a Python."""
    if not python:
        from peers import PYTHON, install
        install(["up-fast-downward==1.0.0"])
        python = PYTHON
    package = next(pathlib.Path(python).absolute().parents[1].glob("lib/python*/site-packages/up_fast_downward"))
    binary = package / "downward/builds/release/bin/downward"
    return [str(pathlib.Path(python).absolute()), "-m", "fast_downward.translate"], str(binary)


def measured(domain, problem, translator, binary, options, folder, searches):
    """Returns the row of an instance: times, figures and the costs of these searches, or what failed."""
    ours, theirs = pathlib.Path(folder, "ours.sas"), pathlib.Path(folder, "theirs.sas")
    for file in (ours, theirs):
        file.unlink(missing_ok=True)
    files = [str(domain.absolute()), str(problem.absolute())]
    command = [str(options.binary.absolute()), "translate", *files, "--out", str(ours), "--force", *options.options.split()]
    own, failure = fastest(command, options, folder)
    other, peers_failure = fastest([*translator, *files, "--sas-file", str(theirs)], options, folder)
    row = {"instance": named(problem), "seconds": own, "translator": other}
    if own is None or other is None:
        return row | {"failure": failure, "translator failure": peers_failure}
    row |= {"ratio": other / own, "ours": figures(ours), "theirs": figures(theirs)}
    return row | {how: searched(binary, ours, theirs, how, options) for how in searches}


def named(problem):
    return f"{problem.parent.name}/{problem.stem}"


def line(row):
    """Returns a row as one line of text."""
    if "ratio" not in row:
        return f"{row['instance']:48} herbrand {row['seconds'] or row['failure']}, translator {row['translator'] or row['translator failure']}"
    found = " ".join(f"{how} {row[how][0]} {row[how][1]}" for how in SEARCHES if how in row)
    bits = f"{row['ours']['bits']:5} {row['theirs']['bits']:5} bits"
    operators = f"{row['ours']['operators']:6} {row['theirs']['operators']:6} operators"
    return f"{row['instance']:48} {row['seconds']:8.3f} {row['translator']:8.3f} s {row['ratio']:7.1f}  {bits} {operators} {found}"


def compared(rows, how):
    return [row for row in rows if how in row and None not in row[how]]


def wrong(rows):
    """Returns the rows and searches whose costs differ."""
    return [(row, how) for how in SEARCHES for row in compared(rows, how) if row[how][0] != row[how][1]]


def hopeless(rows, suite, count):
    """Returns whether neither search solved any of the last problems of a suite."""
    own = [row for row in rows if row["instance"].rpartition("/")[0] == suite and SEARCHES[0] in row][-count:]
    return 0 < count == len(own) and not any(compared(own, how) for how in SEARCHES)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def more_bits(rows):
    return [row for row in rows if "ratio" in row and row["ours"]["bits"] > row["theirs"]["bits"]]


def table(rows):
    """Returns the figures of each suite as Markdown."""
    suites = {}
    for row in rows:
        suites.setdefault(row["instance"].rpartition("/")[0], []).append(row)
    head = "| suite | translated by both | costs compared | differ | bits of a state, ours and theirs | more bits | CPU ratio: mean, least |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for suite, own in [*sorted(suites.items()), ("all", rows)]:
        both = [row for row in own if "ratio" in row]
        bits = [sum(row[side]["bits"] for row in both) for side in ("ours", "theirs")]
        ratios = [row["ratio"] for row in both]
        costs = sum(len(compared(own, how)) for how in SEARCHES)
        least = f"{mean(ratios):.1f}, {min(ratios):.1f}" if ratios else ""
        cells = [suite, f"{len(both)} of {len(own)}", costs, len(wrong(own)), f"{bits[0]:,}, {bits[1]:,}", len(more_bits(own)), least]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def summary(rows):
    both = [row for row in rows if "ratio" in row]
    ratios = [row["ratio"] for row in both]
    if both:
        print(f"{len(both)} instances: geometric mean {mean(ratios):.1f}, least {min(ratios):.1f}")
    more = more_bits(rows)
    fewer = [row for row in both if row["ours"]["bits"] < row["theirs"]["bits"]]
    print(f"bits: fewer on {len(fewer)}, the same on {len(both) - len(fewer) - len(more)}, more on {len(more)}")
    for row in more:
        print(f"  more bits: {row['instance']} {row['ours']} {row['theirs']}")
    for how in SEARCHES:
        print(f"{how}: {len(compared(rows, how))} costs compared, {sum(one == how for _, one in wrong(rows))} differ")
    for row, how in wrong(rows):
        print("  different:", row["instance"], how, row[how])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a translation (default 60)")
    parser.add_argument("--search", type=int, default=0, help="CPU seconds of a search; 0, the default, is no search")
    parser.add_argument("--memory", type=int, default=6, help="GiB of any process (default 6)")
    parser.add_argument("--instances", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--give-up", type=int, default=0)
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "target/release/herbrand")
    parser.add_argument("--options", default="", help="further options of `herbrand translate`")
    parser.add_argument("--largest", type=int, default=1 << 30, help="skip problem files of more bytes")
    options = parser.parse_args()
    if options.files:
        pairs = list(zip(options.files[::2], options.files[1::2]))
    elif options.instances:
        pairs = [pair for pair in instances.competition(options.instances) if options.only in str(pair[1])]
    else:
        pairs = list(instances.all_bundled(options.only))
    pairs = [pair for pair in pairs if pair[1].stat().st_size <= options.largest][::options.every]
    if options.turns:
        pairs = instances.in_turns(pairs)
    translator, binary = peer(options.python)
    rows = []
    if options.rows and options.rows.exists():
        rows = [json.loads(text) for text in options.rows.read_text().splitlines()]
    known = {row["instance"] for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        for domain, problem in pairs:
            if named(problem) in known:
                continue
            searches = SEARCHES if options.search and not hopeless(rows, problem.parent.name, options.give_up) else ()
            row = measured(domain, problem, translator, binary, options, folder, searches)
            print(line(row), flush=True)
            rows.append(row)
            if options.rows:
                with options.rows.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            if options.table:
                options.table.write_text(table(rows))
    summary(rows)
    if options.table:
        options.table.write_text(table(rows))
    sys.exit(bool(wrong(rows)))


if __name__ == "__main__":
    main()
