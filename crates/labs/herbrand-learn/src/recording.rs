//! Building experience from transitions that were recorded outside [`explore`](crate::explore).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use herbrand_ground::{AtomId, Vocabulary};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::{AtomRef, Name, ObjectId, PredicateId, PredicateKind, Problem};
use herbrand_text::{did_you_mean, nearest};

use crate::atoms::SortedAtoms;
use crate::error::LearnError;
use crate::experience::{
    Experience, Observed, ObservedOutcome, ObservedProblem, ObservedTransition, SceneId, StateId,
};
use crate::language::DomainSignature;

/// A builder of [`Experience`] from transitions that are given by the names of predicates, actions and objects.
///
/// A state is the list of its true atoms. You may leave out the atoms of a predicate that never changes, if you leave
/// them out of every state: they are read from the initial state of the problem. A predicate with a declared effect,
/// and a derived one, counts as changing, so list its atoms. An undeclared name, a wrong number of arguments or an
/// object of a wrong type is a fault. [`finish`](Self::finish) reports all faults.
///
/// ```
/// use herbrand_learn::{DomainSignature, NamedTerm, Recording, learn_safe};
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
///
/// // The action declares its parameters, but neither precondition nor effect.
/// let domain = Domain::from_text("(define (domain lamps) (:predicates (on ?l) (broken ?l)) (:action press :parameters (?l)))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (on a)))", &domain)?;
/// let budget = Budget::unlimited();
/// let mut recording = Recording::new(DomainSignature::of_operators(&domain), &budget);
/// let scene = recording.problem(problem.into());
/// let press = NamedTerm::parse("(press a)").expect("a term");
/// // The atoms before and after the action. The last argument would be `None` if the action was not applicable.
/// recording.transition(scene, &[], &press, Some(&[NamedTerm::parse("(on a)").expect("a term")]));
/// let learned = learn_safe(&recording.finish()?, &budget)?;
/// assert!(learned.to_pddl()?.contains(":effect (on ?l)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recording {
    language: DomainSignature,
    problems: Vec<Recorded>,
    states: Vec<(SceneId, SortedAtoms)>,
    steps: Vec<Step>,
    faults: Vec<String>,
    meter: Meter,
}

/// An atom or an action by name: its head and the names of its arguments, all in lower case. [`Recording::transition`]
/// takes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamedTerm {
    /// The name of the predicate or action.
    pub head: String,
    /// The names of the arguments.
    pub arguments: Vec<String>,
}

/// A problem with recorded transitions.
#[derive(Debug)]
struct Recorded {
    problem: Arc<Problem>,
    vocabulary: Arc<Vocabulary>,
    objects: BTreeMap<Name, ObjectId>,
}

#[derive(Debug)]
struct Step {
    state: StateId,
    action: usize,
    arguments: Vec<ObjectId>,
    next: Option<StateId>,
}

/// Why a term does not fit the domain.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error("there is no {kind} `{name}`{}", did_you_mean(.meant.as_deref()))]
    Unknown {
        kind: &'static str,
        name: String,
        meant: Option<String>,
    },
    #[error("{0} has {1} argument(s), not {2}")]
    Arguments(String, usize, usize),
    #[error("{0} is not of a type that {1} takes there")]
    Type(String, String),
}

impl NamedTerm {
    /// Parses a term in PDDL syntax, such as `(on a b)`. The outer parentheses are optional. Returns `None` if there
    /// are other parentheses or no name. Names are converted to lower case, and not checked.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        let inner = match trimmed.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')')?,
            None => trimmed,
        };
        if inner.contains(['(', ')']) {
            return None;
        }
        let mut words = inner.split_whitespace().map(str::to_ascii_lowercase);
        Some(Self {
            head: words.next()?,
            arguments: words.collect(),
        })
    }
}

impl Recording {
    /// Creates an empty recording for problems of the language's domain. `budget` limits its time and memory. Add
    /// [`problem`](Self::problem)s first, then [`transition`](Self::transition)s.
    #[must_use]
    pub fn new(language: DomainSignature, budget: &Budget) -> Self {
        Self {
            language,
            problems: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            faults: Vec::new(),
            meter: budget.meter("recording transitions"),
        }
    }

