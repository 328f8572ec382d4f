//! RDDL problems that are played.

use std::sync::Arc;

use herbrand_core::trace::Seeded;
use herbrand_core::{Choice, Described, FieldValue, System, readable};
use herbrand_env::Source;
use herbrand_limits::{Budget, check_enclosing};
use herbrand_rddl::{Horizon, TypeId};
use herbrand_rddl_plan::plan::{PlanOptions, SamplingPlanner, StraightPlan, UctPlanner};
use herbrand_rddl_sim::ground::Guards;
use herbrand_rddl_sim::simulate::{GroundFluents, Preconditions, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_rddl_sim::trace::{RddlHeader, RddlRecorder};
use herbrand_text::counted;

use crate::allowance::RequestLimits;
use crate::header::{names, own_texts};
use crate::inside;
use crate::played::Played;
use crate::refusal::{Reason, Refusal};
use crate::reply::{Reply, Section};
use crate::request::{DOMAIN, PROBLEM, SETTINGS};
use crate::request::{JointTexts, ProblemName, Texts, WalkPosition};
use crate::walk::follow;
use herbrand_assist::Language;

/// Returns a suite with the selected instance only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<RddlSuite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = RddlSuite::bundled(domain).and_then(|suite| suite.problem(problem));
            let suite = suite.map_err(Refusal::unknown)?.with_limits(allowance.limits);
            Ok(suite.with_preconditions(Preconditions::Refused))
        }
        ProblemName::Texts { texts } => {
            let suite = RddlSuite::from_sources_within(&sources(texts), allowance.limits)?;
            let suite = if texts.settings.trim().is_empty() {
                suite
            } else {
                suite.with_settings(&Source::new(SETTINGS, &texts.settings))?
            };
            Ok(suite.only(0)?.with_preconditions(Preconditions::Refused))
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

impl Played for RddlSuite {
    fn language(&self) -> Option<Language> {
        Some(Language::Rddl)
    }

    fn description(&self) -> String {
        self.settings().description.clone()
    }

    fn bytes(simulator: &RddlSimulator) -> u64 {
        let compiled = simulator.compiled();
        let fluents =
            compiled.state.len() + compiled.interm.len() + compiled.observ.len() + compiled.action.len();
        // Each fluent compiles to a few instructions and values.
        1024 * fluents as u64
    }

    fn object_count(simulator: &RddlSimulator) -> usize {
        let instance = &simulator.compiled().instance;
        let types = (0..instance.domain.types.len()).map(TypeId::from_index);
        types.map(|id| instance.size(id) as usize).sum()
    }

    /// Searches for steps with a high return: by looking ahead if joint actions can be numbered, or else by rollouts.
    fn plan(
        &self,
        simulator: &RddlSimulator,
        taken: usize,
        seed: u64,
        allowance: &RequestLimits,
    ) -> Result<Reply, Refusal> {
        const LONGEST: u32 = 25;
        /// The walks before each step.
        const WALKS: u32 = 200;
        let compiled = Arc::clone(simulator.compiled());
        let left = match compiled.instance.horizon {
            Horizon::Steps(steps) => steps.saturating_sub(taken as u32),
            Horizon::Infinite => LONGEST,
        };
        let none = |text: &str| Reply::Plan {
            steps: Vec::new(),
            text: text.to_owned(),
        };
        let steps = left.min(LONGEST);
        if steps == 0 || simulator.status().is_final() {
            return Ok(none("the episode is over"));
        }
        let options = PlanOptions {
            lookahead: Some(steps),
            iterations: Some(WALKS),
            time: allowance.limits.time.map(|time| time / 2),
            bytes: allowance.limits.bytes.unwrap_or(u64::MAX) / 4,
            most_actions: WALKS as usize / 2,
            enforced: true,
            seed,
            ..PlanOptions::default()
        };
        if let Ok(mut planner) = UctPlanner::new(Arc::clone(&compiled), options) {
            let plan = planner.plan(simulator.state());
            return reply(simulator, "Looking ahead", plan);
        }
        // A candidate has one number per field and step.
        let fields = compiled.actions().fields().len().max(1) as u64;
        let room = allowance.limits.bytes.unwrap_or(u64::MAX) / 4;
        let candidates = (room / (16 * fields * u64::from(steps))).min(128);
        if candidates < 8 {
            return Ok(none("the problem has too many actions for the planner"));
        }
        let options = PlanOptions {
            candidates: Some(candidates as usize),
            iterations: Some(6),
            bytes: PlanOptions::default().bytes,
            ..options
        };
        let mut planner = SamplingPlanner::new(compiled, options);
        let plan = planner.plan(simulator.state());
        reply(simulator, "Roll-outs", plan)
    }

    #[cfg(feature = "sessions")]
    fn wording(
        &self,
        table: Option<&herbrand_verbalize::TextTable>,
    ) -> Result<herbrand_verbalize::Wording, Refusal> {
        herbrand_verbalize::Wording::of_rddl(self, 0, table).map_err(crate::fault::of_wording)
    }

    /// In instances with observ fluents, the agent sees these alone.
    #[cfg(feature = "sessions")]
    fn seen(
        &self,
        simulator: &RddlSimulator,
        _memory: &mut herbrand_core::Memory,
    ) -> Result<Option<Vec<String>>, Refusal> {
        if simulator.compiled().observ.is_empty() {
            return Ok(None);
        }
        let mut facts = Vec::new();
        simulator.facts(&mut |fact| {
            if fact.group == herbrand_core::Group::Observed {
                facts.push(fact.to_string());
            }
        });
        Ok(Some(facts))
    }

    fn internals(simulator: &RddlSimulator, listed: usize) -> Reply {
        let compiled = simulator.compiled();
        let names = |title: &str, fluents: &GroundFluents| Section {
            title: title.to_owned(),
            lines: (0..fluents.len().min(listed))
                .map(|at| compiled.name(fluents, at))
                .collect(),
            count: fluents.len(),
        };
        let mut sections = vec![
            names("state fluents", &compiled.state),
            names("action fluents", &compiled.action),
            names("intermediate and derived fluents", &compiled.interm),
            names("observed fluents", &compiled.observ),
        ];
        sections.retain(|section| section.count > 0);
        let counts = sections.iter().map(|one| (one.title.clone(), one.count as u64));
        let preconditions = compiled.precondition_count() as u64;
        let counts = counts.chain([("action preconditions".to_owned(), preconditions)]);
        Reply::Inside {
            counts: counts.collect(),
            sections,
        }
    }

    fn program(&self, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        let guards = Guards::of(self.instance(0)?, &allowance.limits).map_err(Refusal::limit)?;
        Ok(inside::of_program(guards.program(), &[], allowance.listed))
    }

    fn record(&self, position: &WalkPosition, budget: &Budget) -> Result<Vec<u8>, Refusal> {
        let mut simulator = self.simulator(0)?;
        let (domain, instance) = names(&position.problem, "rddl");
        let mut header = RddlHeader::of(simulator.compiled(), (&domain, &instance));
        header.seed = Some(position.seed);
        header.seeded = Some(Seeded::Outcomes);
        header.texts = own_texts(&position.problem);
        let mut out = Vec::new();
        let recorder = RddlRecorder::new(header, &mut out);
        let mut recorder = recorder.map_err(|error| Refusal::new(Reason::Step, error))?;
        follow(&mut simulator, position, budget, |simulator, joint| {
            recorder.visit(0, simulator, joint)
        })?;
        drop(recorder);
        Ok(out)
    }
}

fn reply(
    simulator: &RddlSimulator,
    way: &str,
    plan: Result<StraightPlan, StepError>,
) -> Result<Reply, Refusal> {
    let plan = plan.map_err(|error| Refusal::limit(error.to_string()))?;
    if !plan.mean.is_finite() {
        check_enclosing("planning").map_err(Refusal::limit)?;
        return Ok(Reply::Plan {
            steps: Vec::new(),
            text: format!("{way} found no steps that can all be computed."),
        });
    }
    let steps: Vec<JointTexts> = plan.steps.iter().map(|joint| texts(simulator, joint)).collect();
    let text = format!(
        "{way} found {} with a mean return of {:.3} (standard error {:.3}).",
        counted(steps.len(), "step"),
        plan.mean,
        plan.error
    );
    Ok(Reply::Plan { steps, text })
}

fn texts(simulator: &RddlSimulator, joint: &[Choice]) -> JointTexts {
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

/// Rounds real values. They are easier to read and have almost the same effect.
fn rounded(choice: Choice) -> Choice {
    match choice.value {
        FieldValue::Real(value) => Choice {
            value: FieldValue::Real(readable(value)),
            ..choice
        },
        _ => choice,
    }
}
