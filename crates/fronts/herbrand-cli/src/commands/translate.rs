//! `herbrand translate`: writes a problem as a finite-domain task (SAS+).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::env::ActionMode;
use herbrand::ground::{GroundOptions, GroundTask, NormalDomain, ground_within};
use herbrand::limits::{Budget, BudgetExhausted};
use herbrand::pddl::{Domain, Problem};
use herbrand::plan::{Determinization, SearchTask};
use herbrand::sas::{
    AlternatingLimits, Draws, FiniteDomainTask, InvariantLimits, MutexGroups, TranslateError,
    TranslateOptions, Translation, alternating_groups, lifted_groups, translate,
};
use herbrand::tasks::{refused, whole_costs};
use herbrand::{CompileError, Simulator};
use serde::Serialize;

use crate::failure::{Failure, file_error};
use crate::files;
use crate::limits::LimitArgs;
use crate::memory;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, grouped};
use crate::problem::ProblemArgs;

/// Write a problem as a finite-domain task (SAS+), in the format of Fast Downward's translator
///
/// Atoms that exclude each other become the values of one variable. They follow from invariants of the schemas. Planners that read version 3 of the format read the output in place of that of their own translator.
///
/// The format has no random outcomes, no conditions on numbers, and no metric but the sum of the operators' costs. A problem
/// that needs them is refused, with the place.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand translate domain.pddl p01.pddl --out output.sas
  herbrand translate blocks test/05 > blocks.sas
  herbrand translate logistics --h2 --out logistics.sas
  herbrand translate depot test/01 --fam=8 --out depot.sas
  herbrand translate river --determinize all-outcomes --out river.sas
  herbrand translate hanoi --format json")]
pub struct Translate {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The file to write; JSON if the name ends in `.json`, and otherwise the format of Fast Downward [default: the output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The largest number of candidates for invariants
    #[arg(long, value_name = "N", default_value_t = InvariantLimits::default().candidates)]
    invariants: usize,

    /// Also find groups by the ground actions (fact-alternating mutex groups), until each atom is in N groups; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1, num_args = 0..=1, default_missing_value = "1", require_equals = true)]
    fam: usize,

    /// Also find pairs of facts that exclude each other (h²), and remove operators that are in no plan
    #[arg(long)]
    h2: bool,

    /// Make each atom a variable of its own
    #[arg(long, conflicts_with_all = ["invariants", "fam", "h2"])]
    no_mutexes: bool,

    /// Keep variables that no plan depends on
    #[arg(long)]
    keep_irrelevant: bool,

    /// Write the cost 1 for every operator, whatever the metric
    #[arg(long)]
    unit_costs: bool,

    /// The treatment of random outcomes; without it, they are refused
    #[arg(long, value_enum, value_name = "HOW")]
    determinize: Option<Determinize>,
}

/// The treatment of random outcomes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Determinize {
    /// Every outcome is an operator
    AllOutcomes,
    /// Every operator has its most likely outcome
    MostLikely,
}

/// A translated problem.
struct Translated {
    ground: GroundTask,
    translation: Translation,
    /// The amount of the metric for a cost of 1.
    cost_unit: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    domain: &'a str,
    problem: String,
    variables: usize,
    /// The number of variables that axioms define.
    derived: usize,
    /// The number of values of all variables.
    facts: usize,
    /// The number of bits of a state.
    bits: u64,
    operators: usize,
    axioms: usize,
    mutex_groups: usize,
    /// The number of actions that --h2 removed, as they are in no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    removed_actions: Option<usize>,
    /// Whether the translation shows that no plan exists.
    unsolvable: bool,
    /// The amount of the metric per unit of cost.
    cost_unit: f64,
    /// Seconds from the files to the task.
    seconds: f64,
    /// The task, if it is not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a FiniteDomainTask>,
}

