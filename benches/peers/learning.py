#!/usr/bin/env python3
"""Compares learning of action models with n-sam and macq, from the same traces in one run.

usage: learning.py [--episodes 100] [--horizon 25] [--runs 3] [--limit SECONDS] [--python FILE] [DOMAIN ...]

Builds a release wheel and installs it with the peers (from PyPI) into target/peers, or uses the Python named by --python, which
must have all of them. A random policy takes valid operators in the training problems of bundled STRIPS domains. Each side learns
from the same transitions on one thread; the CPU seconds of its fastest run count. Converting the transitions to the format of a
peer is not measured.

safe    Herbrand's safe learner, without its trees, which need refused steps
n-sam   `SAMLearner` of n-sam 1.3.1, which omits steps with the same object for two parameters
macq    `Observer` of macq 0.3.11, which learns each ground action separately, so that its model does not apply to other problems

The models are judged by their share of wrong predictions on 20 episodes in the test problems, in which half of the actions are
drawn from all type-correct ones. A model of n-sam is read as PDDL; parts that the vocabulary does not allow are reported.

n-sam declares no dependencies, so its imports are installed separately.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

from peers import PYTHON, install_wheel, markdown

PINNED = [
    "n-sam==1.3.1",
    "pddl-plus-parser==3.17.0",
    "macq==0.3.11",
    # Undeclared dependencies of n-sam.
    "anytree",
    "matplotlib",
    "numpy",
    "pandas",
    "scikit-learn",
    "scipy",
    "sympy",
]
DOMAINS = ["blocks", "depot", "ferry", "gripper", "hanoi", "logistics", "spanner"]
UNSEEN = 20


# The following functions run in the Python of the peers.


def fastest(runs, prepare, work):
    """Returns the fewest CPU seconds of some runs, and the last result."""
    import time

    best = None
    for _ in range(runs):
        given = prepare()
        start = time.process_time()
        result = work(given)
        seconds = time.process_time() - start
        best = seconds if best is None else min(best, seconds)
    return best, result


def episodes(seen):
    """Splits the transitions into runs in which each transition starts in the state where the previous one ended."""
    run = []
    for step in seen:
        if run and (run[-1].problem != step.problem or run[-1].next_state != step.state):
            yield run
            run = []
        run.append(step)
    if run:
        yield run


def without_models(domain):
    """Returns the domain as PDDL with empty preconditions and effects, and the text before its first action."""
    vocabulary, *actions = re.split(r"(?=\(:action )", domain.to_pddl())
    heads = [re.match(r"\(:action (\S+)\s+:parameters (\([^)]*\))", action).groups() for action in actions]
    empty = [f"(:action {name} :parameters {parameters} :precondition (and) :effect (and))" for name, parameters in heads]
    return vocabulary, vocabulary + "\n".join(empty) + ")"


def n_sam(seen, runs, folder):
    """Returns the seconds, and the actions of the model as PDDL."""
    import logging

    logging.disable(logging.CRITICAL)
    from pddl_plus_parser.lisp_parsers import DomainParser, ProblemParser, TrajectoryParser
    from sam_learning.learners.sam_learning import SAMLearner

    path = folder / "domain.pddl"
    path.write_text(without_models(seen.domain)[1])
    parse = lambda: DomainParser(path, partial_parsing=True).parse_domain()  # noqa: E731
    domain = parse()
    problems = {}
    for number, problem in enumerate(seen.problems):
        file = folder / f"{number}.pddl"
    # The parser requires a conjunctive goal; learning does not use it.
        file.write_text(problem.to_pddl().split("(:goal")[0] + "(:goal (and)))")
        problems[problem] = ProblemParser(file, domain).parse_problem()
    observations = []
    for number, run in enumerate(episodes(seen)):
        state = lambda atoms: " ".join(sorted(map(str, atoms)))  # noqa: E731
        lines = [f"(:init {state(run[0].state)})"]
        for step in run:
            lines += [f"(operator: {step.action})", f"(:state {state(step.next_state)})"]
        file = folder / f"{number}.trajectory"
        file.write_text("(" + "\n".join(lines) + ")")
        observations.append(TrajectoryParser(domain, problems[run[0].problem]).parse_trajectory(file))
    seconds, (learned, _) = fastest(runs, lambda: SAMLearner(parse()), lambda learner: learner.learn_action_model(observations))
    return seconds, "\n".join(action.to_pddl() for action in learned.actions.values())


def macq(seen, runs, _folder):
    """Returns the seconds, and the number of ground actions in the model."""
    from macq import extract, observation, trace

    types = {}
    for problem in seen.problems:
        types[problem.name] = {item.name: item.types[0] for item in problem.objects}
    traces = []
    for run in episodes(seen):
    # The name of the problem distinguishes objects of different problems.
        problem = run[0].problem.name
        item = lambda name: trace.PlanningObject(types[problem][name], f"{problem}-{name}")  # noqa: E731, B023
        fluent = lambda atom: trace.Fluent(atom.predicate, [item(name) for name in atom.arguments])  # noqa: E731
        atoms = sorted(set().union(*(step.state | step.next_state for step in run)), key=str)
        fluents = {atom: fluent(atom) for atom in atoms}
        state = lambda true: trace.State({fluents[atom]: atom in true for atom in atoms})  # noqa: E731, B023
        steps = []
        for index, step in enumerate(run, 1):
            action = trace.Action(step.action.name, [item(name) for name in step.action.arguments])
            steps.append(trace.Step(state(step.state), action, index))
        steps.append(trace.Step(state(run[-1].next_state), None, len(run) + 1))
        traces.append(trace.Trace(steps))
    observed = trace.TraceList(traces).tokenize(observation.IdentityObservation)
    learn = lambda _: extract.Extract(observed, extract.modes.OBSERVER)  # noqa: E731
    seconds, model = fastest(runs, lambda: None, learn)
    return seconds, len(model.actions)


def measure(name, options):
    """Measures all sides on one domain."""
    import tempfile

    import herbrand
    from herbrand import learning

    seen = learning.explore(
        name, split="train", operators=True, episodes=options.episodes, horizon=options.horizon, policy="valid"
    )
    unseen = learning.explore(name, split="test", operators=True, episodes=UNSEEN, seed=1)
    row = {"domain": name, "transitions": len(seen)}
    seconds, model = fastest(options.runs, lambda: None, lambda _: learning.learn(seen, learner="safe"))
    row["safe"] = {"seconds": seconds, "error": model.predict(unseen).error}
    with tempfile.TemporaryDirectory() as folder:
        for side in (n_sam, macq):
            (own := pathlib.Path(folder) / side.__name__).mkdir()
            try:
                seconds, found = side(seen, options.runs, own)
                row[side.__name__] = {"seconds": seconds}
            except Exception as error:  # whatever a peer may raise
                row[side.__name__] = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:120]}
                continue
            if side is macq:
                row["macq"]["ground_actions"] = found
                continue
            try:
                domain = herbrand.Domain(without_models(seen.domain)[0].replace(":strips", ":adl") + found + ")")
                model = learning.LearnedModel.from_domain(domain, seen)
                row["n_sam"]["error"] = model.predict(unseen).error
            except herbrand.HerbrandError as error:
                row["n_sam"]["unread"] = str(error).splitlines()[0][:120]
    return row


def cell(side):
    if "failed" in side:
        return f"fails: {side['failed']}"
    error = side.get("error")
    judged = "" if error is None else f" ({100 * error:.2f} %)"
    return f"{1000 * side['seconds']:.1f} ms{judged}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--horizon", type=int, default=25)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("domains", metavar="DOMAIN", nargs="*")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.domains[0], options)))
        return
    if options.python is None:
        install_wheel(PINNED)
    sides = ["safe", "n_sam", "macq"]
    head = ["domain", "transitions", *sides, "n-sam/safe"]
    markdown(head, (row_of(name, sides, options) for name in options.domains or DOMAINS))


def row_of(name, sides, options):
    """Returns the results of all sides for one domain, measured in a separate process."""
    command = [options.python or PYTHON, __file__, "--one", name]
    for option in ("episodes", "horizon", "runs"):
        command += [f"--{option}", str(getattr(options, option))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
    if done.returncode != 0:
        return [name, f"fails: {done.stderr.strip().splitlines()[-1:]}"]
    row = json.loads(done.stdout.splitlines()[-1])
    for side in sides:
        if "unread" in row[side]:
            print(f"{side}: {row[side]['unread']}", file=sys.stderr)
    ratio = row["n_sam"]["seconds"] / row["safe"]["seconds"] if "seconds" in row["n_sam"] else None
    return [name, row["transitions"], *(cell(row[side]) for side in sides), f"{ratio:.0f}" if ratio else "–"]


if __name__ == "__main__":
    main()
