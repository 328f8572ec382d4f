#!/usr/bin/env python3
"""Compares the samples per second of PPO on `VecEnv` with MaskablePPO of sb3-contrib, on the same problems in one run.

usage: training.py [--envs 256] [--steps 98304] [--runs 2] [--seed 0] [DOMAIN:PROBLEM:HORIZON ...]

Builds a release wheel and installs it with PyTorch and the peer (from PyPI) into target/peers. If the variable
HERBRAND_PEERS_PYTHON names a Python that has all of them, nothing is installed.

ours    `ppo.py` of the examples: the environments are one `VecEnv`, whose arrays are tensors without a copy
batch   MaskablePPO of sb3-contrib 2.9.2 on `herbrand.sb3`, which steps all environments in one call
theirs  MaskablePPO on a `DummyVecEnv` of single environments of this package

All have the same hyperparameters and networks of the same shape: two layers of 64 for the policy and for the value, 32 steps
of every environment between updates, 4 epochs of 8 minibatches. Each uses one thread. A sample is one step of one
environment; the CPU time of collecting and of updating counts, that of imports and of the judgement does not. The sides take
turns, and the fastest run of each counts. The judgement is the same for both, for the most likely action in each state: in
PDDL the exact probability of the goal, in RDDL the mean return of 256 episodes.
"""

import argparse
import json

from peers import PYTHON, ROOT, install_wheel, markdown, run

PINNED = ["torch", "stable-baselines3==2.9.2", "sb3-contrib==2.9.2"]
EXAMPLES = ROOT / "crates" / "fronts" / "herbrand-python" / "examples"
TASKS = ["river:train/07:50", "tireworld:test/04:50", "rddl/cartpole-discrete:1:200"]

BOTH = """
import contextlib, io, json, sys, time
import torch
import herbrand, ppo
torch.set_num_threads(1)
domain, problem, horizon, steps, seed = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
options = ppo.Options(domain=domain, problem=problem, horizon=horizon, steps=steps, seed=seed, envs=int(sys.argv[6]))
# The first optimizer imports much of PyTorch.
torch.optim.Adam([torch.zeros(1, requires_grad=True)])

def tell(seconds, judged):
    print(json.dumps({"rate": steps / seconds, "judged": judged}))
"""

OURS = BOTH + """
start = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    network = ppo.train(options)
seconds = time.process_time() - start
judged = ppo.mean_return(options, network) if ppo.is_rddl(options) else ppo.success(options, network)[0]
tell(seconds, judged)
"""

THEIRS = BOTH + """
import numpy as np
from sb3_contrib import MaskablePPO
from herbrand.sb3 import make_vec
from stable_baselines3.common.vec_env import DummyVecEnv

form = {"observation": "flat", "actions": "flat"} if ppo.is_rddl(options) else {"operators": True}
form |= {"problem": problem, "horizon": horizon}

start = time.process_time()
singles = [lambda: herbrand.make(domain, **form)] * options.envs
envs = make_vec(domain, options.envs, **form) if sys.argv[7] == "batch" else DummyVecEnv(singles)
model = MaskablePPO(
    "MlpPolicy", envs, n_steps=options.rollout,
    batch_size=options.rollout * options.envs // options.batches, n_epochs=options.epochs,
    learning_rate=lambda left: options.rate * left, gamma=options.discount, gae_lambda=options.trace,
    clip_range=options.clip, ent_coef=options.entropy, seed=seed, device="cpu", policy_kwargs={"net_arch": [64, 64]},
)
model.learn(steps)
seconds = time.process_time() - start

def choose(network, observations, masks):
    return model.predict(observations, deterministic=True, action_masks=masks)[0]

ppo.greedy = choose
judged = ppo.mean_return(options, model) if ppo.is_rddl(options) else ppo.success(options, model)[0]
tell(seconds, judged)
"""


def measure(code, side, task, options):
    arguments = [*task.split(":"), options.steps, options.seed, options.envs, side]
    printed, _ = run([PYTHON, "-c", code, *map(str, arguments)], options.limit, cwd=EXAMPLES)
    return json.loads(printed.splitlines()[-1])


def row(task, options):
    sides = [(OURS, "ours"), (THEIRS, "batch"), (THEIRS, "theirs")]
    runs = [[measure(*side, task, options) for side in sides] for _ in range(options.runs)]
    best = [max(side, key=lambda one: one["rate"]) for side in zip(*runs)]
    rates, judged = ([one[key] for one in best] for key in ("rate", "judged"))
    cells = [f"{rates[0] / rate:.1f}" for rate in rates[1:]]
    return [task, *(f"{rate:,.0f}" for rate in rates), ", ".join(cells), ", ".join(f"{one:.3f}" for one in judged)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="DOMAIN:PROBLEM:HORIZON")
    parser.add_argument("--envs", type=int, default=256, help="environments (default 256)")
    parser.add_argument("--steps", type=int, default=98_304, help="samples of each run (default 98304)")
    parser.add_argument("--runs", type=int, default=2, help="runs of each side; the fastest counts (default 2)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=1200, help="seconds any process may take (default 1200)")
    options = parser.parse_args()
    install_wheel(PINNED)
    head = ["problem", "ours, samples/s", "MaskablePPO, batch", "MaskablePPO, single", "ratios", "judged"]
    markdown(head, (row(task, options) for task in options.tasks))


if __name__ == "__main__":
    main()
