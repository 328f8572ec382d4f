#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib learns to build a tower of four blocks from any initial state.

Needs `pip install herbrand[sb3] matplotlib`. The policy observes the atoms as bits and chooses among all ground operators;
the environment's masks exclude invalid ones. Half of the initial states are held out for evaluation. It writes the success
rate on them, with the most likely action in every state, to maskable_ppo.csv, and plots it.

usage: maskable_ppo.py [--steps 100000] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import matplotlib
import torch
from blocks_problems import problems
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import herbrand

matplotlib.use("Agg")

BLOCKS = list("abcd")
GOAL = [["d", "c", "b", "a"]]
HORIZON = 30


class Evaluation(BaseCallback):
    """Periodically plays all held-out problems greedily, and stops training at the target success rate."""

    def __init__(self, env: herbrand.PDDLEnv, every: int, enough: float) -> None:
        super().__init__()
        self.env, self.every, self.enough = env, every, enough
        self.curve: list[tuple[int, float]] = []

    def success_rate(self) -> float:
        """Returns the share of problems that the policy solves within the horizon."""
        solved = 0
        for index in range(len(self.env.suite)):
            observation, _ = self.env.reset(seed=0, options={"problem": index})
            ended = reached = False
            while not ended:
                action, _ = self.model.predict(  # type: ignore[call-arg]
                    observation, deterministic=True, action_masks=self.env.action_masks()
                )
                observation, _, reached, truncated, _ = self.env.step(int(action))
                ended = reached or truncated
            solved += reached
        return solved / len(self.env.suite)

    def _on_step(self) -> bool:
        if self.num_timesteps % self.every == 0:
            self.curve.append((self.num_timesteps, self.success_rate()))
            print(f"{self.curve[-1][0]:>8} steps: success {self.curve[-1][1]:.3f}", flush=True)
        return not (len(self.curve) >= 3 and all(rate >= self.enough for _, rate in self.curve[-3:]))


def learn(steps: int, seed: int) -> list[tuple[int, float]]:
    """Returns the success rate after every 2,048 steps, until it was 95% three times in a row."""
    texts = problems(BLOCKS, 72, seed, GOAL)
    domain = herbrand.suite("blocks").domain
    train = herbrand.make(domain, texts[::2], horizon=HORIZON)
    held_out = herbrand.make(domain, texts[1::2], horizon=HORIZON)
    print(f"{len(train.suite)} problems to learn from, {len(held_out.suite)} others to be judged by")
    model: Any = MaskablePPO("MlpPolicy", train, gamma=0.95, learning_rate=1e-3, seed=seed, device="cpu")
    evaluation = Evaluation(held_out, every=2048, enough=0.95)
    model.learn(steps, callback=evaluation)
    return evaluation.curve


def draw(curve: list[tuple[int, float]], path: Path) -> None:
    """Plots the learning curve."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    axes.plot(*zip(*curve), marker="o", markersize=3)
    axes.axhline(0.95, linestyle="--", linewidth=1, color="grey")
    axes.set(xlabel="environment steps", ylabel="success on held-out problems", ylim=(0, 1.02))
    axes.set_title("MaskablePPO, four blocks")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Trains, writes the learning curve, and plots it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="environment steps at most (default 100000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curve is written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    curve = learn(options.steps, options.seed)
    with (options.out / "maskable_ppo.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("steps", "success"), *((steps, f"{rate:.4f}") for steps, rate in curve)])
    draw(curve, options.out / "maskable_ppo.png")


if __name__ == "__main__":
    main()
