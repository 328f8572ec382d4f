//! A walk through a problem, cached between requests.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

use herbrand_core::{ActionTextError, Choice, FieldDomain, FieldValue, Group, Random, Streams};
use herbrand_env::plan::WalkCost;
use herbrand_limits::{Budget, check_enclosing};
use herbrand_tasks::any::{AnyProblem, AnySystem};

use crate::refusal::Refusal;
use crate::reply::{Action, EpisodeStatus, NumberAction, PositionView};
use crate::request::JointTexts;

/// The number of saved states for going back. To go back further, the walk restarts.
const MARKS: usize = 64;

/// A problem at the end of a walk. Extending the walk takes time for the new steps only, and going back repeats at most a few
/// steps. The state depends only on the steps, not on earlier walks.
pub(crate) struct Walk {
    pub(crate) problem: Box<dyn AnyProblem>,
    horizon: Option<u32>,
    seed: u64,
    chance: Random,
    steps: Vec<Step>,
    /// Saved states and generators of the last steps, with the number of steps before each.
    marks: VecDeque<(usize, Box<dyn Any + Send>, Random)>,
    last_effects: StepEffects,
    /// The cost of the first steps; `None` if the problem has no metric.
    costs: Option<RefCell<WalkCost>>,
    /// Whether a request was aborted, so that `last_effects` may not describe the last step.
    broken_off: bool,
}

#[derive(Debug)]
struct Step {
    joint: JointTexts,
    reward: f64,
}

/// The effects of the last step.
#[derive(Debug, Default)]
struct StepEffects {
    effects: String,
    added: Vec<String>,
    removed: Vec<String>,
}

