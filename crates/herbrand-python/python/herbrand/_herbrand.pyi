"""The engine of the package `herbrand`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from os import PathLike
from typing import Any, Literal, SupportsIndex, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, Unpack

from . import model
from .errors import Diagnostic, Explanation
from .explore import Seen
from .limits import LimitsLike
from .planning import Plan, PlannerName, PolicyPlannerName, PolicyRuns
from .rddl.model import RddlModel, RddlStep
from .rddl.planning import RddlPlan, RddlPlannerName, RddlPlannerOptions

__version__: str

_Atom = Atom | str | tuple[str, ...]

def run_command(arguments: list[str]) -> int:
    """Runs the program with these arguments, of which the first is its name, and returns its exit status. It reads and
    writes the standard streams of the process, not those of `sys`.
    """

def walk_rddl(paths: list[str | PathLike[str]], steps: int, seed: int) -> tuple[int, int, str | None]:
    """Reads, checks and compiles the one domain and the one instance that these files define together, and takes `steps` steps
    with sampled joint actions, from the initial state again where an episode ends.
    """

def defined_name(text: str | bytes, kind: Literal["domain", "problem"]) -> str | None:
    """The name of the domain or problem that a text defines, in lower case; None if it defines none. `kind` is "domain" or "problem"."""
def seconds_of(text: str) -> float:
    """The seconds of a duration such as "10s" or "1m 30s"; without a unit, seconds."""
def bytes_of(text: str) -> int:
    """The bytes of a size such as "500MB" or "2GiB"; without a unit, bytes."""
def edit_problem(problem: Problem, edits: str, rules: str) -> Problem:
    """The problem after a batch of edits, given as JSON, under rules, given as JSON."""

def problem_difference(problem: Problem, other: Problem) -> str | None:
    """The edits that lead from one problem to another, as JSON; None where edits cannot say the difference."""

def edit_schema(domain: Domain) -> str:
    """The JSON Schema of lists of edits of a domain's problems."""

def edit_lines(text: str, edits: str, textual: bool) -> str:
    """The text of a problem after edits of its lines, given as JSON."""

def typed_lines(edits: str) -> str:
    """Edits of lines as typed edits, both as JSON."""

def explore_game(
    setting: str,
    game: int,
    world: object | None,
    reader: Callable[[str], str] | None,
    execution: str,
    mode: str,
    retries: int,
    planner: str,
    watch: Callable[[str], bool | None] | None,
) -> str:
    """Plays a game and gives its record as JSON. `world` is an object that answers in tuples, None for the bundled world;
    `reader` a function from JSON to JSON, None for the rules; `watch` hears of each event, as JSON, and ends the game by
    False.
    """

class NativeWorld:
    """The games of a setting: generated problems of ``coin-collector`` or ``cooking-world``, told in text.

    Parameters
    ----------
    setting : {"coin", "cooking-easy", "cooking-hard"}

    Raises
    ------
    ValueError
        When there is no such setting.
    """
    def __new__(cls, setting: Literal["coin", "cooking-easy", "cooking-hard"]) -> Self: ...
    @property
    def task(self) -> str:
        """What the player is told to do."""
    @property
    def limit(self) -> int:
        """How many commands a player has."""
    def begin(self, game: int) -> Seen:
        """Begins a game anew; the same number is the same game."""
    def step(self, command: str) -> Seen:
        """Carries out a command."""
    def commands(self) -> list[str]:
        """The commands that do something now."""

@final
class BeliefCore:
    """What is known of a problem that is seen in part."""
    def __new__(cls, problem: Problem, rules: str) -> Self: ...
    def observe(self, name: str, statements: str) -> str:
        """Takes in an observation, given as JSON; the edits that it came to, as JSON."""
    def truth(self, atom: str) -> bool | None:
        """Whether a fact holds; None if that is not known."""
    def source(self, atom: str) -> str | None:
        """The name of the observation that said so."""
    @property
    def placeholders(self) -> list[str]:
        """The names of the placeholders."""
    @property
    def problem(self) -> Problem:
        """What is known, as a problem in which everything else is false."""

@final
class Random:
    """A seeded random generator: the same draws for one seed on every platform.

    Parameters
    ----------
    seed : int, default 0
        From 0 to 2**64 - 1.
    """
    def __new__(cls, seed: int = 0) -> Self: ...
    def stream(self, number: int) -> Random:
        """The independent generator number `number` of this one, a function of its state and the number."""
    def below(self, bound: int) -> int:
        """A number below `bound`, each with the same probability; 0 when `bound` is."""

@final
class Atom:
    """A ground atom, such as ``(on a b)``: a value, compared by its names.

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
        """The one that a text writes as PDDL does; the parentheses may be missing."""
    @property
    def predicate(self) -> str:
        """The name."""
    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments: a tuple of strings."""
    @property
    def id(self) -> int | None:
        """Its number in the task that it comes from; None if it was made by hand."""
    def as_tuple(self) -> tuple[str, ...]:
        """Name and arguments in one tuple of strings."""
    def __hash__(self) -> int: ...
    def __lt__(self, other: Atom) -> bool: ...
    def __le__(self, other: Atom) -> bool: ...
    def __gt__(self, other: Atom) -> bool: ...
    def __ge__(self, other: Atom) -> bool: ...

