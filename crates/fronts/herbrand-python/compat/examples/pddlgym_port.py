"""A PDDLGym script ported by changing its imports: random walks, a search over outcomes, and files for a planner.

Each changed line has its original in a comment. The code below the imports is the same as for PDDLGym.

    python pddlgym_port.py [--env PDDLEnvCasino-v0] [--episodes 3] [--seed 0]
"""

from __future__ import annotations

import argparse
import copy
import tempfile
from pathlib import Path

import herbrand.compat.pddlgym as pddlgym  # was: import pddlgym
from herbrand.compat.pddlgym.core import PDDLEnv, get_successor_states  # was: from pddlgym.core import …
from herbrand.compat.pddlgym.parser import PDDLDomain, PDDLProblemParser  # was: from pddlgym.parser import …
from herbrand.compat.pddlgym.structs import Literal, State  # was: from pddlgym.structs import …


def random_walk(env: PDDLEnv, steps: int) -> tuple[int, bool]:
    """Takes random valid actions; returns their number until the goal or a dead end, and whether the goal was reached."""
    obs, _ = env.reset()
    for step in range(steps):
        if not env.action_space.all_ground_literals(obs):
            return step, False
        action = env.action_space.sample(obs)
        obs, _, done, _, _ = env.step(action)
        if done:
            return step + 1, True
    return steps, False


def most_likely_plan(env: PDDLEnv, domain: PDDLDomain, start: State, limit: int = 20_000) -> list[Literal] | None:
    """Searches a determinised domain breadth-first, using PDDLGym's functions of states."""
    frontier: list[tuple[State, list[Literal]]] = [(start, [])]
    seen = {start}
    while frontier and len(seen) < limit:
        state, plan = frontier.pop(0)
        for action in sorted(env.action_space.all_ground_literals(state)):
            for successor in get_successor_states(state, action, domain):
                if successor in seen:
                    continue
                seen.add(successor)
                if pddlgym.inference.check_goal(successor, successor.goal):
                    return [*plan, action]
                frontier.append((successor, [*plan, action]))
    return None


def success_probability(env: PDDLEnv, plan: list[Literal]) -> float:
    """Returns the probability that a plan reaches the goal, by following all outcomes."""
    beliefs, reached = {env.get_state(): 1.0}, 0.0
    for action in plan:
        following: dict[State, float] = {}
        for state, weight in beliefs.items():
            env.set_state(state)
            for (successor, _, done, _), probability in env.get_all_possible_transitions(action, return_probs=True):
                if done:
                    reached += weight * probability
                else:
                    following[successor] = following.get(successor, 0.0) + weight * probability
        beliefs = following
    return reached


def write_for_a_planner(domain: PDDLDomain, state: State, folder: Path) -> list[str]:
    """Writes domain and state as files for a planner, and returns their names."""
    domain.write(folder / "domain.pddl")
    objects = state.objects - set(domain.constants)
    PDDLProblemParser.create_pddl_file(
        str(folder / "problem.pddl"), objects, state.literals, "now", domain.domain_name, state.goal, True
    )
    return sorted(path.name for path in folder.iterdir())


def main() -> None:
    """Reads the arguments and runs the script."""
    parser = argparse.ArgumentParser(description="A ported PDDLGym script.")
    parser.add_argument("--env", default="PDDLEnvCasino-v0", help="a name that pddlgym.make knows")
    parser.add_argument("--episodes", type=int, default=3, help="random walks")
    parser.add_argument("--steps", type=int, default=50, help="steps of a walk at most")
    parser.add_argument("--seed", type=int, default=0, help="what fixes all random choices")
    arguments = parser.parse_args()

    env = pddlgym.make(arguments.env, dynamic_action_space=True)
    env.seed(arguments.seed)
    for _ in range(arguments.episodes):
        steps, done = random_walk(env, arguments.steps)
        print(f"random walk: {steps} steps, {'goal' if done else 'no goal'}")

    env.fix_problem_index(0)
    obs, debug_info = env.reset()
    print(f"problem: {Path(debug_info['problem_file']).name}, {len(obs.objects)} objects, {len(obs.literals)} literals")
    domain = copy.deepcopy(env.domain)
    if domain.is_probabilistic:
        domain.determinize()
    plan = most_likely_plan(env, domain, obs)
    print("plan:", "none found" if plan is None else " ".join(map(str, plan)))
    if plan is not None:
        env.set_state(obs)
        print(f"it succeeds with probability {success_probability(env, plan):.4f}")
    with tempfile.TemporaryDirectory() as folder:
        print("for a planner:", ", ".join(write_for_a_planner(domain, obs, Path(folder))))


if __name__ == "__main__":
    main()
