//! Joint actions as rows of numbers.

use herbrand_core::{FieldDomain, FieldValue};
use herbrand_dataflow::ValueType;

use super::compiled::{CompiledInstance, FieldFamily};
use super::simulator::RddlSimulator;
use super::values::Values;

impl RddlSimulator {
    /// Stores a joint action given as a row with one number per field. Returns `true` if a step can carry it out. Excess
    /// numbers are ignored.
    pub(super) fn take(&mut self, row: &[f64]) -> bool {
        // Preconditions that decide steps are checked for each joint action, so rows are not accepted then.
        !self.preconditions().decide_steps() && {
            let (compiled, taken) = self.taken_mut();
            compiled.read_row(row, taken)
        }
    }
}

impl CompiledInstance {
    /// Parses a row as values of action fluents. Returns `false` if a number is outside its field's domain or too many
    /// fields are set.
    fn read_row(&self, row: &[f64], into: &mut Values) -> bool {
        if row.len() < self.action.len() {
            return false;
        }
        let mut set = 0;
        for family in &self.families {
            match self.read_family(family, row, into) {
                Some(of_family) => set += of_family,
                None => return false,
            }
        }
        set <= self.layout.most()
    }

    /// Parses the numbers of a family's fields. Returns how many differ from the default; `None` if a number is outside its
    /// domain.
    fn read_family(&self, family: &FieldFamily, row: &[f64], into: &mut Values) -> Option<usize> {
        let fields = family.fields();
        let numbers = &row[fields.clone()];
        let place = (family.register - self.action.section.first(family.kind)) as usize;
        let (mut set, mut fits) = (0, true);
        match (family.kind, family.domain, family.default) {
            (ValueType::Bool, _, default) => {
                let default = default == FieldValue::Discrete(1);
                for (cell, &number) in into.bools[place..].iter_mut().zip(numbers) {
                    *cell = number == 1.0;
                    fits &= number == 1.0 || number == 0.0;
                    set += usize::from(*cell != default);
                }
            }
            (ValueType::Int, FieldDomain::Discrete { count }, FieldValue::Discrete(default)) => {
                for (cell, &number) in into.ints[place..].iter_mut().zip(numbers) {
                    let alternative = number as u32;
                    *cell = i64::from(alternative);
                    fits &= f64::from(alternative) == number && alternative < count;
                    set += usize::from(alternative != default);
                }
            }
            (ValueType::Int, _, FieldValue::Int(default)) => {
                let cells = into.ints[place..].iter_mut().zip(numbers);
                for ((cell, &number), field) in cells.zip(&self.layout.fields()[fields]) {
                    let Some(FieldValue::Int(value)) = field.domain.value_of(number) else {
                        return None;
                    };
                    *cell = value;
                    set += usize::from(value != default);
                }
            }
            (ValueType::Real, _, FieldValue::Real(default)) => {
                let cells = into.reals[place..].iter_mut().zip(numbers);
                for ((cell, &number), &(low, high)) in cells.zip(&self.bounds[fields]) {
                    fits &= (number >= low) & (number <= high);
                    // A number equal to the default counts as not set: 0 and −0 are the same.
                    let differs = number != default;
                    *cell = if differs { number } else { default };
                    set += usize::from(differs);
                }
            }
            _ => return None,
        }
        fits.then_some(set)
    }
}
