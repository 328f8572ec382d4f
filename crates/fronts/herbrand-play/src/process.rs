//! RDDL problems that are played.

use std::sync::Arc;

use herbrand_core::{Choice, Described, FieldValue, Group, Random, System, Transition};
use herbrand_env::Source;
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::plan::{PlanOptions, SamplingPlanner, StraightPlan, UctOptions, UctPlanner};
use herbrand_rddl_sim::StatePicture;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::RddlSuite;

use crate::planning::{DOMAIN, PROBLEM, SETTINGS, counted};
use crate::refusal::Refusal;
use crate::reply::{PositionView, Reply};
use crate::request::{JointTexts, ProblemName, Texts};
use crate::walk::{Playable, Walk};
use crate::{Language, RequestLimits};

impl Playable for RddlSimulator {
    fn tell(&mut self, joint: &[Choice], chance: &mut Random) -> Result<(Transition, String), StepError> {
        let transition = self.step(joint, chance)?;
        let violated: Vec<String> = self.violated().map(|number| (number + 1).to_string()).collect();
        let text = match violated.as_slice() {
            [] => String::new(),
            numbers => format!("action preconditions that do not hold: {}", numbers.join(", ")),
        };
        Ok((transition, text))
    }

    fn why_not(&self, joint: &[Choice]) -> String {
        let violated = match self.would_violate(joint) {
            Ok(violated) => violated,
            Err(error) => return error.to_string(),
        };
        match violated.first() {
            Some(&number) => self.compiled().violation(number).to_string(),
            None => "these actions are not valid together here".to_owned(),
        }
    }

    fn names(&self, choice: Choice) -> Vec<String> {
        let text = self.choice_text(choice);
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        let arguments = name.split_once("___").map_or("", |(_, arguments)| arguments);
        let words = arguments.split("__").chain([value]);
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

/// Returns a suite with the selected instance only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<RddlSuite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = RddlSuite::bundled(domain).and_then(|suite| suite.problem(problem));
            Ok(suite.map_err(Refusal::unknown)?.with_limits(allowance.limits))
        }
        ProblemName::Texts { texts } => {
            let suite = RddlSuite::from_sources_within(&sources(texts), allowance.limits)?;
            let suite = if texts.settings.trim().is_empty() {
                suite
            } else {
                suite.with_settings(&Source::new(SETTINGS, &texts.settings))?
            };
            Ok(suite.only(0)?)
        }
    }
}

/// Returns the RDDL texts. The domain text may contain all blocks; then the problem text is empty.
pub(crate) fn sources(texts: &Texts) -> Vec<Source> {
    let mut sources = vec![Source::new(DOMAIN, &texts.domain)];
    if !texts.problem.trim().is_empty() {
        sources.push(Source::new(PROBLEM, &texts.problem));
    }
    sources
}

/// An RDDL problem that is played.
pub(crate) struct ProcessGame {
    pub(crate) suite: RddlSuite,
    pub(crate) walk: Walk<RddlSimulator>,
    picture: Option<StatePicture>,
}

