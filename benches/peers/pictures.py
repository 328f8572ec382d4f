#!/usr/bin/env python3
"""Compares pictures of states with PDDLGym's and Gymnasium's: frames per CPU second, with one process per case.

usage: pictures.py [--parts pddlgym,gymnasium,svg] [--seconds 2] [--patience 60] [--only WORD] [--peer PYTHON]

The part `pddlgym` draws a state of each PDDLGym domain that has a renderer, and of Herbrand's equivalent domain: with `render()` at
the size of PDDLGym's picture, and as an observation of 64 × 64 pixels. The part `gymnasium` compares sokoban observations with
Gymnasium's renderers; each frame is a random valid step with its picture, including resets. The part `svg` lists the bundled
problems whose initial state takes longest to draw as SVG.

PDDLGym's time covers drawing only, without steps and resets. Herbrand's observations include their steps; its `render()` does not.
PDDLGym 0.0.7 grounds all atoms in every step and reset to find derived ones, even in domains without derived predicates. In sokoban
this takes minutes, so it is disabled here. A case that fails or takes longer than --patience seconds is reported with the reason.

All times are CPU seconds. Needs the package `herbrand`, `gymnasium`, `pygame` and `pddlgym==0.0.7`. Most of PDDLGym's pictures need
`pillow<10`; if another interpreter has these, name it with --peer.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings

# The bundled domain equivalent to each environment of PDDLGym.
DOMAINS = {
    "PDDLEnvSokoban-v0": "sokoban",
    "PDDLEnvBlocks-v0": "blocks",
    "PDDLEnvDoors-v0": "doors",
    "PDDLEnvExplodingblocks-v0": "exploding-blocks",
    "PDDLEnvHanoi-v0": "hanoi",
    "PDDLEnvHiking-v0": "hiking",
    "PDDLEnvMaze-v0": "maze-reachability",
    "PDDLEnvMinecraft-v0": "crafting",
    "PDDLEnvNavigation1-v0": "navigation",
    "PDDLEnvRearrangement-v0": "rearrangement",
    "SearchAndRescueLevel1-v0": "search-and-rescue-1",
    "PDDLEnvSlidetile-v0": "slide-tile",
    "PDDLEnvSnake-v0": "snake",
    "PDDLEnvTireworld-v0": "tireworld",
    "PDDLEnvTsp-v0": "tsp",
    "PDDLEnvVisit_all-v0": None,
}
GYMNASIUM = ["CartPole-v1", "FrozenLake-v1", "Taxi-v4", "CliffWalking-v1"]
BATCH = 64


def pace(frame, seconds, many=1):
    """Returns frames per CPU second of a function that makes `many` frames, after warming up for half of the time."""
    start = time.process_time()
    while time.process_time() - start < seconds / 2:
        frame()
    start, count = time.process_time(), 0
    while (spent := time.process_time() - start) < seconds:
        frame()
        count += many
    return count / spent


def said(picture, rate):
    """Returns the result of a case: the size of a picture, the number of channels, and frames per CPU second."""
    height, width, channels = picture.shape
    return {"size": [height, width], "channels": channels, "rate": rate}


def pddlgym(name, seconds, walked=20):
    """Draws the states of a walk in turn with PDDLGym."""
    import matplotlib

    matplotlib.use("Agg")
    import pddlgym

    env = pddlgym.make(name).unwrapped
    if not any(predicate.is_derived for predicate in env.domain.predicates.values()):
        env._handle_derived_literals = lambda state: state
    env.fix_problem_index(0)
    state, _ = env.reset()
    states, begin = [env.get_state()], time.monotonic()
    while len(states) < walked and time.monotonic() < begin + 10:
        try:
            state, _, done, *_ = env.step(env.action_space.sample(state))
        except Exception:  # a dead end, or an action space that cannot be sampled: draw the states so far
            break
        if done:
            state, _ = env.reset()
        states.append(env.get_state())
    turn = 0

    def frame():
        nonlocal turn
        turn += 1
        env.set_state(states[turn % len(states)])
        return env.render()

    picture = frame()
    if picture is None:
        raise RuntimeError("render gives no picture")
    return said(picture, pace(frame, seconds))


def drawn(domain, size, seconds, walked=20):
    """Draws the states of a walk in turn with `render()`."""
    import herbrand

    env = herbrand.make(domain, render_mode="rgb_array", render_size=tuple(size))
    env.reset(seed=0, options={"problem": 0})
    states = [env.state]
    while len(states) < walked:
        _, _, terminated, truncated, info = env.step(env.sample())
        if terminated or truncated:
            env.reset(options={"problem": 0})
        states.append(env.state)
    turn = 0

    def frame():
        nonlocal turn
        turn += 1
        return states[turn % len(states)].image(tuple(size))

    return said(frame(), pace(frame, seconds))


def stepped(env, sample, frame_of, seconds):
    """Takes random steps with pictures, including resets."""
    env.reset(seed=0)

    def frame():
        observation, _, terminated, truncated, _ = env.step(sample())
        picture = frame_of(observation)
        if terminated or truncated:
            env.reset()
        return picture

    return said(frame(), pace(frame, seconds))


def observed(domain, size, seconds):
    """Measures pixel observations of a single environment."""
    import herbrand

    env = herbrand.make(domain, observation="pixels", pixels=tuple(size))
    return stepped(env, env.sample, lambda observation: observation, seconds)


def batch(domain, size, threads, seconds):
    """Measures pixel observations of a batch."""
    import herbrand

    options = {"observation": "pixels", "pixels": tuple(size), "threads": threads, "statistics": False}
    envs = herbrand.VecEnv(domain, num_envs=BATCH, **options)
    observations, _ = envs.reset(seed=0)
    rate = pace(lambda: envs.step(envs.sample()), seconds, BATCH)
    return said(observations[0], rate)


def gymnasium(name, seconds):
    """Measures an environment of Gymnasium at its own size."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import gymnasium

    env = gymnasium.make(name, render_mode="rgb_array")
    env.action_space.seed(0)
    return stepped(env, env.action_space.sample, lambda _: env.render(), seconds)


