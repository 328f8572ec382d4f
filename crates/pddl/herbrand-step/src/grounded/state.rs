//! States of ground tasks as values, and the queries on them.

use std::fmt;

use herbrand_ground::{AtomId, GroundTask, NumericId};

use crate::grounded::bits::{Bits, expand, ones, words_for};
use crate::grounded::moves::Mask;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::Numbers;

/// A state: the truth of every fluent atom and the value of every numeric fluent, in one block of memory.
/// [`Simulator::initial_state`](crate::Simulator::initial_state),
/// [`Simulator::state_from_atoms`](crate::Simulator::state_from_atoms), [`Walker::state`](crate::Walker::state) and
/// outcomes give one. [`Walker::set_state`](crate::Walker::set_state) and the functions of a simulator take one.
///
/// Derived atoms follow from these and are not stored. States of one task are equal if the same atoms are true and all
/// numbers are equal; their hash agrees with this, and their order is total and the same on every platform. A state takes
/// one bit per fluent atom and 8 bytes per numeric fluent; the bits are rounded up to a multiple of 8 bytes.
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_step::compile;
///
/// let domain = Domain::from_text("(define (domain lamps) (:predicates (on ?x))
///     (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain lamps) (:objects a b) (:init (on b)))", &domain)?;
/// let simulator = compile(&domain, &problem)?;
/// let state = simulator.initial_state();
/// assert_eq!(["(on a)", "(on b)"].map(|atom| state.holds(simulator.parse_atom(atom).ok()?)), [Some(false), Some(true)]);
/// assert_eq!(simulator.unpack(&state.pack()), Some(state));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    fluents: u32,
    /// The bits of the fluent atoms, then one word per number.
    words: Box<[u64]>,
}

/// The word of an undefined number: 0, which is below the word of every finite number.
const UNDEFINED: u64 = 0;

const SIGN: u64 = 1 << 63;

/// Encodes a number as a word, such that words are ordered like the numbers.
fn encode(value: Option<f64>) -> u64 {
    match value {
        // Adding zero turns -0 into 0, so that equal numbers have equal words.
        Some(value) => match (value + 0.0).to_bits() {
            bits if bits & SIGN == 0 => bits | SIGN,
            bits => !bits,
        },
        None => UNDEFINED,
    }
}

pub(crate) fn decode(word: u64) -> Option<f64> {
    match word {
        UNDEFINED => None,
        word if word & SIGN != 0 => Some(f64::from_bits(word & !SIGN)),
        word => Some(f64::from_bits(!word)),
    }
}

impl State {
    /// The state in which no fluent atom is true and no number is defined.
    pub(crate) fn empty(task: &GroundTask) -> Self {
        Self {
            fluents: task.fluents,
            words: vec![0; words_for(task.fluent_count()) + task.state_numerics as usize].into(),
        }
    }

    /// Returns whether a fluent atom is true; `None` for an atom that is not part of states. Ask
    /// [`Simulator::close`](crate::Simulator::close) or a [`Walker`](crate::Walker) for derived atoms.
    #[inline]
    #[must_use]
    pub fn holds(&self, atom: AtomId) -> Option<bool> {
        (atom.number() < self.fluents).then(|| self.words[atom.index() / 64] >> (atom.index() % 64) & 1 == 1)
    }

    /// Returns whether at most one of the fluent atoms with ids in this range is true, as mutually exclusive atoms
    /// require. Ids that are not fluent atoms are ignored; an empty range gives `true`.
    #[must_use]
    pub fn has_one_at_most(&self, atoms: std::ops::Range<u32>) -> bool {
        let end = atoms.end.min(self.fluents) as usize;
        let mut start = atoms.start as usize;
        let mut found = 0;
        while start < end && found < 2 {
            let (word, bit) = (start / 64, start % 64);
            let width = (end - start).min(64 - bit);
            let mask = (u64::MAX >> (64 - width)) << bit;
            let rest = self.words[word] & mask;
            found += u32::from(rest != 0) + u32::from(rest & rest.wrapping_sub(1) != 0);
            start += width;
        }
        found < 2
    }

    /// Returns the value of a numeric fluent; `None` if it is undefined, or if it is not part of states, such as an
    /// accumulator. The same for an id that the task does not have.
    #[inline]
    #[must_use]
    pub fn numeric(&self, id: NumericId) -> Option<f64> {
        decode(self.numbers().get(id.index()).copied().unwrap_or(UNDEFINED))
    }

