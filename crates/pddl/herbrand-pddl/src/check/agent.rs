//! The agent's actions (PDDLGym's dialect): predicates that the text lists in `(:actions …)`.
//!
//! The precondition of an operator contains an atom for the agent's action that the operator carries out. The atom is no
//! condition on the state, so it is removed from the precondition. Its arguments are the parameters that the agent chooses.

use super::scope::Scope;
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Atom, Formula, Predicate, PredicateKind};
use crate::syntax::{Names, Word, ast};

use super::context::Tables;

/// Marks the predicates named by `words` as actions of the agent.
pub(super) fn mark_agent_actions(
    words: &[Word],
    predicates: &mut [Predicate],
    tables: &Tables,
    names: &Names<'_>,
    faults: &mut Diagnostics,
) {
    for word in words {
        match tables.predicates.get(word.symbol) {
            Some(id) => predicates[id.index()].kind = PredicateKind::Action,
            None => {
                let name = names.text_of(word.symbol);
                faults.report(Code::UnknownAgentAction, format!("`{name}` is not a predicate"), |d| {
                    d.primary(word.span, "listed as an action of the agent")
                        .help("declare it in `(:predicates …)`, and name it in the preconditions of the operators that carry it out")
                });
            }
        }
    }
}

impl Scope<'_, '_> {
    /// Returns the checked precondition and the agent's action that was among its conjuncts.
    ///
    /// If a conjunction has one conjunct left, the precondition is that conjunct. Printed with the agent's atom, it parses
    /// to the same precondition.
    pub(super) fn precondition(&mut self, formula: &ast::Formula) -> (Formula, Option<Atom>) {
        let mut agent = None;
        let rest = self.without_agent_action(formula, &mut agent);
        let precondition = match rest {
            None => Formula::TRUE,
            Some(Formula::And(mut parts)) if agent.is_some() && parts.len() == 1 => parts.remove(0),
            Some(rest) => rest,
        };
        (precondition, agent)
    }

    fn without_agent_action(&mut self, formula: &ast::Formula, agent: &mut Option<Atom>) -> Option<Formula> {
        match formula {
            ast::Formula::Atom(atom) if self.is_agent_action(atom) => {
                let found = self.atom(atom);
                if let Some(first) = agent {
                    let first = first.place.span();
                    self.world.faults.report(
                        Code::SeveralAgentActions,
                        "several actions of the agent",
                        |d| {
                            d.primary(atom.span, "an operator carries out one action of the agent")
                                .label(first, "this is another one")
                        },
                    );
                } else {
                    *agent = found;
                }
                None
            }
            ast::Formula::And(parts) => Some(Formula::And(
                parts
                    .iter()
                    .filter_map(|part| self.without_agent_action(part, agent))
                    .collect(),
            )),
            _ => Some(self.formula(formula)),
        }
    }
}
