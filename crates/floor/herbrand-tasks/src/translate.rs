//! A problem as a finite-domain task (SAS+).

use std::io::{self, Write};
use std::sync::Arc;

use herbrand_env::EnvError;
use herbrand_ground::{GroundOptions, GroundTask, NormalDomain, ground_within};
use herbrand_limits::{Budget, BudgetExhausted, Instant};
use herbrand_pddl::{Domain, Problem};
use herbrand_plan::{Determinization, SearchTask};
use herbrand_sas::{
    AlternatingLimits, Draws, FiniteDomainTask, InvariantLimits, MutexGroups, TranslateError,
    TranslateOptions, Translation, alternating_groups, lifted_groups, translate as translate_ground,
};
use herbrand_step::{CompileError, Simulator};
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::finite_domain::{refused, whole_costs};
use crate::options::{OptionSpec, OptionValues, at_least};
use crate::plan::as_text;
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;

/// How to translate a problem.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the table of options describes the fields")]
pub struct TranslateQuery {
    pub invariants: Option<usize>,
    pub fam: Option<usize>,
    pub h2: bool,
    pub no_mutexes: bool,
    pub keep_irrelevant: bool,
    pub unit_costs: bool,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub determinize: Option<Determinization>,
    /// Whether operators have no names. Then [`TranslateAnswer::write_sas`] takes less time and memory.
    #[serde(skip)]
    pub without_names: bool,
}

impl TaskQuery for TranslateQuery {
    const NAME: &'static str = "translate";
    const ABOUT: &'static str =
        "Translate a problem in PDDL to a finite-domain task (SAS+), and count its parts.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "invariants",
            at_least("N", 0),
            "The largest number of candidates for invariants [default: 100000]",
        ),
        OptionSpec::new(
            "fam",
            OptionValues::Count {
                word: "N",
                least: 0,
                missing: Some("1"),
            },
            "Also find groups by the ground actions (fact-alternating mutex groups), until each atom is in N groups; 0 for none \
             [default: 1]",
        ),
        OptionSpec::new(
            "h2",
            OptionValues::Flag,
            "Also find pairs of facts that exclude each other (h²), and remove operators that are in no plan",
        ),
        OptionSpec::new(
            "no-mutexes",
            OptionValues::Flag,
            "Make each atom a variable of its own",
        ),
        OptionSpec::new(
            "keep-irrelevant",
            OptionValues::Flag,
            "Keep variables that no plan depends on",
        ),
        OptionSpec::new(
            "unit-costs",
            OptionValues::Flag,
            "Write the cost 1 for every operator, whatever the metric",
        ),
        OptionSpec::new(
            "determinize",
            OptionValues::Words(
                "HOW",
                &[
                    ("all-outcomes", "Every outcome is an operator"),
                    ("most-likely", "Every operator has its most likely outcome"),
                ],
            ),
            "The treatment of random outcomes; without it, they are refused",
        ),
    ];
    type Answer = TranslateAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<TranslateAnswer, TaskFailure> {
        translate(problems, self, run)
    }
}

/// A finite-domain task and its size. Serialises as `herbrand translate --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct TranslateAnswer {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The number of variables.
    pub variables: usize,
    /// The number of variables that axioms define.
    pub derived: usize,
    /// The number of values of all variables.
    pub facts: usize,
    /// The number of bits of a state.
    pub bits: u64,
    /// The number of operators.
    pub operators: usize,
    /// The number of axioms.
    pub axioms: usize,
    /// The number of groups of facts that exclude each other.
    pub mutex_groups: usize,
    /// The number of actions that h² removed, as they are in no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed_actions: Option<usize>,
    /// Whether the translation shows that no plan exists.
    pub unsolvable: bool,
    /// The amount of the metric per unit of cost.
    pub cost_unit: f64,
    /// The seconds from the text to the task.
    pub seconds: f64,
    #[serde(skip)]
    ground: GroundTask,
    #[serde(skip)]
    translation: Translation,
}

impl TranslateAnswer {
    /// Returns the task.
    #[must_use]
    pub const fn task(&self) -> &FiniteDomainTask {
        &self.translation.task
    }