    /// Adds a problem, which must be parsed with the domain of the language, and returns its id for
    /// [`transition`](Self::transition). A problem of another domain is a fault. Its id counts problems from 0, also
    /// after a fault.
    pub fn problem(&mut self, problem: Arc<Problem>) -> SceneId {
        let domain = self.language.domain();
        if problem.domain_fingerprint != domain.fingerprint() {
            let fault = format!(
                "problem {} is not one of the domain {}",
                problem.name, domain.name
            );
            self.faults.push(fault);
        }
        let objects = problem.objects.iter().enumerate();
        self.problems.push(Recorded {
            vocabulary: Arc::new(Vocabulary::of(domain, &problem)),
            objects: objects
                .map(|(number, object)| (object.name.clone(), ObjectId::from_index(number)))
                .collect(),
            problem,
        });
        SceneId::from_index(self.problems.len() - 1)
    }

    /// Adds a transition of the problem `scene`: the true atoms before the action, the action, and the true atoms after
    /// it. `after` is `None` if the action was not applicable. Faults are reported by [`finish`](Self::finish). Returns
    /// `false` if the budget is exhausted; [`finish`](Self::finish) then fails. May panic if `scene` is not from
    /// [`problem`](Self::problem).
    pub fn transition(
        &mut self,
        scene: SceneId,
        before: &[NamedTerm],
        action: &NamedTerm,
        after: Option<&[NamedTerm]>,
    ) -> bool {
        let place = format!("transition {}", self.steps.len() + 1);
        let state = self.state(scene, before, &format!("{place}, state"));
        let (action, arguments) = self.action(scene, action, &format!("{place}, action"));
        let next = after.map(|after| self.state(scene, after, &format!("{place}, next state")));
        let step = Step {
            state,
            action,
            arguments,
            next,
        };
        self.meter.push(&mut self.steps, step)
    }

    /// Adds a state and returns its id. Reuses the last state if it is equal.
    fn state(&mut self, scene: SceneId, atoms: &[NamedTerm], place: &str) -> StateId {
        let mut ids = Vec::new();
        for atom in atoms {
            match self.atom(scene, atom) {
                Ok(found) => ids.push(found),
                Err(fault) => self.faults.push(format!("{place}: {fault}")),
            }
        }
        let ids = ids.iter().map(|(predicate, arguments)| AtomRef {
            predicate: *predicate,
            arguments,
        });
        let atoms: SortedAtoms = ids.collect();
        let is_last = self
            .states
            .last()
            .is_some_and(|(last, known)| *last == scene && *known == atoms);
        if !is_last && self.meter.charge(atoms.bytes() as u64) {
            self.meter.push(&mut self.states, (scene, atoms));
        }
        StateId::from_index(self.states.len().saturating_sub(1))
    }

    fn atom(&self, scene: SceneId, words: &NamedTerm) -> Result<(PredicateId, Vec<ObjectId>), Unfit> {
        let domain = self.language.domain();
        let predicate = domain.find_predicate(&words.head).ok_or_else(|| {
            let names = domain.predicates.iter().map(|one| one.name.as_str());
            unknown("predicate", &words.head, names)
        })?;
        let types = domain.predicate(predicate).parameters.iter();
        let arguments = self.arguments(scene, words, types.map(|parameter| &parameter.types))?;
        Ok((predicate, arguments))
    }

    /// Looks up an action and its arguments. On a fault, returns index 0 without arguments.
    fn action(&mut self, scene: SceneId, words: &NamedTerm, place: &str) -> (usize, Vec<ObjectId>) {
        let find = || {
            let signatures = self.language.signatures();
            let found = signatures.iter().position(|one| one.name.as_str() == words.head);
            let index = found.ok_or_else(|| {
                let names = signatures.iter().map(|one| one.name.as_str());
                unknown("action", &words.head, names)
            })?;
            let types = signatures[index].parameters.iter();
            let arguments = self.arguments(scene, words, types.map(|(_, types)| types))?;
            Ok((index, arguments))
        };
        let found: Result<_, Unfit> = find();
        found.unwrap_or_else(|fault| {
            self.faults.push(format!("{place}: {fault}"));
            (0, Vec::new())
        })
    }

