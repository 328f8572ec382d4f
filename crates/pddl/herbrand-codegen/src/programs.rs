//! The programs of a domain.

use herbrand_datalog::NegativeCycle;

use crate::body::{Exactness, Rules};
use crate::program::{Program, needed, outputs, stratify};
use crate::vocabulary::Vocabulary;
use crate::{exact, relaxed};

/// The programs of a domain.
#[derive(Debug)]
pub(crate) struct Programs {
    /// Derive the atoms and actions that are reachable in the delete relaxation.
    pub(crate) reachable: Vec<Program>,
    /// Derive the derived atoms of a state.
    pub(crate) derived: Vec<Program>,
    /// Derives the applicable actions of a state.
    pub(crate) applicable: Program,
}

impl Programs {
    pub(crate) fn of(vocabulary: &mut Vocabulary<'_>) -> Result<Self, NegativeCycle> {
        let reachable = relaxed::rules(vocabulary);
        let axioms = exact::axiom_rules(vocabulary);
        let mut actions = Rules::new(vocabulary, Exactness::Exact);
        exact::add_actions(&mut actions);
        let schemas = actions.vocabulary.schemas.clone();
        let (actions, parts): (Vec<_>, Vec<_>) = actions
            .rules
            .into_iter()
            .partition(|rule| schemas.contains(&rule.head.relation));
        let outputs = outputs(vocabulary);
        let reachable = needed(reachable, outputs.clone());
        let read = actions
            .iter()
            .flat_map(|rule| rule.reads().map(|(relation, _)| relation));
        let axioms = needed(
            [axioms, parts].concat(),
            outputs.into_iter().chain(read).collect(),
        );
        Ok(Self {
            reachable: stratify(
                vocabulary,
                "Reachable",
                "Atoms and actions that are reachable in the delete relaxation",
                reachable,
            )?,
            derived: stratify(vocabulary, "Derived", "Derived atoms of a state", axioms)?,
            applicable: Program::new(
                "Applicable".to_owned(),
                "Actions that are applicable in a state".to_owned(),
                actions,
            ),
        })
    }
}
