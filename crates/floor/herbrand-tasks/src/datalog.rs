//! The Datalog program of a problem.

use herbrand_datalog::Program;
use herbrand_env::{EnvError, Suite};
use herbrand_ground::LiftedTask;
use herbrand_limits::Limits;
use herbrand_pddl::Problem;
use herbrand_rddl_sim::ground::{self as rddl, Guards};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_step::CompileError;
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::options::OptionSpec;
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;

/// The query for a Datalog program, which has no options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DatalogQuery {}

impl TaskQuery for DatalogQuery {
    const NAME: &'static str = "datalog";
    const ABOUT: &'static str =
        "Compile a problem to the Datalog program that finds derived atoms and applicable actions.";
    const OPTIONS: &'static [OptionSpec] = &[];
    type Answer = DatalogAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<DatalogAnswer, TaskFailure> {
        datalog(problems, run)
    }
}

/// A Datalog program. Serialises as `herbrand datalog --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct DatalogAnswer {
    /// The name of the domain.
    pub domain: String,
    /// The name of the problem; `None` if the program is that of the domain.
    pub problem: Option<String>,
    /// The relations.
    pub relations: Vec<DatalogRelation>,
    /// The rules as text.
    pub rules: Vec<String>,
    /// The number of facts that never change.
    pub facts: usize,
    /// The program.
    #[serde(skip)]
    pub program: Program,
}

/// A relation of a Datalog program.
#[derive(Clone, Debug, Serialize)]
pub struct DatalogRelation {
    /// The name.
    pub name: String,
    /// The number of columns.
    pub arity: u32,
    /// Whether the relation never changes: no rule derives it and no action changes it.
    #[serde(rename = "static")]
    pub is_static: bool,
}

/// Compiles the first of the problems, or the domain of a set without problems, to the Datalog program that finds derived atoms and
/// applicable actions. In RDDL, the program lists the objects of sparse sums, products and quantifiers.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::datalog::datalog;
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let answer = datalog(&problems, &mut Run::default())?;
/// assert!(answer.rules.iter().any(|rule| rule.starts_with("applicable:pick-up")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large for the limits.
pub fn datalog(problems: &AnyProblems, run: &mut Run<'_>) -> Result<DatalogAnswer, TaskFailure> {
    match problems {
        AnyProblems::Pddl(suite) if !suite.is_ground() => of_pddl(suite),
        AnyProblems::Rddl(suite) => of_rddl(suite, &run.limits),
        other => Err(other.unsupported("datalog", "PDDL and RDDL")),
    }
}

fn of_pddl(suite: &Suite) -> Result<DatalogAnswer, TaskFailure> {
    let domain = suite.stepped_domain();
    let (name, problem) = if suite.is_empty() {
        let text = format!("(define (problem none) (:domain {}))", domain.name);
        (None, Problem::from_text(&text, domain).map_err(EnvError::from)?)
    } else {
        let problem = suite.stepped_problem(0)?;
        (Some(problem.name.to_string()), problem)
    };
    let compiled = LiftedTask::of(domain, &problem);
    let compiled = compiled.map_err(|error| EnvError::from(CompileError::from(error)))?;
    let facts = compiled.statics.len();
    Ok(DatalogAnswer::of(
        domain.name.to_string(),
        name,
        facts,
        compiled.program,
    ))
}

fn of_rddl(suite: &RddlSuite, limits: &Limits) -> Result<DatalogAnswer, TaskFailure> {
    let instance = suite.instance(0)?;
    let guards = Guards::of(instance, limits);
    let guards = guards.map_err(|error| RddlError::from(rddl::CompileError::from(error)))?;
    let (domain, name) = (instance.domain.name.to_string(), instance.name.to_string());
    Ok(DatalogAnswer::of(domain, Some(name), 0, guards.program().clone()))
}

impl DatalogAnswer {
    fn of(domain: String, problem: Option<String>, facts: usize, program: Program) -> Self {
        let relations = program.relation_ids().zip(program.relations());
        let relations = relations.map(|(id, relation)| DatalogRelation {
            name: relation.name.clone(),
            arity: relation.arity,
            is_static: program.is_static(id),
        });
        let rules = program.rule_ids();
        Self {
            domain,
            problem,
            relations: relations.collect(),
            rules: rules.map(|rule| program.display_rule(rule).to_string()).collect(),
            facts,
            program,
        }
    }
}
