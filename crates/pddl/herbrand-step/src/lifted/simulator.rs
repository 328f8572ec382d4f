//! The [`LiftedSimulator`]: a planning task that is stepped without grounding.

use std::sync::Arc;

use herbrand_ground::{DisjunctRule, FunctionKind, LiftedTask, NormalDomain, TruthSource, Vocabulary};
use herbrand_pddl::{AtomList, AtomRef, Domain, FunctionId, ObjectId, PredicateId, Problem, SchemaId};

use super::applicable::compares;
use super::numbers::NumberTable;
use super::prepared::Prepared;
use super::state::{LiftedNumber, LiftedState};
use super::tables::{Inner, Role};
use crate::semantics::error::CompileError;
use crate::semantics::options::Options;

/// A planning task that can be stepped without grounding it. It is immutable and cheap to clone, and any number of
/// threads can share it. [`compile`](Self::compile) makes one; [`walker`](Self::walker) steps it.
///
/// Compiling takes time and memory proportional to the domain and the initial state only, however many actions there are. A
/// step is slower than a step of a grounded [`Simulator`](crate::Simulator).
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_step::{LiftedSimulator, Random};
///
/// let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
///     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
/// let problem = Problem::from_text("(define (problem two) (:domain ring) (:objects a b)
///     (:init (at a) (next a b) (next b a)) (:goal (at b)))", &domain)?;
/// let simulator = LiftedSimulator::compile(&domain, &problem)?;
/// let mut walker = simulator.walker()?;
/// let mut random = Random::new(0);
/// let action = walker.valid().nth(0).unwrap();
/// assert_eq!(action.display(simulator.vocabulary()).to_string(), "(go a b)");
/// let (schema, arguments) = (action.schema, action.arguments.to_vec());
/// assert!(walker.apply(schema, &arguments, &mut random)?.goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiftedSimulator {
    pub(super) inner: Arc<Inner>,
}

impl LiftedSimulator {
    /// Compiles a problem into a lifted simulator, with the default [`Options`]. Then call [`walker`](Self::walker).
    ///
    /// # Errors
    /// Fails if the problem belongs to another domain, if the axioms are not stratified, or if a budget that
    /// [encloses](herbrand_limits::Budget::enclose) the call is exhausted. It sets no limits itself.
    pub fn compile(domain: &Domain, problem: &Problem) -> Result<Self, CompileError> {
        Self::with_options(LiftedTask::of(domain, problem)?, Options::default())
    }

    /// Compiles like [`compile`](Self::compile), with `normal`, the normal form of `domain` ([`NormalDomain::of`]), made by
    /// the caller. It can be shared by all problems of a domain. That `normal` is of `domain` is not checked.
    ///
    /// # Errors
    /// The same as for [`compile`](Self::compile).
    pub fn compile_normal(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
    ) -> Result<Self, CompileError> {
        Self::with_options(
            LiftedTask::of_normal(domain, normal, problem)?,
            Options::default(),
        )
    }

    /// Creates the simulator of a lifted task, which [`LiftedTask::of`] makes, with the given options. The options
    /// [`matching`](Options::matching) and [`derived`](Options::derived) are ignored: all derived atoms are maintained.
    ///
    /// # Errors
    /// Fails if the program of the task is inconsistent, which does not happen for a task that [`LiftedTask::of`] made.
    pub fn with_options(task: LiftedTask, options: Options) -> Result<Self, CompileError> {
        let prepared = Prepared::new(&task)?;
        let (roles, candidates) = roles(&task);
        let constants = values(&task, |kind| kind == FunctionKind::Static);
        let numbers = values(&task, |kind| kind == FunctionKind::Fluent);
        let initial = LiftedState {
            atoms: sorted(&task.initial),
            numbers: numbers.defined(),
        };
        let inner = Arc::new(Inner {
            task,
            prepared,
            constants,
            roles,
            candidates,
            initial,
            options,
        });
        Ok(Self { inner })
    }

    /// Returns the lifted task: the program that derives valid actions and derived atoms from a state.
    #[must_use]
    pub fn task(&self) -> &LiftedTask {
        &self.inner.task
    }

