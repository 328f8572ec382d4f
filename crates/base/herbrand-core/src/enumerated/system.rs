//! A system whose joint actions are numbered.

use std::sync::Arc;

use smallvec::SmallVec;

use super::JointTable;
use crate::action::{ActionLayout, Choice, FieldValue};
use crate::batch_system::{BatchSystem, Job};
use crate::describe::{ActionTextError, ActionValidity, Described, Fact};
use crate::random::{Random, uniform_below};
use crate::system::{Status, System, Transition};
use crate::vector::MAX_BLOCK;

/// A system with one discrete field, whose value is the number of a joint action of the inner system in a
/// [`JointTable`]. Systems of [`Enumerated`](crate::Enumerated) problems are of this type. A valid joint action is one
/// [`Choice::discrete`] with a number below the length of the table, if the inner system accepts that joint action; a
/// step by anything else fails.
#[derive(Clone, Debug)]
pub struct EnumeratedSystem<S> {
    system: S,
    table: Arc<JointTable>,
}

/// A choice for a field that no layout has, so every system rejects it.
const NO_CHOICE: Choice = Choice {
    field: u32::MAX,
    value: FieldValue::Discrete(0),
};

/// Returns the number of the joint action that the choices select; `None` unless they are a single valid alternative.
fn number_of(table: &JointTable, choices: &[Choice]) -> Option<usize> {
    let [choice] = choices else {
        return None;
    };
    let number = choice.alternative()? as usize;
    (number < table.len()).then_some(number)
}

/// Returns the joint action that the choices select, or [`NO_CHOICE`] if they select none.
fn joint_of<'t>(table: &'t JointTable, choices: &[Choice]) -> &'t [Choice] {
    number_of(table, choices).map_or(&[NO_CHOICE], |number| table.joint(number))
}

impl<S: BatchSystem> EnumeratedSystem<S> {
    /// Creates a system from an inner system and the table of its layout, made by [`JointTable::of`]. With the table of
    /// another layout, actions have other meanings.
    pub const fn new(system: S, table: Arc<JointTable>) -> Self {
        Self { system, table }
    }

    /// Returns the inner system, at the same state. Its joint actions are lists of choices, not numbers;
    /// [`table`](Self::table) converts between them.
    pub const fn inner(&self) -> &S {
        &self.system
    }

    /// Returns the table that numbers the joint actions of the inner system.
    pub const fn table(&self) -> &Arc<JointTable> {
        &self.table
    }

    /// Iterates over the numbers of the joint actions that the inner system offers in the current state.
    fn offered(&self) -> impl Iterator<Item = usize> {
        let all = self.system.offers_all();
        let is_offered = move |number: &usize| all || self.system.offers(self.table.joint(*number));
        (0..self.table.len()).filter(is_offered)
    }
}

impl<S: BatchSystem> System for EnumeratedSystem<S> {
    type State = S::State;
    type Error = S::Error;

    fn reset(&mut self, chance: &mut Random) -> Result<(), S::Error> {
        self.system.reset(chance)
    }

    fn state(&self) -> &S::State {
        self.system.state()
    }

    fn set_state(&mut self, state: &S::State) -> Result<(), S::Error> {
        self.system.set_state(state)
    }

    fn actions(&self) -> &ActionLayout {
        self.table.layout()
    }

    fn choice_count(&self) -> usize {
        if self.offers_all() {
            return self.table.len();
        }
        self.offered().count()
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        into.extend(self.offered().map(|number| Choice::discrete(number as u32)));
    }

    fn write_mask(&self, into: &mut [u8]) {
        if self.offers_all() {
            let (mask, rest) = into.split_at_mut(self.table.len().min(into.len()));
            mask.fill(1);
            return rest.fill(0);
        }
        into.fill(0);
        let wanted = into.len();
        self.offered()
            .take_while(|&number| number < wanted)
            .for_each(|number| into[number] = 1);
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        // Every joint action of the table fits the layout, so an unrestricted system accepts it.
        match number_of(&self.table, joint) {
            Some(number) => self.is_unrestricted() || self.system.is_valid(self.table.joint(number)),
            None => false,
        }
    }

