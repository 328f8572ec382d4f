//! A walk through a problem, cached between requests.

use std::collections::{BTreeSet, VecDeque};

use herbrand_core::{ActionTextError, Choice, Described, FieldDomain, Group, Random, Streams, System};
use herbrand_limits::Budget;

use crate::refusal::{Reason, Refusal};
use crate::reply::{Action, EpisodeStatus, NumberAction, PositionView};
use crate::request::{JointTexts, WalkPosition};

/// The number of saved states for going back. To go back further, the walk restarts.
const MARKS: usize = 64;

/// A system at the end of a walk. Extending the walk takes time for the new steps only, and going back repeats at most a few
/// steps. The state depends only on the steps, not on earlier walks.
#[derive(Debug)]
pub(crate) struct Walk<S: System> {
    system: S,
    horizon: Option<u32>,
    seed: u64,
    chance: Random,
    steps: Vec<Step>,
    /// Saved states and generators of the last steps, with the number of steps before each.
    marks: VecDeque<(usize, S::State, Random)>,
    last_effects: StepEffects,
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

impl<S: Described> Walk<S> {
    pub(crate) fn new(system: S, horizon: Option<u32>) -> Self {
        Self {
            system,
            horizon,
            seed: 0,
            chance: Streams::new(0).outcomes,
            steps: Vec::new(),
            marks: VecDeque::new(),
            last_effects: StepEffects::default(),
            // Forces a restart, which draws the initial state.
            broken_off: true,
        }
    }

    /// Returns the system at the end of the walk.
    pub(crate) const fn system(&self) -> &S {
        &self.system
    }

    /// Iterates over the joint actions of the steps.
    pub(crate) fn joints(&self) -> impl Iterator<Item = &JointTexts> {
        self.steps.iter().map(|step| &step.joint)
    }

    /// Returns the number of steps.
    pub(crate) const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Moves the walk to the end of these steps.
    pub(crate) fn go(&mut self, seed: u64, steps: &[JointTexts], budget: &Budget) -> Result<(), Refusal> {
        let restart = self.broken_off || seed != self.seed;
        self.broken_off = true;
        let shared = self.steps.iter().zip(steps);
        let shared = shared.take_while(|(own, other)| own.joint == **other).count();
        if restart || shared == 0 {
            self.restart(seed)?;
        } else if shared < self.steps.len() {
            // Repeats the last shared step to describe it.
            self.back(shared - 1)?;
        }
        for (at, joint) in steps.iter().enumerate().skip(self.steps.len()) {
            budget.check("walking", 0).map_err(Refusal::limit)?;
            self.take(joint, at + 1 == steps.len())
                .map_err(|message| Refusal::step(at, message))?;
        }
        self.broken_off = false;
        Ok(())
    }

    fn restart(&mut self, seed: u64) -> Result<(), Refusal> {
        self.seed = seed;
        self.chance = Streams::new(seed).outcomes;
        self.steps.clear();
        self.marks.clear();
        self.last_effects = StepEffects::default();
        let reset = self.system.reset(&mut self.chance);
        reset.map_err(|error| Refusal::step(0, format!("cannot start the problem: {error}")))
    }

    /// Goes back to at most this number of steps.
    fn back(&mut self, most: usize) -> Result<(), Refusal> {
        while let Some((at, state, chance)) = self.marks.pop_back() {
            if at <= most {
                let set = self.system.set_state(&state);
                set.map_err(|error| Refusal::step(at, error))?;
                self.chance = chance;
                self.steps.truncate(at);
                return Ok(());
            }
        }
        self.restart(self.seed)
    }

    /// Returns why no further step can be taken; `None` if one can.
    fn end(&self) -> Option<&'static str> {
        match self.status() {
            EpisodeStatus::Terminal => Some("the episode has ended"),
            EpisodeStatus::Horizon => Some("the episode has reached its horizon"),
            EpisodeStatus::Broken => Some("a state invariant does not hold here"),
            EpisodeStatus::Running | EpisodeStatus::Goal | EpisodeStatus::DeadEnd => None,
        }
    }

    /// Parses the choices of a joint action and checks that they fit the layout.
    fn choices(&self, joint: &JointTexts) -> Result<Vec<Choice>, String> {
        let choices = choices(&self.system, joint).map_err(|error| error.to_string())?;
        let layout = self.system.actions();
        layout.check(&choices).map_err(|error| error.to_string())?;
        Ok(choices)
    }

    /// Explains why these actions cannot be taken together; `None` if they can.
    pub(crate) fn why_not(&self, joint: &JointTexts) -> Option<String> {
        if let Some(end) = self.end() {
            return Some(end.to_owned());
        }
        match self.choices(joint) {
            Err(message) => Some(message),
            Ok(choices) if self.system.is_valid(&choices) => None,
            Ok(choices) => Some(self.system.explain_action(&choices).text),
        }
    }

