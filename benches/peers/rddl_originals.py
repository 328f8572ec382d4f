#!/usr/bin/env python3
"""Compares cart-pole and mountain-car with the originals of pyRDDLGym, step by step in pyRDDLGym.

usage: rddl_originals.py [--steps 2000]

Run it with a Python that has `pyRDDLGym` and `rddlrepository`. Both models take the same action from the same random state; the table
has the largest difference of a state variable, and the numbers of steps whose rewards and ends differ. The bundled mountain-car
takes the pull of the original in the last row; steps at its left wall, which only here stops the velocity, are counted apart.
"""

import argparse
import logging
import pathlib
import random
import tempfile
import warnings

import numpy as np
import pyRDDLGym
import rddlrepository

OURS = pathlib.Path(__file__).resolve().parents[2] / "domains" / "rddl"
ORIGINALS = pathlib.Path(rddlrepository.__file__).parent / "archive" / "gym"
POLE = {"pos": "position", "vel": "velocity", "ang-pos": "angle", "ang-vel": "spin"}
CAR = {"pos": "position", "vel": "velocity"}
PULL = ("PULL(car) : { non-fluent, real, default = 0.0025 }", "PULL(car) : { non-fluent, real, default = 0.003375 }")


def pole(draw):
    return draw.uniform(-2.4, 2.4), draw.uniform(-3, 3), draw.uniform(-0.2094, 0.2094), draw.uniform(-3, 3)


def car(draw):
    return draw.uniform(-1.2, 0.6), draw.uniform(-0.07, 0.07)


# Original, bundled environment, names of the state, random state, random action, its name here and there, replaced text.
MODELS = [
    ("CartPole/Continuous", "cartpole-continuous", POLE, pole, lambda draw: draw.uniform(-10, 10), ("force", "push___c1"), None),
    ("CartPole/Discrete", "cartpole-discrete", POLE, pole, lambda draw: draw.randint(0, 1), ("force-side", "push-right___c1"), None),
    ("MountainCar/Continuous", "mountain-car", CAR, car, lambda draw: draw.uniform(-1, 1), ("action", "throttle___c1"), None),
    ("MountainCar/Continuous", "mountain-car", CAR, car, lambda draw: draw.uniform(-1, 1), ("action", "throttle___c1"), PULL),
]


def compare(model, steps, scratch):
    original, ours, names, draw_state, draw_action, actions, replaced = model
    text = (OURS / ours / "domain.rddl").read_text()
    if replaced:
        assert replaced[0] in text
        text = text.replace(*replaced)
    domain = pathlib.Path(scratch) / f"{ours}.rddl"
    domain.write_text(text)
    folder = ORIGINALS / original
    theirs = pyRDDLGym.make(str(folder / "domain.rddl"), str(folder / "instance0.rddl"))
    here = pyRDDLGym.make(str(domain), str(OURS / ours / "1.rddl"))
    draw, largest, rewards, ends, wall = random.Random(1), 0.0, 0, 0, 0
    for _ in range(steps):
        state, action = draw_state(draw), draw_action(draw)
        theirs.reset()
        here.reset()
        for (their_name, name), value in zip(names.items(), state, strict=True):
            theirs.sampler.subs[their_name] = np.asarray(value, dtype=float)
            here.sampler.subs[name][0] = value
        is_bool = "right" in actions[1]
        their_next, their_reward, their_end, *_ = theirs.step({actions[0]: action})
        following, reward, end, *_ = here.step({actions[1]: bool(action) if is_bool else action})
        difference = max(abs(float(their_next[one]) - float(following[f"{other}___c1"])) for one, other in names.items())
        if "position___c1" in following and following["position___c1"] == -1.2 and following["velocity___c1"] == 0.0:
            wall += 1
        else:
            largest = max(largest, difference)
        rewards += abs(float(their_reward) - float(reward)) > 1e-12
        ends += bool(their_end) != bool(end)
    return f"| {original} | {ours}{' with its pull' if replaced else ''} | {largest:.1e} | {rewards} | {ends} | {wall} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    print("| original | here | largest difference | rewards | ends | at the wall |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        for model in MODELS:
            print(compare(model, options.steps, scratch), flush=True)


if __name__ == "__main__":
    main()
