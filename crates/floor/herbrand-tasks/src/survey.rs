//! The sizes of a suite's problems and the features of its domain.

use std::fmt;

use herbrand_env::{ObservedAtoms, Suite};
use herbrand_rddl::{PvariableId, PvariableKind};
use herbrand_rddl_sim::suite::RddlSuite;
use serde::Serialize;

use crate::failure::TaskFailure;
use crate::problems::AnyProblems;

/// The sizes of a suite's problems and the features of its domain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Survey {
    /// The requirement flags of the domain beyond typed STRIPS.
    pub features: Vec<String>,
    /// The number of problems.
    pub problems: usize,
    /// The number of objects, as a range over all problems.
    pub objects: SizeRange,
    /// The number of atoms in an observation, as a range over all problems; in RDDL, of ground state fluents.
    pub atoms: SizeRange,
    /// The number of agent actions, as a range over all problems; in RDDL, of ground action fluents.
    pub actions: SizeRange,
}

/// A range from the smallest to the largest value over several problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SizeRange {
    /// The smallest value.
    pub least: usize,
    /// The largest value.
    pub greatest: usize,
}

impl SizeRange {
    fn of(numbers: &[usize]) -> Self {
        Self {
            least: numbers.iter().copied().min().unwrap_or(0),
            greatest: numbers.iter().copied().max().unwrap_or(0),
        }
    }
}

impl fmt::Display for SizeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, greatest) = (self.least, self.greatest);
        if least == greatest {
            return write!(f, "{least}");
        }
        write!(f, "{least}–{greatest}")
    }
}

impl Survey {
    /// Compiles all problems of a set in PDDL or RDDL and measures them.
    ///
    /// ```
    /// use herbrand_env::Registry;
    /// use herbrand_tasks::AnyProblems;
    /// use herbrand_tasks::survey::Survey;
    ///
    /// let survey = Survey::of(&AnyProblems::Pddl(Registry::get("blocks")?))?;
    /// assert!(survey.objects.least <= survey.objects.greatest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a problem is faulty, or the set is of domains under edit.
    pub fn of(problems: &AnyProblems) -> Result<Self, TaskFailure> {
        match problems {
            AnyProblems::Pddl(suite) => Self::of_pddl(suite),
            AnyProblems::Rddl(suite) => Self::of_rddl(suite),
            other @ AnyProblems::World(_) => Err(other.unsupported("survey", "PDDL and RDDL")),
        }
    }

    fn of_pddl(suite: &Suite) -> Result<Self, TaskFailure> {
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
            objects: SizeRange::of(&objects),
            atoms: SizeRange::of(&atoms),
            actions: SizeRange::of(&actions),
        })
    }

    /// Measures objects, ground state fluents and ground action fluents.
    fn of_rddl(suite: &RddlSuite) -> Result<Self, TaskFailure> {
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
            objects: SizeRange::of(&objects),
            atoms: SizeRange::of(&fluents),
            actions: SizeRange::of(&actions),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_short_where_they_can_be() {
        assert_eq!(SizeRange::of(&[3, 1, 2]).to_string(), "1–3");
        assert_eq!(SizeRange::of(&[4, 4]).to_string(), "4");
        assert_eq!(SizeRange::of(&[]).to_string(), "0");
    }
}
