//! Checked instances.

use std::fmt;
use std::sync::Arc;

use herbrand_text::{Origin, Place};

use super::{Domain, Name, PvariableId, Range, TypeId, TypeKind, Value};

/// A problem instance: the objects, constants and initial state for a domain, which it contains. [`Instance::load`]
/// makes one from texts.
///
/// Ground variables of a pvariable are numbered from 0 in row order: the ground variable `p(a, b)`, with the positions a and
/// b in their types A and B, is number `a * |B| + b` of `p`.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// The domain.
    pub domain: Arc<Domain>,
    /// The name of the instance.
    pub name: Name,
    /// The name of the block of non-fluents that the instance uses; `None` if it uses none.
    pub non_fluents_name: Option<Name>,
    /// The objects by [`TypeId`]; empty for an enum.
    pub objects: Vec<Vec<Object>>,
    /// The explicit values of non-fluents by [`PvariableId`]; empty for other pvariables. All others have their defaults.
    pub non_fluents: Vec<Settings>,
    /// The explicit initial values of state fluents by [`PvariableId`]; empty for other pvariables. All others have their
    /// defaults.
    pub init_state: Vec<Settings>,
    /// The maximum number of ground action fluents per step that differ from their defaults.
    pub max_nondef_actions: Limit,
    /// The number of steps per episode.
    pub horizon: Horizon,
    /// The discount factor per step.
    pub discount: f64,
    /// The source text to which the places refer.
    pub origin: Origin,
}

/// An object that an instance declares, as an item of an object type. [`Instance::objects`] lists them by type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// The name of the object.
    pub name: Name,
    /// The place where it is listed.
    pub place: Place,
}

/// The explicit values of the ground variables of one pvariable: pairs of the variable's number in row order, ascending, and
/// a value of the pvariable's range.
pub type Settings = Vec<(u64, Value)>;

/// The limit on the number of ground action fluents that may differ from their defaults in a step
/// (`max-nondef-actions`). A joint action that exceeds it is an error, not a violated precondition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// At most this many.
    AtMost(u32),
    /// No limit, written `pos-inf`.
    Unlimited,
}

/// The number of steps after which an episode is truncated. Whether an episode has reached it is up to the environment;
/// a simulator does not count steps. [`Instance::horizon`] has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Horizon {
    /// This many steps, at least 1.
    Steps(u32),
    /// Unbounded: episodes end only by termination. Written `pos-inf`.
    Infinite,
}

impl Instance {
    /// Returns the number of items of the type with this id: its objects or enum values.
    ///
    /// Like all methods that take an id, this method is for ids of the instance's own domain. It panics if no type has
    /// this id. An id of another domain may give the size of the wrong type.
    #[must_use]
    pub fn size(&self, id: TypeId) -> u32 {
        match &self.domain.type_of(id).kind {
            TypeKind::Enum(values) => values.len() as u32,
            TypeKind::Objects => self.objects[id.index()].len() as u32,
        }
    }

    /// Returns the name of the item at position `item` of a type, without `@`. Panics if there is no such position.
    #[must_use]
    pub fn item_name(&self, id: TypeId, item: u32) -> &Name {
        match &self.domain.type_of(id).kind {
            TypeKind::Enum(values) => &values[item as usize],
            TypeKind::Objects => &self.objects[id.index()][item as usize].name,
        }
    }

    /// Finds an item of a type by its name, without `@`, and returns its position; `None` if there is no such item. The
    /// name is case-sensitive.
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

    /// Returns the number of ground variables of a pvariable: the product of the sizes of its parameter types. At most
    /// 2^63 in a checked instance. It is 1 without parameters, and 0 if a parameter type has no items.
    #[must_use]
    pub fn count(&self, id: PvariableId) -> u64 {
        let parameters = &self.domain.pvariable(id).parameters;
        parameters.iter().map(|&of| u64::from(self.size(of))).product()
    }

    /// Returns the number, in row order among those of the pvariable, of the ground variable of a pvariable with these
    /// arguments, given as positions in their types, one per parameter. Missing arguments, and positions that are too
    /// large, are not noticed: they give the number of another ground variable, or of none.
    #[must_use]
    pub fn ground_number(&self, id: PvariableId, arguments: &[u32]) -> u64 {
        let parameters = &self.domain.pvariable(id).parameters;
        let pairs = parameters.iter().zip(arguments);
        pairs.fold(0, |number, (&of, &item)| {
            number * u64::from(self.size(of)) + u64::from(item)
        })
    }

    /// Returns the arguments, as positions in their types, of the ground variable with this number: the inverse of
    /// [`ground_number`](Self::ground_number). `number` must be below [`count`](Self::count). A number that is too
    /// large is not noticed.
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

    /// Returns the name of the ground variable with this number: `fluent` or `fluent___o1__o2`. Panics if a parameter
    /// type has no items. A number that is too large gives the name of another ground variable.
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

    /// Returns the values of all ground variables of a non-fluent, or the initial values of a state fluent, in row
    /// order: the explicit values, else the default. For other kinds of pvariables, all values are the default. The
    /// index of a value is the number of its ground variable ([`ground_number`](Self::ground_number)).
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

    /// Formats a value of the range `range` as in RDDL. Items are formatted by name, without `@`. A value that is not
    /// of the range is formatted by its own kind. Panics for an item that the type of the range does not have.
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
    /// Writes the limit as in RDDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(count) => count.fmt(f),
            Self::Unlimited => f.write_str("pos-inf"),
        }
    }
}

impl fmt::Display for Horizon {
    /// Writes the horizon as in RDDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => steps.fmt(f),
            Self::Infinite => f.write_str("pos-inf"),
        }
    }
}
