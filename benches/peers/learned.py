"""The learner of `learners.py`: a linear heuristic on Weisfeiler–Leman features that ranks states, and searches that use it.

usage: learned.py train FOLDER MODEL SECONDS
       learned.py solve DOMAIN PROBLEM PLAN SECONDS [MODEL]

Learning: the whole state spaces of small training problems, and cheap plans of larger ones, give pairs of a better and a worse state: a
successor that is nearer to the goal, beside its parent and the successors that are not. A linear support vector machine ranks them. A
fourth of the larger third of the problems is held out, and the smaller two thirds are learned from. Of several kinds of features and
several searches, the learner takes the pair that solves most held-out problems in a second each. Of several such pairs, it takes the
first whose plans are about as cheap and as soon found as the best. If the planner `landmarks` solves more, the heuristic is not used.

Solving: the search with the learned heuristic for half of the time at most, then `anytime`. Without a model, only `anytime`. Both write
each plan that is cheaper than those before.
"""

import math
import pathlib
import pickle
import random
import signal
import sys
import time

import herbrand
import numpy as np

# The rounds of the features, and whether they are by sets; the searches and their heuristics.
KINDS = [(2, True), (2, False), (1, True), (3, True)]
SEARCHES = [("greedy", ("learned",)), ("greedy", ("learned", "ff")), ("width", ("learned",))]
# The share of the time for the learned heuristic.
SHARE = 0.5
# The states taken from a state space, its largest size, and the pairs taken of each state.
STATES, SPACE, PAIRS = 40, 20_000, 30
# The CPU seconds for a plan of a training problem, and of a held-out one.
PLAN, TRIAL = 0.3, 1
# Estimates are not negative; only their order matters.
BIAS = 1e6


class TooLate(Exception):
    """The CPU time of a step is over."""


def late(*_):
    raise TooLate


