#!/usr/bin/env python3
"""PPO in one file, in the style of CleanRL: masked actions, many environments stepped by one call, no dependency but
PyTorch.

Needs `pip install torch`. The engine overwrites the same arrays in every step (`copy=False`), and the tensors over them are
made once, without a copy. Episodes end in a goal, in a dead end, or at the horizon. If the horizon truncates an episode, the
value of the last state is used as its remaining return. After training, the exact probability that the learned policy
reaches the goal is printed next to the optimal one; for RDDL the mean return of 256 episodes is printed.

usage: ppo.py [--domain river] [--problem train/07] [--steps 80000] [--envs 64] [--horizon 50] [--seed 0]
       ppo.py --domain rddl/cartpole-discrete --problem 1 --horizon 200 --steps 200000
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
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

    def policy(self, seen: Tensor, masks: Tensor) -> Tensor:
        """Returns the logarithms of the probabilities of all actions; invalid ones have probability 0."""
        return self.actor(seen).masked_fill(~masks, -1e9).log_softmax(-1)

    def value(self, seen: Tensor) -> Tensor:
        """Returns the expected return from each state."""
        return torch.as_tensor(self.critic(seen)).squeeze(-1)


def make(options: Options, count: int) -> herbrand.BaseVecEnv:
    """Creates environments that observe vectors and take numbers as actions."""
    form: dict[str, Any] = {"observation": "flat", "actions": "flat"} if is_rddl(options) else {"operators": True}
    envs: herbrand.BaseVecEnv = herbrand.make_vec(
        options.domain,
        count,
        problem=options.problem,
        horizon=options.horizon,
        autoreset_mode="SameStep",
        copy=False,
        **form,
    )
    return envs


def is_rddl(options: Options) -> bool:
    """Returns whether the domain is in RDDL."""
    return options.domain.startswith("rddl/")


def train(options: Options) -> Network:
    """Trains, and prints the mean return of the episodes that ended."""
    torch.manual_seed(options.seed)
    envs = make(options, options.envs)
    atoms, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    network = Network(atoms, actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=options.rate, eps=1e-5, fused=True)

    shape = (options.rollout, options.envs)
    seen, masks = torch.zeros(*shape, atoms), torch.zeros(*shape, actions, dtype=torch.bool)
    chosen = torch.zeros(shape, dtype=torch.int64)
    chances, rewards, ended = (torch.zeros(shape) for _ in range(3))
    array, _ = envs.reset(seed=options.seed)
    # These tensors follow the environments: each step overwrites their memory.
    now, valid = torch.from_dlpack(array), torch.from_dlpack(envs.action_masks())
    updates = max(1, options.steps // (options.rollout * options.envs))
    start = time.monotonic()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = options.rate * (1 - update / updates)
        ended_returns: list[float] = []
        cut: list[tuple[int, int, NDArray[Any]]] = []
        for at in range(options.rollout):
            seen[at], masks[at] = now, valid
            with torch.no_grad():
                policy = network.policy(seen[at], masks[at])
            action = torch.multinomial(policy.exp(), 1)
            chosen[at], chances[at] = action[:, 0], policy.gather(1, action)[:, 0]
            _, reward, terminated, truncated, infos = envs.step(action[:, 0].numpy())
            rewards[at], ended[at] = torch.from_dlpack(reward), torch.from_dlpack(terminated | truncated)
            cut += [(at, i, infos["final_obs"][i]) for i in np.flatnonzero(truncated)]
            if "episode" in infos:
                ended_returns += infos["episode"]["r"][infos["_episode"]].tolist()
        with torch.no_grad():
            values, following = network.value(seen), network.value(now.float())
            if cut:
                at_steps, of, last = zip(*cut)
                rewards[at_steps, of] += options.discount * network.value(torch.as_tensor(np.stack(last)).float())
        returns = returns_of(options, rewards, ended, values, following)
        improve(options, network, optimizer, seen, masks, chosen, chances, values, returns)
        if update % 10 == 9 or update == updates - 1:
            steps = (update + 1) * options.rollout * options.envs
            mean = np.mean(ended_returns) if ended_returns else float("nan")
            print(f"{steps:>8} steps: mean return {mean:.3f}, {steps / (time.monotonic() - start):,.0f} steps/s")
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
            ratio = (policy.gather(1, actions.unsqueeze(1))[:, 0] - before).exp()
            entropy = -(policy.exp() * policy).sum(-1).mean()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            gain = torch.min(advantages * ratio, advantages * clipped).mean()
            error = (network.value(inputs) - wanted).square().mean()
            loss = -gain + 0.5 * error - options.entropy * entropy
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def greedy(network: Network, observations: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the most likely action of each environment."""
    with torch.no_grad():
        policy = network.policy(torch.from_dlpack(observations).float(), torch.from_dlpack(masks))
    chosen: NDArray[np.int64] = policy.argmax(dim=1).numpy()
    return chosen


def success(options: Options, network: Network) -> tuple[float, float]:
    """Returns the exact probability that the greedy policy reaches the goal, and the optimal one."""
    env = herbrand.make(options.domain, options.problem, operators=True, horizon=options.horizon)
    learned = herbrand.goal_probability(lambda seen, masks: greedy(network, seen, masks), env)
    return learned, env.suite.task(0).policy().goal_probability


def mean_return(options: Options, network: Network, episodes: int = 256) -> float:
    """Returns the mean return of the greedy policy."""

    def policy(seen: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return greedy(network, seen, masks)

    result = herbrand.evaluate(
        policy, options.domain, options.problem, episodes=episodes, seed=options.seed + 1, horizon=options.horizon
    )
    return result.mean_return


def main() -> None:
    """Trains and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Options):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    options = Options(**vars(parser.parse_args()))
    torch.set_num_threads(1)
    network = train(options)
    if is_rddl(options):
        print(f"{options.domain} {options.problem}: mean return {mean_return(options, network):.2f}")
    else:
        learned, best = success(options, network)
        print(f"{options.domain} {options.problem}: {learned:.4f} of at most {best:.4f}")


if __name__ == "__main__":
    main()
