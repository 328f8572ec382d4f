//! Fingerprints of states and joint actions, computed from names and values.

use herbrand_core::{Choice, Digest, FieldValue, Fingerprinted};
use herbrand_rddl::{Range, TypeId};

use super::compiled::CompiledInstance;
use super::simulator::RddlSimulator;
use super::values::{FluentValue, Values};

/// The hashes of the names of a problem's fluents, action fields and items. [`RddlSimulator`] computes fingerprints of
/// states and actions from them. Returned by [`Fingerprinted::names`], and passed to its other methods.
#[derive(Debug)]
pub struct NameHashes {
    /// By action field.
    fields: Vec<u64>,
    /// By state fluent.
    fluents: Vec<u64>,
    /// By type: the hashes of its items.
    items: Vec<Vec<u64>>,
    /// The sum of hashes of the initial state.
    initial: u64,
}

impl NameHashes {
    fn of(compiled: &CompiledInstance) -> Self {
        let instance = &compiled.instance;
        let fields = compiled.actions().fields().iter();
        let items = |index| {
            let of = TypeId::from_index(index);
            let names = (0..instance.size(of)).map(|item| instance.item_name(of, item).as_str());
            names.map(Digest::of_text).collect()
        };
        let mut hashes = Self {
            fields: fields.map(|field| Digest::of_text(&field.name)).collect(),
            fluents: (0..compiled.state.len())
                .map(|at| Digest::of_text(&compiled.name(&compiled.state, at)))
                .collect(),
            items: (0..instance.domain.types.len()).map(items).collect(),
            initial: 0,
        };
        hashes.initial = hashes.sum(compiled, compiled.initial());
        hashes
    }

    /// Returns the word of a value. Items are identified by name.
    fn word(&self, range: Range, value: FluentValue) -> u64 {
        match (range, value) {
            (Range::Item(of), FluentValue::Int(place)) => {
                let items = &self.items[of.index()];
                usize::try_from(place).map_or(0, |place| items.get(place).copied().unwrap_or(0))
            }
            (_, FluentValue::Bool(value)) => u64::from(value),
            (_, FluentValue::Int(value)) => value as u64,
            (_, FluentValue::Real(value)) => value.to_bits(),
        }
    }

    /// Returns the sum of the hashes of a state's facts. A false bool is not a fact.
    fn sum(&self, compiled: &CompiledInstance, state: &Values) -> u64 {
        let fact = |at: usize| {
            let value = compiled.state.section.get(state, at);
            match value {
                FluentValue::Bool(false) => 0,
                _ => hash(
                    self.fluents[at],
                    self.word(compiled.range(&compiled.state, at), value),
                ),
            }
        };
        (0..compiled.state.len()).map(fact).fold(0, u64::wrapping_add)
    }
}

const fn hash(name: u64, word: u64) -> u64 {
    let mut digest = Digest::new(name);
    digest.add(word);
    digest.finish()
}

impl Fingerprinted for RddlSimulator {
    type Names = NameHashes;

    fn names(&self) -> NameHashes {
        NameHashes::of(self.compiled())
    }

    fn choice_hash(&self, names: &mut NameHashes, choice: Choice) -> u64 {
        let (compiled, field) = (self.compiled(), choice.field as usize);
        let Some(&name) = names.fields.get(field) else {
            return 0;
        };
        let value = match choice.value {
            FieldValue::Discrete(place) => FluentValue::Int(i64::from(place)),
            FieldValue::Int(value) => FluentValue::Int(value),
            FieldValue::Real(value) => FluentValue::Real(value),
        };
        hash(name, names.word(compiled.range(&compiled.action, field), value))
    }

    fn state_hash(&self, names: &NameHashes) -> u64 {
        names
            .sum(self.compiled(), self.values())
            .wrapping_sub(names.initial)
    }
}
