//! A search for goals and preconditions that can never hold.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{
    Atom, AtomRef, Domain, Effect, Formula, InitialOutcome, ObjectId, PredicateId, PredicateKind, Problem,
    Term,
};

/// The number of names that a message lists.
const LISTED: usize = 3;

/// Returns warnings of atoms of the goal that no plan can make true. If there are any, also warns of predicates that
/// some precondition needs but that no action adds and the initial state does not list. If `strict` is set, the
/// warnings are errors, except about the goal of a problem without a text. Empty if no such atom is found, or if the
/// problem has no goal. Pass the domain that the problem was checked against. The parsing functions do not report these
/// warnings.
///
/// The search looks at predicates, not at ground atoms, so it takes time linear in the length of the texts and misses some
/// goals that cannot be reached.
///
/// ```
/// use herbrand_pddl::{Domain, Problem, never_true};
///
/// let domain = Domain::from_text("(define (domain ferry) (:predicates (at ?s) (boat ?s))
///     (:action row :parameters (?s ?t) :precondition (and (at ?s) (boat ?s))
///       :effect (and (not (at ?s)) (at ?t))))")?;
/// let problem = Problem::from_text("(define (problem over) (:domain ferry) (:objects left right)
///     (:init (at left)) (:goal (at right)))", &domain)?;
/// let found: Vec<_> = never_true(&domain, &problem, false).iter().map(|d| d.message().to_owned()).collect();
/// assert_eq!(found, [
///     "the goal `(at right)` can never hold",
///     "no action adds `boat`, and the initial state of `over` has none",
/// ]);
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
#[must_use]
pub fn never_true(domain: &Domain, problem: &Problem, strict: bool) -> Vec<Diagnostic> {
    let domain = &*domain.with_snap_actions();
    let reach = Reach::of(domain, problem);
    let mut found = Vec::new();
    if problem.has_goal {
        let mut faults = problem
            .origin
            .source()
            .map(|source| Diagnostics::new(source.clone(), strict));
        required(&problem.goal, &mut |atom| {
            if reach.may_hold(atom) {
                return;
            }
            let text = problem.goal_text(domain, &Formula::Atom(atom.clone()));
            let message = format!("the goal `{text}` can never hold");
            match &mut faults {
                None => found.push(Diagnostic::new(Code::NeverTrue, message)),
                Some(faults) => faults.report(Code::NeverTrue, message, |d| {
                    let d = match atom.place.span() {
                        Some(span) => d.primary(span, reach.reason(atom)),
                        None => d,
                    };
                    match reach.lacking(atom.predicate) {
                        Some(lacking) => d.note(lacking),
                        None => d,
                    }
                }),
            }
        });
        found.extend(faults.into_iter().flat_map(Diagnostics::into_list));
    }
    // Many sound problems leave out a feature of their domain, so this matters only if a goal cannot be reached.
    if !found.is_empty() {
        found.extend(reach.never_added(strict));
    }
    found
}

/// Calls `see` with the atoms that must hold for `formula` to hold.
fn required<'f>(formula: &'f Formula, see: &mut dyn FnMut(&'f Atom)) {
    match formula {
        Formula::Atom(atom) => see(atom),
        Formula::And(parts) => parts.iter().for_each(|part| required(part, see)),
        Formula::Exists(_, body) => required(body, see),
        _ => {}
    }
}

/// The predicates that can hold for some arguments, if arguments and deletes are ignored.
struct Reach<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    /// For each predicate, whether some atom of it may hold.
    reached: Vec<bool>,
    /// For each predicate, whether an action that may be possible adds it, or a rule derives it.
    gained: Vec<bool>,
    /// For each predicate, whether any action or rule could add it, possible or not.
    added: Vec<bool>,
    /// The alternatives of draws in the initial state.
    drawn: Vec<&'a InitialOutcome>,
}

