#!/usr/bin/env python3
"""Compares `herbrand translate` with Fast Downward's translator, on the same files in one run.

usage: translating.py [--runs 3] [--limit SECONDS] [--search SECONDS] [--instances FOLDER] [--only WORD] [--every N]
                      [--json FILE] [DOMAIN PROBLEM ...]

Without files, takes the problems of the folder that --instances names (`instances.py` explains where to get them), or all
bundled ones. Installs the peer (up-fast-downward, from PyPI) into target/peers, unless --python names a Python that has it.

Times are the CPU seconds of the whole processes, the fastest of --runs runs; Fast Downward's runs once if it takes more than
ten seconds. A bit is a bit of a state: for each variable that operators change, the logarithm of the number of its values,
rounded up. With --search, Fast Downward's A* runs on both outputs, blind and with LM-cut (without axioms and conditional
effects), for that many seconds each, and the costs of the plans are compared.
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


def cpu(command, limit, folder):
    """Returns the CPU seconds of a process; None if it exceeds the limit or fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime if status == 0 else None


def fastest(command, limit, folder, runs):
    times = []
    for _ in range(runs):
        time = cpu(command, limit, folder)
        if time is None:
            return None
        times.append(time)
        if time > SLOW:
            break
    return min(times)


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


def search(binary, file, how, limit):
    """Returns the cost of an optimal plan, `none` if there is no plan, or None if the search did not end."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    try:
        with open(file) as text, tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([binary, "--search", f"astar({how}())"], stdin=text, capture_output=True, text=True, timeout=limit,
                                 cwd=folder, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return None
    found = re.search(r"Plan cost: (\d+)", run.stdout)
    if found:
        return int(found[1])
    return "none" if "unsolvable" in run.stdout or run.returncode in (11, 12) else None


def peer(python):
    """Returns the translator's command and the search binary of the package for a Python."""
    if not python:
        from peers import PYTHON, install
        install(["up-fast-downward==1.0.0"])
        python = PYTHON
    package = next(pathlib.Path(python).absolute().parents[1].glob("lib/python*/site-packages/up_fast_downward"))
    binary = package / "downward/builds/release/bin/downward"
    return [str(pathlib.Path(python).absolute()), "-m", "fast_downward.translate"], str(binary)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--search", type=float, default=0)
    parser.add_argument("--instances", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
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
    translator, binary = peer(options.python)
    rows, failed, wrong = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = pathlib.Path(folder, "ours.sas"), pathlib.Path(folder, "theirs.sas")
        for domain, problem in pairs:
            domain, problem = domain.absolute(), problem.absolute()
            name = f"{problem.parent.name}/{problem.stem}"
            ours.unlink(missing_ok=True)
            command = [str(options.binary.absolute()), "translate", str(domain), str(problem), "--out", str(ours), "--force", *options.options.split()]
            own = fastest(command, options.limit, folder, options.runs)
            other = fastest([*translator, str(domain), str(problem), "--sas-file", str(theirs)], options.limit, folder, options.runs)
            if own is None or other is None:
                failed.append({"instance": name, "herbrand": own, "translator": other})
                print(f"{name:48} herbrand {own}, translator {other}", flush=True)
                continue
            row = {"instance": name, "seconds": own, "translator": other, "ratio": other / own, "ours": figures(ours), "theirs": figures(theirs)}
            if options.search:
                for how in ("blind", "lmcut"):
                    costs = [search(binary, file, how, options.search) for file in (ours, theirs)]
                    row[how] = costs
                    if None not in costs and costs[0] != costs[1]:
                        wrong.append((name, how, costs))
            rows.append(row)
            found = " ".join(f"{how} {row[how][0]} {row[how][1]}" for how in ("blind", "lmcut") if how in row)
            bits = f"{row['ours']['bits']:5} {row['theirs']['bits']:5} bits"
            operators = f"{row['ours']['operators']:6} {row['theirs']['operators']:6} operators"
            print(f"{name:48} {own:8.3f} {other:8.3f} s {other / own:7.1f}  {bits} {operators} {found}", flush=True)
    ratios = [row["ratio"] for row in rows]
    more = [row for row in rows if row["ours"]["bits"] > row["theirs"]["bits"]]
    fewer = [row for row in rows if row["ours"]["bits"] < row["theirs"]["bits"]]
    if rows:
        print(f"{len(rows)} instances: geometric mean {mean(ratios):.1f}, least {min(ratios):.1f}")
    print(f"bits: fewer on {len(fewer)}, the same on {len(rows) - len(fewer) - len(more)}, more on {len(more)}")
    for row in more:
        print(f"  more bits: {row['instance']} {row['ours']} {row['theirs']}")
    for how in ("blind", "lmcut"):
        compared = [row for row in rows if how in row and None not in row[how]]
        print(f"{how}: {len(compared)} costs compared, {sum(one[1] == how for one in wrong)} differ")
    for one in wrong:
        print("  different:", *one)
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "failed": failed, "different": wrong}, indent=1))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
