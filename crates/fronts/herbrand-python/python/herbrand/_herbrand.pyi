"""The engine of the package `herbrand`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from os import PathLike
from typing import Any, Generic, Literal, SupportsIndex, TypeVar, Union, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, Unpack

from . import model
from .errors import Diagnostic, Explanation
from .explore import Observation
from .ground_arrays import GroundArrays
from .limits import LimitsLike
from .planning import Plan, PlannerName, PolicyPlannerName, PolicyRuns, PolicyState
from .rddl.model import RddlModel, RddlStep
from .rddl.planning import RddlPlan, RddlPlannerName, RddlPlannerOptions, TNormName
from .state_space import StateSpace

__version__: str

_Atom = Atom | str | tuple[str, ...]
_T = TypeVar("_T")
_S = TypeVar("_S")
_ActionLike = TypeVar("_ActionLike")
_AtomLike = TypeVar("_AtomLike")

def run_command(arguments: list[str]) -> int:
    """Runs the program and returns its exit status. `arguments[0]` is the program name. It uses the standard streams of the
    process, not those of `sys`.
    """

def walk_rddl(paths: list[str | PathLike[str]], steps: int, seed: int) -> tuple[int, int, str | None]:
    """Parses, checks and compiles the domain and the instance in these files, and takes `steps` steps with random joint
    actions. If an episode ends, the walk continues from the initial state.
    """

def defined_name(text: str | bytes, kind: Literal["domain", "problem"]) -> str | None:
    """Returns the name of the domain or problem that a text defines, in lower case; None if it defines none. `kind` is "domain"
    or "problem".
    """
def is_collected(name: str) -> bool:
    """Returns whether a text begins like the name of problems in a collection: "pddlgym:sokoban"."""
def collected_in_rddl(name: str) -> bool:
    """Returns whether the problems of a name in a collection are in RDDL. False if there are no such problems."""
def seconds_of(text: str) -> float:
    """Parses a duration such as "10s" or "1m 30s", or a number of seconds; returns seconds."""
def bytes_of(text: str) -> int:
    """Parses a size such as "500MB" or "2GiB", or a number of bytes; returns bytes."""
def encode_animation(frames: list[NDArray[np.uint8]], milliseconds: int, webp: bool) -> bytes:
    """Encodes pictures, arrays of uint8 of shape (height, width, 3), as an animated WebP or GIF with the size of the largest.
    Each is shown for `milliseconds`.
    """
def edit_problem(problem: Problem, edits: str, rules: str) -> Problem:
    """Applies a batch of edits under rules, both given as JSON, to a problem."""

def problem_difference(problem: Problem, other: Problem) -> str | None:
    """Returns the edits that lead from one problem to another, as JSON; None if edits cannot express the difference."""

def edit_schema(domain: Domain) -> str:
    """Returns the JSON Schema of lists of edits of a domain's problems."""

def edit_lines(text: str, edits: str, textual: bool) -> str:
    """Returns the text of a problem after line edits, given as JSON."""

def typed_lines(edits: str) -> str:
    """Converts line edits to typed edits, both as JSON."""

def make_exam(request: str, limits_of_call: LimitsLike) -> str:
    """Makes questions. Returns them one a line."""

def grade_exam(questions: str, answers: str) -> str:
    """Grades answers, one a line, to questions, one a line."""

def judge_exam(question: str, answer: str) -> str:
    """Grades one answer to a question."""

def explore_game(
    setting: str,
    game: int,
    world: object | None,
    reader: Callable[[str], str] | LanguageModel | None,
    execution: str,
    mode: str,
    retries: int,
    counts_invalid: bool,
    planner: str,
    watch: Callable[[str], bool | None] | None,
) -> str:
    """Plays a game and returns its record as JSON. `world` is an object that answers in tuples, or None for the bundled world.
    `reader` is a function from JSON to JSON, a `LanguageModel`, or None for the rules. `watch` is called with each event as JSON; the game
    stops if it returns False.
    """

@final
class LanguageModel:
    """A language model as the reader of `play`. It is asked over HTTP, with the key in the environment variable ``OPENAI_API_KEY``.

    Parameters
    ----------
    model : str
        The name of the model on its server.
    url : str
        The base URL of the server, such as ``"http://127.0.0.1:8080/v1"``.
    temperature : float, default 1.0
        The sampling temperature.
    patience : float, default 120
        The maximal time of an answer in seconds.
    """

    def __new__(cls, model: str, url: str, *, temperature: float = 1.0, patience: float = 120.0) -> Self:
        ...

class NativeWorld:
    """The games of a setting: generated problems of ``coin-collector`` or ``cooking-world``, presented as text.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}

    Raises
    ------
    ValueError
        If the setting is unknown.
    """
    def __new__(cls, setting: Literal["coin", "cooking-easy", "cooking-hard"]) -> Self: ...
    @property
    def task(self) -> str:
        """The description of the player's task."""
    @property
    def limit(self) -> int:
        """The maximal number of commands in a game."""
    def begin(self, game: int) -> Observation:
        """Starts a game; equal numbers give equal games."""
    def step(self, command: str) -> Observation:
        """Carries out a command."""
    def commands(self) -> list[str]:
        """Returns the commands that are valid now."""

@final
class BeliefCore:
    """A belief about a partially observed problem."""
    def __new__(cls, problem: Problem, rules: str) -> Self: ...
    def observe(self, name: str, statements: str) -> str:
        """Adds an observation, given as JSON; returns the edits of the known problem that it caused, as JSON."""
    def truth(self, atom: str) -> bool | None:
        """Returns whether a fact is true; None if unknown."""
    def source(self, atom: str) -> str | None:
        """Returns the name of the observation that showed a fact to be true or false; None if no observation did."""
    @property
    def placeholders(self) -> list[str]:
        """The names of the placeholders."""
    @property
    def problem(self) -> Problem:
        """The known facts as a problem. Unknown facts are false in it."""

def read_reply(reply: str, is_plan: bool) -> list[str]:
    """Returns the action in a reply, or each step of the plan in it, by their form alone."""

@final
class SessionCore:
    """A session of the engine: a problem with the steps taken so far."""
    def __new__(
        cls,
        suite: Suite | RddlSuite | Target,
        index: int,
        table: tuple[str, str] | None,
        seed: int,
        limits_of_call: LimitsLike,
        steps: int,
        listed: int,
        start: str | None = None,
    ) -> Self: ...
    def reset(self, seed: int) -> None:
        """Starts again at the initial state, with the seed of all draws."""
    @property
    def title(self) -> str:
        """The title of the problem."""
    @property
    def language(self) -> str:
        """The language of the problem: "pddl" or "rddl"."""
    @property
    def is_partly_observable(self) -> bool:
        """Whether the problem is only partly observable."""
    @property
    def status(self) -> str:
        """Whether further steps can be taken: "running", "goal", "dead-end", "terminal", "horizon" or "broken"."""
    @property
    def steps(self) -> list[list[str]]:
        """The steps taken so far, each a list of actions."""
    def text(self) -> str:
        """Returns the whole state as sentences."""
    def constants(self) -> str:
        """Returns the facts that never change as sentences."""
    def observation(self) -> str:
        """Returns what the agent knows of the state as sentences."""
    def texts(self) -> tuple[str, str]:
        """Returns the texts of the domain and the problem of a bundled domain."""
    def goal(self) -> str:
        """Returns the goal as sentences; empty if there is none."""
    def forms(self) -> list[str]:
        """Returns how each action is written."""
    def number_actions(self, most: int) -> list[str]:
        """Returns the actions that take a number, as sentences with the range of the number."""
    def actions(self, most: int) -> list[tuple[str, str]]:
        """Returns the valid actions as pairs (action, sentence)."""
    def read(self, text: str) -> tuple[list[str] | None, tuple[str, str] | None]:
        """Parses an answer: returns the actions, or the kind of its fault and a message."""
    def take(self, joint: list[str]) -> tuple[tuple[float, str, str, str] | None, str | None]:
        """Takes a step: returns a tuple (reward, status, changes, changes that the agent sees), or the reason why the actions are
        not valid.
        """
    def distance(self) -> int | None:
        """Returns the number of steps of a shortest plan: -1 if there is none, None if it is unknown."""
    def plan(self) -> tuple[list[str], str]:
        """Returns the steps of a plan from the current state as sentences, and a comment."""
    def grade(
        self, plans: list[str], distances: bool, seed: int, threads: int
    ) -> list[tuple[bool, int, int, int, float | None, float, str | None, int | None]]:
        """Executes plans from the initial state, on `threads` threads, and returns the grade of each."""

@final
class Random:
    """A seeded random generator. Equal seeds give equal draws on every platform.

    Parameters
    ----------
    seed : int, default 0
        The seed, from 0 to 2**64 - 1.
    """
    def __new__(cls, seed: int = 0) -> Self: ...
    def stream(self, number: int) -> Random:
        """Returns an independent generator, determined by the state of this one and `number`."""
    def below(self, bound: int) -> int:
        """Returns a uniformly random number below `bound`; 0 if `bound` is 0."""

@final
class Atom:
    """A ground atom, such as ``(on a b)``. It is a value, compared by its names.

    Parameters
    ----------
    name : str
        The predicate.
    *arguments : str
        The names of the objects.

    Examples
    --------
    >>> from herbrand import Atom
    >>> Atom("on", "a", "b") == Atom.parse("(on a b)")
    True
    >>> Atom("on", "a", "b").arguments
    ('a', 'b')
    """
    __match_args__ = ("predicate", "arguments")
    def __new__(cls, name: str, /, *arguments: str) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses a text in PDDL syntax, a name and arguments; the outer parentheses are optional. The names are
        not checked.

        Raises
        ------
        UnknownNameError
            If the text is empty or has other parentheses.
        """
    @property
    def predicate(self) -> str:
        """The name."""
    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments: a tuple of strings."""
    @property
    def id(self) -> int | None:
        """Its number in its task; None if it was created by the user."""
    def as_tuple(self) -> tuple[str, ...]:
        """Returns the name and the arguments in one tuple of strings."""
    def __hash__(self) -> int: ...
    def __lt__(self, other: Atom) -> bool: ...
    def __le__(self, other: Atom) -> bool: ...
    def __gt__(self, other: Atom) -> bool: ...
    def __ge__(self, other: Atom) -> bool: ...