    /// Formats the true fluent atoms and the defined numbers in PDDL syntax. `task` must be the task of this state; it
    /// provides the names.
    ///
    /// ```
    /// use herbrand_pddl::{Domain, Problem};
    ///
    /// let domain = Domain::from_text(
    ///     "(define (domain lamp) (:predicates (on ?l) (broken ?l)) (:functions (power))
    ///        (:action press :parameters (?l) :precondition (not (on ?l))
    ///         :effect (and (on ?l) (decrease (power) 1))))",
    /// )?;
    /// let problem = Problem::from_text(
    ///     "(define (problem one) (:domain lamp) (:objects a b) (:init (on b) (= (power) 3)) (:goal (on a)))",
    ///     &domain,
    /// )?;
    /// let simulator = herbrand_step::compile(&domain, &problem)?;
    /// let state = simulator.initial_state();
    /// assert_eq!(state.display(simulator.task()).to_string(), "(on b) (= (power) 3)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Auxiliary atoms, which the normal form added, are not shown.
    pub fn display<'s>(&'s self, task: &'s GroundTask) -> impl fmt::Display + 's {
        fmt::from_fn(move |f| {
            let shown = |atom: &AtomId| {
                let fact = task.atoms.get(atom.index());
                fact.is_some_and(|fact| !task.vocabulary.predicate(fact.predicate).auxiliary)
            };
            let mut space = "";
            for atom in self.fluents().filter(shown) {
                write!(f, "{space}{}", task.display_atom(atom))?;
                space = " ";
            }
            for id in (0..task.state_numerics).map(NumericId::new) {
                if let Some(value) = self.numeric(id) {
                    write!(f, "{space}(= {} {value})", task.display_numeric(id))?;
                    space = " ";
                }
            }
            Ok(())
        })
    }

    /// Returns the fluent atoms that are true, ascending.
    pub fn fluents(&self) -> impl Iterator<Item = AtomId> + '_ {
        ones(self.bits()).map(AtomId::from_index)
    }

    /// Returns the truth of the fluent atoms as bits, 64 per word, lowest bit first: atom `i` is bit `i % 64` of word
    /// `i / 64`. Bits beyond the last atom are 0.
    #[must_use]
    #[inline]
    pub fn fluent_words(&self) -> &[u64] {
        self.bits()
    }

    /// Writes the truth of the fluent atoms, ascending by id, as one byte each: 1 for true, 0 for false. If `into` is
    /// longer, the rest is set to 0; if it is shorter, the remaining atoms are left out.
    pub fn write_bits(&self, into: &mut [u8]) {
        let (own, rest) = into.split_at_mut(into.len().min(self.fluents as usize));
        expand(self.bits(), own);
        rest.fill(0);
    }

    /// Encodes the state as bytes, in little-endian order: the bits of the fluent atoms, rounded up to whole bytes, then 8
    /// bytes per numeric fluent. [`Simulator::unpack`](crate::Simulator::unpack) decodes them.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.bits().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate((self.fluents as usize).div_ceil(8));
        bytes.extend(self.numbers().iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// Decodes a state of `task` from the bytes that [`pack`](Self::pack) returned. `None` if no state of this shape has
    /// this encoding.
    pub(crate) fn unpack(task: &GroundTask, bytes: &[u8]) -> Option<Self> {
        let mut state = Self::empty(task);
        let (bits, numbers) = bytes.split_at_checked(task.fluent_count().div_ceil(8))?;
        if numbers.len() != task.state_numerics as usize * 8 {
            return None;
        }
        for (index, &byte) in bits.iter().enumerate() {
            state.words[index / 8] |= u64::from(byte) << (index % 8 * 8);
        }
        let within = ones(state.bits()).all(|bit| bit < task.fluent_count());
        let chunks = numbers
            .chunks_exact(8)
            .map(|chunk| chunk.try_into().map(u64::from_le_bytes));
        for (word, number) in state.numbers_mut().iter_mut().zip(chunks) {
            let number = number.ok()?;
            *word =
                Some(number).filter(|&n| encode(decode(n)) == n && decode(n).is_none_or(f64::is_finite))?;
        }
        within.then_some(state)
    }

    /// Makes a fluent atom true or false.
    #[inline]
    pub(crate) fn set(&mut self, atom: AtomId, value: bool) {
        debug_assert!(atom.number() < self.fluents);
        let mask = 1 << (atom.index() % 64);
        let word = &mut self.words[atom.index() / 64];
        *word = if value { *word | mask } else { *word & !mask };
    }

    /// Negates a fluent atom.
    #[inline]
    pub(crate) fn flip(&mut self, atom: usize) {
        debug_assert!(atom < self.fluents as usize);
        self.words[atom / 64] ^= 1 << (atom % 64);
    }

    /// Sets a numeric fluent to a finite value, or makes it undefined.
    #[inline]
    pub(crate) fn set_numeric(&mut self, id: NumericId, value: Option<f64>) {
        if let Some(word) = self.numbers_mut().get_mut(id.index()) {
            *word = encode(value);
        }
    }

    /// Applies deletes, then adds, then numeric changes.
    pub(crate) fn apply(&mut self, firing: &Firing, numbers: &Numbers) {
        for &atom in &firing.deletes {
            self.set(atom, false);
        }
        for &atom in &firing.adds {
            self.set(atom, true);
        }
        for change in &numbers.changes {
            self.set_numeric(change.id, change.after);
        }
    }

    /// The words of the fluent atoms.
    pub(crate) fn bits(&self) -> &[u64] {
        &self.words[..words_for(self.fluents as usize)]
    }

    /// The words of the numbers.
    pub(crate) fn numbers(&self) -> &[u64] {
        &self.words[words_for(self.fluents as usize)..]
    }

    fn numbers_mut(&mut self) -> &mut [u64] {
        &mut self.words[words_for(self.fluents as usize)..]
    }

    /// Returns whether this state has the shape of the states of `task`: as many fluent atoms and numeric fluents. A state
    /// of another task may have the same shape.
    #[must_use]
    pub fn fits(&self, task: &GroundTask) -> bool {
        self.fluents == task.fluents && self.numbers().len() == task.state_numerics as usize
    }

    /// Returns the words of the state: the bits of the fluent atoms, then one word per numeric fluent. States of one
    /// task are equal if and only if their words are. [`StateStore`](crate::StateStore) and
    /// [`Walker::set_words`](crate::Walker::set_words) take them. The words of numbers are encoded: read numbers by
    /// [`numeric`](Self::numeric).
    #[inline]
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Creates a state of the same task from its words.
    pub(crate) fn with_words(&self, words: &[u64]) -> Self {
        Self {
            fluents: self.fluents,
            words: words.into(),
        }
    }

    /// Replaces the words of the fluent atoms.
    #[inline]
    pub(crate) fn set_bits(&mut self, words: impl Iterator<Item = u64>) {
        self.words
            .iter_mut()
            .zip(words)
            .for_each(|(own, word)| *own = word);
    }

    /// Copies another state of the same task into this one.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.words.copy_from_slice(&other.words);
    }

    /// Applies masks, and calls `visit` with every literal that became true.
    #[inline]
    pub(crate) fn change(&mut self, masks: &[Mask], mut visit: impl FnMut(u32)) {
        for mask in masks {
            let word = &mut self.words[mask.word as usize];
            let old = std::mem::replace(word, *word & mask.keep | mask.set);
            each_change(mask.word, old, *word, &mut visit);
        }
    }

    /// Replaces the words by those of another state of the same task, and calls `visit` with every literal that became
    /// true.
    pub(crate) fn replace(&mut self, words: &[u64], mut visit: impl FnMut(u32)) {
        let fluents = self.fluents.div_ceil(64);
        for ((index, &old), &new) in (0..fluents).zip(&self.words).zip(words) {
            each_change(index, old, new, &mut visit);
        }
        self.words.copy_from_slice(words);
    }
}

