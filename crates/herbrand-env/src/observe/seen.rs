//! Partial observability: what the agent sees, and what it has seen.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Random};
use herbrand_ground::AtomId;
use herbrand_step::{Simulator, Valuation};

use super::{AtomSpace, Part};
use crate::sight::{Remembers, Sight};
use crate::{EnvError, Grounded, Planning, Suite};

/// What an agent knows of a state that it does not see all of, by the rules of the domain's settings
/// ([`ObserveConfig`](crate::ObserveConfig)); and the goal.
///
/// ```text
///   state   [ 1 0 0 1 … ]   1: the atom was true when it was last seen; 0: false, or not known
///   known   [ 1 1 0 1 … ]   1: it is in sight, or was in this episode (unless `memory` is `nothing`)
///   goal    [ 0 1 0 0 … ]   1: the goal asks for it, known or not
/// ```
///
/// Bits are numbered as those of [`Bits`](super::Bits). With ids of each problem ([`Ids::Problem`](crate::Ids::Problem)) an
/// atom that cannot change has a bit only if it is true, so that there is nothing to find out about it; to hide such atoms,
/// choose [`Ids::Suite`](crate::Ids::Suite), where an atom has a bit if the objects for it exist.
///
/// Attending to a state evaluates the rules from scratch, in time linear in the number of atoms and of instances of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Which atoms there are.
    pub part: Part,
    /// How many bytes each field has.
    stride: usize,
}

/// How the states of one problem are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Eye {
    /// The problem with the predicates that say what is seen; its states are those of the problem itself.
    simulator: Simulator,
    watched: Vec<Watched>,
    memory: Remembers,
}

/// An atom that may be seen.
#[derive(Clone, Copy, Debug)]
struct Watched {
    number: u32,
    truth: Truth,
    /// When it is seen.
    seen: Truth,
}

/// Whether something is true.
#[derive(Clone, Copy, Debug)]
enum Truth {
    Always,
    Never,
    /// If this atom is.
    If(AtomId),
}

impl Seen {
    /// What is seen in the problems of `suite`. Compiles all of them, each with the rules.
    ///
    /// # Errors
    /// When a problem is at fault.
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
    /// The eye of a problem that `simulator` is of, with the rules of `sight`; `atoms` are those of the problem without them.
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

    /// Words for the atoms that are known to be true, and as many for those that are known.
    fn words(&self) -> usize {
        self.watched.len().div_ceil(64)
    }

    /// Looks at the current state.
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

    /// Writes what is remembered of the atoms numbered below `count`: `stride` bytes for the values and as many for what is
    /// known.
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
