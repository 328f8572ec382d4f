"""Learning of action models from observed transitions, and evaluation of the models.

>>> import herbrand
>>> from herbrand import learning
>>> seen = learning.explore("hanoi", split="train", episodes=20)
>>> model = learning.learn(seen)
>>> model.predict(learning.explore("hanoi", split="test", episodes=5, seed=1)).error
0.0
>>> model.solve(herbrand.suite("hanoi", "test/01")).solved
1
>>> print(model.domain.operators[0].name)
move
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Union, overload

from ._herbrand import Action, Atom, Domain, ExperienceCore, LearnedCore, Problem, Suite
from ._repr import OneLine
from .limits import Limits, LimitsLike
from .planning import PlannerName
from .sources import DomainLike, ProblemsLike, pddl_suite

__all__ = [
    "AtomLike",
    "Experience",
    "LearnedModel",
    "LearnerName",
    "PolicyName",
    "Prediction",
    "Solutions",
    "Transition",
    "TransitionLike",
    "Verdict",
    "explore",
    "learn",
    "record",
]

LearnerName = Literal["foldt", "safe"]
PolicyName = Literal["valid", "any", "mixed"]
Verdict = Literal["works", "refused", "misses", "unsolvable", "gave-up"]
AtomLike = Union[Atom, str, "tuple[str, ...]"]
TransitionLike = Union[
    "Transition",
    "tuple[Problem, Iterable[AtomLike], Union[Action, str, tuple[str, ...]], Union[Iterable[AtomLike], None]]",
]


@dataclass(frozen=True, repr=False)
class Transition(OneLine):
    """An observed action: the state before it and the state after it.

    Attributes
    ----------
    problem : Problem
    state : frozenset of Atom
        The atoms that were true, derived and static ones included.
    action : Action
    next_state : frozenset of Atom, or None
        The atoms that were true afterwards; None if the action was not applicable.
    """

    problem: Problem
    state: frozenset[Atom]
    action: Action
    next_state: frozenset[Atom] | None


class Experience(Sequence[Transition]):
    """Transitions over problems of one domain, from `explore` or `record`.

    The engine stores states in four bytes per atom; a `Transition` object is created on access.
    """

    def __init__(self, core: ExperienceCore) -> None:
        self._core = core

    @property
    def domain(self) -> Domain:
        """The domain. Learners use only its types, predicates and axioms, and the names and parameters of actions."""
        return self._core.domain

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the transitions."""
        return self._core.problems

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Transition: ...
    @overload
    def __getitem__(self, index: slice) -> list[Transition]: ...
    def __getitem__(self, index: int | slice) -> Transition | list[Transition]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no transition {index}: there are {len(self)}")
        problem, state, action, after = self._core.transition(place)
        next_state = None if after is None else frozenset(after)
        return Transition(self.problems[problem], frozenset(state), action, next_state)

    def __repr__(self) -> str:
        return f"<Experience of {self.domain.name}: {len(self)} transitions in {len(self.problems)} problems>"


@dataclass(frozen=True, repr=False)
class Prediction(OneLine):
    """The accuracy of a model's predictions of single steps.

    Attributes
    ----------
    transitions : int
    wrong : int
        The number of transitions that the model rules out: it predicts another successor, or gives the observed one
        probability 0.
    unsound : int
        The number of transitions in which the model permits an inapplicable action.
    missed : int
        The number of transitions in which the model does not permit an action that was carried out.
    error : float
        The mean probability that the model gives to successors other than the observed one, from 0 to 1. In deterministic
        domains it is the share of wrong predictions. In probabilistic domains the true model's error is above 0 too.
    """

    transitions: int
    wrong: int
    unsound: int
    missed: int
    error: float


@dataclass(frozen=True, repr=False)
class Solutions(OneLine):
    """Results of plans that were found with a learned model and executed in the true one.

    Attributes
    ----------
    verdicts : mapping from str to str
        Maps problem names to results. ``"works"``: the plan reaches the goal; ``"refused"``: one of its steps is not
        applicable; ``"misses"``: all steps are applicable but the goal is false at the end; ``"unsolvable"``: the learned
        model has no plan; ``"gave-up"``: the planner reached a limit.
    """

    verdicts: Mapping[str, Verdict]

    @property
    def solved(self) -> int:
        """The number of plans that reach the goal."""
        return sum(verdict == "works" for verdict in self.verdicts.values())

    @property
    def share(self) -> float:
        """The share of problems whose plan reaches the goal; 0.0 if there are no problems."""
        return self.solved / len(self.verdicts) if self.verdicts else 0.0

    def __len__(self) -> int:
        return len(self.verdicts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.verdicts)


