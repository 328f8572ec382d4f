//! Grounding that follows edits of its problem.

mod program;
mod symbols;
mod task;

use std::fmt;
use std::sync::Arc;

use fxhash::{FxHashMap, FxHashSet};
use herbrand_datalog::{QueriesError, RelationId, Symbol, View, Views};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Name, Problem, SchemaId};

use crate::normal::NormalDomain;
use crate::program::{Meaning, ReachabilityProgram};
use crate::{GroundError, GroundTask};
use program::ViewedProgram;
use symbols::Symbols;

/// What of a problem can happen, kept while the problem is edited: the atoms that some sequence of actions could make true, and the
/// ground actions.
///
/// It holds the model of the delete-relaxed program as a [`View`]. An edit of the initial facts, of objects, or of a goal that
/// needs no rules changes the input of that program, and the view follows in time that depends on what changes. Where the
/// program itself changes (operators, types, quantifiers over objects that come or go, goals with rules), the problem is grounded
/// anew, and [`Update::course`] says so.
///
/// Following pays where little changes, about one per cent of the problem. Where a fact that goes supports most of what is derived,
/// the view takes that out and puts back what has other grounds, which can take longer than grounding anew.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_ground::{Course, GroundOptions, Grounding, ground};
/// use herbrand_limits::Limits;
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Arc::new(Domain::from_text(
///     "(define (domain walk) (:predicates (at ?x) (path ?x ?y))
///        (:action go :parameters (?x ?y) :precondition (and (at ?x) (path ?x ?y)) :effect (and (at ?y) (not (at ?x)))))",
/// )?);
/// let with = |init: &str| {
///     let text = format!("(define (problem p) (:domain walk) (:objects a b c) (:init (at a) {init}) (:goal (at c)))");
///     Problem::from_text(&text, &domain).map(Arc::new)
/// };
/// let (short, long) = (with("(path a b)")?, with("(path a b) (path b c)")?);
///
/// let mut grounding = Grounding::new(&domain, &short, Limits::default())?;
/// let update = grounding.update(&domain, &long)?;
/// assert_eq!(update.course, Course::Followed);
/// assert_eq!(update.actions.added[0].to_string(), "(go b c)");
/// assert_eq!(update.atoms.added.iter().map(ToString::to_string).collect::<Vec<_>>(), ["(at c)", "(path b c)"]);
/// assert_eq!(grounding.task()?, ground(&domain, &long, &GroundOptions::default())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grounding {
    domain: Arc<Domain>,
    normal: Arc<NormalDomain>,
    problem: Arc<Problem>,
    limits: Limits,
    symbols: Symbols,
    viewed: Arc<ViewedProgram>,
    roles: Arc<[Role]>,
    view: View,
    /// By relation: the input of the view.
    input: Vec<FxHashMap<Tuple, Seen>>,
    /// How many updates there were.
    updates: Seen,
    /// By relation: what is derived, but for firings that are no actions or axioms.
    held: Vec<FxHashSet<Tuple>>,
    /// By ground action: how many firings it has.
    actions: FxHashMap<(SchemaId, Tuple), u32>,
    /// Whether an update was cut off: the view is of no use then.
    is_broken: bool,
}

type Tuple = Box<[Symbol]>;
type Fact = (RelationId, Tuple);

/// The number of the last update that had a fact.
type Seen = u64;

/// What the facts of a relation are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Atoms of the predicate of this number.
    Atoms(usize),
    /// Firings of a rule that stands for ground actions: the first symbols are the arguments.
    Actions { schema: SchemaId, arity: usize },
    /// Firings of an axiom, and what only rules read.
    Unnamed,
    /// Nothing that is kept.
    Other,
}

/// What an update changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// Whether the grounding followed, or was made anew.
    pub course: Course,
    /// The atoms that can become true, static ones among them, which came and went; sorted by name.
    pub atoms: Difference,
    /// The ground actions of the relaxed model that came and went. The ground task leaves out those of them whose
    /// precondition contradicts itself.
    pub actions: Difference,
}

/// How an update was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Course {
    /// The view took up what changed.
    Followed,
    /// The problem was grounded anew.
    Anew(Obstacle),
}

/// Why a view cannot follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obstacle {
    /// The domain is another one: operators, types or predicates.
    Domain,
    /// The rules of the problem are others: those of the goal, or those that name all objects of a type.
    Rules,
    /// There are more new objects than there is room for.
    Objects,
    /// The last update was cut off by a limit.
    Interrupted,
}

