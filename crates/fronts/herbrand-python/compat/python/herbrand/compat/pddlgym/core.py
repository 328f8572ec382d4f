"""PDDLGym's environment class."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from herbrand import Random
from herbrand.rendering import to_rgb

from .domains import PDDLDomainParser
from .engine import Engine, Position
from .formulas import Formula
from .literals import Literal
from .problems import PDDLProblemParser
from .spaces import LiteralActionSpace, LiteralSetSpace, LiteralSpace
from .structs import State
from .transitions import (
    AmbiguousAction,
    InvalidAction,
    choose_operator,
    distribution,
    get_all_possible_transitions,
    get_successor_state,
    get_successor_states,
    invalid,
    sampled,
)

__all__ = [
    "AmbiguousAction",
    "InvalidAction",
    "PDDLEnv",
    "get_all_possible_transitions",
    "get_successor_state",
    "get_successor_states",
]

_Info = dict[str, Any]
_Transition = tuple[State, float, bool, _Info]


class PDDLEnv(gymnasium.Env[State, Literal]):
    """A Gymnasium environment over the problems of a folder, with the interface of PDDLGym.

    Observations are states, which consist of literals, objects and goal. Actions are ground literals.

    Parameters
    ----------
    domain_file : str or path
    problem_dir : str or path
        A folder. The problems are its ``.pddl`` files, ordered by name.
    render : function, optional
        Draws a picture of a set of literals.
    seed : int
    raise_error_on_invalid_action : bool
        Whether an invalid action raises `InvalidAction`. If not, it changes nothing.
    operators_as_actions : bool
        Whether the operators are the agent's actions, even if the file declares actions.
    dynamic_action_space : bool
        Whether the action space contains only the valid actions.

    Attributes
    ----------
    domain : PDDLDomainParser
    problems : list of PDDLProblemParser
    action_space : LiteralSpace
    observation_space : LiteralSetSpace
    action_predicates : list of Predicate

    Raises
    ------
    herbrand.ParseError
        If a file is invalid.

    Examples
    --------
    >>> import herbrand.compat.pddlgym as pddlgym
    >>> env = pddlgym.make("PDDLEnvBlocks-v0", dynamic_action_space=True)
    >>> obs, info = env.reset(seed=1)
    >>> obs, reward, done, truncated, info = env.step(env.action_space.sample(obs))
    """

    metadata = {"render_modes": ["rgb_array", "egocentric", "ansi", "human"]}

    def __init__(
        self,
        domain_file: str | os.PathLike[str],
        problem_dir: str | os.PathLike[str],
        render: Callable[..., Any] | None = None,
        seed: int | None = 0,
        raise_error_on_invalid_action: bool = False,
        operators_as_actions: bool = False,
        dynamic_action_space: bool = False,
    ) -> None:
        self._render = render
        self._raise_error_on_invalid_action = raise_error_on_invalid_action
        self.operators_as_actions = operators_as_actions
        self.domain, self.problems = self.load_pddl(domain_file, problem_dir, operators_as_actions)
        self.action_predicates = sorted(self.domain.predicates[str(action)] for action in self.domain.actions)
        parents = self.domain.type_to_parent_types
        space = LiteralSpace(self.action_predicates, type_to_parent_types=parents)
        if dynamic_action_space:
            space = LiteralActionSpace(self.domain, self.action_predicates, self.domain.type_hierarchy, parents)
        self.action_space: LiteralSpace = space  # pyright: ignore[reportIncompatibleVariableOverride]
        observed = set(self.domain.predicates.values()) - set(self.action_predicates)
        self.observation_space: LiteralSetSpace = LiteralSetSpace(  # pyright: ignore[reportIncompatibleVariableOverride]
            observed, type_hierarchy=self.domain.type_hierarchy, type_to_parent_types=parents
        )
        self._state: State | None = None
        self._problem: PDDLProblemParser | None = None
        self._problem_idx: int | None = None
        self._problem_index_fixed = False
        self._engine: Engine = self.domain._current_engine()
        self.seed(seed)

    @staticmethod
    def load_pddl(
        domain_file: str | os.PathLike[str],
        problem_dir: str | os.PathLike[str],
        operators_as_actions: bool = False,
    ) -> tuple[PDDLDomainParser, list[PDDLProblemParser]]:
        """Reads the domain of a file and the problems of a folder, ordered by file name."""
        domain = PDDLDomainParser(domain_file, not operators_as_actions, operators_as_actions)
        files = sorted(path for path in Path(problem_dir).glob("*.pddl") if path.name != "domain.pddl")
        if not files:
            raise FileNotFoundError(f"there is no problem in {os.fspath(problem_dir)!r}")
        return domain, [PDDLProblemParser.of(path, domain) for path in files]

    def seed(self, seed: int | None) -> None:
        """Seeds all random streams: for problems, outcomes, and samples of the action space.

        Problems are drawn in the same order as by PDDLGym with this seed.
        """
        self._seed = seed
        self.rng = np.random.RandomState(seed)
        root = Random(int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]))
        self._outcomes = root.stream(1)
        self.action_space.seed(root.stream(2).below(2**31))

    def fix_problem_index(self, problem_idx: int) -> None:
        """Selects the problem of all following episodes by its index in the order of the file names."""
        if not -len(self.problems) <= problem_idx < len(self.problems):
            raise IndexError(f"there is no problem {problem_idx}: there are {len(self.problems)}")
        self._problem_idx = problem_idx
        self._problem_index_fixed = True

    def reset(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[State, _Info]:
        """Starts an episode.

        Parameters
        ----------
        seed : int, optional
            As for `seed`.
        options : dict, optional
            Not used.

        Returns
        -------
        state : State
        debug_info : dict
            The paths ``problem_file`` and ``domain_file``.
        """
        if seed is not None:
            self.seed(seed)
        if not self._problem_index_fixed:
            self._problem_idx = int(self.rng.choice(len(self.problems)))
        assert self._problem_idx is not None
        self._problem = self.problems[self._problem_idx]
        self._goal: Formula = self._problem.goal
        self._engine = self.domain._current_engine()
        state = self._problem.initial(self._engine, self._outcomes)
        self.set_state(state)
        self.action_space.reset_initial_state(state)
        return self.get_state(), self._get_debug_info()

    def get_state(self) -> State:
        """Returns the current state."""
        if self._state is None:
            raise gymnasium.error.ResetNeeded("call `reset` before the environment is used")
        return self._state

    def set_state(self, state: State) -> None:
        """Moves the environment to a state. Derived literals are recomputed."""
        position = self._locate(state)
        if position.literals != state.literals:
            state = state.with_literals(position.literals)
            state._position = position
        self._state = state

    def _locate(self, state: State) -> Position:
        position = state._position
        if position is not None and position.ground.engine is self._engine:
            return position
        before = self._state._position if self._state is not None else None
        return self._engine.locate(state, before.ground if before is not None else None)

    def step(self, action: Literal) -> tuple[State, float, bool, bool, _Info]:
        """Takes an action.

        Returns
        -------
        state : State
        reward : float
            1 in a goal, 0 elsewhere (see `extrinsic_reward`).
        done : bool
            Whether the goal is reached.
        truncated : bool
            Always False.
        debug_info : dict
            As returned by `reset`.

        Raises
        ------
        InvalidAction
            If no operator can carry out the action and `raise_error_on_invalid_action` is set.
        AmbiguousAction
            If several ground operators can.
        """
        state, reward, done, info = self.sample_transition(action)
        self.set_state(state)
        return state, reward, done, False, info

    def sample_transition(self, action: Literal) -> _Transition:
        """Draws the result of a step (state, reward, done, info) without moving the environment."""
        state = self.get_state()
        position = self._locate(state)
        operator = self._operator(position, action)
        if operator is not None:
            state = sampled(position, operator, self._outcomes)
        return self._judge(state)

    def get_all_possible_transitions(self, action: Literal, return_probs: bool = False) -> list[Any]:
        """Returns all possible results of a step.

        Returns
        -------
        list
            Tuples (state, reward, done, info), or pairs of such a tuple and its probability. Probabilities sum to 1.
        """
        state = self.get_state()
        position = self._locate(state)
        operator = self._operator(position, action)
        found = {state: 1.0} if operator is None else distribution(position, operator)
        if return_probs:
            return [(self._judge(successor), probability) for successor, probability in found.items()]
        return [self._judge(successor) for successor in found]

    def _operator(self, position: Position, action: Literal) -> int | None:
        operator = choose_operator(position, action)
        if operator is None and self._raise_error_on_invalid_action:
            raise invalid(position, action)
        return operator

    def _judge(self, state: State) -> _Transition:
        done = self._is_goal_reached(state)
        return state, self.extrinsic_reward(state, done), done, self._get_debug_info()

    def extrinsic_reward(self, state: State, done: bool) -> float:
        """Returns the reward for reaching a state. Subclasses can override it."""
        return 1.0 if done else 0.0

    def _is_goal_reached(self, state: State) -> bool:
        return self._engine.satisfies(state, self._goal)

    def _get_debug_info(self) -> _Info:
        problem = self._problem.problem_fname if self._problem is not None else None
        return {"problem_file": problem, "domain_file": self.domain.domain_fname}

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a picture of the state: an array of uint8, ``(height, width, 3)``.

        The function given as `render` draws it from the literals. Without one it is drawn according to ``[render]`` in the
        ``env.toml`` beside the domain, or by a generic layout. ``mode="egocentric"`` draws the surroundings of the agent, if
        the settings define an agent. ``mode="ansi"`` returns a text with one changing literal per line; ``mode="human"``
        also prints it.

        Raises
        ------
        NotImplementedError
            If the mode is unknown.
        """
        state = self.get_state()
        if self._render is not None:
            drawn = self._render(state.literals, *args, **kwargs)
            is_picture = isinstance(drawn, np.ndarray) and drawn.ndim in (2, 3)
            return to_rgb(drawn) if is_picture else drawn
        mode = kwargs.get("mode", args[0] if args else "rgb_array")
        position = self._locate(state).state
        if mode in ("rgb_array", "egocentric"):
            return position.image(egocentric=mode == "egocentric")
        if mode not in ("ansi", "human"):
            raise NotImplementedError(f"render mode is 'rgb_array', 'egocentric', 'ansi' or 'human', not {mode!r}")
        text = "\n".join(str(atom) for atom in position.changing)
        if mode == "human":
            print(text)
        return text
