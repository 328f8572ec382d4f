#!/usr/bin/env python3
"""Serves a problem to one client over TCP: the script `run_server` of pyRDDLGym with other imports.

usage: rddl_server.py DOMAIN INSTANCE [--rounds 30] [--seconds 300] [--port 2323]
"""

from __future__ import annotations

import argparse

import herbrand.compat.pyrddlgym as pyRDDLGym
from herbrand.compat.pyrddlgym.core.server import RDDLSimServer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain")
    parser.add_argument("instance")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--port", type=int, default=2323)
    options = parser.parse_args()
    env = pyRDDLGym.make(options.domain, options.instance)
    server = RDDLSimServer(env.domain_text, env.instance_text, options.rounds, options.seconds, port=options.port)
    server.run()


if __name__ == "__main__":
    main()
