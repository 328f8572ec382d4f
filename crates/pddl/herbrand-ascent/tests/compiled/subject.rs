//! A uniform interface to compiled domains for tests and benches.

use std::collections::BTreeSet;

/// Atoms or actions, as names with arguments.
pub type Things = BTreeSet<(String, Vec<u32>)>;

/// The part of a problem that facts belong to.
#[derive(Clone, Copy)]
pub enum Part {
    Statics,
    Initial,
    Possible,
}

/// The `Problem` of a compiled domain.
pub trait Compiled: Default {
    /// The facts of a state.
    type Facts: Default;

    fn object(&mut self, object: u32, types: &[&str]);
    fn part(&mut self, part: Part) -> &mut Self::Facts;
    fn insert(facts: &mut Self::Facts, predicate: &str, arguments: &[u32]);
    fn set(facts: &mut Self::Facts, function: &str, arguments: &[u32], value: f64);
    /// Returns the reachable atoms, including derived ones, and the reachable actions.
    fn reachable(&self) -> (Things, Things);
    fn derived(&self, state: &Self::Facts) -> Things;
    fn applicable(&self, state: &Self::Facts) -> Things;
    /// Returns the number of reachable actions.
    fn count_reachable(&self) -> usize;
    fn count_applicable(&self, state: &Self::Facts) -> usize;
}

pub fn named<'a>(things: impl IntoIterator<Item = (&'a str, Vec<u32>)>) -> Things {
    things
        .into_iter()
        .map(|(name, arguments)| (name.to_owned(), arguments))
        .collect()
}

/// Defines a module with the types of the domain at a path, and implements [`Compiled`] for its `Problem`.
macro_rules! subject {
    ($domain:ident: $path:literal) => {
        pub(crate) mod $domain {
            use crate::subject::{Compiled, Part, Things, named};

            herbrand_ascent::domain!($path);

            impl Compiled for Problem {
                type Facts = Facts;

                fn object(&mut self, object: u32, types: &[&str]) {
                    self.objects
                        .insert(object, types)
                        .expect("the domain has it");
                }

                fn part(&mut self, part: Part) -> &mut Facts {
                    match part {
                        Part::Statics => &mut self.statics,
                        Part::Initial => &mut self.initial,
                        Part::Possible => &mut self.possible,
                    }
                }

                fn insert(facts: &mut Facts, predicate: &str, arguments: &[u32]) {
                    facts
                        .insert(predicate, arguments)
                        .expect("the domain has it");
                }

                fn set(facts: &mut Facts, function: &str, arguments: &[u32], value: f64) {
                    facts
                        .set(function, arguments, value)
                        .expect("the domain has it");
                }

                fn reachable(&self) -> (Things, Things) {
                    let reachable = Problem::reachable(self);
                    let atoms = [reachable.facts.atoms(), reachable.derived.atoms()].concat();
                    (named(atoms), named(reachable.actions.actions()))
                }

                fn derived(&self, state: &Facts) -> Things {
                    named(Problem::derived(self, state).atoms())
                }

                fn applicable(&self, state: &Facts) -> Things {
                    named(Problem::applicable(self, state).actions())
                }

                fn count_reachable(&self) -> usize {
                    Problem::reachable(self).actions.count()
                }

                fn count_applicable(&self, state: &Facts) -> usize {
                    Problem::applicable(self, state).count()
                }
            }
        }
    };
}
pub(crate) use subject;
