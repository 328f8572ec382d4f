//! `herbrand rddl`: analyses of an RDDL problem without simulation.

mod bounds;
mod diagram;
mod graph;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use herbrand::env::ActionMode;
use herbrand::limits::Budget;
use herbrand::rddl::Instance;
use herbrand::rddl::ground::StepGraph;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::tasks::AnyProblems;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::input::FileKind;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::Format;
use crate::problem::ProblemArgs;

/// Analyse an RDDL problem: bounds, dependencies, decision diagrams
///
/// The analyses work on the model and do not simulate it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl bounds rddl/mountain-car --steps 50
  herbrand rddl graph rddl/elevators --out elevators.svg
  herbrand rddl diagram rddl/elevators 1 --of reward")]
pub struct Rddl {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    Bounds(bounds::Bounds),
    Graph(graph::Graph),
    Diagram(diagram::Diagram),
}

impl Rddl {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        match &self.question {
            Question::Bounds(question) => question.asked.limits,
            Question::Graph(question) => question.asked.limits,
            Question::Diagram(question) => question.asked.limits,
        }
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        match self.question {
            Question::Bounds(question) => question.run(format),
            Question::Graph(question) => question.run(format),
            Question::Diagram(question) => question.run(format),
        }
    }
}

/// The option for one fluent of the problem.
#[derive(Args)]
struct OneFluent {
    /// The fluent, in place of --of
    #[arg(value_name = "FLUENT", conflicts_with = "of")]
    fluent: Option<String>,

    /// The fluent, such as `stock___apple'` or `stock'(apple)`, or `reward`; in diagrams also `terminal` or `precondition 1`
    #[arg(long, value_name = "FLUENT")]
    of: Option<String>,
}

impl OneFluent {
    /// Takes the fluent from the option or from the words. Fails if a word names neither an instance nor a fluent.
    fn take(&mut self, asked: &mut ProblemArgs) -> Result<Option<String>, Failure> {
        let of = self.of.take().or_else(|| self.fluent.take());
        let of = of.or_else(|| asked.take_fluent());
        if of.is_some() {
            return Ok(of);
        }
        match asked.suite() {
            Err(Failure::Rddl(error @ RddlError::UnknownProblem { .. })) => match asked.take_pvariable() {
                Some(word) => Ok(Some(word)),
                None => refuse(format!("{error}; to name a fluent, use --of")),
            },
            _ => Ok(None),
        }
    }
}

impl ProblemArgs {
    /// Removes and returns the last word if it can only be a fluent, such as `stock'(apple)` or `reward`.
    fn take_fluent(&mut self) -> Option<String> {
        let is_fluent = |word: &str| {
            let is_output = matches!(word, "reward" | "terminal") || word.starts_with("precondition ");
            is_output || word.contains(['\'', '(']) || word.contains("___")
        };
        let last = self.last_word();
        last.take_if(|word| is_fluent(word) && !FileKind::is_file(word))
    }

    /// Removes and returns the last word if the other words name a domain that has a fluent of this name.
    fn take_pvariable(&mut self) -> Option<String> {
        let word = self.last_word().take()?;
        let suite = self.suite().ok();
        let domain = suite.and_then(|suite| Some(Arc::clone(&suite.instance(0).ok()?.domain)));
        if domain.is_some_and(|domain| domain.find_pvariable(&word).is_some()) {
            return Some(word);
        }
        *self.last_word() = Some(word);
        None
    }

    const fn last_word(&mut self) -> &mut Option<String> {
        if self.word.is_some() {
            &mut self.word
        } else {
            &mut self.name
        }
    }

    fn suite(&self) -> Result<RddlSuite, Failure> {
        match self.find(ActionMode::Operators)? {
            AnyProblems::Rddl(suite) => Ok(suite),
            _ => Err(Failure::OnlyFor("`rddl`".to_owned(), "RDDL")),
        }
    }

    fn instance(&self) -> Result<Arc<Instance>, Failure> {
        Ok(Arc::clone(self.suite()?.instance(0)?))
    }

    fn budget(&self) -> Budget {
        Budget::new(self.limits())
    }

    fn step(&self) -> Result<StepGraph, Failure> {
        let step = StepGraph::new(&self.instance()?, &self.budget());
        Ok(step.map_err(RddlError::from)?)
    }
}

/// The options for drawing a picture.
#[derive(Args)]
struct Drawn {
    /// Draw the picture to a .svg file; `graph` also writes a .dot file, for Graphviz
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Returns whether a file's name has this ending.
fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

impl Drawn {
    /// Writes a picture if --out is given; returns whether it did.
    fn write(
        &self,
        scene: impl FnOnce() -> Result<herbrand::render::Scene, Failure>,
    ) -> Result<bool, Failure> {
        let Some(path) = &self.out else { return Ok(false) };
        if !ends_with(path, "svg") {
            return refuse(format!("{}: this picture needs the ending .svg", path.display()));
        }
        let scene = scene()?;
        files::write_file(path, scene.to_svg(herbrand::render::Theme::Auto))?;
        files::report_written(path, format!("{} × {}", scene.width.ceil(), scene.height.ceil()));
        Ok(true)
    }
}
