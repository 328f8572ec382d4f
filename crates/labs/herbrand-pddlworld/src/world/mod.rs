//! A domain under edit as a transition system.

mod names;
mod start;

use std::sync::Arc;

use herbrand_core::{
    ActionLayout, BatchSystem, Choice, EpisodeFault, FieldValue, Random, Status, System, Transition,
    uniform_below,
};

use crate::action::{Numbering, Question, WorldAction, change_of, tuple_of};
use crate::error::WorldError;
use crate::evidence::Predictions;
use crate::options::{ActionForm, WorldOptions};
use crate::sign::Sign;
use crate::sketch::{SignEdit, Sketch};
use crate::target::{OperatorScore, Target};

/// An environment in which an agent edits a domain. The state is a sketch, the actions change signs, and the rewards
/// measure the similarity to a hidden target. [`Worlds`](crate::Worlds), a set of problems for environments, creates
/// it: [`Env::system`](herbrand_core::Env::system) returns it. Its first sketch is empty; a reset applies
/// [`WorldOptions::start`].
#[derive(Clone, Debug)]
pub struct World {
    target: Arc<Target>,
    options: Arc<WorldOptions>,
    layout: Arc<ActionLayout>,
    pub(crate) numbering: Numbering,
    /// The greatest numbers of literals and questions among all targets of the set.
    pub(crate) widest: (usize, usize),
    state: WorldState,
    scores: Scores,
}

/// The state of a world, for saving and restoring: [`System::state`] returns it and [`System::set_state`] takes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WorldState {
    /// The current sketch.
    pub sketch: Sketch,
    /// The question and whether its answer is yes, if the last action was a question; `None` otherwise.
    pub answer: Option<(Question, bool)>,
    /// Whether the agent has submitted the model.
    pub submitted: bool,
}

/// The scores of the sketch. Scores that the options do not need are not computed.
#[derive(Clone, PartialEq, Debug)]
struct Scores {
    operators: Vec<OperatorScore>,
    solved: usize,
}

impl World {
    /// Creates a world with the empty sketch.
    pub(crate) fn new(
        target: Arc<Target>,
        options: Arc<WorldOptions>,
        layout: Arc<ActionLayout>,
        widest: (usize, usize),
    ) -> Self {
        let sketch = Sketch::empty(target.vocabulary());
        let operators = vec![OperatorScore::default(); sketch.operators()];
        let mut world = Self {
            numbering: Numbering::of(&target, &options),
            target,
            options,
            layout,
            widest,
            state: WorldState {
                sketch,
                answer: None,
                submitted: false,
            },
            scores: Scores { operators, solved: 0 },
        };
        world.judge_all();
        world
    }

    /// Returns the hidden target that the sketch is compared with.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    #[cfg(feature = "png")]
    pub(crate) const fn shared_target(&self) -> &Arc<Target> {
        &self.target
    }

    /// Returns the current sketch, the result of the agent's edits.
    #[must_use]
    pub const fn sketch(&self) -> &Sketch {
        &self.state.sketch
    }

    /// Returns the options of the world.
    #[must_use]
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// Returns the weighted sum of the current sketch's scores, by [`Rewards`](crate::Rewards); 0 if all weights are 0.
    /// A step's reward is its increase minus the cost.
    #[must_use]
    pub fn score(&self) -> f64 {
        let rewards = &self.options.rewards;
        let operators = self.scores.operators.as_slice();
        let signs = f64::from(self.numbering.signs()).max(1.0);
        let mut sum = 0.0;
        let mut add = |weight: f64, score: &dyn Fn() -> f64| {
            if weight != 0.0 {
                sum += weight * score();
            }
        };
        add(rewards.distance, &|| 1.0 - f64::from(self.distance()) / signs);
        add(rewards.agreement, &|| OperatorScore::agreement(operators));
        add(rewards.equivalent, &|| f64::from(u8::from(self.is_equivalent())));
        add(rewards.solved, &|| {
            self.scores.solved as f64 / self.target.problems() as f64
        });
        add(rewards.likelihood, &|| {
            let seen = operators
                .iter()
                .fold(Predictions::default(), |sum, one| sum.and(one.predictions));
            seen.likelihood(rewards.noise)
        });
        sum
    }