/// What came and what went, by name, each sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// What came, by the names of the new problem.
    pub added: Vec<Named>,
    /// What went, by the names of the problem before.
    pub removed: Vec<Named>,
}

/// An atom or a ground action by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Named {
    /// The predicate or the action schema.
    pub name: Name,
    /// The objects.
    pub arguments: Vec<Name>,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|name| write!(f, " {name}"))?;
        f.write_str(")")
    }
}

impl Difference {
    fn sort(&mut self) {
        self.added.sort_unstable();
        self.removed.sort_unstable();
    }

    /// How many names came or went.
    #[must_use]
    pub fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Grounding {
    /// Grounds a problem, each time within these limits.
    ///
    /// # Errors
    /// When the problem belongs to another domain, when axioms are not stratified, or when a limit is reached.
    pub fn new(domain: &Arc<Domain>, problem: &Arc<Problem>, limits: Limits) -> Result<Self, GroundError> {
        GroundError::check_domain(domain, problem)?;
        let budget = Budget::new(limits);
        let normal = Arc::new(NormalDomain::within(domain, &budget)?);
        Self::within(domain, &normal, problem, limits, &budget)
    }

    fn within(
        domain: &Arc<Domain>,
        normal: &Arc<NormalDomain>,
        problem: &Arc<Problem>,
        limits: Limits,
        budget: &Budget,
    ) -> Result<Self, GroundError> {
        let goal = normal.goal(problem, budget)?;
        // Faults of axioms are those of grounding.
        crate::program::strata(domain, problem, normal, &goal, budget)?;
        let relaxed = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
        let symbols = Symbols::of(problem);
        let viewed = ViewedProgram::of(&relaxed, &symbols.of, symbols.capacity);
        let facts = viewed.input(&relaxed, &symbols.of);
        let roles = roles(&relaxed, &viewed, normal);
        let mut meter = budget.meter("keeping what can happen");
        let views = Views::new(&viewed.program, &facts).map_err(of_queries)?;
        let mut held = vec![FxHashSet::default(); viewed.program.relations().len()];
        let mut actions = FxHashMap::default();
        let view = views.view_within(&facts, &mut meter, |meter, relation, tuple| {
            let role = roles[relation.index()];
            if role != Role::Other {
                meter.charge(bytes_of(tuple));
                held[relation.index()].insert(tuple.into());
                if let Role::Actions { schema, arity } = role {
                    *actions.entry((schema, tuple[..arity].into())).or_insert(0) += 1;
                }
            }
        })?;
        let mut input = vec![FxHashMap::default(); held.len()];
        for (relation, tuple) in facts.iter() {
            input[relation.index()].insert(tuple.into(), 0);
        }
        Ok(Self {
            domain: Arc::clone(domain),
            normal: Arc::clone(normal),
            problem: Arc::clone(problem),
            limits,
            symbols,
            input,
            updates: 0,
            viewed: Arc::new(viewed),
            roles: roles.into(),
            view,
            held,
            actions,
            is_broken: false,
        })
    }

    /// The problem that is grounded.
    #[must_use]
    pub const fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// The domain.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// Follows an edit: the domain and the problem after it. Reads all facts of the problem; what is derived from them is worked out
    /// for what changes alone.
    ///
    /// # Errors
    /// As [`new`](Self::new); the grounding is then that of the problem before, and the next update grounds anew.
    pub fn update(&mut self, domain: &Arc<Domain>, problem: &Arc<Problem>) -> Result<Update, GroundError> {
        GroundError::check_domain(domain, problem)?;
        let budget = Budget::new(self.limits);
        if self.is_broken {
            return self.anew(domain, problem, Obstacle::Interrupted, &budget);
        }
        if !Arc::ptr_eq(&self.domain, domain) && self.domain.fingerprint() != domain.fingerprint() {
            return self.anew(domain, problem, Obstacle::Domain, &budget);
        }
        let goal = self.normal.goal(problem, &budget)?;
        let relaxed = ReachabilityProgram::of(domain, problem, &self.normal, &goal, &budget)?;
        let Some(symbols) = self.symbols.follow(&self.problem, problem) else {
            return self.anew(domain, problem, Obstacle::Objects, &budget);
        };
        let viewed = ViewedProgram::of(&relaxed, &symbols.of, symbols.capacity);
        if viewed != *self.viewed {
            return self.anew(domain, problem, Obstacle::Rules, &budget);
        }
        // Goals may name auxiliary predicates of their own, which have no rules in common with the old ones.
        let facts = viewed.input(&relaxed, &symbols.of);
        drop(relaxed);
        self.follow(problem, symbols, &facts, &budget)
    }

    /// Takes up another input of the same program.
    fn follow(
        &mut self,
        problem: &Arc<Problem>,
        symbols: Symbols,
        facts: &herbrand_datalog::Facts,
        budget: &Budget,
    ) -> Result<Update, GroundError> {
        let changes = self.changed_input(facts);
        let mut reported = Vec::new();
        let mut meter = budget.meter("following an edit");
        let done = self.view.update_within(
            changes
                .iter()
                .map(|((relation, tuple), holds)| (*relation, &**tuple, *holds)),
            &mut meter,
            |meter, relation, tuple, holds| {
                if self.roles[relation.index()] != Role::Other {
                    meter.charge(bytes_of(tuple));
                    reported.push((relation, Tuple::from(tuple), holds));
                }
            },
        );
        if let Err(spent) = done {
            self.is_broken = true;
            return Err(spent.into());
        }
        let names = Names {
            domain: &self.domain,
            before: &self.problem,
            after: problem,
            old: &self.symbols,
            new: &symbols,
        };
        let (mut atoms, mut actions) = (Difference::default(), Difference::default());
        for ((relation, tuple), holds) in changes {
            // Input that no rule derives is an atom itself.
            if let Role::Atoms(predicate) = self.roles[relation.index()] {
                names.note_atom(predicate, &tuple, holds, &mut atoms);
            }
            let known = &mut self.input[relation.index()];
            if holds {
                known.insert(tuple, self.updates);
            } else {
                known.remove(&tuple);
            }
        }
        for (relation, tuple, holds) in reported {
            match self.roles[relation.index()] {
                Role::Atoms(predicate) => names.note_atom(predicate, &tuple, holds, &mut atoms),
                Role::Actions { schema, arity } => {
                    let key = (schema, Tuple::from(&tuple[..arity]));
                    let count = self.actions.entry(key.clone()).or_insert(0);
                    let was = *count;
                    *count = if holds { was + 1 } else { was.saturating_sub(1) };
                    let is = *count;
                    names.note_action(&key, was, is, &mut actions);
                    if is == 0 {
                        self.actions.remove(&key);
                    }
                }
                Role::Unnamed | Role::Other => {}
            }
            let held = &mut self.held[relation.index()];
            if holds {
                held.insert(tuple);
            } else {
                held.remove(&tuple);
            }
        }
        atoms.settle();
        actions.settle();
        self.symbols = symbols;
        self.problem = Arc::clone(problem);
        Ok(Update {
            course: Course::Followed,
            atoms,
            actions,
        })
    }

    /// The facts that come and go, in order; those that stay are marked as seen.
    fn changed_input(&mut self, facts: &herbrand_datalog::Facts) -> Vec<(Fact, bool)> {
        self.updates += 1;
        let now = self.updates;
        let mut changes = Vec::new();
        for (relation, tuple) in facts.iter() {
            match self.input[relation.index()].get_mut(tuple) {
                Some(seen) => *seen = now,
                None => changes.push(((relation, Tuple::from(tuple)), true)),
            }
        }
        for (relation, known) in self.input.iter().enumerate() {
            let gone = known.iter().filter(|(_, seen)| **seen != now);
            let relation = RelationId::new(crate::normal::u32_len(relation));
            changes.extend(gone.map(|(tuple, _)| ((relation, tuple.clone()), false)));
        }
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    fn anew(
        &mut self,
        domain: &Arc<Domain>,
        problem: &Arc<Problem>,
        obstacle: Obstacle,
        budget: &Budget,
    ) -> Result<Update, GroundError> {
        let normal = match obstacle {
            Obstacle::Domain => Arc::new(NormalDomain::within(domain, budget)?),
            _ => Arc::clone(&self.normal),
        };
        let made = Self::within(domain, &normal, problem, self.limits, budget)?;
        let difference = |before: Vec<Named>, after: Vec<Named>| {
            let [old, new] = [&before, &after].map(|list| list.iter().collect::<FxHashSet<_>>());
            Difference {
                added: after.iter().filter(|name| !old.contains(name)).cloned().collect(),
                removed: before
                    .iter()
                    .filter(|name| !new.contains(name))
                    .cloned()
                    .collect(),
            }
        };
        let update = Update {
            course: Course::Anew(obstacle),
            atoms: difference(self.atoms(), made.atoms()),
            actions: difference(self.actions(), made.actions()),
        };
        *self = made;
        Ok(update)
    }

    /// The atoms that can become true, static ones among them, sorted by name.
    #[must_use]
    pub fn atoms(&self) -> Vec<Named> {
        let mut all = Difference::default();
        let names = self.names();
        for (relation, role) in self.roles.iter().enumerate() {
            if let Role::Atoms(predicate) = *role {
                let held = self.held[relation].iter();
                held.for_each(|tuple| names.note_atom(predicate, tuple, true, &mut all));
            }
        }
        for (role, known) in self.roles.iter().zip(&self.input) {
            if let Role::Atoms(predicate) = *role {
                let tuples = known.keys();
                tuples.for_each(|tuple| names.note_atom(predicate, tuple, true, &mut all));
            }
        }
        all.sort();
        all.added
    }

    /// The ground actions of the relaxed model, sorted by name.
    #[must_use]
    pub fn actions(&self) -> Vec<Named> {
        let mut all = Difference::default();
        let names = self.names();
        let actions = self.actions.keys();
        actions.for_each(|action| names.note_action(action, 0, 1, &mut all));
        all.sort();
        all.added
    }

    /// The ground task: what [`ground`](crate::ground) gives, up to the order of disjuncts. It is written from what is kept, which
    /// takes time linear in its size.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn task(&self) -> Result<GroundTask, GroundError> {
        task::write(self, &Budget::new(self.limits))
    }

    fn names(&self) -> Names<'_> {
        Names {
            domain: &self.domain,
            before: &self.problem,
            after: &self.problem,
            old: &self.symbols,
            new: &self.symbols,
        }
    }
}

