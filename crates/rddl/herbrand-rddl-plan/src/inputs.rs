//! The fluents that the inputs of a step's graph stand for.

use herbrand_dataflow::ValueType;
use herbrand_rddl_sim::simulate::GroundFluents;

/// A value for each input of the graph of a step, by the kind and the register of the input.
#[derive(Clone, Debug)]
pub(crate) struct ByInput<T>([Vec<T>; 3]);

impl<T: Clone> ByInput<T> {
    pub(crate) const fn new() -> Self {
        Self([Vec::new(), Vec::new(), Vec::new()])
    }

    /// Sets the values of fluents, in their order. Registers between them, which no fluent has, get copies of these values.
    pub(crate) fn enter(&mut self, fluents: &GroundFluents, values: impl IntoIterator<Item = T>) {
        let section = fluents.section();
        for (at, value) in (0..fluents.len()).zip(values) {
            let of_kind = &mut self.0[section.kind(at) as usize];
            let register = section.register(at) as usize;
            if of_kind.len() <= register {
                of_kind.resize(register + 1, value.clone());
            }
            of_kind[register] = value;
        }
    }

    pub(crate) fn get(&self, kind: ValueType, register: u32) -> &T {
        &self.0[kind as usize][register as usize]
    }

    pub(crate) fn set(&mut self, kind: ValueType, register: u32, value: T) {
        self.0[kind as usize][register as usize] = value;
    }
}
