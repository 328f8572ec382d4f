#!/usr/bin/env python3
"""A graph network learns to act on small problems by PPO, and acts in larger ones.

Needs `pip install torch`. The network scores the valid actions of each state, so invalid actions are never drawn.

usage: graph_policy.py [DOMAIN] [--sizes 2 3] [--larger 4 6] [--iterations 12] [--seed 0]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import herbrand
from herbrand.graphs import ActionArrays
from herbrand.networks import RelationalPolicy, choose

ENVS, STEPS, EPOCHS, DISCOUNT, TRACE, CLIP, ENTROPY = 64, 32, 3, 0.95, 0.95, 0.2, 0.01

Observations = dict[str, NDArray[Any]]


def make(domain: str, sizes: list[int], count: int, seed: int, horizon: int) -> herbrand.VecEnv:
    """Creates environments over `count` generated problems of each size."""
    problems = [herbrand.generate(domain, size, seed=seed, index=index).problem for size in sizes for index in range(count)]
    return herbrand.VecEnv(domain, ENVS, problem=problems, observation="graph", horizon=horizon, operators=True)


def advantages(rewards: NDArray[Any], values: NDArray[Any], goes_on: NDArray[Any], runs: NDArray[Any]) -> NDArray[Any]:
    """Returns the generalised advantages of all steps; `values` has one row more, those of the last states.

    `goes_on` is False where the step reached a terminal state, `runs` where it ended the episode.
    """
    found, last = np.zeros_like(rewards), np.zeros(ENVS)
    for step in reversed(range(STEPS)):
        error = rewards[step] + DISCOUNT * values[step + 1] * goes_on[step] - values[step]
        found[step] = last = error + DISCOUNT * TRACE * last * runs[step]
    return found


def learn(policy: RelationalPolicy, envs: herbrand.VecEnv, iterations: int, seed: int) -> None:
    """Trains by proximal policy optimisation."""
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-4)
    observations, _ = envs.reset(seed=seed)
    actions, returns = envs.action_arrays(), []
    for iteration in range(iterations):
        steps: list[tuple[Observations, ActionArrays, NDArray[np.int64], Any]] = []
        shape = (STEPS, ENVS)
        rewards, values, counted = np.zeros(shape), np.zeros((STEPS + 1, ENVS)), np.zeros(shape, dtype=bool)
        goes_on, runs = np.ones(shape, dtype=bool), np.ones(shape, dtype=bool)
        for step in range(STEPS):
            with torch.no_grad():
                choice = policy.act(observations, actions)
            steps.append((observations, actions, choice.indices, choice.log_probabilities))
            values[step] = choice.values.numpy()
            observations, rewards[step], terminated, truncated, infos = envs.step(choice.ids)
            actions = envs.action_arrays()
            # A step that begins an episode ignores its action.
            counted[step] = infos["_applied"]
            goes_on[step], runs[step] = ~terminated, ~(terminated | truncated)
            if "episode" in infos:
                returns += list(infos["episode"]["r"][infos["_episode"]])
        with torch.no_grad():
            values[STEPS] = policy(observations, actions)[1].numpy()
        gains = advantages(rewards, values, goes_on, runs & counted)
        targets = torch.from_numpy((gains + values[:-1]).astype(np.float32))
        gains = (gains - gains[counted].mean()) / (gains[counted].std() + 1e-8)
        advantage = torch.from_numpy(gains.astype(np.float32))
        for epoch in range(EPOCHS):
            for step in np.random.permutation(STEPS):
                seen, offered, indices, before = steps[step]
                scores, estimates = policy(seen, offered)
                choice = choose(scores, estimates, offered, indices=indices)
                ratio, gain = (choice.log_probabilities - before).exp(), advantage[step]
                gained = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
                faults = (choice.values - targets[step]) ** 2
                losses = -gained + 0.5 * faults - ENTROPY * choice.entropies
                loss = losses[torch.from_numpy(counted[step])].mean()
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
                optimizer.step()
        if iteration % 10 == 9 and returns:
            print(f"iteration {iteration + 1}: {np.mean(returns[-200:]):.0%} of the last episodes reach the goal", flush=True)


def success(policy: RelationalPolicy, envs: herbrand.VecEnv) -> float:
    """Returns the share of the problems that the most probable actions solve: one problem per environment."""
    count = len(envs.problems)
    observations, _ = envs.reset(seed=0, options={"problem": [index % count for index in range(ENVS)]})
    solved, over = np.zeros(ENVS, dtype=bool), np.zeros(ENVS, dtype=bool)
    while not over.all():
        with torch.no_grad():
            choice = policy.act(observations, envs.action_arrays(), greedy=True)
        observations, _, terminated, truncated, infos = envs.step(choice.ids)
        solved |= infos["goal"] & terminated & ~over
        over |= terminated | truncated
    return float(solved.mean())


def main() -> None:
    """Trains on small problems, and evaluates on other ones and larger ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", nargs="?", default="ferry")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 3], help="sizes to learn from")
    parser.add_argument("--larger", type=int, nargs="+", default=[4, 6], help="sizes to evaluate on as well")
    parser.add_argument("--iterations", type=int, default=12, help=f"times {ENVS * STEPS} steps are taken")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    envs = make(options.domain, options.sizes, 100, options.seed, 40)
    policy = RelationalPolicy(envs.suite)
    tests = {size: make(options.domain, [size], ENVS, options.seed + 1, 25 * size) for size in options.sizes + options.larger}
    for when in ("before", "after"):
        solved = ", ".join(f"{success(policy, test):.0%} of size {size}" for size, test in tests.items())
        print(f"{when}: solves {solved}", flush=True)
        if when == "before":
            start = time.perf_counter()
            learn(policy, envs, options.iterations, options.seed)
            print(f"trained in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
