//! RDDL.

use herbrand_core::{ActionField, Enumerated, EnumeratedSystem, FieldDomain, Problems};
use herbrand_rddl_sim::simulate::RddlSimulator;
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};

use crate::any::playable::{LanguageFeatures, Playable, field_bounds};

impl Playable for RddlSuite {
    /// Returns the fields of the problem with the most fields, each wide enough for all problems.
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most: Vec<ActionField> = Vec::new();
        for index in 0..self.len() {
            let compiled = self.compiled(index)?;
            for (at, field) in compiled.actions().fields().iter().enumerate() {
                match most.get_mut(at) {
                    Some(known) => known.domain = hull(known.domain, field.domain),
                    None => most.push(field.clone()),
                }
            }
        }
        Ok(most)
    }

    fn rules(&self) -> Vec<String> {
        let domain = self.domain();
        let count = domain.preconditions.len() + domain.constraints.len();
        (0..count)
            .map(|number| domain.precondition_text(number))
            .collect()
    }

    fn invariants(&self) -> Vec<String> {
        let domain = self.domain();
        let name = |number| {
            format!(
                "state invariant {}: {}",
                number + 1,
                domain.invariant_text(number)
            )
        };
        (0..domain.invariants.len()).map(name).collect()
    }

    fn features<'a>(&'a self, _index: usize, simulator: &'a RddlSimulator) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(RddlFeatures { simulator })
    }
}

/// An RDDL problem in a state.
struct RddlFeatures<'a> {
    simulator: &'a RddlSimulator,
}

impl LanguageFeatures for RddlFeatures<'_> {
    fn broken_invariant(&self) -> Option<usize> {
        self.simulator.broken_invariants().first().copied()
    }
}

/// Everything but the numbers of joint actions is that of RDDL.
impl Playable for Enumerated<RddlSuite> {
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most = Vec::new();
        let mut count = 0;
        for index in 0..self.len() {
            let system = self.system(index)?;
            if system.table().len() > count {
                count = system.table().len();
                most = system.table().layout().fields().to_vec();
            }
        }
        Ok(most)
    }

    fn rules(&self) -> Vec<String> {
        self.inner().rules()
    }

    fn invariants(&self) -> Vec<String> {
        self.inner().invariants()
    }

    fn features<'a>(
        &'a self,
        index: usize,
        system: &'a EnumeratedSystem<RddlSimulator>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        self.inner().features(index, system.inner())
    }
}

/// Returns the smallest domain that contains both domains.
fn hull(one: FieldDomain, other: FieldDomain) -> FieldDomain {
    match (one, other) {
        (FieldDomain::Discrete { count }, FieldDomain::Discrete { count: more }) => FieldDomain::Discrete {
            count: count.max(more),
        },
        (
            FieldDomain::Int { low, high },
            FieldDomain::Int {
                low: less,
                high: more,
            },
        ) => FieldDomain::Int {
            low: low.min(less),
            high: high.max(more),
        },
        _ => {
            let (low, high) = field_bounds(one);
            let (less, more) = field_bounds(other);
            FieldDomain::Real {
                low: low.min(less),
                high: high.max(more),
            }
        }
    }
}
