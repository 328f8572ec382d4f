//! `herbrand datalog`: prints the Datalog program of a problem, as rules or as Rust.

use std::io::Write;
use std::path::Path;

use clap::Args;
use herbrand::codegen::Module;
use herbrand::datalog::Program;
use herbrand::env::ActionMode;
use herbrand::ground::LiftedTask;
use herbrand::limits::Limits;
use herbrand::play::Language;
use herbrand::rddl::ground::Guards;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::{Domain, Problem};
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{self, FileKind};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Print the Datalog program of a problem
///
/// From the atoms of a state, the rules derive its derived atoms, the applicable actions, and whether the goal holds. A rule
/// without a head is the condition of an effect. The engine evaluates numeric comparisons; those in axioms are relations
/// named `test`. The objects of the problem are the constants. In RDDL, the rules list the objects over which a sum, product
/// or quantifier ranges where non-fluents make most of its terms vanish.
///
/// With --rust, prints a module of typed `ascent` programs for all problems of the domain: a relation per predicate, type
/// and action, a program per stratum, and methods that return what is reachable, derived and applicable.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand datalog blocks-derived
  herbrand datalog blocks test/03
  herbrand datalog domain.pddl p01.pddl
  herbrand datalog rddl/sysadmin-mdp
  herbrand datalog sokoban --rust > sokoban.rs")]
pub struct Datalog {
    #[command(flatten)]
    problem: ProblemArgs,

    /// Print a Rust module of `ascent` programs instead
    #[arg(long, conflicts_with = "problem")]
    rust: bool,
}

#[derive(Serialize)]
struct RustReport {
    domain: String,
    /// The text of the module.
    rust: String,
}

#[derive(Serialize)]
struct Report {
    domain: String,
    problem: Option<String>,
    relations: Vec<Relation>,
    rules: Vec<String>,
    facts: usize,
}

#[derive(Serialize)]
struct Relation {
    name: String,
    arity: u32,
    /// Whether the relation never changes: no rule derives it and no action changes it.
    #[serde(rename = "static")]
    is_static: bool,
}

impl Datalog {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (domain, problem) = match self.model()? {
            Model::Rddl(_) if self.rust => {
                return Err(Failure::OnlyFor("--rust".to_owned(), "PDDL"));
            }
            Model::Rddl(suite) => return guards(&suite, self.problem.limits(), format),
            Model::Pddl(domain, problem) => (domain, problem),
        };
        if self.rust {
            return print_module(&domain, format);
        }
        let named = problem.is_some();
        let problem = match problem {
            Some(problem) => *problem,
            None => without_objects(&domain)?,
        };
        let compiled = LiftedTask::of(&domain, &problem).map_err(Failure::of)?;
        match format {
            Format::Json => output::json(&report(&domain, named.then_some(&problem), &compiled))?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", compiled.program)?;
                out.flush()?;
            }
        }
        Ok(CommandOutcome::Yes)
    }

    /// Returns the domain, and the problem if the command line names one.
    fn model(&self) -> Result<Model, Failure> {
        let words = self.problem.words(&[])?;
        let is_file = FileKind::is_file(&words.domain);
        if is_file && words.problems.is_empty() && words.rest.is_empty() {
            let source = input::read_within(Path::new(&words.domain), self.problem.limits())?;
            if Language::of_source(&source) == Language::Pddl && !input::is_task_text(source.text()) {
                let options = input::read_options(self.problem.limits());
                let (domain, _) = Domain::parse_with(&source, &options)?;
                return Ok(Model::Pddl(Box::new(domain), None));
            }
        }
        let suite = match self.problem.find_among(&words, ActionMode::Operators)? {
            AnyProblems::Rddl(suite) => return Ok(Model::Rddl(suite)),
            AnyProblems::Pddl(suite) if !suite.is_ground() => suite,
            other => return Err(other.unsupported("datalog", "PDDL and RDDL").into()),
        };
        let problem = (!words.problems.is_empty())
            .then(|| suite.parse_problem(0))
            .transpose()?;
        Ok(Model::Pddl(
            Box::new(suite.domain().clone()),
            problem.map(Box::new),
        ))
    }
}

/// The input of a program.
enum Model {
    Pddl(Box<Domain>, Option<Box<Problem>>),
    Rddl(RddlSuite),
}

/// Prints the Rust module of a domain.
fn print_module(domain: &Domain, format: Format) -> Result<CommandOutcome, Failure> {
    let module = Module::of(domain).map_err(Failure::of)?;
    match format {
        Format::Json => output::json(&RustReport {
            domain: domain.name.to_string(),
            rust: module.to_string(),
        })?,
        Format::Text => {
            let mut out = output::out();
            write!(out, "{module}")?;
            out.flush()?;
        }
    }
    Ok(CommandOutcome::Yes)
}

/// Prints the Datalog rules that enumerate the sparse sums, products and quantifiers of an instance.
fn guards(suite: &RddlSuite, limits: Limits, format: Format) -> Result<CommandOutcome, Failure> {
    let instance = suite.instance(0)?;
    let guards = Guards::of(instance, &limits).map_err(Failure::of)?;
    let program = guards.program();
    match format {
        Format::Json => output::json(&Report {
            domain: instance.domain.name.to_string(),
            problem: Some(instance.name.to_string()),
            relations: relations(program),
            rules: rules(program),
            facts: 0,
        })?,
        Format::Text if program.rules().is_empty() => {
            anstream::eprintln!(
                "no sum, product or quantifier of {} has a guard of non-fluents",
                instance.name
            );
        }
        Format::Text => {
            let mut out = output::out();
            write!(out, "{program}")?;
            out.flush()?;
        }
    }
    Ok(CommandOutcome::Yes)
}

/// Builds a problem of `domain` with no objects except the domain's constants.
fn without_objects(domain: &Domain) -> Result<Problem, Failure> {
    let text = format!("(define (problem none) (:domain {}))", domain.name);
    Ok(Problem::from_text(&text, domain)?)
}

fn report(domain: &Domain, problem: Option<&Problem>, compiled: &LiftedTask) -> Report {
    let program = &compiled.program;
    Report {
        domain: domain.name.to_string(),
        problem: problem.map(|problem| problem.name.to_string()),
        relations: relations(program),
        rules: rules(program),
        facts: compiled.statics.len(),
    }
}

fn relations(program: &Program) -> Vec<Relation> {
    let relations = program.relation_ids().zip(program.relations());
    let relations = relations.map(|(id, relation)| Relation {
        name: relation.name.clone(),
        arity: relation.arity,
        is_static: program.is_static(id),
    });
    relations.collect()
}

fn rules(program: &Program) -> Vec<String> {
    let rules = program.rule_ids();
    rules.map(|rule| program.display_rule(rule).to_string()).collect()
}