@final
class Action:
    """A ground action, such as ``(stack a b)``. It is a value, compared by its names.

    Parameters
    ----------
    name : str
        The operator.
    *arguments : str
        The names of the objects.

    Examples
    --------
    >>> from herbrand import Action
    >>> str(Action("stack", "a", "b"))
    '(stack a b)'
    """
    __match_args__ = ("name", "arguments")
    def __new__(cls, name: str, /, *arguments: str) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses a text in PDDL syntax, a name and arguments; the outer parentheses are optional. The names are
        not checked.

        Raises
        ------
        UnknownNameError
            If the text is empty or has other parentheses.
        """
    @property
    def name(self) -> str:
        """The name."""
    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments: a tuple of strings."""
    @property
    def id(self) -> int | None:
        """Its number in its task; None if it was created by the user."""
    def as_tuple(self) -> tuple[str, ...]:
        """Returns the name and the arguments in one tuple of strings."""
    def __hash__(self) -> int: ...
    def __lt__(self, other: Action) -> bool: ...
    def __le__(self, other: Action) -> bool: ...
    def __gt__(self, other: Action) -> bool: ...
    def __ge__(self, other: Action) -> bool: ...

@final
class Domain:
    """A planning domain: types, constants, predicates, functions, axioms and operators.

    Parameters
    ----------
    text : str, bytes or path
        PDDL or PPDDL text that defines one domain, or the path of such a file: a `pathlib.Path`, or a str without
        parentheses and line breaks.
    name : str, optional
        The name of the text in messages; by default the path of the file, or ``"domain"``.
    lenient : bool, default False
        Whether faults with an obvious repair become warnings (see `diagnostics`), in this text and in the texts of its
        problems. Such faults are a missing or superfluous parenthesis, a word or list outside of any section, and an
        argument of the wrong type.

    Raises
    ------
    ParseError
        If the text is invalid; it lists all faults.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import herbrand
    >>> domain = herbrand.Domain("(define (domain lamp) (:predicates (on)) (:action press :effect (on)))")
    >>> domain.name, domain.operators[0].name
    ('lamp', 'press')
    """
    def __new__(cls, text: str | bytes | PathLike[str], name: str | None = None, lenient: bool = False) -> Self: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def requirements(self) -> tuple[str, ...]:
        """The declared requirement flags: a tuple of strings such as ":strips"."""
    @property
    def types(self) -> tuple[model.Type, ...]:
        """The types in order of declaration: a tuple of `herbrand.model.Type`. The first is "object"."""
    @property
    def constants(self) -> tuple[model.Object, ...]:
        """The constants: a tuple of `herbrand.model.Object`."""
    @property
    def predicates(self) -> tuple[model.Predicate, ...]:
        """The predicates: a tuple of `herbrand.model.Predicate`."""
    @property
    def functions(self) -> tuple[model.Function, ...]:
        """The numeric functions: a tuple of `herbrand.model.Function`."""
    @property
    def axioms(self) -> tuple[model.Axiom, ...]:
        """The derivation rules: a tuple of `herbrand.model.Axiom`."""
    @property
    def operators(self) -> tuple[model.Operator, ...]:
        """The operators: a tuple of `herbrand.model.Operator`."""
    @property
    def text(self) -> str | None:
        """The text that it was read from; None if it was built."""
    @property
    def file(self) -> str | None:
        """The name of its text in messages; None if it was built."""
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built or belongs to a suite."""
    def is_subtype(self, name: str, ancestor: str) -> bool:
        """Returns whether the type `name` equals `ancestor` or is a subtype of it. Case does not matter.

        Raises
        ------
        UnknownNameError
            If the domain has no such type.
        """
    def to_pddl(self) -> str:
        """Returns the domain as PDDL in canonical form. Parsing it gives an equal domain."""
    def _repr_html_(self) -> str:
        """Returns the predicates and operators as a table, and the text, for notebooks."""
    def __hash__(self) -> int: ...

@final
class Problem:
    """A planning problem of a domain: objects, initial state, goal, metric.

    Parameters
    ----------
    text : str, bytes or path
        PDDL or PPDDL text that defines one problem, or the path of such a file: a `pathlib.Path`, or a str without
        parentheses and line breaks.
    domain : Domain
        The domain of the problem.
    name : str, optional
        The name of the text in messages; by default the path of the file, or ``"problem"``.

    Raises
    ------
    ParseError
        If the text is invalid; it lists all faults.
    OSError
        If a file cannot be read.
    """
    def __new__(cls, text: str | bytes | PathLike[str], domain: Domain, name: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def objects(self) -> tuple[model.Object, ...]:
        """The objects, with the domain's constants first: a tuple of `herbrand.model.Object`."""
    @property
    def init(self) -> tuple[Atom, ...]:
        """The initially true atoms in the order of the text: a tuple of Atom."""
    @property
    def values(self) -> tuple[tuple[model.FunctionTerm, float], ...]:
        """The initial values of functions: a tuple of pairs (`herbrand.model.FunctionTerm`, float)."""
    @property
    def chances(self) -> tuple[model.InitialChance, ...]:
        """The probabilistic parts of the initial state: a tuple of `herbrand.model.InitialChance`."""
    @property
    def goal(self) -> model.Formula | None:
        """The goal, a formula of `herbrand.model`; None if the problem has no goal."""
    @property
    def goal_reward(self) -> float | None:
        """The reward for reaching the goal; None if it is not declared."""
    @property
    def metric(self) -> model.Metric | None:
        """The metric, a `herbrand.model.Metric`; None if it is not declared."""
    @property
    def text(self) -> str | None:
        """The text that it was read from; None if it was built."""
    @property
    def file(self) -> str | None:
        """The name of its text in messages; None if it was built."""
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built or belongs to a suite."""
    def to_pddl(self) -> str:
        """Returns the problem as PDDL in canonical form. Parsing it gives an equal problem."""
    def _repr_html_(self) -> str:
        """Returns a picture of the initial state and the text, for notebooks."""
    def __hash__(self) -> int: ...

class _PlanningState(Generic[_T]):
    @property
    def task(self) -> _T:
        """The task of the state."""
    @property
    def changing(self) -> tuple[Atom, ...]:
        """The changeable atoms that are true, including derived ones: a tuple of Atom. Fluent atoms come before derived ones;
        both are ordered by their ids, or in a `LiftedTask` by predicate and objects.
        """
    @property
    def numbers(self) -> dict[str, float]:
        """The values of the defined numeric fluents: a dict from PDDL, such as ``"(fuel truck)"``, to float."""
    @property
    def is_goal(self) -> bool:
        """Whether the goal is true."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Atom]: ...
    def __contains__(self, atom: _Atom) -> bool: ...
    def __hash__(self) -> int: ...
    def svg(self, theme: Literal["auto", "light", "dark"] = "auto", *, egocentric: bool = False) -> str:
        """Returns the picture of the state as SVG, drawn by ``[render]`` in the domain's ``env.toml`` or by a generic
        layout.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            ``"auto"`` follows the preference of the reader's browser.
        egocentric : bool
            Whether to draw only the surroundings of the agent, as defined by ``eye`` in ``[render]``.
        """
    def image(
        self,
        size: tuple[int, int] | None = None,
        *,
        theme: Literal["light", "dark", "auto"] = "light",
        egocentric: bool = False,
    ) -> NDArray[np.uint8]:
        """Returns the picture of the state as pixels: an array of uint8, (height, width, 3).

        Parameters
        ----------
        size : (int, int), optional
            Height and width; by default the picture's own size.
        theme : {"light", "dark"}
        egocentric : bool
            As for `svg`.
        """
    def _repr_svg_(self) -> str:
        """Returns the picture for notebooks."""

@final
class State(_PlanningState[Task]):
    """A state of a task: the set of true atoms in the order of their ids, and the values of numeric fluents.

    A state is an immutable value: it can be hashed, compared and pickled. It is a set of `Atom`, including derived and
    static atoms, with the operations of `collections.abc.Set`; operations that create a set return a frozenset. Atoms may be
    given as PDDL or as tuples: ``"(on a b)" in state``, ``("on", "a", "b") in state``.

    States come from a `Task`: `Task.initial_state`, `Task.apply`, `Task.state`.
    """
    def changes(self, previous: State) -> tuple[list[int], list[int]]:
        """Returns the atoms that became true and those that became false since another state of the same task, including
        derived ones: two ascending lists of ids.

        Raises
        ------
        ValueError
            If the other state belongs to another task.
        """
    def isdisjoint(self, other: Iterable[object]) -> bool: ...
    def __and__(self, other: State | Set[Atom]) -> frozenset[Atom]: ...
    def __rand__(self, other: Set[Atom]) -> frozenset[Atom]: ...
    def __or__(self, other: State | Set[Atom]) -> frozenset[Atom]: ...
    def __ror__(self, other: Set[Atom]) -> frozenset[Atom]: ...
    def __sub__(self, other: State | Set[Atom]) -> frozenset[Atom]: ...
    def __rsub__(self, other: Set[Atom]) -> frozenset[Atom]: ...
    def __xor__(self, other: State | Set[Atom]) -> frozenset[Atom]: ...
    def __rxor__(self, other: Set[Atom]) -> frozenset[Atom]: ...
    def __lt__(self, other: State | Set[Atom]) -> bool: ...
    def __le__(self, other: State | Set[Atom]) -> bool: ...
    def __gt__(self, other: State | Set[Atom]) -> bool: ...
    def __ge__(self, other: State | Set[Atom]) -> bool: ...