def svg(only, _seconds, tries=5):
    """Returns the five problems whose SVG takes longest, each with the milliseconds of the first picture, which includes the
    layout, the milliseconds of the fastest of `tries - 1` later ones, and the size in bytes."""
    import herbrand

    slowest = []
    for name in [*herbrand.Suite.bundled_names(), *herbrand.RddlSuite.bundled_names()]:
        if only and only not in name:
            continue
        for problem in herbrand.suite(name).problem_names:
            state = herbrand.load(name, problem).initial_state
            spent = []
            for _ in range(tries):
                start = time.process_time()
                text = state.svg()
                spent.append(time.process_time() - start)
            row = (spent[0] * 1000, min(spent[1:]) * 1000, len(text), f"{name} {problem}")
            slowest = sorted([*slowest, row])[-5:]
    return slowest[::-1]


CASES = {case.__name__: case for case in (pddlgym, drawn, observed, batch, gymnasium, svg)}


def ask(options, case, *arguments, python=None):
    """Runs a case in a separate process; returns its result, or the reason of a failure."""
    command = [python or sys.executable, __file__, "--case", json.dumps([case, *arguments, options.seconds])]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=options.patience)
    except subprocess.TimeoutExpired:
        return {"fault": f"nothing after {options.patience:.0f} s"}
    if run.returncode != 0:
        lines = run.stderr.strip().splitlines()
        return {"fault": lines[-1] if lines else f"exit status {run.returncode}"}
    return json.loads(run.stdout.splitlines()[-1])


def cell(answer):
    """Formats frames per second, or the reason of a failure."""
    return answer["fault"] if "fault" in answer else f"{answer['rate']:,.0f}" if answer["rate"] >= 100 else f"{answer['rate']:.1f}"


def times(ours, theirs):
    """Formats the ratio of two rates."""
    known = "rate" in ours and "rate" in theirs
    return f"{ours['rate'] / theirs['rate']:,.0f}" if known else "–"


def beside_pddlgym(options):
    """Prints a row for each domain that PDDLGym draws."""
    print("| PDDLGym draws | pixels | frames per second | `render()`, as large | observation, 64 × 64 | times PDDLGym |")
    print("|---|---|---|---|---|---|")
    failed = 0
    for name, domain in DOMAINS.items():
        if options.only and options.only not in name.lower():
            continue
        theirs = ask(options, "pddlgym", name, python=options.peer)
        failed += "fault" in theirs
        pixels = f"{theirs['size'][0]} × {theirs['size'][1]} × {theirs['channels']}" if "size" in theirs else ""
        cells = [name, pixels, cell(theirs)]
        if domain:
            same = ask(options, "drawn", domain, theirs.get("size", [400, 400]))
            seen = ask(options, "observed", domain, [64, 64])
            cells += [cell(same), cell(seen), f"{times(same, theirs)}, {times(seen, theirs)}"]
        print("| " + " | ".join(cells + [""] * (6 - len(cells))) + " |", flush=True)
    print(f"\nPDDLGym failed in {failed} of them.\n")


def beside_gymnasium(options):
    """Prints steps with pictures: sokoban at several sizes, and environments of Gymnasium."""
    print("| step and picture | pixels | frames per second |\n|---|---|---|")
    rows = [(f"Gymnasium, {name}", ("gymnasium", name)) for name in GYMNASIUM]
    for size in ([64, 64], [84, 84], [256, 256], [400, 600]):
        rows.append(("Herbrand, sokoban", ("observed", "sokoban", size)))
    rows.append((f"Herbrand, {BATCH} of sokoban, one thread", ("batch", "sokoban", [64, 64], 1)))
    for name, case in rows:
        if options.only and options.only not in name.lower():
            continue
        answer = ask(options, *case)
        pixels = f"{answer['size'][0]} × {answer['size'][1]}" if "size" in answer else ""
        print(f"| {name} | {pixels} | {cell(answer)} |", flush=True)


def slowest_svg(options):
    """Prints the bundled problems whose SVG takes longest."""
    answer = ask(options, "svg", options.only)
    if "fault" in answer:
        print(answer["fault"])
        return
    print("| SVG of | first, ms | later, ms | bytes |\n|---|---|---|---|")
    for first, later, size, name in answer:
        print(f"| {name} | {first:.2f} | {later:.2f} | {size:,} |")


def main():
    """Runs all cases and prints the tables, or runs a single case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="pddlgym,gymnasium,svg", help="which tables (default all)")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of drawing for each case (default 2)")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds by the clock that a case may take (default 60)")
    parser.add_argument("--only", metavar="WORD", help="only cases whose name contains this, in lower case")
    parser.add_argument("--peer", metavar="PYTHON", help="the interpreter that has PDDLGym (this one if left out)")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        warnings.simplefilter("ignore")
        case, *arguments = json.loads(options.case)
        print(json.dumps(CASES[case](*arguments)))
        return
    tables = {"pddlgym": beside_pddlgym, "gymnasium": beside_gymnasium, "svg": slowest_svg}
    for part in options.parts.split(","):
        tables[part](options)


if __name__ == "__main__":
    main()
