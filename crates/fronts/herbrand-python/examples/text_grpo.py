#!/usr/bin/env python3
"""A reward function in the form of GRPO trainers, which grades groups of plans at once. Trains nothing.

GRPO samples a group of completions for each prompt and compares each with the mean of its group. Here a seeded sampler
takes the place of the model: it writes the stored plan with some steps left out, doubled or misspelled. The same function goes to a
trainer: `GRPOTrainer(reward_funcs=reward, …)` in TRL, with the columns `prompt`, `domain` and `problem` in the data set.

usage: text_grpo.py [--domain blocks] [--problems 4] [--group 8] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import herbrand
from herbrand.text import PlanGrader, plan_reward

WEIGHTS = {"goal": 1.0, "progress": 0.5, "valid": 0.2, "format": 0.2}


def sampled(plan: list[str], draws: random.Random) -> str:
    """Returns a completion: a plan with some faults."""
    steps = list(plan)
    for _ in range(draws.randrange(3)):
        place = draws.randrange(len(steps)) if steps else 0
        match draws.randrange(3):
            case 0:
                del steps[place : place + 1]
            case 1:
                steps[place:place] = steps[place : place + 1]
            case _ if steps:
                steps[place] = steps[place][::-1]
    return "<plan>\n" + "\n".join(steps) + "\n</plan>"


def main() -> None:
    """Grades groups of completions and prints their advantages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="blocks")
    parser.add_argument("--problems", type=int, default=4)
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draws = random.Random(options.seed)
    names = list(herbrand.suite(options.domain, split="train").problem_names)[: options.problems]
    # The data set of a trainer: a prompt and the columns that name its problem.
    graders = [PlanGrader(options.domain, name) for name in names]
    rows = [(grader.prompt(), name) for grader, name in zip(graders, names, strict=True)]
    completions, prompts, problems = [], [], []
    for (prompt, name), grader in zip(rows, graders, strict=True):
        plan = grader.plan()
        for _ in range(options.group):
            completions.append([{"role": "assistant", "content": sampled(plan, draws)}])
            prompts.append(prompt)
            problems.append(name)
    reward = plan_reward(rewards=WEIGHTS)
    start = time.perf_counter()
    values = reward(prompts=prompts, completions=completions, domain=[options.domain] * len(problems), problem=problems)
    seconds = time.perf_counter() - start
    for place, name in enumerate(names):
        group = values[place * options.group : (place + 1) * options.group]
        mean, spread = statistics.fmean(group), statistics.pstdev(group) or 1.0
        advantages = " ".join(f"{(value - mean) / spread:+.2f}" for value in group)
        print(f"{name}: mean reward {mean:.3f}, advantages {advantages}")
    print(f"{len(values)} completions graded in {seconds:.2f} s")


if __name__ == "__main__":
    main()