    /// Returns the number of signs in which the current sketch differs from the target. 0 means that the sketch is the
    /// target; a sketch may also be equivalent at a greater distance.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.scores.operators.iter().map(|score| score.distance).sum()
    }

    /// Returns whether the current sketch agrees with the target in every state, like [`Target::is_equivalent`].
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        self.scores.operators.iter().all(|score| score.is_equivalent)
    }

    fn judge_all(&mut self) {
        for operator in 0..self.scores.operators.len() {
            self.judge(operator);
        }
        self.plan();
    }

    fn judge(&mut self, operator: usize) {
        let mut score = self.target.judge(&self.state.sketch, operator);
        if self.options.needs_predictions() {
            score.predictions = self.target.predictions_of(&self.state.sketch, operator);
        }
        self.scores.operators[operator] = score;
    }

    fn plan(&mut self) {
        if self.options.needs_plans() {
            self.scores.solved = self.target.solved(&self.state.sketch, self.options.most_states);
        }
    }

    /// Decodes a joint action.
    ///
    /// # Errors
    /// Fails if the layout does not permit it, it does not name a literal, or it is a numbered edit that changes
    /// nothing.
    fn action(&self, joint: &[Choice]) -> Result<WorldAction, WorldError> {
        self.layout.check(joint).map_err(EpisodeFault::from)?;
        let vocabulary = self.target.vocabulary();
        if self.options.actions == ActionForm::Tuple {
            let numbers = tuple_of(joint).unwrap_or_default();
            let change = change_of(vocabulary, numbers).map(WorldAction::Edit);
            return change.ok_or_else(|| WorldError::NotAnEdit(self.target.no_tuple(numbers)));
        }
        let number = joint
            .first()
            .and_then(|choice| choice.alternative())
            .unwrap_or_default();
        let action = self.numbering.action(vocabulary, number);
        let unknown = || WorldError::NotAnEdit(format!("there is no action number {number}"));
        let action = action.ok_or_else(unknown)?;
        match action {
            WorldAction::Edit(change) if self.sign(change) == change.sign => {
                let text = self.target.action_text(action);
                Err(WorldError::NotAnEdit(format!(
                    "`{text}` changes nothing: it is so already"
                )))
            }
            action => Ok(action),
        }
    }

    /// Returns the current value of the sign that a change sets.
    fn sign(&self, change: SignEdit) -> Sign {
        self.state
            .sketch
            .get(change.part, change.operator, change.literal)
    }

    /// Returns the action with this number; `None` if the number is too large or actions are not numbered
    /// ([`ActionForm::Tuple`]). Edits come first, then questions, then the submission, as far as the options permit
    /// them. Edits are ordered by preconditions before effects, then operator, literal and sign. Pass the action to
    /// [`joint`](Self::joint).
    #[must_use]
    pub fn numbered(&self, number: u32) -> Option<WorldAction> {
        let is_numbered = self.options.actions == ActionForm::Numbered;
        self.numbering
            .action(self.target.vocabulary(), number)
            .filter(|_| is_numbered)
    }

    /// Returns an action as the choices that a step takes; `None` if the world does not have the action. Pass them to
    /// [`Env::step`](herbrand_core::Env::step). It need not be valid now: a numbered edit to the present sign is an
    /// error of the step. With [`ActionForm::Tuple`], the indices of an edit are not checked here but by the step.
    #[must_use]
    pub fn joint(&self, action: WorldAction) -> Option<Vec<Choice>> {
        let vocabulary = self.target.vocabulary();
        if self.options.actions == ActionForm::Numbered {
            return Some(vec![Choice::discrete(self.numbering.number(vocabulary, action)?)]);
        }
        let WorldAction::Edit(SignEdit {
            part,
            operator,
            literal,
            sign,
        }) = action
        else {
            return None;
        };
        let numbers = [
            crate::sign::part_number(part) as u32,
            operator as u32,
            literal as u32,
            sign.number(),
        ];
        let choices = (0..).zip(numbers).map(|(field, number)| Choice {
            field,
            value: FieldValue::Discrete(number),
        });
        Some(choices.collect())
    }

    fn answer(&self, question: Question) -> bool {
        match question {
            Question::Equivalent => self.is_equivalent(),
            Question::Solves(problem) => self
                .target
                .verdict(&self.state.sketch, problem, self.options.most_states)
                .is_solved(),
        }
    }

    fn transition(&self, before: f64) -> Transition {
        Transition {
            reward: self.score() - before - self.options.rewards.step_cost,
            status: self.status(),
        }
    }

    /// Calls `visit` with the numbers of all valid actions. An edit is valid if it changes a sign.
    fn each_valid(&self, mut visit: impl FnMut(u32)) {
        let vocabulary = self.target.vocabulary();
        for number in 0..self.numbering.edits() {
            if let Some(WorldAction::Edit(change)) = self.numbering.action(vocabulary, number)
                && self.sign(change) != change.sign
            {
                visit(number);
            }
        }
        (self.numbering.edits()..self.numbering.len()).for_each(visit);
    }
}

