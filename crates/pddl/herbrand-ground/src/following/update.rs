//! The result of an update.

use std::sync::Arc;

use herbrand_pddl::Problem;

use super::Grounding;
use super::names::{Difference, Names};
use super::symbols::Symbols;

/// The result of an update. Added and removed names are only computed on request.
#[derive(Debug)]
pub struct Update<'g> {
    /// Whether the edit was followed, or the problem was grounded from scratch.
    pub course: Course,
    pub(super) now: &'g Grounding,
    pub(super) before: Before,
}

/// The state before an update.
#[derive(Debug)]
pub(super) enum Before {
    /// The derivations are the same; only the problem and the symbols differed.
    Followed {
        problem: Arc<Problem>,
        symbols: Arc<Symbols>,
    },
    /// The previous grounding.
    Replaced(Box<Grounding>),
}

/// The way in which an update was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Course {
    /// The change was followed.
    Followed,
    /// The problem was grounded from scratch.
    FromScratch(Obstacle),
}

/// The reason why an edit cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obstacle {
    /// The domain differs: operators, types or predicates.
    Domain,
    /// The rules of the problem differ: those of the goal, or those with quantifiers over objects.
    Rules,
    /// There are more new objects than spare symbols, or an object occurs in a place that objects of its type could not
    /// occupy before.
    Objects,
    /// A fact was added or removed that a rule negates, or on which a negated relation depends.
    Negation,
    /// More than a quarter of the initial facts were removed. Deleting their consequences may take longer than grounding
    /// from scratch.
    Much,
    /// More than half of the stored firings do not hold, and a new fact would have to be joined with them.
    Leftovers,
    /// The last update reached a limit.
    Interrupted,
}

impl Update<'_> {
    /// Returns the grounding after the update.
    #[must_use]
    pub const fn grounding(&self) -> &Grounding {
        self.now
    }

    /// Returns the reachable atoms that were added and removed, including static ones.
    #[must_use]
    pub fn atoms(&self) -> Difference {
        let (problem, symbols) = match &self.before {
            Before::Replaced(before) => return Difference::between(before.atoms(), self.now.atoms()),
            Before::Followed { problem, symbols } => (problem, symbols),
        };
        let Grounding { kept, predicates, .. } = self.now;
        let named = |names: Names<'_>, facts: &[herbrand_datalog::FactId]| {
            let atom = |fact: &herbrand_datalog::FactId| {
                let predicate = predicates[kept.model().relation(*fact).index()]?;
                names.atom(predicate, kept.model().tuple(*fact))
            };
            facts.iter().filter_map(atom).collect()
        };
        let difference = Difference {
            added: named(self.now.names(), &kept.shift().began),
            removed: named(self.names_before(problem, symbols), &kept.shift().ended),
        };
        difference.sorted()
    }

    /// Returns the ground actions of the relaxed model that were added and removed. The ground task has fewer actions: it
    /// leaves out those with contradictory preconditions.
    #[must_use]
    pub fn actions(&self) -> Difference {
        let (problem, symbols) = match &self.before {
            Before::Replaced(before) => return Difference::between(before.actions(), self.now.actions()),
            Before::Followed { problem, symbols } => (problem, symbols),
        };
        let (old, new) = (self.names_before(problem, symbols), self.now.names());
        let mut difference = Difference::default();
        let Grounding { kept, actions, .. } = self.now;
        actions.each_change(kept, |schema, arguments, came| {
            if came {
                difference.added.push(new.action(schema, arguments));
            } else {
                difference.removed.push(old.action(schema, arguments));
            }
        });
        difference.sorted()
    }

    /// Returns the names of the previous problem of the same domain.
    fn names_before<'b>(&'b self, problem: &'b Problem, symbols: &'b Symbols) -> Names<'b> {
        Names {
            domain: &self.now.domain,
            problem,
            symbols,
        }
    }
}