@final
class Policy:
    """A policy for a probabilistic task: an action for each state. `Task.policy` creates policies."""
    @property
    def task(self) -> Task:
        """The task."""
    @property
    def planner(self) -> str:
        """The name of the planner that created it."""
    @property
    def goal_probability(self) -> float | None:
        """The probability that the goal is ever reached; None if the policy does not know it."""
    @property
    def expected_cost(self) -> float | None:
        """The mean cost of the runs that reach the goal; None if the policy does not know it or never reaches the goal."""
    @property
    def optimal(self) -> bool:
        """Whether the policy is optimal: none has a higher probability of the goal, and none with the same probability has a
        lower cost.
        """
    def action(self, state: State) -> Action | None:
        """Returns the action in a state; None if the policy gives up or the goal is reached."""
    def evaluate(self, *, limits: LimitsLike = None) -> tuple[float, float | None]:
        """Computes the value of the policy over all states that it reaches.

        Parameters
        ----------
        limits : Limits or mapping, optional
            Limits for the evaluation, by default as for `Task.policy`.

        Returns
        -------
        tuple of float and (float or None)
            The probability of the goal, and the mean cost of the runs that reach it.

        Raises
        ------
        LimitError
            If a limit is reached.
        """
    def table(self, *, all: bool = False, limits: LimitsLike = None) -> list[PolicyState]:
        """Computes the value of the policy in each state.

        Parameters
        ----------
        all : bool, default False
            Whether the table has all states that any policy reaches, instead of the states that this policy reaches. Goal states have
            no successors in either.
        limits : Limits or mapping, optional
            Limits for the computation, by default as for `Task.policy`.

        Returns
        -------
        list of PolicyState
            The states in breadth-first order, the start states first.

        Raises
        ------
        LimitError
            If a limit is reached.

        Examples
        --------
        >>> import herbrand
        >>> policy = herbrand.load("river", "train/01").policy()
        >>> first = policy.table()[0]
        >>> first.goal_probability == policy.goal_probability
        True
        """
    def simulate(
        self, runs: int = 100, *, horizon: int = 1000, seed: int = 0, limits: LimitsLike = None
    ) -> PolicyRuns:
        """Runs the policy several times.

        Parameters
        ----------
        runs : int, default 100
            The number of runs, at least 1.
        horizon : int, default 1000
            The maximal number of steps of a run.
        seed : int, default 0
            The seed for random outcomes.
        limits : Limits or mapping, optional
            Limits for all runs together.

        Returns
        -------
        PolicyRuns

        Raises
        ------
        LimitError
            If a limit is reached.
        """

class _PlanningTask(Generic[_S, _ActionLike, _AtomLike]):
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problem(self) -> Problem:
        """The problem."""
    @property
    def settings(self) -> str | None:
        """The text of the settings that define how states are drawn; None if there are none."""
    @property
    def title(self) -> str:
        """The title of pictures of the states."""
    @property
    def initial_state(self) -> _S:
        """The initial state without its probabilistic part."""
    def initial_states(self) -> list[tuple[float, _S]]:
        """Returns the distribution of initial states: a list of pairs (probability, state). It has one element if the
        initial state is deterministic.
        """
    def sample_initial(self, rng: Random | None = None) -> _S:
        """Draws an initial state.

        Parameters
        ----------
        rng : Random, optional
            The random generator; by default that of the task.
        """
    def state(
        self, atoms: Iterable[_AtomLike], numbers: Mapping[str, float | None] | None = None
    ) -> _S:
        """Returns the state in which exactly these atoms are true.

        Parameters
        ----------
        atoms : iterable of Atom, tuple of str, str or int
            Atoms as objects, tuples ``("on", "a", "b")`` or PDDL texts; in a `Task` also as ids. A state or an
            observation of mode ``atoms`` is such an iterable. Derived and static atoms are ignored, since the other
            atoms determine them.
        numbers : mapping from str to float or None, optional
            Values of numeric fluents by their PDDL; None makes a fluent undefined. Missing fluents have their initial
            values.

        Raises
        ------
        UnknownNameError
            If the task has no such atom or numeric fluent.
        """
    def valid_actions(self, state: _S) -> list[Action]:
        """Returns the valid actions of a state: a list of Action, ordered by the declarations of operators, then of
        objects; empty in a dead end.
        """
    def is_valid(self, state: _S, action: _ActionLike) -> bool:
        """Returns whether an action is valid in a state.

        Raises
        ------
        UnknownNameError
            If the task has no such action.
        ValueError
            If the state belongs to another task.
        """
    def sample_action(self, state: _S, rng: Random | None = None) -> Action | None:
        """Draws a valid action uniformly, with the random generator `rng`, by default that of the task. Returns
        None in a dead end.
        """
    def apply(self, state: _S, action: _ActionLike) -> _S:
        """Returns the successor by a deterministic action.

        Raises
        ------
        InvalidActionError
            If the action is not valid; the message contains the first unmet condition.
        StepError
            If the action has several outcomes (see `outcomes` and `sample`), or a numeric effect is undefined.
        """
    def outcomes(self, state: _S, action: _ActionLike) -> list[tuple[float, _S, float]]:
        """Returns the distribution of successors.

        Returns
        -------
        list of tuples (probability, state, reward)
            Probabilities are positive and sum to 1; equal successors are merged.

        Raises
        ------
        InvalidActionError
            If the action is not valid.
        StepError
            If there are too many outcomes, or a numeric effect is undefined.
        """
    def sample(
        self, state: _S, action: _ActionLike, rng: Random | None = None
    ) -> tuple[_S, float]:
        """Draws a successor; returns a pair (state, reward).

        Parameters
        ----------
        state : State or LiftedState
        action : Action or str, or in a `Task` an int
        rng : Random, optional
            The random generator; by default that of the task.
        """
    def seed(self, seed: int) -> None:
        """Reseeds the task's own random generator."""
    def is_goal(self, state: _S) -> bool:
        """Returns whether the goal is true in a state."""
    def explain(self, state: _S, action: _ActionLike) -> Explanation:
        """Explains why an action is or is not valid in a state; returns an `Explanation`. Of an action that no reachable
        state of a `Task` allows, it has no failures, and its text says why.
        """
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str:
        """Returns the picture of the initial state for notebooks."""

@final
class Task(_PlanningTask[State, Action | str | SupportsIndex, _Atom | SupportsIndex]):
    """A ground planning problem: its states, and the effects of actions on them.

    Parameters
    ----------
    domain : Domain
    problem : Problem
    determinize : {None, "most-likely", "all-outcomes"}
        How probabilistic effects are made deterministic. ``"most-likely"``: every draw takes its most likely alternative;
        ties go to the first. ``"all-outcomes"``: every outcome of an operator ``toss`` becomes a separate operator,
        ``toss-1``, ``toss-2`` and so on.
    limits : Limits or mapping, optional
        Limits for grounding.
    settings : str, optional
        The text of an ``env.toml``. Its ``[render]`` section defines how states are drawn.
    title : str, optional
        The title of pictures; by default the names of domain and problem.

    Raises
    ------
    ConfigError
        If the settings do not fit the domain.
    GroundingError
        If axioms are not stratified.
    LimitError
        If a limit is reached.

    Examples
    --------
    >>> import herbrand
    >>> task = herbrand.load("blocks")
    >>> state = task.initial_state
    >>> action = task.valid_actions(state)[0]
    >>> successor = task.apply(state, action)
    >>> task.is_valid(successor, action)
    False
    """
    def __new__(
        cls,
        domain: Domain,
        problem: Problem,
        *,
        determinize: str | None = None,
        limits: LimitsLike = None,
        settings: str | None = None,
        title: str | None = None,
    ) -> Self: ...
    @property
    def determinize(self) -> str | None:
        """The determinization of probabilistic effects: None, "most-likely" or "all-outcomes"."""
    @property
    def ground_atoms(self) -> tuple[Atom, ...]:
        """The ground atoms by id: a tuple of Atom. Fluent atoms come first, then derived ones, then those that are always true.
        Unreachable atoms are left out. Observations of mode ``bits`` have the same order.
        """
    @property
    def static_atoms(self) -> tuple[Atom, ...]:
        """The atoms that are true in every state: a tuple of Atom."""
    @property
    def ground_actions(self) -> tuple[Action, ...]:
        """The ground actions by id: a tuple of Action, ordered by the declarations of operators, then of objects. Unreachable
        actions, which are never valid, are left out.
        """
    def atom(self, atom: _Atom | SupportsIndex) -> Atom:
        """Returns the atom given by an id, a text such as ``"(on a b)"``, a tuple such as ``("on", "a", "b")``, or an Atom.

        Raises
        ------
        UnknownNameError
            If the task has no such atom, or no state can have it.
        """
    def action(self, action: Action | str | SupportsIndex) -> Action:
        """Returns the action given by an id, a text such as ``"(stack a b)"``, or an Action.

        Raises
        ------
        UnknownNameError
            If the task has no such action, or no reachable state allows it; the message says why.
        """
    def _unpack(self, bytes: bytes) -> State:
        """Rebuilds a pickled state from bytes."""
    def arrays(self) -> GroundArrays:
        """Returns the facts, operators and axioms as NumPy arrays: a `herbrand.ground_arrays.GroundArrays`."""
    def state_space(
        self,
        states: Iterable[State] | None = None,
        *,
        max_states: int = 1_000_000,
        symmetry: bool = False,
        limits: LimitsLike = None,
        time: float | str | None = None,
        memory: float | str | None = None,
    ) -> StateSpace[State]:
        """Explores the state space, breadth first. A number that no condition, effect or goal reads keeps its first value if each
        action changes it by a constant amount, so that states that differ only in it are one state. The costs follow the
        metric.

        Parameters
        ----------
        states : iterable of State, optional
            The states to begin with; by default the initial states.
        max_states : int, default 1000000
            The number of states after which no further state is expanded.
        symmetry : bool, default False
            Whether states that differ only by an exchange of interchangeable objects are one state, the first one found. Distances and
            dead ends stay the same, but a step may lead to a state with other objects in the same roles.
        limits : Limits or mapping, optional
            Limits for the exploration. If a limit is reached, no exception is raised: `StateSpace.limit` reports it.
        time, memory : float or str, optional
            Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.

        Returns
        -------
        herbrand.state_space.StateSpace
            States and transitions as arrays, with distances, dead ends and components.

        Raises
        ------
        StepError
            If an action or the initial state has too many outcomes.

        Examples
        --------
        >>> import herbrand
        >>> space = herbrand.load("river", "train/01").state_space()
        >>> space.complete, len(space), int(space.dead_ends.sum())
        (True, 9, 1)
        """
    def _state_of_row(self, bits: list[int], numbers: list[float]) -> State:
        """Returns the state with these words of fluent atoms, and these numbers."""
    def plan(
        self,
        state: State | None = None,
        *,
        planner: PlannerName = "landmarks",
        seed: int = 0,
        limits: LimitsLike = None,
        determinize: Literal["all-outcomes", "most-likely"] = "all-outcomes",
        time: float | str | None = None,
        memory: float | str | None = None,
        on_plan: Callable[[Plan], object] | None = None,
    ) -> Plan:
        """Searches for a plan from a state to the goal.

        Parameters
        ----------
        state : State, optional
            The start state; by default the initial state without its probabilistic part.
        planner : str, default "landmarks"
            One of `planners`, or a name of Fast Downward's searches such as ``"lama-first"``. The ``astar`` planners find
            optimal plans; ``"anytime"`` searches for cheaper and cheaper plans until a limit is reached or the plan is
            optimal.
        seed : int, default 0
            The seed for breaking ties; 0 breaks them by the order in the text.
        limits : Limits or mapping, optional
            Limits for the search. If a limit is reached, no exception is raised: `Plan.outcome` reports it.
        determinize : {"all-outcomes", "most-likely"}
            How probabilistic effects are made deterministic: the plan may choose among all outcomes of an action, or assumes
            the most likely one.
        time, memory : float or str, optional
            Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
        on_plan : callable, optional
            For ``"anytime"``, is called with each `Plan` as soon as it is found, while the search for a cheaper one continues. An
            exception in it ends the search.

        Returns
        -------
        Plan
            The plan and the statistics of the search; falsy if there is no plan.

        Examples
        --------
        >>> import herbrand
        >>> task = herbrand.load("blocks")
        >>> plan = task.plan(planner="astar-lmcut")
        >>> state = task.initial_state
        >>> for action in plan:
        ...     state = task.apply(state, action)
        >>> state.is_goal, plan.proven_optimal
        (True, True)
        """
    def policy(
        self,
        planner: PolicyPlannerName = "policy-iteration",
        *,
        state: State | None = None,
        seed: int = 0,
        iterations: int = 1000,
        rollouts: int | None = None,
        determinize: Literal["all-outcomes", "most-likely"] = "all-outcomes",
        limits: LimitsLike = None,
        time: float | str | None = None,
        memory: float | str | None = None,
        on_progress: Callable[[int], object] | None = None,
    ) -> Policy:
        """Computes a policy for a probabilistic task: an action for each state.

        Parameters
        ----------
        planner : str, default "policy-iteration"
            ``"policy-iteration"``, ``"value-iteration"`` and ``"lao"`` compute optimal policies: they maximize the
            probability of reaching the goal, then minimize the mean cost of the runs that reach it. ``"uct"`` and
            ``"replan"`` plan before each action, for tasks of any size. `policy_planners` lists the names.
        state : State, optional
            The start state; by default the initial states with their probabilities.
        seed : int, default 0
            The seed for the samples of ``"uct"`` and the tie-breaking of ``"replan"``.
        iterations : int, default 1000
            The number of walks that ``"uct"`` samples before each action.
        rollouts : int, optional
            With a number, ``"uct"`` evaluates each new state by this many random roll-outs up to the goal; from 64 on, they are
            made together. By default, it evaluates a state by the length of a relaxed plan.
        determinize : {"all-outcomes", "most-likely"}
            How ``"replan"`` makes probabilistic effects deterministic.
        limits : Limits or mapping, optional
            Limits for computing the policy, by default a minute and four gibibytes; ``Limits()`` sets none. Each decision of
            ``"uct"`` and ``"replan"`` has a limit of ten seconds and one gibibyte.
        time, memory : float or str, optional
            Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
        on_progress : function, optional
            Called about once a second with the number of states enumerated so far; 0 if the planner enumerates none.

        Returns
        -------
        Policy

        Raises
        ------
        LimitError
            If a limit is reached, with the number of states enumerated.

        Examples
        --------
        >>> import herbrand
        >>> task = herbrand.load("river", "train/01")
        >>> policy = task.policy()
        >>> policy.optimal, 0 < policy.goal_probability <= 1
        (True, True)
        >>> policy.action(task.initial_state) in task.valid_actions(task.initial_state)
        True
        >>> runs = policy.simulate(200, seed=1)
        >>> abs(runs.goal_probability - policy.goal_probability) < 0.2
        True
        """
    def valid_action_ids(self, state: State) -> list[int]:
        """Returns the ids of the valid actions of a state: an ascending list of int."""

