//! `herbrand edit`: typed edits of a problem and its domain.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use herbrand::edit::lines::{LineEdits, Renaming};
use herbrand::edit::{Edit as ModelEdit, EditFaults, Model, Rules, difference, lines, schema};
use herbrand::env::ActionMode;
use herbrand::pddl::Problem;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Answer;
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Format, write_file};
use crate::problem::ProblemArgs;

/// Edit a problem: facts, objects, goal, literals of actions
///
/// Edits are a list in JSON; all of them are carried out, or none. What is wrong with them is said at once, each fault with
/// the number of its edit. Without --out the edited problem goes to standard output.
#[derive(Args)]
#[command(group(ArgGroup::new("work").required(true)))]
#[command(after_help = r#"Examples:
  herbrand edit --domain domain.pddl --problem p01.pddl --edits edits.json --out p01.pddl
  echo '[{"edit": "rename-object", "object": "a", "to": "base"}]' | herbrand edit blocks --edits -
  herbrand edit --domain domain.pddl --problem p01.pddl --difference p02.pddl    the edits from one to the other
  herbrand edit blocks --schema                                                  the form of edits, as a JSON Schema"#)]
pub struct Edit {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The edits; `-` is standard input
    #[arg(long, value_name = "FILE", group = "work")]
    edits: Option<PathBuf>,

    /// Print the edits that lead to the problem in this file
    #[arg(long, value_name = "FILE", group = "work")]
    difference: Option<PathBuf>,

    /// Print the form of edits of this domain, as a JSON Schema
    #[arg(long, group = "work")]
    schema: bool,

    /// The edits are an object of lines to add, replace and delete, as PDDLEGO writes them
    #[arg(long, requires = "edits")]
    lines: bool,

    /// With --lines: edit the text, as PDDLEGO does, and check nothing
    #[arg(long, requires = "lines")]
    unchecked: bool,

    /// A file of rules: which relations are functions, and which facts stay true
    #[arg(long, value_name = "FILE", requires = "edits", conflicts_with = "unchecked")]
    rules: Option<PathBuf>,

    /// Write the edited problem into this file
    #[arg(long, value_name = "FILE", requires = "edits")]
    out: Option<PathBuf>,

    /// Write the edited domain into this file
    #[arg(long, value_name = "FILE", requires = "edits", conflicts_with = "unchecked")]
    out_domain: Option<PathBuf>,
}

impl Edit {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let suite = self.problem.suite(ActionMode::Operators, "edit")?;
        let model = Model::new(suite.domain().clone(), suite.parse_problem(0)?);
        if self.schema {
            output::json(&schema(model.domain()))?;
        } else if let Some(file) = &self.difference {
            print_difference(&model, file)?;
        } else if self.unchecked {
            let text = self.problem_text(&model)?;
            let edits: LineEdits = self.read_edits()?;
            let edited = lines::apply(&text, &edits, Renaming::Textual);
            let edited = edited.map_err(|error| Failure::Request(error.to_string()))?;
            self.give(&edited, format)?;
        } else {
            let edited = model
                .apply(&self.typed_edits()?, &self.rules()?)
                .map_err(faults)?;
            self.give(&edited.problem_text(), format)?;
            if let Some(path) = &self.out_domain {
                write_file(path, edited.domain_text())?;
            }
        }
        Ok(Answer::Yes)
    }

    /// The text of the problem as it was written, where it is in a file.
    fn problem_text(&self, model: &Model) -> Result<String, Failure> {
        match (&self.problem.domain_file, &self.problem.problem) {
            (Some(_), Some(path)) => Ok(input::read(Path::new(path))?.text().to_owned()),
            _ => Ok(model.problem_text()),
        }
    }

    fn read_edits<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        read_json(self.edits.as_deref().unwrap_or(Path::new("-")))
    }

    fn typed_edits(&self) -> Result<Vec<ModelEdit>, Failure> {
        if self.lines {
            let lines: LineEdits = self.read_edits()?;
            return lines.typed().map_err(|error| Failure::Request(error.to_string()));
        }
        self.read_edits()
    }

    fn rules(&self) -> Result<Rules, Failure> {
        self.rules
            .as_deref()
            .map_or_else(|| Ok(Rules::default()), read_json)
    }

    fn give(&self, problem: &str, format: Format) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            return write_file(path, problem);
        }
        if format == Format::Json {
            return Ok(output::json(&Value::from(problem))?);
        }
        let mut out = output::out();
        write!(out, "{problem}")?;
        Ok(out.flush()?)
    }
}

fn print_difference(model: &Model, file: &Path) -> Result<(), Failure> {
    let other = Problem::parse(&input::read(file)?, model.domain())?;
    let other = Model::new(model.domain().clone(), other);
    match difference(model, &other) {
        Some(edits) => Ok(output::json(&edits)?),
        None => Err(Failure::Request(
            "edits cannot say how these problems differ: their names, the values of functions, chance, the metric, or \
             whether there is a goal"
                .to_owned(),
        )),
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let source = input::read(path)?;
    serde_json::from_str(source.text())
        .map_err(|error| Failure::Request(format!("{}: {error}", source.name())))
}

fn faults(faults: EditFaults) -> Failure {
    Failure::Faults(faults.0.iter().map(|fault| format!("error: {fault}\n")).collect())
}