@final
class Action:
    """A ground action, such as ``(stack a b)``: a value, compared by its names.

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
        """The one that a text writes as PDDL does; the parentheses may be missing."""
    @property
    def name(self) -> str:
        """The name."""
    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments: a tuple of strings."""
    @property
    def id(self) -> int | None:
        """Its number in the task that it comes from; None if it was made by hand."""
    def as_tuple(self) -> tuple[str, ...]:
        """Name and arguments in one tuple of strings."""
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
        PDDL or PPDDL that defines one domain, or the path of a file of it: a `pathlib.Path`, or a str without
        parentheses and line breaks.
    name : str, optional
        What the text is called in messages; the path of a file, or else ``"domain"``.
    lenient : bool, default False
        Whether faults that leave one obvious reading are warnings (`diagnostics`), in this text and in those of its problems: a missing
        or surplus parenthesis, a word or list outside of any section, an argument of the wrong type.

    Raises
    ------
    ParseError
        With all faults of the text.
    OSError
        When a file cannot be read.

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
        """The requirement flags, as declared: a tuple of strings such as ":strips"."""
    @property
    def types(self) -> tuple[model.Type, ...]:
        """The types, in order of declaration: a tuple of `herbrand.model.Type`; the first is "object"."""
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
        """What its text is called in messages; None if it was built."""
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built, or is that of a suite."""
    def is_subtype(self, name: str, ancestor: str) -> bool:
        """Whether the type `name` is `ancestor` or a kind of it."""
    def to_pddl(self) -> str:
        """The domain as PDDL in canonical form; reading it gives an equal domain."""
    def __hash__(self) -> int: ...

@final
class Problem:
    """A planning problem of a domain: objects, initial state, goal, metric.

    Parameters
    ----------
    text : str, bytes or path
        PDDL or PPDDL that defines one problem, or the path of a file of it: a `pathlib.Path`, or a str without
        parentheses and line breaks.
    domain : Domain
        The domain that it belongs to.
    name : str, optional
        What the text is called in messages; the path of a file, or else ``"problem"``.

    Raises
    ------
    ParseError
        With all faults of the text.
    OSError
        When a file cannot be read.
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
        """The objects, the domain's constants first: a tuple of `herbrand.model.Object`."""
    @property
    def init(self) -> tuple[Atom, ...]:
        """The atoms that are initially true, in the order written: a tuple of Atom."""
    @property
    def values(self) -> tuple[tuple[model.FunctionTerm, float], ...]:
        """The values that functions have initially: a tuple of pairs (`herbrand.model.FunctionTerm`, float)."""
    @property
    def chances(self) -> tuple[model.InitialChance, ...]:
        """What chance adds to the initial state: a tuple of `herbrand.model.InitialChance`."""
    @property
    def goal(self) -> model.Formula | None:
        """The goal, a formula of `herbrand.model`; None when the problem states none."""
    @property
    def goal_reward(self) -> float | None:
        """The reward for reaching the goal; None when it is not stated."""
    @property
    def metric(self) -> model.Metric | None:
        """The metric, a `herbrand.model.Metric`; None when it is not stated."""
    @property
    def text(self) -> str | None:
        """The text that it was read from; None if it was built."""
    @property
    def file(self) -> str | None:
        """What its text is called in messages; None if it was built."""
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built, or is that of a suite."""
    def to_pddl(self) -> str:
        """The problem as PDDL in canonical form; reading it gives an equal problem."""
    def __hash__(self) -> int: ...

@final
class State:
    """A state of a task: the set of atoms that are true, in the order of their ids, and the values of its numbers.

    A state is an immutable value: it can be hashed, compared and pickled. It is a set of `Atom`, derived and static
    ones included, with the operations of `collections.abc.Set`; those that make a set give a frozenset. Atoms can be
    written as PDDL or as tuples: ``"(on a b)" in state``, ``("on", "a", "b") in state``.

    States come from a `Task`: `Task.initial_state`, `Task.apply`, `Task.state`.
    """
    @property
    def task(self) -> Task:
        """The task that it is a state of."""
    @property
    def changing(self) -> tuple[Atom, ...]:
        """The atoms that are true and can change, derived ones included, in ascending order of their ids: a tuple of
        Atom.
        """
    def changes(self, previous: State) -> tuple[list[int], list[int]]:
        """What became true and what became false since another state of the same task, derived atoms included: two
        lists of ids, ascending.

        Raises
        ------
        ValueError
            When the other state belongs to another task.
        """
    @property
    def numbers(self) -> dict[str, float]:
        """The values of the numeric fluents that are defined: a dict from PDDL, such as ``"(fuel truck)"``, to float."""
    @property
    def is_goal(self) -> bool:
        """Whether the goal holds."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Atom]: ...
    def __contains__(self, atom: _Atom) -> bool: ...
    def __hash__(self) -> int: ...
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
    def svg(self, theme: Literal["auto", "light", "dark"] = "auto", *, egocentric: bool = False) -> str:
        """The picture of the state as SVG, as ``[render]`` in the domain's ``env.toml`` says or in a general way.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            ``"auto"`` is light or dark as the reader's browser prefers.
        egocentric : bool
            Whether only what is around the agent is drawn, where ``[render]`` says by ``eye`` what that is.
        """
    def image(
        self,
        size: tuple[int, int] | None = None,
        *,
        theme: Literal["light", "dark", "auto"] = "light",
        egocentric: bool = False,
    ) -> NDArray[np.uint8]:
        """The picture of the state as pixels: an array of uint8, (height, width, 3).

        Parameters
        ----------
        size : (int, int), optional
            Height and width; as large as the picture is if left out.
        theme : {"light", "dark"}
        egocentric : bool
            As for `svg`.
        """
    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""

@final
class Policy:
    """What to do in each state of a task with chance. `Task.policy` makes policies."""
    @property
    def task(self) -> Task:
        """The task."""
    @property
    def planner(self) -> str:
        """The planner that made it."""
    @property
    def goal_probability(self) -> float | None:
        """The probability that the goal is ever reached; None if the policy does not know."""
    @property
    def expected_cost(self) -> float | None:
        """What is paid on average where the goal is reached; None if the policy does not know, or never reaches the goal."""
    @property
    def optimal(self) -> bool:
        """Whether no policy has a higher probability of the goal, and none with this probability a lower cost."""
    def action(self, state: State) -> Action | None:
        """The action to take in a state; None where the policy gives up, or has nothing to do."""
    def evaluate(self, *, limits: LimitsLike = None) -> tuple[float, float | None]:
        """Works out what the policy comes to, from all states that it reaches.

        Parameters
        ----------
        limits : Limits or mapping, optional
            What that may take.

        Returns
        -------
        tuple of float and (float or None)
            The probability of the goal, and what is paid on average where it is reached.

        Raises
        ------
        LimitError
            When a limit is reached.
        """
    def simulate(
        self, runs: int = 100, *, horizon: int = 1000, seed: int = 0, limits: LimitsLike = None
    ) -> PolicyRuns:
        """Runs the policy many times.

        Parameters
        ----------
        runs : int, default 100
        horizon : int, default 1000
            A run without the goal ends after so many steps.
        seed : int, default 0
            What chance draws.
        limits : Limits or mapping, optional
            What all runs together may take.

        Returns
        -------
        PolicyRuns

        Raises
        ------
        LimitError
            When a limit is reached.
        """

