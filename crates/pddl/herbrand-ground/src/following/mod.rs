//! Incremental grounding, which follows edits of a problem.

mod actions;
mod input;
mod names;
mod program;
mod symbols;
mod task;
mod update;

use std::sync::Arc;

use herbrand_datalog::{Derivations, DerivationsError, Facts, RelationId, Shift};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem};

use crate::normal::NormalDomain;
use crate::program::ReachabilityProgram;
use crate::{GroundError, GroundTask};
use actions::Actions;
use input::Change;
use names::Names;
pub use names::{Difference, Named};
use program::LiveProgram;
use symbols::Symbols;
use update::Before;
pub use update::{Course, Obstacle, Update};

/// The reachable atoms and ground actions of a problem, maintained while the problem is edited.
///
/// It stores the model of the delete-relaxed program and every firing of its rules, as [`Derivations`]. An edit of the
/// initial facts, the objects, or a goal without rules only changes the input of that program. The update then follows the
/// stored firings, and only facts that were never there before are joined with the others. The problem is grounded from
/// scratch if the program itself changes (operators, types, quantifiers over objects that are added or removed, goals with
/// rules), or if a fact changes on whose absence a rule depends. [`Update::course`] returns which of the two happened.
///
/// The time of an update depends on the size of the change, plus a little per initial fact, because the change is found by
/// comparing both problems. If half of all facts change, an update can take longer than grounding from scratch.
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
/// assert_eq!(update.actions().added[0].to_string(), "(go b c)");
/// assert_eq!(update.atoms().added.iter().map(ToString::to_string).collect::<Vec<_>>(), ["(at c)", "(path b c)"]);
/// assert_eq!(grounding.task()?, ground(&domain, &long, &GroundOptions::default())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grounding {
    domain: Arc<Domain>,
    normal: Arc<NormalDomain>,
    problem: Arc<Problem>,
    limits: Limits,
    symbols: Arc<Symbols>,
    live: Arc<LiveProgram>,
    /// For each predicate, its relation.
    relations: Arc<[RelationId]>,
    /// For each relation, the number of its predicate; `None` if it is not a predicate's relation.
    predicates: Arc<[Option<usize>]>,
    /// The facts of frozen relations: first the input facts, then the derived facts.
    frozen: Arc<Facts>,
    below: Arc<Facts>,
    kept: Derivations,
    actions: Actions,
    /// Whether an update failed, so that firings may be missing.
    is_broken: bool,
}

/// At most this many firings are stored even if most of them do not hold.
const FEW: usize = 4096;

/// At most this many facts may be removed whatever their share of all facts.
const MANY: usize = 64;