impl<'a> Reach<'a> {
    fn of(domain: &'a Domain, problem: &'a Problem) -> Self {
        let count = domain.predicates.len();
        let mut drawn: Vec<&InitialOutcome> = Vec::new();
        let outcomes = |chances: &'a [crate::model::InitialChance]| {
            let alternatives = chances.iter().flat_map(|chance| &chance.alternatives);
            alternatives.map(|(_, outcome)| outcome)
        };
        drawn.extend(outcomes(&problem.chances));
        let mut next = 0;
        while let Some(&outcome) = drawn.get(next) {
            drawn.extend(outcomes(&outcome.chances));
            next += 1;
        }
        let mut reach = Self {
            domain,
            problem,
            reached: vec![false; count],
            gained: vec![false; count],
            added: vec![false; count],
            drawn,
        };
        let facts: Vec<_> = reach.facts().map(|fact| fact.predicate).collect();
        facts.into_iter().for_each(|id| reach.reached[id.index()] = true);
        for (id, predicate) in domain.predicates.iter().enumerate() {
            // The agent's actions are not part of the state.
            reach.reached[id] |= predicate.kind == PredicateKind::Action;
        }
        for schema in &domain.schemas {
            schema.effect.walk(&mut |part| {
                if let Effect::Add(atom) = part {
                    reach.added[atom.predicate.index()] = true;
                }
            });
        }
        domain
            .axioms
            .iter()
            .for_each(|axiom| reach.added[axiom.predicate.index()] = true);
        while reach.advance() {}
        reach
    }

    /// Adds the predicates that actions and rules add in one more step. Returns whether there are any.
    fn advance(&mut self) -> bool {
        let mut gained = Vec::new();
        for schema in &self.domain.schemas {
            if self.is_possible(&schema.precondition) {
                self.adds(&schema.effect, &mut gained);
            }
        }
        for axiom in &self.domain.axioms {
            if self.is_possible(&axiom.body) {
                gained.push(axiom.predicate);
            }
        }
        let mut is_new = false;
        for id in gained {
            self.reached[id.index()] = true;
            is_new |= !std::mem::replace(&mut self.gained[id.index()], true);
        }
        is_new
    }

    fn adds(&self, effect: &Effect, gained: &mut Vec<PredicateId>) {
        match effect {
            Effect::Add(atom) => gained.push(atom.predicate),
            Effect::Delete(_) | Effect::Assign(_) => {}
            Effect::And(parts) => parts.iter().for_each(|part| self.adds(part, gained)),
            Effect::Forall(_, body) => self.adds(body, gained),
            Effect::When(condition, body) => {
                if self.is_possible(condition) {
                    self.adds(body, gained);
                }
            }
            Effect::Probabilistic(alternatives) => {
                let effects = alternatives.iter();
                effects.for_each(|(_, effect)| self.adds(effect, gained));
            }
        }
    }

    /// Returns whether a formula may hold, as far as the predicates tell.
    fn is_possible(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Atom(atom) => self.reached[atom.predicate.index()],
            Formula::And(parts) => parts.iter().all(|part| self.is_possible(part)),
            Formula::Or(parts) => parts.iter().any(|part| self.is_possible(part)),
            Formula::Exists(_, body) => self.is_possible(body),
            Formula::Equal(..)
            | Formula::Compare(..)
            | Formula::Not(_)
            | Formula::Imply(..)
            | Formula::Forall(..) => true,
        }
    }

    /// Returns the facts that the initial state lists, may draw, or lists with a time.
    fn facts(&self) -> impl Iterator<Item = AtomRef<'_>> {
        let drawn = self.drawn.iter().flat_map(|outcome| outcome.facts.iter());
        let timed = self
            .problem
            .timed
            .iter()
            .flat_map(|literals| literals.adds.iter());
        self.problem.init.iter().chain(drawn).chain(timed)
    }

    /// Returns whether an atom of the goal may hold: its predicate is gained, or the initial state lists it.
    fn may_hold(&self, atom: &Atom) -> bool {
        let id = atom.predicate;
        if self.gained[id.index()] || !self.reached[id.index()] {
            return self.reached[id.index()];
        }
        let arguments = atom.arguments.iter().map(|term| match term {
            Term::Object(object) => Some(*object),
            Term::Variable(_) => None,
        });
        let Some(arguments) = arguments.collect::<Option<Vec<ObjectId>>>() else {
            return true;
        };
        self.facts()
            .any(|fact| fact.predicate == id && fact.arguments == arguments)
    }

    /// Returns why an atom of the goal never holds, as a label.
    fn reason(&self, atom: &Atom) -> String {
        let predicate = self.domain.predicate(atom.predicate);
        let name = &predicate.name;
        let has_some = self.reached[atom.predicate.index()];
        match (predicate.kind, self.added[atom.predicate.index()]) {
            (PredicateKind::Derived, _) => format!("no rule can derive `{name}`"),
            (_, true) => format!("no action that adds `{name}` is ever possible"),
            (_, false) if has_some => format!("no action adds `{name}`, and `:init` does not list this"),
            (_, false) => format!("no action adds `{name}`, and `:init` has none"),
        }
    }

    /// Returns a note that names the other predicates that never hold, which may be the cause. `None` if all others can hold.
    fn lacking(&self, goal: PredicateId) -> Option<String> {
        let is_derived = self.domain.predicate(goal).kind == PredicateKind::Derived;
        if is_derived || !self.added[goal.index()] {
            return None;
        }
        let mut lacking = Vec::new();
        for schema in &self.domain.schemas {
            required(&schema.precondition, &mut |atom| {
                let id = atom.predicate;
                let is_listed = self.domain.predicate(id).kind != PredicateKind::Derived;
                if !self.reached[id.index()] && id != goal && is_listed && !lacking.contains(&id) {
                    lacking.push(id);
                }
            });
        }
        let names = lacking.iter().map(|&id| self.domain.predicate(id).name.as_str());
        let names: Vec<_> = names.collect();
        (!names.is_empty()).then(|| format!("`:init` has no {}", listed(&names, "and no")))
    }

    /// Reports the predicates that a precondition needs, but that no action adds and the initial state does not list.
    fn never_added(&self, strict: bool) -> Vec<Diagnostic> {
        let mut needed: Vec<(&Atom, Vec<&str>)> = Vec::new();
        for schema in &self.domain.schemas {
            required(&schema.precondition, &mut |atom| {
                let id = atom.predicate;
                if self.reached[id.index()] || self.added[id.index()] {
                    return;
                }
                let name = schema.name.as_str();
                match needed.iter_mut().find(|(first, _)| first.predicate == id) {
                    None => needed.push((atom, vec![name])),
                    Some((_, names)) if names.last() != Some(&name) => names.push(name),
                    Some(_) => {}
                }
            });
        }
        let message = |atom: &Atom| {
            let (name, problem) = (&self.domain.predicate(atom.predicate).name, &self.problem.name);
            format!("no action adds `{name}`, and the initial state of `{problem}` has none")
        };
        let Some(source) = self.domain.origin.source() else {
            let plain = |(atom, _): (&Atom, _)| Diagnostic::new(Code::NeverTrue, message(atom));
            return needed.into_iter().map(plain).collect();
        };
        let mut faults = Diagnostics::new(source.clone(), strict);
        for (atom, names) in needed {
            faults.report(Code::NeverTrue, message(atom), |d| {
                let verb = if names.len() == 1 { "is" } else { "are" };
                let label = format!("so {} {verb} never possible", listed(&names, "and"));
                match atom.place.span() {
                    Some(span) => d.primary(span, label),
                    None => d,
                }
            });
        }
        faults.into_list()
    }
}

/// Lists names in backticks: `a`, `a` and `b`.
fn listed(names: &[&str], and: &str) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    match (shown.as_slice(), names.len().saturating_sub(LISTED)) {
        ([], _) => String::new(),
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} {and} {last}", first.join(", ")),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}