@final
class LiftedState(_PlanningState[LiftedTask]):
    """A state of a `LiftedTask`: the changeable atoms that are true, including derived ones, and the values of numeric fluents.

    A state is an immutable value: it can be hashed, compared and pickled. States come from a task:
    `LiftedTask.initial_state`, `LiftedTask.apply`, `LiftedTask.state`.
    """
    @property
    def atoms(self) -> frozenset[Atom]:
        """The changeable atoms that are true: a frozenset of Atom."""

@final
class LiftedTask(_PlanningTask[LiftedState, Action | str, _Atom]):
    """A planning problem that the lifted engine steps without grounding it.

    It gives the same answers as a `Task` and makes the same random draws. It computes valid actions from the operators and
    the true atoms of one state at a time. It is ready at once and needs memory for the state only, whereas a `Task`
    enumerates all atoms and actions first; in return each step takes longer. Atoms and actions have no numbers.

    Parameters
    ----------
    domain : Domain
    problem : Problem
    limits : Limits or mapping, optional
        Limits for compiling, and again for each step.
    settings : str, optional
        The text of an ``env.toml``. Its ``[render]`` section defines how states are drawn.
    title : str, optional
        The title of pictures; by default the names of domain and problem.

    Raises
    ------
    GroundingError
        If axioms are not stratified.
    LimitError
        If a limit is reached.

    Examples
    --------
    >>> import herbrand
    >>> task = herbrand.load("blocks", "test/01", engine="lifted")
    >>> state = task.initial_state
    >>> action = task.valid_actions(state)[0]
    >>> successor = task.apply(state, action)
    >>> task.is_valid(successor, action)
    False
    """
    def __new__(
        cls,
        domain: Domain,
        problem: Problem,
        *,
        limits: LimitsLike = None,
        settings: str | None = None,
        title: str | None = None,
    ) -> Self: ...

@final
class Generator:
    """A generator of problems of a bundled domain, each with a plan.

    Use `herbrand.generate` and `herbrand.generate_suite` to create problems and suites.

    Parameters
    ----------
    domain : str
        The name of a bundled domain. If a domain has levels, each level has its own generator.

    Raises
    ------
    UnknownNameError
        If the domain does not exist.

    Examples
    --------
    >>> import herbrand
    >>> generator = herbrand.Generator("blocks")
    >>> generator.size_meaning
    'blocks'
    """
    def __new__(cls, domain: str) -> Self: ...
    @staticmethod
    def domains() -> list[str]:
        """Returns the names of the domains with a generator, in alphabetical order."""
    @property
    def domain(self) -> str:
        """The name of the domain."""
    @property
    def size_meaning(self) -> str:
        """A short description of the quantity that the size counts."""
    @property
    def sizes(self) -> tuple[int, int]:
        """The smallest and the largest size."""
    def draw(self, size: int, seed: int, index: int) -> tuple[str, str, list[str]]:
        """Generates problem number `index` for a seed and a size; returns its name, its PDDL, and the steps of a plan."""

@final
class Datalog:
    """A Datalog program with stratified negation, evaluated bottom-up.

    A clause is ``heads :- body.`` with atoms, ``not`` atoms, ``=`` and ``!=``. A clause without body and variables is a
    fact. Names that begin with a capital letter or ``_`` are variables. All other names, numbers and ``"quoted text"`` are
    symbols. ``%`` starts a comment.

    Parameters
    ----------
    text : str
        The rules and facts.

    Raises
    ------
    DatalogError
        If the text is not Datalog, a rule is unsafe, or negation is cyclic.

    Examples
    --------
    >>> import herbrand
    >>> program = herbrand.Datalog('''
    ...     path(X, Y) :- edge(X, Y).
    ...     path(X, Z) :- edge(X, Y), path(Y, Z).
    ... ''')
    >>> program.run({"edge": [("a", "b"), ("b", "c")]})["path"]
    [('a', 'b'), ('b', 'c'), ('a', 'c')]
    """
    def __new__(cls, text: str) -> Self: ...
    def run(
        self,
        facts: Mapping[str, Iterable[Iterable[str | int]]] | None = None,
        *,
        limits: LimitsLike = None,
    ) -> dict[str, list[tuple[str, ...]]]:
        """Returns all facts derivable from the program's facts and the given ones.

        Parameters
        ----------
        facts : mapping from str to iterables of tuples, optional
            Additional facts by relation. Symbols are strings or integers.
        limits : Limits or mapping, optional
            Limits for the evaluation.

        Returns
        -------
        dict from str to lists of tuples of str
            The tuples of each relation in order of discovery. The key is the name of the relation, or ``name/arity`` if
            relations of different arity have the same name.

        Raises
        ------
        DatalogError
            If a limit is reached.
        TypeError
            If a fact is not a tuple of strings and integers.
        """
    @property
    def strata(self) -> list[list[str]]:
        """The strata in the order of evaluation: a list of lists of rules as text."""

