//! The visibility of the atoms of one problem.

use herbrand_core::Memory;
use herbrand_ground::AtomId;
use herbrand_step::{Simulator, Valuation, Walker};

use super::VisibilityRules;
use crate::atoms::AtomSpace;
use crate::config::Remembers;

/// The visibility of the atoms of one problem.
#[derive(Clone, Debug)]
pub(crate) struct ProblemVisibility {
    /// The problem extended by predicates for visibility. Its states are those of the problem itself.
    simulator: Simulator,
    watched: Vec<Watched>,
    memory: Remembers,
}

/// An atom that may be visible.
#[derive(Clone, Copy, Debug)]
struct Watched {
    number: u32,
    truth: Truth,
    /// The condition under which the atom is visible.
    seen: Truth,
}

/// A condition on the state.
#[derive(Clone, Copy, Debug)]
enum Truth {
    Always,
    Never,
    /// The condition that this atom holds.
    If(AtomId),
}

impl ProblemVisibility {
    /// Creates the visibility data of a problem. `atoms` belongs to the problem without the rules `sight`, `simulator` to
    /// the problem with them.
    pub(crate) fn new(atoms: &AtomSpace, simulator: Simulator, visibility: Option<&VisibilityRules>) -> Self {
        let watched = atoms.possible().map(|(id, predicate, arguments)| {
            let find = |predicate| {
                let task = simulator.task();
                let always = || {
                    task.statics
                        .iter()
                        .any(|fact| (fact.predicate, fact.arguments) == (predicate, &*arguments))
                };
                match task.find_atom(predicate, &arguments) {
                    Some(atom) => Truth::If(atom),
                    None if always() => Truth::Always,
                    None => Truth::Never,
                }
            };
            let rule = visibility.and_then(|visibility| visibility.seen_by(predicate));
            Watched {
                number: id.number(),
                truth: match atoms.get(id) {
                    None => Truth::Never,
                    Some(_) => atoms.atom(id).map_or(Truth::Always, Truth::If),
                },
                seen: rule.map_or(Truth::Always, find),
            }
        });
        Self {
            watched: watched.collect(),
            memory: visibility.map_or(Remembers::Kept, |visibility| visibility.memory),
            simulator,
        }
    }

    /// Returns the number of words for the truth values of the known atoms. The flags of known atoms take as many.
    fn words(&self) -> usize {
        self.watched.len().div_ceil(64)
    }

    /// Updates the memory by the visible atoms of the current state.
    pub(crate) fn look(&self, walker: &Walker, memory: &mut Memory) {
        let words = self.words();
        memory.words.resize(2 * words, 0);
        let world = self.simulator.close(walker.state());
        let is = |truth, of: &dyn Fn(AtomId) -> bool| match truth {
            Truth::Always => true,
            Truth::Never => false,
            Truth::If(atom) => of(atom),
        };
        let (values, known) = memory.words.split_at_mut(words);
        for (index, watched) in self.watched.iter().enumerate() {
            let (word, bit) = (index / 64, 1 << (index % 64));
            if is(watched.seen, &|atom| world.holds(atom)) {
                known[word] |= bit;
                if is(watched.truth, &|atom| walker.holds(atom)) {
                    values[word] |= bit
                } else {
                    values[word] &= !bit
                }
            } else if self.memory == Remembers::Nothing {
                known[word] &= !bit;
                values[word] &= !bit;
            }
        }
    }

    /// Writes the memory for atoms with ids below `count`: `stride` bytes of values followed by `stride` bytes of flags for
    /// known atoms.
    pub(crate) fn write(&self, memory: &Memory, count: usize, stride: usize, into: &mut [u8]) {
        let (values, known) = memory.words.split_at(memory.words.len().min(self.words()));
        for (index, watched) in self.watched.iter().enumerate() {
            let number = watched.number as usize;
            for (words, start) in [(values, 0), (known, stride)] {
                let bit = words.get(index / 64).map_or(0, |word| word >> (index % 64) & 1);
                if number < count
                    && let Some(byte) = into.get_mut(start + number)
                {
                    *byte = bit as u8;
                }
            }
        }
    }
}