impl Grounding {
    /// Grounds a problem. The limits apply to this call and to each update.
    ///
    /// # Errors
    /// If the problem belongs to another domain, if axioms are not stratified, or if a limit is reached.
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
        // This reports the same faults of axioms as grounding does.
        crate::program::strata(domain, problem, normal, &goal, budget)?;
        let relaxed = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
        let symbols = Symbols::of(problem);
        let live = LiveProgram::of(&relaxed, &symbols);
        let input = live.input(&relaxed, &symbols);
        let rest = || budget.rest(relaxed.signature.meter.held());
        let below = live.below(&input, rest())?;
        let mut frozen = Facts::new();
        let unchanging = input.iter().filter(|(relation, _)| live.is_frozen(*relation));
        unchanging.for_each(|(relation, tuple)| frozen.add(relation, tuple));
        let mut start = input;
        below
            .iter()
            .for_each(|(relation, tuple)| start.add(relation, tuple));
        let kept = Derivations::new(&live.program, &start, &live.room(&relaxed, &symbols), rest())?;
        drop(start);
        let mut actions = Actions::of(&live, &relaxed.meanings, normal);
        actions.count(&kept);
        budget.check("keeping what can happen", kept.bytes() + actions.bytes())?;
        let mut predicates = vec![None; live.program.relations().len()];
        for (number, relation) in relaxed.signature.relations.iter().enumerate() {
            predicates[relation.index()] = Some(number);
        }
        Ok(Self {
            domain: Arc::clone(domain),
            normal: Arc::clone(normal),
            problem: Arc::clone(problem),
            limits,
            symbols: Arc::new(symbols),
            relations: relaxed.signature.relations.as_slice().into(),
            predicates: predicates.into(),
            live: Arc::new(live),
            frozen: Arc::new(frozen),
            below: Arc::new(below),
            kept,
            actions,
            is_broken: false,
        })
    }

    /// Returns the current problem.
    #[must_use]
    pub const fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Returns the current domain.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// Follows an edit to this domain and problem.
    ///
    /// # Errors Like [`new`](Self::new). The grounding then still belongs to the previous problem. If a limit interrupted
    /// the propagation of changes, the next update grounds from scratch ([`Obstacle::Interrupted`]).
    pub fn update(
        &mut self,
        domain: &Arc<Domain>,
        problem: &Arc<Problem>,
    ) -> Result<Update<'_>, GroundError> {
        // The previous problem was checked against the domain.
        let is_checked = Arc::ptr_eq(&self.domain, domain)
            && problem.domain_fingerprint == self.problem.domain_fingerprint;
        if !is_checked {
            GroundError::check_domain(domain, problem)?;
        }
        let budget = Budget::new(self.limits);
        let (course, before) = match self.changes(domain, problem, &budget)? {
            Ok((symbols, changes)) => {
                self.follow(&changes, &budget)?;
                let symbols = symbols.map_or_else(|| Arc::clone(&self.symbols), Arc::new);
                let before = Before::Followed {
                    problem: std::mem::replace(&mut self.problem, Arc::clone(problem)),
                    symbols: std::mem::replace(&mut self.symbols, symbols),
                };
                (Course::Followed, before)
            }
            Err(obstacle) => {
                let normal = match obstacle {
                    Obstacle::Domain => Arc::new(NormalDomain::within(domain, &budget)?),
                    _ => Arc::clone(&self.normal),
                };
                let made = Self::within(domain, &normal, problem, self.limits, &budget)?;
                let before = Before::Replaced(Box::new(std::mem::replace(self, made)));
                (Course::FromScratch(obstacle), before)
            }
        };
        Ok(Update {
            course,
            now: self,
            before,
        })
    }

    /// Returns the changes of the input, with new symbols if the objects change; or the reason why the edit cannot be
    /// followed.
    #[expect(
        clippy::type_complexity,
        reason = "an error beside an obstacle, which is none"
    )]
    fn changes(
        &self,
        domain: &Arc<Domain>,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Result<(Option<Symbols>, Vec<Change>), Obstacle>, GroundError> {
        if self.is_broken {
            return Ok(Err(Obstacle::Interrupted));
        }
        if !Arc::ptr_eq(&self.domain, domain) && self.domain.fingerprint() != domain.fingerprint() {
            return Ok(Err(Obstacle::Domain));
        }
        // This is a lower bound of the number of removed facts.
        if self.is_much(self.problem.init.len().saturating_sub(problem.init.len())) {
            return Ok(Err(Obstacle::Much));
        }
        let of_facts = input::of_facts(domain, &self.problem, problem, &self.symbols, &self.relations);
        if let Some(changes) = of_facts {
            return Ok(self.obstacle(&changes).map_or(Ok((None, changes)), Err));
        }
        let Some(symbols) = self.symbols.follow(&self.problem, problem) else {
            return Ok(Err(Obstacle::Objects));
        };
        let goal = self.normal.goal(problem, budget)?;
        let relaxed = ReachabilityProgram::of(domain, problem, &self.normal, &goal, budget)?;
        let live = LiveProgram::of(&relaxed, &symbols);
        if live != *self.live {
            return Ok(Err(Obstacle::Rules));
        }
        let input = live.input(&relaxed, &symbols);
        let (changes, is_same) = input::of_input(&self.kept, &self.frozen, &input, |id| !live.is_frozen(id));
        if !is_same {
            return Ok(Err(Obstacle::Negation));
        }
        Ok(self.obstacle(&changes).map_or(Ok((Some(symbols), changes)), Err))
    }

    /// Returns the reason why changes of the input cannot be followed; `None` if they can.
    fn obstacle(&self, changes: &[Change]) -> Option<Obstacle> {
        let mut is_new = false;
        let mut taken = 0;
        for change in changes {
            taken += usize::from(change.times < 0);
            if self.live.is_frozen(change.relation) {
                return Some(Obstacle::Negation);
            }
            if change.times > 0 && !self.kept.has_room(change.relation, &change.tuple) {
                return Some(Obstacle::Objects);
            }
            is_new |= self.kept.model().id(change.relation, &change.tuple).is_none();
        }
        if self.is_much(taken) {
            return Some(Obstacle::Much);
        }
        let is_mostly_left = self.kept.firings() > FEW.max(2 * self.kept.live());
        (is_new && is_mostly_left).then_some(Obstacle::Leftovers)
    }

    /// Returns whether the removed facts are a large share of all.
    fn is_much(&self, taken: usize) -> bool {
        taken > MANY && 4 * taken > self.problem.init.len()
    }

    /// Applies changes of the input.
    fn follow(&mut self, changes: &[Change], budget: &Budget) -> Result<(), GroundError> {
        for change in changes {
            for _ in 0..change.times.unsigned_abs() {
                if change.times > 0 {
                    self.kept.give(change.relation, &change.tuple);
                } else {
                    self.kept.take(change.relation, &change.tuple);
                }
            }
        }
        self.is_broken = true;
        let shift: &Shift = self.kept.settle(budget.rest(0))?;
        self.is_broken = false;
        let shift = shift.clone();
        self.actions.follow(&self.kept, &shift);
        Ok(())
    }

    /// Returns the reachable atoms, including the static ones, sorted by name.
    #[must_use]
    pub fn atoms(&self) -> Vec<Named> {
        let (names, model) = (self.names(), self.kept.model());
        let held = model.ids().filter(|fact| self.kept.is_held(*fact));
        let held = held.map(|fact| (model.relation(fact), model.tuple(fact)));
        let all = held.chain(self.frozen.iter()).chain(self.below.iter());
        let named = all.filter_map(|(relation, tuple)| names.atom(self.predicates[relation.index()]?, tuple));
        let mut atoms: Vec<_> = named.collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Returns the ground actions of the relaxed model, sorted by name.
    #[must_use]
    pub fn actions(&self) -> Vec<Named> {
        let (names, mut actions) = (self.names(), Vec::new());
        self.actions.each(&self.kept, |schema, arguments| {
            actions.push(names.action(schema, arguments));
        });
        actions.sort_unstable();
        actions
    }

    /// Returns the ground task, which equals the result of [`ground`](crate::ground) up to the order of disjuncts. It is
    /// written from the stored firings, in time linear in its size.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn task(&self) -> Result<GroundTask, GroundError> {
        task::write(self, &Budget::new(self.limits))
    }

    fn names(&self) -> Names<'_> {
        Names {
            domain: &self.domain,
            problem: &self.problem,
            symbols: &self.symbols,
        }
    }
}

impl From<DerivationsError> for GroundError {
    fn from(error: DerivationsError) -> Self {
        match error {
            DerivationsError::Program(error) => error.into(),
            DerivationsError::Evaluation(error) => error.into(),
            DerivationsError::Negation { .. } => {
                unreachable!("relations that are negated are frozen, and have no rules here")
            }
        }
    }
}
