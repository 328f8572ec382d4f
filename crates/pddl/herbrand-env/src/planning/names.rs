//! Facts by name and fingerprints of a planning problem.

use herbrand_core::{Choice, Digest, Fact, FactValue, Fingerprinted, Group, System};
use herbrand_ground::{NumericId, Vocabulary};
use herbrand_pddl::{AtomRef, FunctionId, ObjectId, PredicateId, PredicateKind};
use herbrand_step::{LiftedState, LiftedWalker, State, Walker};

use super::{Grounded, Lifted, Planning};
use crate::action::AgentActionId;
use crate::atoms::{AtomSpace, grounded_numbers, lifted_numbers};
use crate::observed::ObservedAtoms;

/// Passes an atom to `visit` by name. Types, action predicates and auxiliary predicates of the engine are skipped.
fn show_atom(vocabulary: &Vocabulary, fact: AtomRef<'_>, visit: &mut dyn FnMut(Fact<'_>)) {
    let predicate = vocabulary.predicate(fact.predicate);
    let group = match predicate.kind {
        _ if predicate.auxiliary => return,
        PredicateKind::Action => return,
        PredicateKind::Static => Group::Static,
        PredicateKind::Fluent => Group::Fluent,
        PredicateKind::Derived => Group::Derived,
    };
    let name = predicate.signature.name.as_str();
    show(
        vocabulary,
        group,
        name,
        fact.arguments,
        FactValue::Bool(true),
        visit,
    );
}

