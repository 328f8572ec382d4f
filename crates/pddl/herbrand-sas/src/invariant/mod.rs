//! Lifted invariants: sets of atoms in which the number of true atoms never increases (Helmert, "Concise finite-domain
//! representations for PDDL planning tasks", 2009).
//!
//! A [`Candidate`] has parameters and parts. Each part is a predicate whose arguments are parameters, but for at most one
//! that is *counted*: with values for the parameters, the part contains the atoms with any object in that place. A
//! candidate is an invariant if no step makes more of these atoms true than it makes false. Candidates are guessed, checked
//! against each schema, and refined by a part for an atom that the schema deletes.

mod rule;
mod system;

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use herbrand_ground::{GroundTask, NormalDomain};
use herbrand_limits::{Instant, Meter};
use herbrand_pddl::{PredicateId, PredicateKind};

use rule::{Change, Literal, Rule};
use system::{Pair, System};

/// The limits of the search for invariants by [`lifted_groups`](crate::lifted_groups). When one is reached, the invariants found so far are used.
/// With the default limits, 100,000 candidates and 300 seconds, all but the largest domains are searched completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvariantLimits {
    /// The largest number of candidates for invariants. With 0, there are no invariants.
    pub candidates: usize,
    /// The largest time. The groups found within a time depend on the computer.
    pub time: Duration,
}

impl Default for InvariantLimits {
    fn default() -> Self {
        Self {
            candidates: 100_000,
            time: Duration::from_secs(300),
        }
    }
}

/// A set of atoms for each value of some parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Candidate {
    /// The number of parameters.
    pub(crate) arity: usize,
    /// The parts, ascending, at most one per predicate.
    pub(crate) parts: Vec<Part>,
}

/// The atoms of a predicate that belong to a candidate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Part {
    pub(crate) predicate: PredicateId,
    /// For each argument the parameter that it equals; `None` for the counted argument.
    pub(crate) places: Vec<Option<usize>>,
}

impl Candidate {
    fn part(&self, predicate: PredicateId) -> Option<&Part> {
        self.parts.iter().find(|part| part.predicate == predicate)
    }

    /// Returns this candidate with another part.
    fn with(&self, part: Part) -> Self {
        let mut parts = self.parts.clone();
        parts.push(part);
        parts.sort_unstable();
        let arity = self.arity;
        Self { arity, parts }
    }
}

/// Returns the invariants of a domain. Ends early with those found so far if a limit is reached, or if the budget of
/// the meter is exhausted, which the caller must check.
pub(crate) fn invariants(
    normal: &NormalDomain,
    task: &GroundTask,
    limits: &InvariantLimits,
    meter: &mut Meter,
) -> Vec<Candidate> {
    let start = Instant::now();
    let rules = rule::rules(normal, task);
    let mut search = Search {
        rules: &rules,
        open: VecDeque::new(),
        seen: BTreeSet::new(),
        most: limits.candidates,
    };
    search.guess(task);
    let mut found = Vec::new();
    while let Some(candidate) = search.open.pop_front() {
        if start.elapsed() > limits.time || !meter.work(1000) {
            break;
        }
        if search.is_invariant(&candidate) {
            found.push(candidate);
        }
    }
    found
}

struct Search<'a> {
    rules: &'a [Rule],
    open: VecDeque<Candidate>,
    seen: BTreeSet<Candidate>,
    /// The largest number of candidates.
    most: usize,
}

impl Search<'_> {
    /// Adds the candidates with one part: each predicate with all arguments as parameters, or all but one.
    fn guess(&mut self, task: &GroundTask) {
        for (index, predicate) in task.vocabulary.predicates.iter().enumerate() {
            if predicate.kind != PredicateKind::Fluent || predicate.auxiliary {
                continue;
            }
            let arity = predicate.signature.parameters.len();
            for counted in std::iter::once(None).chain((0..arity).map(Some)) {
                let place = |argument: usize| match counted {
                    Some(counted) if counted == argument => None,
                    Some(counted) => Some(argument - usize::from(argument > counted)),
                    None => Some(argument),
                };
                let part = Part {
                    predicate: PredicateId::from_index(index),
                    places: (0..arity).map(place).collect(),
                };
                self.add(Candidate {
                    arity: arity - usize::from(counted.is_some()),
                    parts: vec![part],
                });
            }
        }
    }

    fn add(&mut self, candidate: Candidate) {
        if self.seen.len() < self.most && self.seen.insert(candidate.clone()) {
            self.open.push_back(candidate);
        }
    }

    /// Returns whether a candidate is an invariant. If a schema is not balanced, adds refined candidates.
    fn is_invariant(&mut self, candidate: &Candidate) -> bool {
        let rules = self.rules;
        for rule in rules {
            let check = Check { rule, candidate };
            if check.is_heavy() {
                return false;
            }
            if let Some(add) = check.unbalanced() {
                for part in check.refinements(add) {
                    self.add(candidate.with(part));
                }
                return false;
            }
        }
        true
    }
}

/// The check of one candidate against one rule.
struct Check<'a> {
    rule: &'a Rule,
    candidate: &'a Candidate,
}