@final
class Suite:
    """A domain with its environment settings and an ordered list of problems. Problems are compiled on first use.

    `herbrand.suite` creates suites from names, paths, texts or objects.
    """
    @staticmethod
    def bundled_horizon(name: str) -> int | None:
        """Returns the horizon of the bundled domain `name`, or None. Reads only its settings."""
    @staticmethod
    def bundled_names() -> list[str]:
        """Returns the names of all bundled domains in alphabetical order; a domain with levels has one name per level."""
    @staticmethod
    def bundled(name: str, operators: bool = False) -> list[Suite]:
        """Returns the suites of the bundled domain `name`. For a domain with levels these are all levels, or the named level."""
    @staticmethod
    def collected(name: str, folders: list[str], python: str | None = None, operators: bool = False) -> Suite:
        """Returns the suite of problems in a collection, such as "pddlgym:sokoban". `folders` are the places of packages, and
        `python` is the interpreter that is asked for others.
        """
    @staticmethod
    def from_folder(name: str, files: list[tuple[str, str, bytes]], operators: bool = False) -> list[Suite]:
        """Returns the suites of a folder's files, given as triples of relative path, name in messages, and text."""
    @staticmethod
    def from_texts(
        name: str,
        domain: tuple[str, str | bytes],
        config: tuple[str, str | bytes] | None,
        problems: list[tuple[str | None, str, str, str | bytes]],
        operators: bool = False,
        limits: tuple[float | None, int | None] = (None, None),
        chosen: list[int] | None = None,
        read: Domain | None = None,
    ) -> Suite:
        """Creates the suite of a domain and problems. Texts have the names of their files; problems also have their split and
        their name. With `read`, the domain is not parsed again, and problems are read leniently if it was. With `chosen`, these problems define the numbers of actions
        and atoms, and the suite contains the problems at the given indices.
        """
    @property
    def name(self) -> str:
        """The name of the suite."""
    @property
    def description(self) -> str:
        """A description of the domain in one sentence; may be empty."""
    @property
    def horizon(self) -> int | None:
        """The number of steps after which an episode is truncated; None for never."""
    @property
    def operators(self) -> bool:
        """Whether the operators are the agent's actions, whatever the domain declares."""
    @property
    def agent_actions(self) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """The agent's declared actions: a tuple of pairs (name, names of the parameters). None if the operators are the
        actions.
        """
    @property
    def settings(self) -> str | None:
        """The text of the environment settings; None if there are none."""
    @property
    def carriers(self) -> tuple[tuple[str, str, tuple[int | str, ...]], ...] | None:
        """The assignment of operators to the agent's actions: a tuple of triples (operator, action, arguments) in the order of
        the actions. Each argument is the index of a parameter of the operator, or the name of a constant. None if the
        operators are the actions.
        """
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems, prefixed with the split if there is one: ``"test/03"``."""
    def split(self, part: str) -> Suite:
        """Returns the suite of one split: ``"train"`` or ``"test"``. It is empty if no problem is in the split.

        Raises
        ------
        ValueError
            If `part` is neither.
        """
    def select(self, problem: str | SupportsIndex | slice | Iterable[str | SupportsIndex]) -> Suite:
        """Returns the suite of some problems, in this order.

        Parameters
        ----------
        problem : str, int, slice, or an iterable of str and int
            Names (``"03"``, ``"test/03"``), or indices from 0. Negative indices count from the end.

        Raises
        ------
        UnknownNameError
            If there is no such problem.
        """
    def index(self, problem: str) -> int:
        """Returns the index, from 0, of the problem with a name.

        Raises
        ------
        UnknownNameError
            If there is no such problem.
        """
    def parse_problem(self, index: int) -> Problem:
        """Parses the problem at `index`, counted from 0. Each call returns a new object.

        Raises
        ------
        ParseError
            If the text is invalid.
        UnknownNameError
            If there is no such problem.
        """
    def task(self, index: int) -> Task:
        """Returns the task of the problem at `index`, counted from 0, compiled on first use.

        Raises
        ------
        ParseError
            If the text of the problem is invalid.
        LimitError
            If a limit is reached.
        UnknownNameError
            If there is no such problem.
        """
    def lifted_task(self, index: int) -> LiftedTask:
        """Returns the lifted task of the problem at `index`, compiled on first use."""
    def with_limits(self, limits: LimitsLike) -> Suite:
        """Returns the same problems with limits for compiling each of them.

        Parameters
        ----------
        limits : Limits or mapping, optional
            Limits for compiling a problem, and with the lifted engine for each step.
        """
    def with_ids(self, ids: str) -> Suite:
        """Returns the same problems with another numbering of actions and atoms.

        Parameters
        ----------
        ids : {"problem", "suite"}
            Whether each problem has its own numbers, or all problems share them.
        """
    @property
    def ids(self) -> str:
        """The numbering of actions and atoms: "problem" or "suite"."""
    @property
    def limits(self) -> tuple[float | None, int | None]:
        """The limits for compiling a problem: seconds and bytes, None for no limit."""
    def observed(self, engine: str, observation: str, part: str) -> ObservedProblems:
        """Combines the problems with an observation mode, to create environments.

        Parameters
        ----------
        engine : {"grounded", "sliced", "lifted", "automatic"}
        observation : str
        part : {"all", "changing"}
        """
    @property
    def hides_atoms(self) -> bool:
        """Whether a table `[observe]` of `env.toml` hides atoms."""
    @property
    def state_functions(self) -> list[str]:
        """The names of the numeric functions that are part of the state: operators change them, and a condition, a goal or an
        effect reads them.
        """
    @property
    def graph_sizes(self) -> tuple[int, int, int]:
        """The numbers of types and of predicates, and the largest arity. They determine the labels of graphs."""
    def plan(self, index: int) -> str | None:
        """Returns the stored plan of the problem at `index` of a bundled domain: PDDL actions, one per line. None if there is
        no stored plan.
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, problem: slice) -> Suite: ...
    @overload
    def __getitem__(self, problem: str | SupportsIndex) -> Problem: ...
    def __iter__(self) -> Iterator[Problem]: ...
    def _repr_html_(self) -> str:
        """Returns the name, the number of problems, and a picture of the initial state of the first one, for notebooks."""

@final
class NamedSteps:
    """The step function of `herbrand.rddl.RddlEnv` if both actions and observations are dicts."""
    def __new__(
        cls,
        env: EnvCore,
        actions: list[tuple[str, dict[str, int] | None]],
        seen: list[tuple[str, str]],
    ) -> Self: ...
    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes an action; returns a tuple (observation, reward, terminated, truncated, info)."""

class EnvSnapshot:
    """A snapshot of an environment: everything that determines its future, except the actions. It can be pickled, and restored
    by any environment over the same problems.
    """
    def __new__(cls, packed: bytes) -> Self: ...

@final
class Target:
    """A hidden domain, with problems to evaluate models on. A model is a pair of integers, for preconditions and effects.

    `herbrand.pddlworld.target` creates targets.
    """
    def __new__(
        cls,
        domain: tuple[str, str | bytes],
        problems: Sequence[tuple[str, str | bytes]],
        walks: tuple[int, int, int],
    ) -> Self: ...
    @staticmethod
    def light_switch_texts() -> tuple[tuple[str, str], list[tuple[str, str]]]:
        """Returns the texts of the light switch: name and text of its domain, and of each problem."""
    @property
    def name(self) -> str:
        """The name of the domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems."""
    @property
    def operators(self) -> list[tuple[str, list[str], list[str]]]:
        """The operators: a list of tuples of name, parameters, and the atoms allowed in their clauses."""
    @property
    def integers(self) -> tuple[int, int]:
        """The target as a pair of integers."""
    @property
    def empty(self) -> tuple[int, int]:
        """The model without any literal."""
    def read(self, domain: str) -> tuple[int, int]:
        """Returns the model of a PDDL domain with the same operators and predicates."""
    def to_pddl(self, model: tuple[int, int]) -> str:
        """Returns a model as a domain in PDDL."""
    def table(self, model: tuple[int, int]) -> str:
        """Returns a model as a table of operators and literals, with their signs in precondition and effect."""
    def distance(self, model: tuple[int, int]) -> int:
        """Returns the number of signs in which a model differs from the target."""
    def agreement(self, model: tuple[int, int]) -> float:
        """Returns the share of pairs of state and ground action in which a model behaves like the target."""
    def witness(
        self, model: tuple[int, int]
    ) -> tuple[str, str, list[str], list[str] | None, list[str] | None, str] | None:
        """Returns a state in which a model differs from the target, or None if there is no such state.

        It is a tuple of problem, action, the true atoms, the atoms after the action in the model and in the target (None if
        the action is not applicable), and a sentence.
        """
    def verdict(self, model: tuple[int, int], problem: int, most_states: int) -> str:
        """Plans a problem with a model, and returns the outcome: "solved", "inapplicable", "missed", "no-plan", "exhausted" or
        "no-goal".
        """
    def predictions(self, model: tuple[int, int]) -> tuple[int, int]:
        """Returns the numbers of bits observed on random walks that a model predicts correctly, and incorrectly."""
    def edits(self, model: tuple[int, int], other: tuple[int, int]) -> str:
        """Returns the edits that lead from one model to another, in the format of `herbrand.edits`, as JSON."""
    def literals(self, model: tuple[int, int]) -> list[tuple[str, str, str, str]]:
        """Returns the signs of a model that are not absent: a list of tuples of "precondition" or "effect", operator, atom, and
        "positive" or "negative".
        """
    def observed(
        self,
        observation: str,
        start: str | int | tuple[int, int],
        actions: str,
        queries: bool,
        rewards: Sequence[tuple[str, float]],
        ends: Sequence[str],
        horizon: int | None,
        most_states: int,
    ) -> ObservedProblems:
        """Creates the environment problems of this target with an observation mode: "bits", "integers", or "pixels" with a size."""

@final
class ObservedProblems:
    """Problems of any language with an observation mode, from which environments are created."""
    @property
    def name(self) -> str:
        """The name of the set of problems."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems."""
    @property
    def engine(self) -> str | None:
        """The engine in use: "grounded", "sliced" or "lifted"; None for a language with a single engine."""
    @property
    def action_fields(self) -> list[tuple[str, str, int | float, int | float]]:
        """The fields of an action: a list of tuples (name, "discrete", "int" or "real", lowest value, highest value)."""
    @property
    def is_discrete(self) -> bool:
        """Whether an action is an int, the number of an alternative of the only field. Otherwise it has one number per field."""
    @property
    def rule_count(self) -> int:
        """The number of rules that a step may violate and still be taken, such as the action preconditions of RDDL."""
    @property
    def mask_len(self) -> int:
        """The number of elements of an action mask."""
    @property
    def has_constant_mask(self) -> bool:
        """Whether the action mask is the same in every state of every problem because every action is valid."""
    @property
    def observation_fields(self) -> list[tuple[str, list[int], float, float]]:
        """The parts of observations that are arrays, in order: a list of tuples (name, shape, lowest value, highest value)."""
    @property
    def shape(self) -> list[int]:
        """The shape of observations that are arrays."""
    @property
    def dtype(self) -> str:
        """The element type of observations: "int8", "int64", "float32" or "float64"; "uint8" for bytes that are not bits. The
        engine returns "uint8" data as int8 arrays; view them as uint8.
        """
    def __len__(self) -> int: ...

def balloon(flights: int) -> ObservedProblems:
    """Creates balloon flights seen through a noisy altimeter. Flight ``i`` starts with ``10 (i + 1)`` units of gas."""

