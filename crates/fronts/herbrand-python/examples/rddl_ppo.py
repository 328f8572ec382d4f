#!/usr/bin/env python3
"""PPO of Stable-Baselines3 balances a pole that is modelled in RDDL, with flat vectors.

Needs `pip install herbrand[sb3] matplotlib`. The domain is the bundled `rddl/cartpole-discrete` with the constants of
Gymnasium's CartPole-v1. The initial values of an instance are within 0.05 of zero, as in Gymnasium. Observations are vectors
of the state fluents; actions are numbers. Training uses 256 random initial states. Evaluation runs an episode of 500 steps
with the most likely actions from each of 100 others. It writes their mean return to rddl_ppo.csv, and plots it.

usage: rddl_ppo.py [--steps 150000] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import matplotlib
import torch
from stable_baselines3 import PPO

import herbrand
from herbrand.sb3 import EvaluationCallback, make_vec

matplotlib.use("Agg")

DOMAIN = "rddl/cartpole-discrete"
SOLVED = 475.0


def instances(count: int, seed: int) -> list[str]:
    """Returns the texts of instances with random initial states."""
    draw = random.Random(seed)
    fluents = ("position", "velocity", "angle", "spin")
    texts = []
    for number in range(count):
        start = " ".join(f"{fluent}(c1) = {draw.uniform(-0.05, 0.05):.6f};" for fluent in fluents)
        texts.append(f"""
            non-fluents constants-{number} {{ domain = cartpole-discrete; objects {{ cart : {{c1}}; }}; }}
            instance start-{number} {{
                domain = cartpole-discrete;
                non-fluents = constants-{number};
                init-state {{ {start} }};
                max-nondef-actions = pos-inf;
                horizon = 500;
                discount = 1.0;
            }}""")
    return texts


def main() -> None:
    """Trains until it was solved three times in a row, writes the learning curve, and plots it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150_000, help="environment steps at most (default 150000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curve is written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    domain = herbrand.rddl.rddl_suite(DOMAIN).domain_rddl()
    model = PPO(
        "MlpPolicy",
        make_vec(domain, 8, problem=instances(256, options.seed)),
        n_steps=32,
        batch_size=256,
        n_epochs=20,
        gamma=0.98,
        gae_lambda=0.8,
        learning_rate=lambda left: 1e-3 * left,
        clip_range=lambda left: 0.2 * left,
        seed=options.seed,
        device="cpu",
    )
    held_out = herbrand.rddl.rddl_suite(domain, instances(100, options.seed + 1))
    callback = EvaluationCallback(
        lambda one: herbrand.evaluate(one, held_out, episodes=1),
        4096,
        options.out / "rddl_ppo.csv",
        stop=lambda curve: len(curve) >= 3 and all(row["return"] >= SOLVED for row in curve[-3:]),
        verbose=1,
    )
    model.learn(options.steps, callback=callback)
    axes = callback.plot("return")
    axes.set(title="PPO, CartPole in RDDL", ylabel="mean return from held-out starts", ylim=(0, 510))
    axes.figure.savefig(options.out / "rddl_ppo.png", dpi=120)


if __name__ == "__main__":
    main()
