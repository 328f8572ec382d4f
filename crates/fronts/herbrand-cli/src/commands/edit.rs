//! `herbrand edit`: typed edits of a problem and its domain.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use herbrand::edit::lines::{LineEdits, Renaming};
use herbrand::edit::{
    Edit as ModelEdit, EditFault, EditFaults, EditRules, PlanningModel, difference, lines, schema,
};
use herbrand::env::{ActionMode, Suite};
use herbrand::pddl::Problem;
use herbrand::tasks::FailureKind;
use herbrand::tasks::check::CheckFinding;
use herbrand::text::Severity;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::{Failure, refuse};
use crate::files::{self, report_written, write_file};
use crate::input;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Edit a problem: facts, objects, goal, literals of actions
///
/// Edits are a JSON list. Either all of them are applied or none; each error is reported with the number of its edit.
/// Without --out, the edited problem is printed.
#[derive(Args)]
#[command(group(ArgGroup::new("work")))]
#[command(after_help = r#"Examples:
  herbrand edit domain.pddl p01.pddl edits.json --out edited.pddl
  echo '[{"edit": "rename-object", "object": "a", "to": "base"}]' | herbrand edit blocks --edits -
  herbrand edit domain.pddl p01.pddl --difference p02.pddl                       the edits from p01 to p02
  herbrand edit blocks --schema                                                  the JSON Schema of edits"#)]
pub struct Edit {
    #[command(flatten)]
    pub problem: ProblemArgs,

    /// A file with the edits
    #[arg(value_name = "EDITS", group = "work")]
    file: Option<String>,

    /// A file with the edits, in place of EDITS; `-` is standard input
    #[arg(long, value_name = "FILE", group = "work")]
    edits: Option<PathBuf>,

    /// Print the edits that turn the problem into the one in this file
    #[arg(long, value_name = "FILE", group = "work")]
    difference: Option<PathBuf>,

    /// Print the JSON Schema of edits of this domain
    #[arg(long, group = "work")]
    schema: bool,

    /// Read edits as lines to add, replace and delete, in PDDLEGO's JSON format
    #[arg(long)]
    lines: bool,

    /// With --lines, edit the text without checks, as PDDLEGO does
    #[arg(long, requires = "lines")]
    unchecked: bool,

    /// A JSON file of rules: which relations are functions, and which facts must stay true
    #[arg(long, value_name = "FILE", conflicts_with = "unchecked")]
    rules: Option<PathBuf>,

    /// Write the edited problem to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the edited domain to this file
    #[arg(long, value_name = "FILE", conflicts_with = "unchecked")]
    out_domain: Option<PathBuf>,
}

impl Edit {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let mut words = self.problem.words(self.file.as_slice())?;
        let edits = self.edits.clone().or(words.rest.pop().map(PathBuf::from));
        let suite = self
            .problem
            .find_among(&words, ActionMode::Operators)?
            .pddl("edit")?;
        let model = PlanningModel::new(suite.domain().clone(), suite.parse_problem(0)?);
        if self.schema {
            output::json(&schema(model.domain()))?;
            return Ok(CommandOutcome::Yes);
        }
        if let Some(file) = &self.difference {
            print_difference(&model, file)?;
            return Ok(CommandOutcome::Yes);
        }
        let Some(edits) = edits else {
            return refuse("give the edits: a file after the problem, or `--edits -` for standard input");
        };
        files::note_input(&edits);
        files::check_before(self.out.as_deref())?;
        files::check_before(self.out_domain.as_deref())?;
        if self.unchecked {
            let text = problem_text(&suite, &model);
            let edits: LineEdits = read_json(&edits)?;
            let edited = lines::apply(&text, &edits, Renaming::Textual);
            let edited = edited.map_err(Failure::of)?;
            self.give(&edited, format)?;
        } else {
            let edited = model
                .apply(&self.typed_edits(&edits)?, &self.rules()?)
                .map_err(faults)?;
            self.give(&edited.problem_text(), format)?;
            if let Some(path) = &self.out_domain {
                write_file(path, edited.domain_text())?;
                report_written(path, "the edited domain");
            }
        }
        Ok(CommandOutcome::Yes)
    }

    fn typed_edits(&self, file: &Path) -> Result<Vec<ModelEdit>, Failure> {
        if self.lines {
            let lines: LineEdits = read_json(file)?;
            return lines.typed().map_err(Failure::of);
        }
        read_json(file)
    }

    fn rules(&self) -> Result<EditRules, Failure> {
        self.rules
            .as_deref()
            .map_or_else(|| Ok(EditRules::default()), read_json)
    }

    fn give(&self, problem: &str, format: Format) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            write_file(path, problem)?;
            report_written(path, "the edited problem");
            return Ok(());
        }
        if format == Format::Json {
            return Ok(output::json(&Value::from(problem))?);
        }
        let mut out = output::out();
        write!(out, "{problem}")?;
        Ok(out.flush()?)
    }
}

/// Returns the original text of the problem.
fn problem_text(suite: &Suite, model: &PlanningModel) -> String {
    let source = suite.problem_source(0);
    source.map_or_else(|| model.problem_text(), |source| source.text().to_owned())
}

fn print_difference(model: &PlanningModel, file: &Path) -> Result<(), Failure> {
    let other = Problem::parse(&input::read(file)?, model.domain())?;
    let other = PlanningModel::new(model.domain().clone(), other);
    match difference(model, &other) {
        Some(edits) => Ok(output::json(&edits)?),
        None => refuse(
            "edits cannot express how these problems differ: in names, function values, probabilities, the metric, or \
             whether there is a goal",
        ),
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let source = input::read(path)?;
    serde_json::from_str(source.text()).map_err(|error| Failure::told(source.name(), error))
}

fn faults(faults: EditFaults) -> Failure {
    let told =
        |fault: &EditFault| CheckFinding::plain(Severity::Error, FailureKind::Input, fault.to_string());
    Failure::Faults(faults.0.iter().map(told).collect())
}