def within(seconds, work):
    """Returns the result of a function; None if it takes more CPU seconds."""
    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.01))
    try:
        return work()
    except (TooLate, herbrand.LimitError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


# Learning.


def of_space(task, env, rng):
    """Returns graphs of states of a small problem, each with those of its successors and which of these are nearer to the goal; None if
    the problem is not small."""
    space = within(1, lambda: task.state_space(max_states=SPACE))
    if space is None or not space.complete:
        return None
    steps = space.goal_steps
    found = []
    far = np.flatnonzero(steps > 0).tolist()
    for number in rng.sample(far, min(STATES, len(far))):
        targets = sorted({target for _, outcomes in space.successors(number) for _, _, target in outcomes} - {number})
        nearer = [0 <= steps[one] < steps[number] for one in targets]
        found.append((env.set_state(space.state(number))[0], [env.set_state(space.state(one))[0] for one in targets], nearer))
    return found


def of_plan(task, env, rng):
    """Returns the same for the states on a cheap plan, with only their next states."""
    plans, found = [], []
    within(PLAN, lambda: task.plan(planner="anytime", on_plan=plans.append))
    state = task.initial_state
    for action in plans[-1] if plans else ():
        after = task.apply(state, action)
        found.append((env.set_state(state)[0], [env.set_state(after)[0]], [True]))
        state = after
    return found


def examples(folder, problems, seconds, rng):
    """Returns graphs of training states, and pairs of indices of a better and a worse one."""
    graphs, ranked, failed = [], [], 0
    turns = [(of_space, one) for one in problems], [(of_plan, one) for one in problems[:: -(len(problems) // 25 + 1)]]
    for share, turn in zip((0.5, 1), turns, strict=True):
        for way, problem in turn:
            if time.process_time() > share * seconds or failed > 2:
                break
            task = herbrand.load(folder / "domain.pddl", problem)
            env = herbrand.make(folder / "domain.pddl", problem, observation="graph")
            env.reset(seed=0)
            found = way(task, env, rng)
            failed += found is None
            for graph, children, nearer in found or ():
                first = len(graphs)
                graphs += [graph, *children]
                best = [first + i for i, one in enumerate(nearer, 1) if one]
                worse = [first, *(first + i for i, one in enumerate(nearer, 1) if not one)]
                every = [(one, other) for one in best for other in worse]
                ranked += rng.sample(every, min(PAIRS, len(every)))
        failed = 0
    return graphs, ranked


def fitted(graphs, ranked, kind):
    """Returns features of a kind and their weights, by a support vector machine that ranks the pairs."""
    from scipy.sparse import csr_matrix, vstack
    from sklearn.svm import LinearSVC

    rounds, by_sets = kind
    features = herbrand.graphs.WeisfeilerLeman(rounds, by_sets=by_sets)
    features.learn(herbrand.graphs.flatten(graphs))
    parts = [graphs[first : first + 256] for first in range(0, len(graphs), 256)]
    counts = vstack([csr_matrix(features.count(herbrand.graphs.flatten(part)), dtype=np.float64) for part in parts]).tocsr()
    better, worse = np.array(ranked).T
    # The machine needs pairs of both signs.
    sign = np.where(np.arange(len(ranked)) % 2, 1, -1)
    difference = (counts[worse] - counts[better]).multiply(sign[:, None]).tocsr()
    machine = LinearSVC(C=0.1, fit_intercept=False, max_iter=2000).fit(difference, sign)
    return features, machine.coef_[0]


def trial(tasks, heuristic, search):
    """Returns the cost of the plan for each held-out task, infinite without one, and the CPU seconds."""
    given = [heuristic if one == "learned" else one for one in search[1]]
    for task in tasks:
        begin = time.process_time()
        plan = within(TRIAL, lambda task=task: task.plan(heuristic=given, search=search[0], batch=1))
        yield plan.cost if plan else math.inf, time.process_time() - begin


def train(folder, path, seconds):
    """Learns from the problems of a folder, and writes features, weights and the chosen search."""
    rng = random.Random(1)
    problems = sorted((folder / "training").glob("*/*.pddl"))
    small, held_out = problems[: len(problems) * 2 // 3], problems[len(problems) * 2 // 3 :: 4]
    graphs, ranked = examples(folder, small, 0.4 * seconds, rng)
    tasks = [herbrand.load(folder / "domain.pddl", one) for one in held_out]
    found = {}
    for kind in KINDS:
        if time.process_time() > seconds:
            break
        features, weights = fitted(graphs, ranked, kind)
        heuristic = features.heuristic(weights, bias=BIAS)
        for search in SEARCHES:
            found[kind, search] = list(trial(tasks, heuristic, search)), (features, weights)
            if time.process_time() > seconds:
                break
    runs = [runs for runs, _ in found.values()]
    least = [(min(cost for cost, _ in tries), min(seconds for _, seconds in tries)) for tries in zip(*runs, strict=True)]

    def merit(choice):
        tries = zip(found[choice][0], least, strict=True)
        return sum(best / cost * (soonest / seconds) ** 0.25 for (cost, seconds), (best, soonest) in tries if cost < math.inf)

    def solved(choice):
        return sum(cost < math.inf for cost, _ in found[choice][0])

    most = max(map(solved, found))
    good = [one for one in found if solved(one) == most]
    choice = next(one for one in good if merit(one) >= 0.95 * max(map(merit, good)))
    without = sum(bool(within(TRIAL, lambda task=task: task.plan(planner="landmarks"))) for task in tasks)
    is_used = 0 < solved(choice) >= without
    path.write_bytes(pickle.dumps((*found[choice][1], choice[1] if is_used else None)))
    found_plans = f"{solved(choice)} of {len(tasks)} held-out problems, {without} without"
    learned = f"{len(ranked)} pairs, {len(found)} choices, {len(found[choice][1][0])} features"
    print(f"{learned}; {choice}: {found_plans}: {'used' if is_used else 'not used'}")


# Solving.


def solve(domain, problem, path, seconds, model=None):
    """Writes the cheapest plan that is found, each time that there is a cheaper one."""
    best = [math.inf]

    def keep(plan):
        if plan and plan.cost < best[0]:
            best[0] = plan.cost
            scratch = path.with_suffix(".new")
            scratch.write_text(f"{plan}\n")
            scratch.rename(path)

    task = herbrand.load(domain, problem)
    if model is not None:
        features, weights, chosen = pickle.loads(pathlib.Path(model).read_bytes())
        if chosen is not None:
            search, names = chosen
            heuristic = features.heuristic(weights, bias=BIAS)
            given = [heuristic if one == "learned" else one for one in names]
            keep(within(SHARE * seconds - time.process_time(), lambda: task.plan(heuristic=given, search=search, batch=1)))
    keep(task.plan(planner="anytime", on_plan=keep))


if __name__ == "__main__":
    if sys.argv[1] == "train":
        train(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), float(sys.argv[4]))
    else:
        solve(*sys.argv[2:4], pathlib.Path(sys.argv[4]), float(sys.argv[5]), *sys.argv[6:])
