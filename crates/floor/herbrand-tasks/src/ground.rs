//! A problem, grounded, and its size.

pub use crate::schemas::{ParameterGrounding, SchemaGrounding};

use std::sync::Arc;

use herbrand_core::{Problems as _, Streams, System as _};
use herbrand_env::{EnvError, Suite};
use herbrand_ground::{
    AtomId, GroundError, GroundOptions, GroundTask, explain, explain_bounds, ground as ground_within,
};
use herbrand_limits::Instant;
use herbrand_pddl::{Diagnostic, undefined_values};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_step::{CompileError, Random, Simulator, StepError};
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::options::{OptionSpec, OptionValues};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::schemas;
use crate::task_query::TaskQuery;

/// The parts of a report about a ground problem.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the table of options describes the fields")]
pub struct GroundQuery {
    pub atoms: AtomsToKeep,
    pub list: bool,
    pub explain: bool,
    pub first_step: bool,
}

impl TaskQuery for GroundQuery {
    const NAME: &'static str = "ground";
    const ABOUT: &'static str = "Ground a problem, and count its atoms, actions and axioms.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "atoms",
            OptionValues::Words(
                "ATOMS",
                &[
                    ("all", "All atoms that some state could make true"),
                    (
                        "relevant",
                        "Atoms that preconditions, effects or the goal depend on; actions, random draws, goals and rewards stay \
                         the same",
                    ),
                ],
            ),
            "The atoms to keep [default: all]",
        ),
        OptionSpec::new(
            "list",
            OptionValues::Flag,
            "Also print all atoms, actions with their preconditions and effects, and axioms",
        ),
        OptionSpec::new(
            "explain",
            OptionValues::Flag,
            "Explain each schema: its number of actions, the predicates that bound its parameters, and the join order. A plan begins \
             with the atom that triggers it; `walk` visits the facts that match an atom, through an index over the columns after \
             `by`; `check` looks up a single fact; the number is the expected number of matches",
        ),
        OptionSpec::new(
            "first-step",
            OptionValues::Flag,
            "Also take one random step, and print the time from the files to that step",
        ),
    ];
    type Answer = GroundAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<GroundAnswer, TaskFailure> {
        ground(problems, self, run)
    }
}

/// The atoms that a ground task keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtomsToKeep {
    /// All atoms that some state could make true.
    #[default]
    All,
    /// Atoms that preconditions, effects or the goal depend on; actions, random draws, goals and rewards stay the same.
    Relevant,
}

/// The size of a ground problem. Each serialises as `herbrand ground --format json` prints it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum GroundAnswer {
    /// In PDDL, the size of a ground task.
    Task(Box<GroundReport>),
    /// In RDDL, the size of a compiled problem.
    Instance(InstanceReport),
}

