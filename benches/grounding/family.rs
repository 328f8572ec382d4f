//! Families of problems that grow.

use herbrand::ground::{GroundOptions, GroundTask, ground};
use herbrand::step::Random;
use herbrand::{Domain, Problem};

use crate::{logistics, network, rovers, satellite, tiles, visitall};

/// Makes a problem of about so many atoms and actions together.
type Generator = fn(usize, &mut Random) -> String;

/// A domain with problems of any size.
pub struct Family {
    /// The domain's name.
    pub name: &'static str,
    /// The domain.
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

    /// A problem of about `size` atoms and actions together; the same every time.
    pub fn problem(&self, size: usize) -> String {
        (self.problem)(size, &mut Random::new(size as u64))
    }
}

/// From text to ground task.
pub fn ground_text(domain: &str, problem: &str) -> GroundTask {
    let domain = Domain::from_text(domain).expect("the domain is correct");
    let problem = Problem::from_text(problem, &domain).expect("the problem is correct");
    ground(&domain, &problem, &GroundOptions::default()).expect("there is no limit")
}

/// How large a task is: its atoms and actions.
pub fn size(task: &GroundTask) -> usize {
    task.atom_count() + task.actions.len()
}
