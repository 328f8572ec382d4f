//! The domains in PDDL from which problems are drawn.

use std::sync::Arc;

use herbrand_generate::Generator;
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem, Source};
use herbrand_rddl::Instance;

use crate::costs;
use crate::error::{ExamError, VISITED, VISITED_OWN};
use crate::options::OwnDomain;
use crate::phrases::check_sentences;
use crate::question::ProblemSeed;

/// The number of sizes from which problems are generated, beginning with the smallest.
const SIZES: u32 = 5;

/// A domain with its problems.
#[derive(Clone)]
pub(crate) enum Origin {
    Generated(&'static Generator),
    Own(Arc<OwnDomain>),
}

impl Origin {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Generated(generator) => generator.name(),
            Self::Own(own) => &own.name,
        }
    }

    /// Returns the table of sentences and the settings of a domain of one's own; empty for bundled domains.
    pub(crate) fn tables(&self) -> [String; 2] {
        let text = |source: &Option<Source>| {
            source
                .as_ref()
                .map_or_else(String::new, |source| source.text().to_owned())
        };
        match self {
            Self::Generated(_) => [String::new(), String::new()],
            Self::Own(own) => [text(&own.sentences), text(&own.settings)],
        }
    }

    /// Returns which problem is asked about in a round.
    pub(crate) fn seed(&self, seed: u64, round: u32) -> ProblemSeed {
        let size = match self {
            Self::Generated(generator) => {
                let least = *generator.sizes().start();
                let most = generator.sizes().end() - least;
                least + round % SIZES.min(most + 1)
            }
            Self::Own(own) => 1 + round % own.problems.len().max(1) as u32,
        };
        ProblemSeed {
            seed,
            size,
            index: u64::from(round),
        }
    }

    /// Returns whether the numbers of problems are left out.
    pub(crate) const fn leaves_numbers_out(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// Returns the number of states up to which the second route visits all states.
    pub(crate) const fn visited(&self) -> usize {
        match self {
            Self::Generated(_) => VISITED,
            Self::Own(_) => VISITED_OWN,
        }
    }

    /// Returns whether the domain has chance.
    pub(crate) fn has_chance(&self) -> Result<bool, ExamError> {
        Ok(self.domain()?.text().contains("(probabilistic"))
    }

    fn domain(&self) -> Result<Source, ExamError> {
        match self {
            Self::Generated(generator) => match generator.files() {
                Ok(files) => Ok(files.domain),
                Err(error) => Err(ExamError::Request(error.to_string())),
            },
            Self::Own(own) => Ok(Source::new("domain.pddl", &own.domain)),
        }
    }

    /// Returns the domain and a problem; `None` if there is no such problem.
    pub(crate) fn sources(&self, seed: ProblemSeed) -> Result<Option<[Source; 2]>, ExamError> {
        let problem = match self {
            Self::Generated(generator) => {
                let made = generator.generate(seed.seed, seed.size, seed.index).ok();
                made.map(|made| Source::new(&made.name, &made.problem))
            }
            Self::Own(own) => {
                let text = own.problems.get(seed.size as usize - 1);
                text.map(|text| Source::new("problem.pddl", text))
            }
        };
        match problem {
            Some(problem) => Ok(Some([self.domain()?, problem])),
            None => Ok(None),
        }
    }
}

/// Reads the instances of a domain of one's own in RDDL.
pub(crate) fn instances(own: &OwnDomain) -> Result<Vec<Instance>, ExamError> {
    let (mut instances, mut faults) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(&own.problems) {
        match Instance::from_text(&own.domain, text) {
            Ok(instance) => instances.push(instance),
            Err(error) => faults.push(format!("instance {number}: {error}")),
        }
    }
    if own.problems.is_empty() {
        faults.push("there is no instance".to_owned());
    }
    if faults.is_empty() {
        Ok(instances)
    } else {
        Err(ExamError::Problem {
            problem: own.name.clone(),
            reason: faults.join("\n"),
        })
    }
}

/// Checks that questions can be asked about a domain of one's own in PDDL.
pub(crate) fn check(own: &OwnDomain, budget: &Budget) -> Result<(), ExamError> {
    let faulty = |error: &dyn std::fmt::Display| ExamError::Problem {
        problem: own.name.clone(),
        reason: error.to_string(),
    };
    let domain = Domain::from_text(&own.domain).map_err(|error| faulty(&error))?;
    if let Some(table) = &own.sentences {
        check_sentences(&domain, table, own.settings.as_ref())?;
    }
    let mut faults = Vec::new();
    if own.problems.is_empty() {
        faults.push("there is no problem".to_owned());
    }
    for (number, text) in (1..).zip(&own.problems) {
        match Problem::from_text(text, &domain) {
            Err(error) => faults.push(format!("problem {number}: {error}")),
            Ok(problem) if !problem.chances.is_empty() => {
                faults.push(format!(
                    "problem {number}: there are no questions about random start states"
                ));
            }
            Ok(problem) if !domain.functions.is_empty() => {
                if let Some(meaning) = costs::meaning(&domain, &problem) {
                    faults.push(format!(
                        "problem {number}: there are no questions about {meaning}"
                    ));
                } else if let Some(action) = costs::differing_action(&domain, &problem, budget) {
                    faults.push(format!(
                        "problem {number}: {action} is never valid because its cost has no value; questions leave costs out"
                    ));
                }
            }
            Ok(_) => {}
        }
    }
    budget.check("making questions", 0)?;
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faulty(&faults.join("\n")))
    }
}
