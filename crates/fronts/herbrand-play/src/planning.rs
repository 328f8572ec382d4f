//! PDDL problems that are played.

use herbrand_core::System;
use herbrand_env::plan::WalkCost;
use herbrand_env::trace::{Header, header};
use herbrand_env::{
    ActionMode, AgentActionId, Grounded, Planning, ProblemFile, Registry, Source, Suite, SuiteFiles,
};
use herbrand_limits::Budget;
use herbrand_text::counted;

use crate::allowance::RequestLimits;
use crate::costs::WalkCosts;
use crate::hints::{Hints, Planned, planned};
use crate::inside;
use crate::played::Played;
#[cfg(feature = "sessions")]
use crate::refusal::Reason;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::{DOMAIN, JointTexts, PROBLEM, ProblemName, SETTINGS, Texts};
#[cfg(feature = "sessions")]
use crate::session_reply::GoalDistance;
use herbrand_assist::Language;

/// Returns a suite with the selected problem only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<Suite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = Registry::get(domain).and_then(|suite| suite.problem(problem));
            Ok(suite.map_err(Refusal::unknown)?.with_limits(allowance.limits))
        }
        ProblemName::Texts { texts } => {
            let suite = Suite::within(files(texts), ActionMode::Declared, allowance.limits);
            suite.map_err(Refusal::from)
        }
    }
}

/// Converts texts to the files of a domain with one problem, which have the names that the texts define.
pub(crate) fn files(texts: &Texts) -> SuiteFiles {
    let settings = (!texts.settings.trim().is_empty()).then(|| Source::new(SETTINGS, &texts.settings));
    SuiteFiles {
        name: defined(&texts.domain, "domain").unwrap_or_else(|| "your".to_owned()),
        domain: Source::new(DOMAIN, &texts.domain),
        config: settings,
        problems: vec![ProblemFile {
            split: None,
            name: defined(&texts.problem, "problem").unwrap_or_else(|| "problem".to_owned()),
            source: Source::new(PROBLEM, &texts.problem),
        }],
    }
}

/// Returns the name of the first definition of a kind (`domain` or `problem`) in a PDDL text.
fn defined(text: &str, kind: &str) -> Option<String> {
    let code = text.lines().filter_map(|line| line.split(';').next());
    let words = code.flat_map(|line| line.split(|c: char| c.is_whitespace() || "()".contains(c)));
    let mut words = words.filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("define") && words.next()?.eq_ignore_ascii_case(kind) {
            return words.next().map(str::to_ascii_lowercase);
        }
    }
    None
}

impl WalkCosts for WalkCost {
    fn steps(&self) -> usize {
        Self::steps(self)
    }

    /// A step is one operator.
    fn push(&mut self, step: &JointTexts) {
        Self::push(self, &step.concat());
    }

    fn cut(&mut self, steps: usize) {
        Self::cut(self, steps);
    }

    fn cost(&self) -> Option<f64> {
        Self::cost(self)
    }
}

impl Played for Suite {
    fn language(&self) -> Option<Language> {
        Some(Language::Pddl)
    }

    fn description(&self) -> String {
        self.config().description.clone()
    }

    fn bytes(planning: &Planning<Grounded>) -> u64 {
        // The tables of a walker are about as large as the task.
        2 * planning.space().task().bytes() as u64
    }

    fn object_count(planning: &Planning<Grounded>) -> usize {
        planning.space().task().vocabulary.objects.len()
    }

    /// Agent actions other than operators have no cost.
    fn cost(planning: &Planning<Grounded>) -> Option<Box<dyn WalkCosts>> {
        let walk = WalkCost::of(planning.instance().simulator()).ok().flatten()?;
        Some(Box::new(walk))
    }