    /// Returns the vocabulary of the task: the names of its predicates, functions, action schemas and objects.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.inner.task.vocabulary
    }

    /// Returns the options of the simulator.
    #[must_use]
    pub fn options(&self) -> Options {
        self.inner.options
    }

    /// Returns the initial state as the problem declares it, before any draws. If the initial state is random, draw one
    /// with [`LiftedWalker::reset`](crate::LiftedWalker::reset).
    #[must_use]
    pub fn initial_state(&self) -> &LiftedState {
        &self.inner.initial
    }

    /// Returns the state in which exactly these fluent atoms are true, and numbers have their initial values. Atoms of
    /// other predicates are ignored. Whether the arguments have the declared types is not checked. An atom may occur
    /// more than once. Pass the state to [`LiftedWalker::set_state`](crate::LiftedWalker::set_state).
    pub fn state_from_atoms<'a>(&self, atoms: impl IntoIterator<Item = AtomRef<'a>>) -> LiftedState {
        let mut fluents = AtomList::default();
        let atoms = atoms.into_iter();
        let changes =
            |fact: &AtomRef<'_>| self.inner.task.truth_source(fact.predicate) == TruthSource::Fluent;
        atoms
            .filter(changes)
            .for_each(|fact| fluents.push(fact.predicate, fact.arguments));
        LiftedState {
            atoms: sorted(&fluents),
            numbers: self.inner.initial.numbers.clone(),
        }
    }

    /// Sets the value of a numeric fluent in `state`; `None`, an infinite value or NaN makes it undefined. Returns
    /// `false` and changes nothing if terms of this function are not part of states, such as those of an accumulator or
    /// of a function that nothing changes. The arguments are not checked.
    pub fn set_numeric(
        &self,
        state: &mut LiftedState,
        function: FunctionId,
        arguments: &[ObjectId],
        value: Option<f64>,
    ) -> bool {
        if self.inner.task.functions.get(function.index()) != Some(&FunctionKind::Fluent) {
            return false;
        }
        let wanted = (function, arguments);
        let place = state
            .numbers
            .binary_search_by(|number| (number.function, number.arguments.as_slice()).cmp(&wanted));
        let number = value.filter(|value| value.is_finite());
        let number = number.map(|value| LiftedNumber::new(function, arguments, value));
        match (place, number) {
            (Ok(index), Some(number)) => state.numbers[index] = number,
            (Ok(index), None) => drop(state.numbers.remove(index)),
            (Err(index), Some(number)) => state.numbers.insert(index, number),
            (Err(_), None) => {}
        }
        true
    }
}

/// Returns the role of each relation, and the schema and disjunct of each candidate relation.
fn roles(task: &LiftedTask) -> (Vec<Role>, Vec<(Option<SchemaId>, usize)>) {
    let mut roles = vec![Role::Other; task.program.relations().len()];
    let mut candidates = Vec::new();
    for (index, predicate) in task.vocabulary.predicates.iter().enumerate() {
        let id = PredicateId::from_index(index);
        let derived = matches!(
            task.truth_source(id),
            TruthSource::Derived | TruthSource::StaticDerived
        );
        if derived && !predicate.auxiliary {
            roles[task.relations[index].index()] = Role::Derived(id);
        }
    }
    let mut assign = |ways: &[DisjunctRule], whose: Option<SchemaId>| {
        for (index, way) in ways.iter().enumerate() {
            roles[way.relation.index()] = match whose {
                _ if !way.comparisons.is_empty() => {
                    candidates.push((whose, index));
                    Role::Candidate(candidates.len() - 1)
                }
                Some(schema) if compares(ways) => Role::Plain(schema),
                Some(schema) => Role::Applicable(schema),
                None => Role::Goal,
            };
        }
    };
    for action in &task.actions {
        assign(&action.ways, Some(action.schema));
    }
    assign(&task.goal, None);
    (roles, candidates)
}

/// The initial values of the functions of the selected kinds.
fn values(task: &LiftedTask, of_kind: impl Fn(FunctionKind) -> bool) -> NumberTable {
    let mut table = NumberTable::new(task);
    for &function in task.zeros.iter().filter(|id| of_kind(task.functions[id.index()])) {
        let id = table.intern(function, &[]);
        table.set(id, Some(0.0));
    }
    for value in task
        .values
        .iter()
        .filter(|value| of_kind(task.functions[value.function.index()]))
    {
        let id = table.intern(value.function, &value.arguments);
        table.set(id, Some(value.value.value()));
    }
    table
}

fn sorted(facts: &AtomList) -> AtomList {
    let mut all: Vec<_> = facts.iter().collect();
    all.sort_unstable();
    all.dedup();
    let mut sorted = AtomList::default();
    all.into_iter()
        .for_each(|fact| sorted.push(fact.predicate, fact.arguments));
    sorted
}
