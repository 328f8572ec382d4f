//! The nodes of pvariables, individually or as arrays.

use std::sync::Arc;

use herbrand_dataflow::{NodeId, Table, ValueType};
use herbrand_rddl::{PvariableId, PvariableKind, Range, Time, Value};

use super::lower::{Lowering, register};

/// The nodes of the ground variables of a pvariable.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// One node per ground variable, by number.
    Each(Vec<NodeId>),
    /// An array, in the graph of the step.
    Whole(NodeId),
}

impl Default for Values {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl Values {
    /// Returns the individual nodes; empty if they are an array.
    pub(super) fn each(&self) -> &[NodeId] {
        match self {
            Self::Each(all) => all,
            Self::Whole(_) => &[],
        }
    }
}

/// The maximum number of inputs or constants of one pvariable that are created eagerly. With more, each node is created on
/// use.
const EAGER: u64 = 1 << 13;

impl Lowering<'_> {
    /// Returns the nodes of a non-fluent.
    pub(super) fn constants(&mut self, id: PvariableId) -> Values {
        if self.instance.count(id) > EAGER {
            return Values::Whole(self.table(id));
        }
        let values = self.instance.values(id);
        Values::Each(values.into_iter().map(|value| self.constant(value)).collect())
    }

    /// Returns the nodes of a fluent that is an input, in consecutive registers from `first` on.
    pub(super) fn inputs(&mut self, id: PvariableId, first: u32) -> Values {
        let kind = register(self.instance.domain.pvariable(id).range);
        match self.instance.count(id) {
            0 => Values::default(),
            count @ 1..=EAGER => {
                let all = (first..first + count as u32).map(|register| self.graph.input(kind, register));
                Values::Each(all.collect())
            }
            _ => Values::Whole(self.graph.input(kind, first)),
        }
    }

    fn values(&self, id: PvariableId, time: Time) -> &Values {
        match time {
            Time::Now => &self.now[id.index()],
            Time::Next => &self.next[id.index()],
        }
    }

    /// Returns the node of one ground variable, outside of templates.
    pub(super) fn element(&mut self, id: PvariableId, time: Time, number: usize) -> NodeId {
        match self.values(id, time) {
            Values::Each(all) => all[number],
            &Values::Whole(array) => self.graph.element(array, number as u32),
        }
    }

    /// Returns the nodes of a pvariable as an array in the graph of the step. The pvariable must have ground variables.
    pub(super) fn array(&mut self, id: PvariableId, time: Time) -> NodeId {
        if let Some(&known) = self.arrays.get(&(id, time)) {
            return known;
        }
        let array = match self.values(id, time) {
            &Values::Whole(array) => array,
            Values::Each(_) if self.instance.domain.pvariable(id).kind == PvariableKind::NonFluent => {
                self.table(id)
            }
            Values::Each(all) => {
                let all = all.clone();
                self.list(all.len() as u64);
                let graph = self.step();
                graph.consecutive_inputs(&all).unwrap_or_else(|| graph.pack(all))
            }
        };
        self.arrays.insert((id, time), array);
        array
    }

    /// Returns the value of one ground variable of a non-fluent.
    pub(super) fn constant_at(&self, id: PvariableId, number: u32) -> Value {
        let settings = &self.instance.non_fluents[id.index()];
        match settings.binary_search_by_key(&u64::from(number), |&(number, _)| number) {
            Ok(found) => settings[found].1,
            Err(_) => self.instance.domain.pvariable(id).default_value(),
        }
    }

    /// Returns the values of a non-fluent as a table.
    fn table(&mut self, id: PvariableId) -> NodeId {
        let range = self.instance.domain.pvariable(id).range;
        let values = self.instance.values(id);
        self.list(values.len() as u64);
        let ints = |value: &Value| match *value {
            Value::Int(value) => value,
            Value::Item(item) => i64::from(item),
            _ => 0,
        };
        let table = match register(range) {
            ValueType::Bool => Table::Bools(values.iter().map(|value| *value == Value::Bool(true)).collect()),
            ValueType::Int => Table::Ints(values.iter().map(ints).collect()),
            ValueType::Real => {
                let real = |value: &Value| match value.widened(Range::Real) {
                    Value::Real(value) => value,
                    _ => 0.0,
                };
                Table::Reals(values.iter().map(real).collect::<Arc<[f64]>>())
            }
        };
        self.step().table(table)
    }
}
