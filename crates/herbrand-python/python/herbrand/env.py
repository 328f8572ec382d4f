"""One environment with the interface of Gymnasium."""

from __future__ import annotations

import copy
import difflib
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypedDict, Union

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._herbrand import EnvCore, EnvSnapshot, State, Suite, Task
from .errors import Explanation, UnknownNameError
from .graphs import graph_space
from .sources import DomainLike, ProblemsLike
from .sources import suite as make_suite
from .spaces import Atoms

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["EnvOptions", "Horizon", "ObservationMode", "PDDLEnv", "make"]

ObservationMode = Literal["bits", "bits-and-goal", "atoms-one-hot-by-object", "graph", "atoms"]
Horizon = Union[int, Literal["suite"], None]


class PDDLEnv(gymnasium.Env[Any, Any]):
    """Episodes over the problems of a domain.

    Parameters
    ----------
    domain, problem, split, operators
        As for `herbrand.suite`.
    observation : {"bits", "bits-and-goal", "atoms-one-hot-by-object", "graph", "atoms"}
        What an observation is.

        - ``"bits"``: an array of int8, one element an atom of ``env.task.ground_atoms``; its length is that of the
          widest problem, and what a problem does not use is 0.
        - ``"bits-and-goal"``: the same, and behind it as many elements that are 1 for the atoms that the goal asks for, so
          that one policy can learn on problems with different goals.
        - ``"atoms-one-hot-by-object"``: a matrix of int8 with a row for each object and a column for each predicate, 1
          where an atom of the predicate that holds has the object. A column means the same in every problem.
        - ``"graph"``: a `gymnasium.spaces.GraphInstance` (see `herbrand.graphs`).
        - ``"atoms"``: a frozenset of tuples ``(predicate, object, …)``.
    part : {"all", "changing"}
        Which atoms observations have: all, or those that can change.
    horizon : int, "suite" or None
        After how many steps an episode is truncated: so many, what the domain's settings say, never.
    through_goals : bool
        Whether episodes go on past the goal.
    dead_end_terminates : bool
        Whether a dead end, which is a state without a valid action, ends the episode, as it does by default. Either
        way ``info["dead_end"]`` is True, and a step there changes nothing and pays nothing, whatever its action.
    raise_error_on_invalid_action : bool
        Whether an invalid action is an error. Otherwise it counts as a step, changes nothing, pays nothing, and
        ``info["applied"]`` is False.
    render_mode : {"ansi", None}
        ``"ansi"``: `render` gives a text.

    Attributes
    ----------
    action_space : gymnasium.spaces.Discrete
        The agent's actions by number, as many as the problem with most of them has. ``info["action_mask"]`` (int8)
        and `action_masks` (bool) say which are valid; `sample` draws one of those.
    observation_space : gymnasium.spaces.Space

    Notes
    -----
    What Gymnasium's interface does not have, such as `sample`, is out of sight behind Gymnasium's wrappers, which
    ``gymnasium.make`` adds. ``env.unwrapped.sample()`` works with and without them.

    The reward is 1 on reaching the goal, or what the domain's ``:rewards`` say. One seed fixes everything: problems,
    outcomes and samples. Infos hold ``action_mask``, ``goal`` and ``dead_end``; after a step ``applied``; after a
    reset ``problem`` and ``problem_index``.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("blocks", split="train")
    >>> observation, info = env.reset(seed=1)
    >>> action = env.unwrapped.sample()
    >>> observation, reward, terminated, truncated, info = env.step(action)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    action_space: spaces.Discrete

    def __init__(
        self,
        domain: DomainLike,
        problem: ProblemsLike = None,
        *,
        split: str | None = None,
        operators: bool = False,
        observation: ObservationMode = "bits",
        part: Literal["all", "changing"] = "all",
        horizon: Horizon = "suite",
        through_goals: bool = False,
        dead_end_terminates: bool = True,
        raise_error_on_invalid_action: bool = False,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.render_mode = render_mode
        self.suite: Suite = make_suite(domain, problem, split=split, operators=operators)
        self._options = (observation, part, horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action)
        self._core = EnvCore(self.suite, *self._options)
        self._steps = self._core.step
        self._seeded = False
        self.action_space = spaces.Discrete(max(1, self._core.action_count))  # pyright: ignore[reportIncompatibleVariableOverride]
        self.observation_space = observation_space(self._core, self.suite, observation)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode of a problem that is drawn from the suite.

        Parameters
        ----------
        seed : int, optional
            Starts all random streams anew. The first reset without one draws a seed.
        options : dict, optional
            ``{"problem": name or index}`` chooses the problem.

        Returns
        -------
        observation, info

        Raises
        ------
        UnknownNameError
            When there is no such problem, and for an option that is not one of these.
        """
        refuse_unknown(options, "problem")
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        return self._core.reset(seed, self._problem(options))

    def _problem(self, options: dict[str, Any] | None) -> int | None:
        """The index of the problem that the options of a reset name."""
        problem = (options or {}).get("problem")
        if problem is None:
            return None
        if isinstance(problem, (int, np.integer)):
            if not 0 <= problem < len(self.suite):
                raise UnknownNameError(f"there is no problem number {problem}: there are {len(self.suite)}")
            return int(problem)
        return self.suite.index(problem)

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        Parameters
        ----------
        action : int
            Its number.

        Returns
        -------
        observation, reward, terminated, truncated, info

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            When the action is not valid and ``raise_error_on_invalid_action`` is set.
        """
        return self._steps(action)

    def sample(self) -> int:
        """A valid action, each with the same probability, from the environment's seed.

        It is 0 in a dead end, which ``info["dead_end"]`` marks; a step there does nothing, whatever its action.
        """
        return self._core.sample()

    @property
    def unwrapped(self) -> Self:
        """This environment itself: wrappers around it have the same property."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are valid: an array of bool, one element an action."""
        return self._core.mask().view(np.bool_)

    def valid_actions(self) -> NDArray[np.int64]:
        """The numbers of the valid actions, ascending."""
        return self._core.valid_actions()

    def action_name(self, action: SupportsIndex) -> str:
        """An action of the current problem as PDDL writes it: ``"(move up)"``."""
        return self._core.action_name(action)

    def action_id(self, text: str) -> int:
        """The number of the current problem's action that a text writes."""
        return self._core.action_id(text)

    def explain(self, action: SupportsIndex) -> Explanation:
        """Why an action is or is not valid now: of the operators that can carry it out, the one that lacks least."""
        return self._core.explain(action)

    @property
    def last_operator(self) -> str | None:
        """The operator that carried out the last step: the agent's action with what the state bound."""
        return self._core.last_operator

    @property
    def problem_index(self) -> int | None:
        """The index of the current problem in the suite; None before the first reset."""
        return self._core.problem_index

    @property
    def task(self) -> Task:
        """The planning task of the current problem."""
        return self._core.task

    @property
    def state(self) -> State:
        """The current state."""
        return self._core.state

    def set_state(self, state: State) -> tuple[Any, dict[str, Any]]:
        """Goes to a state of the current problem; an episode that was over goes on."""
        return self._core.set_state(state)

    def save(self) -> EnvSnapshot:
        """Everything that the future depends on but the actions, to come back to by `restore`."""
        return self._core.save()

    def restore(self, saved: EnvSnapshot) -> None:
        """Comes back to what an environment of the same suite has saved."""
        self._core.restore(saved)
        self._seeded = True

    def missing(self) -> tuple[str, ...]:
        """What the goal still lacks, as PDDL: the literals that do not hold, of the way that lacks fewest."""
        return self._core.missing()

    def render(self) -> str | None:
        """The state as a text: the problem, the atoms that can change, a line a predicate, and what the goal lacks."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: make the environment with render_mode='ansi'")
            return None
        state = self.state
        lines = [f"{state.task.problem.name}, step {self._core.elapsed}"]
        predicates: dict[str, list[str]] = {}
        for atom in state.changing:
            predicates.setdefault(atom.predicate, []).append(str(atom))
        lines += [" ".join(atoms) for atoms in predicates.values()]
        lines += [f"(= {term} {value:g})" for term, value in state.numbers.items()]
        missing = self.missing()
        lines.append("the goal holds" if state.is_goal else "the goal lacks " + " ".join(missing))
        return "\n".join(lines)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles how the environment was made and where it is: problem, state, steps taken, random streams."""
        state = self.__dict__.copy()
        del state["_core"], state["_steps"]
        state["_saved"] = None if self.problem_index is None else self.save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the engine anew, and goes to where it was."""
        saved = state.pop("_saved")
        self.__dict__.update(state)
        self._core = EnvCore(self.suite, *self._options)
        self._steps = self._core.step
        if saved is not None:
            self._core.restore(saved)

    def __deepcopy__(self, memo: dict[int, Any]) -> PDDLEnv:
        """A copy at the same place of the same episode, with the same random streams."""
        clone = self.__class__.__new__(self.__class__)
        memo[id(self)] = clone
        kept = {"_core", "_steps", "suite"}
        clone.__dict__.update({key: copy.deepcopy(value, memo) for key, value in self.__dict__.items() if key not in kept})
        clone.suite = self.suite
        clone._core = self._core.copy()
        clone._steps = clone._core.step
        return clone

    def __str__(self) -> str:
        """The name of the suite and the number of its problems."""
        return f"<{type(self).__name__} {self.suite.name}: {len(self.suite)} problems>"


def refuse_unknown(options: dict[str, Any] | None, *known: str) -> None:
    """Raises an error for options of a reset that it does not know."""
    for option in options or {}:
        if option not in known:
            near = difflib.get_close_matches(str(option), known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f": there is {', '.join(map(repr, known))}"
            raise UnknownNameError(f"there is no option {option!r} of a reset{hint}")


def binary_space(shape: list[int]) -> spaces.MultiBinary:
    """Arrays of zeros and ones."""
    return spaces.MultiBinary(shape[0] if len(shape) == 1 else shape)


def observation_space(core: EnvCore, suite: Suite, observation: ObservationMode) -> spaces.Space[Any]:
    """The space of one environment's observations."""
    if observation == "graph":
        return graph_space(*core.graph_sizes)
    if observation != "atoms":
        return binary_space(core.shape)
    arities = {one.name: len(one.parameters) for one in suite.domain.predicates if one.kind != "action"}
    objects = [one.name for one in suite.parse_problem(0).objects]
    return Atoms(arities, objects)


class EnvOptions(TypedDict, total=False):
    """The keyword arguments of `make`, which are those of `PDDLEnv`."""

    split: str | None
    operators: bool
    observation: ObservationMode
    part: Literal["all", "changing"]
    horizon: Horizon
    through_goals: bool
    dead_end_terminates: bool
    raise_error_on_invalid_action: bool
    render_mode: Literal["ansi"] | None


def make(domain: DomainLike, problem: ProblemsLike = None, **options: Unpack[EnvOptions]) -> PDDLEnv:
    """An environment over the problems of a domain.

    Parameters
    ----------
    domain : str, path, Domain or Suite
        The name of a bundled domain, the path of a domain file or of a folder, PDDL, or an object.
    problem : str, int, path, Problem, an iterable of them, or None
        Which problems (see `herbrand.suite`).
    **options
        As for `PDDLEnv`.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("sokoban", split="test", horizon=50)
    >>> env.action_space
    Discrete(4)
    """
    return PDDLEnv(domain, problem, **options)
