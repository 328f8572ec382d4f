//! The observable atoms of a problem: their ids and names, and states as bits.

use std::fmt;
use std::sync::OnceLock;

use herbrand_core::RowBit;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_pddl::{AtomRef, PredicateId, PredicateKind};
use herbrand_step::{Simulator, Walker};

use super::bitrow;
use crate::action::Arguments;
use crate::action::ids::Placed;
use crate::observed::{ObservedAtoms, ObservedId};

/// The observable atoms of a problem: atoms that can change, fluent before derived ones, followed by atoms that always
/// hold. Types, action predicates and auxiliary predicates of the engine are not observable.
/// [`CompiledProblem::atoms`](crate::CompiledProblem::atoms) returns it.
///
/// With the ids of a suite ([`Ids::Suite`](crate::Ids::Suite)), the ids are those of [`SuiteIds`](crate::SuiteIds). Some
/// then have no atom, because no reachable state of this problem makes theirs true.
///
/// ```
/// use herbrand_env::{ObservedAtoms, Registry};
///
/// let suite = Registry::get("blocks")?;
/// let instance = suite.instance(0)?;
/// let atoms = instance.atoms();
/// let walker = instance.simulator().walker();
/// let held: Vec<_> = atoms.observe(&walker, ObservedAtoms::All).map(|id| atoms.display(id).to_string()).collect();
/// assert!(held.contains(&"(hand-empty)".to_owned()));
/// assert!(held.iter().all(|name| atoms.parse(name).is_some()));
/// # Ok::<(), herbrand_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
// The fields that every step reads come first.
#[repr(C)]
pub struct AtomSpace {
    /// For each atom of the task, its id; [`HIDDEN`] if it is not observable.
    numbers: Vec<u32>,
    /// The number of fluent atoms and the total number of atoms of the task.
    fluents: usize,
    atoms: usize,
    /// Whether the ids of fluent atoms are those of the task.
    all_fluents: bool,
    simulator: Simulator,
    /// The atoms that can change, in ascending order. This is the order of the ids unless they are a suite's.
    changing: Vec<AtomId>,
    /// The atoms that always hold, as indexes into the static atoms of the task, in the order of their ids.
    fixed: Vec<u32>,
    /// The ids of a suite, and the ids of the atoms in `fixed`.
    placed: Option<(Placed, Vec<u32>)>,
    /// The goal atoms, computed on first use.
    goal: OnceLock<Vec<u8>>,
}

const HIDDEN: u32 = u32::MAX;