    fn take(&mut self, joint: &JointTexts, describe: bool) -> Result<(), String> {
        if let Some(reason) = self.why_not(joint) {
            return Err(reason);
        }
        let choices = self.choices(joint)?;
        let mark = (self.steps.len(), self.system.state().clone(), self.chance.clone());
        let transition = if describe {
            let before = self.changing();
            let done = self.system.step_described(&choices, &mut self.chance);
            let (transition, effects) = done.map_err(|error| error.to_string())?;
            let after = self.changing();
            self.last_effects = StepEffects {
                effects,
                added: after.difference(&before).cloned().collect(),
                removed: before.difference(&after).cloned().collect(),
            };
            transition
        } else {
            let done = self.system.step(&choices, &mut self.chance);
            done.map_err(|error| error.to_string())?
        };
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

    /// Returns the facts that a step may change.
    fn changing(&self) -> BTreeSet<String> {
        let mut facts = BTreeSet::new();
        self.system.facts(&mut |fact| {
            if matches!(fact.group, Group::Fluent | Group::Observed) {
                facts.insert(fact.to_string());
            }
        });
        facts
    }

    pub(crate) fn status(&self) -> EpisodeStatus {
        let status = self.system.status();
        let steps = self.steps.len();
        let over = self.horizon.is_some_and(|horizon| steps >= horizon as usize);
        match status {
            herbrand_core::Status { goal: true, .. } => EpisodeStatus::Goal,
            herbrand_core::Status { terminal: true, .. } => EpisodeStatus::Terminal,
            herbrand_core::Status { broken: true, .. } if steps > 0 => EpisodeStatus::Broken,
            _ if over => EpisodeStatus::Horizon,
            herbrand_core::Status { dead_end: true, .. } => EpisodeStatus::DeadEnd,
            _ => EpisodeStatus::Running,
        }
    }

    /// Returns the parts of the view that do not depend on the language, with at most `listed` entries per list.
    pub(crate) fn view(&self, listed: usize) -> PositionView {
        let (actions, action_count) = self.actions(listed);
        let mut facts = Vec::new();
        let mut fact_count = 0;
        self.system.facts(&mut |fact| {
            if fact.group != Group::Static {
                fact_count += 1;
                if facts.len() < listed {
                    facts.push(fact.to_string());
                }
            }
        });
        let layout = self.system.actions();
        let first = |list: &[String]| list.iter().take(listed).cloned().collect();
        PositionView {
            step: self.steps.len(),
            // The empty sum is −0; adding zero makes it 0.
            reward: self.steps.iter().map(|step| step.reward).sum::<f64>() + 0.0,
            last_reward: self.steps.last().map(|step| step.reward),
            status: self.status(),
            actions,
            action_count,
            joint_actions: self.joint_actions(),
            together: layout.most().min(layout.fields().len()),
            numbers: self.numbers(listed),
            facts,
            fact_count,
            added: first(&self.last_effects.added),
            removed: first(&self.last_effects.removed),
            effects: self.last_effects.effects.clone(),
            ..PositionView::default()
        }
    }

    /// Returns the valid actions and their number. The empty joint action is not listed.
    fn actions(&self, listed: usize) -> (Vec<Action>, usize) {
        if self.end().is_some() {
            return (Vec::new(), 0);
        }
        let fields = self.system.actions().fields();
        let mut choices = Vec::new();
        self.system.choices(&mut choices);
        choices.retain(|choice| fields[choice.field as usize].default != Some(choice.value));
        let action = |&choice: &Choice| Action {
            text: self.system.choice_text(choice),
            names: self.system.choice_objects(choice),
        };
        (choices.iter().take(listed).map(action).collect(), choices.len())
    }

    fn joint_actions(&self) -> String {
        match self.end() {
            Some(_) => "0".to_owned(),
            None => self.system.count_joint_actions().to_string(),
        }
    }

    fn numbers(&self, listed: usize) -> Vec<NumberAction> {
        let fields = self.system.actions().fields().iter();
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
                default: field.default.map_or(0.0, number),
            })
        });
        fields.take(listed).collect()
    }
}

/// Parses the choices of a joint action.
pub(crate) fn choices(system: &impl Described, joint: &JointTexts) -> Result<Vec<Choice>, ActionTextError> {
    let parsed = joint.iter().map(|text| system.parse_joint(text));
    Ok(parsed.collect::<Result<Vec<_>, _>>()?.concat())
}

const fn number(value: herbrand_core::FieldValue) -> f64 {
    match value {
        herbrand_core::FieldValue::Discrete(alternative) => alternative as f64,
        herbrand_core::FieldValue::Int(value) => value as f64,
        herbrand_core::FieldValue::Real(value) => value,
    }
}

/// Takes the steps of a walk from the initial state, and calls `visit` before each with its choices, and at the end.
pub(crate) fn follow<S: Described, E: std::fmt::Display>(
    system: &mut S,
    position: &WalkPosition,
    budget: &Budget,
    mut visit: impl FnMut(&S, Option<&[Choice]>) -> Result<(), E>,
) -> Result<(), Refusal> {
    let failed = |error: &dyn std::fmt::Display| Refusal::new(Reason::Step, error);
    let mut streams = Streams::new(position.seed);
    system
        .reset(&mut streams.outcomes)
        .map_err(|error| failed(&error))?;
    for joint in &position.walk {
        let choices = choices(system, joint).map_err(|error| failed(&error))?;
        visit(system, Some(&choices)).map_err(|error| failed(&error))?;
        System::step(system, &choices, &mut streams.outcomes).map_err(|error| failed(&error))?;
        budget.check("recording", 0).map_err(Refusal::limit)?;
    }
    visit(system, None).map_err(|error| failed(&error))
}
