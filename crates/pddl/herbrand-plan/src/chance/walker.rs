//! A probabilistic task as a system that agents act in.

use herbrand_core::{
    ActionLayout, Agent, BatchSystem, Choice, Random, Status, System, Transition, uniform_unit,
};
use herbrand_ground::ActionId;
use herbrand_step::{State, Walker};

use super::policy::Policy;
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// A probabilistic task with a current state, in which [`herbrand_core::evaluate()`] runs a [`Policy`]. A joint action is
/// the number of one ground action of [`ProbabilisticTask::simulator`]; the reward of a step is its cost, negated.
/// [`ProbabilisticTask::walker`] makes one.
#[derive(Debug)]
pub struct TaskWalker {
    task: ProbabilisticTask,
    walker: Walker,
    layout: ActionLayout,
}

impl ProbabilisticTask {
    /// Creates a system for this task, at its first start state. [`System::reset`] draws one.
    ///
    /// ```
    /// use herbrand_core::{EvaluateOptions, evaluate};
    /// use herbrand_limits::Budget;
    /// use herbrand_pddl::{Domain, Problem};
    /// use herbrand_plan::{PolicyKind, PolicyOptions, ProbabilisticTask};
    ///
    /// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
    ///     (:action toss :effect (probabilistic 1/2 (up))))")?;
    /// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
    /// let simulator = herbrand_step::compile(&domain, &problem)?;
    /// let budget = Budget::unlimited();
    /// let task = ProbabilisticTask::from_state(&simulator, &simulator.initial_state(), &budget)?;
    /// let mut policy = PolicyKind::Lao.policy(&task, &PolicyOptions::default(), &budget)?;
    /// let options = EvaluateOptions { steps: 1000, episodes: 30, seed: 1 };
    /// let runs = evaluate(&mut task.walker()?, &mut *policy, &options, 1.0, |_| true)?;
    /// assert_eq!(runs.goal_probability().0, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Does not fail for a task of this crate: its start states belong to its simulator.
    pub fn walker(&self) -> Result<TaskWalker, TaskError> {
        let mut walker = self.simulator().walker();
        walker.set_state(&self.starts()[0].1)?;
        Ok(TaskWalker {
            layout: ActionLayout::single("action", self.simulator().task().actions.len()),
            task: self.clone(),
            walker,
        })
    }
}

impl Agent<TaskWalker> for dyn Policy + '_ {
    fn begin(&mut self) {
        Policy::begin(self);
    }

    fn act(&mut self, state: &State) -> Result<Option<Vec<Choice>>, TaskError> {
        let action = Policy::act(self, state)?;
        Ok(action.map(|action| vec![Choice::discrete(action.number())]))
    }
}

/// Returns the action of a joint action that is a single choice, and for others an action that no task has.
fn action(joint: &[Choice]) -> ActionId {
    let number = match joint {
        [choice] => choice.alternative(),
        _ => None,
    };
    ActionId::from_index(number.unwrap_or(u32::MAX) as usize)
}

impl System for TaskWalker {
    type State = State;
    type Error = TaskError;

    fn reset(&mut self, chance: &mut Random) -> Result<(), TaskError> {
        let (mut left, mut drawn) = (uniform_unit(chance), &self.task.starts()[0].1);
        for (probability, state) in self.task.starts() {
            drawn = state;
            left -= probability;
            if left < 0.0 {
                break;
            }
        }
        Ok(self.walker.set_state(drawn)?)
    }

    fn state(&self) -> &State {
        self.walker.state()
    }

    fn set_state(&mut self, state: &State) -> Result<(), TaskError> {
        Ok(self.walker.set_state(state)?)
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        self.walker.valid().len()
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        into.extend(
            self.walker
                .valid()
                .iter()
                .map(|action| Choice::discrete(action.number())),
        );
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        for action in self.walker.valid().iter() {
            if let Some(byte) = into.get_mut(action.index()) {
                *byte = 1;
            }
        }
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.walker.valid().contains(action(joint))
    }

    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        into.extend(
            self.walker
                .sample(random)
                .map(|action| Choice::discrete(action.number())),
        );
        !into.is_empty()
    }

    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, TaskError> {
        let action = action(joint);
        self.walker.apply(action, chance)?;
        let costs = self.task.costs();
        Ok(Transition {
            reward: 0.0 - costs.value(costs.of_step(action, &self.walker)),
            status: self.status(),
        })
    }

    fn status(&self) -> Status {
        Status {
            goal: self.walker.is_goal(),
            dead_end: self.walker.valid().is_empty(),
            ..Status::default()
        }
    }
}

impl BatchSystem for TaskWalker {}
