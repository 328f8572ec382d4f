#!/usr/bin/env python3
"""Batched roll-outs of RDDL problems beside pyRDDLGym-jax, in one run.

usage: rddl_jax.py [--seconds 2] [--only TEXT]

Installs the peer (pyRDDLGym-jax and rddlrepository, from PyPI) into target/rddl-peers and takes the problems from the
repository. Both sides run 1,024 roll-outs of 100 steps in lockstep, on one core; states, rewards and draws are computed for every
step, and what comes back is the sum of the rewards. JAX computes in single precision, its default, and follows a drawn plan,
the same in all roll-outs; it compiles `compile_rollouts` with `jax.jit`, and that time is reported apart. Herbrand computes in
double precision, through its example `pace`, and takes 64 drawn joint actions in turn, in each roll-out others. Rates are
environment steps a second of processor time.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
PEERS = TARGET / "rddl-peers"
PYTHON = pathlib.Path(os.environ.get("RDDL_PEERS_PYTHON", PEERS / "bin" / "python"))
PINNED = ["pyRDDLGym==2.7", "pyRDDLGym-jax==3.1", "rddlrepository==2.2"]

PROBLEMS = {
    "SysAdmin-10": ("competitions/IPPC2011/SysAdmin/MDP", 10),
    "Elevators-10": ("competitions/IPPC2011/Elevators/MDP", 10),
    "CartPole continuous": ("gym/CartPole/Continuous", 0),
    "Wildfire-10": ("competitions/IPPC2014/Wildfire/MDP", 10),
    "Reservoir-5": ("competitions/IPPC2023/Reservoir", 5),
    "HVAC-5": ("competitions/IPPC2023/HVAC", 5),
    "UAV-5": ("competitions/IPPC2023/UAV", 5),
    "RaceCar": ("competitions/IPPC2023/RaceCar", 1),
}

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
run = jax.jit(lambda key, plan, fls: rollouts(key, plan, None, fls, nfls, params)[0]["reward"].sum())
run(jax.random.PRNGKey(0), plan, fls).block_until_ready()
compiled = time.perf_counter() - begin
best, seed = 0.0, 1
for _ in range(5):
    begin, done = time.process_time(), 0
    while time.process_time() < begin + seconds / 5:
        run(jax.random.PRNGKey(seed), plan, fls).block_until_ready()
        seed, done = seed + 1, done + count * steps
    best = max(best, done / (time.process_time() - begin))
print(json.dumps([best, compiled]))
"""


def install():
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    if subprocess.run([PYTHON, "-c", "import pyRDDLGym_jax"], capture_output=True).returncode != 0:
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *PINNED], check=True)
    pace = TARGET / "release/examples/pace"
    if not pace.exists():
        command = ["cargo", "build", "--release", "--quiet", "-p", "herbrand-rddl", "--example", "pace"]
        subprocess.run(command, cwd=ROOT, check=True)
    return pace


def printed(command):
    one_core = ["taskset", "-c", "0"] if pathlib.Path("/usr/bin/taskset").exists() else []
    done = subprocess.run([*one_core, *command], capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()[-1500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    pace = install()
    packages = subprocess.run([PYTHON, "-c", "import rddlrepository; print(rddlrepository.__path__[0])"],
                              capture_output=True, text=True, check=True)
    archive = pathlib.Path(packages.stdout.strip()) / "archive"
    ratios = []
    print(f"{'problem':22}{'JAX':>14}{'compiles s':>12}{'herbrand':>14}{'compiles ms':>13}{'ratio':>8}")
    for name, (folder, number) in PROBLEMS.items():
        if options.only not in name:
            continue
        files = [str(archive / folder / "domain.rddl"), str(archive / folder / f"instance{number}.rddl")]
        theirs, compiled = printed([str(PYTHON), "-c", ROLLOUTS, *files, str(options.seconds)])
        ours = printed([str(pace), str(options.seconds), *files])
        rate = ours["batch_steps_per_second"]
        create = 1000 * (ours["create_seconds"] + ours["batch_create_seconds"])
        ratios.append(rate / theirs)
        print(f"{name:22}{theirs:14,.0f}{compiled:12.1f}{rate:14,.0f}{create:13.1f}{ratios[-1]:8.2f}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean of the ratios: {mean:.2f}; least: {min(ratios):.2f}")


if __name__ == "__main__":
    main()