impl AtomSpace {
    /// Computes the observable atoms of the simulator's problem and gives them ids from 0. Takes time linear in the
    /// number of its atoms. These ids do not depend on any suite; [`CompiledProblem::atoms`](crate::CompiledProblem::atoms) uses
    /// those of a suite if it has some.
    #[must_use]
    pub fn new(simulator: Simulator) -> Self {
        let task = simulator.task();
        let shown = |atom: &AtomRef<'_>| {
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
            fluents: task.fluent_count(),
            atoms: task.atom_count(),
            changing,
            numbers,
            fixed,
            placed: None,
            goal: OnceLock::new(),
            simulator,
        }
    }

    /// Computes the observable atoms with the ids of a suite. Takes time linear in the number of the problem's atoms.
    pub(crate) fn placed(simulator: Simulator, ids: Placed) -> Self {
        let mut space = Self::new(simulator);
        let task = space.simulator.task();
        let number = |atom: Option<AtomRef<'_>>| {
            let number = atom.and_then(|atom| ids.atom(atom.predicate, atom.arguments));
            number.unwrap_or(HIDDEN)
        };
        for &atom in &space.changing {
            space.numbers[atom.index()] = number(task.atoms.get(atom.index()));
        }
        let fixed = space.fixed.iter();
        let fixed = fixed.map(|&index| (number(task.statics.get(index as usize)), index));
        let mut fixed: Vec<_> = fixed.filter(|&(number, _)| number != HIDDEN).collect();
        fixed.sort_unstable();
        let (numbers, indexes) = fixed.into_iter().unzip();
        space.fixed = indexes;
        space.all_fluents = false;
        space.placed = Some((ids, numbers));
        space
    }

    /// Returns the number of atom ids, of all observable atoms or only of the changeable ones. With the ids of a
    /// suite, this is the number over all of its problems.
    #[must_use]
    pub fn len(&self, part: ObservedAtoms) -> usize {
        if let Some(ids) = self.ids() {
            return ids.atom_count(part);
        }
        self.changing.len()
            + match part {
                ObservedAtoms::All => self.fixed.len(),
                ObservedAtoms::Changing => 0,
            }
    }

    /// Iterates over the observable atoms that hold in every state of the problem, such as static ones, in ascending order
    /// of id.
    pub fn fixed(&self) -> impl Iterator<Item = ObservedId> + '_ {
        let first = self.changing.len() as u32;
        let own = first..first + self.fixed.len() as u32;
        let (own, placed) = match &self.placed {
            None => (own, &[][..]),
            Some((_, numbers)) => (0..0, &numbers[..]),
        };
        own.chain(placed.iter().copied()).map(ObservedId::new)
    }

    /// Returns the id in observations of an atom of the ground task; `None` if the atom is not observable, such as an
    /// auxiliary one of the engine. Also `None` if the task has no such atom.
    #[must_use]
    pub fn number(&self, atom: AtomId) -> Option<ObservedId> {
        let number = self.numbers.get(atom.index()).copied();
        number.filter(|&number| number != HIDDEN).map(ObservedId::new)
    }

    /// Returns the ground task's atom with this id. `None` if there is no such atom, if no reachable state makes it
    /// true, or if it holds in every state; such atoms have no id in the ground task.
    #[must_use]
    pub fn atom(&self, id: ObservedId) -> Option<AtomId> {
        match self.ids() {
            None => self.changing.get(id.index()).copied(),
            Some(ids) => {
                let (predicate, arguments) = ids.get_atom(id)?;
                self.task().find_atom(predicate, &arguments)
            }
        }
    }

    /// Returns the predicate and the arguments of an atom; `None` if there is no atom with this id. Also `None` for an
    /// id of a suite whose atom no reachable state of this problem makes true.
    #[must_use]
    pub fn get(&self, id: ObservedId) -> Option<AtomRef<'_>> {
        if let Some(atom) = self.atom(id) {
            return self.task().atoms.get(atom.index());
        }
        let place = match &self.placed {
            None => id.index() - self.changing.len(),
            Some((_, numbers)) => numbers.binary_search(&id.number()).ok()?,
        };
        let index = self.fixed.get(place)?;
        self.task().statics.get(*index as usize)
    }

    /// Iterates in ascending order over the ids for whose atoms the problem has all objects, with predicate and arguments.
    /// With the ids of a suite, this includes atoms that no reachable state makes true.
    pub(crate) fn possible(&self) -> impl Iterator<Item = (ObservedId, PredicateId, Arguments)> + '_ {
        let all = (0..self.len(ObservedAtoms::All) as u32).map(ObservedId::new);
        all.filter_map(|id| {
            let (predicate, arguments) = match self.ids() {
                Some(ids) => ids.get_atom(id)?,
                None => {
                    let fact = self.get(id)?;
                    (fact.predicate, Arguments::from_slice(fact.arguments))
                }
            };
            Some((id, predicate, arguments))
        })
    }

    /// Parses an atom in PDDL syntax such as `(on a b)`. `None` if the text is not an atom, or no reachable state makes
    /// it true. Takes time linear in the number of atoms that always hold. The atom need not hold in the current state.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<ObservedId> {
        let vocabulary = &self.task().vocabulary;
        let (head, arguments) = vocabulary.parse_term(text)?;
        let predicate = vocabulary.find_predicate(head.as_str())?;
        if let Some(atom) = self.task().find_atom(predicate, &arguments) {
            return self.number(atom);
        }
        let fact = AtomRef {
            predicate,
            arguments: &arguments,
        };
        self.fixed().find(|&id| self.get(id) == Some(fact))
    }

    /// Formats an atom in PDDL syntax; empty if there is no such id. If the problem lacks objects of an atom of the suite,
    /// the names of the objects' places in the suite ([`SuiteIds`](crate::SuiteIds)) are written instead, such as `(at
    /// truck#3 hub)`.
    pub fn display(&self, id: ObservedId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self.get(id) {
            Some(fact) => {
                let vocabulary = &self.task().vocabulary;
                let name = &vocabulary.predicate(fact.predicate).signature.name;
                write!(f, "{}", vocabulary.term(name, fact.arguments))
            }
            None => {
                let text = self
                    .ids()
                    .and_then(|ids| ids.atom_text(&self.task().vocabulary, id));
                f.write_str(&text.unwrap_or_default())
            }
        })
    }

    /// Returns the predicate's name and the names of the arguments; empty if there is no such id.
    #[must_use]
    pub fn words(&self, id: ObservedId) -> Vec<String> {
        let vocabulary = &self.task().vocabulary;
        let fact = self.get(id);
        let words = fact.iter().flat_map(|fact| {
            let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
            let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
            std::iter::once(head).chain(arguments).map(str::to_owned)
        });
        words.collect()
    }

    /// Iterates in ascending order over the observable atoms that are true in the current state of `walker`, which must
    /// belong to the same simulator. `part` selects all of them or only the changeable ones.
    pub fn observe<'a>(
        &'a self,
        walker: &'a Walker,
        part: ObservedAtoms,
    ) -> impl Iterator<Item = ObservedId> + 'a {
        let task = self.task();
        let derived = (task.fluent_count()..task.atom_count()).map(AtomId::from_index);
        let derived = derived.filter(|&atom| walker.holds(atom));
        let atoms = walker.state().fluents().chain(derived);
        let changing = atoms.filter_map(|atom| self.number(atom));
        let fixed = matches!(part, ObservedAtoms::All).then(|| self.fixed());
        let all = changing.chain(fixed.into_iter().flatten());
        // The order of a suite's ids differs from that of the task's atoms.
        let (own, mut placed) = match &self.placed {
            None => (Some(all), Vec::new()),
            Some(_) => (None, all.collect()),
        };
        placed.sort_unstable();
        own.into_iter().flatten().chain(placed)
    }

    /// Writes the current state of `walker` into `into`, with byte `i` for atom `i`, 1 for true. `part` selects all
    /// atoms or only the changeable ones, which have the lower ids. Extra bytes are zeroed; if `into` is too short,
    /// the last atoms are left out. The walker must belong to the same simulator.
    pub fn write_bits(&self, walker: &Walker, part: ObservedAtoms, into: &mut [u8]) {
        let used = self.write_front(walker, part, into);
        into[used..].fill(0);
    }

    /// Like [`write_bits`](Self::write_bits), but writes to the front of `into` only and returns the number of bytes
    /// written.
    pub(crate) fn write_front(&self, walker: &Walker, part: ObservedAtoms, into: &mut [u8]) -> usize {
        if self.placed.is_some() {
            return self.write_placed(walker, part, into);
        }
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
            ObservedAtoms::All => rest.len().min(self.fixed.len()),
            ObservedAtoms::Changing => 0,
        };
        rest[..fixed].fill(1);
        changing.len() + fixed
    }

    /// Writes the current state of `walker` with one bit per atom. Bits after the last atom are 0.
    pub(crate) fn write_packed(&self, walker: &Walker, part: ObservedAtoms, into: &mut [u8]) {
        if self.placed.is_some() || !self.all_fluents {
            into.fill(0);
            let held = self.observe(walker, part);
            return held.for_each(|id| bitrow::set(into, id.index(), true));
        }
        bitrow::copy(into, walker.state().fluent_words());
        for (number, &atom) in self.changing.iter().enumerate().skip(self.fluents) {
            bitrow::set(into, number, walker.holds(atom));
        }
        if part == ObservedAtoms::All {
            let first = self.changing.len();
            bitrow::set_all(into, first..first + self.fixed.len());
        }
    }

    /// Returns what each bit of a row is: a number of the task's atom, or a constant.
    pub(crate) fn row_bits(&self, part: ObservedAtoms) -> Vec<RowBit> {
        let mut bits = vec![RowBit::Zero; self.len(part)];
        let mut set = |number: u32, bit| {
            if let Some(place) = bits.get_mut(number as usize) {
                *place = bit;
            }
        };
        for (atom, &number) in (0..).zip(&self.numbers) {
            set(number, RowBit::State(atom));
        }
        if part == ObservedAtoms::All {
            self.fixed().for_each(|id| set(id.number(), RowBit::One));
        }
        bits
    }

    /// Writes the state with the ids of a suite, by setting the bytes of the true atoms.
    fn write_placed(&self, walker: &Walker, part: ObservedAtoms, into: &mut [u8]) -> usize {
        let used = self.len(part).min(into.len());
        let into = &mut into[..used];
        into.fill(0);
        let mut set = |number: u32| {
            if let Some(byte) = into.get_mut(number as usize) {
                *byte = 1;
            }
        };
        let task = self.task();
        let derived = (task.fluent_count()..task.atom_count()).map(AtomId::from_index);
        let derived = derived.filter(|&atom| walker.holds(atom));
        let atoms = walker.state().fluents().chain(derived);
        atoms.for_each(|atom| set(self.numbers[atom.index()]));
        if part == ObservedAtoms::All {
            self.fixed().for_each(|id| set(id.number()));
        }
        used
    }

    /// Calls `change` with the id and the truth value of each changeable atom that differs from `noted`, then updates
    /// `noted`. If `noted` is empty, it is filled without calls.
    pub(crate) fn changes(&self, walker: &Walker, noted: &mut Vec<u64>, mut change: impl FnMut(u32, bool)) {
        let fluents = walker.state().fluent_words();
        let (first, last) = (self.fluents, self.atoms);
        let derived = (first..last).step_by(64).map(|start| {
            let atoms = (start..last.min(start + 64)).map(AtomId::from_index);
            let bits = atoms
                .enumerate()
                .map(|(bit, atom)| u64::from(walker.holds(atom)) << bit);
            (start, bits.fold(0, |word, bit| word | bit))
        });
        let fluents = fluents
            .iter()
            .enumerate()
            .map(|(index, &word)| (index * 64, word));
        let words = fluents.chain(derived);
        if noted.is_empty() {
            noted.extend(words.map(|(_, word)| word));
            return;
        }
        for (noted, (start, word)) in noted.iter_mut().zip(words) {
            let mut changed = std::mem::replace(noted, word) ^ word;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let atom = start + bit as usize;
                let own = self.all_fluents && atom < self.fluents;
                let number = if own { atom as u32 } else { self.numbers[atom] };
                if number != HIDDEN {
                    change(number, word >> bit & 1 == 1);
                }
            }
        }
    }

    /// Returns the goal as one byte per atom id, in the layout of [`write_bits`](Self::write_bits): 1 if the first
    /// disjunct of the goal requires the atom, and 0 otherwise, also for atoms that must be false or that always hold.
    /// It covers all observable atoms. Its length is [`len`](Self::len) of all atoms. Computed on first use. All are 0
    /// if the problem has no goal, or if grounding found it unreachable.
    #[must_use]
    pub fn goal_bits(&self) -> &[u8] {
        self.goal.get_or_init(|| {
            let mut bits = vec![0; self.len(ObservedAtoms::All)];
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

    /// Returns the ids of the suite; `None` if the problem has its own.
    pub(crate) fn ids(&self) -> Option<&Placed> {
        self.placed.as_ref().map(|(ids, _)| ids)
    }

    pub(crate) fn task(&self) -> &GroundTask {
        self.simulator.task()
    }
}