impl ProcessGame {
    pub(crate) fn open(name: &ProblemName, allowance: &RequestLimits) -> Result<Self, Refusal> {
        let suite = suite(name, allowance)?.with_preconditions(Preconditions::Enforced);
        let simulator = suite.simulator(0)?;
        let horizon = match suite.instance(0)?.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        };
        let picture = is_small(&simulator, allowance.drawn)
            .then(|| StatePicture::of(&suite, 0, &simulator))
            .transpose()?;
        Ok(Self {
            suite,
            walk: Walk::new(simulator, horizon),
            picture,
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        let compiled = self.walk.system().compiled();
        let fluents =
            compiled.state.len() + compiled.interm.len() + compiled.observ.len() + compiled.action.len();
        // Each fluent compiles to a few instructions and values.
        1024 * fluents as u64
    }

    pub(crate) fn view(&self, allowance: &RequestLimits) -> PositionView {
        let simulator = self.walk.system();
        let scene = self.picture.as_ref().map(|picture| picture.scene(simulator));
        PositionView {
            language: Language::Rddl,
            title: format!(
                "{} {}",
                self.suite.name(),
                self.suite.problem_name(0).unwrap_or_default()
            ),
            picture: scene.and_then(|scene| crate::picture::drawn(&scene)),
            ..self.walk.view(allowance.listed)
        }
    }

    /// Searches for steps with a high return: by looking ahead if joint actions can be numbered, or else by rollouts.
    pub(crate) fn plan(&self, seed: u64, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        const LONGEST: u32 = 25;
        /// The walks before each step.
        const WALKS: u32 = 200;
        let simulator = self.walk.system();
        let compiled = Arc::clone(simulator.compiled());
        let left = match compiled.instance.horizon {
            Horizon::Steps(steps) => steps.saturating_sub(self.walk.len() as u32),
            Horizon::Infinite => LONGEST,
        };
        let none = |text: &str| Reply::Plan {
            steps: Vec::new(),
            text: text.to_owned(),
        };
        let steps = left.min(LONGEST);
        if steps == 0 || simulator.status().terminal {
            return Ok(none("the episode is over"));
        }
        let options = UctOptions {
            lookahead: Some(steps),
            walks: WALKS,
            time: allowance.limits.time.map(|time| time / 2),
            bytes: allowance.limits.bytes.unwrap_or(u64::MAX) / 4,
            most_actions: WALKS as usize / 2,
            enforced: true,
            seed,
            ..UctOptions::default()
        };
        if let Ok(mut planner) = UctPlanner::new(Arc::clone(&compiled), options) {
            let plan = planner.plan(simulator.state());
            return self.reply("Looking ahead", plan);
        }
        // A candidate has one number per field and step.
        let fields = compiled.actions().fields().len().max(1) as u64;
        let room = allowance.limits.bytes.unwrap_or(u64::MAX) / 4;
        let candidates = (room / (16 * fields * u64::from(steps))).min(128);
        if candidates < 8 {
            return Ok(none("the problem has too many actions for the planner"));
        }
        let options = PlanOptions {
            lookahead: Some(steps),
            candidates: candidates as usize,
            iterations: 6,
            time: allowance.limits.time.map(|time| time / 2),
            enforced: true,
            seed,
            ..PlanOptions::default()
        };
        let mut planner = SamplingPlanner::new(compiled, options);
        let plan = planner.plan(simulator.state());
        self.reply("Roll-outs", plan)
    }

    fn reply(&self, way: &str, plan: Result<StraightPlan, StepError>) -> Result<Reply, Refusal> {
        let plan = plan.map_err(|error| Refusal::limit(error.to_string()))?;
        let steps: Vec<JointTexts> = plan.steps.iter().map(|joint| self.texts(joint)).collect();
        let text = format!(
            "{way} found {} with a mean return of {:.3} (standard error {:.3}).",
            counted(steps.len()),
            plan.mean,
            plan.error
        );
        Ok(Reply::Plan { steps, text })
    }

    fn texts(&self, joint: &[Choice]) -> JointTexts {
        let simulator = self.walk.system();
        let fields = simulator.actions().fields();
        let sets = |choice: &&Choice| {
            let default = fields.get(choice.field as usize).and_then(|field| field.default);
            default != Some(choice.value)
        };
        let choices = joint.iter().filter(sets);
        choices
            .map(|&choice| simulator.choice_text(rounded(choice)))
            .collect()
    }
}

/// Rounds real values. They are easier to read and have almost the same effect.
fn rounded(choice: Choice) -> Choice {
    match choice.value {
        FieldValue::Real(value) if value.abs() < 1e6 => Choice {
            value: FieldValue::Real((value * 1000.0).round() / 1000.0),
            ..choice
        },
        _ => choice,
    }
}

fn is_small(simulator: &RddlSimulator, objects: usize) -> bool {
    let mut facts = 0;
    simulator.facts(&mut |fact| facts += usize::from(fact.group != Group::Static));
    let instance = &simulator.compiled().instance;
    let types = (0..instance.domain.types.len()).map(herbrand_rddl::TypeId::from_index);
    let found: u64 = types.map(|id| u64::from(instance.size(id))).sum();
    found <= objects as u64 && facts <= 20 * objects
}
