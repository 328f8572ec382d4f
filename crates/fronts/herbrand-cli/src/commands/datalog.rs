//! `herbrand datalog`: prints the Datalog program of a problem, as rules or as Rust.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use clap::Args;
use herbrand::Domain;
use herbrand::codegen::Module;
use herbrand::env::{ActionMode, Suite};
use herbrand::play::Language;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::datalog::datalog;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{self, FileKind};
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
    pub problem: ProblemArgs,

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

impl Datalog {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let problems = self.problems()?;
        if self.rust {
            let suite = problems.pddl("--rust")?;
            let module = Module::of(suite.domain()).map_err(Failure::of)?;
            let report = RustReport {
                domain: suite.domain().name.to_string(),
                rust: module.to_string(),
            };
            return print(&report, &report.rust, format);
        }
        let answer = self.problem.run(|run| datalog(&problems, run))?;
        if format == Format::Text && answer.rules.is_empty() && matches!(problems, AnyProblems::Rddl(_)) {
            let problem = answer.problem.unwrap_or_default();
            anstream::eprintln!("no sum, product or quantifier of {problem} has a guard of non-fluents");
            return Ok(CommandOutcome::Yes);
        }
        print(&answer, &answer.program, format)
    }

    /// Reads the problem that the words name, or a set without problems if they name a domain in PDDL only.
    fn problems(&self) -> Result<AnyProblems, Failure> {
        let words = self.problem.words(&[])?;
        let is_alone = words.problems.is_empty() && words.rest.is_empty();
        if is_alone && FileKind::is_file(&words.domain) {
            let source = input::read_within(Path::new(&words.domain), self.problem.limits())?;
            if Language::of_source(&source) == Language::Pddl && !input::is_task_text(source.text()) {
                let options = input::read_options(self.problem.limits());
                let (domain, _) = Domain::parse_with(&source, &options)?;
                let suite = Suite::from_problems(domain, [], ActionMode::Operators)?;
                return Ok(AnyProblems::Pddl(suite));
            }
        }
        let problems = self.problem.find_among(&words, ActionMode::Operators)?;
        Ok(match problems {
            AnyProblems::Pddl(suite) if is_alone && !suite.is_ground() => {
                AnyProblems::Pddl(suite.select(&[])?)
            }
            problems => problems,
        })
    }
}

fn print(answer: &impl Serialize, text: &impl Display, format: Format) -> Result<CommandOutcome, Failure> {
    match format {
        Format::Json => output::json(answer)?,
        Format::Text => {
            let mut out = output::out();
            write!(out, "{text}")?;
            out.flush()?;
        }
    }
    Ok(CommandOutcome::Yes)
}
