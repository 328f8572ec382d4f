#!/usr/bin/env python3
"""Compares PPO (Stable-Baselines3) and MaskablePPO (sb3-contrib) on probabilistic problems with the optimal policy.

Needs `pip install herbrand[sb3] matplotlib`. At regular intervals the exact probability is computed that the policy, with
its most likely action in every state, reaches the goal (success.py). Policy iteration computes the optimal probability. PPO
without masks also tries invalid actions, which have no effect. It writes the curves to ppo_success.csv and plots them.

usage: ppo_success.py [DOMAIN:PROBLEM …] [--steps 40960] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from success import best_success, success_probability

import herbrand

matplotlib.use("Agg")

HORIZON = 50
EVERY = 2048
TASKS = ["river:train/07", "river:test/04", "tireworld:test/04"]
Curve = list[tuple[int, float]]


class Evaluation(BaseCallback):
    """Computes the policy's probability of success at regular intervals."""

    def __init__(self, env: herbrand.PDDLEnv, masked: bool) -> None:
        super().__init__()
        self.env, self.masked = env, masked
        self.curve: Curve = []

    def choose(self, observations: Any, masks: Any) -> Any:
        """Returns the most likely action for each row."""
        masked: dict[str, Any] = {"action_masks": masks} if self.masked else {}
        return self.model.predict(observations, deterministic=True, **masked)[0]

    def _on_step(self) -> bool:
        if self.num_timesteps % EVERY == 0:
            self.curve.append((self.num_timesteps, success_probability(self.env, self.choose, HORIZON)))
            print(f"{self.curve[-1][0]:>8} steps: success {self.curve[-1][1]:.4f}", flush=True)
        return True


def learn(algorithm: Any, domain: str, problem: str, steps: int, seed: int) -> Curve:
    """Trains; returns the exact probability of success after every 2,048 steps."""
    train = herbrand.make(domain, problem, operators=True, horizon=HORIZON)
    judged = herbrand.make(domain, problem, operators=True, horizon=HORIZON)
    model = algorithm(
        "MlpPolicy", train, learning_rate=1e-3, n_steps=EVERY, batch_size=256, ent_coef=0.02, seed=seed, device="cpu"
    )
    evaluation = Evaluation(judged, masked=algorithm is MaskablePPO)
    model.learn(steps, callback=evaluation)
    return evaluation.curve


@dataclass
class Result:
    """The learning curves of one problem."""

    task: str
    best: float
    curves: dict[str, Curve]


def study(task: str, steps: int, seed: int) -> Result:
    """Trains on one problem with and without masks."""
    domain, problem = task.split(":")
    best = best_success(herbrand.load(domain, problem))
    curves = {}
    for algorithm in (MaskablePPO, PPO):
        print(f"{task}, {algorithm.__name__}; at most {best:.4f}")
        curves[algorithm.__name__] = learn(algorithm, domain, problem, steps, seed)
    return Result(task, best, curves)


def write(results: list[Result], path: Path) -> None:
    """Writes the curves as a table: one line per problem and number of steps."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("task", "steps", *results[0].curves, "best"))
        for result in results:
            for points in zip(*result.curves.values()):
                chances = [f"{success:.4f}" for _, success in points]
                writer.writerow((result.task, points[0][0], *chances, f"{result.best:.4f}"))


def draw(results: list[Result], path: Path) -> None:
    """Plots the curves and the optimal probability."""
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.hashsalt": "herbrand", "svg.fonttype": "none"})
    figure, panels = pyplot.subplots(1, len(results), figsize=(3.2 * len(results), 3), sharey=True, squeeze=False)
    for result, axes in zip(results, panels[0]):
        for name, curve in result.curves.items():
            axes.plot(*zip(*curve), marker="o", markersize=3, label=name)
        axes.axhline(result.best, linestyle="--", linewidth=1, color="grey", label="best possible")
        axes.set(xlabel="environment steps", ylim=(-0.04, 1.04), title=result.task.replace(":", " "))
    panels[0][0].set_ylabel("probability of the goal")
    panels[0][0].legend(loc="upper left", fontsize="small")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Trains with and without masks, writes the curves, and plots them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="DOMAIN:PROBLEM")
    parser.add_argument("--steps", type=int, default=20 * EVERY, help="environment steps of each run (default 40960)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curves are written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = [study(task, options.steps, options.seed) for task in options.tasks]
    for result in results:
        for name, curve in result.curves.items():
            print(f"{result.task}: {name} {curve[-1][1]:.4f} of at most {result.best:.4f}")
    write(results, options.out / "ppo_success.csv")
    draw(results, options.out / "ppo_success.svg")


if __name__ == "__main__":
    main()
