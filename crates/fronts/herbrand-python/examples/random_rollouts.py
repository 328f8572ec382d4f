#!/usr/bin/env python3
"""Random rollouts over many environments at once: measures how often a random policy reaches the goal, and the speed.

usage: random_rollouts.py [DOMAIN ...] [--envs 256] [--steps 200] [--seed 0] [--threads 1]
"""

from __future__ import annotations

import argparse
import time

import herbrand


def rollout(domain: str, count: int, steps: int, seed: int, threads: int) -> tuple[int, int, float]:
    """Returns the numbers of finished and of successful episodes, and environment steps per second of CPU time."""
    envs = herbrand.VecEnv(domain, num_envs=count, horizon=50, threads=threads, copy=False)
    envs.reset(seed=seed)
    episodes = goals = 0
    start = time.process_time()
    for _ in range(steps):
        _, _, terminated, truncated, _ = envs.step(envs.unwrapped.sample())
        goals += int(terminated.sum())
        episodes += int((terminated | truncated).sum())
    return episodes, goals, count * steps / (time.process_time() - start)


def main() -> None:
    """Rolls out the named domains, by default all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN", help="bundled domains (default: all)")
    parser.add_argument("--envs", type=int, default=256, help="environments stepped together (default 256)")
    parser.add_argument("--steps", type=int, default=200, help="steps of each (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print(f"{'domain':<22}{'episodes':>10}{'goals':>8}{'steps/s':>14}")
    for domain in options.domains or herbrand.bundled_domains():
        episodes, goals, rate = rollout(domain, options.envs, options.steps, options.seed, options.threads)
        print(f"{domain:<22}{episodes:>10}{goals:>8}{rate:>14,.0f}")


if __name__ == "__main__":
    main()
