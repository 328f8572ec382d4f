//! `herbrand datalog`: the compiled program, readable or as Rust.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::codegen::Module;
use herbrand::datalog::Program;
use herbrand::env::ActionMode;
use herbrand::ground::LiftedTask;
use herbrand::play::Language;
use herbrand::rddl::ground::Guards;
use herbrand::rddl::suite::RddlSuite;
use herbrand::{Domain, Problem};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input;
use crate::limits;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;
use crate::problems::Problems;

/// Print the Datalog program of a domain
///
/// The rules derive, from the atoms of one state, its derived atoms, the applicable actions and whether the goal holds. A
/// rule without a head is the condition of an effect. Comparisons of numbers are left to the engine: those of axioms
/// are relations called `test`. Objects of a problem are the program's constants. In RDDL, the rules say over which objects
/// a sum, product or quantifier goes, where non-fluents make most of its terms nothing.
///
/// With --rust a module of typed `ascent` programs, for all problems of the domain. It has a relation per predicate, type
/// and action, a program per stratum, and methods that say what is reachable, derived and applicable.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand datalog blocks-derived
  herbrand datalog blocks --problem test/03
  herbrand datalog --domain domain.pddl --problem p01.pddl
  herbrand datalog rddl/sysadmin-mdp
  herbrand datalog sokoban --rust > sokoban.rs")]
pub struct Datalog {
    /// A bundled domain or a folder
    #[arg(
        value_name = "DOMAIN",
        conflicts_with = "domain_file",
        required_unless_present = "domain_file"
    )]
    name: Option<String>,

    /// A domain file
    #[arg(long = "domain", value_name = "FILE")]
    domain_file: Option<PathBuf>,

    /// A problem: with --domain a file, else a name such as 03 or test/03, or its place from 1
    #[arg(long, value_name = "FILE|NAME|PLACE")]
    problem: Option<String>,

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
    /// Whether no rule and no action changes it.
    #[serde(rename = "static")]
    is_static: bool,
}

impl Datalog {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if let Some(suite) = self.rddl()? {
            if self.rust {
                return Err(Failure::Request("--rust is for PDDL".to_owned()));
            }
            return guards(&suite, format);
        }
        let (domain, problem) = self.model()?;
        if self.rust {
            return print_module(&domain, format);
        }
        let named = problem.is_some();
        let problem = match problem {
            Some(problem) => problem,
            None => without_objects(&domain)?,
        };
        let compiled =
            LiftedTask::of(&domain, &problem).map_err(|error| Failure::Request(error.to_string()))?;
        match format {
            Format::Json => output::json(&report(&domain, named.then_some(&problem), &compiled))?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", compiled.program)?;
                out.flush()?;
            }
        }
        Ok(Answer::Yes)
    }

    /// The problem, if it is in RDDL.
    fn rddl(&self) -> Result<Option<RddlSuite>, Failure> {
        let arguments = ProblemArgs {
            name: self.name.clone(),
            domain_file: self.domain_file.clone(),
            problem: self.problem.clone(),
            split: None,
        };
        let may_be = match &self.domain_file {
            // Standard input can be read once.
            Some(path) if path == Path::new("-") => return Ok(None),
            Some(path) => Language::of(input::read(path)?.text()) == Language::Rddl,
            None => true,
        };
        if !may_be {
            return Ok(None);
        }
        if self.domain_file.is_some() && self.problem.is_none() {
            let message = "the rules of RDDL are those of an instance: name one by --problem";
            return Err(Failure::Request(message.to_owned()));
        }
        Ok(match arguments.find(ActionMode::Operators)? {
            Problems::Rddl(suite) => Some(suite),
            Problems::Pddl(_) => None,
        })
    }

    /// The domain, and the problem if one is named.
    fn model(&self) -> Result<(Domain, Option<Problem>), Failure> {
        if let Some(path) = &self.domain_file {
            let domain = Domain::parse(&input::read(path)?)?;
            let problem = self.problem.as_ref().map(|path| {
                let source = input::read(path.as_ref())?;
                Ok::<_, Failure>(Problem::parse(&source, &domain)?)
            });
            let problem = problem.transpose()?;
            return Ok((domain, problem));
        }
        let arguments = ProblemArgs {
            name: self.name.clone(),
            domain_file: None,
            problem: self.problem.clone(),
            split: None,
        };
        let suite = arguments.suite(ActionMode::Operators, "datalog")?;
        let problem = match &self.problem {
            Some(_) => suite.parse_problem(0).map(Some)?,
            None => None,
        };
        Ok((suite.domain().clone(), problem))
    }
}

/// Prints the Rust module of a domain.
fn print_module(domain: &Domain, format: Format) -> Result<Answer, Failure> {
    let module = Module::of(domain).map_err(|error| Failure::Request(error.to_string()))?;
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
    Ok(Answer::Yes)
}

/// Prints the rules for the sums, products and quantifiers of an instance that non-fluents make sparse.
fn guards(suite: &RddlSuite, format: Format) -> Result<Answer, Failure> {
    let instance = suite.instance(0)?;
    let guards =
        Guards::of(instance, &limits::defaults()).map_err(|error| Failure::Request(error.to_string()))?;
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
    Ok(Answer::Yes)
}

/// A problem of `domain` that has nothing but the domain's constants.
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
