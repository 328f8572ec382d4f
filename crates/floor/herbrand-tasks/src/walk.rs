//! Walks through a problem, step by step and back.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

use herbrand_core::{ActionTextError, Choice, Group, Random, Status, Streams};
use herbrand_env::plan::WalkCost;
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use serde::{Deserialize, Serialize};

use crate::any::{AnyProblem, AnySystem};

/// The number of saved states for going back. To go back further, the walk restarts.
const MARKS: usize = 64;

/// A problem at the end of a walk. [`go`](Self::go) moves to the end of other steps. Extending the walk takes time for the new steps only, and going back repeats at most a few
/// steps. The state depends only on the steps, not on earlier walks.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_limits::{Budget, Limits};
/// use herbrand_tasks::AnyProblems;
/// use herbrand_tasks::walk::AnyWalk;
///
/// let mut walk = AnyWalk::new(AnyProblems::Pddl(Registry::get("blocks")?).only(0)?.open()?);
/// walk.go(0, &[], &Budget::new(Limits::default()))?;
/// walk.take(&["(unstack b a)".to_owned()], true)?;
/// assert_eq!(walk.changes().1, ["(clear b)", "(hand-empty)", "(on b a)"]);
/// assert!(walk.undo()?);
/// assert_eq!(walk.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnyWalk {
    /// The problem in the state after the steps.
    pub problem: Box<dyn AnyProblem>,
    horizon: Option<u32>,
    seed: u64,
    chance: Random,
    steps: Vec<Step>,
    /// Saved states and generators of the last steps, with the number of steps before each.
    marks: VecDeque<(usize, Box<dyn Any + Send>, Random)>,
    last_effects: StepEffects,
    /// The cost of the first steps; `None` if the problem has no metric.
    costs: Option<RefCell<WalkCost>>,
    /// Whether a step that is not valid is tried: some languages take it, and report a violated rule.
    is_lenient: bool,
    /// Whether a walk was aborted, so that `last_effects` may not describe the last step.
    broken_off: bool,
}

/// The reason why a walk cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WalkFault {
    /// A step is no action, is not valid or has no result; also if the problem cannot be started.
    #[error("{reason}")]
    Step {
        /// The index of the step, from 0.
        step: usize,
        /// The reason as a sentence.
        reason: String,
    },
    /// A limit is reached.
    #[error(transparent)]
    Limit(#[from] BudgetExhausted),
}

impl WalkFault {
    fn step(step: usize, reason: impl ToString) -> Self {
        let reason = reason.to_string();
        Self::Step { step, reason }
    }
}

/// The status of a state in its episode: whether further steps can be taken, and if not, why. If several apply, it is
/// the first of goal, terminal, broken, horizon and dead end. A goal does not end the episode: steps can be taken from
/// it if an action is valid. [`AnyWalk::status`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EpisodeStatus {
    /// Further steps can be taken.
    #[default]
    Running,
    /// The goal holds. Further steps can be taken if an action is valid.
    Goal,
    /// No action is valid, so no step can be taken.
    DeadEnd,
    /// The episode ended by the rules of the problem.
    Terminal,
    /// The episode reached its horizon.
    Horizon,
    /// A state invariant is violated, so no step can be taken. Not reported before the first step.
    Broken,
}

impl EpisodeStatus {
    /// Returns why the episode is over, so that no further step can be taken; `None` if it is not.
    #[must_use]
    pub const fn end(self) -> Option<&'static str> {
        match self {
            Self::Terminal => Some("the episode has ended"),
            Self::Horizon => Some("the episode has reached its horizon"),
            Self::Broken => Some("a state invariant does not hold here"),
            Self::Running | Self::Goal | Self::DeadEnd => None,
        }
    }
}

#[derive(Debug)]
struct Step {
    joint: Vec<String>,
    reward: f64,
}

/// The effects of the last step.
#[derive(Debug, Default)]
struct StepEffects {
    effects: String,
    added: Vec<String>,
    removed: Vec<String>,
}

impl AnyWalk {
    /// Creates a walk. Before the first step, [`go`](Self::go) to its start.
    #[must_use]
    pub fn new(problem: Box<dyn AnyProblem>) -> Self {
        let costs = problem.look().features().cost();
        Self {
            costs: costs.map(RefCell::new),
            horizon: problem.horizon(),
            problem,
            seed: 0,
            chance: Streams::new(0).outcomes,
            steps: Vec::new(),
            marks: VecDeque::new(),
            last_effects: StepEffects::default(),
            is_lenient: false,
            // Forces a restart, which draws the initial state.
            broken_off: true,
        }
    }

