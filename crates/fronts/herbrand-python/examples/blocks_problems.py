"""Generates random problems of the bundled blocks world, as texts."""

from __future__ import annotations

import random

Towers = list[list[str]]


def random_towers(blocks: list[str], rng: random.Random) -> Towers:
    """Returns random towers, each listed from the lowest block."""
    towers: Towers = []
    for block in rng.sample(blocks, len(blocks)):
        place = rng.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([block])
        else:
            towers[place].append(block)
    return towers


def atoms(towers: Towers) -> list[str]:
    """Returns the true atoms of towers."""
    found = ["(hand-empty)"]
    for tower in towers:
        found += [f"(on-table {tower[0]})", f"(clear {tower[-1]})"]
        found += [f"(on {upper} {lower})" for lower, upper in zip(tower, tower[1:])]
    return found


def problem(blocks: list[str], towers: Towers, goal: Towers) -> str:
    """Returns the problem of building `goal` from `towers`."""
    on = [atom for atom in atoms(goal) if atom.startswith("(on")]
    return f"""(define (problem random) (:domain blocks) (:objects {" ".join(blocks)} - block)
      (:init {" ".join(atoms(towers))}) (:goal (and {" ".join(on)})))"""


def problems(blocks: list[str], count: int, seed: int, goal: Towers | None = None) -> list[str]:
    """Returns distinct random problems, with random goals or a common one. None is solved initially."""
    rng = random.Random(seed)
    found: dict[str, None] = {}
    for _ in range(100 * count):
        towers, wanted = random_towers(blocks, rng), goal or random_towers(blocks, rng)
        if set(atoms(towers)) != set(atoms(wanted)):
            found[problem(blocks, sorted(towers), sorted(wanted))] = None
        if len(found) == count:
            break
    return list(found)