/// Calls `visit` with each literal that holds in the new word of bits and not in the old one.
#[inline]
fn each_change(index: u32, old: u64, new: u64, mut visit: impl FnMut(u32)) {
    let mut rest = old ^ new;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        visit((index * 64 + bit) * 2 + u32::from(new >> bit & 1 == 0));
        rest &= rest - 1;
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atoms = ones(self.bits());
        let numbers = self.numbers().iter().map(|&word| decode(word));
        f.debug_set().entries(atoms).finish()?;
        f.debug_list().entries(numbers).finish()
    }
}

/// The values that conditions and expressions read: the atoms, including derived ones, and the numeric fluents of one
/// state. [`ClosedState`] and [`Walker`](crate::Walker) implement it; pass one to
/// [`Simulator::holds`](crate::Simulator::holds). [`Simulator::close`](crate::Simulator::close) makes a `ClosedState`.
/// A `ClosedState` may panic for an atom that its task does not have.
pub trait Valuation {
    /// Returns whether an atom, fluent or derived, is true.
    fn holds(&self, atom: AtomId) -> bool;

    /// Returns the value of a numeric fluent; `None` if it is undefined, or if it is not part of states, such as an
    /// accumulator.
    fn value(&self, id: NumericId) -> Option<f64>;
}

/// A state with its derived atoms, computed by [`Simulator::close`](crate::Simulator::close). Pass it to
/// [`Simulator::holds`](crate::Simulator::holds) as the world of conditions.
#[derive(Clone, Debug)]
pub struct ClosedState<'a> {
    /// The state.
    pub(crate) state: &'a State,
    /// The truth of the derived atoms. The first derived atom has index 0.
    pub(crate) derived: Bits,
}

impl Valuation for ClosedState<'_> {
    fn holds(&self, atom: AtomId) -> bool {
        match atom.number().checked_sub(self.state.fluents) {
            Some(index) => self.derived.get(index as usize),
            None => self.state.holds(atom) == Some(true),
        }
    }

    fn value(&self, id: NumericId) -> Option<f64> {
        self.state.numeric(id)
    }
}

impl ClosedState<'_> {
    /// Returns the fluent and derived atoms that are true, ascending.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        let first = self.state.fluents as usize;
        let derived = self
            .derived
            .ones()
            .map(move |index| AtomId::from_index(first + index));
        self.state.fluents().chain(derived)
    }
}
