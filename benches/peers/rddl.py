#!/usr/bin/env python3
"""Compares steps per second of RDDL problems with pyRDDLGym's NumPy back-end, in one run.

usage: rddl.py [--seconds 2] [--only TEXT]

Installs the peer (pyRDDLGym and rddlrepository, from PyPI) into target/rddl-peers and uses the problems of the repository. Both
sides take 64 joint actions drawn in advance in turn, with a reset at the end of an episode. With more than ten thousand action
fluents, pyRDDLGym draws a single one, because drawing takes it longer than a step. Times are processor time. Herbrand is measured
in Rust with its example `pace`, pyRDDLGym with `env.step`, its lowest layer. The last column is the ratio of the two.
"""

import argparse

from rddl_peers import PROBLEMS, files, geometric_mean, install, pace, printed, walk


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    install(["pyRDDLGym", "rddlrepository"])
    stepping = str(pace())
    ratios = []
    print(f"{'problem':24}{'pyRDDLGym':>12}{'herbrand':>14}{'ratio':>9}{'create ms':>12}")
    for name in PROBLEMS:
        if options.only not in name:
            continue
        pair = files(name)
        theirs, _ = walk(pair, options.seconds)
        ours = printed([stepping, str(options.seconds), *pair])
        rate = ours["steps_per_second"]
        ratios.append(rate / theirs)
        print(f"{name:24}{theirs:12,.{0 if theirs >= 10 else 2}f}{rate:14,.0f}{rate / theirs:9.0f}{1000 * ours['create_seconds']:12.1f}", flush=True)
    print(f"geometric mean of the ratios: {geometric_mean(ratios):.0f}; least: {min(ratios):.0f}")


if __name__ == "__main__":
    main()