impl Walk {
    pub(crate) fn new(problem: Box<dyn AnyProblem>) -> Self {
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
            // Forces a restart, which draws the initial state.
            broken_off: true,
        }
    }

    fn look(&self) -> Box<dyn AnySystem + '_> {
        self.problem.look()
    }

    /// Returns the title of the problem.
    pub(crate) fn title(&self) -> String {
        self.problem.title()
    }

    /// Moves the walk to the end of these steps.
    pub(crate) fn go(&mut self, seed: u64, steps: &[JointTexts], budget: &Budget) -> Result<(), Refusal> {
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
            budget.check("walking", 0).map_err(Refusal::limit)?;
            self.take(joint, at + 1 == steps.len())?;
        }
        self.broken_off = false;
        Ok(())
    }

    fn restart(&mut self, seed: u64) -> Result<(), Refusal> {
        self.seed = seed;
        self.chance = Streams::new(seed).outcomes;
        self.steps.clear();
        self.marks.clear();
        self.cut_costs();
        self.last_effects = StepEffects::default();
        let reset = self.problem.reset(&mut self.chance);
        reset.map_err(|error| Refusal::step(0, format!("cannot start the problem: {error}")))
    }

    /// Goes back to at most this number of steps.
    fn back(&mut self, most: usize) -> Result<(), Refusal> {
        while let Some((at, state, chance)) = self.marks.pop_back() {
            if at <= most {
                let set = self.problem.set_state(&*state);
                set.map_err(|error| Refusal::step(at, error))?;
                self.chance = chance;
                self.steps.truncate(at);
                self.cut_costs();
                return Ok(());
            }
        }
        self.restart(self.seed)
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

    /// Parses the choices of a joint action and checks that they fit the layout.
    fn choices(&self, joint: &JointTexts) -> Result<Vec<Choice>, ActionTextError> {
        let system = self.look();
        let parsed = joint.iter().map(|text| system.parse_joint(text));
        let choices = parsed.collect::<Result<Vec<_>, _>>()?.concat();
        system.actions().check(&choices)?;
        Ok(choices)
    }

    /// Returns the choices of actions that can be taken together, or the reason why they cannot.
    fn valid(&self, joint: &JointTexts) -> Result<Vec<Choice>, Refusal> {
        if let Some(end) = self.end() {
            return Err(self.refused(end));
        }
        let choices = self.choices(joint).map_err(|error| self.refused(error))?;
        let system = self.look();
        if system.is_valid(&choices) {
            return Ok(choices);
        }
        Err(match system.explain(&choices) {
            Ok(why) => self.refused(why.text),
            Err(error) => self.refused(error),
        })
    }

    /// Refuses the step after those of the walk.
    fn refused(&self, message: impl ToString) -> Refusal {
        Refusal::step(self.steps.len(), message)
    }

    /// Explains why these actions cannot be taken together; `None` if they can.
    pub(crate) fn why_not(&self, joint: &JointTexts) -> Option<String> {
        self.valid(joint).err().map(|refusal| refusal.message)
    }

    /// Takes a step, and describes its effects if `describe` is set. A step that fails changes nothing.
    pub(crate) fn take(&mut self, joint: &JointTexts, describe: bool) -> Result<(), Refusal> {
        let choices = self.valid(joint)?;
        let mark = (self.steps.len(), self.problem.state(), self.chance.clone());
        let before = if describe {
            self.changing()
        } else {
            BTreeSet::new()
        };
        let done = self.problem.step(&choices, &mut self.chance, describe);
        let (transition, effects) = done.map_err(|error| self.refused(error))?;
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
            joint: joint.clone(),
            reward: transition.reward,
        });
        Ok(())
    }

    /// Describes the effects of the last step, if it was taken without that: goes back and takes it again.
    #[cfg(feature = "sessions")]
    pub(crate) fn describe_last(&mut self) -> Result<(), Refusal> {
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

    /// Returns the parts of the view that do not depend on the language, with at most `listed` entries per list.
    ///
    /// # Errors
    /// Fails if an enclosing budget is exhausted: then parts may be missing.
    pub(crate) fn view(&self, listed: usize) -> Result<PositionView, Refusal> {
        let in_time = || check_enclosing("showing the state").map_err(Refusal::limit);
        let (actions, action_count) = self.actions(listed);
        in_time()?;
        let joint_actions = self.joint_actions();
        in_time()?;
        let (facts, fact_count) = self.facts(listed);
        in_time()?;
        let first = |list: &[String]| list.iter().take(listed).cloned().collect();
        Ok(PositionView {
            title: self.title(),
            step: self.steps.len(),
            reward: self.reward(),
            last_reward: self.last_reward(),
            cost: self.cost(),
            status: self.status(),
            actions,
            action_count,
            joint_actions,
            together: self.together(),
            numbers: self.numbers(listed),
            facts,
            fact_count,
            added: first(&self.last_effects.added),
            removed: first(&self.last_effects.removed),
            effects: self.last_effects.effects.clone(),
            ..PositionView::default()
        })
    }

    /// Returns the choices of the valid actions, without the empty joint action.
    fn valid_choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.end().is_none() {
            let system = self.look();
            let fields = system.actions().fields();
            choices = system.choices();
            choices.retain(|choice| fields[choice.field as usize].default != Some(choice.value));
        }
        choices
    }

    /// Returns the valid actions and their number.
    fn actions(&self, listed: usize) -> (Vec<Action>, usize) {
        let (choices, system) = (self.valid_choices(), self.look());
        let action = |&choice: &Choice| Action {
            text: system.choice_text(choice),
            names: system.choice_objects(choice),
        };
        (choices.iter().take(listed).map(action).collect(), choices.len())
    }

    fn joint_actions(&self) -> String {
        match self.end() {
            Some(_) => "0".to_owned(),
            None => self.look().count_joint_actions().to_string(),
        }
    }

    fn numbers(&self, listed: usize) -> Vec<NumberAction> {
        let system = self.look();
        let fields = system.actions().fields().iter();
        let fields = fields.filter_map(|field| {
            let (whole, low, high) = match field.domain {
                FieldDomain::Discrete { .. } => return None,
                // Bounds that are out of reach count as unbounded.
                FieldDomain::Int { low, high } => (
                    true,
                    (low > i64::MIN / 2).then_some(low as f64),
                    (high < i64::MAX / 2).then_some(high as f64),
                ),
                FieldDomain::Real { low, high } => (
                    false,
                    low.is_finite().then_some(low),
                    high.is_finite().then_some(high),
                ),
            };
            Some(NumberAction {
                name: field.name.clone(),
                whole,
                low,
                high,
                default: field.default.map_or(0.0, FieldValue::number),
            })
        });
        fields.take(listed).collect()
    }

    /// Returns the number of steps.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the maximum number of steps.
    #[cfg(feature = "sessions")]
    pub(crate) fn horizon(&self) -> Option<u32> {
        self.horizon
    }

    /// Returns the maximum number of actions in a joint action.
    pub(crate) fn together(&self) -> usize {
        let system = self.look();
        let layout = system.actions();
        layout.most().min(layout.fields().len())
    }

    /// Returns the sum of the rewards.
    pub(crate) fn reward(&self) -> f64 {
        self.steps.iter().map(|step| step.reward).sum::<f64>() + 0.0
    }

    /// Returns the reward of the last step.
    pub(crate) fn last_reward(&self) -> Option<f64> {
        // Adding zero makes −0 zero.
        self.steps.last().map(|step| step.reward + 0.0)
    }

    /// Returns the cost by the metric of the problem. Takes time for the steps since the last call only.
    pub(crate) fn cost(&self) -> Option<f64> {
        let mut costs = self.costs.as_ref()?.borrow_mut();
        for step in self.steps.iter().skip(costs.steps()) {
            // A step is one operator.
            costs.push(&step.joint.concat());
        }
        costs.cost()
    }

    /// Returns whether further steps can be taken.
    pub(crate) fn status(&self) -> EpisodeStatus {
        let status = self.look().status();
        let steps = self.steps.len();
        let over = self.horizon.is_some_and(|horizon| steps >= horizon as usize);
        match status {
            herbrand_core::Status { goal: true, .. } => EpisodeStatus::Goal,
            herbrand_core::Status { terminal: true, .. } => EpisodeStatus::Terminal,
            herbrand_core::Status { broken: true, .. } => EpisodeStatus::Broken,
            _ if over => EpisodeStatus::Horizon,
            herbrand_core::Status { dead_end: true, .. } => EpisodeStatus::DeadEnd,
            _ => EpisodeStatus::Running,
        }
    }

    /// Returns at most `listed` facts that are not static, and their number.
    pub(crate) fn facts(&self, listed: usize) -> (Vec<String>, usize) {
        let (mut facts, mut count) = (Vec::new(), 0);
        self.look().facts(&mut |fact| {
            if fact.group != Group::Static {
                count += 1;
                if facts.len() < listed {
                    facts.push(fact.to_string());
                }
            }
        });
        (facts, count)
    }

    /// Returns the texts of at most `listed` valid actions, and the number of valid actions.
    #[cfg(feature = "sessions")]
    pub(crate) fn action_texts(&self, listed: usize) -> (Vec<String>, usize) {
        let (choices, system) = (self.valid_choices(), self.look());
        let texts = choices.iter().take(listed);
        let texts = texts.map(|&choice| system.choice_text(choice)).collect();
        (texts, choices.len())
    }

    /// Returns at most `listed` actions that take a number; none after the end of the episode.
    #[cfg(feature = "sessions")]
    pub(crate) fn number_actions(&self, listed: usize) -> Vec<NumberAction> {
        self.numbers(if self.end().is_none() { listed } else { 0 })
    }

    /// Returns whether a text is a joint action in the syntax of the language, valid or not.
    #[cfg(feature = "sessions")]
    pub(crate) fn is_action(&self, text: &str) -> bool {
        self.look().parse_joint(text).is_ok()
    }

    /// Returns the facts that became true in the last step, and the facts that became false.
    #[cfg(feature = "sessions")]
    pub(crate) fn changes(&self) -> (&[String], &[String]) {
        (&self.last_effects.added, &self.last_effects.removed)
    }
}
