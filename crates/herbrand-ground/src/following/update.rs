//! What an update did.

use std::sync::Arc;

use herbrand_pddl::Problem;

use super::Grounding;
use super::names::{Difference, Names};
use super::symbols::Symbols;

/// What an update did. What came and went is named when it is asked for.
#[derive(Debug)]
pub struct Update<'g> {
    /// Whether the grounding followed, or was made anew.
    pub course: Course,
    pub(super) now: &'g Grounding,
    pub(super) before: Before,
}

/// What there was before an update.
#[derive(Debug)]
pub(super) enum Before {
    /// The same derivations, with the names of this problem.
    Followed {
        problem: Arc<Problem>,
        symbols: Arc<Symbols>,
    },
    /// Another grounding.
    Replaced(Box<Grounding>),
}

/// How an update was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Course {
    /// What changed was followed.
    Followed,
    /// The problem was grounded anew.
    Anew(Obstacle),
}

/// Why an edit cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obstacle {
    /// The domain is another one: operators, types or predicates.
    Domain,
    /// The rules of the problem are others: those of the goal, or those that name all objects of a type.
    Rules,
    /// There are more new objects than there is room for, or one has come to a place where none of its type could be.
    Objects,
    /// A fact came or went that a rule negates, or that has a say in what one negates.
    Negation,
    /// More than a quarter of the initial facts went: letting all that depends on them go may take longer than finding what is left.
    Much,
    /// More than half of what is kept holds no more, and something new is to be joined with it.
    Leftovers,
    /// The last update was cut off by a limit.
    Interrupted,
}

impl Update<'_> {
    /// The grounding after the update.
    #[must_use]
    pub const fn grounding(&self) -> &Grounding {
        self.now
    }

    /// The atoms that can become true, static ones among them, which came and went.
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

    /// The ground actions of the relaxed model that came and went. The ground task leaves out those of them whose precondition
    /// contradicts itself.
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

    /// The names of a problem before, of the same domain.
    fn names_before<'b>(&'b self, problem: &'b Problem, symbols: &'b Symbols) -> Names<'b> {
        Names {
            domain: &self.now.domain,
            problem,
            symbols,
        }
    }
}
