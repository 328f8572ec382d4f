//! Simulators as transition systems.

use herbrand_core::{
    ActionCount, ActionLayout, Choice, Domain, Job, Random, Status, System, Transition, Value,
};
use rand::Rng;

use super::error::StepError;
use super::simulator::{Preconditions, RddlSimulator};
use super::together;
use super::values::Values;

/// One step takes one word from the generator that is handed in; the draws of the step are a function of that word and
/// of their sites. Sampling is documented at `sample`.
impl System for RddlSimulator {
    type State = Values;
    type Error = StepError;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), StepError> {
        self.restart();
        Ok(())
    }

    fn state(&self) -> &Values {
        self.values()
    }

    fn set_state(&mut self, state: &Values) -> Result<(), StepError> {
        self.go_to(state)
    }

    fn actions(&self) -> &ActionLayout {
        self.process().actions()
    }

    fn choice_count(&self) -> usize {
        if self.preconditions() == Preconditions::Reported {
            return self.actions().mask_len();
        }
        let mut count = 0;
        self.each_allowed(&mut |_, _| count += 1);
        count
    }

    fn count_joint_actions(&self) -> ActionCount {
        self.count_valid()
    }

    const SINGLE_CHOICE: bool = false;

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        self.each_allowed(&mut |choice, _| into.push(choice));
    }

    fn write_mask(&self, into: &mut [u8]) {
        if self.is_unrestricted() {
            let (mask, rest) = into.split_at_mut(self.actions().mask_len().min(into.len()));
            mask.fill(1);
            return rest.fill(0);
        }
        into.fill(0);
        self.each_allowed(&mut |_, place| {
            if let Some(cell) = into.get_mut(place) {
                *cell = 1;
            }
        });
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.allows(joint)
    }

    fn is_unrestricted(&self) -> bool {
        self.preconditions() == Preconditions::Reported
    }

    /// Draws how many fields to set, uniformly from 0 to the most allowed, then which, then a value for each that differs
    /// from its default: uniform between bounds, normal with variance 1 without, and an exponential distance with mean 1
    /// from a single bound. Under enforced preconditions fields are set one after the other, and what is not allowed is
    /// left out.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        self.draw_joint(random, into)
    }

    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, StepError> {
        self.advance_by(joint, chance.next_u64())
    }

    fn status(&self) -> Status {
        self.current_status()
    }

    fn non_finite(&self) -> Option<(String, f64)> {
        self.first_non_finite()
    }

    fn take_row(&mut self, row: &[f64]) -> bool {
        self.take(row)
    }

    const TOGETHER: usize = 256;

    /// One pass of the problem's batch tape steps all of them.
    fn step_together(jobs: &mut [Job<'_, Self>]) {
        together::step(jobs);
    }
}

impl RddlSimulator {
    /// Shows every alternative of a discrete field that is allowed by itself, with its place in a mask.
    fn each_allowed(&self, visit: &mut dyn FnMut(Choice, usize)) {
        let layout = self.process().actions();
        let enforced = self.preconditions() == Preconditions::Enforced;
        let idle = !enforced || self.allows(&[]);
        let mut place = 0;
        for (field, index) in layout.fields().iter().zip(0..) {
            let Domain::Discrete { count } = field.domain else {
                continue;
            };
            for alternative in 0..count {
                let choice = Choice {
                    field: index,
                    value: Value::Discrete(alternative),
                };
                let allowed = match field.default == Some(choice.value) {
                    _ if !enforced => true,
                    // Setting a field to its default is doing nothing.
                    true => idle,
                    false => self.allows(&[choice]),
                };
                if allowed {
                    visit(choice, place);
                }
                place += 1;
            }
        }
    }
}
