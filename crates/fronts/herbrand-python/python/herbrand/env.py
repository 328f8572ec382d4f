"""The Gymnasium environment over the problems of a PDDL domain, and `make`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsIndex, TypedDict

from gymnasium import spaces
from typing_extensions import TypeVar

from ._herbrand import Action, LiftedState, LiftedTask, State, Suite, Task
from .base_env import BaseEnv, Horizon
from .errors import EpisodeError, HerbrandError, UnknownNameError
from .graphs import ActionArrays, graph_space
from .limits import LimitsLike
from .observations import mode_name, warn_of_hidden_atoms, warn_of_ids, warn_of_numbers
from .options import check_options
from .rddl.env import RddlEnv
from .rddl.sources import is_rddl
from .rendering import Renderer, RenderMode
from .sources import DomainLike, Ids, ProblemsLike, hidden_domain
from .sources import pddl_suite as make_suite
from .spaces import Atoms

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .planning import PlanOptions

__all__ = ["Engine", "EnvOptions", "Horizon", "ObservationMode", "PDDLEnv", "make"]

ObservationMode = Literal[
    "bits",
    "bits-and-goal",
    "bits-and-numbers",
    "packed-bits",
    "packed-bits-and-goal",
    "atoms-one-hot-by-object",
    "seen",
    "graph",
    "graph-arrays",
    "atoms",
    "pixels",
]
Engine = Literal["grounded", "sliced", "lifted", "automatic"]


_Task = TypeVar("_Task", Task, LiftedTask, default=Task)
_State = TypeVar("_State", State, LiftedState, default=State)


class PDDLEnv(BaseEnv, Generic[_Task, _State]):
    """A Gymnasium environment over the problems of a PDDL domain.

    Parameters
    ----------
    domain, problem, split, operators, limits, ids
        As for `herbrand.suite`.
    engine : {"grounded", "sliced", "lifted", "automatic"}
        The engine that computes steps. All engines have the same valid actions and make the same random draws.

        - ``"grounded"``: grounds all actions beforehand; the fastest steps.
        - ``"sliced"``: the same, and a `VecEnv` steps up to 512 environments by the same instructions, one bit each. For
          observations that are bits, and problems whose states have no numbers; raises an error that says what does not fit.
        - ``"lifted"``: grounds nothing. Actions and atoms are numbered over all type-correct choices of objects, so there
          are more of them. Raises `GroundingError` if there are too many to number.
        - ``"automatic"``: grounded if grounding stays within the limits, otherwise lifted; a `VecEnv` of many environments
          steps them together as ``"sliced"`` does where that is expected to be faster. See the property `engine`.
    observation : str
        The observation mode.

        Numeric fluents are in ``"bits-and-numbers"`` and in graphs, and in ``"pixels"`` as far as the picture shows them. For
        other modes, a warning names the fluents that change and are left out.

        - ``"bits"``: an array of int8 with one element per atom of ``env.task.ground_atoms``. The length is that of the
          widest problem; narrower problems are padded with 0.
        - ``"bits-and-goal"``: the same, followed by as many elements that are 1 for the atoms that the goal requires. One
          policy can then learn problems with different goals.
        - ``"bits-and-numbers"``: a dict of arrays of float32: ``state`` as for ``"bits"``, and ``numbers`` with one element per
          numeric fluent that operators change, its value in the units of the domain, or 0 if it is undefined. Fluents are
          ordered by function and then by objects, over all type-correct objects, or by places with ``ids="suite"``.
          ``total-cost`` and ``reward`` are 0 if only the metric reads them.
        - ``"atoms-one-hot-by-object"``: a matrix of int8 with a row per object and a column per predicate. An element is 1
          if a true atom of the predicate contains the object. A column has the same meaning in every problem.
        - ``"packed-bits"``, ``"packed-bits-and-goal"``: bits packed into uint8, in the order of
          ``numpy.unpackbits(…, bitorder="little")``; only with the grounded engine.
        - ``"seen"``: three consecutive rows of bits: the atoms that the agent has seen by the visibility rules of the
          domain's settings, the atoms whose value it knows, and the goal; only with the grounded engine.
        - ``"graph"``: a `gymnasium.spaces.GraphInstance` (see `herbrand.graphs`).
        - ``"graph-arrays"``: the same graph as a dict of arrays padded to a fixed length (see `herbrand.graphs`).
        - ``"atoms"``: a frozenset of tuples ``(predicate, object, …)``.
        - ``"pixels"``: the picture of the state without title and legend, an array of uint8 ``(height, width, 3)``; only
          with the grounded engine.
    pixels : (int, int), optional
        Height and width of observations of mode ``"pixels"``, by default 64 and 64.
    part : {"all", "changing"}
        The atoms in observations: all of them, or those that actions can change.
    horizon : int, "suite" or None
        The number of steps after which an episode is truncated. ``"suite"``: the number in the domain's settings; None:
        never.
    through_goals : bool
        Whether episodes continue after the goal is reached.
    dead_end_terminates : bool
        Whether an episode terminates in a dead end, a state without valid actions. ``info["dead_end"]`` is True in dead ends
        in any case. A step there changes nothing and has reward 0, whatever the action.
    raise_error_on_invalid_action : bool
        Whether an invalid action raises `InvalidActionError`. If not, it counts as a step, changes nothing, has reward 0,
        and ``info["applied"]`` is False.
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` returns, as for `BaseEnv`: a text, a picture, or pictures; ``"human"`` shows every state in a window.
    render_size : (int, int), optional
        Height and width of pictures. If left out, the picture of an episode's first state sets the size for the episode.
    renderer : function, optional
        Draws a picture of `state` in place of the declared rendering; returns an array ``(height, width, 3)``.

    Attributes
    ----------
    action_space : gymnasium.spaces.Discrete
        The agent's actions by number. The size is that of the problem with the most actions. ``info["action_mask"]`` (int8)
        and `action_masks` (bool) mark the valid ones; `sample` draws a valid one.
    observation_space : gymnasium.spaces.Space

    Notes
    -----
    Gymnasium's wrappers, which ``gymnasium.make`` adds, hide methods that are not part of Gymnasium's interface, such as
    `sample`. Write ``env.unwrapped.sample()``, which works with and without wrappers.

    The reward is 1 on reaching the goal, unless the domain's ``:rewards`` define another one. One seed determines problems,
    outcomes and samples. All infos have the same keys: ``action_mask``, ``applied``, ``goal``, ``dead_end``, ``problem``,
    ``problem_index`` and ``end``, the reason why the step ended the episode (``"goal"``, ``"dead_end"`` or ``"horizon"``), or
    ``""``.

    With the lifted engine `task` is a `LiftedTask` and `state` a `LiftedState`. Annotate the environment as
    ``PDDLEnv[LiftedTask, LiftedState](…, engine="lifted")`` for type checkers.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("blocks", split="train", ids="suite")
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
        pixels: tuple[int, int] | None = None,
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
        warn_of_numbers(self.suite, observation)
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

    def sample(self) -> int:
        """Draws a valid action, uniformly, from the environment's random stream.

        In a dead end (``info["dead_end"]``) it returns 0; a step there changes nothing, whatever the action.
        """
        action: int = self._core.sample()
        return action

    def step(self, action: SupportsIndex | str | Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action and returns observation, reward, terminated, truncated, info.

        Parameters
        ----------
        action : int, str or Action
            The action's number, or its text, such as ``"(move up)"``.

        Raises
        ------
        EpisodeError
            If there is no running episode.
        InvalidActionError
            If the action is invalid and ``raise_error_on_invalid_action`` is set.
        UnknownNameError
            If the problem has no such action.
        """
        try:
            return self._steps(action)
        except UnknownNameError as error:
            raise self._explained(error, action) from None

    def action_id(self, text: str) -> int:
        """Returns the number of the current problem's action with this text."""
        try:
            return super().action_id(text)
        except UnknownNameError as error:
            raise self._explained(error, text) from None

    def _explained(self, error: UnknownNameError, action: object) -> UnknownNameError:
        """Returns an error for an unknown action. If the action is an operator, it says how to take it."""
        name = str(action).strip("() \t\n").partition(" ")[0].lower()
        action_name = next((taken for operator, taken, _ in self.suite.carriers or () if operator == name), None)
        if action_name is None or any(action_name == name for action_name, _ in self.suite.agent_actions or ()):
            return error
        return UnknownNameError(
            f"there is no action `{name}`: it is an operator, which carries out the action `{action_name}`; take "
            "env.action_of(operator), or make the environment with operators=True"
        )

    def action_of(self, operator: str | Action) -> int:
        """Returns the number of the action that an operator carries out, such as a step of a plan.

        In a domain with actions of its own, the agent chooses only some parameters of the operators. If several operators
        carry out the same action in a state, a step may take another one than this operator.

        Parameters
        ----------
        operator : Action or str

        Raises
        ------
        UnknownNameError
            If the problem has no such operator.

        Examples
        --------
        >>> import herbrand
        >>> env = herbrand.make("sokoban", "train/01")
        >>> observation, info = env.reset(seed=1)
        >>> plan = env.task.plan()
        >>> str(plan.actions[0]), env.action_name(env.action_of(plan.actions[0]))
        ('(walk r1c1 r1c2 right)', '(move right)')
        """
        carriers = self.suite.carriers
        text = str(Action.parse(operator) if isinstance(operator, str) else operator)
        if carriers is None:
            return self.action_id(text)
        head, *arguments = text.strip("()").split()
        for name, action, places in carriers:
            if name == head and all(isinstance(place, str) or place < len(arguments) for place in places):
                words: list[str] = [place if isinstance(place, str) else arguments[place] for place in places]
                return self.action_id(f"({' '.join((action, *words))})")
        raise UnknownNameError(f"there is no operator {text}")

    def action_arrays(self) -> ActionArrays:
        """Returns the valid actions of the current state, with the nodes of their arguments in the graph of the state.

        Examples
        --------
        >>> import herbrand
        >>> env = herbrand.make("ferry", 0, observation="graph")
        >>> graph, info = env.reset(seed=1)
        >>> actions = env.action_arrays()
        >>> [env.action_name(int(number)) for number in actions.ids]
        ['(sail harbour-2)', '(board car-1)']
        """
        return self._core.action_arrays()

    def plan_actions(self, **options: Unpack[PlanOptions]) -> list[int] | None:
        """Searches for a plan from the current state; returns the numbers of its actions, or None if none was found.

        The environment does not change. In a probabilistic domain, and if several operators can carry out an action, steps
        may have other results than the plan assumes: plan again in the new state. `Task.plan` tells whether there is no plan
        or whether the search reached a limit.

        Parameters
        ----------
        **options
            As for `Task.plan`, such as ``planner="astar-lmcut"`` and ``time=10``.

        Examples
        --------
        >>> import herbrand
        >>> env = herbrand.make("sokoban", "train/01")
        >>> observation, info = env.reset(seed=1)
        >>> for action in env.plan_actions() or ():
        ...     observation, reward, terminated, truncated, info = env.step(action)
        >>> reward, terminated
        (1.0, True)
        """
        task, state = self._grounded()
        plan = task.plan(state, **options)
        return [self.action_of(action) for action in plan] if plan else None

    def _grounded(self) -> tuple[Task, State]:
        """Returns the grounded task of the current problem, and the current state in it."""
        task, state = self.task, self.state
        if isinstance(task, Task) and isinstance(state, State):
            return task, state
        raise HerbrandError("the lifted engine has no planner: make the environment with engine='grounded'")

    @property
    def engine(self) -> str:
        """The engine in use: ``"grounded"``, ``"sliced"`` or ``"lifted"``."""
        return self.problems.engine or "grounded"

    @property
    def last_operator(self) -> str | None:
        """The operator that carried out the last step: the agent's action with all parameters bound by the state."""
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
        """Moves to a state of the current problem. An episode that had ended continues."""
        observation, info = self._core.set_state(self.task, state)
        return (observation if self._read is None else self._read(observation)), info

    def missing(self) -> tuple[str, ...]:
        """Returns the unmet literals of the goal, as PDDL. Of a disjunctive goal: those of the disjunct with the fewest."""
        return self._core.missing()

    def _lines(self) -> list[str]:
        """Returns the changing atoms, one line per predicate, the numeric fluents, and the unmet goal literals."""
        state: State | LiftedState = self.state
        predicates: dict[str, list[str]] = {}
        for atom in state.changing:
            predicates.setdefault(atom.predicate, []).append(str(atom))
        lines: list[str] = [" ".join(atoms) for atoms in predicates.values()]
        lines += [f"(= {term} {value:g})" for term, value in state.numbers.items()]
        return [*lines, "the goal holds" if state.is_goal else "the goal lacks " + " ".join(self.missing())]

    # Copies share tasks. A pickled environment rebuilds them.
    _of_engine = BaseEnv._of_engine | {"_tasks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Creates a new engine and restores the snapshot."""
        super().__setstate__({**state, "_tasks": {}})


def atom_space(suite: Suite) -> Atoms:
    """Returns the observation space of mode ``"atoms"`` for a suite's problems."""
    arities = {one.name: len(one.parameters) for one in suite.domain.predicates if one.kind != "action"}
    return Atoms(arities, [one.name for one in suite.parse_problem(0).objects])


class EnvOptions(TypedDict, total=False):
    """The keyword arguments of `make` and of `PDDLEnv`."""

    split: str | None
    operators: bool
    limits: LimitsLike
    ids: Ids | None
    engine: Engine
    observation: ObservationMode
    part: Literal["all", "changing"]
    pixels: tuple[int, int] | None
    horizon: Horizon
    through_goals: bool
    dead_end_terminates: bool
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None
    render_size: tuple[int, int] | None
    renderer: Renderer | None


def make(domain: DomainLike, problem: ProblemsLike = None, **options: Unpack[EnvOptions]) -> PDDLEnv:
    """Creates an environment over the problems of a domain.

    Parameters
    ----------
    domain : str, path, Domain, Suite or RddlSuite
        The name of a bundled domain, the path of a PDDL or RDDL domain file or of a folder, or a parsed object. Or
        ``"pddlworld"``, or ``"pddlworld/"`` before a name or path, for an environment in which the agent edits that domain
        (see `herbrand.pddlworld.make`).
    problem : str, int, path, Problem, an iterable of them, or None
        The problems (see `herbrand.suite`). In RDDL the default is the first instance.
        By default an environment draws from all problems, for training and for tests: choose with ``split="train"``. The
        environments of ``gymnasium.make("herbrand/Blocks-v0")`` have only the training problems.
    **options
        As for `PDDLEnv`, or in RDDL as for `herbrand.RddlEnv`.

    Warns
    -----
    UserWarning
        If observations are bits that mean different atoms in different problems, and `ids` is left out.

    Returns
    -------
    PDDLEnv or RddlEnv
        Type checkers see `PDDLEnv` for every argument; `herbrand.rddl.make` is typed to return a `RddlEnv`.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.make("sokoban", split="test", ids="suite", horizon=50)
    >>> env.action_space
    Discrete(4)
    >>> herbrand.make("blocks", "train/01", engine="lifted").engine
    'lifted'
    >>> herbrand.make("rddl/cartpole-discrete").action_space
    Dict('push-right___c1': Discrete(2))
    """
    hidden = hidden_domain(domain)
    if hidden is not None:
        from . import pddlworld

        of_worlds: Any = pddlworld.make
        of, start = hidden
        given: dict[str, Any] = {} if start is None else {"start": start}
        return of_worlds(of, problem, **{**given, **options})  # type: ignore[no-any-return]
    if is_rddl(domain):
        untyped: Any = RddlEnv
        return untyped(domain, problem, **options)  # type: ignore[no-any-return]
    check_options("make", options, EnvOptions.__annotations__)
    env: PDDLEnv = PDDLEnv(domain, problem, **options)
    warn_of_ids(env.suite, env.engine, options, stacklevel=3)
    warn_of_hidden_atoms(env.suite, options, stacklevel=3)
    return env
