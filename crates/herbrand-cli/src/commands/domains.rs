//! `herbrand domains`: what is bundled.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::{Registry, Split};
use herbrand::pddl::Source;
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input::file_error;
use crate::output::{self, Format};
use crate::survey::Survey;

/// List the bundled domains
///
/// Below each domain stands what it is about and where the idea comes from. Sizes are those of the smallest and the
/// largest problem: objects, atoms of an observation, actions of the agent.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand domains
  herbrand domains --format json
  herbrand domains --write here       all files, for other programs")]
pub struct Domains {
    /// Write the files of all bundled domains into a folder, each as a folder of its own
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

#[derive(Serialize)]
struct Row {
    domain: String,
    train: usize,
    test: usize,
    horizon: Option<u32>,
    requirements: Vec<String>,
    #[serde(flatten)]
    survey: Survey,
    description: String,
    source: String,
}

impl Domains {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if let Some(folder) = &self.write {
            Registry::names()?
                .iter()
                .try_for_each(|name| write(name, folder))?;
            return Ok(Answer::Yes);
        }
        let rows = Registry::names()?
            .iter()
            .map(|name| row(name))
            .collect::<Result<Vec<_>, Failure>>()?;
        match format {
            Format::Json => output::json(&rows)?,
            Format::Text => print(&rows)?,
        }
        Ok(Answer::Yes)
    }
}

fn row(name: &str) -> Result<Row, Failure> {
    let suite = Registry::get(name)?;
    let config = suite.config();
    Ok(Row {
        domain: name.to_owned(),
        train: suite.split(Split::Train).len(),
        test: suite.split(Split::Test).len(),
        horizon: config.horizon,
        requirements: suite
            .domain()
            .requirements
            .iter()
            .map(|requirement| requirement.keyword().to_owned())
            .collect(),
        survey: Survey::of(&suite)?,
        description: config.description.clone(),
        source: config.source.clone(),
    })
}

/// Writes the files of the bundled domain `name` into a folder of its name.
fn write(name: &str, folder: &Path) -> Result<(), Failure> {
    for files in Registry::files(name)? {
        let folder = folder.join(&files.name);
        write_file(&folder.join("domain.pddl"), &files.domain)?;
        if let Some(config) = &files.config {
            write_file(&folder.join("env.toml"), config)?;
        }
        for problem in &files.problems {
            let split = problem.split.map(|split| split.to_string()).unwrap_or_default();
            let path = folder.join(split).join(format!("{}.pddl", problem.name));
            write_file(&path, &problem.source)?;
        }
    }
    Ok(())
}

fn write_file(path: &Path, source: &Source) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
    fs::write(path, source.text()).map_err(|error| file_error(path, error))
}

fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = [
        ("domain", false),
        ("train", true),
        ("test", true),
        ("horizon", true),
        ("objects", true),
        ("atoms", true),
        ("actions", true),
        ("beyond typed STRIPS", false),
    ];
    let cells = rows.iter().map(|row| {
        vec![
            row.domain.clone(),
            row.train.to_string(),
            row.test.to_string(),
            row.horizon
                .map_or_else(|| "–".to_owned(), |horizon| horizon.to_string()),
            row.survey.objects.to_string(),
            row.survey.atoms.to_string(),
            row.survey.actions.to_string(),
            row.survey.features.join(" "),
        ]
    });
    let notes = rows
        .iter()
        .map(|row| format!("    {} ({})", row.description, row.source));
    Ok(output::table_with_notes(&columns, cells, notes)?)
}