impl System for World {
    type State = WorldState;
    type Error = WorldError;

    fn reset(&mut self, chance: &mut Random) -> Result<(), WorldError> {
        let sketch = self.begin(chance);
        self.state = WorldState {
            sketch,
            answer: None,
            submitted: false,
        };
        self.judge_all();
        Ok(())
    }

    fn state(&self) -> &WorldState {
        &self.state
    }

    fn set_state(&mut self, state: &WorldState) -> Result<(), WorldError> {
        if !state.sketch.fits(self.target.vocabulary()) {
            return Err(WorldError::ForeignState);
        }
        self.state.clone_from(state);
        self.judge_all();
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        match self.options.actions {
            ActionForm::Numbered => (self.numbering.len() - self.numbering.signs()) as usize,
            ActionForm::Tuple => self.layout.mask_len(),
        }
    }

    /// Returns the numbered actions that change something. For four numbers, returns all values of each field.
    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        match self.options.actions {
            ActionForm::Numbered => self.each_valid(|number| into.push(Choice::discrete(number))),
            ActionForm::Tuple => {
                for (field, of) in (0..).zip(self.layout.fields()) {
                    if let herbrand_core::FieldDomain::Discrete { count } = of.domain {
                        into.extend((0..count).map(|value| Choice {
                            field,
                            value: FieldValue::Discrete(value),
                        }));
                    }
                }
            }
        }
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        match self.options.actions {
            ActionForm::Numbered => self.each_valid(|number| {
                if let Some(cell) = into.get_mut(number as usize) {
                    *cell = 1;
                }
            }),
            ActionForm::Tuple => into
                .iter_mut()
                .take(self.layout.mask_len())
                .for_each(|cell| *cell = 1),
        }
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.action(joint).is_ok()
    }

    /// Draws uniformly among the actions that change something.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        let (signs, numbering) = (self.numbering.signs(), self.numbering);
        let count = 2 * signs + numbering.len() - numbering.edits();
        if count == 0 {
            return false;
        }
        let drawn = uniform_below(random, count);
        let number = match drawn.checked_sub(2 * signs) {
            Some(rest) => numbering.edits() + rest,
            None => {
                let first = 3 * (drawn / 2);
                let Some(WorldAction::Edit(change)) = numbering.action(self.target.vocabulary(), first)
                else {
                    return false;
                };
                // The two values other than the current one are numbered 0 and 1.
                let current = self.sign(change).number();
                let value = drawn % 2;
                first + value + u32::from(value >= current)
            }
        };
        let action = numbering.action(self.target.vocabulary(), number);
        match action.and_then(|action| self.joint(action)) {
            Some(joint) => into.extend(joint),
            None => return false,
        }
        true
    }

    fn step(&mut self, joint: &[Choice], _chance: &mut Random) -> Result<Transition, WorldError> {
        let action = self.action(joint)?;
        let before = self.score();
        self.state.answer = None;
        match action {
            WorldAction::Edit(change) => {
                self.state.sketch.set(change);
                self.judge(change.operator);
                self.plan();
            }
            WorldAction::Ask(question) => self.state.answer = Some((question, self.answer(question))),
            WorldAction::Submit => self.state.submitted = true,
        }
        Ok(self.transition(before))
    }

    fn status(&self) -> Status {
        let ends = self.options.ends;
        let reached = (ends.equal && self.distance() == 0)
            || ((ends.equivalent || self.state.submitted) && self.is_equivalent())
            || (ends.solved && self.scores.solved == self.target.problems());
        Status {
            goal: reached,
            terminal: self.state.submitted,
            dead_end: self.numbering.len() == 0,
            broken: false,
        }
    }
}

impl BatchSystem for World {}
