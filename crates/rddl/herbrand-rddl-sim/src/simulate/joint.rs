//! Writes joint actions, given as choices, to registers.

use herbrand_core::{Choice, Domain, Value};
use herbrand_dataflow::{BatchRegisters, Registers, ValueType};

use super::error::StepError;
use super::process::Process;
use super::simulator::QueryRegisters;

/// The joint action is malformed. The action layout finds the exact error, which allocates.
pub(super) struct Malformed;

impl Malformed {
    pub(super) fn into_error(self, process: &Process, joint: &[Choice]) -> StepError {
        match process.layout.check(joint) {
            Err(error) => StepError::Joint(error),
            Ok(()) => StepError::ForeignState,
        }
    }
}

/// Writes a joint action to registers that hold the defaults, in time linear in the number of choices.
pub(super) fn apply(
    process: &Process,
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
        if !process
            .families
            .get(family)
            .ok_or(Malformed)?
            .contains(choice.field)
        {
            let found = process.families.iter().position(|one| one.contains(choice.field));
            family = found.ok_or(Malformed)?;
        }
        let fields = &process.families[family];
        let is_new = ascending || asides.mark(choice.field);
        if !is_of(fields.domain, choice.value) || !is_new {
            return Err(Malformed);
        }
        set += usize::from(fields.default != choice.value);
        let register = fields.register + (choice.field - fields.first);
        registers.write(fields.kind, register, choice.value);
    }
    if set > process.layout.most() {
        Err(Malformed)
    } else {
        Ok(())
    }
}

/// Returns whether a value is of the domain's kind. Bounds of numbers are not checked here; the preconditions check them.
const fn is_of(domain: Domain, value: Value) -> bool {
    match (domain, value) {
        (Domain::Discrete { count }, Value::Discrete(alternative)) => alternative < count,
        (Domain::Int { .. }, Value::Int(_)) | (Domain::Real { .. }, Value::Real(_)) => true,
        _ => false,
    }
}

/// Registers that accept actions.
pub(super) trait Inputs {
    /// Sets the register of a kind to a value of an action field.
    fn write(&mut self, kind: ValueType, register: u32, value: Value);
}

impl Inputs for Registers {
    #[inline]
    fn write(&mut self, kind: ValueType, register: u32, value: Value) {
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
    fn write(&mut self, _kind: ValueType, _register: u32, _value: Value) {}
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
    fn write(&mut self, kind: ValueType, register: u32, value: Value) {
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
    value: Value,
) {
    match (kind, value) {
        (ValueType::Bool, Value::Discrete(value)) => bools[place] = value != 0,
        (ValueType::Int, Value::Discrete(value)) => ints[place] = i64::from(value),
        (ValueType::Int, Value::Int(value)) => ints[place] = value,
        (ValueType::Real, Value::Real(value)) => reals[place] = value,
        _ => {}
    }
}
