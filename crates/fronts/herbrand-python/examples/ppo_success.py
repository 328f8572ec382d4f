#!/usr/bin/env python3
"""Compares PPO (Stable-Baselines3) and MaskablePPO (sb3-contrib) on probabilistic problems with the optimal policy.

Needs `pip install herbrand[sb3] matplotlib`. At regular intervals the exact probability is computed that the policy, with
its most likely action in every state, reaches the goal. Policy iteration computes the optimal probability. PPO
without masks also tries invalid actions, which have no effect. It writes the curves to ppo_success.csv and plots them.

usage: ppo_success.py [DOMAIN:PROBLEM …] [--steps 40960] [--seed 0] [--out FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib
import torch
from matplotlib import pyplot
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO

import herbrand
from herbrand.sb3 import EvaluationCallback

matplotlib.use("Agg")

HORIZON = 50
EVERY = 2048
TASKS = ["river:train/07", "river:test/04", "tireworld:test/04"]


def learn(algorithm: Any, task: str, options: argparse.Namespace) -> EvaluationCallback:
    """Trains on one problem; returns the exact probability of success after every 2,048 steps."""
    domain, problem = task.split(":")
    judged = herbrand.make(domain, problem, operators=True, horizon=HORIZON)
    env = herbrand.make(domain, problem, operators=True, horizon=HORIZON)
    model = algorithm(
        "MlpPolicy", env, learning_rate=1e-3, n_steps=EVERY, batch_size=256, ent_coef=0.02, seed=options.seed, device="cpu"
    )
    callback = EvaluationCallback(lambda one: {"success": herbrand.goal_probability(one, judged)}, EVERY, verbose=1)
    model.learn(options.steps, callback=callback)
    return callback


def main() -> None:
    """Trains with and without masks, writes the curves, and plots them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="DOMAIN:PROBLEM")
    parser.add_argument("--steps", type=int, default=20 * EVERY, help="environment steps of each run (default 40960)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where the curves are written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    matplotlib.rcParams.update({"svg.hashsalt": "herbrand", "svg.fonttype": "none"})
    count = len(options.tasks)
    figure, panels = pyplot.subplots(1, count, figsize=(3.2 * count, 3), sharey=True, squeeze=False)
    lines = ["task,steps,MaskablePPO,PPO,best"]
    for task, axes in zip(options.tasks, panels[0]):
        best = herbrand.load(*task.split(":")).policy().goal_probability
        curves = []
        for algorithm in (MaskablePPO, PPO):
            print(f"{task}, {algorithm.__name__}; at most {best:.4f}")
            curves.append(learn(algorithm, task, options))
            curves[-1].plot("success", axes, label=algorithm.__name__)
        axes.axhline(best, linestyle="--", linewidth=1, color="grey", label="best possible")
        axes.set(ylabel=None, ylim=(-0.04, 1.04), title=task.replace(":", " "))
        rows = zip(*(callback.curve for callback in curves))
        lines += [f"{task},{one['steps']},{one['success']:.4f},{other['success']:.4f},{best:.4f}" for one, other in rows]
    (options.out / "ppo_success.csv").write_text("\n".join(lines) + "\n")
    panels[0][0].set_ylabel("probability of the goal")
    panels[0][0].legend(loc="upper left", fontsize="small")
    figure.tight_layout()
    figure.savefig(options.out / "ppo_success.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
