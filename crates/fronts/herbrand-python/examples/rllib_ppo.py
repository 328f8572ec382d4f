#!/usr/bin/env python3
"""RLlib's PPO with masked actions learns a probabilistic problem on vectorized environments.

Needs `pip install 'herbrand[rllib]' torch`.

usage: rllib_ppo.py [--domain tireworld] [--problem test/04] [--iterations 15] [--runners 0]
"""

from __future__ import annotations

import argparse

import ray

from herbrand.rllib import ppo_config


def main() -> None:
    """Trains, and prints the mean return, which is the share of episodes that reach the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="tireworld")
    parser.add_argument("--problem", default="test/04")
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--runners", type=int, default=0, help="processes that collect (default 0: the one that learns)")
    options = parser.parse_args()
    ray.init(num_cpus=max(1, options.runners + 1), include_dashboard=False, log_to_driver=False)
    config = ppo_config(options.domain, options.problem, num_envs=32, runners=options.runners, operators=True, horizon=50)
    config.training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=6, lr=1e-3, entropy_coeff=0.01)
    config.debugging(seed=0)
    algorithm = config.build_algo()
    for _ in range(options.iterations):
        told = algorithm.train()["env_runners"]
        print(f"{told['num_env_steps_sampled_lifetime']:>8.0f} steps: mean return {told['episode_return_mean']:.3f}", flush=True)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