def grid_worlds(name: str, maps: str) -> ObservedProblems:
    """Creates grid worlds from the drawings of maps. Observations are the row and the column of the robot."""

@final
class EnvCore:
    """The engine of `herbrand.BaseEnv`."""
    def __new__(
        cls,
        problems: ObservedProblems,
        horizon: int | str | None,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
    ) -> Self: ...
    def reset(self, seed: int | None, problem: int | None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode; returns a pair (observation, info)."""
    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action; returns a tuple (observation, reward, terminated, truncated, info)."""
    def sample(self, exact: bool = False) -> Any:
        """Draws a valid action: an int, or an array of float64 with one number per field. In a dead end it is 0, or all
        defaults; a step there changes nothing, whatever the action. If `exact`, the array is int64 instead, and numbers of
        real fields are bits of float64.
        """
    def mask(self) -> NDArray[np.int8]:
        """Returns the mask of valid alternatives: an array of int8."""
    def valid_actions(self) -> NDArray[np.int64]:
        """Returns the valid alternatives in ascending order: an array of int64."""
    @property
    def problem_index(self) -> int | None:
        """The index of the current problem; None before the first reset."""
    @property
    def elapsed(self) -> int:
        """The number of steps of the current episode."""
    def facts(self) -> list[tuple[str, str, tuple[str, ...], bool | int | float | str]]:
        """Returns the facts of the current state as tuples (kind, name, arguments, value). The kind is "static", "fluent",
        "derived" or "observed"; the value is a bool, int, float or str.
        """
    def svg(self, theme: str) -> str:
        """Returns the picture of the current state as SVG. `theme` is "light", "dark" or "auto"."""
    def image(self, theme: str, size: tuple[int, int] | None) -> NDArray[np.uint8]:
        """Returns the picture of the current state: an array of uint8, (height, width, 3). `size` is height and width; by
        default the picture's own size.
        """
    def state(self, task: Task | LiftedTask | RddlTask) -> Any:
        """Returns the current state as a state of a task of the current problem."""
    def set_state(
        self, task: Task | LiftedTask | RddlTask, state: State | LiftedState | RddlState
    ) -> tuple[Any, dict[str, Any]]:
        """Moves to a state of a task of the current problem; returns a pair (observation, info)."""
    def save(self) -> EnvSnapshot:
        """Returns a snapshot of everything that determines the future, except the actions."""
    def restore(self, saved: EnvSnapshot) -> None:
        """Restores a snapshot."""
    def copy(self) -> EnvCore:
        """Returns an independent copy in the same state, with equal random streams."""
    def action_name(self, action: SupportsIndex | str | ArrayLike) -> str:
        """Returns the text of an action of the current problem. If actions have several fields, it shows all fields that the
        action sets.
        """
    def action_id(self, text: str) -> int:
        """Returns the number of the current problem's action with this text."""
    def atom_name(self, index: SupportsIndex) -> str:
        """Returns the PDDL of the atom of one bit of the observations of the current problem."""
    @property
    def last_operator(self) -> str | None:
        """The operator that carried out the last step, as PDDL; None if there is none."""
    def explain(self, action: SupportsIndex | str) -> Explanation:
        """Explains why an action is or is not valid in the current state; returns an `Explanation`. Of an action that no
        reachable state allows, it has no failures, and its text says why.
        """
    @property
    def violated(self) -> list[int]:
        """The indices of the action preconditions that the last step violated."""
    def missing(self) -> tuple[str, ...]:
        """Returns the unmet literals of the goal. Of a disjunctive goal: those of the disjunct with the fewest."""

_Arrays = tuple[Any, ...]

@final
class VecCore:
    """The engine of `herbrand.BaseVecEnv`."""
    def __new__(
        cls,
        problems: ObservedProblems,
        count: int,
        autoreset: str,
        threads: int,
        horizon: int | str | None,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
        private: bool,
        packed_masks: bool,
        statistics: bool,
    ) -> Self: ...
    @property
    def sizes(self) -> tuple[int, int, int]:
        """The widths of the observation, the mask as bytes and the action of one environment."""
    def reset(self, seed: int | None, arrays: _Arrays) -> None:
        """Starts an episode in every environment."""
    def reset_some(self, which: NDArray[np.bool_], arrays: _Arrays) -> None:
        """Starts an episode in the environments that `which` marks."""
    def step(self, actions: NDArray[Any], arrays: _Arrays) -> tuple[bool, dict[str, NDArray[Any]] | None]:
        """Takes an action in every environment: numbers of alternatives, int64 of shape (environments,), or float64 of shape
        (environments, fields).

        Returns whether an episode ended, and the statistics of the ended episodes; None if no episode ended or statistics are off.
        They are a dict of arrays with one element per environment: "r" the sum of rewards, "l" the number of steps, "t" the
        seconds. Other environments have 0.
        """
    def step_sampled(self, actions: NDArray[Any], arrays: _Arrays) -> tuple[bool, dict[str, NDArray[Any]] | None]:
        """Takes a random valid step in every environment, and writes the actions; returns the same as `step`."""
    def collect(
        self, steps: int, actions: NDArray[Any], arrays: _Arrays
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Takes `steps` random valid steps in every environment, and writes all of them and the actions. Arrays have `steps`
        rows per environment, grouped by environment. Returns the returns and lengths of the episodes that ended, empty if
        statistics are off.
        """
    def sample(self, actions: NDArray[Any]) -> None:
        """Draws a valid action for every environment, and writes it to `actions`."""
    def violated(self, into: NDArray[np.bool_]) -> None:
        """Marks the rules that the last step of each environment violated: an array of bool, (environments, rules)."""
    def problem_indexes(self) -> list[int | None]:
        """Returns the problem index of each environment; None before the first reset."""

@final
class ExperienceCore:
    """Observed transitions over problems of one domain."""
    @staticmethod
    def explore(
        suite: Suite,
        episodes: int,
        horizon: int,
        seed: int,
        policy: str,
        limits: LimitsLike = None,
    ) -> ExperienceCore:
        """Runs a random policy on the problems of a suite and records the transitions."""
    @staticmethod
    def record(
        domain: Domain,
        suite: Suite | None,
        transitions: Iterable[tuple[Problem, Any, Any, Any]],
        limits: LimitsLike = None,
    ) -> ExperienceCore:
        """Converts transitions given as tuples of problem, state, action and next state. The actions are the agent's actions of
        a suite, or the operators of a domain.
        """
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the transitions."""
    def __len__(self) -> int: ...
    def transition(self, index: int) -> tuple[int, tuple[Atom, ...], Action, tuple[Atom, ...] | None]:
        """Returns the transition at an index."""
    def learn(self, learner: str, limits: LimitsLike = None) -> LearnedCore:
        """Learns a model with a learner."""

@final
class LearnedCore:
    """A learned model."""
    @staticmethod
    def from_domain(domain: Domain, seen: ExperienceCore) -> LearnedCore:
        """Wraps a model from another learner."""
    @property
    def domain(self) -> Domain:
        """The learned domain."""
    @property
    def actions(self) -> dict[str, str]:
        """Maps each operator of the learned domain to the action that it carries out."""
    @property
    def omitted(self) -> dict[str, str]:
        """Maps each action without an operator to the reason."""
    def predict(self, seen: ExperienceCore, limits: LimitsLike = None) -> tuple[int, int, int, int, float]:
        """Evaluates predictions; returns the numbers of transitions, of wrong, unsound and missed ones, and the error."""
    def distance(self, suite: Suite, seen: ExperienceCore, limits: LimitsLike = None) -> float:
        """Returns the mean total variation distance to the true model."""
    def solve(
        self, suite: Suite, planner: str, seed: int, limits: LimitsLike
    ) -> list[tuple[str, Literal["works", "refused", "misses", "unsolvable", "gave-up"]]]:
        """Returns the verdict on each problem of a suite, by name."""

_Ground = tuple[str, str, Union[list[str], None], Union[int, float]]

@final
class RddlSuite:
    """An RDDL domain with an ordered list of its instances. Instances are compiled on first use.

    `herbrand.suite` creates suites from names, paths or texts.
    """
    @staticmethod
    def bundled_horizon(name: str) -> int | None:
        """Returns the horizon of the instances of the bundled environment `name`; None if they have different ones."""
    @staticmethod
    def bundled_names() -> list[str]:
        """Returns the names of the bundled environments in alphabetical order: ``"rddl/cartpole-continuous"``."""
    @staticmethod
    def bundled(name: str) -> RddlSuite:
        """Returns the bundled environment `name`."""
    @staticmethod
    def collected(
        name: str, folders: list[str], python: str | None = None, limits: LimitsLike = None
    ) -> RddlSuite:
        """Returns the suite of a problem in a collection, such as "rddlrepository:Elevators_MDP_ippc2011". `folders` are the
        places of packages, and `python` is the interpreter that is asked for others.
        """
    @staticmethod
    def from_texts(
        files: Sequence[tuple[str, str | bytes]], name: str | None = None, limits: LimitsLike = None
    ) -> RddlSuite:
        """Creates the suite of the texts of one domain and its instances, given as pairs of file name and text. A file called
        ``env.toml`` has the settings. The default name is that of the domain.
        """
    @property
    def name(self) -> str:
        """The name of the suite: ``"rddl/cartpole-continuous"``, or the name of the domain or the folder."""
    @property
    def settings(self) -> str | None:
        """The text of the settings in ``env.toml``; None if there are none."""
    @property
    def description(self) -> str:
        """A description of the domain in one sentence; may be empty."""
    @property
    def domain_name(self) -> str:
        """The name of the domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the instances."""
    @property
    def preconditions(self) -> str:
        """The effect of violated action preconditions: ``"reported"``, ``"refused"``, ``"replaced"`` or ``"ignored"``."""
    def with_preconditions(self, preconditions: str) -> RddlSuite:
        """Returns the same suite with another effect of violated action preconditions: ``"reported"``, ``"refused"``, which
        makes the action invalid, ``"replaced"`` by no action, or ``"ignored"``.
        """
    def with_limits(self, limits: LimitsLike) -> RddlSuite:
        """Returns the same suite with limits for compiling each instance."""
    def select(self, problem: str | SupportsIndex | slice | Iterable[str | SupportsIndex]) -> RddlSuite:
        """Returns the suite of some instances, in this order.

        Parameters
        ----------
        problem : str, int, slice, or an iterable of str and int
            Names, or indices from 0. Negative indices count from the end.
        """
    def select_all(self, problems: str | SupportsIndex | slice | Iterable[str | SupportsIndex]) -> RddlSuite:
        """Returns the suite of several instances, like `select`."""
    def index(self, problem: str) -> int:
        """Returns the index of the instance with a name."""
    def task(self, index: int = 0) -> RddlTask:
        """Returns the task of the instance at `index`. It shares the suite's compiled instance."""
    def observed(self, observation: str = "fluents", limit: int | None = None) -> ObservedProblems:
        """Combines the instances with an observation mode and a form of actions.

        The observation is "fluents" (a double per fluent), "narrowest" (a byte per fluent if all are bools, else doubles) or
        pixels. Actions have one field per ground action fluent. If `limit` is given, they are numbers of joint actions, at
        most `limit` of them.
        """
    def action_fluents(self, index: int = 0) -> list[_Ground]:
        """Returns the ground action fluents of an instance: tuples of name, range, the items of the range if it is a type, and
        the default as a number.
        """
    def seen_fluents(self, index: int = 0) -> list[_Ground]:
        """Returns the ground fluents in observations, in order: tuples as in `action_fluents`, with the initial value of a
        state fluent instead of the default.
        """
    def max_nondef_actions(self, index: int = 0) -> int | None:
        """Returns the number of ground action fluents that may differ from their defaults at once; None if there is no limit."""
    def horizon(self, index: int = 0) -> int | None:
        """Returns the number of steps after which an episode is truncated; None for never."""
    def discount(self, index: int = 0) -> float:
        """Returns the discount per step."""
    def domain_rddl(self) -> str:
        """Returns the domain as RDDL."""
    def instance_rddl(self, index: int = 0) -> str:
        """Returns an instance as RDDL, with its block of non-fluents."""
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str:
        """Returns the name, the number of instances, and a picture of the initial state of the first one, for notebooks."""

_RddlValue = Union[bool, int, float, str]
_RddlAction = Union[Mapping[str, Any], None]
_RddlStepped = tuple[
    RddlState, float, bool, bool, list[int], dict[str, _RddlValue], dict[str, _RddlValue]
]

@final
class RddlState(Mapping[str, _RddlValue]):
    """A state of an RDDL task: a value for each ground state fluent. It is an immutable mapping from names to values: bools,
    ints, floats, and the names of objects and enum values.

    States of one task are equal if their values are equal, and can be keys of dicts.
    """
    @property
    def task(self) -> RddlTask:
        """The task of the state."""
    def __getitem__(self, name: str) -> _RddlValue: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def to_dict(self) -> dict[str, _RddlValue]:
        """Returns the values as a dict."""
    def replaced(self, values: Mapping[str, Any]) -> RddlState:
        """Returns a copy with other values for some fluents, given by name.

        Raises
        ------
        UnknownNameError
            If there is no such state fluent.
        InvalidActionError
            If a value is not in the range of its fluent.
        """
    def __hash__(self) -> int: ...
    def svg(self, theme: Literal["auto", "light", "dark"] = "auto") -> str:
        """Returns the picture of the state as SVG, drawn by ``[render]`` in the domain's ``env.toml`` or by a generic layout.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            ``"auto"`` follows the preference of the reader's browser.
        """
    def image(
        self, size: tuple[int, int] | None = None, *, theme: Literal["light", "dark", "auto"] = "light"
    ) -> NDArray[np.uint8]:
        """Returns the picture of the state as pixels: an array of uint8, (height, width, 3).

        Parameters
        ----------
        size : (int, int), optional
            Height and width; by default the picture's own size.
        theme : {"light", "dark"}
        """
    def _repr_svg_(self) -> str:
        """Returns the picture for notebooks."""

@final
class RddlTask:
    """An RDDL instance as a transition system.

    Its methods are functions of a `RddlState` and an action, a mapping from names of ground action fluents
    (``"push___cart1"``) to values. Missing fluents have their defaults. `herbrand.load` creates tasks.
    """
    @property
    def suite(self) -> RddlSuite:
        """The suite of this single instance."""
    @property
    def domain_name(self) -> str:
        """The name of the domain."""
    @property
    def name(self) -> str:
        """The name of the instance in its text."""
    @property
    def horizon(self) -> int | None:
        """The number of steps after which an episode is truncated; None for never."""
    @property
    def discount(self) -> float:
        """The discount per step."""
    @property
    def max_nondef_actions(self) -> int | None:
        """The number of ground action fluents that may differ from their defaults at once; None if there is no limit."""
    @property
    def is_partially_observed(self) -> bool:
        """Whether agents observe observ fluents instead of the state."""
    @property
    def initial_state(self) -> RddlState:
        """The initial state of episodes."""
    def initial_states(self) -> list[tuple[float, RddlState]]:
        """Returns the distribution of initial states: a list of one pair (1.0, state), since every episode starts in the same state."""
    def sample_initial(self, rng: Random | None = None) -> RddlState:
        """Returns the initial state. `rng` is not used."""
    def seed(self, seed: int) -> None:
        """Reseeds the task's own random generator."""
    def state(self, values: Mapping[str, Any]) -> RddlState:
        """Returns the initial state with other values for some fluents, given by name.

        Raises
        ------
        UnknownNameError
            If there is no such state fluent.
        InvalidActionError
            If a value is not in the range of its fluent.
        """
    @property
    def no_action(self) -> dict[str, _RddlValue]:
        """The default of each ground action fluent, by name."""
    def sample_action(self, state: RddlState, rng: Random | None = None) -> dict[str, _RddlValue] | None:
        """Draws a joint action uniformly from the valid ones: a dict of the fluents that differ from their defaults. Returns
        None if no joint action is valid and preconditions refuse steps.
        """
    @property
    def samples_exactly(self) -> bool:
        """Whether random joint actions are drawn exactly uniformly from the valid ones. If not, they are drawn within bounds
        until one is valid, or by a Markov chain where valid ones are rare.
        """
    def count_actions(self, state: RddlState) -> float | None:
        """Returns the number of joint actions that are valid in a state, including the empty one. Valid actions have values
        within ranges, respect ``max_nondef_actions``, and violate no precondition. Returns infinity if a fluent can take
        infinitely many values, and None if there are too many to count.
        """
    def valid_actions(self, state: RddlState, limit: int = 10_000) -> list[dict[str, Any]] | None:
        """Returns the joint actions that are valid in a state: for each, a dict of the fluents that differ from their defaults.
        Returns None if there are more than `limit`, or `count_actions` does not know their number.
        """
    def is_valid(self, state: RddlState, action: _RddlAction = None) -> bool:
        """Returns whether an action is valid in a state, as counted by `count_actions`: whether it sets at most
        ``max_nondef_actions`` fluents, each to a value in its range, and violates no precondition unless they are ignored.

        Raises
        ------
        StepError
            If a condition cannot be computed.
        UnknownNameError
            If there is no such action fluent.
        """
    def violated(self, state: RddlState, action: _RddlAction = None) -> list[int]:
        """Returns the indices, from 0, of the action preconditions that an action would violate; empty if it
        violates none. Indices of state-action constraints follow those of preconditions. Nothing is changed.

        Raises
        ------
        InvalidActionError
            If the action sets too many fluents, or a value is not in the range of its fluent.
        StepError
            If a condition cannot be computed.
        UnknownNameError
            If there is no such action fluent.
        """
    def status(self, state: RddlState) -> tuple[bool, bool]:
        """Returns whether a termination condition is true in a state, and whether the state violates a state
        invariant: two bools. If a condition cannot be computed, both are False.
        """
    def sample(
        self, state: RddlState, action: _RddlAction = None, rng: Random | None = None
    ) -> tuple[RddlState, float]:
        """Draws a successor; returns a pair (state, reward). `step` returns more.

        Raises
        ------
        InvalidActionError, StepError
            As by `step`.
        """
    def distribution(
        self, state: RddlState, action: _RddlAction, fluent: str
    ) -> list[tuple[_RddlValue, float]]:
        """Returns the exact distribution of a ground state fluent after a step: pairs of value and probability.

        Raises
        ------
        StepError
            If the fluent depends on a draw with infinitely many results.
        """
    def outcomes(
        self, state: RddlState, action: _RddlAction = None, *, limit: int = 100_000
    ) -> list[tuple[float, RddlState, float, dict[str, _RddlValue]]]:
        """Returns all possible results of a step: tuples of probability, state, reward, and the values of observ fluents. It
        tries at most `limit` combinations of draws.

        Raises
        ------
        StepError
            If a draw has infinitely many results, or if there are more combinations.
        """
    def step(
        self,
        state: RddlState,
        action: _RddlAction = None,
        rng: Random | None = None,
        quantile: float | None = None,
    ) -> RddlStep:
        """Takes a step and returns a `herbrand.rddl.model.RddlStep`.

        Random draws come from `rng`, by default the task's own generator. If `quantile`, between 0 and 1, is given, every
        draw takes that quantile of its distribution.

        Raises
        ------
        InvalidActionError
            If the action sets too many fluents, or violates a precondition and preconditions refuse steps.
        StepError
            If a value cannot be computed.
        """
    def _step(
        self,
        state: RddlState,
        action: _RddlAction = None,
        rng: Random | None = None,
        quantile: float | None = None,
    ) -> _RddlStepped:
        """Like `step`, but returns a plain tuple."""
    @property
    def model(self) -> RddlModel:
        """The contents of the task as Python data: a `herbrand.rddl.model.RddlModel`."""
    def values(self, pvariable: str) -> list[_RddlValue] | None:
        """Returns the values of all ground variables of a pvariable in row-major order: the values of a non-fluent, the initial
        values of a state fluent, or the defaults of an action fluent. None for other kinds.
        """
    def action_bounds(self) -> list[tuple[str, float, float]]:
        """Returns the name, the lowest and the highest value of each ground action fluent; infinite if unbounded."""
    def state_bounds(self) -> list[tuple[str, float, float]]:
        """Returns the name, the lowest and the highest value of each numeric ground state fluent, as restricted by state
        invariants; infinite if unbounded.
        """
    def state_space(
        self,
        states: Iterable[RddlState] | None = None,
        *,
        max_states: int = 1_000_000,
        max_joint_actions: int = 65_536,
        max_outcomes: int = 65_536,
        limits: LimitsLike = None,
        time: float | str | None = None,
        memory: float | str | None = None,
    ) -> StateSpace[RddlState]:
        """Explores the state space, breadth first: an explicit Markov decision process.

        Parameters
        ----------
        states : iterable of RddlState, optional
            The states to begin with; by default the initial state.
        max_states : int, default 1000000
            The number of states after which no further state is expanded.
        max_joint_actions, max_outcomes : int
            The greatest number of joint actions, and of combinations of draws in a step.
        limits : Limits or mapping, optional
            Limits for the exploration. If a limit is reached, no exception is raised: `StateSpace.limit` reports it.
        time, memory : float or str, optional
            Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.

        Returns
        -------
        herbrand.state_space.StateSpace
            States and transitions as arrays. No state is a goal.

        Raises
        ------
        StepError
            If a step has infinitely many outcomes or too many.
        HerbrandError
            If the joint actions cannot be numbered.
        """
    def _state_of_row(self, bits: list[int], numbers: list[float]) -> RddlState:
        """Returns the state with these words of bools, and these other values."""
    def plan(self, state: RddlState | None = None, **options: Unpack[RddlPlannerOptions]) -> RddlPlan:
        """Computes an open-loop plan from a state (by default the initial one), by a `RddlPlanner` with these options: a
        `herbrand.rddl.planning.RddlPlan`.
        """
    def bounds(
        self,
        steps: int | None = None,
        *,
        between: tuple[float, float] | None = None,
        mean: bool = False,
        actions: Mapping[str, tuple[float, float]] | None = None,
        states: Mapping[str, tuple[float, float]] | None = None,
    ) -> dict[str, Any]:
        """Computes interval bounds of all fluents and of the return over `steps` steps (by default the horizon, or 100).

        They hold for all actions, unless `actions` bounds action fluents by name. `states` bounds state fluents before the
        first step. By default draws range over the supports of their distributions. With `between` they lie between two
        quantiles; with `mean` they are the means of their distributions.

        Returns a dict. ``"fluents"`` maps names to lists of pairs of lower and upper bound, one per step; names of state
        fluents after a step have a prime. ``"reward"`` is a list of such pairs. ``"total"`` is the pair for the discounted
        return. ``"steps"`` is the number of steps, which is lower than requested if every episode ends earlier.
        """
    def network(self, *, ground: bool = False, of: str | None = None) -> dict[str, Any]:
        """Returns the dynamic Bayes net of the domain's pvariables, or with `ground` of the instance's ground fluents. With
        `of` it is restricted to the ancestors of a fluent.

        It is a dict of ``"nodes"``, pairs of name and role, and ``"edges"``, pairs of the indices of a node and of a node
        that depends on it.
        """
    def draw_network(self, *, ground: bool = False, of: str | None = None) -> str:
        """Draws the result of `network` as SVG."""
    def diagram(self, of: str, *, limit: int = 20_000, draw: bool = False) -> str:
        """Returns the CPF of a fluent (or ``"reward"``, ``"terminal"``, ``"precondition 1"``) as an extended algebraic decision
        diagram, as text or drawn as SVG.

        Raises
        ------
        HerbrandError
            If it needs an array, or if an intermediate diagram has more than `limit` nodes.
        """
    def _repr_svg_(self) -> str:
        """Returns the picture of the initial state for notebooks."""

@final
class RddlPlanner:
    """A planner for an RDDL task. It computes open-loop plans, once or again in every state, or decides by lookahead
    search.

    Parameters
    ----------
    task : RddlTask
    planner : {"cross-entropy", "random-shooting", "gradient", "auto", "uct"}
        Plans are sampled, or improved by the gradient of their returns over relaxed steps. ``"auto"`` alternates both, each
        starting from the best plan so far. ``"uct"`` samples walks before each action; it needs joint actions that can be
        numbered: without reals, and with two bounds of each int.
    lookahead : int, optional
        The number of steps of a plan; by default the horizon, or 100 if that is infinite.
    candidates : int, optional
        The number of plans sampled per iteration (default 256), or of plans improved in parallel (default 8). Ignored by
        ``"auto"``, which uses these defaults, and by ``"uct"``.
    iterations : int, optional
        The number of rounds of sampling (default 10) or of gradient steps (default 200), of turns of ``"auto"`` (default 8),
        or of walks that UCT samples before each action (default 1,000). With `time`, the default of rounds and gradient
        steps is as many as fit into it.
    scenarios : int
        The number of different random draws on which each plan is evaluated.
    time : float, optional
        The time in seconds after which no further iteration starts, for a plan or for one call of `act`.
    sharpness : float, optional
        The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones. By default 10, to which
        ``"gradient"`` rises from 1.
    rate : float
        The step size of the gradient.
    risk : str
        The objective over the returns of the scenarios: ``"mean"``; ``"entropic:B"`` or ``"mean-variance:B"`` with an
        aversion B; ``"cvar:F"``, the mean of the worst fraction F. Ignored by ``"uct"``.
    t_norm : {"product", "godel", "lukasiewicz"}
        The conjunction of truth degrees in relaxed steps.
    relaxations : dict, optional
        For ``"gradient"``, smooth functions for single operators such as ``"less"``, as `herbrand.rddl.planning` describes.
    exploration : float
        The weight of exploration in UCT, relative to the range of the returns seen so far.
    leaf : {"random", "idle"}
        How UCT evaluates a new state: by one walk to the end with random actions, or with no actions.
    enforced : bool
        Whether a plan that violates an action precondition is worse than all others, as in the shell (default True). UCT
        excludes such actions. If False, such steps are taken in spite of the violation.
    seed : int
    """
    def __new__(cls, task: RddlTask, **options: Unpack[RddlPlannerOptions]) -> Self: ...
    @property
    def task(self) -> RddlTask:
        """The task."""
    @property
    def planner(self) -> RddlPlannerName:
        """The name of the planner."""
    def plan(self, state: RddlState | None = None) -> RddlPlan:
        """Computes a plan from a state (by default the initial one): a `herbrand.rddl.planning.RddlPlan`. UCT returns its
        decisions along one sampled future; in stochastic tasks, use `act` instead.
        """
    def act(self, state: RddlState) -> dict[str, _RddlValue]:
        """Returns the first action of a plan from a state, or UCT's decision. The search results are reused in the next
        state.
        """
    def begin(self) -> None:
        """Discards the stored search results. Call it at the start of an episode."""
    def evaluate(self, episodes: int = 10, *, steps: int | None = None, seed: int = 0) -> tuple[float, float]:
        """Returns the mean discounted return of episodes from the initial state with all actions chosen by `act`, and its
        standard error.
        """

@final
class RddlPolicy:
    """A policy network from state fluents to action fluents, trained by gradient ascent on the return over relaxed steps.
    Training keeps the weights with the best return over real steps.

    Parameters
    ----------
    task : RddlTask
    hidden : sequence of int
        The sizes of the hidden layers.
    lookahead : int, optional
        The number of steps that are differentiated; by default the horizon, or 100 if that is infinite.
    batch : int
        The number of rollouts per gradient.
    iterations : int
        The number of gradient steps.
    time : float, optional
        The time in seconds after which no further gradient step starts.
    rate : float
        The step size.
    sharpness : float
        The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
    risk : str
        The objective over the returns of a batch, as of `RddlPlanner`.
    t_norm : {"product", "godel", "lukasiewicz"}
        The conjunction of truth degrees in relaxed steps.
    seed : int
    """
    def __new__(
        cls,
        task: RddlTask,
        *,
        hidden: Sequence[int] = ...,
        lookahead: int | None = None,
        batch: int = 16,
        iterations: int = 300,
        time: float | None = None,
        rate: float = 0.01,
        sharpness: float = 10.0,
        risk: str = "mean",
        t_norm: TNormName = "product",
        seed: int = 0,
    ) -> Self: ...
    @property
    def task(self) -> RddlTask:
        """The task."""
    @property
    def sizes(self) -> list[int]:
        """The sizes of the layers, inputs first."""
    @property
    def weights(self) -> NDArray[np.float64]:
        """All weights, layer by layer: for each output the weights of all inputs, then the biases of the outputs."""
    def act(self, state: RddlState) -> dict[str, _RddlValue]:
        """Returns the action in a state: the fluents that differ from their defaults."""
    def evaluate(
        self, episodes: int = 100, *, steps: int | None = None, seed: int = 0
    ) -> tuple[float, float]:
        """Returns the mean discounted return of episodes from the initial state, and its standard error."""

@final
class RelaxedStep:
    """A differentiable relaxation of a step for several lanes, for networks in PyTorch and similar libraries. Bools are
    numbers between 0 and 1.

    Parameters
    ----------
    task : RddlTask
    lanes : int
        The number of steps computed in parallel.
    sharpness : float
        The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
    """
    def __new__(cls, task: RddlTask, lanes: int, *, sharpness: float = 10.0, t_norm: TNormName = "product") -> Self: ...
    @property
    def task(self) -> RddlTask:
        """The task."""
    @property
    def lanes(self) -> int:
        """The number of steps computed in parallel."""
    @property
    def state_names(self) -> list[str]:
        """The names of the columns of state arrays."""
    @property
    def action_names(self) -> list[str]:
        """The names of the columns of action arrays."""
    def initial(self) -> NDArray[np.float64]:
        """Returns the initial state in every lane."""
    def forward(
        self, states: NDArray[np.float64], actions: NDArray[np.float64], *, seed: int = 0, step: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Takes a step in every lane, with the random draws of step number `step` of the environments of a seed. Returns
        the next states, the rewards, and for each lane the degree from 0 to 1 to which it has terminated. Arrays of
        states and actions have one row per lane and one column per fluent.
        """
    def backward(
        self,
        states: NDArray[np.float64],
        actions: NDArray[np.float64],
        by_next: NDArray[np.float64],
        by_rewards: NDArray[np.float64],
        by_ends: NDArray[np.float64],
        *,
        seed: int = 0,
        step: int = 0,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the gradients with respect to states and actions, given the gradients with respect to the three results
        of `forward`.
        """