@final
class Task:
    """A ground planning problem: its states and how actions change them.

    Parameters
    ----------
    domain : Domain
    problem : Problem
    determinize : {None, "most-likely", "all-outcomes"}
        How chance is resolved. ``"most-likely"``: every draw takes its most likely alternative, the first on ties.
        ``"all-outcomes"``: every outcome of an operator ``toss`` becomes an operator of its own, ``toss-1``,
        ``toss-2`` and so on.
    limits : Limits or mapping, optional
        What grounding may take.
    settings : str, optional
        The text of an ``env.toml``, of which ``[render]`` says how states are drawn.
    title : str, optional
        What pictures are called; the names of domain and problem when left out.

    Raises
    ------
    ConfigError
        When the settings do not fit the domain.
    GroundingError
        When axioms are not stratified.
    LimitError
        When a limit is reached.

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
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problem(self) -> Problem:
        """The problem."""
    @property
    def settings(self) -> str | None:
        """The text of the settings that say how states are drawn; None if there are none."""
    @property
    def title(self) -> str:
        """What pictures of the states are called."""
    @property
    def determinize(self) -> str | None:
        """How chance is resolved: None, "most-likely" or "all-outcomes"."""
    @property
    def ground_atoms(self) -> tuple[Atom, ...]:
        """The ground atoms by id: a tuple of Atom. Fluent ones first, then derived ones, then those that always hold.
        Atoms that no sequence of actions can make true are not among them. Observations of mode ``bits`` have the
        same order.
        """
    @property
    def static_atoms(self) -> tuple[Atom, ...]:
        """The atoms that hold in every state: a tuple of Atom."""
    @property
    def ground_actions(self) -> tuple[Action, ...]:
        """The ground actions by id, in order of declaration of the operators and then of the objects: a tuple of
        Action. Actions that no sequence of actions can make valid are not among them.
        """
    @property
    def initial_state(self) -> State:
        """The initial state as the problem states it, without what chance adds."""
    def atom(self, atom: _Atom | SupportsIndex) -> Atom:
        """The atom that an id, a text such as ``"(on a b)"``, a tuple such as ``("on", "a", "b")`` or an Atom means."""
    def action(self, action: Action | str | SupportsIndex) -> Action:
        """The action that an id, a text such as ``"(stack a b)"`` or an Action means."""
    def initial_states(self) -> list[tuple[float, State]]:
        """The distribution of initial states: a list of pairs (probability, State), more than one where chance has a
        part in them.
        """
    def sample_initial(self, rng: Random | None = None) -> State:
        """An initial state, drawn.

        Parameters
        ----------
        rng : Random, optional
            The task's own generator if left out.
        """
    def state(
        self, atoms: Iterable[_Atom | SupportsIndex], numbers: Mapping[str, float | None] | None = None
    ) -> State:
        """The state in which exactly these atoms are true.

        Parameters
        ----------
        atoms : iterable of Atom, tuple of str, str or int
            Atoms by object, as a tuple ``("on", "a", "b")``, by PDDL, or by id; a `State` and an observation of mode
            ``atoms`` are such iterables. Derived and static atoms among them are passed over: they follow from the others.
        numbers : mapping from str to float or None, optional
            Values of numeric fluents by their PDDL; None makes one undefined. Others are as in the initial state.

        Raises
        ------
        UnknownNameError
            When one of them is not an atom or number of the task.
        """
    def _unpack(self, bytes: bytes) -> State:
        """The state that pickling wrote as bytes."""
    def valid_actions(self, state: State) -> list[Action]:
        """The actions that are valid in a state: a list of Action in ascending order of their ids."""
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
    ) -> Plan:
        """Looks for a plan from a state to the goal.

        Parameters
        ----------
        state : State, optional
            The initial state as the problem states it if left out.
        planner : str, default "landmarks"
            One of `planners`. Those that begin with ``astar`` find cheapest plans; ``"anytime"`` goes on to cheaper ones
            until a limit is reached or no plan is cheaper.
        seed : int, default 0
            How ties are broken; 0 takes them in the order of the text.
        limits : Limits or mapping, optional
            What the search may take. A search that reaches a limit raises nothing: its outcome says so.
        determinize : {"all-outcomes", "most-likely"}
            How chance is resolved: the plan may choose among all outcomes of an action, or counts on the most likely one.
        time, memory : float or str, optional
            Replace the fields of `limits`: ``time=10``, ``memory="2GiB"``.

        Returns
        -------
        Plan
            The plan and what the search took; false when there is none.

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
        determinize: Literal["all-outcomes", "most-likely"] = "all-outcomes",
        limits: LimitsLike = None,
        time: float | str | None = None,
        memory: float | str | None = None,
    ) -> Policy:
        """Makes a policy for a task with chance: what to do in each state.

        Parameters
        ----------
        planner : str, default "policy-iteration"
            ``"policy-iteration"`` and ``"lao"`` make best policies: with the highest probability of the goal, and of these the
            one that pays least on average where the goal is reached. ``"uct"`` and ``"replan"`` think before each action,
            for tasks of any size. `policy_planners` lists the names.
        state : State, optional
            Where it starts. If left out: in the initial states, with their probabilities.
        seed : int, default 0
            What ``"uct"`` draws, and how ``"replan"`` breaks ties.
        iterations : int, default 1000
            How many walks ``"uct"`` samples before an action.
        determinize : {"all-outcomes", "most-likely"}
            How ``"replan"`` resolves chance for its plans.
        limits : Limits or mapping, optional
            What making the policy may take. Each decision of ``"uct"`` and ``"replan"`` may take ten seconds and a gibibyte.
        time, memory : float or str, optional
            Replace the fields of `limits`: ``time=10``, ``memory="2GiB"``.

        Returns
        -------
        Policy

        Raises
        ------
        LimitError
            When a limit is reached.

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
        """The ids of the actions that are valid in a state: a list of int, ascending."""
    def is_valid(self, state: State, action: Action | str | SupportsIndex) -> bool:
        """Whether an action is valid in a state."""
    def sample_action(self, state: State, rng: Random | None = None) -> Action | None:
        """A valid action, each with the same probability; None in a dead end."""
    def apply(self, state: State, action: Action | str | SupportsIndex) -> State:
        """The successor by an action without chance.

        Raises
        ------
        InvalidActionError
            When the action is not valid; its message names the first condition that fails.
        StepError
            When the action has chance in it (see `outcomes` and `sample`), or a numeric effect has no result.
        """
    def outcomes(self, state: State, action: Action | str | SupportsIndex) -> list[tuple[float, State, float]]:
        """The distribution of successors.

        Returns
        -------
        list of tuples (probability, state, reward)
            Probabilities are positive and sum to 1; equal successors are merged.

        Raises
        ------
        InvalidActionError
            When the action is not valid.
        StepError
            When there are too many outcomes, or a numeric effect has no result.
        """
    def sample(
        self, state: State, action: Action | str | SupportsIndex, rng: Random | None = None
    ) -> tuple[State, float]:
        """A successor, drawn: a pair (state, reward).

        Parameters
        ----------
        state : State
        action : Action, str or int
        rng : Random, optional
            The task's own generator if left out.
        """
    def seed(self, seed: int) -> None:
        """Starts the task's own generator anew."""
    def is_goal(self, state: State) -> bool:
        """Whether the goal holds in a state."""
    def explain(self, state: State, action: Action | str | SupportsIndex) -> Explanation:
        """Why an action is or is not valid in a state: an `Explanation`."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str:
        """The picture of the initial state, for notebooks."""

@final
class LiftedState:
    """A state of a `LiftedTask`: the atoms that are true and can change, derived ones included, and the values of its
    numbers.

    A state is an immutable value: it can be hashed, compared and pickled. States come from a task:
    `LiftedTask.initial_state`, `LiftedTask.apply`, `LiftedTask.state`.
    """
    @property
    def task(self) -> LiftedTask:
        """The task that it is a state of."""
    @property
    def atoms(self) -> frozenset[Atom]:
        """The atoms that are true and can change: a frozenset of Atom."""
    @property
    def changing(self) -> tuple[Atom, ...]:
        """The atoms that are true and can change, fluent ones first and derived ones after them, each by predicate and objects:
        a tuple of Atom.
        """
    @property
    def numbers(self) -> dict[str, float]:
        """The values of the numeric fluents that are defined: a dict from PDDL, such as ``"(fuel truck)"``, to float."""
    @property
    def is_goal(self) -> bool:
        """Whether the goal holds."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Atom]: ...
    def __contains__(self, atom: _Atom) -> bool: ...
    def __hash__(self) -> int: ...
    def svg(self, theme: Literal["auto", "light", "dark"] = "auto", *, egocentric: bool = False) -> str:
        """The picture of the state as SVG, as ``[render]`` in the domain's ``env.toml`` says or in a general way.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            ``"auto"`` is light or dark as the reader's browser prefers.
        egocentric : bool
            Whether only what is around the agent is drawn, where ``[render]`` says by ``eye`` what that is.
        """
    def image(
        self,
        size: tuple[int, int] | None = None,
        *,
        theme: Literal["light", "dark", "auto"] = "light",
        egocentric: bool = False,
    ) -> NDArray[np.uint8]:
        """The picture of the state as pixels: an array of uint8, (height, width, 3).

        Parameters
        ----------
        size : (int, int), optional
            Height and width; as large as the picture is if left out.
        theme : {"light", "dark"}
        egocentric : bool
            As for `svg`.
        """
    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""

