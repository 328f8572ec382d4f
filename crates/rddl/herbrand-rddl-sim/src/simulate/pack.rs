//! Conversion of states to and from bytes.

use herbrand_rddl::Range;

use super::compiled::CompiledInstance;
use super::values::{FluentValue, Values};

impl Values {
    /// Serialises the values: the reals, then the ints, eight bytes each in little endian, then the bools, one byte
    /// each. No values give no bytes. [`CompiledInstance::unpack`] reverses it.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let reals = self.reals.iter().flat_map(|value| value.to_le_bytes());
        let ints = self.ints.iter().flat_map(|value| value.to_le_bytes());
        let bools = self.bools.iter().map(|&value| u8::from(value));
        reals.chain(ints).chain(bools).collect()
    }
}

impl CompiledInstance {
    /// Deserialises a state written by [`Values::pack`]; `None` if the bytes are not a state of this problem: if they have
    /// another length, a bool is neither 0 nor 1, or an item does not exist. Bytes of
    /// another problem with as many values of each kind are not noticed.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> Option<Values> {
        let mut values = self.initial().clone();
        let (reals, rest) = bytes.split_at_checked(8 * values.reals.len())?;
        let (ints, bools) = rest.split_at_checked(8 * values.ints.len())?;
        if bools.len() != values.bools.len() {
            return None;
        }
        for (value, bytes) in values.reals.iter_mut().zip(reals.chunks_exact(8)) {
            *value = f64::from_le_bytes(bytes.try_into().ok()?);
        }
        for (value, bytes) in values.ints.iter_mut().zip(ints.chunks_exact(8)) {
            *value = i64::from_le_bytes(bytes.try_into().ok()?);
        }
        for (value, &byte) in values.bools.iter_mut().zip(bools) {
            *value = match byte {
                0 => false,
                1 => true,
                _ => return None,
            };
        }
        self.has_items(&values).then_some(values)
    }

    /// Returns whether all objects and enum values exist.
    fn has_items(&self, values: &Values) -> bool {
        (0..self.state.len()).all(|at| {
            match (self.range(&self.state, at), self.state.section.get(values, at)) {
                (Range::Item(of), FluentValue::Int(place)) => {
                    (0..i64::from(self.instance.size(of))).contains(&place)
                }
                _ => true,
            }
        })
    }
}