impl<'a> Check<'a> {
    /// The additions of atoms that may belong to the candidate.
    fn additions(&self) -> impl Iterator<Item = &'a Change> {
        let candidate = self.candidate;
        let covered = move |change: &&Change| candidate.part(change.atom.predicate).is_some();
        self.rule.additions.iter().filter(covered)
    }

    /// The equalities between parameters and arguments under which the candidate contains an atom.
    fn cover(&self, atom: &Literal) -> Vec<Pair> {
        let part = self.candidate.part(atom.predicate);
        let places = part.map_or(&[][..], |part| &part.places);
        let equality =
            |(&place, &argument): (&Option<usize>, &usize)| Some((self.rule.terms.len() + place?, argument));
        places.iter().zip(&atom.arguments).filter_map(equality).collect()
    }

    fn system(&self) -> System<'a> {
        System::new(self.rule, self.candidate.arity)
    }

    /// Returns whether a step may make two atoms of the candidate true at once.
    fn is_heavy(&self) -> bool {
        let additions: Vec<_> = self.additions().collect();
        for (index, &one) in additions.iter().enumerate() {
            if one
                .copy
                .as_deref()
                .is_some_and(|copy| self.both_become_true(one, copy))
            {
                return true;
            }
            if additions[index + 1..]
                .iter()
                .any(|other| self.both_become_true(one, other))
            {
                return true;
            }
        }
        false
    }

    fn both_become_true(&self, one: &Change, other: &Change) -> bool {
        if one.excludes(other) {
            return false;
        }
        let mut system = self.system();
        system.suppose(one);
        system.suppose(other);
        system.equal.extend(self.cover(&one.atom));
        system.equal.extend(self.cover(&other.atom));
        system.differ(&one.atom, &other.atom);
        system.assert(&one.atom, false);
        system.assert(&other.atom, false);
        system.is_satisfiable()
    }

    /// Returns an addition that no deletion balances.
    fn unbalanced(&self) -> Option<&'a Change> {
        self.additions().find(|add| {
            let deletions = self.rule.deletions.iter();
            !deletions
                .filter(|delete| self.candidate.part(delete.atom.predicate).is_some())
                .any(|delete| self.balances(delete, add) && !self.is_added_again(delete, add))
        })
    }

    /// Returns whether, whenever a step makes the added atom true, it deletes a true atom of the same set.
    fn balances(&self, delete: &Change, add: &Change) -> bool {
        if delete.compares || !add.happens_only_with(delete) {
            return false;
        }
        let mut system = self.system();
        system.suppose(add);
        system.assert(&add.atom, false);
        system.equal.extend(self.cover(&add.atom));
        if !system.fix(self.rule.fixed.iter().chain(&add.own).copied()) {
            // The addition never adds an atom of the candidate.
            return true;
        }
        system.equal.extend(self.cover(&delete.atom));
        system.equal.extend(&delete.equal);
        system.bind(&delete.own);
        let mut deleted = delete.atom.clone();
        deleted.negated = false;
        let conditions = delete.condition.iter().chain([&deleted]);
        conditions.into_iter().all(|literal| system.require(literal))
            && delete.unequal.iter().all(|&pair| system.require_unequal(pair))
            && system.is_solvable()
    }

    /// Returns whether a step that adds one atom may delete another one and add that again.
    fn is_added_again(&self, delete: &Change, add: &Change) -> bool {
        let same = |again: &&Change| again.atom.predicate == delete.atom.predicate;
        let others = self
            .rule
            .additions
            .iter()
            .filter(|other| !std::ptr::eq(*other, add));
        others.chain(add.copy.as_deref()).filter(same).any(|again| {
            if again.excludes(add) || again.excludes(delete) {
                return false;
            }
            let mut system = self.system();
            for change in [add, again, delete] {
                system.suppose(change);
            }
            system.equal.extend(self.cover(&add.atom));
            system.equal.extend(self.cover(&again.atom));
            let (left, right) = (&again.atom.arguments, &delete.atom.arguments);
            system
                .equal
                .extend(left.iter().copied().zip(right.iter().copied()));
            system.assert(&add.atom, false);
            system.assert(&delete.atom, true);
            // The deleted atom is the only one of its set that was true.
            let others = system.known.iter().filter(|literal| {
                let part = self.candidate.part(literal.predicate);
                !literal.negated && part.is_some() && literal.predicate != delete.atom.predicate
            });
            let excluded: Vec<_> = others.map(|literal| self.cover(literal)).collect();
            system.is_satisfiable_without(&excluded)
        })
    }

    /// Returns the parts that may balance an addition, from the deletions of other predicates.
    fn refinements(&self, add: &Change) -> Vec<Part> {
        let Some(own) = self.candidate.part(add.atom.predicate) else {
            return Vec::new();
        };
        let mut terms = vec![0; self.candidate.arity];
        for (place, &argument) in own.places.iter().zip(&add.atom.arguments) {
            if let Some(parameter) = place {
                terms[*parameter] = argument;
            }
        }
        let mut found = Vec::new();
        for delete in &self.rule.deletions {
            let atom = &delete.atom;
            let counted = atom.arguments.len().checked_sub(terms.len());
            if self.candidate.part(atom.predicate).is_none() && matches!(counted, Some(0 | 1)) {
                let places = Vec::with_capacity(atom.arguments.len());
                matches(delete, &terms, counted == Some(1), places, &mut found);
            }
        }
        found
    }
}

/// Collects the parts for a deleted atom whose arguments can be the parameters' terms in some order, with one more argument
/// if `counted`. The own variables of a deletion can be any term.
fn matches(
    delete: &Change,
    terms: &[usize],
    counted: bool,
    places: Vec<Option<usize>>,
    found: &mut Vec<Part>,
) {
    let Some(&argument) = delete.atom.arguments.get(places.len()) else {
        let predicate = delete.atom.predicate;
        found.push(Part { predicate, places });
        return;
    };
    for (parameter, &term) in terms.iter().enumerate() {
        let fits = term == argument || delete.own.contains(&argument);
        if fits && !places.contains(&Some(parameter)) {
            let mut places = places.clone();
            places.push(Some(parameter));
            matches(delete, terms, counted, places, found);
        }
    }
    if counted && !places.contains(&None) {
        let mut places = places;
        places.push(None);
        matches(delete, terms, counted, places, found);
    }
}
