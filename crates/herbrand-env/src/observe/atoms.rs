//! The observable atoms of one problem: their numbers and names, and states as bits.

use std::fmt;
use std::sync::OnceLock;

use herbrand_ground::{AtomId, GroundTask};
use herbrand_pddl::{Fact, ObjectId, PredicateKind};
use herbrand_step::{Simulator, Walker};

/// The atoms of one problem that an agent sees: those that can change, fluent ones first and derived ones after them,
/// then those that always hold. Types, action predicates and what the engine added for itself are not among them.
#[derive(Clone, Debug)]
pub struct AtomSpace {
    simulator: Simulator,
    /// By number: the atoms that can change.
    changing: Vec<AtomId>,
    /// By atom: its number; [`HIDDEN`] for what is not seen.
    numbers: Vec<u32>,
    /// Whether every fluent atom is seen, so that their numbers are those of the task.
    all_fluents: bool,
    /// What always holds: indexes into the task's static atoms, ascending.
    fixed: Vec<u32>,
    /// What the goal asks for, once somebody has asked.
    goal: OnceLock<Vec<u8>>,
}

const HIDDEN: u32 = u32::MAX;

/// The number of an atom in an [`AtomSpace`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObservedId(u32);

impl ObservedId {
    /// The id with this number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The bare number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number as an index into a list.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which atoms an observation has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Part {
    /// All of them.
    #[default]
    All,
    /// Those that can change.
    Changing,
}

