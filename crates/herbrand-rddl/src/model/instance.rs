//! A checked instance.

use std::fmt;
use std::sync::Arc;

use herbrand_text::{Origin, Place};

use super::{Domain, Name, PvariableId, Range, TypeId, TypeKind, Value};

/// An instance: objects, constants and an initial state for a domain, which it holds.
///
/// Everything ground is numbered in row order: the ground variable `p(a, b)` is number `a * |B| + b` of `p`.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// The domain.
    pub domain: Arc<Domain>,
    /// The name.
    pub name: Name,
    /// The name of the block of non-fluents, if there is one.
    pub non_fluents_name: Option<Name>,
    /// The objects of each type, by [`TypeId`]; empty for an enum.
    pub objects: Vec<Vec<Object>>,
    /// Values of non-fluents that are set, by [`PvariableId`]; empty for other pvariables. The others have defaults.
    pub non_fluents: Vec<Settings>,
    /// Initial values of state fluents that are set, by [`PvariableId`]; empty for other pvariables. The others have defaults.
    pub init_state: Vec<Settings>,
    /// How many ground action fluents may differ from their defaults in one step.
    pub max_nondef_actions: Limit,
    /// The number of steps of an episode.
    pub horizon: Horizon,
    /// The discount per step.
    pub discount: f64,
    /// What it was read from: the text that its places refer to.
    pub origin: Origin,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// The name.
    pub name: Name,
    /// Where it is listed.
    pub place: Place,
}

/// The values that ground variables of one pvariable are set to: their numbers in row order, increasing, with values of the
/// pvariable's range.
pub type Settings = Vec<(u64, Value)>;

/// A limit on a count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// At most this many.
    AtMost(u32),
    /// No limit, written `pos-inf`.
    Unlimited,
}

/// The number of steps of an episode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Horizon {
    /// This many, at least 1.
    Steps(u32),
    /// It ends by termination alone; written `pos-inf`.
    Infinite,
}

impl Instance {
    /// The number of items of a type: objects, or values of an enum.
    #[must_use]
    pub fn size(&self, id: TypeId) -> u32 {
        match &self.domain.type_of(id).kind {
            TypeKind::Enum(values) => values.len() as u32,
            TypeKind::Objects => self.objects[id.index()].len() as u32,
        }
    }

    /// The name of an item, without `@`.
    #[must_use]
    pub fn item_name(&self, id: TypeId, item: u32) -> &Name {
        match &self.domain.type_of(id).kind {
            TypeKind::Enum(values) => &values[item as usize],
            TypeKind::Objects => &self.objects[id.index()][item as usize].name,
        }
    }

    /// The item called `name`, without `@`.
    #[must_use]
    pub fn find_item(&self, id: TypeId, name: &str) -> Option<u32> {
        let position = match &self.domain.type_of(id).kind {
            TypeKind::Enum(values) => values.iter().position(|value| value.as_str() == name),
            TypeKind::Objects => self.objects[id.index()]
                .iter()
                .position(|object| object.name.as_str() == name),
        };
        position.map(|position| position as u32)
    }

    /// The number of ground variables of a pvariable: the product of the sizes of its parameters' types. At most 2^63 if the
    /// instance was checked.
    #[must_use]
    pub fn count(&self, id: PvariableId) -> u64 {
        let parameters = &self.domain.pvariable(id).parameters;
        parameters.iter().map(|&of| u64::from(self.size(of))).product()
    }

    /// The number, in row order, of the ground variable with these arguments.
    #[must_use]
    pub fn ground_number(&self, id: PvariableId, arguments: &[u32]) -> u64 {
        let parameters = &self.domain.pvariable(id).parameters;
        let pairs = parameters.iter().zip(arguments);
        pairs.fold(0, |number, (&of, &item)| {
            number * u64::from(self.size(of)) + u64::from(item)
        })
    }

    /// The arguments of the ground variable with this number.
    #[must_use]
    pub fn arguments(&self, id: PvariableId, mut number: u64) -> Vec<u32> {
        let parameters = &self.domain.pvariable(id).parameters;
        let mut arguments: Vec<u32> = parameters
            .iter()
            .rev()
            .map(|&of| {
                let size = u64::from(self.size(of)).max(1);
                let item = number % size;
                number /= size;
                item as u32
            })
            .collect();
        arguments.reverse();
        arguments
    }

    /// The name of a ground variable: `fluent`, or `fluent___o1__o2`.
    #[must_use]
    pub fn ground_name(&self, id: PvariableId, number: u64) -> String {
        let pvariable = self.domain.pvariable(id);
        let mut name = pvariable.name.to_string();
        let pairs = pvariable.parameters.iter().zip(self.arguments(id, number));
        for (position, (&of, item)) in pairs.enumerate() {
            name.push_str(if position == 0 { "___" } else { "__" });
            name.push_str(self.item_name(of, item).as_str());
        }
        name
    }

    /// The values of all ground variables of a non-fluent, or the initial ones of a state fluent, in row order: defaults where
    /// nothing else is set.
    #[must_use]
    pub fn values(&self, id: PvariableId) -> Vec<Value> {
        let default = self.domain.pvariable(id).default_value();
        let mut values = vec![default; self.count(id) as usize];
        let settings = self.non_fluents[id.index()]
            .iter()
            .chain(&self.init_state[id.index()]);
        for &(number, value) in settings {
            values[number as usize] = value;
        }
        values
    }

    /// A value as text: items by their names, without `@`.
    #[must_use]
    pub fn show(&self, range: Range, value: Value) -> String {
        match (range, value) {
            (Range::Item(of), Value::Item(item)) => self.item_name(of, item).to_string(),
            (_, Value::Bool(b)) => b.to_string(),
            (_, Value::Int(i)) => i.to_string(),
            (_, Value::Real(r)) => format!("{r:?}"),
            (_, Value::Item(item)) => format!("#{item}"),
        }
    }
}

impl fmt::Display for Limit {
    /// As it is written in RDDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(count) => count.fmt(f),
            Self::Unlimited => f.write_str("pos-inf"),
        }
    }
}

impl fmt::Display for Horizon {
    /// As it is written in RDDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => steps.fmt(f),
            Self::Infinite => f.write_str("pos-inf"),
        }
    }
}
