"""Demonstrations: a random policy and a planner, on several environments.

Run them with ``python -m herbrand.compat.pddlgym.demo``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from herbrand import State as EngineState
from herbrand import Task

from .core import PDDLEnv
from .literals import Literal
from .registry import make
from .structs import State
from .utils import run_demo

__all__ = ["demo_planning", "demo_random", "plan", "run_all"]

_DEMONSTRATED = [
    *(("explodingblocks", 0), ("tireworld", 0), ("river", 0)),
    *(("sokoban", 0), ("gripper", 0), ("rearrangement", 6), ("minecraft", 0), ("blocks", 0)),
    ("blocks_operator_actions", 0),
]

# # The maximal number of states that a search for a plan visits.
_STATES = 100_000


def demo_random(
    env_name: str,
    render: bool = True,
    problem_index: int = 0,
    verbose: bool = True,
    video_path: str | None = None,
) -> float:
    """Takes ten steps by a random policy, over valid and invalid actions; returns the sum of the rewards.

    Parameters
    ----------
    env_name : str
        PDDLGym's name of a domain in lower case: ``"sokoban"``.
    render : bool
        Whether each state is rendered.
    problem_index : int
    verbose : bool
        Whether states, actions and rewards are printed.
    video_path : str, optional
        The path of the pictures or video, as for `herbrand.compat.pddlgym.utils.run_demo`.
    """
    env = _make(env_name, problem_index)
    return run_demo(env, env.action_space.sample, render=render, verbose=verbose, seed=0, video_path=video_path)


def demo_planning(
    env_name: str,
    render: bool = True,
    probabilistic: bool = False,
    problem_index: int = 0,
    verbose: bool = True,
    video_path: str | None = None,
    max_num_steps: int = 50,
) -> float:
    """Follows a plan; returns the sum of the rewards.

    The plan is the shortest one, found by breadth-first search. PDDLGym's demonstration calls Fast Downward.

    Parameters
    ----------
    env_name, render, problem_index, verbose, video_path
        As for `demo_random`.
    probabilistic : bool
        Whether to plan again in every state, for the most likely outcomes. If there is no plan, a random action is taken.
    max_num_steps : int
    """
    env = _make(env_name, problem_index)
    policy = _replanning(env) if probabilistic else _following(env)
    return run_demo(env, policy, max_num_steps, render=render, verbose=verbose, seed=0, video_path=video_path)


def run_all(render: bool = True, verbose: bool = True) -> None:
    """Runs a random policy on deterministic and probabilistic environments."""
    for name, problem_index in _DEMONSTRATED:
        demo_random(name, render=render, problem_index=problem_index, verbose=verbose)


def plan(env: PDDLEnv, state: State) -> list[Literal] | None:
    """Returns a shortest plan from a state, assuming the most likely outcomes; None if none is found."""
    position = env._locate(state)
    ground = position.ground
    task = Task(ground.task.domain, ground.task.problem, determinize="most-likely")
    start = task.state(position.state, dict(position.state.numbers))
    # # Maps each state to its predecessor and the operator that led to it.
    before: dict[EngineState, tuple[EngineState, int] | None] = {start: None}
    queue = deque([start])
    while queue and len(before) < _STATES:
        here = queue.popleft()
        if here.is_goal:
            operators, at = [], before[here]
            while at is not None:
                operators.append(at[1])
                at = before[at[0]]
            return [ground.actions[ground.carried[operator]] for operator in reversed(operators)]
        for operator in task.valid_action_ids(here):
            after = task.apply(here, operator)
            if after not in before:
                before[after] = (here, operator)
                queue.append(after)
    return None


def _make(env_name: str, problem_index: int) -> PDDLEnv:
    env: PDDLEnv = make(f"PDDLEnv{env_name.capitalize()}-v0")
    env.fix_problem_index(problem_index)
    return env


def _following(env: PDDLEnv) -> Callable[[State], Literal]:
    rest: list[Literal] = []

    def policy(state: State) -> Literal:
        if not rest:
            found = plan(env, state)
            if not found:
                raise RuntimeError("no plan was found")
            rest.extend(found)
        return rest.pop(0)

    return policy


def _replanning(env: PDDLEnv) -> Callable[[State], Literal]:
    def policy(state: State) -> Literal:
        found = plan(env, state)
        return found[0] if found else env.action_space.sample(state)

    return policy


if __name__ == "__main__":
    run_all(render=False)
