//! The sizes of a suite's problems and the features of its domain.

use std::fmt;

use herbrand::env::{ObservedAtoms, Suite};
use herbrand::rddl::suite::RddlSuite;
use herbrand::rddl::{PvariableId, PvariableKind};
use serde::Serialize;

use crate::failure::Failure;

/// The sizes of a suite's problems and the features of its domain.
#[derive(Serialize)]
pub struct Survey {
    /// The requirement flags of the domain beyond typed STRIPS.
    pub features: Vec<String>,
    pub problems: usize,
    /// The number of objects, as a range over all problems.
    pub objects: Span,
    /// The number of atoms in an observation, as a range over all problems; in RDDL, of ground state fluents.
    pub atoms: Span,
    /// The number of agent actions, as a range over all problems; in RDDL, of ground action fluents.
    pub actions: Span,
}

/// A range from the smallest to the largest value over several problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Span {
    pub least: usize,
    pub greatest: usize,
}

impl Span {
    fn of(numbers: &[usize]) -> Self {
        Self {
            least: numbers.iter().copied().min().unwrap_or(0),
            greatest: numbers.iter().copied().max().unwrap_or(0),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, greatest) = (self.least, self.greatest);
        if least == greatest {
            return write!(f, "{least}");
        }
        write!(f, "{least}–{greatest}")
    }
}

impl Survey {
    /// Compiles all problems of `suite` and measures them.
    ///
    /// # Errors
    /// Fails if a problem is invalid.
    pub fn of(suite: &Suite) -> Result<Self, Failure> {
        let (mut objects, mut atoms, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..suite.len() {
            let instance = suite.instance(index)?;
            objects.push(instance.simulator().task().vocabulary.objects.len());
            atoms.push(instance.atoms().len(ObservedAtoms::All));
            actions.push(instance.space().len());
        }
        let flags = suite.domain().requirements.iter();
        let flags = flags.map(|flag| flag.keyword().trim_start_matches(':').to_owned());
        Ok(Self {
            features: flags
                .filter(|flag| flag != "strips" && flag != "typing")
                .collect(),
            problems: suite.len(),
            objects: Span::of(&objects),
            atoms: Span::of(&atoms),
            actions: Span::of(&actions),
        })
    }
}

impl Survey {
    /// Measures all instances of `suite`: objects, ground state fluents and ground action fluents.
    ///
    /// # Errors
    /// Never fails for a suite that was read.
    pub fn of_rddl(suite: &RddlSuite) -> Result<Self, Failure> {
        let domain = suite.domain();
        let (mut objects, mut fluents, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..suite.len() {
            let instance = suite.instance(index)?;
            let ground = |kind: PvariableKind| -> usize {
                let ids = (0..).map(PvariableId::from_index).zip(&domain.pvariables);
                let counts = ids
                    .filter(|(_, declared)| declared.kind == kind)
                    .map(|(id, _)| instance.count(id));
                usize::try_from(counts.sum::<u64>()).unwrap_or(usize::MAX)
            };
            objects.push(instance.objects.iter().map(Vec::len).sum());
            fluents.push(ground(PvariableKind::State));
            actions.push(ground(PvariableKind::Action));
        }
        let observed = domain
            .pvariables
            .iter()
            .any(|declared| declared.kind == PvariableKind::Observ);
        Ok(Self {
            features: observed
                .then(|| "partially-observed".to_owned())
                .into_iter()
                .collect(),
            problems: suite.len(),
            objects: Span::of(&objects),
            atoms: Span::of(&fluents),
            actions: Span::of(&actions),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_short_where_they_can_be() {
        assert_eq!(Span::of(&[3, 1, 2]).to_string(), "1–3");
        assert_eq!(Span::of(&[4, 4]).to_string(), "4");
        assert_eq!(Span::of(&[]).to_string(), "0");
    }
}