/// Passes a numeric value to `visit` by name.
fn show_number(
    vocabulary: &Vocabulary,
    function: FunctionId,
    arguments: &[ObjectId],
    value: f64,
    visit: &mut dyn FnMut(Fact<'_>),
) {
    let name = vocabulary.function(function).name.as_str();
    show(
        vocabulary,
        Group::Fluent,
        name,
        arguments,
        FactValue::Real(value),
        visit,
    );
}

fn show(
    vocabulary: &Vocabulary,
    group: Group,
    name: &str,
    arguments: &[ObjectId],
    value: FactValue<'_>,
    visit: &mut dyn FnMut(Fact<'_>),
) {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|&object| vocabulary.object(object))
        .collect();
    visit(Fact {
        group,
        name,
        arguments: &arguments,
        value,
    });
}

/// Passes every true atom of the current state of `walker`, including static and derived ones, and every defined number
/// of the state to `visit`, each once. Types, action predicates and auxiliary predicates of the engine are left out.
/// Accumulators such as `total-cost` are not part of the state. The walker must belong to the same simulator as
/// `atoms`.
pub fn show_grounded(atoms: &AtomSpace, walker: &Walker, visit: &mut dyn FnMut(Fact<'_>)) {
    let task = walker.simulator().task();
    for fact in atoms
        .observe(walker, ObservedAtoms::All)
        .filter_map(|id| atoms.get(id))
    {
        show_atom(&task.vocabulary, fact, visit);
    }
    for (function, arguments, value) in grounded_numbers(walker) {
        show_number(&task.vocabulary, function, arguments, value, visit);
    }
}

/// Passes every true atom of the current state of `walker`, including static and derived ones, and every defined number
/// to `visit`. The counterpart of [`show_grounded`] for the lifted engine; it leaves out the same atoms and numbers.
/// Each is passed once.
pub fn show_lifted(walker: &LiftedWalker, visit: &mut dyn FnMut(Fact<'_>)) {
    let vocabulary = walker.simulator().vocabulary();
    let state = walker.state();
    let statics = walker.simulator().task().static_atoms.iter();
    // Views are unordered.
    let mut derived: Vec<_> = walker.derived().collect();
    derived.sort_unstable();
    for fact in state.atoms().chain(derived).chain(statics) {
        show_atom(vocabulary, fact, visit);
    }
    for (function, arguments, value) in lifted_numbers(walker) {
        show_number(vocabulary, function, arguments, value, visit);
    }
}

/// The hashes of the names in a problem's vocabulary, from which fingerprints of states are computed. A term is a name
/// with arguments, such as an atom. The hash of a term combines those of its head and arguments, so engines with
/// different ids agree. [`Fingerprinted::names`] creates it, and `choice_hash` and `state_hash` of the same problem's
/// systems take it.
#[derive(Debug)]
pub struct Symbols {
    objects: Vec<u64>,
    /// `None` for predicates that are not observable.
    predicates: Vec<Option<u64>>,
    functions: Vec<u64>,
    /// For each action id its hash, computed on first use; 0 before that.
    actions: Vec<u64>,
    /// For each atom id its hash, if atoms have ids.
    atoms: Vec<u64>,
    /// For each numeric fluent id the hash of its name, if fluents have ids.
    fluents: Vec<u64>,
    initial: u64,
}

impl Symbols {
    fn of(vocabulary: &Vocabulary) -> Self {
        let objects = vocabulary.objects.iter();
        let functions = vocabulary.functions.iter();
        let predicates = vocabulary.predicates.iter().map(|predicate| {
            let seen = !predicate.auxiliary && predicate.kind != PredicateKind::Action;
            seen.then(|| Digest::of_text(predicate.signature.name.as_str()))
        });
        Self {
            objects: objects
                .map(|object| Digest::of_text(object.name.as_str()))
                .collect(),
            predicates: predicates.collect(),
            functions: functions
                .map(|function| Digest::of_text(function.name.as_str()))
                .collect(),
            actions: Vec::new(),
            atoms: Vec::new(),
            fluents: Vec::new(),
            initial: 0,
        }
    }

    fn term(&self, head: u64, arguments: &[ObjectId]) -> u64 {
        let mut digest = Digest::new(head);
        arguments
            .iter()
            .for_each(|object| digest.add(self.objects[object.index()]));
        digest.finish()
    }

    /// Returns the hash of an atom; 0, the neutral element of the sum, if it is not observable.
    fn atom(&self, predicate: PredicateId, arguments: &[ObjectId]) -> u64 {
        self.predicates[predicate.index()].map_or(0, |head| self.term(head, arguments))
    }

    fn fluent(&self, function: FunctionId, arguments: &[ObjectId]) -> u64 {
        self.term(self.functions[function.index()], arguments)
    }

    /// Returns the difference between a state of the grounded engine and the initial state.
    pub(super) fn hash(&self, state: &State) -> u64 {
        grounded_sum(self, state).wrapping_sub(self.initial)
    }

    /// Returns the hash of an action, computed by `make` on first use.
    #[inline]
    fn action(&mut self, id: AgentActionId, make: impl FnOnce(&Self) -> u64) -> u64 {
        match self.actions.get(id.index()) {
            Some(&hash) if hash != 0 => hash,
            _ => {
                let hash = make(self);
                self.keep(id, hash)
            }
        }
    }

    #[cold]
    fn keep(&mut self, id: AgentActionId, hash: u64) -> u64 {
        if self.actions.len() <= id.index() {
            self.actions.resize(id.index() + 1, 0);
        }
        self.actions[id.index()] = hash;
        hash
    }
}

/// Returns the hash of a numeric fluent with its value.
const fn number_hash(fluent: u64, value: f64) -> u64 {
    let mut digest = Digest::new(fluent);
    digest.add(value.to_bits());
    digest.finish()
}

impl Fingerprinted for Planning<Grounded> {
    type Names = Symbols;

    fn names(&self) -> Symbols {
        let task = self.space().task();
        let mut names = Symbols::of(&task.vocabulary);
        let atoms = task.atoms.iter();
        names.atoms = atoms
            .map(|fact| names.atom(fact.predicate, fact.arguments))
            .collect();
        let fluents = task.numerics.iter().take(task.state_numerics as usize);
        names.fluents = fluents
            .map(|fluent| names.fluent(fluent.function, &fluent.arguments))
            .collect();
        // Zeroed pages take no memory until they are written.
        names.actions = vec![0; self.space().len()];
        names.initial = grounded_sum(&names, &self.walker().simulator().initial_state());
        names
    }

    #[inline]
    fn choice_hash(&self, names: &mut Symbols, choice: Choice) -> u64 {
        let Some(id) = AgentActionId::of(choice) else {
            return 0;
        };
        names.action(id, |names| {
            let (name, arguments) = self.space().get(id).unzip();
            let head = name.map_or(0, |name| Digest::of_text(name.as_str()));
            names.term(head, &arguments.unwrap_or_default())
        })
    }

    fn state_hash(&self, names: &Symbols) -> u64 {
        names.hash(self.state())
    }
}

/// Returns the sum of the hashes of a state's atoms and numbers.
fn grounded_sum(names: &Symbols, state: &State) -> u64 {
    let atoms = state.fluents().map(|atom| names.atoms[atom.index()]);
    let numbers = (0..).map(NumericId::new).zip(&names.fluents);
    let numbers = numbers.filter_map(|(id, &fluent)| Some(number_hash(fluent, state.numeric(id)?)));
    atoms.chain(numbers).fold(0, u64::wrapping_add)
}

impl Fingerprinted for Planning<Lifted> {
    type Names = Symbols;

    fn names(&self) -> Symbols {
        let simulator = self.walker().simulator();
        let mut names = Symbols::of(simulator.vocabulary());
        names.initial = lifted_sum(&names, simulator.initial_state());
        names
    }

    #[inline]
    fn choice_hash(&self, names: &mut Symbols, choice: Choice) -> u64 {
        let Some(id) = AgentActionId::of(choice) else {
            return 0;
        };
        names.action(id, |names| {
            let (name, arguments) = self.action(id).unzip();
            let head = name.map_or(0, |name| Digest::of_text(name.as_str()));
            names.term(head, &arguments.unwrap_or_default())
        })
    }

    fn state_hash(&self, names: &Symbols) -> u64 {
        lifted_sum(names, self.state()).wrapping_sub(names.initial)
    }
}

/// Returns the sum of the hashes of a state's atoms and numbers.
fn lifted_sum(names: &Symbols, state: &LiftedState) -> u64 {
    let atoms = state
        .atoms()
        .map(|fact| names.atom(fact.predicate, fact.arguments));
    let numbers = state.numbers().iter().map(|number| {
        let fluent = names.fluent(number.function, &number.arguments);
        number_hash(fluent, number.value())
    });
    atoms.chain(numbers).fold(0, u64::wrapping_add)
}