/// What is needed to name what was and what is.
struct Names<'g> {
    domain: &'g Domain,
    before: &'g Problem,
    after: &'g Problem,
    old: &'g Symbols,
    new: &'g Symbols,
}

impl Names<'_> {
    fn named(&self, name: &Name, tuple: &[Symbol], holds: bool) -> Named {
        let (problem, symbols) = if holds {
            (self.after, self.new)
        } else {
            (self.before, self.old)
        };
        let object = |symbol: &Symbol| {
            symbols
                .object(*symbol)
                .map(|object| problem.objects[object].name.clone())
        };
        Named {
            name: name.clone(),
            arguments: tuple.iter().filter_map(object).collect(),
        }
    }

    /// Notes an atom of a declared predicate.
    fn note_atom(&self, predicate: usize, tuple: &[Symbol], holds: bool, into: &mut Difference) {
        if let Some(declared) = self.domain.predicates.get(predicate) {
            let list = if holds { &mut into.added } else { &mut into.removed };
            list.push(self.named(&declared.name, tuple, holds));
        }
    }

    /// Notes an action that came to have a firing, or lost its last one.
    fn note_action(&self, (schema, arguments): &(SchemaId, Tuple), was: u32, is: u32, into: &mut Difference) {
        let name = &self.domain.schema(*schema).name;
        if was == 0 && is > 0 {
            into.added.push(self.named(name, arguments, true));
        } else if was > 0 && is == 0 {
            into.removed.push(self.named(name, arguments, false));
        }
    }
}