@final
class LiftedTask:
    """A planning problem that is stepped without grounding, by the lifted engine.

    It has the answers of a `Task` and makes the same draws, one state at a time: what is valid is found from the domain's
    rules and the atoms that hold. It begins at once and takes memory for the state alone, where a `Task` has to number all
    atoms and actions first; then it takes longer for each step. Atoms and actions have no numbers.

    Parameters
    ----------
    domain : Domain
    problem : Problem
    limits : Limits or mapping, optional
        What compiling may take, and each step by itself.
    settings : str, optional
        The text of an ``env.toml``, of which ``[render]`` says how states are drawn.
    title : str, optional
        What pictures are called; the names of domain and problem when left out.

    Raises
    ------
    GroundingError
        When axioms are not stratified.
    LimitError
        When a limit is reached.

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
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problem(self) -> Problem:
        """The problem."""
    @property
    def settings(self) -> str | None:
        """The text of the settings that say how states are drawn; None if there are none."""
    @property
    def title(self) -> str:
        """What pictures of the states are called."""
    @property
    def initial_state(self) -> LiftedState:
        """The initial state as the problem states it, without what chance adds."""
    def initial_states(self) -> list[tuple[float, LiftedState]]:
        """The distribution of initial states: a list of pairs (probability, LiftedState)."""
    def sample_initial(self, rng: Random | None = None) -> LiftedState:
        """An initial state, drawn.

        Parameters
        ----------
        rng : Random, optional
            The task's own generator if left out.
        """
    def state(self, atoms: Iterable[_Atom], numbers: Mapping[str, float | None] | None = None) -> LiftedState:
        """The state in which exactly these atoms are true.

        Parameters
        ----------
        atoms : iterable of Atom, tuple of str, or str
            Derived and static atoms among them are passed over: they follow from the others.
        numbers : mapping from str to float or None, optional
            Values of numeric fluents by their PDDL; None makes one undefined. Others are as in the initial state.

        Raises
        ------
        UnknownNameError
            When one of them names no atom or number of the problem.
        """
    def valid_actions(self, state: LiftedState) -> list[Action]:
        """The actions that are valid in a state: a list of Action, in order of declaration of the operators and then of the
        objects.
        """
    def is_valid(self, state: LiftedState, action: Action | str) -> bool:
        """Whether an action is valid in a state."""
    def sample_action(self, state: LiftedState, rng: Random | None = None) -> Action | None:
        """A valid action, each with the same probability; None in a dead end."""
    def apply(self, state: LiftedState, action: Action | str) -> LiftedState:
        """The successor by an action without chance.

        Raises
        ------
        InvalidActionError
            When the action is not valid; its message names the first condition that fails.
        StepError
            When the action has several outcomes (see `outcomes` and `sample`), or a numeric effect has no result.
        """
    def outcomes(self, state: LiftedState, action: Action | str) -> list[tuple[float, LiftedState, float]]:
        """The distribution of successors.

        Returns
        -------
        list of tuples (probability, state, reward)
            Probabilities are positive and sum to 1; equal successors are merged.

        Raises
        ------
        InvalidActionError
            When the action is not valid.
        StepError
            When there are too many outcomes, or a numeric effect has no result.
        """
    def sample(
        self, state: LiftedState, action: Action | str, rng: Random | None = None
    ) -> tuple[LiftedState, float]:
        """A successor, drawn: a pair (state, reward).

        Parameters
        ----------
        state : LiftedState
        action : Action or str
        rng : Random, optional
            The task's own generator if left out.
        """
    def seed(self, seed: int) -> None:
        """Starts the task's own generator anew."""
    def is_goal(self, state: LiftedState) -> bool:
        """Whether the goal holds in a state."""
    def explain(self, state: LiftedState, action: Action | str) -> Explanation:
        """Why an action is or is not valid in a state: an `Explanation`."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str:
        """The picture of the initial state, for notebooks."""

@final
class Generator:
    """Makes problems of a bundled domain, of any size, each with a plan that solves it.

    `herbrand.generate` makes suites and problems with it.

    Parameters
    ----------
    domain : str
        The name of a bundled domain; each level of a domain with levels has a generator of its own.

    Raises
    ------
    UnknownNameError
        When there is no such domain.

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
        """The names of the domains that have a generator, in alphabetical order."""
    @property
    def domain(self) -> str:
        """The name of the domain."""
    @property
    def size_meaning(self) -> str:
        """What the size counts, in a few words."""
    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the greatest size."""
    def draw(self, size: int, seed: int, index: int) -> tuple[str, str, list[str]]:
        """The problem number `index` of a seed and a size: its name, its PDDL, and the steps of a plan."""

@final
class Datalog:
    """A Datalog program with stratified negation, evaluated bottom-up.

    A clause is ``heads :- body.`` with atoms, ``not`` atoms, ``=`` and ``!=``; one without a body and without
    variables is a fact. Names that begin with a capital letter or ``_`` are variables; all others, numbers and
    ``"quoted text"`` are symbols. ``%`` begins a comment.

    Parameters
    ----------
    text : str
        Rules and facts.

    Raises
    ------
    DatalogError
        When the text is not Datalog, a rule is unsafe, or negation runs in a circle.

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
        """All facts that follow from the program's facts and more of them.

        Parameters
        ----------
        facts : mapping from str to iterables of tuples, optional
            Further facts by relation. Symbols are strings or integers.
        limits : Limits or mapping, optional
            What the evaluation may take.

        Returns
        -------
        dict from str to lists of tuples of str
            The tuples of each relation in order of discovery. A relation is called by its name, or ``name/arity``
            where several arities share a name.

        Raises
        ------
        DatalogError
            When a limit is reached.
        """
    @property
    def strata(self) -> list[list[str]]:
        """The rules, in the order in which they are evaluated: a list of strata, each a list of rules as text."""