impl Translate {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let begin = Instant::now();
        let suite = self.problem.find(ActionMode::Operators)?.pddl("translate")?;
        files::check_before(self.out.as_deref())?;
        let (domain, problem) = (suite.domain(), suite.parse_problem(0)?);
        let budget = Budget::new(self.problem.limits());
        let is_json = match &self.out {
            Some(path) => is_json(path),
            None => format == Format::Json,
        };
        let Translated {
            ground,
            translation,
            cost_unit,
        } = self.translate(domain, &problem, is_json, &budget)?;
        let task = &translation.task;
        let mut report = Report {
            domain: suite.name(),
            problem: suite.full_problem_name(0).unwrap_or_default(),
            variables: task.variables.len(),
            derived: task
                .variables
                .iter()
                .filter(|variable| variable.layer.is_some())
                .count(),
            facts: task.variables.iter().map(|variable| variable.values.len()).sum(),
            bits: task.state_bits(),
            operators: task.operators.len(),
            axioms: task.axioms.len(),
            mutex_groups: task.mutexes.len(),
            removed_actions: self.h2.then_some(translation.removed_actions),
            unsolvable: translation.is_unsolvable,
            cost_unit,
            seconds: begin.elapsed().as_secs_f64(),
            task: None,
        };
        if report.unsolvable {
            anstream::eprintln!("note: the problem has no plan: a fact of its goal is never true");
        }
        let Some(path) = &self.out else {
            match format {
                Format::Json => {
                    report.task = Some(task);
                    output::json(&report)?;
                }
                Format::Text => {
                    let mut out = output::out();
                    translation.write_sas(&ground, &mut out)?;
                    out.flush()?;
                }
            }
            return Ok(CommandOutcome::Yes);
        };
        write(&translation, &ground, path)?;
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        memory::release((ground, translation, problem));
        Ok(CommandOutcome::Yes)
    }

    /// Translates the problem. `operator_names` says whether operators have names.
    fn translate(
        &self,
        domain: &Domain,
        problem: &Problem,
        operator_names: bool,
        budget: &Budget,
    ) -> Result<Translated, Failure> {
        let spent = |error: BudgetExhausted| refused(TranslateError::from(error), domain, problem);
        let normal = NormalDomain::within(domain, budget).map_err(spent)?;
        let task = ground_within(domain, &normal, problem, &GroundOptions::default(), budget)
            .map_err(CompileError::from)?;
        // Atoms that actions change but nothing reads are irrelevant too.
        let task = if self.keep_irrelevant {
            task
        } else {
            task.only_relevant()
        };
        let task = self.determinized(task, budget)?;
        let (costs, cost_unit) = if self.unit_costs {
            (vec![1; task.actions.len()], 1.0)
        } else {
            whole_costs(&task, domain, problem)?
        };
        let groups = if self.no_mutexes {
            MutexGroups::default()
        } else {
            let limits = InvariantLimits {
                candidates: self.invariants,
                ..InvariantLimits::default()
            };
            let lifted = lifted_groups(&normal, &task, &limits, budget).map_err(spent)?;
            let limits = AlternatingLimits {
                each: self.fam,
                ..AlternatingLimits::default()
            };
            alternating_groups(&task, lifted, &limits, budget).map_err(spent)?
        };
        let options = TranslateOptions {
            draws: if self.determinize == Some(Determinize::MostLikely) {
                Draws::MostLikely
            } else {
                Draws::Refuse
            },
            pairs: self.h2,
            only_relevant: !self.keep_irrelevant,
            operator_names,
        };
        let translation = translate(&task, &costs, groups, &options, budget);
        let translation = translation.map_err(|error| refused(error, domain, problem))?;
        memory::release((normal, costs));
        Ok(Translated {
            ground: task,
            translation,
            cost_unit,
        })
    }

    /// Returns the task with an action for each outcome, if that is asked for.
    fn determinized(&self, task: GroundTask, budget: &Budget) -> Result<GroundTask, Failure> {
        if self.determinize != Some(Determinize::AllOutcomes) || task.effects.chances() == 0 {
            return Ok(task);
        }
        let simulator = Simulator::new(Arc::new(task));
        let start = simulator.initial_state();
        let search = SearchTask::new(&simulator, &start, Determinization::AllOutcomes, budget);
        let search = search.map_err(Failure::of)?;
        Ok(search.simulator().task().clone())
    }
}

/// Returns whether a file is written as JSON.
fn is_json(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

fn write(translation: &Translation, ground: &GroundTask, path: &Path) -> Result<(), Failure> {
    let task = &translation.task;
    if is_json(path) {
        let text = serde_json::to_string(task).map_err(std::io::Error::from)?;
        files::write_file(path, text)?;
    } else {
        files::write_with(path, file_error, |out| translation.write_sas(ground, out))?;
    }
    files::report_written(path, output::counted(task.operators.len() as u64, "operator"));
    Ok(())
}

impl Report<'_> {
    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        writeln!(out, "{} ({})", self.problem, self.domain)?;
        let counts = [
            ("variables", self.variables as u64),
            ("derived", self.derived as u64),
            ("facts", self.facts as u64),
            ("bits", self.bits),
            ("operators", self.operators as u64),
            ("axioms", self.axioms as u64),
            ("mutex groups", self.mutex_groups as u64),
        ];
        for (label, count) in counts {
            writeln!(out, "  {label:<13}{:>12}", grouped(count))?;
        }
        if let Some(removed) = self.removed_actions {
            writeln!(out, "  {:<13}{:>12}", "removed by h²", grouped(removed as u64))?;
        }
        if self.cost_unit != 1.0 {
            writeln!(out, "  {:<13}{:>12}", "cost unit", self.cost_unit)?;
        }
        writeln!(out, "  {:<13}{:>12.6}", "seconds", self.seconds)?;
        out.flush()?;
        Ok(())
    }
}