/// The size of a ground task.
#[derive(Clone, Debug, Serialize)]
pub struct GroundReport {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The number of atoms that can change.
    pub atoms: usize,
    /// The number of irrelevant atoms that were removed, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// The number of actions.
    pub actions: usize,
    /// The number of axioms.
    pub axioms: usize,
    /// The number of strata of the axioms.
    pub strata: usize,
    /// The number of atoms that never change.
    pub statics: usize,
    /// The number of literals and comparisons in the goal, and in all preconditions, axioms and effect conditions.
    pub literals: usize,
    /// The number of effects of all actions: adds, deletes, numeric effects and so on.
    pub effects: usize,
    /// The seconds of grounding, without parsing.
    pub seconds: f64,
    /// The seconds from the text to the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_step_seconds: Option<f64>,
    /// The memory of the ground task, in bytes.
    pub bytes: usize,
    /// The largest memory of the process so far, in bytes, if the run tells it.
    pub peak_bytes: Option<u64>,
    /// The size of the file to which the caller wrote the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<usize>,
    /// The schemas, the one with the most actions first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schemas: Option<Vec<SchemaGrounding>>,
    /// All atoms, actions and axioms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<GroundList>,
    /// The task.
    #[serde(skip)]
    pub task: Arc<GroundTask>,
    /// Warnings about numbers that may be undefined.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

/// All ground atoms, actions and axioms as text.
#[derive(Clone, Debug, Serialize)]
pub struct GroundList {
    /// The atoms.
    pub atoms: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
    /// For each action, its precondition and its effects, one per line.
    pub definitions: Vec<String>,
    /// The axioms.
    pub axioms: Vec<String>,
}

/// The size of a compiled problem in RDDL.
#[derive(Clone, Debug, Serialize)]
pub struct InstanceReport {
    /// The name of the domain.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The number of ground state fluents.
    pub state_fluents: usize,
    /// The number of ground action fluents.
    pub action_fluents: usize,
    /// The number of intermediate and derived fluents.
    pub interm_fluents: usize,
    /// The number of observed fluents.
    pub observed_fluents: usize,
    /// The number of action preconditions and state-action constraints.
    pub preconditions: usize,
    /// The number of instructions on the tape that computes a step.
    pub instructions: usize,
    /// The seconds of compilation, without parsing.
    pub seconds: f64,
    /// The seconds from the text to the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_step_seconds: Option<f64>,
    /// The largest memory of the process so far, in bytes, if the run tells it.
    pub peak_bytes: Option<u64>,
}

/// Grounds the first of the problems.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::ground::{GroundAnswer, GroundQuery, ground};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let answer = ground(&problems, &GroundQuery::default(), &mut Run::default())?;
/// let GroundAnswer::Task(report) = answer else { panic!("blocks is in PDDL") };
/// assert_eq!(report.actions, report.task.actions.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large for the limits; then with the bounds of the schemas, if they are asked for. Fails in RDDL
/// if the query is for PDDL.
pub fn ground(
    problems: &AnyProblems,
    query: &GroundQuery,
    run: &mut Run<'_>,
) -> Result<GroundAnswer, TaskFailure> {
    Ok(match problems.first()? {
        AnyProblems::Pddl(suite) if !suite.is_ground() => {
            GroundAnswer::Task(Box::new(task(&suite, query, run)?))
        }
        AnyProblems::Rddl(suite) => GroundAnswer::Instance(instance(&suite, query, run)?),
        other => return Err(other.unsupported("ground", "PDDL and RDDL")),
    })
}

fn task(suite: &Suite, query: &GroundQuery, run: &Run<'_>) -> Result<GroundReport, TaskFailure> {
    let begin = Instant::now();
    let options = GroundOptions {
        limits: run.limits,
        ..GroundOptions::default()
    };
    let refused = |error: GroundError| EnvError::from(CompileError::from(error));
    let (domain, problem) = (suite.stepped_domain(), suite.stepped_problem(0)?);
    let start = Instant::now();
    // The bounds of the parameters say why a task is too large.
    let bounds = query.explain.then(|| explain_bounds(domain, &problem, &options));
    let mut task = ground_within(domain, &problem, &options).map_err(|error| match (&error, bounds) {
        (GroundError::Limit(_) | GroundError::BudgetExhausted(_), Some(Ok(bounds))) => {
            TaskFailure::TooManyActions {
                bounds: schemas::bounds(domain, &bounds),
                error: Box::new(refused(error)),
            }
        }
        _ => refused(error).into(),
    })?;
    let mut left_out = None;
    if query.atoms == AtomsToKeep::Relevant {
        let all = task.atom_count();
        task = task.only_relevant();
        left_out = Some(all - task.atom_count());
    }
    let seconds = start.elapsed().as_secs_f64();
    let schemas = query.explain.then(|| explain(domain, &problem, &options));
    let schemas = schemas.transpose().map_err(refused)?;
    let task = Arc::new(task);
    let first_step = query.first_step.then(|| first_step(Arc::clone(&task)));
    Ok(GroundReport {
        domain: suite.name().to_owned(),
        problem: suite.full_problem_name(0).unwrap_or_default(),
        atoms: task.atom_count(),
        left_out,
        actions: task.actions.len(),
        axioms: task.axioms.len(),
        strata: task.strata.len(),
        statics: task.statics.len(),
        literals: task.conditions.size(),
        effects: task.effects.size(),
        bytes: task.bytes(),
        seconds,
        first_step_seconds: first_step
            .transpose()?
            .map(|own| (start - begin).as_secs_f64() + seconds + own),
        peak_bytes: run.peak_bytes(),
        file_bytes: None,
        schemas: schemas.map(|schemas| schemas::all(domain, &task, &schemas)),
        list: query.list.then(|| GroundList::of(&task)),
        warnings: undefined_values(domain, &problem, false),
        task,
    })
}

/// Measures the seconds from a ground task to the first random step.
fn first_step(task: Arc<GroundTask>) -> Result<f64, TaskFailure> {
    let start = Instant::now();
    let mut random = Random::new(0);
    let mut walker = Simulator::new(task).walker();
    let refused = |error: StepError| EnvError::Planning(error.into());
    walker.reset(&mut random).map_err(refused)?;
    if let Some(action) = walker.sample(&mut random) {
        walker.apply(action, &mut random).map_err(refused)?;
    }
    Ok(start.elapsed().as_secs_f64())
}

impl GroundList {
    fn of(task: &GroundTask) -> Self {
        let atoms = (0..task.atom_count()).map(AtomId::from_index);
        let actions = || task.actions.ids();
        let axioms = task.axioms.iter();
        Self {
            atoms: atoms.map(|id| task.display_atom(id).to_string()).collect(),
            actions: actions().map(|id| task.display_action(id).to_string()).collect(),
            definitions: actions()
                .map(|id| task.display_definition(id).to_string())
                .collect(),
            axioms: axioms
                .map(|&axiom| task.display_axiom(axiom).to_string())
                .collect(),
        }
    }
}

fn instance(suite: &RddlSuite, query: &GroundQuery, run: &Run<'_>) -> Result<InstanceReport, TaskFailure> {
    let options = [
        ("--atoms", query.atoms != AtomsToKeep::All),
        ("--list", query.list),
        ("--explain", query.explain),
    ];
    let given: Vec<_> = options
        .into_iter()
        .filter(|option| option.1)
        .map(|option| option.0)
        .collect();
    if !given.is_empty() {
        return Err(TaskFailure::OnlyPddl(given));
    }
    let start = Instant::now();
    let suite = suite.clone().with_limits(run.limits);
    let compiled = suite.compiled(0)?;
    let seconds = start.elapsed().as_secs_f64();
    if query.first_step {
        let mut simulator = suite.system(0)?;
        let (mut streams, mut joint) = (Streams::new(0), Vec::new());
        simulator.reset(&mut streams.outcomes).map_err(RddlError::from)?;
        if simulator.sample(&mut streams.actions, &mut joint) {
            let stepped = simulator.step(&joint, &mut streams.outcomes);
            stepped.map_err(RddlError::from)?;
        }
    }
    Ok(InstanceReport {
        domain: compiled.instance.domain.name.to_string(),
        problem: compiled.instance.name.to_string(),
        state_fluents: compiled.state.len(),
        action_fluents: compiled.action.len(),
        interm_fluents: compiled.interm.len(),
        observed_fluents: compiled.observ.len(),
        preconditions: compiled.precondition_count(),
        instructions: compiled.tape().len(),
        seconds,
        first_step_seconds: query.first_step.then(|| start.elapsed().as_secs_f64()),
        peak_bytes: run.peak_bytes(),
    })
}