    /// Draws uniformly from the joint actions that the inner system offers. If it offers none but accepts all, the joint
    /// action without choices is the result.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        if self.offers_all() {
            into.clear();
            let count = self.table.len() as u32;
            into.extend((count > 0).then(|| Choice::discrete(uniform_below(random, count))));
            return count > 0;
        }
        // Each joint action is tested once: `into` collects the valid ones and then keeps only the drawn one.
        self.choices(into);
        let count = into.len();
        if count > 0 {
            into.swap(0, uniform_below(random, count as u32) as usize);
            into.truncate(1);
        } else if self.is_unrestricted() {
            into.extend(
                self.table
                    .number(&[])
                    .map(|number| Choice::discrete(number as u32)),
            );
        }
        !into.is_empty()
    }

    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, S::Error> {
        self.system.step(joint_of(&self.table, joint), chance)
    }

    fn status(&self) -> Status {
        self.system.status()
    }

    fn rule_count(&self) -> usize {
        self.system.rule_count()
    }

    fn each_violated(&self, visit: &mut dyn FnMut(usize)) {
        self.system.each_violated(visit);
    }
}

impl<S: BatchSystem> BatchSystem for EnumeratedSystem<S> {
    fn is_unrestricted(&self) -> bool {
        self.system.is_unrestricted()
    }

    fn offers(&self, joint: &[Choice]) -> bool {
        number_of(&self.table, joint).is_some_and(|number| self.system.offers(self.table.joint(number)))
    }

    fn offers_all(&self) -> bool {
        self.system.offers_all()
    }

    const PREFERRED_BATCH: usize = S::PREFERRED_BATCH;

    fn step_batch(jobs: &mut [Job<'_, Self>]) {
        let mut inner: SmallVec<[Job<'_, S>; MAX_BLOCK]> = SmallVec::new();
        let mut results: SmallVec<[&mut Option<_>; MAX_BLOCK]> = SmallVec::new();
        for job in jobs {
            let Self { system, table } = &mut *job.system;
            inner.push(Job::new(system, joint_of(table, job.joint), &mut *job.chance));
            results.push(&mut job.result);
        }
        S::step_batch(&mut inner);
        for (result, job) in results.iter_mut().zip(&mut inner) {
            **result = job.result.take();
        }
    }
}

impl<S: BatchSystem + Described> Described for EnumeratedSystem<S> {
    /// Returns the texts of the joint action's choices, separated by commas, or `()` if it sets no field.
    fn choice_text(&self, choice: Choice) -> String {
        self.system.joint_text(joint_of(&self.table, &[choice]))
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let mut joint = self.system.parse_joint(text)?;
        joint.retain(|choice| {
            let field = self.system.actions().fields().get(choice.field as usize);
            field.is_none_or(|field| field.default != Some(choice.value))
        });
        joint.sort_by_key(|choice| choice.field);
        let number = self.table.number(&joint);
        let choice = number.map(|number| Choice::discrete(number as u32));
        choice.ok_or_else(|| ActionTextError::new(format!("`{text}` is no joint action of this problem")))
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        self.system.facts(visit);
    }

    fn choice_objects(&self, choice: Choice) -> Vec<String> {
        let joint = joint_of(&self.table, &[choice]).iter();
        joint.flat_map(|&one| self.system.choice_objects(one)).collect()
    }

    fn explain_action(&self, joint: &[Choice]) -> ActionValidity {
        self.system.explain_action(joint_of(&self.table, joint))
    }

    fn step_described(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<(Transition, String), S::Error> {
        self.system.step_described(joint_of(&self.table, joint), chance)
    }
}
