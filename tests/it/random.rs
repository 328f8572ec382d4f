//! Random tasks, printed as PDDL if they make a test fail.

use std::fmt;

use herbrand::pddl::strategies::{Shape, tasks};
use herbrand::{Domain, Problem};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A domain and a problem.
pub struct Printed(pub Domain, pub Problem);

impl fmt::Debug for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(domain, problem) = self;
        write!(f, "\n{}\n{}", domain.to_pddl(), problem.to_pddl(domain))
    }
}

/// Generates random tasks of a shape.
pub fn printed(shape: &Shape) -> impl Strategy<Value = Printed> {
    tasks(shape).prop_map(|(domain, problem)| Printed(domain, problem))
}

/// Runs the same `cases` every time; if `PROPTEST_CASES` is set, runs that number of other cases.
pub fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig {
        ..ProptestConfig::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
        config.rng_seed = RngSeed::Fixed(0);
    }
    config
}
