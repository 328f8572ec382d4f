"""One environment over the problems of a PDDL domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsIndex, TypedDict

from gymnasium import spaces
from typing_extensions import TypeVar

from ._herbrand import Action, LiftedState, LiftedTask, State, Suite, Task
from .base_env import BaseEnv, Horizon
from .errors import EpisodeError
from .graphs import graph_space
from .limits import LimitsLike
from .observations import mode_name
from .rddl.env import RddlEnv
from .rddl.sources import is_rddl
from .rendering import Renderer, RenderMode
from .sources import DomainLike, Ids, ProblemsLike
from .sources import pddl_suite as make_suite
from .spaces import Atoms

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Engine", "EnvOptions", "Horizon", "ObservationMode", "PDDLEnv", "make"]

ObservationMode = Literal[
    "bits",
    "bits-and-goal",
    "packed-bits",
    "packed-bits-and-goal",
    "atoms-one-hot-by-object",
    "seen",
    "graph",
    "graph-arrays",
    "atoms",
    "pixels",
]
Engine = Literal["grounded", "lifted", "automatic"]


_Task = TypeVar("_Task", Task, LiftedTask, default=Task)
_State = TypeVar("_State", State, LiftedState, default=State)


class PDDLEnv(BaseEnv, Generic[_Task, _State]):
    """Episodes over the problems of a domain.

    Parameters
    ----------
    domain, problem, split, operators, limits, ids
        As for `herbrand.suite`.
    engine : {"grounded", "lifted", "automatic"}
        What steps the problems; all engines have the same valid actions and make the same draws.

        - ``"grounded"``: all actions are grounded beforehand, which makes steps fastest.
        - ``"lifted"``: nothing is grounded. Actions and bits are numbered as all type-correct choices of objects, so there
          are more of them; where there are too many to number, `GroundingError` says so.
        - ``"automatic"``: grounded, or lifted where grounding reaches the limits. `engine` says which.
    observation : str
        What an observation is.

        - ``"bits"``: an array of int8, one element an atom of ``env.task.ground_atoms``; its length is that of the
          widest problem, and what a problem does not use is 0.
        - ``"bits-and-goal"``: the same, and behind it as many elements that are 1 for the atoms that the goal asks for, so
          that one policy can learn on problems with different goals.
        - ``"atoms-one-hot-by-object"``: a matrix of int8 with a row for each object and a column for each predicate, 1
          where an atom of the predicate that holds has the object. A column means the same in every problem.
        - ``"packed-bits"``, ``"packed-bits-and-goal"``: bits, eight to an element of uint8, as
          ``numpy.unpackbits(…, bitorder="little")`` reads them; with the grounded engine.
        - ``"seen"``: what the agent has seen by the rules of the domain's settings, what it knows, and the goal, as three
          rows of bits one after the other; with the grounded engine.
        - ``"graph"``: a `gymnasium.spaces.GraphInstance` (see `herbrand.graphs`).
        - ``"graph-arrays"``: the same graph as a dict of arrays that are as long for every state (see `herbrand.graphs`).
        - ``"atoms"``: a frozenset of tuples ``(predicate, object, …)``.
        - ``"pixels"``: the picture of the state without title and legend, an array of uint8 ``(height, width, 3)``; with the
          grounded engine. Cells of grids are drawn once and copied.
    pixels : (int, int)
        Height and width of observations of mode ``"pixels"``.
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
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` gives, as for `BaseEnv`: a text, a picture, or pictures; ``"human"`` shows every state in a window.
    render_size : (int, int), optional
        Height and width of pictures. If left out, they are as large as that of an episode's first state.
    renderer : function, optional
        Makes a picture of `state` in place of the declared one: an array ``(height, width, 3)``.

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

    With the lifted engine `task` is a `LiftedTask` and `state` a `LiftedState`, which type checkers learn from
    ``PDDLEnv[LiftedTask, LiftedState](…, engine="lifted")``.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("blocks", split="train")
    >>> observation, info = env.reset(seed=1)
    >>> action = env.unwrapped.sample()
    >>> observation, reward, terminated, truncated, info = env.step(action)
    """

    action_space: spaces.Discrete

    def __init__(
        self,
        domain: DomainLike,
        problem: ProblemsLike = None,
        *,
        split: str | None = None,
        operators: bool = False,
        limits: LimitsLike = None,
        ids: Ids | None = None,
        engine: Engine = "grounded",
        observation: ObservationMode = "bits",
        part: Literal["all", "changing"] = "all",
        pixels: tuple[int, int] = (64, 64),
        horizon: Horizon = "suite",
        through_goals: bool = False,
        dead_end_terminates: bool = True,
        raise_error_on_invalid_action: bool = False,
        render_mode: RenderMode | None = None,
        render_size: tuple[int, int] | None = None,
        renderer: Renderer | None = None,
    ) -> None:
        self.suite: Suite = make_suite(
            domain, problem, split=split, operators=operators, limits=limits, ids=ids
        )
        super().__init__(
            self.suite.observed(engine, mode_name(observation, pixels), part),
            horizon=horizon,
            through_goals=through_goals,
            dead_end_terminates=dead_end_terminates,
            raise_error_on_invalid_action=raise_error_on_invalid_action,
            render_mode=render_mode,
            render_size=render_size,
            renderer=renderer,
        )
        self._tasks: dict[int, Any] = {}
        if observation == "graph":
            self.observation_space = graph_space(*self.suite.graph_sizes)
        elif observation == "atoms":
            self.observation_space = atom_space(self.suite)

    def _problem_index(self, name: str) -> int:
        return self.suite.index(name)

    def sample(self) -> int:
        """A valid action, each with the same probability, from the environment's seed.

        It is 0 in a dead end, which ``info["dead_end"]`` marks; a step there does nothing, whatever its action.
        """
        action: int = self._core.sample()
        return action

    def step(self, action: SupportsIndex | str | Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action, given by its number or as text such as ``"(move up)"``: observation, reward, terminated, truncated, info.

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            When the action is not valid and ``raise_error_on_invalid_action`` is set.
        UnknownNameError
            When the problem has no such action.
        """
        return self._steps(action)

    @property
    def engine(self) -> str:
        """What steps the problems: ``"grounded"`` or ``"lifted"``."""
        return self.problems.engine or "grounded"

    @property
    def last_operator(self) -> str | None:
        """The operator that carried out the last step: the agent's action with what the state bound."""
        return self._core.last_operator

    @property
    def task(self) -> _Task:
        """The planning task of the current problem: a `Task`, or a `LiftedTask` with the lifted engine."""
        index = self.problem_index
        if index is None:
            raise EpisodeError("there is no current problem: reset first")
        if index not in self._tasks:
            lifted = self.engine == "lifted"
            self._tasks.setdefault(index, self.suite.lifted_task(index) if lifted else self.suite.task(index))
        task: _Task = self._tasks[index]
        return task

    @property
    def state(self) -> _State:
        """The current state: a `State`, or a `LiftedState` with the lifted engine."""
        state: _State = self._core.state(self.task)
        return state

    def set_state(self, state: _State) -> tuple[Any, dict[str, Any]]:
        """Goes to a state of the current problem; an episode that was over goes on."""
        observation, info = self._core.set_state(self.task, state)
        return (observation if self._read is None else self._read(observation)), info

    def missing(self) -> tuple[str, ...]:
        """What the goal still lacks, as PDDL: the literals that do not hold, of the way that lacks fewest."""
        return self._core.missing()

    def _lines(self) -> list[str]:
        """The atoms that can change, a line a predicate, the numbers, and what the goal lacks."""
        state: State | LiftedState = self.state
        predicates: dict[str, list[str]] = {}
        for atom in state.changing:
            predicates.setdefault(atom.predicate, []).append(str(atom))
        lines: list[str] = [" ".join(atoms) for atoms in predicates.values()]
        lines += [f"(= {term} {value:g})" for term, value in state.numbers.items()]
        return [*lines, "the goal holds" if state.is_goal else "the goal lacks " + " ".join(self.missing())]

    # Tasks are shared by copies, and made anew where an environment is pickled.
    _of_engine = BaseEnv._of_engine | {"_tasks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the engine anew, and goes to where it was."""
        super().__setstate__({**state, "_tasks": {}})


def atom_space(suite: Suite) -> Atoms:
    """The space of sets of atoms of a suite's problems."""
    arities = {one.name: len(one.parameters) for one in suite.domain.predicates if one.kind != "action"}
    return Atoms(arities, [one.name for one in suite.parse_problem(0).objects])


class EnvOptions(TypedDict, total=False):
    """The keyword arguments of `make`, which are those of `PDDLEnv`."""

    split: str | None
    operators: bool
    limits: LimitsLike
    ids: Ids | None
    engine: Engine
    observation: ObservationMode
    part: Literal["all", "changing"]
    pixels: tuple[int, int]
    horizon: Horizon
    through_goals: bool
    dead_end_terminates: bool
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None
    render_size: tuple[int, int] | None
    renderer: Renderer | None


def make(domain: DomainLike, problem: ProblemsLike = None, **options: Unpack[EnvOptions]) -> PDDLEnv:
    """An environment over the problems of a domain.

    Parameters
    ----------
    domain : str, path, Domain, Suite or RddlSuite
        The name of a bundled domain, the path of a domain file or of a folder, PDDL or RDDL, or an object.
    problem : str, int, path, Problem, an iterable of them, or None
        Which problems (see `herbrand.suite`); in RDDL the first instance if left out.
    **options
        As for `PDDLEnv`, or in RDDL as for `herbrand.RddlEnv`.

    Returns
    -------
    PDDLEnv or RddlEnv
        Type checkers take whatever is given for PDDL; `herbrand.rddl.make` makes a `RddlEnv` alone.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("sokoban", split="test", horizon=50)
    >>> env.action_space
    Discrete(4)
    >>> herbrand.make("blocks", engine="lifted").engine
    'lifted'
    >>> herbrand.make("rddl/cartpole-discrete").action_space
    Dict('push-right___c1': Discrete(2))
    """
    if is_rddl(domain):
        untyped: Any = RddlEnv
        return untyped(domain, problem, **options)  # type: ignore[no-any-return]
    return PDDLEnv(domain, problem, **options)
