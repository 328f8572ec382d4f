//! Scalable families of planning problems.

use herbrand::ground::{GroundOptions, GroundTask, ground};
use herbrand::step::Random;
use herbrand::{Domain, Problem};

use crate::{logistics, network, rovers, satellite, tiles, visitall};

/// Generates a problem of about the given total number of atoms and actions.
type Generator = fn(usize, &mut Random) -> String;

/// A domain with problems of any size.
pub struct Family {
    /// The name of the domain.
    pub name: &'static str,
    /// The text of the domain.
    pub domain: &'static str,
    problem: Generator,
}

/// All families.
pub const FAMILIES: [Family; 6] = [
    Family::new("logistics", logistics::DOMAIN, logistics::problem),
    Family::new("network", network::DOMAIN, network::problem),
    Family::new("rovers", rovers::DOMAIN, rovers::problem),
    Family::new("satellite", satellite::DOMAIN, satellite::problem),
    Family::new("tiles", tiles::DOMAIN, tiles::problem),
    Family::new("visitall", visitall::DOMAIN, visitall::problem),
];

impl Family {
    const fn new(name: &'static str, domain: &'static str, problem: Generator) -> Self {
        Self {
            name,
            domain,
            problem,
        }
    }

    /// Generates a problem with about `size` atoms and actions. The result is deterministic.
    pub fn problem(&self, size: usize) -> String {
        (self.problem)(size, &mut Random::new(size as u64))
    }
}

/// Parses and grounds a problem.
pub fn ground_text(domain: &str, problem: &str) -> GroundTask {
    let domain = Domain::from_text(domain).expect("the domain is correct");
    let problem = Problem::from_text(problem, &domain).expect("the problem is correct");
    ground(&domain, &problem, &GroundOptions::default()).expect("there is no limit")
}

/// Returns the size of a task: the number of its atoms and actions.
pub fn size(task: &GroundTask) -> usize {
    task.atom_count() + task.actions.len()
}
