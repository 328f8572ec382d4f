#!/usr/bin/env python3
"""Compares batched rollouts of RDDL problems with pyRDDLGym-jax, in one run.

usage: rddl_jax.py [--seconds 2] [--only TEXT]

Installs the peer (pyRDDLGym-jax and rddlrepository, from PyPI) into target/rddl-peers and uses the problems of the repository. Both
sides run 1,024 rollouts of 100 steps in lockstep on one core. They compute states, draws, rewards and terminations of every step,
and return the sum of the rewards and the number of steps that end an episode. Both sides count steps of rollouts that have ended
while others continue: JAX always computes all 100, Herbrand stops when all rollouts of a pass have ended. The last column counts
only the steps before the end for Herbrand, and all steps for JAX. JAX computes in single precision, its default, and follows the
same random plan in all rollouts; compiling `compile_rollouts` with `jax.jit` is reported separately. Herbrand computes in double
precision with its example `pace`, and takes 64 random joint actions in turn, different ones in each rollout. Rates are environment
steps per second of processor time.
"""

import argparse

from rddl_peers import PYTHON, files, geometric_mean, install, pace, printed

PROBLEMS = [
    "SysAdmin-10", "Elevators-10", "CartPole continuous", "Wildfire-10", "Reservoir-5", "HVAC-5", "UAV-5", "RaceCar",
]

ROLLOUTS = """
import json, logging, os, sys, time, warnings
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
import jax, numpy
import pyRDDLGym
from pyRDDLGym_jax.core.compiler import JaxRDDLCompiler
domain, instance, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
count, steps = 1024, 100
model = pyRDDLGym.make(domain, instance, vectorized=True).model
begin = time.perf_counter()
compiler = JaxRDDLCompiler(model)
compiler.compile()
# A plan: bools and ints that are on now and then, reals between 0 and 1.
random = numpy.random.default_rng(1)
def drawn(name):
    value = numpy.asarray(compiler.init_values[name])
    numbers = random.random((steps, *value.shape))
    return numbers.astype(numpy.float32) if value.dtype.kind == "f" else (numbers < 0.1).astype(value.dtype)
plan = {name: drawn(name) for name in model.action_fluents}
def act(key, plan, hyperparameters, step, *_):
    return {name: values[step] for name, values in plan.items()}
rollouts = compiler.compile_rollouts(act, n_steps=steps, n_batch=count)
fls, nfls = compiler.split_fluent_nonfluent(compiler.init_values)
for state, after in model.next_state.items():
    fls[after] = fls[state]
fls = {name: numpy.repeat(numpy.asarray(value)[numpy.newaxis], count, axis=0) for name, value in fls.items()}
params = compiler.model_aux["params"]
def sums(key, plan, fls):
    log = rollouts(key, plan, None, fls, nfls, params)[0]
    return log["reward"].sum(), log["termination"].sum()
run = jax.jit(sums)
jax.block_until_ready(run(jax.random.PRNGKey(0), plan, fls))
compiled = time.perf_counter() - begin
best, seed = 0.0, 1
for _ in range(5):
    begin, done = time.process_time(), 0
    while time.process_time() < begin + seconds / 5:
        jax.block_until_ready(run(jax.random.PRNGKey(seed), plan, fls))
        seed, done = seed + 1, done + count * steps
    best = max(best, done / (time.process_time() - begin))
print(json.dumps([best, compiled]))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    install(["pyRDDLGym", "pyRDDLGym_jax", "rddlrepository"])
    stepping = str(pace())
    ratios = []
    print(f"{'problem':22}{'JAX':>14}{'compiles s':>12}{'herbrand':>14}{'compiles ms':>13}{'ratio':>8}{'running':>9}")
    for name in PROBLEMS:
        if options.only not in name:
            continue
        pair = files(name)
        theirs, compiled = printed([str(PYTHON), "-c", ROLLOUTS, *pair, str(options.seconds)], one_core=True)
        ours = printed([stepping, str(options.seconds), *pair], one_core=True)
        rate = ours["batch_computed_per_second"]
        create = 1000 * (ours["create_seconds"] + ours["batch_create_seconds"])
        ratios.append(rate / theirs)
        print(f"{name:22}{theirs:14,.0f}{compiled:12.1f}{rate:14,.0f}{create:13.1f}{ratios[-1]:8.2f}"
              f"{ours['batch_steps_per_second'] / theirs:9.2f}", flush=True)
    print(f"geometric mean of the ratios: {geometric_mean(ratios):.2f}; least: {min(ratios):.2f}")


if __name__ == "__main__":
    main()