class LearnedModel:
    """A learned model: a domain with the types, predicates and constants of the true one and learned operators.

    ``str()`` of a model is the domain in PDDL.
    """

    def __init__(self, core: LearnedCore) -> None:
        self._core = core

    @classmethod
    def from_domain(cls, domain: Domain, seen: Experience) -> LearnedModel:
        """Wraps a domain from another learner for evaluation.

        Parameters
        ----------
        domain : Domain
            Its types, constants and predicates must equal those of ``seen.domain``, in the same order. An operator carries
            out the action with the same name, and must have the same parameters.
        seen : Experience

        Raises
        ------
        LearningError
            If the domain does not fit.

        Examples
        --------
        >>> import herbrand
        >>> from herbrand import learning
        >>> seen = learning.explore("blocks", episodes=5)
        >>> learning.LearnedModel.from_domain(herbrand.suite("blocks").domain, seen).predict(seen).error
        0.0
        """
        return cls(LearnedCore.from_domain(domain, seen._core))

    @property
    def domain(self) -> Domain:
        """The learned domain.

        The first parameters of an operator are those of its action. The remaining ones are objects that the action does not
        name but that its effects depend on.
        """
        return self._core.domain

    @property
    def actions(self) -> dict[str, str]:
        """Maps each operator of the learned domain to the action that it carries out."""
        return self._core.actions

    @property
    def omitted(self) -> dict[str, str]:
        """Maps each action without an operator to the reason. Such an action is never applicable in the model."""
        return self._core.omitted

    def to_pddl(self) -> str:
        """Returns the learned domain as PDDL text."""
        return self.domain.to_pddl()

    def predict(self, seen: Experience, *, limits: LimitsLike = None) -> Prediction:
        """Predicts every transition and compares it with the observed one.

        Parameters
        ----------
        seen : Experience
            Experience with the same domain and actions as that of the learned model.
        limits : Limits or mapping, optional

        Raises
        ------
        LearningError
            If the experience is of another domain.
        LimitError
            If a limit is reached.
        """
        return Prediction(*self._core.predict(seen._core, limits))

    def distance(
        self,
        suite: DomainLike,
        seen: Experience,
        *,
        operators: bool = False,
        limits: LimitsLike = None,
    ) -> float:
        """Returns the distance of the predicted successor probabilities from those of the true model.

        This is the mean total variation distance over the observed transitions, from 0.0 (equal) to 1.0.

        Parameters
        ----------
        suite : str, path, Domain or Suite
            The true model.
        seen : Experience
        operators : bool, default False
            As for `explore`; ignored if `suite` is a `Suite`.
        limits : Limits or mapping, optional

        Examples
        --------
        >>> import herbrand
        >>> from herbrand import learning
        >>> model = learning.learn(learning.explore("tireworld", split="train"))
        >>> unseen = learning.explore("tireworld", split="test", episodes=20, seed=1)
        >>> model.distance("tireworld", unseen) < 0.05
        True
        """
        return self._core.distance(_as_suite(suite, None, None, operators), seen._core, limits)

    def solve(
        self,
        suite: DomainLike,
        problem: ProblemsLike = None,
        *,
        split: str | None = None,
        operators: bool = False,
        planner: PlannerName = "landmarks",
        seed: int = 0,
        limits: LimitsLike = None,
    ) -> Solutions:
        """Plans each problem with the learned model, and executes the plan in the true one.

        The planner replaces each probabilistic choice of the learned model by its most likely alternative.

        Parameters
        ----------
        suite, problem, split, operators
            The true model and its problems, as for `explore`.
        planner, seed
            As for `Task.plan`.
        limits : Limits or mapping, optional
            Limits of each search; ten seconds if left out.
        """
        each = Limits(time=10.0) if limits is None else limits
        verdicts = self._core.solve(_as_suite(suite, problem, split, operators), planner, seed, each)
        return Solutions(dict(verdicts))

    def __str__(self) -> str:
        return self.to_pddl()

    def __repr__(self) -> str:
        return f"<LearnedModel of {self.domain.name}: {len(self.actions)} operators>"


