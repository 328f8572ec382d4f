"""Checks that every problem of the package `rddlrepository` can be parsed, compiled and stepped, with listed exceptions."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest

from herbrand import HerbrandError
from herbrand._herbrand import walk_rddl

# All instances take minutes, so by default only the first one of each problem is tested.
ALL = "HERBRAND_ALL_INSTANCES" in os.environ

# Maps rejected problems (paths below `archive`) to the reason.
REFUSED: dict[str, str] = {}

# Maps problems with failing steps to the reason.
OUT_OF_RANGE: dict[str, str] = {
    "competitions/IPPC2018/CooperativeRecon/": "chances of damage add up to more than 1 (Bernoulli)",
    "competitions/IPPC2018/WildlifePreserve/": "0 / 0 (Discrete) if rangers defend more than the preconditions allow",
}


def archive() -> Path | None:
    """Returns the package's folder of problems, if it is installed. It avoids an import, which would load plotting libraries."""
    found = importlib.util.find_spec("rddlrepository")
    return None if found is None or found.origin is None else Path(found.origin).parent / "archive"


def instances(domain: Path) -> list[Path]:
    """Returns the instances beside a domain in numeric order."""
    found = [path for path in domain.parent.glob("instance*.rddl")]
    return sorted(found, key=lambda path: [int(number) for number in re.findall(r"\d+", path.name)])


def problems() -> list[Path]:
    folder = archive()
    return [] if folder is None else sorted(folder.rglob("domain.rddl"))


@pytest.mark.skipif(archive() is None, reason="the package rddlrepository is not installed")
def test_every_problem_steps() -> None:
    root = archive()
    assert root is not None
    faults: list[str] = []
    walked = 0
    named: set[str] = set()
    for domain in problems():
        for instance in instances(domain)[: None if ALL else 1]:
            name = instance.relative_to(root).as_posix()
            try:
                _, taken, fault = walk_rddl([domain, instance], 3, 1)
                expected = OUT_OF_RANGE
                assert fault is not None or taken == 3
            except HerbrandError as error:
                fault, expected = str(error), REFUSED
            walked += 1
            if fault is not None:
                reasons = {known for known in expected if name.startswith(known)}
                named |= reasons
                if not reasons:
                    faults.append(f"{name}: {fault}")
    assert not faults, "\n".join(faults)
    assert not ALL or named == REFUSED.keys() | OUT_OF_RANGE.keys()
    assert walked >= (566 if ALL else 79)
