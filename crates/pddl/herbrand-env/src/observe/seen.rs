//! Partial observability: observers of the atoms that the agent sees or has seen.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Random};
use herbrand_ground::AtomId;
use herbrand_step::{Simulator, Valuation};

use super::{AtomSpace, Part};
use crate::sight::{Remembers, Sight};
use crate::{EnvError, Grounded, Planning, Suite};

/// An observer of a partially observable state by the rules of the domain's settings
/// ([`ObserveConfig`](crate::ObserveConfig)), together with the goal.
///
/// ```text
///   state   [ 1 0 0 1 … ]   1: the atom was true when it was last seen; 0: false, or not known
///   known   [ 1 1 0 1 … ]   1: it is in sight, or was in this episode (unless `memory` is `nothing`)
///   goal    [ 0 1 0 0 … ]   1: the goal asks for it, known or not
/// ```
///
/// Atoms have the same ids as in [`Bits`](super::Bits). With per-problem ids ([`Ids::Problem`](crate::Ids::Problem)), a
/// static atom has a bit only if it is true, so the layout of the row already reveals its value. To hide static atoms, use
/// [`Ids::Suite`](crate::Ids::Suite), where an atom has a bit if its objects exist.
///
/// Attending to a state evaluates the rules from scratch, in time linear in the number of atoms and rule instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The atoms that the observation includes.
    pub part: Part,
    /// The length of each field in bytes.
    stride: usize,
}

/// The visibility of the atoms of one problem.
#[derive(Clone, Debug)]
pub(crate) struct Eye {
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

impl Seen {
    /// Creates an observer for the problems of `suite`. Compiles all of them with and without the rules. `part` selects all
    /// observable atoms or only those that steps can change.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    pub fn of(suite: &Suite, part: Part) -> Result<Self, EnvError> {
        for index in 0..suite.len() {
            suite.eye(index)?;
        }
        Ok(Self {
            part,
            stride: suite.sizes(part)?.atoms,
        })
    }
}

impl Eye {
    /// Creates the visibility data of a problem. `atoms` belongs to the problem without the rules `sight`, `simulator` to
    /// the problem with them.
    pub(crate) fn new(atoms: &AtomSpace, simulator: Simulator, sight: Option<&Sight>) -> Self {
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
            let rule = sight.and_then(|sight| sight.seen_by(predicate));
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
            memory: sight.map_or(Remembers::Kept, |sight| sight.memory),
            simulator,
        }
    }

    /// Returns the number of words for the truth values of the known atoms. The flags of known atoms take as many.
    fn words(&self) -> usize {
        self.watched.len().div_ceil(64)
    }

    /// Updates the memory by the visible atoms of the current state.
    fn look(&self, planning: &Planning<Grounded>, memory: &mut Memory) {
        let words = self.words();
        memory.words.resize(2 * words, 0);
        let world = self.simulator.close(planning.walker().state());
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
                if is(watched.truth, &|atom| planning.walker().holds(atom)) {
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
    fn write(&self, memory: &Memory, count: usize, stride: usize, into: &mut [u8]) {
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

impl Observer<Suite> for Seen {
    type Element = u8;

    fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
        let atoms = suite.sizes(self.part)?.atoms;
        let field = |name| ObservationField::bits(name, vec![atoms]);
        Ok(ObservationLayout::new(
            ["state", "known", "goal"].map(field).into(),
        ))
    }

    fn attend(&self, planning: &Planning<Grounded>, memory: &mut Memory, _random: &mut Random) {
        if let Some(eye) = planning.instance().eye() {
            eye.look(planning, memory);
        }
    }

    fn write(&self, planning: &Planning<Grounded>, memory: &Memory, into: &mut [u8]) -> usize {
        let used = (3 * self.stride).min(into.len());
        let into = &mut into[..used];
        into.fill(0);
        let atoms = planning.instance().atoms();
        let count = atoms.len(self.part);
        if let Some(eye) = planning.instance().eye() {
            eye.write(memory, count, self.stride, into);
        }
        let wanted = &atoms.goal_bits()[..count];
        for (to, &from) in into.iter_mut().skip(2 * self.stride).zip(wanted) {
            *to = from;
        }
        used
    }
}