impl AtomSpace {
    /// The observable atoms of a problem. Takes time linear in the number of its atoms.
    #[must_use]
    pub fn new(simulator: Simulator) -> Self {
        let task = simulator.task();
        let shown = |atom: &Fact<'_>| {
            let predicate = task.vocabulary.predicate(atom.predicate);
            !predicate.auxiliary && predicate.kind != PredicateKind::Action
        };
        let atoms = (0..).zip(task.atoms.iter());
        let changing = atoms
            .filter(|(_, atom)| shown(atom))
            .map(|(index, _)| AtomId::new(index))
            .collect::<Vec<_>>();
        let mut numbers = vec![HIDDEN; task.atom_count()];
        for (number, atom) in (0..).zip(&changing) {
            numbers[atom.index()] = number;
        }
        let statics = (0..).zip(task.statics.iter());
        let fixed = statics
            .filter(|(_, atom)| shown(atom))
            .map(|(index, _)| index)
            .collect();
        let last_fluent = task.fluent_count().checked_sub(1);
        Self {
            all_fluents: last_fluent.is_none_or(|last| numbers[last] as usize == last),
            changing,
            numbers,
            fixed,
            goal: OnceLock::new(),
            simulator,
        }
    }

    /// The number of atoms of a part.
    #[must_use]
    pub fn len(&self, part: Part) -> usize {
        self.changing.len()
            + match part {
                Part::All => self.fixed.len(),
                Part::Changing => 0,
            }
    }

    /// The atoms that always hold.
    pub fn fixed(&self) -> impl ExactSizeIterator<Item = ObservedId> + use<> {
        let first = self.changing.len() as u32;
        (first..first + self.fixed.len() as u32).map(ObservedId)
    }

    /// The number of an atom of the task; `None` for what is not seen.
    #[must_use]
    pub fn number(&self, atom: AtomId) -> Option<ObservedId> {
        let number = self.numbers.get(atom.index()).copied();
        number.filter(|&number| number != HIDDEN).map(ObservedId)
    }

    /// The atom of the task that has this number; `None` for those that always hold.
    #[must_use]
    pub fn atom(&self, id: ObservedId) -> Option<AtomId> {
        self.changing.get(id.index()).copied()
    }

    /// The predicate and arguments of an atom; `None` when no atom has this number.
    #[must_use]
    pub fn get(&self, id: ObservedId) -> Option<Fact<'_>> {
        match self.atom(id) {
            Some(atom) => self.task().atoms.get(atom.index()),
            None => {
                let index = self.fixed.get(id.index() - self.changing.len())?;
                self.task().statics.get(*index as usize)
            }
        }
    }

    /// The number of the atom that `text` writes as PDDL does, `(on a b)`; `None` when no reachable state makes it
    /// true. Takes time linear in the number of atoms that always hold.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<ObservedId> {
        let text = text.trim().to_ascii_lowercase();
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let mut words = inner.unwrap_or(&text).split_whitespace();
        let vocabulary = &self.task().vocabulary;
        let predicate = vocabulary.find_predicate(words.next()?)?;
        let arguments = words
            .map(|word| vocabulary.find_object(word))
            .collect::<Option<Vec<ObjectId>>>()?;
        if let Some(atom) = self.task().find_atom(predicate, &arguments) {
            return self.number(atom);
        }
        let fact = Fact {
            predicate,
            arguments: &arguments,
        };
        self.fixed().find(|&id| self.get(id) == Some(fact))
    }

    /// The atom `id` as PDDL writes it; nothing when no atom has this number.
    pub fn display(&self, id: ObservedId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self.get(id) {
            Some(fact) => {
                let vocabulary = &self.task().vocabulary;
                let name = &vocabulary.predicate(fact.predicate).signature.name;
                write!(f, "{}", vocabulary.term(name, fact.arguments))
            }
            None => Ok(()),
        })
    }

    /// The atoms that are true where `walker` stands, ascending. The walker must be of the same simulator.
    pub fn observe<'a>(&'a self, walker: &'a Walker, part: Part) -> impl Iterator<Item = ObservedId> + 'a {
        let task = self.task();
        let derived = (task.fluent_count()..task.atom_count()).map(AtomId::from_index);
        let derived = derived.filter(|&atom| walker.holds(atom));
        let atoms = walker.state().fluents().chain(derived);
        let changing = atoms.filter_map(|atom| self.number(atom));
        let fixed = matches!(part, Part::All).then(|| self.fixed());
        changing.chain(fixed.into_iter().flatten())
    }

    /// Writes the state where `walker` is, one byte per atom (1 = true). Extra bytes in `into` are zeroed; if it is too
    /// short, the state is truncated.
    pub fn write_bits(&self, walker: &Walker, part: Part, into: &mut [u8]) {
        let used = self.write_front(walker, part, into);
        into[used..].fill(0);
    }

    /// Writes the state as [`write_bits`](Self::write_bits) does to the front of `into`, and returns how many bytes that
    /// took.
    pub(crate) fn write_front(&self, walker: &Walker, part: Part, into: &mut [u8]) -> usize {
        let (changing, rest) = into.split_at_mut(into.len().min(self.changing.len()));
        let mut written = 0;
        if self.all_fluents {
            walker.state().write_bits(changing);
            written = changing.len().min(self.task().fluent_count());
        }
        for (bit, &atom) in changing.iter_mut().zip(&self.changing).skip(written) {
            *bit = u8::from(walker.holds(atom));
        }
        let fixed = match part {
            Part::All => rest.len().min(self.fixed.len()),
            Part::Changing => 0,
        };
        rest[..fixed].fill(1);
        changing.len() + fixed
    }

    /// For each atom, whether the goal asks for it (1) in its first disjunct. Made once. Atoms that the goal forbids are 0.
    #[must_use]
    pub fn goal_bits(&self) -> &[u8] {
        self.goal.get_or_init(|| {
            let mut bits = vec![0; self.len(Part::All)];
            let task = self.task();
            let first = task.conditions.conjunctions(task.goal).next();
            let literals = first.map_or(&[][..], |id| task.conditions.get(id).literals);
            let wanted = literals.iter().filter(|literal| !literal.is_negative());
            for id in wanted.filter_map(|literal| self.number(literal.atom())) {
                bits[id.index()] = 1;
            }
            bits
        })
    }

    pub(crate) fn task(&self) -> &GroundTask {
        self.simulator.task()
    }
}