    /// Creates the walk of a player who may violate rules to learn what happens, and whom no horizon stops in a problem with
    /// a goal.
    #[must_use]
    pub fn of_player(problem: Box<dyn AnyProblem>) -> Self {
        let has_goal = problem.look().features().interm_names().is_none();
        let mut walk = Self::new(problem);
        walk.is_lenient = true;
        walk.horizon = walk.horizon.filter(|_| !has_goal);
        walk
    }

    /// Returns the problem after the steps.
    #[must_use]
    pub fn look(&self) -> Box<dyn AnySystem + '_> {
        self.problem.look()
    }

    /// Returns the title of the problem.
    #[must_use]
    pub fn title(&self) -> String {
        let (set, name) = self.problem.names();
        format!("{set} {name}")
    }

    /// Moves the walk to the end of these steps, each the texts of the actions that are taken together.
    ///
    /// # Errors
    /// Fails if a step cannot be taken or the budget is exhausted.
    pub fn go(&mut self, seed: u64, steps: &[Vec<String>], budget: &Budget) -> Result<(), WalkFault> {
        let restart = self.broken_off || seed != self.seed;
        let shared = self.steps.iter().zip(steps);
        let shared = shared.take_while(|(own, other)| own.joint == **other).count();
        if !restart && shared == self.steps.len() && shared == steps.len() {
            return Ok(());
        }
        self.broken_off = true;
        if restart || shared == 0 {
            self.restart(seed)?;
        } else if shared < self.steps.len() {
            // Repeats the last shared step to describe it.
            self.back(shared - 1)?;
        }
        for (at, joint) in steps.iter().enumerate().skip(self.steps.len()) {
            budget.check("walking", 0)?;
            self.take(joint, at + 1 == steps.len())?;
        }
        self.broken_off = false;
        Ok(())
    }

    fn restart(&mut self, seed: u64) -> Result<(), WalkFault> {
        self.seed = seed;
        self.chance = Streams::new(seed).outcomes;
        self.steps.clear();
        self.marks.clear();
        self.cut_costs();
        self.last_effects = StepEffects::default();
        let reset = self.problem.reset(&mut self.chance);
        reset.map_err(|error| WalkFault::step(0, format!("cannot start the problem: {error}")))
    }

    /// Goes back to at most this number of steps.
    fn back(&mut self, most: usize) -> Result<(), WalkFault> {
        while let Some((at, state, chance)) = self.marks.pop_back() {
            if at <= most {
                let set = self.problem.set_state(&*state);
                set.map_err(|error| WalkFault::step(at, error))?;
                self.chance = chance;
                self.steps.truncate(at);
                self.cut_costs();
                return Ok(());
            }
        }
        self.restart(self.seed)
    }

    /// Undoes the last step, and returns whether there was one.
    ///
    /// # Errors
    /// Fails like [`go`](Self::go).
    pub fn undo(&mut self) -> Result<bool, WalkFault> {
        let Some(before) = self.steps.len().checked_sub(1) else {
            return Ok(false);
        };
        let steps: Vec<_> = self.steps[..before]
            .iter()
            .map(|step| step.joint.clone())
            .collect();
        self.go(self.seed, &steps, &Budget::new(Limits::default()))?;
        Ok(true)
    }

    /// Forgets the costs of steps that were undone.
    fn cut_costs(&mut self) {
        if let Some(costs) = &mut self.costs {
            costs.get_mut().cut(self.steps.len());
        }
    }

    /// Returns why no further step can be taken; `None` if one can.
    fn end(&self) -> Option<&'static str> {
        self.status().end()
    }

    /// Parses the choices of a joint action and, unless a player tries them, checks that they fit the layout.
    fn choices(&self, joint: &[String]) -> Result<Vec<Choice>, ActionTextError> {
        let system = self.look();
        let parsed = joint.iter().map(|text| system.parse_joint(text));
        let choices = parsed.collect::<Result<Vec<_>, _>>()?.concat();
        if !self.is_lenient {
            system.actions().check(&choices)?;
        }
        Ok(choices)
    }

    /// Returns the choices of actions that can be taken together, or the reason why they cannot.
    fn valid(&self, joint: &[String]) -> Result<Vec<Choice>, WalkFault> {
        if let Some(end) = self.end() {
            return Err(self.refused(end));
        }
        let choices = self.choices(joint).map_err(|error| self.refused(error))?;
        let system = self.look();
        if self.is_lenient || system.is_valid(&choices) {
            return Ok(choices);
        }
        Err(match system.explain(&choices) {
            Ok(why) => self.refused(why.text),
            Err(error) => self.refused(error),
        })
    }

    /// Refuses the step after those of the walk.
    fn refused(&self, message: impl ToString) -> WalkFault {
        WalkFault::step(self.steps.len(), message)
    }

    /// Explains why these actions cannot be taken together; `None` if they can.
    #[must_use]
    pub fn why_not(&self, joint: &[String]) -> Option<String> {
        self.valid(joint).err().map(|fault| fault.to_string())
    }

    /// Takes a step, and describes its effects if `describe` is set. A step that fails changes nothing.
    ///
    /// # Errors
    /// Fails if the texts are no action, or the step is not valid or has no result.
    pub fn take(&mut self, joint: &[String], describe: bool) -> Result<(), WalkFault> {
        let choices = self.valid(joint)?;
        let mark = (self.steps.len(), self.problem.state(), self.chance.clone());
        let before = if describe {
            self.changing()
        } else {
            BTreeSet::new()
        };
        let done = self.problem.step(&choices, &mut self.chance, describe);
        let (transition, effects) = done.map_err(|error| match self.look().explain(&choices) {
            Ok(why) if !why.failures.is_empty() => self.refused(why.text),
            _ => self.refused(error),
        })?;
        if describe {
            let after = self.changing();
            self.last_effects = StepEffects {
                effects,
                added: after.difference(&before).cloned().collect(),
                removed: before.difference(&after).cloned().collect(),
            };
        }
        self.marks.push_back(mark);
        if self.marks.len() > MARKS {
            self.marks.pop_front();
        }
        self.steps.push(Step {
            joint: joint.to_vec(),
            reward: transition.reward,
        });
        Ok(())
    }

    /// Describes the effects of the last step, if it was taken without that: goes back and takes it again.
    ///
    /// # Errors
    /// Fails if the problem cannot be restarted.
    pub fn describe_last(&mut self) -> Result<(), WalkFault> {
        let Some(last) = self.steps.last() else {
            return Ok(());
        };
        let (joint, before) = (last.joint.clone(), self.steps.len() - 1);
        self.back(before)?;
        self.take(&joint, true)
    }

    /// Returns the facts that a step may change.
    fn changing(&self) -> BTreeSet<String> {
        let mut facts = BTreeSet::new();
        self.look().facts(&mut |fact| {
            if matches!(fact.group, Group::Fluent | Group::Observed) {
                facts.insert(fact.to_string());
            }
        });
        facts
    }

    /// Returns the choices of the valid actions, without the empty joint action.
    #[must_use]
    pub fn valid_choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.end().is_none() {
            let system = self.look();
            let fields = system.actions().fields();
            choices = system.choices();
            choices.retain(|choice| fields[choice.field as usize].default != Some(choice.value));
        }
        choices
    }

    /// Returns whether no step is taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the maximum number of steps.
    #[must_use]
    pub fn horizon(&self) -> Option<u32> {
        self.horizon
    }

    /// Returns the maximum number of actions in a joint action.
    #[must_use]
    pub fn together(&self) -> usize {
        let system = self.look();
        let layout = system.actions();
        layout.most().min(layout.fields().len())
    }

    /// Returns the sum of the rewards.
    #[must_use]
    pub fn reward(&self) -> f64 {
        self.steps.iter().map(|step| step.reward).sum::<f64>() + 0.0
    }

    /// Returns the reward of the last step.
    #[must_use]
    pub fn last_reward(&self) -> Option<f64> {
        // Adding zero makes −0 zero.
        self.steps.last().map(|step| step.reward + 0.0)
    }

    /// Returns the cost by the metric of the problem. Takes time for the steps since the last call only.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let mut costs = self.costs.as_ref()?.borrow_mut();
        for step in self.steps.iter().skip(costs.steps()) {
            // A step is one operator.
            costs.push(&step.joint.concat());
        }
        costs.cost()
    }

    /// Returns whether further steps can be taken.
    #[must_use]
    pub fn status(&self) -> EpisodeStatus {
        let status = self.look().status();
        let steps = self.steps.len();
        let over = self.horizon.is_some_and(|horizon| steps >= horizon as usize);
        match status {
            Status { goal: true, .. } => EpisodeStatus::Goal,
            Status { terminal: true, .. } => EpisodeStatus::Terminal,
            Status { broken: true, .. } => EpisodeStatus::Broken,
            _ if over => EpisodeStatus::Horizon,
            Status { dead_end: true, .. } => EpisodeStatus::DeadEnd,
            _ => EpisodeStatus::Running,
        }
    }

    /// Returns the facts that became true in the last step, and the facts that became false.
    #[must_use]
    pub fn changes(&self) -> (&[String], &[String]) {
        (&self.last_effects.added, &self.last_effects.removed)
    }

    /// Returns the description of the last step's effects, line by line.
    #[must_use]
    pub fn effects(&self) -> &str {
        &self.last_effects.effects
    }

    /// Returns what chance would decide in this step, a sentence each.
    #[must_use]
    pub fn draws(&self, joint: &[String]) -> Vec<String> {
        let choices = self.choices(joint).unwrap_or_default();
        self.look().features().draws(&choices, self.chance.clone())
    }
}
