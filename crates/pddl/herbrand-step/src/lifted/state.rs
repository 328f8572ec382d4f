//! States of lifted tasks as values.

use std::fmt;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{AtomList, AtomRef, FunctionId, ObjectId};

/// A state of a lifted task: its fluent atoms and numbers, identified by name and arguments instead of by number.
/// [`LiftedSimulator::initial_state`](crate::LiftedSimulator::initial_state) and
/// [`LiftedWalker::state`](crate::LiftedWalker::state) return one, and
/// [`LiftedWalker::set_state`](crate::LiftedWalker::set_state) takes one. The default is the state without atoms and
/// numbers.
///
/// Derived atoms follow from these and are not stored. States of one task are equal if the same atoms are true and all
/// numbers are equal; their hash agrees with this.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct LiftedState {
    /// The true fluent atoms, ascending by predicate and arguments.
    pub(super) atoms: AtomList,
    /// The defined numbers, ascending by function and arguments.
    pub(super) numbers: Vec<LiftedNumber>,
}

/// A defined numeric fluent of a lifted state: a function term with its value. [`LiftedState::numbers`] lists them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LiftedNumber {
    /// The function of the term.
    pub function: FunctionId,
    /// The arguments of the term.
    pub arguments: Vec<ObjectId>,
    /// The bits of the value, which is finite and not −0.
    bits: u64,
}

impl LiftedNumber {
    pub(super) fn new(function: FunctionId, arguments: &[ObjectId], value: f64) -> Self {
        Self {
            function,
            arguments: arguments.to_vec(),
            // Adding zero turns −0 into 0, so that equal numbers have equal bits.
            bits: (value + 0.0).to_bits(),
        }
    }

    /// Returns the value, which is finite.
    #[must_use]
    pub const fn value(&self) -> f64 {
        f64::from_bits(self.bits)
    }
}

impl LiftedState {
    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let atoms = self.atoms.iter().map(|atom| 8 + 4 * atom.arguments.len());
        let numbers = self.numbers.iter().map(|number| 48 + 4 * number.arguments.len());
        (atoms.sum::<usize>() + numbers.sum::<usize>()) as u64
    }

    /// Returns the true fluent atoms, ascending by predicate and arguments. Static and derived atoms are not among
    /// them.
    pub fn atoms(&self) -> impl Iterator<Item = AtomRef<'_>> {
        self.atoms.iter()
    }

    /// Formats the fluent atoms and the numbers in PDDL syntax, such as `(on b) (= (power) 3)`. `vocabulary` must be
    /// the vocabulary of the task.
    ///
    /// ```
    /// use herbrand_pddl::{Domain, Problem};
    /// use herbrand_step::LiftedSimulator;
    ///
    /// let domain = Domain::from_text(
    ///     "(define (domain lamp) (:predicates (on ?l)) (:action press :parameters (?l) :effect (on ?l)))",
    /// )?;
    /// let text = "(define (problem one) (:domain lamp) (:objects a b) (:init (on b)) (:goal (on a)))";
    /// let simulator = LiftedSimulator::compile(&domain, &Problem::from_text(text, &domain)?)?;
    /// assert_eq!(simulator.initial_state().display(simulator.vocabulary()).to_string(), "(on b)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn display<'s>(&'s self, vocabulary: &'s Vocabulary) -> impl fmt::Display + 's {
        fmt::from_fn(move |f| {
            let mut space = "";
            for fact in self.atoms() {
                let name = &vocabulary.predicate(fact.predicate).signature.name;
                write!(f, "{space}{}", vocabulary.term(name, fact.arguments))?;
                space = " ";
            }
            for number in &self.numbers {
                let name = &vocabulary.function(number.function).name;
                let term = vocabulary.term(name, &number.arguments);
                write!(f, "{space}(= {term} {})", number.value())?;
                space = " ";
            }
            Ok(())
        })
    }

    /// Returns the defined numeric fluents, ascending by function and arguments.
    #[must_use]
    pub fn numbers(&self) -> &[LiftedNumber] {
        &self.numbers
    }
}

impl fmt::Debug for LiftedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.atoms.iter()).finish()?;
        f.debug_list().entries(&self.numbers).finish()
    }
}