    fn arguments<'t>(
        &self,
        scene: SceneId,
        words: &NamedTerm,
        types: impl ExactSizeIterator<Item = &'t herbrand_pddl::TypeUnion>,
    ) -> Result<Vec<ObjectId>, Unfit> {
        let NamedTerm { head, arguments } = words;
        if arguments.len() != types.len() {
            return Err(Unfit::Arguments(head.clone(), types.len(), arguments.len()));
        }
        let known = &self.problems[scene.index()];
        let mut ids = Vec::new();
        for (name, types) in arguments.iter().zip(types) {
            let id = known.objects.get(&Name::new(name)).copied();
            let id = id.ok_or_else(|| unknown("object", name, known.objects.keys().map(Name::as_str)))?;
            if !known.vocabulary.fits(id, types) {
                return Err(Unfit::Type(name.clone(), head.clone()));
            }
            ids.push(id);
        }
        Ok(ids)
    }

    /// Returns the recorded transitions as experience. A predicate is fluent if the domain declares an effect on it,
    /// or if one of its atoms changed in a transition.
    ///
    /// # Errors
    /// [`LearnError::Recorded`] with all faults, or else [`LearnError::BudgetExhausted`] if the budget is exhausted.
    pub fn finish(mut self) -> Result<Experience, LearnError> {
        if !self.faults.is_empty() {
            return Err(LearnError::Recorded { faults: self.faults });
        }
        self.meter.check()?;
        self.language.set_fluents(&self.changed());
        let scenes: Vec<ObservedProblem> = (0..self.problems.len())
            .map(|index| self.scene(SceneId::from_index(index)))
            .collect();
        let observe = |(scene, atoms): &(SceneId, SortedAtoms)| {
            let known = &scenes[scene.index()];
            let mut ids: Vec<AtomId> = atoms.iter().filter_map(|atom| known.find(atom)).collect();
            ids.sort_unstable();
            Observed {
                scene: *scene,
                atoms: ids,
            }
        };
        let states: Vec<Observed> = self.states.iter().map(observe).collect();
        let transition = |step: Step| {
            let before = &states[step.state.index()];
            let change = |next: StateId| {
                scenes[before.scene.index()].change(&before.atoms, &states[next.index()].atoms)
            };
            ObservedTransition {
                state: step.state,
                action: step.action,
                arguments: step.arguments,
                outcome: step
                    .next
                    .map_or(ObservedOutcome::Refused, |next| ObservedOutcome::Done {
                        change: change(next),
                        next,
                    }),
            }
        };
        Ok(Experience {
            transitions: self.steps.into_iter().map(transition).collect(),
            language: Arc::new(self.language),
            states,
            scenes,
        })
    }

    /// Returns the predicates with at least one changed atom.
    fn changed(&self) -> BTreeSet<PredicateId> {
        let mut changed = BTreeSet::new();
        for step in &self.steps {
            let Some(next) = step.next else {
                continue;
            };
            let [before, after] = [step.state, next].map(|id| &self.states[id.index()].1);
            for (one, other) in [(before, after), (after, before)] {
                let lost = one.iter().filter(|&atom| other.find(atom).is_none());
                changed.extend(lost.map(|atom| atom.predicate));
            }
        }
        changed
    }

    fn scene(&self, id: SceneId) -> ObservedProblem {
        let Recorded {
            problem, vocabulary, ..
        } = &self.problems[id.index()];
        let own = self.states.iter().filter(|(scene, _)| *scene == id);
        let seen: Vec<AtomRef<'_>> = own
            .flat_map(|(_, atoms)| atoms.iter())
            .chain(problem.init.iter())
            .collect();
        let of_kinds = |kinds: &[PredicateKind]| {
            let domain = self.language.domain();
            let is_one = |atom: &AtomRef<'_>| kinds.contains(&domain.predicate(atom.predicate).kind);
            seen.iter().copied().filter(is_one).collect()
        };
        ObservedProblem {
            problem: problem.clone(),
            vocabulary: vocabulary.clone(),
            fluents: of_kinds(&[PredicateKind::Fluent]),
            derived: of_kinds(&[PredicateKind::Derived]),
            statics: of_kinds(&[PredicateKind::Static, PredicateKind::Action]),
        }
    }
}

fn unknown<'n>(kind: &'static str, name: &str, names: impl Iterator<Item = &'n str>) -> Unfit {
    Unfit::Unknown {
        kind,
        name: name.to_owned(),
        meant: nearest(name, names).map(str::to_owned),
    }
}
