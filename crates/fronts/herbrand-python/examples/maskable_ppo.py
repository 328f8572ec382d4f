#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib learns to build a tower of four blocks from any initial state.

Needs `pip install herbrand[sb3] matplotlib`. The policy observes the atoms as bits and chooses among all ground operators;
the environments' masks exclude invalid ones. Half of the initial states are held out for evaluation. It writes the share of
them that the most likely actions solve to maskable_ppo.csv, and plots it.

usage: maskable_ppo.py [--steps 100000] [--envs 8] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib
import torch
from blocks_problems import problems
from sb3_contrib import MaskablePPO

import herbrand
from herbrand.sb3 import EvaluationCallback, make_vec

matplotlib.use("Agg")

BLOCKS = list("abcd")
GOAL = [["d", "c", "b", "a"]]
HORIZON = 30


def main() -> None:
    """Trains until 95% were solved three times in a row, writes the learning curve, and plots it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="environment steps at most (default 100000)")
    parser.add_argument("--envs", type=int, default=8, help="environments (default 8)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curve is written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = problems(BLOCKS, 72, options.seed, GOAL)
    domain = herbrand.suite("blocks").domain
    held_out = herbrand.suite(domain, texts[1::2])
    envs = make_vec(domain, options.envs, problem=texts[::2], horizon=HORIZON)
    print(f"{len(envs.envs.suite)} problems to learn from, {len(held_out)} others to be judged by")
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=2048 // options.envs, gamma=0.95, learning_rate=5e-4, seed=options.seed, device="cpu"
    )
    callback = EvaluationCallback(
        lambda one: herbrand.evaluate(one, held_out, episodes=1, horizon=HORIZON),
        2048,
        options.out / "maskable_ppo.csv",
        stop=lambda curve: len(curve) >= 3 and all(row["goal"] >= 0.95 for row in curve[-3:]),
        verbose=1,
    )
    model.learn(options.steps, callback=callback)
    axes = callback.plot("goal")
    axes.set(title="MaskablePPO, four blocks", ylabel="share of held-out problems solved", ylim=(0, 1.02))
    axes.figure.savefig(options.out / "maskable_ppo.png", dpi=120)


if __name__ == "__main__":
    main()
