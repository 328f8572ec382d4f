//! Computation of derived atoms: the least fixpoint of the axioms, stratum by stratum.

use std::collections::BTreeSet;

use herbrand_pddl::VariableId;

use crate::state::GroundAtom;
use crate::world::{Binding, Interpretation};

impl Interpretation<'_> {
    /// Computes the derived atoms.
    pub(crate) fn close(&mut self) {
        for stratum in &self.oracle.strata {
            loop {
                let mut found = BTreeSet::new();
                for axiom in stratum {
                    let arity = self.oracle.domain.predicate(axiom.predicate).parameters.len();
                    let parameters: Vec<_> = (0..arity).map(VariableId::from_index).collect();
                    let unbound = Binding::new(&axiom.variables, &[]);
                    for binding in self.satisfying(&parameters, &axiom.body, &unbound) {
                        found.insert(GroundAtom {
                            predicate: axiom.predicate,
                            arguments: binding.first(arity),
                        });
                    }
                }
                let before = self.derived.len();
                self.derived.append(&mut found);
                if self.derived.len() == before {
                    break;
                }
            }
        }
    }
}
