//! Writes joint actions, given as choices, to registers.

use herbrand_core::{Choice, FieldDomain, FieldValue};
use herbrand_dataflow::{BatchRegisters, Registers, ValueType};

use super::compiled::CompiledInstance;
use super::error::StepError;
use super::simulator::QueryRegisters;

/// The joint action is malformed. The action layout finds the exact error, which allocates.
pub(super) struct Malformed;

impl Malformed {
    pub(super) fn into_error(self, compiled: &CompiledInstance, joint: &[Choice]) -> StepError {
        match compiled.layout.check(joint) {
            Err(error) => StepError::Joint(error),
            Ok(()) => StepError::ForeignState,
        }
    }
}

/// Writes a joint action to registers that hold the defaults, in time linear in the number of choices.
pub(super) fn apply(
    compiled: &CompiledInstance,
    joint: &[Choice],
    registers: &mut impl Inputs,
    asides: &mut QueryRegisters,
) -> Result<(), Malformed> {
    asides.begin_joint();
    let (mut set, mut family) = (0, 0);
    // Ascending fields contain no duplicate. From the first descent on, fields are marked to find duplicates.
    let mut ascending = true;
    for (place, choice) in joint.iter().enumerate() {
        if ascending && place > 0 && joint[place - 1].field >= choice.field {
            ascending = false;
            joint[..place].iter().for_each(|before| {
                asides.mark(before.field);
            });
        }
        // Choices mostly follow the order of the fields.
        if !compiled
            .families
            .get(family)
            .ok_or(Malformed)?
            .contains(choice.field)
        {
            let found = compiled
                .families
                .iter()
                .position(|one| one.contains(choice.field));
            family = found.ok_or(Malformed)?;
        }
        let fields = &compiled.families[family];
        let is_new = ascending || asides.mark(choice.field);
        if !is_of(fields.domain, choice.value) || !is_new {
            return Err(Malformed);
        }
        let value = match choice.value {
            FieldValue::Real(number) => FieldValue::Real(compiled.rounded(choice.field, number)),
            value => value,
        };
        set += usize::from(fields.default != value);
        let register = fields.register + (choice.field - fields.first);
        registers.write(fields.kind, register, value);
    }
    if set > compiled.layout.most() {
        Err(Malformed)
    } else {
        Ok(())
    }
}

impl CompiledInstance {
    /// Returns the bound of a real field if `number` is outside the bounds by rounding only ([`FieldDomain::value_of`]), and
    /// `number` otherwise.
    fn rounded(&self, field: u32, number: f64) -> f64 {
        let (low, high) = self.bounds[field as usize];
        if (low..=high).contains(&number) {
            return number;
        }
        match self.layout.fields()[field as usize].domain.value_of(number) {
            Some(FieldValue::Real(bound)) => bound,
            _ => number,
        }
    }
}

/// Returns whether a value is of the domain's kind. Bounds of numbers are not checked here; the preconditions check them.
const fn is_of(domain: FieldDomain, value: FieldValue) -> bool {
    match (domain, value) {
        (FieldDomain::Discrete { count }, FieldValue::Discrete(alternative)) => alternative < count,
        (FieldDomain::Int { .. }, FieldValue::Int(_)) | (FieldDomain::Real { .. }, FieldValue::Real(_)) => {
            true
        }
        _ => false,
    }
}

/// Registers that accept actions.
pub(super) trait Inputs {
    /// Sets the register of a kind to a value of an action field.
    fn write(&mut self, kind: ValueType, register: u32, value: FieldValue);
}

impl Inputs for Registers {
    #[inline]
    fn write(&mut self, kind: ValueType, register: u32, value: FieldValue) {
        write(
            &mut self.bools,
            &mut self.ints,
            &mut self.reals,
            kind,
            register as usize,
            value,
        );
    }
}

/// Discards all writes.
pub(super) struct Nowhere;

impl Inputs for Nowhere {
    #[inline]
    fn write(&mut self, _kind: ValueType, _register: u32, _value: FieldValue) {}
}

/// The inputs of a batch, written one lane at a time.
pub(super) struct LaneInputs<'b> {
    bools: &'b mut [bool],
    ints: &'b mut [i64],
    reals: &'b mut [f64],
    width: usize,
    pub(super) lane: usize,
}

impl<'b> LaneInputs<'b> {
    pub(super) fn of(batch: &'b mut BatchRegisters) -> Self {
        let width = batch.width();
        let (bools, ints, reals) = batch.rows_mut();
        Self {
            bools,
            ints,
            reals,
            width,
            lane: 0,
        }
    }
}

impl Inputs for LaneInputs<'_> {
    #[inline]
    fn write(&mut self, kind: ValueType, register: u32, value: FieldValue) {
        let place = register as usize * self.width + self.lane;
        write(self.bools, self.ints, self.reals, kind, place, value);
    }
}

#[inline]
fn write(
    bools: &mut [bool],
    ints: &mut [i64],
    reals: &mut [f64],
    kind: ValueType,
    place: usize,
    value: FieldValue,
) {
    match (kind, value) {
        (ValueType::Bool, FieldValue::Discrete(value)) => bools[place] = value != 0,
        (ValueType::Int, FieldValue::Discrete(value)) => ints[place] = i64::from(value),
        (ValueType::Int, FieldValue::Int(value)) => ints[place] = value,
        (ValueType::Real, FieldValue::Real(value)) => reals[place] = value,
        _ => {}
    }
}