@final
class Suite:
    """A domain with its environment settings and an ordered list of problems, compiled when they are first used.

    `herbrand.suite` makes one from a name, paths, texts or objects.
    """
    @staticmethod
    def bundled_names() -> list[str]:
        """The names of all bundled domains, in alphabetical order; one for each level of a domain with levels."""
    @staticmethod
    def bundled(name: str, operators: bool = False) -> list[Suite]:
        """The bundled domain called `name`; for one with levels, all of them or the one that is named."""
    @staticmethod
    def from_folder(name: str, files: list[tuple[str, str, bytes]], operators: bool = False) -> list[Suite]:
        """The suites of a folder's files: triples of path from the folder, name in messages, and text."""
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
        """The suite of a domain and problems: their texts with the names of the files, problems with their part and name too. With `read`, the
        domain is not read again.
        With `chosen`, actions and atoms are numbered over these problems, and the suite has those at the given indices.
        """
    @property
    def name(self) -> str:
        """What the suite is called."""
    @property
    def description(self) -> str:
        """What the domain is about, in one sentence; empty if nothing is said."""
    @property
    def horizon(self) -> int | None:
        """After how many steps an episode is cut off; None for never."""
    @property
    def operators(self) -> bool:
        """Whether the operators are the agent's actions, whatever is declared."""
    @property
    def agent_actions(self) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """The agent's declared actions: a tuple of pairs (name, names of the parameters). None when the operators are
        the actions.
        """
    @property
    def settings(self) -> str | None:
        """The text of the environment settings; None if there are none."""
    @property
    def carriers(self) -> tuple[tuple[str, str, tuple[int | str, ...]], ...] | None:
        """How the operators carry out the agent's actions: a tuple of triples (operator, action, what each parameter of
        the action is to the operator: the index of its parameter, or the name of a constant), in order of the actions.
        None when the operators are the actions.
        """
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems, with the part of the suite before it where there are parts: ``"test/03"``."""
    def split(self, part: str) -> Suite:
        """The problems of one part: ``"train"`` or ``"test"``."""
    def select(self, problem: str | int) -> Suite:
        """The suite of the one problem that a name (``"03"``, ``"test/03"``) or an index from 0 means."""
    def index(self, problem: str) -> int:
        """The index of the problem that a name means."""
    def parse_problem(self, index: int) -> Problem:
        """The problem at `index`, parsed anew."""
    def task(self, index: int) -> Task:
        """The task of the problem at `index`, compiled if nobody has yet."""
    def lifted_task(self, index: int) -> LiftedTask:
        """The lifted task of the problem at `index`, compiled if nobody has yet."""
    def with_limits(self, limits: LimitsLike) -> Suite:
        """The same problems, each to be compiled within limits.

        Parameters
        ----------
        limits : Limits or mapping, optional
            What compiling a problem may take, and with the lifted engine each step by itself.
        """
    def with_ids(self, ids: str) -> Suite:
        """The same problems, with numbers of actions and atoms that mean the same in all of them, or of each problem's own.

        Parameters
        ----------
        ids : {"problem", "suite"}
        """
    @property
    def ids(self) -> str:
        """What numbers of actions and atoms mean: "problem" or "suite"."""
    @property
    def limits(self) -> tuple[float | None, int | None]:
        """What compiling a problem may take: seconds and bytes, None where there is no limit."""
    def observed(self, engine: str, observation: str, part: str) -> ObservedProblems:
        """The problems with a way of observing them, to make environments of.

        Parameters
        ----------
        engine : {"grounded", "lifted", "automatic"}
        observation : str
        part : {"all", "changing"}
        """
    @property
    def graph_sizes(self) -> tuple[int, int, int]:
        """The number of types and predicates, and the largest arity: what the labels of graphs range over."""
    def plan(self, index: int) -> str | None:
        """The stored plan of the problem at `index` of a bundled domain: PDDL actions, one a line. None if there is none."""
    def __len__(self) -> int: ...
    def __getitem__(self, problem: str | int) -> Problem: ...
    def __iter__(self) -> Iterator[Problem]: ...
    def _repr_html_(self) -> str:
        """The name, the number of problems, and the initial state of the first one, for notebooks."""

@final
class NamedSteps:
    """The steps of an environment by names: what `herbrand.rddl.RddlEnv` takes and gives where both are dicts."""
    def __new__(
        cls,
        env: EnvCore,
        actions: list[tuple[str, dict[str, int] | None]],
        seen: list[tuple[str, str]],
    ) -> Self: ...
    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes an action: a tuple (observation, reward, terminated, truncated, info)."""

class EnvSnapshot:
    """What the future of an environment depends on, but for the actions. It can be pickled, and restored by an environment
    over the same problems.
    """
    def __new__(cls, packed: bytes) -> Self: ...

@final
class Target:
    """A domain to be found, with problems to judge models on. A model is a pair of integers, for preconditions and effects.

    `herbrand.pddlworld.target` makes one.
    """
    def __new__(
        cls,
        domain: tuple[str, str | bytes],
        problems: Sequence[tuple[str, str | bytes]],
        walks: tuple[int, int, int],
    ) -> Self: ...
    @staticmethod
    def light_switch_texts() -> tuple[tuple[str, str], list[tuple[str, str]]]:
        """The texts of the light switch: those of its domain, and of its problems, each with a name."""
    @property
    def name(self) -> str:
        """The name of the domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems."""
    @property
    def operators(self) -> list[tuple[str, list[str], list[str]]]:
        """The operators: a list of tuples of name, parameters, and the atoms that their clauses may have."""
    @property
    def integers(self) -> tuple[int, int]:
        """The target as a pair of integers."""
    @property
    def empty(self) -> tuple[int, int]:
        """The model without any literal."""
    def read(self, domain: str) -> tuple[int, int]:
        """The model of a domain in PDDL with the same operators and predicates."""
    def to_pddl(self, model: tuple[int, int]) -> str:
        """A model as a domain in PDDL."""
    def table(self, model: tuple[int, int]) -> str:
        """A model as a table of operators and literals: signs in the precondition and in the effect."""
    def distance(self, model: tuple[int, int]) -> int:
        """In how many signs a model differs from the target."""
    def agreement(self, model: tuple[int, int]) -> float:
        """In which share of all states and ground actions a model does what the target does."""
    def witness(
        self, model: tuple[int, int]
    ) -> tuple[str, str, list[str], list[str] | None, list[str] | None, str] | None:
        """A state in which a model does not do what the target does: problem, action, the atoms that hold, those that hold after the
        action in the model and in the target (None where it is not applicable), and a sentence. None if there is none.
        """
    def verdict(self, model: tuple[int, int], problem: int, most_states: int) -> str:
        """What comes of planning with a model for a problem: "solved", "inapplicable", "missed", "no-plan", "exhausted" or
        "no-goal".
        """
    def predictions(self, model: tuple[int, int]) -> tuple[int, int]:
        """How many bits that were seen on random walks a model predicts rightly, and how many wrongly."""
    def edits(self, model: tuple[int, int], other: tuple[int, int]) -> str:
        """The edits that lead from one model to another, as `herbrand.edits` has them, in JSON."""
    def literals(self, model: tuple[int, int]) -> list[tuple[str, str, str, str]]:
        """The signs of a model that are not absent: a list of tuples of "precondition" or "effect", operator, atom, and "positive"
        or "negative".
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
        """The world of this target, with a way of observing it: "bits" or "integers"."""

@final
class ObservedProblems:
    """Problems of any language with a way of observing them: what environments are made of."""
    @property
    def name(self) -> str:
        """What the set of problems is called."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the problems."""
    @property
    def engine(self) -> str | None:
        """The engine that steps them: "grounded" or "lifted"; None for a language with a single one."""
    @property
    def action_fields(self) -> list[tuple[str, str, float, float]]:
        """The fields of an action: a list of tuples (name, "discrete", "int" or "real", least value, greatest value)."""
    @property
    def is_discrete(self) -> bool:
        """Whether an action is an int: the number of an alternative of the only field. Otherwise it has one number per field."""
    @property
    def mask_len(self) -> int:
        """The number of elements of an action mask."""
    @property
    def has_constant_mask(self) -> bool:
        """Whether the action mask is the same in every state of every problem: every action is valid."""
    @property
    def observation_fields(self) -> list[tuple[str, list[int], float, float]]:
        """The parts of an observation that is an array, in order: a list of tuples (name, shape, least value, greatest value)."""
    @property
    def shape(self) -> list[int]:
        """The shape of an observation that is an array."""
    @property
    def dtype(self) -> str:
        """The type of the elements of an observation: "int8", "int64", "float32" or "float64"; "uint8" for bytes that are no
        bits, which come as int8 and are to be viewed as such.
        """
    def __len__(self) -> int: ...

def balloon(flights: int) -> ObservedProblems:
    """Flights of a balloon, so many, the one at index ``i`` with ``10 (i + 1)`` units of gas, seen through a noisy altimeter."""