    /// Returns the rest of the stored plan, or a plan that a planner finds.
    fn plan(
        &self,
        planning: &Planning<Grounded>,
        _taken: usize,
        _seed: u64,
        allowance: &RequestLimits,
    ) -> Result<Reply, Refusal> {
        let state = planning.state();
        let joint =
            |action: AgentActionId| -> JointTexts { vec![planning.space().display(action).to_string()] };
        let hints = Hints::of(self).ok().flatten();
        if let Some(rest) = hints.and_then(|hints| hints.rest(state)) {
            let text = format!("Stored plan: {}.", counted(rest.len(), "step"));
            let steps = rest.into_iter().map(joint).collect();
            return Ok(Reply::Plan { steps, text });
        }
        let found = planned(planning.instance(), state, Budget::new(allowance.limits));
        Ok(match found? {
            Planned::Steps(steps) => {
                let text = format!("The planner found a plan: {}.", counted(steps.len(), "step"));
                let steps = steps.into_iter().map(joint).collect();
                Reply::Plan { steps, text }
            }
            Planned::None(text) => Reply::Plan {
                steps: Vec::new(),
                text: text.to_owned(),
            },
        })
    }

    #[cfg(feature = "sessions")]
    fn wording(
        &self,
        table: Option<&herbrand_verbalize::TextTable>,
    ) -> Result<herbrand_verbalize::Wording, Refusal> {
        herbrand_verbalize::Wording::of_planning(self, 0, table).map_err(crate::fault::of_wording)
    }

    #[cfg(feature = "sessions")]
    fn seen(
        &self,
        planning: &Planning<Grounded>,
        memory: &mut herbrand_core::Memory,
    ) -> Result<Option<Vec<String>>, Refusal> {
        use herbrand_core::{Observer, Random};
        use herbrand_env::{ObservedAtoms, ObservedId, VisibleBits};
        if self.config().observe.is_none() {
            return Ok(None);
        }
        let observer = VisibleBits::of(self, ObservedAtoms::All)?;
        observer.attend(planning, memory, &mut Random::new(0));
        let layout = observer.layout(self)?;
        let mut row = vec![0; layout.len()];
        observer.write(planning, memory, &mut row);
        let atoms = planning.instance().atoms();
        // The row begins with the truth of each atom when it was last seen.
        let held = (0..).zip(&row[..layout.len() / 3]).filter(|(_, bit)| **bit == 1);
        let facts = held.map(|(number, _)| atoms.display(ObservedId::new(number)).to_string());
        Ok(Some(facts.collect()))
    }

    #[cfg(feature = "sessions")]
    fn distance(
        &self,
        planning: &Planning<Grounded>,
        allowance: &RequestLimits,
    ) -> Result<GoalDistance, Refusal> {
        use herbrand_plan::{
            Admissible, Determinization, PlanRequest, Planner, PlannerKind, SearchOutcome, SearchTask,
            TaskError,
        };
        let budget = Budget::new(allowance.limits);
        let simulator = planning.instance().simulator();
        let outcomes = Determinization::AllOutcomes;
        let task = match SearchTask::new(simulator, planning.state(), outcomes, &budget) {
            Ok(task) => task.by_length(),
            Err(TaskError::BudgetExhausted(_)) => return Ok(GoalDistance::Unknown),
            Err(error) => return Err(Refusal::new(Reason::Step, error)),
        };
        let mut request = PlanRequest {
            budget,
            seed: 0,
            progress: &mut |_| {},
        };
        let planner = PlannerKind::AStar(Admissible::LandmarkCut);
        Ok(match planner.plan(&task, &mut request).outcome {
            SearchOutcome::GoalAlreadyTrue => GoalDistance::Steps(0),
            SearchOutcome::Plan(plan) if plan.proven_optimal => GoalDistance::Steps(plan.steps.len()),
            SearchOutcome::ProvenUnsolvable => GoalDistance::Unreachable,
            _ => GoalDistance::Unknown,
        })
    }

    fn internals(planning: &Planning<Grounded>, listed: usize) -> Reply {
        inside::of_task(planning.space().task(), listed)
    }

    fn program(&self, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        let simulator = self.lifted_simulator(0)?;
        let task = simulator.task();
        let facts = ("facts that always hold", task.statics.len() as u64);
        Ok(inside::of_program(&task.program, &[facts], allowance.listed))
    }

    fn trace_header(&self, planning: &Planning<Grounded>, names: (&str, &str), seed: u64) -> Header {
        header(planning, self.agent_actions(), names, seed)
    }
}
