//! The simulator as a transition system.

use herbrand_core::{
    ActionCount, ActionLayout, BatchSystem, Choice, FieldDomain, FieldValue, Job, Random, Status, System,
    Transition,
};
use herbrand_limits::check_enclosing;
use rand::Rng;

use super::error::StepError;
use super::preconditions::Preconditions;
use super::simulator::RddlSimulator;
use super::together;
use super::values::Values;

/// Each step takes one word from the given generator. The step's random numbers depend only on that word and the draw sites.
/// See `sample` for the sampling of joint actions.
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
        self.compiled().actions()
    }

    fn choice_count(&self) -> usize {
        if self.preconditions() != Preconditions::Refused {
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

    /// Writes 1 for each alternative that some valid joint action contains; if preconditions are ignored, that some joint
    /// action within bounds contains.
    fn write_mask(&self, into: &mut [u8]) {
        let (mask, rest) = into.split_at_mut(self.actions().mask_len().min(into.len()));
        rest.fill(0);
        if self.offers_all() {
            return mask.fill(1);
        }
        if mask.is_empty() {
            return;
        }
        mask.fill(0);
        self.each_possible(&mut |place| {
            if let Some(cell) = mask.get_mut(place) {
                *cell = 1;
            }
        });
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.allows(joint)
    }

    /// Samples uniformly from the valid joint actions; if preconditions are ignored, from those within bounds. A number is
    /// uniform between two bounds, normal with variance 1 without bounds, and at an exponential distance from a single
    /// bound. If `max-nondef-actions` is a limit, its values other than the default count as one. See [`CompiledInstance::samples_exactly`](super::compiled::CompiledInstance::samples_exactly).
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

    fn rule_count(&self) -> usize {
        self.compiled().registers.preconditions.len()
    }

    fn each_violated(&self, visit: &mut dyn FnMut(usize)) {
        self.violated().for_each(visit);
    }
}

impl BatchSystem for RddlSimulator {
    fn is_unrestricted(&self) -> bool {
        self.preconditions() != Preconditions::Refused
    }

    /// Violated preconditions may only be reported, but masks and samples keep to them.
    fn offers(&self, joint: &[Choice]) -> bool {
        self.permits(joint)
    }

    fn offers_all(&self) -> bool {
        let ignored = self.preconditions() == Preconditions::Ignored;
        (ignored || self.compiled().preconditions_are_bounds) && self.actions().most() > 0
    }

    fn accept_row(&mut self, row: &[f64]) -> bool {
        self.take(row)
    }

    const PREFERRED_BATCH: usize = 256;

    /// Steps all jobs of one problem in one pass of its batch tape.
    fn step_batch(jobs: &mut [Job<'_, Self>]) {
        together::step(jobs);
    }
}

impl RddlSimulator {
    /// Calls `visit` with the position in a mask of every alternative that some valid joint action contains, possibly
    /// several times. If the valid actions cannot be compiled, or the state is one that no episode reaches, the
    /// alternatives are the choices that are valid without any other choice.
    fn each_possible(&self, visit: &mut dyn FnMut(usize)) {
        let (compiled, layout) = (self.compiled(), self.actions());
        let Some(valid) = self.valid() else {
            return self.each_allowed(&mut |_, place| visit(place));
        };
        let mut asides = self.asides();
        match asides.valid.ask(&valid, compiled, self.values()) {
            Some(true) => asides.valid.each_possible(&valid, layout, &mut |field, value| {
                if let (FieldDomain::Discrete { .. }, Some(first)) =
                    (layout.fields()[field as usize].domain, layout.mask_offset(field))
                {
                    visit(first + value as usize);
                }
            }),
            Some(false) => {}
            None => {
                drop(asides);
                self.each_allowed(&mut |_, place| visit(place));
            }
        }
    }

    /// Returns, for each action field, the smallest and the largest value that some valid joint action gives it in the
    /// current state. For reals, and for ints whose preconditions the set of valid actions does not cover
    /// ([`samples_exactly`](Self::samples_exactly)), these are the bounds in the action layout; so they are for all fields
    /// if no joint action is valid.
    #[must_use]
    pub fn value_bounds(&self) -> Vec<(f64, f64)> {
        let fields = self.actions().fields();
        let mut bounds: Vec<_> = fields.iter().map(|field| field.domain.bounds()).collect();
        let Some(valid) = self.valid() else {
            return bounds;
        };
        let mut asides = self.asides();
        if asides.valid.ask(&valid, self.compiled(), self.values()) == Some(true) {
            let mut found = vec![(f64::INFINITY, f64::NEG_INFINITY); fields.len()];
            asides
                .valid
                .each_possible(&valid, self.actions(), &mut |field, value| {
                    let value = value as f64;
                    let of_field = &mut found[field as usize];
                    *of_field = (of_field.0.min(value), of_field.1.max(value));
                });
            for (bound, found) in bounds.iter_mut().zip(found) {
                if found.0 <= found.1 {
                    *bound = found;
                }
            }
        }
        bounds
    }

    /// Calls `visit` with every alternative of a discrete field that is allowed as the only choice, and its position in a
    /// mask. Stops early once an enclosing budget is exhausted.
    fn each_allowed(&self, visit: &mut dyn FnMut(Choice, usize)) {
        let layout = self.compiled().actions();
        let refused = self.preconditions() == Preconditions::Refused;
        let idle = !refused || self.allows(&[]);
        let mut place = 0;
        for (field, index) in layout.fields().iter().zip(0..) {
            let FieldDomain::Discrete { count } = field.domain else {
                continue;
            };
            if check_enclosing("listing the valid actions").is_err() {
                return;
            }
            for alternative in 0..count {
                let choice = Choice {
                    field: index,
                    value: FieldValue::Discrete(alternative),
                };
                let allowed = match field.default == Some(choice.value) {
                    _ if !refused => true,
                    // Setting a field to its default changes nothing.
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
