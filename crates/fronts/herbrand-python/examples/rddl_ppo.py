#!/usr/bin/env python3
"""PPO of Stable-Baselines3 balances a pole that is modelled in RDDL, with flat vectors.

Needs `pip install herbrand[sb3] matplotlib`. The domain is the bundled `rddl/cartpole-discrete` with the constants of
Gymnasium's CartPole-v1. The initial values of an instance are within 0.05 of zero, as in Gymnasium. Observations are vectors
of the state fluents; actions are numbers. Training uses 256 random initial states. Evaluation runs 100 episodes of 500 steps
with the most likely action, from 256 others. It writes their mean return to rddl_ppo.csv, and plots it.

usage: rddl_ppo.py [--steps 150000] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import csv
import random
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import herbrand

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


class Evaluation(BaseCallback):
    """Periodically runs the policy from held-out initial states; stops after three successes in a row."""

    def __init__(self, envs: herbrand.rddl.RddlVecEnv, every: int) -> None:
        super().__init__()
        self.envs, self.every = envs, every
        self.curve: list[tuple[int, float]] = []

    def mean_return(self) -> float:
        """Returns the mean return of one episode per environment, always from the same initial states."""
        observations, _ = self.envs.reset(seed=0)
        returns, running = np.zeros(self.envs.num_envs), np.ones(self.envs.num_envs, bool)
        while running.any():
            actions, _ = self.model.predict(observations, deterministic=True)
            observations, rewards, terminated, truncated, _ = self.envs.step(actions)
            returns += np.where(running, rewards, 0.0)
            running &= ~(terminated | truncated)
        return float(returns.mean())

    def _on_step(self) -> bool:
        if self.num_timesteps % self.every == 0:
            self.curve.append((self.num_timesteps, self.mean_return()))
            print(f"{self.curve[-1][0]:>8} steps: mean return {self.curve[-1][1]:.1f}", flush=True)
        return not (len(self.curve) >= 3 and all(paid >= SOLVED for _, paid in self.curve[-3:]))


def learn(steps: int, seed: int) -> list[tuple[int, float]]:
    """Trains; returns the mean return after every 4,096 steps."""
    flat: dict[str, Any] = {"actions": "flat", "observation": "flat"}
    domain = herbrand.rddl.rddl_suite(DOMAIN).domain_rddl()
    train = instances(256, seed)
    held_out = instances(256, seed + 1)
    model = PPO(
        "MlpPolicy",
        make_vec_env(lambda: herbrand.rddl.make(domain, train, **flat), n_envs=8, seed=seed),
        n_steps=32,
        batch_size=256,
        n_epochs=20,
        gamma=0.98,
        gae_lambda=0.8,
        learning_rate=lambda left: 1e-3 * left,
        clip_range=lambda left: 0.2 * left,
        seed=seed,
        device="cpu",
    )
    evaluation = Evaluation(herbrand.rddl.make_vec(domain, problem=held_out, num_envs=100, **flat), every=4096)
    model.learn(steps, callback=evaluation)
    return evaluation.curve


def draw(curve: list[tuple[int, float]], path: Path) -> None:
    """Plots the learning curve."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    axes.plot(*zip(*curve), marker="o", markersize=3)
    axes.axhline(SOLVED, linestyle="--", linewidth=1, color="grey")
    axes.set(xlabel="environment steps", ylabel="mean return from held-out starts", ylim=(0, 510))
    axes.set_title("PPO, CartPole in RDDL")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Trains, writes the learning curve, and plots it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150_000, help="environment steps at most (default 150000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curve is written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    curve = learn(options.steps, options.seed)
    with (options.out / "rddl_ppo.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("steps", "mean_return"), *((steps, f"{paid:.2f}") for steps, paid in curve)])
    draw(curve, options.out / "rddl_ppo.png")


if __name__ == "__main__":
    main()
