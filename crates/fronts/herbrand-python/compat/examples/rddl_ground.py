#!/usr/bin/env python3
"""Prints a grounded problem: the script `run_ground` of pyRDDLGym with other imports.

usage: rddl_ground.py DOMAIN INSTANCE
"""

from __future__ import annotations

import sys

import herbrand.compat.pyrddlgym as pyRDDLGym
from herbrand.compat.pyrddlgym.core.debug.decompiler import RDDLDecompiler
from herbrand.compat.pyrddlgym.core.grounder import RDDLGrounder


def main(domain: str, instance: str) -> None:
    env = pyRDDLGym.make(domain, instance)
    model = RDDLGrounder(env.model.ast).ground()
    decompiler = RDDLDecompiler()
    print(decompiler.decompile_domain(model))
    print(decompiler.decompile_instance(model))
    env.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