impl Difference {
    /// Sorts, and leaves out what came and went in one update.
    fn settle(&mut self) {
        let [added, removed] =
            [&self.added, &self.removed].map(|list| list.iter().cloned().collect::<FxHashSet<_>>());
        self.added.retain(|name| !removed.contains(name));
        self.removed.retain(|name| !added.contains(name));
        self.sort();
    }
}

/// By relation of the viewed program: what its facts are.
fn roles(relaxed: &ReachabilityProgram<'_>, viewed: &ViewedProgram, normal: &NormalDomain) -> Vec<Role> {
    let mut roles = vec![Role::Other; viewed.program.relations().len()];
    roles[..relaxed.program.relations().len()].fill(Role::Unnamed);
    for (index, relation) in relaxed.signature.relations.iter().enumerate() {
        roles[relation.index()] = Role::Atoms(index);
    }
    for (firings, meaning) in viewed.firings.iter().zip(&relaxed.meanings) {
        roles[firings.index()] = match *meaning {
            Meaning::Action { schema, .. } => Role::Actions {
                schema: normal.schemas[schema].schema,
                arity: normal.schemas[schema].arity as usize,
            },
            Meaning::Axiom { .. } => Role::Unnamed,
            Meaning::Support => Role::Other,
        };
    }
    roles
}

/// The bytes that a fact is reckoned to take in a set.
fn bytes_of(tuple: &[Symbol]) -> u64 {
    (size_of_val(tuple) + 32) as u64
}

fn of_queries(error: QueriesError) -> GroundError {
    match error {
        QueriesError::Program(error) => error.into(),
        QueriesError::Facts(error) => herbrand_datalog::EvaluationError::from(error).into(),
    }
}
