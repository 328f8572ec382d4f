#!/usr/bin/env python3
"""PPO in one file, in the style of CleanRL: masked actions, many environments stepped by one call, no dependency but
PyTorch.

Needs `pip install torch`. Episodes end in a goal, in a dead end, or at the horizon. If the horizon truncates an episode, the
value of the last state is used as its remaining return. After training, the exact probability that the learned policy
reaches the goal is printed next to the optimal one.

usage: ppo.py [--domain river] [--problem train/07] [--steps 80000] [--envs 64] [--seed 0]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from success import best_success, success_probability
from torch import Tensor, nn

import herbrand


@dataclass
class Options:
    """The problem and the hyperparameters."""

    domain: str = "river"
    problem: str = "train/07"
    steps: int = 80_000  # in all environments together
    envs: int = 64
    rollout: int = 32  # steps of every environment between updates
    horizon: int = 50
    epochs: int = 4
    batches: int = 8
    rate: float = 1e-3
    discount: float = 0.99
    trace: float = 0.95  # the lambda of generalized advantage estimation
    clip: float = 0.2
    entropy: float = 0.03
    seed: int = 0


class Network(nn.Module):
    """Logits of the actions, and the value of the state."""

    def __init__(self, atoms: int, actions: int, width: int = 64) -> None:
        super().__init__()

        def layers(out: int, gain: float) -> nn.Sequential:
            sizes = [(atoms, width, 2**0.5), (width, width, 2**0.5), (width, out, gain)]
            made: list[nn.Module] = []
            for inner, outer, scale in sizes:
                layer = nn.Linear(inner, outer)
                nn.init.orthogonal_(layer.weight, scale)
                nn.init.zeros_(layer.bias)
                made += [layer, nn.Tanh()]
            return nn.Sequential(*made[:-1])

        self.actor, self.critic = layers(actions, 0.01), layers(1, 1.0)

    def policy(self, seen: Tensor, masks: Tensor) -> torch.distributions.Categorical:
        """Returns the distribution of actions; invalid actions have probability 0."""
        logits = self.actor(seen).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits)

    def value(self, seen: Tensor) -> Tensor:
        """Returns the expected return from each state."""
        return torch.as_tensor(self.critic(seen)).squeeze(-1)


def tensor(array: NDArray[Any], kind: torch.dtype = torch.float32) -> Tensor:
    """Copies an array to a tensor."""
    return torch.as_tensor(np.asarray(array), dtype=kind).clone()


def train(options: Options) -> Network:
    """Trains, and prints the share of episodes that reach the goal."""
    torch.manual_seed(options.seed)
    envs = herbrand.make_vec(
        options.domain,
        options.envs,
        problem=options.problem,
        operators=True,
        horizon=options.horizon,
        autoreset_mode="SameStep",
        copy=False,
    )
    atoms, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    network = Network(atoms, actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=options.rate, eps=1e-5)

    shape = (options.rollout, options.envs)
    seen, masks = torch.zeros(*shape, atoms), torch.zeros(*shape, actions, dtype=torch.bool)
    chosen, chances, values, rewards, ended = (torch.zeros(shape) for _ in range(5))
    now, _ = envs.reset(seed=options.seed)
    updates = max(1, options.steps // (options.rollout * options.envs))
    start = time.monotonic()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = options.rate * (1 - update / updates)
        episodes = goals = 0
        for at in range(options.rollout):
            seen[at], masks[at] = tensor(now), tensor(envs.action_masks(), torch.bool)
            with torch.no_grad():
                policy = network.policy(seen[at], masks[at])
                action = policy.sample()
                chosen[at], chances[at], values[at] = action, policy.log_prob(action), network.value(seen[at])
            now, reward, terminated, truncated, infos = envs.step(action.numpy())
            rewards[at], ended[at] = tensor(reward), tensor(terminated | truncated)
            if truncated.any():
                last = np.stack([infos["final_obs"][i] for i in np.flatnonzero(truncated)])
                with torch.no_grad():
                    rewards[at, np.flatnonzero(truncated)] += options.discount * network.value(tensor(last))
            if "final_info" in infos:
                episodes += int(infos["_final_info"].sum())
                goals += int(infos["final_info"]["goal"].sum())
        with torch.no_grad():
            following = network.value(tensor(now))
        returns = returns_of(options, rewards, ended, values, following)
        improve(options, network, optimizer, seen, masks, chosen, chances, values, returns)
        if update % 10 == 9 or update == updates - 1:
            steps = (update + 1) * options.rollout * options.envs
            share = goals / episodes if episodes else float("nan")
            print(f"{steps:>8} steps: {share:.3f} of the episodes in the goal, {steps / (time.monotonic() - start):,.0f} steps/s")
    return network


def returns_of(options: Options, rewards: Tensor, ended: Tensor, values: Tensor, following: Tensor) -> Tensor:
    """Returns the estimated return from each step, by generalized advantage estimation."""
    advantages, advantage = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for at in reversed(range(len(rewards))):
        goes_on = options.discount * (1 - ended[at])
        error = rewards[at] + goes_on * following - values[at]
        advantages[at] = advantage = error + goes_on * options.trace * advantage
        following = values[at]
    return advantages + values


def improve(
    options: Options,
    network: Network,
    optimizer: torch.optim.Optimizer,
    seen: Tensor,
    masks: Tensor,
    chosen: Tensor,
    chances: Tensor,
    values: Tensor,
    returns: Tensor,
) -> None:
    """Takes several epochs of gradient steps on a rollout."""
    flat = [one.flatten(0, 1) for one in (seen, masks, chosen, chances, returns - values, returns)]
    count = len(flat[0])
    for _ in range(options.epochs):
        for some in torch.randperm(count).chunk(options.batches):
            inputs, mask, actions, before, advantages, wanted = (one[some] for one in flat)
            policy = network.policy(inputs, mask)
            ratio = (policy.log_prob(actions) - before).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            gain = torch.min(advantages * ratio, advantages * clipped).mean()
            error = (network.value(inputs) - wanted).square().mean()
            loss = -gain + 0.5 * error - options.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def judge(options: Options, network: Network) -> tuple[float, float]:
    """Returns the exact probability that the greedy policy reaches the goal, and the optimal one."""

    def choose(observations: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        with torch.no_grad():
            policy = network.policy(tensor(observations), tensor(masks, torch.bool))
        chosen: NDArray[np.int64] = policy.logits.argmax(dim=1).numpy()
        return chosen

    env = herbrand.make(options.domain, options.problem, operators=True)
    return success_probability(env, choose, options.horizon), best_success(env.suite.task(0))


def main() -> None:
    """Trains and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Options):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    options = Options(**vars(parser.parse_args()))
    torch.set_num_threads(1)
    learned, best = judge(options, train(options))
    print(f"{options.domain} {options.problem}: {learned:.4f} of at most {best:.4f}")


if __name__ == "__main__":
    main()