def _as_suite(domain: DomainLike, problem: ProblemsLike, split: str | None, operators: bool) -> Suite:
    if isinstance(domain, Suite) and problem is None and split is None:
        return domain
    return pddl_suite(domain, problem, split=split, operators=operators)


def explore(
    domain: DomainLike,
    problem: ProblemsLike = None,
    *,
    split: str | None = None,
    operators: bool = False,
    episodes: int = 100,
    horizon: int = 25,
    seed: int = 0,
    policy: PolicyName = "mixed",
    limits: LimitsLike = None,
) -> Experience:
    """Runs a random policy and records the transitions.

    Parameters
    ----------
    domain, problem, split
        As for `herbrand.suite`.
    operators : bool, default False
        Whether every operator with all its parameters is an action, instead of the agent's actions that the domain declares.
        The safe learner needs this if the agent's actions hide parameters.
    episodes : int, default 100
        The number of episodes, each of a randomly drawn problem.
    horizon : int, default 25
        The maximal number of actions per episode, inapplicable ones included. Episodes continue after the goal.
    seed : int, default 0
        With equal seeds, a run with fewer episodes is a prefix of a run with more.
    policy : {"mixed", "valid", "any"}
        The set that actions are drawn from: ``"valid"``: the applicable ones; ``"any"``: all that fit the parameter types;
        ``"mixed"``: one of these two, drawn for each action.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        If states have numbers: learners support atoms only.
    LimitError
        If a limit is reached.
    """
    suite = _as_suite(domain, problem, split, operators)
    return Experience(ExperienceCore.explore(suite, episodes, horizon, seed, policy, limits))


def record(
    domain: Domain | Suite,
    transitions: Iterable[TransitionLike],
    *,
    limits: LimitsLike = None,
) -> Experience:
    """Converts recorded transitions to experience.

    Parameters
    ----------
    domain : Domain or Suite
        The vocabulary. The actions are the agent's actions of a suite, or the operators of a domain. Preconditions and
        effects are ignored and may be missing.
    transitions : iterable of Transition or tuple
        A tuple consists of a `Problem`, a state, an action and the next state; None in its place if the action was not
        applicable. A state is an iterable of all true atoms, such as a `State`. Atoms and actions may be texts or tuples of
        names. Static atoms may be left out if the problem has them initially.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        If transitions do not fit the domain; it lists all faults.
    LimitError
        If a limit is reached.

    Examples
    --------
    >>> import herbrand
    >>> from herbrand import learning
    >>> domain = herbrand.Domain("(define (domain lamp) (:predicates (on ?l)) (:action press :parameters (?l)))")
    >>> problem = herbrand.Problem("(define (problem p) (:domain lamp) (:objects a b) (:init) (:goal (on a)))", domain)
    >>> seen = learning.record(domain, [(problem, [], "(press a)", ["(on a)"]), (problem, ["(on a)"], "(press a)", None)])
    >>> press = learning.learn(seen, learner="safe").domain.operators[0]
    >>> print(press.precondition, press.effect)
    (not (on ?l)) (on ?l)
    """
    suite = domain if isinstance(domain, Suite) else None
    own = domain.domain if isinstance(domain, Suite) else domain
    given = (
        (one.problem, one.state, one.action, one.next_state) if isinstance(one, Transition) else one
        for one in transitions
    )
    return Experience(ExperienceCore.record(own, suite, given, limits))


def learn(seen: Experience, *, learner: LearnerName = "foldt", limits: LimitsLike = None) -> LearnedModel:
    """Learns a model from experience.

    Parameters
    ----------
    seen : Experience
    learner : {"foldt", "safe"}
        ``"foldt"`` grows first-order logical decision trees; it also learns actions that read and change objects they do not
        name. ``"safe"`` needs operators whose parameters name all objects they read and change; its model permits no
        inapplicable action. If the domain requires ``:probabilistic-effects``, both estimate the probabilities of outcomes
        from their frequencies.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        If the safe learner finds a change of an object that is not a parameter, or a conditional effect.
    LimitError
        If a limit is reached.

    Examples
    --------
    >>> from herbrand import learning
    >>> seen = learning.explore("gripper", operators=True, policy="valid")
    >>> learning.learn(seen, learner="safe").omitted
    {}
    """
    return LearnedModel(seen._core.learn(learner, limits))
