//! RDDL.

use std::sync::Arc;

use herbrand_core::trace::Seeded;
use herbrand_core::{
    ActionField, Choice, Described, Enumerated, EnumeratedSystem, FieldDomain, FieldValue, Group, Memory,
    Problems, System, readable,
};
use herbrand_limits::{Budget, Limits, check_enclosing};
use herbrand_rddl::{Horizon, PvariableKind, TypeId};
use herbrand_rddl_plan::plan::{PlanOptions, SamplingPlanner, StraightPlan, UctPlanner};
use herbrand_rddl_sim::ground::Guards;
use herbrand_rddl_sim::simulate::{GroundFluents, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_rddl_sim::trace::{RddlHeader, RddlRecorder};
use herbrand_text::counted;

use crate::any::inside::{self, Internals, Section};
use crate::any::playable::{LanguageFeatures, Playable, SuggestedPlan, field_bounds};
use crate::any::record::{WalkRecord, follow};
use crate::any_error::{AnyError, ErrorKind};
use crate::step_faults::{BrokenInvariant, Violation};
use crate::valid_actions::OfferedActions;

impl Playable for RddlSuite {
    /// Returns the fields of the problem with the most fields, each wide enough for all problems.
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most: Vec<ActionField> = Vec::new();
        for index in 0..self.len() {
            let compiled = self.compiled(index)?;
            for (at, field) in compiled.actions().fields().iter().enumerate() {
                match most.get_mut(at) {
                    Some(known) => known.domain = hull(known.domain, field.domain),
                    None => most.push(field.clone()),
                }
            }
        }
        Ok(most)
    }

    fn rules(&self) -> Vec<String> {
        let domain = self.domain();
        let count = domain.preconditions.len() + domain.constraints.len();
        (0..count)
            .map(|number| domain.precondition_text(number))
            .collect()
    }

    fn invariants(&self) -> Vec<String> {
        let domain = self.domain();
        let name = |number| {
            format!(
                "state invariant {}: {}",
                number + 1,
                domain.invariant_text(number)
            )
        };
        (0..domain.invariants.len()).map(name).collect()
    }

    fn record(&self, index: usize, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, AnyError> {
        let mut simulator = self.simulator(index)?;
        let names = walk.names.unwrap_or(("domain.rddl", "problem.rddl"));
        let mut header = RddlHeader::of(simulator.compiled(), names);
        header.seed = Some(walk.seed);
        header.seeded = Some(Seeded::Outcomes);
        header.texts = walk.texts.clone();
        let mut out = Vec::new();
        let recorder = RddlRecorder::new(header, &mut out);
        let mut recorder = recorder.map_err(|error| AnyError::new(ErrorKind::Action, error))?;
        follow(&mut simulator, walk, budget, |simulator, joint| {
            recorder.visit(0, simulator, joint)
        })?;
        drop(recorder);
        Ok(out)
    }

    fn offered(&self, simulator: &RddlSimulator) -> OfferedActions {
        OfferedActions::of_rddl(simulator.clone())
    }

    fn features<'a>(&'a self, _index: usize, simulator: &'a RddlSimulator) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(RddlFeatures { simulator })
    }
}

/// Returns the Datalog program of the first problem as text.
pub(crate) fn program(suite: &RddlSuite, listed: usize, limits: &Limits) -> Result<Internals, AnyError> {
    let guards = Guards::of(suite.instance(0)?, limits);
    let guards = guards.map_err(|error| AnyError::new(ErrorKind::Limit, error))?;
    Ok(inside::of_program(guards.program(), &[], listed))
}

/// An RDDL problem in a state.
struct RddlFeatures<'a> {
    simulator: &'a RddlSimulator,
}

