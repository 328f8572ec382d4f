"""Action models: learned from what was seen, and judged.

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


@dataclass(frozen=True)
class Transition:
    """An action that was taken in a state.

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

    A transition is made when it is asked for; the engine holds four bytes per atom of a state.
    """

    def __init__(self, core: ExperienceCore) -> None:
        self._core = core

    @property
    def domain(self) -> Domain:
        """The domain. Learners see its types, predicates and axioms, and the names and parameters of actions."""
        return self._core.domain

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems in which something was seen."""
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


@dataclass(frozen=True)
class Prediction:
    """How well a model predicts single steps.

    Attributes
    ----------
    transitions : int
    wrong : int
        How many of them the model rules out: it gives another successor, or none with a probability above 0.
    unsound : int
        How many the model permits although the action was not applicable.
    missed : int
        How many the model does not permit although the action was carried out.
    error : float
        The mean probability that the model gives to another successor than the one that was seen, from 0 to 1. Without
        chance it is the share of wrong predictions; with chance the true model's error is above 0 too.
    """

    transitions: int
    wrong: int
    unsound: int
    missed: int
    error: float


@dataclass(frozen=True)
class Solutions:
    """Plans by a learned model, carried out in the true one.

    Attributes
    ----------
    verdicts : mapping from str to str
        By name of a problem: ``"works"`` if the plan reaches the goal; ``"refused"`` if one of its steps is not
        applicable; ``"misses"`` if all are and the goal does not hold at the end; ``"unsolvable"`` if the learned model
        has no plan; ``"gave-up"`` if the planner reached a limit.
    """

    verdicts: Mapping[str, Verdict]

    @property
    def solved(self) -> int:
        """How many plans reach the goal."""
        return sum(verdict == "works" for verdict in self.verdicts.values())

    @property
    def share(self) -> float:
        """The share of problems whose plan reaches the goal; 0.0 without problems."""
        return self.solved / len(self.verdicts) if self.verdicts else 0.0

    def __len__(self) -> int:
        return len(self.verdicts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.verdicts)


class LearnedModel:
    """A learned model: a domain with the vocabulary of the true one, whose operators were learned.

    Printed, it is the domain in PDDL.
    """

    def __init__(self, core: LearnedCore) -> None:
        self._core = core

    @classmethod
    def from_domain(cls, domain: Domain, seen: Experience) -> LearnedModel:
        """A model that something else learned, to be judged as others are.

        Parameters
        ----------
        domain : Domain
            Its types, constants and predicates must be those of ``seen.domain``, in the same order. An operator carries out
            the action of its name, and has the same parameters.
        seen : Experience

        Raises
        ------
        LearningError
            When the domain does not fit.

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
        """The learned domain. The parameters of an action are the first ones of the operators that carry it out; others
        stand for what the action hides."""
        return self._core.domain

    @property
    def actions(self) -> dict[str, str]:
        """By operator of the learned domain: the action that it carries out."""
        return self._core.actions

    @property
    def omitted(self) -> dict[str, str]:
        """By action that has no operator: why. Such an action is never applicable in the model."""
        return self._core.omitted

    def to_pddl(self) -> str:
        """The domain in PDDL."""
        return self.domain.to_pddl()

    def predict(self, seen: Experience, *, limits: LimitsLike = None) -> Prediction:
        """Predicts every transition, and compares the prediction with what was seen.

        Parameters
        ----------
        seen : Experience
            Of the same domain and actions as what the model was learned from.
        limits : Limits or mapping, optional

        Raises
        ------
        LearningError
            When the experience is of another domain.
        LimitError
            When a limit is reached.
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
        """How far the predicted probabilities of successors are from those of the true model: the mean total variation
        distance, from 0.0 (the same) to 1.0, over the transitions that were seen.

        Parameters
        ----------
        suite : str, path, Domain or Suite
            The true model.
        seen : Experience
        operators : bool, default False
            As for `explore`; of no meaning if a `Suite` is given.
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
        """Plans for each problem with the learned model, and carries the plan out in the true one.

        Every probabilistic choice of the learned model takes its most likely alternative.

        Parameters
        ----------
        suite, problem, split, operators
            The true model and its problems, as for `explore`.
        planner, seed
            As for `Task.plan`.
        limits : Limits or mapping, optional
            What each search may take; ten seconds if left out.
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
    """Plays a random policy, and keeps what it saw.

    Parameters
    ----------
    domain, problem, split
        As for `herbrand.suite`.
    operators : bool, default False
        Whether every operator with all its parameters is an action, whatever the domain declares. The safe learner needs
        that where the agent's actions hide parameters.
    episodes : int, default 100
        Each is of a problem that is drawn.
    horizon : int, default 25
        The most actions of an episode, those that are not applicable included. Episodes go on past the goal.
    seed : int, default 0
        More episodes of one seed begin with the fewer ones.
    policy : {"mixed", "valid", "any"}
        Whether actions are drawn among the applicable ones, among all that fit by type, or either way with equal
        probability.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        When states have numbers: learners read atoms alone.
    LimitError
        When a limit is reached.
    """
    suite = _as_suite(domain, problem, split, operators)
    return Experience(ExperienceCore.explore(suite, episodes, horizon, seed, policy, limits))


def record(
    domain: Domain | Suite,
    transitions: Iterable[TransitionLike],
    *,
    limits: LimitsLike = None,
) -> Experience:
    """Experience of one's own.

    Parameters
    ----------
    domain : Domain or Suite
        The vocabulary. The actions are the agent's actions of a suite, or the operators of a domain, whose preconditions and
        effects are not looked at and may be missing.
    transitions : iterable of Transition or tuple
        A tuple has a `Problem`, a state, an action and the next state, or None if the action was not applicable. A state is
        an iterable of all atoms that are true, such as a `State`; atoms and actions may be texts or tuples of names. Atoms
        that never change may be left out if the problem has them initially.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        When something does not fit the domain: all faults are told.
    LimitError
        When a limit is reached.

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
    """A model of what was seen.

    Parameters
    ----------
    seen : Experience
    learner : {"foldt", "safe"}
        ``"foldt"`` grows first-order logical decision trees; actions may hide what they read and change. ``"safe"`` is for
        operators whose parameters name all they read and change; its model permits no action that is not applicable. If the
        domain requires ``:probabilistic-effects``, both count how often outcomes happen.
    limits : Limits or mapping, optional

    Raises
    ------
    LearningError
        When the safe learner meets a change that no parameter names, or a conditional effect.
    LimitError
        When a limit is reached.

    Examples
    --------
    >>> from herbrand import learning
    >>> seen = learning.explore("gripper", operators=True, policy="valid")
    >>> learning.learn(seen, learner="safe").omitted
    {}
    """
    return LearnedModel(seen._core.learn(learner, limits))