    /// Writes the task in the format of Fast Downward's translator.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write_sas(&self, out: &mut dyn Write) -> io::Result<()> {
        self.translation.write_sas(&self.ground, out)
    }
}

/// Translates the first of the problems, in PDDL.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::translate::{TranslateQuery, translate};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let answer = translate(&problems, &TranslateQuery::default(), &mut Run::default())?;
/// assert_eq!(answer.operators, answer.task().operators.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, too large for the limits or not in PDDL, or such a task cannot hold it.
pub fn translate(
    problems: &AnyProblems,
    query: &TranslateQuery,
    run: &mut Run<'_>,
) -> Result<TranslateAnswer, TaskFailure> {
    let begin = Instant::now();
    query.check()?;
    let suite = problems.first()?.pddl("translate")?;
    let budget = Budget::new(run.limits);
    let (domain, problem) = (suite.domain(), suite.parse_problem(0)?);
    let (ground, translation, cost_unit) = query.translated(domain, &problem, &budget)?;
    let task = &translation.task;
    let variables = || task.variables.iter();
    Ok(TranslateAnswer {
        domain: suite.name().to_owned(),
        problem: suite.full_problem_name(0).unwrap_or_default(),
        variables: task.variables.len(),
        derived: variables().filter(|variable| variable.layer.is_some()).count(),
        facts: variables().map(|variable| variable.values.len()).sum(),
        bits: task.state_bits(),
        operators: task.operators.len(),
        axioms: task.axioms.len(),
        mutex_groups: task.mutexes.len(),
        removed_actions: query.h2.then_some(translation.removed_actions),
        unsolvable: translation.is_unsolvable,
        cost_unit,
        seconds: begin.elapsed().as_secs_f64(),
        ground,
        translation,
    })
}

impl TranslateQuery {
    /// Checks that no option asks for groups that another forbids.
    fn check(&self) -> Result<(), TaskFailure> {
        let groups = [
            ("--invariants", self.invariants.is_some()),
            ("--fam", self.fam.is_some()),
            ("--h2", self.h2),
        ];
        match groups.iter().find(|(_, given)| *given && self.no_mutexes) {
            Some((option, _)) => Err(TaskFailure::option(
                "no-mutexes",
                &format!("leaves no groups for {option}"),
            )),
            None => Ok(()),
        }
    }

    /// Returns the ground task, its translation, and the amount of the metric for a cost of 1.
    fn translated(
        &self,
        domain: &Domain,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<(GroundTask, Translation, f64), TaskFailure> {
        let spent = |error: BudgetExhausted| refused(TranslateError::from(error), domain, problem);
        let normal = NormalDomain::within(domain, budget).map_err(spent)?;
        let task = ground_within(domain, &normal, problem, &GroundOptions::default(), budget)
            .map_err(|error| EnvError::from(CompileError::from(error)))?;
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
                candidates: self.invariants.unwrap_or(InvariantLimits::default().candidates),
                ..InvariantLimits::default()
            };
            let lifted = lifted_groups(&normal, &task, &limits, budget).map_err(spent)?;
            let limits = AlternatingLimits {
                each: self.fam.unwrap_or(1),
                ..AlternatingLimits::default()
            };
            alternating_groups(&task, lifted, &limits, budget).map_err(spent)?
        };
        let options = TranslateOptions {
            draws: if self.determinize == Some(Determinization::MostLikely) {
                Draws::MostLikely
            } else {
                Draws::Refuse
            },
            pairs: self.h2,
            only_relevant: !self.keep_irrelevant,
            operator_names: !self.without_names,
        };
        let translation = translate_ground(&task, &costs, groups, &options, budget);
        let translation = translation.map_err(|error| refused(error, domain, problem))?;
        Ok((task, translation, cost_unit))
    }

    /// Returns the task with an action for each outcome, if that is asked for.
    fn determinized(&self, task: GroundTask, budget: &Budget) -> Result<GroundTask, TaskFailure> {
        if self.determinize != Some(Determinization::AllOutcomes) || task.effects.chances() == 0 {
            return Ok(task);
        }
        let simulator = Simulator::new(Arc::new(task));
        let start = simulator.initial_state();
        let search = SearchTask::new(&simulator, &start, Determinization::AllOutcomes, budget)?;
        Ok(search.simulator().task().clone())
    }
}
