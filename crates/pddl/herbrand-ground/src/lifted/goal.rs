//! The goal of a lifted task as lists of literals.

use herbrand_datalog::{Atom, Literal, Symbol, Term};
use herbrand_pddl::{ObjectId, PredicateId};

use super::LiftedTask;

/// A ground literal of a goal, returned by [`LiftedTask::goal_literals`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GoalLiteral {
    /// The predicate of the atom.
    pub predicate: PredicateId,
    /// The arguments of the atom.
    pub arguments: Vec<ObjectId>,
    /// Whether the atom is negated.
    pub negative: bool,
}

impl LiftedTask {
    /// Returns the ground literals of each disjunct of the goal, in the order of the text. Literals with variables or
    /// auxiliary predicates, and comparisons, are left out. So the goal may be false although all listed literals of a
    /// disjunct hold. A problem without a goal has no disjunct, and an empty disjunct holds always, or needs only what
    /// is left out.
    #[must_use]
    pub fn goal_literals(&self) -> Vec<Vec<GoalLiteral>> {
        let rules = self.program.rules();
        let ways = self.goal.iter().filter_map(|way| rules.get(way.rule.index()));
        let literals = ways.map(|rule| {
            let literals = rule.body.iter().filter_map(|literal| match literal {
                Literal::Positive(atom) => self.goal_literal(atom, false),
                Literal::Negative(atom) => self.goal_literal(atom, true),
                Literal::Equal(..) | Literal::Distinct(..) => None,
            });
            literals.collect()
        });
        literals.collect()
    }

    /// Converts an atom of the program; `None` if it has variables or its predicate is not declared by the domain.
    fn goal_literal(&self, atom: &Atom, negative: bool) -> Option<GoalLiteral> {
        let index = self.relations.iter().position(|&one| one == atom.relation)?;
        let predicate = PredicateId::from_index(index);
        let object = |term: &Term| match term {
            Term::Constant(symbol) => Some(ObjectId::from_index(Symbol::index(*symbol))),
            Term::Variable(_) => None,
        };
        let arguments = atom.terms.iter().map(object).collect::<Option<_>>()?;
        let declared = !self.vocabulary.predicate(predicate).auxiliary;
        declared.then_some(GoalLiteral {
            predicate,
            arguments,
            negative,
        })
    }
}