@final
class EnvCore:
    """The engine of `herbrand.Env`."""
    def __new__(
        cls,
        problems: ObservedProblems,
        horizon: int | str | None,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
    ) -> Self: ...
    def reset(self, seed: int | None, problem: int | None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode: a pair (observation, info)."""
    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action: a tuple (observation, reward, terminated, truncated, info)."""
    def sample(self) -> Any:
        """A valid action, drawn: an int, or an array of float64 with one number per field. In a dead end it is 0, or all
        defaults: a step there does nothing, whatever its action.
        """
    def mask(self) -> NDArray[np.int8]:
        """Which alternatives are valid: an array of int8."""
    def valid_actions(self) -> NDArray[np.int64]:
        """The valid alternatives, ascending: an array of int64."""
    @property
    def problem_index(self) -> int | None:
        """The index of the current problem; None before the first reset."""
    @property
    def elapsed(self) -> int:
        """The number of steps of the current episode."""
    def facts(self) -> list[tuple[str, str, tuple[str, ...], bool | int | float | str]]:
        """The facts of the current state: a list of tuples (kind, name, arguments, value). Kinds are "static", "fluent",
        "derived" and "observed"; values bool, int, float or str.
        """
    def svg(self, theme: str) -> str:
        """The picture of the current state as SVG; `theme` is "light", "dark" or "auto"."""
    def image(self, theme: str, size: tuple[int, int] | None) -> NDArray[np.uint8]:
        """The picture of the current state as pixels: an array of uint8, (height, width, 3). `size` is height and width; without it
        the picture is as large as it is.
        """
    def state(self, task: Task | LiftedTask | RddlTask) -> Any:
        """The current state as a state of the task."""
    def set_state(
        self, task: Task | LiftedTask | RddlTask, state: State | LiftedState | RddlState
    ) -> tuple[Any, dict[str, Any]]:
        """Goes to a state of the task, which is that of the current problem; a pair (observation, info)."""
    def save(self) -> EnvSnapshot:
        """What the future depends on, but for the actions."""
    def restore(self, saved: EnvSnapshot) -> None:
        """Goes back to what was saved."""
    def copy(self) -> EnvCore:
        """A copy that goes on by itself, at the same place with the same streams."""
    def action_name(self, action: SupportsIndex | str | ArrayLike) -> str:
        """The action of the current problem as its language writes it: of an action with several fields, all that it sets."""
    def action_id(self, text: str) -> int:
        """The number of the current problem's action that a text writes."""
    def atom_name(self, index: SupportsIndex) -> str:
        """The atom of the current problem that a bit is about, as PDDL writes it."""
    @property
    def last_operator(self) -> str | None:
        """The operator that carried out the last step, as PDDL writes it; None if there was none."""
    def explain(self, action: SupportsIndex | str) -> Explanation:
        """Why an action is or is not valid now: an `Explanation`."""
    @property
    def violated(self) -> list[int]:
        """The action preconditions, by number from 0, that the last step violated."""
    def missing(self) -> tuple[str, ...]:
        """What the goal still lacks: the literals that do not hold, of the way to reach it that lacks fewest."""

_Arrays = tuple[Any, ...]

@final
class VecCore:
    """The engine of `herbrand.VecEnv`."""
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
        statistics: bool,
    ) -> Self: ...
    @property
    def sizes(self) -> tuple[int, int, int]:
        """How wide the observation, the mask and the action of one environment are."""
    def reset(self, seed: int | None, arrays: _Arrays) -> None:
        """Begins an episode in every environment."""
    def reset_some(self, which: NDArray[np.bool_], arrays: _Arrays) -> None:
        """Begins an episode in the environments for which `which` is true."""
    def step(self, actions: NDArray[Any], arrays: _Arrays) -> dict[str, NDArray[Any]] | None:
        """Takes an action in every environment: numbers of alternatives, int64 of shape (environments,), or float64 of shape
        (environments, fields). Gives the episodes that ended, if there is one and they are added up: arrays with one element per
        environment, "r" the sum of rewards, "l" the number of steps, "t" the seconds, 0 where none ended.
        """
    def step_sampled(self, actions: NDArray[Any], arrays: _Arrays) -> dict[str, NDArray[Any]] | None:
        """Takes a sampled step in every environment, and writes the actions; gives what `step` does."""
    def collect(
        self, steps: int, actions: NDArray[Any], arrays: _Arrays
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Takes `steps` sampled steps in every environment and writes all of them, and the actions: arrays have `steps` rows
        per environment, those of the first one first. Gives the returns and lengths of the episodes that ended, if they are added up.
        """
    def sample(self, actions: NDArray[Any]) -> None:
        """Puts a valid action of every environment, drawn, into `actions`."""
    def problem_indexes(self) -> list[int | None]:
        """The index of the problem of each environment; None before the first reset."""

@final
class ExperienceCore:
    """Transitions over problems of one domain."""
    @staticmethod
    def explore(
        suite: Suite,
        episodes: int,
        horizon: int,
        seed: int,
        policy: str,
        limits: LimitsLike = None,
    ) -> ExperienceCore:
        """What a random policy sees in episodes on the problems of a suite."""
    @staticmethod
    def record(
        domain: Domain,
        suite: Suite | None,
        transitions: Iterable[tuple[Problem, Any, Any, Any]],
        limits: LimitsLike = None,
    ) -> ExperienceCore:
        """Transitions that were recorded, given as tuples: problem, state, action, next state. The actions are those of the
        agent of a suite, or the operators of a domain.
        """
    @property
    def domain(self) -> Domain:
        """The domain."""
    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems in which something was seen."""
    def __len__(self) -> int: ...
    def transition(self, index: int) -> tuple[int, tuple[Atom, ...], Action, tuple[Atom, ...] | None]:
        """The transition at an index."""
    def learn(self, learner: str, limits: LimitsLike = None) -> LearnedCore:
        """A model by a learner."""

@final
class LearnedCore:
    """A learned model."""
    @staticmethod
    def from_domain(domain: Domain, seen: ExperienceCore) -> LearnedCore:
        """A model that something else learned of what was seen."""
    @property
    def domain(self) -> Domain:
        """The learned domain."""
    @property
    def actions(self) -> dict[str, str]:
        """By operator of the learned domain: the action that it carries out."""
    @property
    def omitted(self) -> dict[str, str]:
        """By action that the model leaves out: why."""
    def predict(self, seen: ExperienceCore, limits: LimitsLike = None) -> tuple[int, int, int, int, float]:
        """How well the model predicts: the numbers of transitions, of wrong, unsound and missed ones, and the error."""
    def distance(self, suite: Suite, seen: ExperienceCore, limits: LimitsLike = None) -> float:
        """The mean total variation distance to the true model."""
    def solve(
        self, suite: Suite, planner: str, seed: int, limits: LimitsLike
    ) -> list[tuple[str, Literal["works", "refused", "misses", "unsolvable", "gave-up"]]]:
        """The verdict on each problem of a suite, by name."""

_Ground = tuple[str, str, "list[str] | None", float]

@final
class RddlSuite:
    """A domain in RDDL with an ordered list of its instances, compiled when they are first used.

    `herbrand.suite` makes one from a name, paths or texts.
    """
    @staticmethod
    def bundled_names() -> list[str]:
        """The names of the bundled environments, in alphabetical order: ``"rddl/cartpole-continuous"``."""
    @staticmethod
    def bundled(name: str) -> RddlSuite:
        """The bundled environment called `name`."""
    @staticmethod
    def from_texts(
        files: Sequence[tuple[str, str | bytes]], name: str | None = None, limits: LimitsLike = None
    ) -> RddlSuite:
        """The suite of the one domain and the instances that texts define together: pairs of a file's name and its text. Its
        name is that of the domain if none is given.
        """
    @property
    def name(self) -> str:
        """What the suite is called: ``"rddl/cartpole-continuous"``, or the name of the domain or the folder."""
    @property
    def domain_name(self) -> str:
        """The name of the domain."""
    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of the instances."""
    @property
    def preconditions(self) -> str:
        """``"reported"`` or ``"enforced"``."""
    def with_preconditions(self, preconditions: str) -> RddlSuite:
        """The same suite, in which violated action preconditions are reported, or refuse the step."""
    def with_limits(self, limits: LimitsLike) -> RddlSuite:
        """The same suite, each instance of which is compiled within these limits."""
    def select(self, problem: str | int) -> RddlSuite:
        """The suite of one instance: its name, or its index from 0."""
    def select_all(self, problems: Sequence[str | int]) -> RddlSuite:
        """The suite of several instances, in this order."""
    def index(self, problem: str) -> int:
        """The index of the instance that a name means."""
    def task(self, index: int = 0) -> RddlTask:
        """The task of the instance at `index`, which shares what is compiled."""
    def observed(self, observation: str = "fluents", limit: int | None = None) -> ObservedProblems:
        """The instances with a way of observing and of acting on them: "fluents" (a double each), "narrowest" (a byte each where all are
        bools, else the same) or pixels, an action field for each ground action fluent, or joint actions by number where a limit to their
        number is given.
        """
    def action_fluents(self, index: int = 0) -> list[_Ground]:
        """The ground action fluents of an instance: tuples of name, range, the items of the range if it is a type, and the default
        as a number.
        """
    def seen_fluents(self, index: int = 0) -> list[_Ground]:
        """The ground fluents that agents see, in the order in which observations have them: tuples as for `action_fluents`, with
        the initial value of a state fluent.
        """
    def max_nondef_actions(self, index: int = 0) -> int | None:
        """How many ground action fluents may differ from their defaults at once; None if all may."""
    def horizon(self, index: int = 0) -> int | None:
        """After how many steps an episode is cut off; None for never."""
    def discount(self, index: int = 0) -> float:
        """By how much the reward of a later step counts for less, per step."""
    def domain_rddl(self) -> str:
        """The domain as RDDL."""
    def instance_rddl(self, index: int = 0) -> str:
        """An instance as RDDL, with its block of non-fluents."""
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str:
        """The name, the number of instances, and the initial state of the first one, for notebooks."""

_RddlValue = Union[bool, int, float, str]
_RddlAction = Union[Mapping[str, Any], None]
_RddlStepped = tuple[
    RddlState, float, bool, bool, list[int], dict[str, _RddlValue], dict[str, _RddlValue]
]

@final
class RddlState(Mapping[str, _RddlValue]):
    """A state of a task in RDDL: a value for each ground state fluent. Immutable, and a mapping from names to values: bools, ints,
    floats, and the names of objects and enum values.

    States of one task are equal if their values are, and can be keys.
    """
    @property
    def task(self) -> RddlTask:
        """The task that the state belongs to."""
    def __getitem__(self, name: str) -> _RddlValue: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def to_dict(self) -> dict[str, _RddlValue]:
        """The values as a dict."""
    def replaced(self, values: Mapping[str, Any]) -> RddlState:
        """The state with other values for some fluents, given by name."""
    def __hash__(self) -> int: ...
    def svg(self, theme: Literal["auto", "light", "dark"] = "auto") -> str:
        """The picture of the state as SVG, as ``[render]`` in the domain's ``env.toml`` says or in a general way.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            ``"auto"`` is light or dark as the reader's browser prefers.
        """
    def image(
        self, size: tuple[int, int] | None = None, *, theme: Literal["light", "dark", "auto"] = "light"
    ) -> NDArray[np.uint8]:
        """The picture of the state as pixels: an array of uint8, (height, width, 3).

        Parameters
        ----------
        size : (int, int), optional
            Height and width; as large as the picture is if left out.
        theme : {"light", "dark"}
        """
    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""

@final
class RddlTask:
    """One instance as a transition system whose states are values.

    Its methods are functions of a `RddlState` and an action: a mapping from names of ground action fluents
    (``"push___cart1"``) to values, in which what is missing has its default. `herbrand.load` makes one.
    """
    @property
    def suite(self) -> RddlSuite:
        """The suite that has this instance alone."""
    @property
    def domain_name(self) -> str:
        """The name of the domain."""
    @property
    def name(self) -> str:
        """The name of the instance, as its text says."""
    @property
    def horizon(self) -> int | None:
        """After how many steps an episode is cut off; None for never."""
    @property
    def discount(self) -> float:
        """The discount per step."""
    @property
    def max_nondef_actions(self) -> int | None:
        """How many ground action fluents may differ from their defaults at once; None if all may."""
    @property
    def is_partially_observed(self) -> bool:
        """Whether agents see observ fluents instead of the state."""
    @property
    def initial_state(self) -> RddlState:
        """The state that episodes begin in."""
    def state(self, values: Mapping[str, Any]) -> RddlState:
        """The initial state with other values for some fluents, given by name."""
    @property
    def no_action(self) -> dict[str, _RddlValue]:
        """All ground action fluents with their defaults, by name."""
    def sample_action(self, state: RddlState, rng: Random | None = None) -> dict[str, _RddlValue] | None:
        """A joint action, drawn as `RddlEnv.sample` does: a dict of what differs from the defaults."""
    def count_actions(self, state: RddlState) -> float | None:
        """The number of joint actions that are valid in a state: those within ranges and ``max_nondef_actions`` that violate no
        precondition, doing nothing among them. Infinity if a number can take infinitely many values, None if there are too many to
        count.
        """
    def violated(self, state: RddlState, action: _RddlAction = None) -> list[int]:
        """The numbers, from 0, of the action preconditions that an action would violate; those of state-action constraints
        follow.
        """
    def status(self, state: RddlState) -> tuple[bool, bool]:
        """Whether a state ends the episode by a termination condition, and whether it breaks a state invariant."""
    def distribution(
        self, state: RddlState, action: _RddlAction, fluent: str
    ) -> list[tuple[_RddlValue, float]]:
        """The exact distribution of a ground state fluent after a step: pairs of value and probability.

        Raises
        ------
        StepError
            When the fluent depends on a draw with infinitely many results.
        """
    def outcomes(
        self, state: RddlState, action: _RddlAction = None, *, limit: int = 100_000
    ) -> list[tuple[float, RddlState, float, dict[str, _RddlValue]]]:
        """Everything that a step may lead to: tuples of probability, state, reward, and the values of the observed fluents. At most
        `limit` combinations of draws are tried.

        Raises
        ------
        StepError
            When a draw has infinitely many results, or there are more combinations.
        """
    def step(
        self,
        state: RddlState,
        action: _RddlAction = None,
        rng: Random | None = None,
        quantile: float | None = None,
    ) -> RddlStep:
        """Takes a step, with draws from a generator (the task's own if none is given), or with every draw at one quantile of its
        distribution, between 0 and 1: a `herbrand.rddl.model.RddlStep`.

        Raises
        ------
        InvalidActionError
            When the action sets too many fluents, or violates an enforced precondition.
        StepError
            When a value cannot be computed.
        """
    def _step(
        self,
        state: RddlState,
        action: _RddlAction = None,
        rng: Random | None = None,
        quantile: float | None = None,
    ) -> _RddlStepped:
        """What `step` gives, as a plain tuple."""
    @property
    def model(self) -> RddlModel:
        """What the task consists of, as a `herbrand.rddl.model.RddlModel`."""
    def values(self, pvariable: str) -> list[_RddlValue] | None:
        """The values of all ground variables of a pvariable in row order: those of a non-fluent, the initial ones of a state
        fluent, the defaults of an action fluent. None if it is none of these.
        """
    def action_bounds(self) -> list[tuple[str, float, float]]:
        """The name, the least and the greatest value of each ground action fluent; infinite where there is no bound."""
    def state_bounds(self) -> list[tuple[str, float, float]]:
        """The name, the least and the greatest value of each numeric ground state fluent that state invariants leave; infinite
        where there is no bound.
        """
    def plan(self, state: RddlState | None = None, **options: Unpack[RddlPlannerOptions]) -> RddlPlan:
        """A straight-line plan from a state on (the initial one if none is given), by a `RddlPlanner` with these options: a
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
        """Bounds of all fluents and of the return over a number of steps (the horizon, or 100), whatever the actions are, or within
        bounds by name that are given of actions and of states before the first step.

        A dict: ``"fluents"`` maps names, of state fluents after a step with a prime, to pairs of the least and the greatest value, one
        per step; ``"reward"`` is a list of such pairs; ``"total"`` is the pair of the discounted return; ``"steps"`` is how many
        steps there are, fewer than were asked for if the episode is over in any case. Draws may come to whatever has a probability,
        or be between two of their quantiles, or be the means of their distributions.
        """
    def network(self, *, ground: bool = False, of: str | None = None) -> dict[str, Any]:
        """Who reads whom: the dynamic Bayes net of the domain's pvariables, or with `ground` of the problem's fluents; with `of` the part
        that a fluent depends on. A dict of ``"nodes"``, pairs of name and role, and ``"edges"``, pairs of numbers of what is read
        and what reads it.
        """
    def draw_network(self, *, ground: bool = False, of: str | None = None) -> str:
        """The same as a picture: SVG."""
    def diagram(self, of: str, *, limit: int = 20_000, draw: bool = False) -> str:
        """What a fluent becomes (or ``"reward"``, ``"terminal"``, ``"precondition 1"``) as an extended algebraic decision diagram, as
        text, or drawn as SVG.

        Raises
        ------
        HerbrandError
            When it is not piecewise polynomial, or has more than `limit` nodes on the way.
        """
    def _repr_svg_(self) -> str:
        """The picture of the initial state, for notebooks."""

@final
class RddlPlanner:
    """A planner for a task in RDDL: straight-line plans, made once or anew in every state, or decisions by looking ahead.

    Parameters
    ----------
    task : RddlTask
    planner : {"cross-entropy", "random-shooting", "gradient", "auto", "uct"}
        Plans are drawn, or improved by the gradient of their returns over relaxed steps; ``"auto"`` does both in turns, each from the
        other's best plan. UCT samples walks before each action, where no action fluent takes numbers.
    lookahead : int, optional
        How many steps a plan has; the horizon, but at most 100, if nothing is said.
    candidates : int, optional
        How many plans are drawn at once (256), or improved side by side (8). ``"auto"`` has these numbers.
    iterations : int, optional
        How often plans are drawn (10), or improved (200), how many turns ``"auto"`` takes (8), or how many walks UCT samples before each
        action (1,000).
    scenarios : int
        On how many different draws each plan is tried.
    time : float, optional
        After how many seconds there are no more iterations, for a plan or for one call of `act`.
    sharpness : float
        How near relaxed steps are to real ones.
    rate : float
        By how much a gradient moves a plan.
    exploration : float
        How much UCT is drawn to actions that it took rarely, as a part of the range of the returns that it saw.
    leaf : {"random", "idle"}
        How UCT judges a state that it has not seen before: by one walk to the end that draws its actions, or that does nothing.
    enforced : bool
        Whether a plan that violates an action precondition is the worst of all; UCT leaves such actions out.
    seed : int
    """
    def __new__(cls, task: RddlTask, **options: Unpack[RddlPlannerOptions]) -> Self: ...
    @property
    def task(self) -> RddlTask:
        """The task."""
    @property
    def planner(self) -> RddlPlannerName:
        """How plans are found."""
    def plan(self, state: RddlState | None = None) -> RddlPlan:
        """A plan for the steps from a state on (the initial one if none is given): a `herbrand.rddl.planning.RddlPlan`. UCT's is what it
        decides on the way through one future; where chance has a part, `act` is worth more.
        """
    def act(self, state: RddlState) -> dict[str, _RddlValue]:
        """The action that a plan from a state on begins with, or that UCT decides for. What was learned is kept for the next state."""
    def begin(self) -> None:
        """Forgets what was kept for the next state: another episode begins."""
    def evaluate(self, episodes: int = 10, *, steps: int | None = None, seed: int = 0) -> tuple[float, float]:
        """The mean of the discounted returns of episodes from the initial state on in which `act` says what to do in every state, and its
        standard error.
        """

@final
class RddlPolicy:
    """A policy that is a small network from state fluents to action fluents, trained by gradient ascent on the return over relaxed steps.
    Of the weights on the way those are kept whose return over real steps was best.

    Parameters
    ----------
    task : RddlTask
    hidden : sequence of int
        The sizes of the hidden layers.
    lookahead : int, optional
        How many steps are differentiated; the horizon, but at most 100, if nothing is said.
    batch : int
        How many roll-outs each gradient is the mean of.
    iterations : int
        How many steps of ascent there are.
    time : float, optional
        After how many seconds there are no more.
    rate : float
        By how much weights move in a step.
    sharpness : float
        How near relaxed steps are to real ones.
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
        """All weights: layer by layer, by output those of all inputs, then what is added to each output."""
    def act(self, state: RddlState) -> dict[str, _RddlValue]:
        """The action in a state: what differs from the defaults."""
    def evaluate(
        self, episodes: int = 100, *, steps: int | None = None, seed: int = 0
    ) -> tuple[float, float]:
        """The mean of the discounted returns of episodes from the initial state on, and its standard error."""

@final
class RelaxedStep:
    """Relaxed steps in many lanes with their gradients, for networks in PyTorch and the like: bools are numbers between 0 and 1.

    Parameters
    ----------
    task : RddlTask
    lanes : int
        How many steps are taken at once.
    sharpness : float
        How near relaxed steps are to real ones.
    """
    def __new__(cls, task: RddlTask, lanes: int, *, sharpness: float = 10.0) -> Self: ...
    @property
    def task(self) -> RddlTask:
        """The task."""
    @property
    def lanes(self) -> int:
        """How many steps are taken at once."""
    @property
    def state_names(self) -> list[str]:
        """The names of the columns of states."""
    @property
    def action_names(self) -> list[str]:
        """The names of the columns of actions."""
    def initial(self) -> NDArray[np.float64]:
        """The initial state in every lane."""
    def forward(
        self, states: NDArray[np.float64], actions: NDArray[np.float64], *, seed: int = 0, step: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Takes a step in every lane, with the draws of step number `step` of the environments of a seed: the states after it, the rewards,
        and how far each lane has ended. Arrays of states and actions have a row per lane and a column per fluent.
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
        """The gradients by states and by actions, given those by the states after the step, by the rewards, and by how far lanes have ended."""