impl LanguageFeatures for RddlFeatures<'_> {
    fn broken(&self) -> Vec<BrokenInvariant> {
        BrokenInvariant::broken_in(self.simulator)
    }

    fn violations(&self, joint: &[Choice]) -> Result<Vec<Violation>, AnyError> {
        Ok(Violation::by(self.simulator, joint).map_err(RddlError::from)?)
    }

    fn interm_names(&self) -> Option<Vec<String>> {
        let domain = &self.simulator.compiled().instance.domain;
        let interm = domain.of_kind(PvariableKind::Interm);
        Some(interm.map(|id| domain.pvariable(id).name.to_string()).collect())
    }

    fn bytes(&self) -> u64 {
        let compiled = self.simulator.compiled();
        let fluents =
            compiled.state.len() + compiled.interm.len() + compiled.observ.len() + compiled.action.len();
        // Each fluent compiles to a few instructions and values.
        1024 * fluents as u64
    }

    fn object_count(&self) -> Option<usize> {
        let instance = &self.simulator.compiled().instance;
        let types = (0..instance.domain.types.len()).map(TypeId::from_index);
        Some(types.map(|id| instance.size(id) as usize).sum())
    }

    /// Searches for steps with a high return: by looking ahead if joint actions can be numbered, or else by rollouts.
    fn plan(&self, taken: usize, seed: u64, limits: &Limits) -> Result<SuggestedPlan, AnyError> {
        const LONGEST: u32 = 25;
        /// The walks before each step.
        const WALKS: u32 = 200;
        let compiled = Arc::clone(self.simulator.compiled());
        let left = match compiled.instance.horizon {
            Horizon::Steps(steps) => steps.saturating_sub(taken as u32),
            Horizon::Infinite => LONGEST,
        };
        let steps = left.min(LONGEST);
        if steps == 0 || self.simulator.status().is_final() {
            return Ok(SuggestedPlan::none("the episode is over"));
        }
        let options = PlanOptions {
            lookahead: Some(steps),
            iterations: Some(WALKS),
            time: limits.time.map(|time| time / 2),
            bytes: limits.bytes.unwrap_or(u64::MAX) / 4,
            most_actions: WALKS as usize / 2,
            enforced: true,
            seed,
            ..PlanOptions::default()
        };
        if let Ok(mut planner) = UctPlanner::new(Arc::clone(&compiled), options) {
            let plan = planner.plan(self.simulator.state());
            return suggested(self.simulator, "Looking ahead", plan);
        }
        // A candidate has one number per field and step.
        let fields = compiled.actions().fields().len().max(1) as u64;
        let room = limits.bytes.unwrap_or(u64::MAX) / 4;
        let candidates = (room / (16 * fields * u64::from(steps))).min(128);
        if candidates < 8 {
            return Ok(SuggestedPlan::none(
                "the problem has too many actions for the planner",
            ));
        }
        let options = PlanOptions {
            candidates: Some(candidates as usize),
            iterations: Some(6),
            bytes: PlanOptions::default().bytes,
            ..options
        };
        let mut planner = SamplingPlanner::new(compiled, options);
        let plan = planner.plan(self.simulator.state());
        suggested(self.simulator, "Roll-outs", plan)
    }

    fn internals(&self, listed: usize) -> Option<Internals> {
        let compiled = self.simulator.compiled();
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
        Some(Internals {
            counts: counts.collect(),
            sections,
        })
    }

    /// In instances with observ fluents, the agent sees only these.
    fn seen(&self, _memory: &mut Memory) -> Result<Option<Vec<String>>, AnyError> {
        if self.simulator.compiled().observ.is_empty() {
            return Ok(None);
        }
        let mut facts = Vec::new();
        self.simulator.facts(&mut |fact| {
            if fact.group == Group::Observed {
                facts.push(fact.to_string());
            }
        });
        Ok(Some(facts))
    }
}

/// Everything but the numbers of joint actions is that of RDDL.
impl Playable for Enumerated<RddlSuite> {
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most = Vec::new();
        let mut count = 0;
        for index in 0..self.len() {
            let system = self.system(index)?;
            if system.table().len() > count {
                count = system.table().len();
                most = system.table().layout().fields().to_vec();
            }
        }
        Ok(most)
    }

    fn rules(&self) -> Vec<String> {
        self.inner().rules()
    }

    fn invariants(&self) -> Vec<String> {
        self.inner().invariants()
    }

    fn features<'a>(
        &'a self,
        index: usize,
        system: &'a EnumeratedSystem<RddlSimulator>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        self.inner().features(index, system.inner())
    }
}

/// Returns the smallest domain that contains both domains.
fn hull(one: FieldDomain, other: FieldDomain) -> FieldDomain {
    match (one, other) {
        (FieldDomain::Discrete { count }, FieldDomain::Discrete { count: more }) => FieldDomain::Discrete {
            count: count.max(more),
        },
        (
            FieldDomain::Int { low, high },
            FieldDomain::Int {
                low: less,
                high: more,
            },
        ) => FieldDomain::Int {
            low: low.min(less),
            high: high.max(more),
        },
        _ => {
            let (low, high) = field_bounds(one);
            let (less, more) = field_bounds(other);
            FieldDomain::Real {
                low: low.min(less),
                high: high.max(more),
            }
        }
    }
}

/// Returns a plan in words.
fn suggested(
    simulator: &RddlSimulator,
    way: &str,
    plan: Result<StraightPlan, StepError>,
) -> Result<SuggestedPlan, AnyError> {
    let limit = |error: &dyn std::fmt::Display| AnyError::new(ErrorKind::Limit, error);
    let plan = plan.map_err(|error| limit(&error))?;
    if !plan.mean.is_finite() {
        check_enclosing("planning").map_err(|error| limit(&error))?;
        let text = format!("{way} found no steps that can all be computed.");
        return Ok(SuggestedPlan::none(&text));
    }
    let steps: Vec<Vec<String>> = plan.steps.iter().map(|joint| texts(simulator, joint)).collect();
    let text = format!(
        "{way} found {} with a mean return of {:.3} (standard error {:.3}).",
        counted(steps.len(), "step"),
        plan.mean,
        plan.error
    );
    Ok(SuggestedPlan { steps, text })
}

fn texts(simulator: &RddlSimulator, joint: &[Choice]) -> Vec<String> {
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
