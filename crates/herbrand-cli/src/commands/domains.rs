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
use crate::output::{self, Format, counted};
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

    /// With --write: replace files that hold something else
    #[arg(long, requires = "write")]
    force: bool,
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
            return self.write(folder);
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

impl Domains {
    /// Writes the files of all bundled domains. Files that hold something else are kept, and then nothing is written.
    fn write(&self, folder: &Path) -> Result<Answer, Failure> {
        let mut files = Vec::new();
        for name in Registry::names()? {
            files.extend(written(&name, folder)?);
        }
        let edited = files.iter().filter(|(path, source)| {
            let there = fs::read(path);
            there.is_ok_and(|there| there != source.text().as_bytes())
        });
        let edited: Vec<_> = edited.map(|(path, _)| path.display().to_string()).collect();
        if let (false, [first, rest @ ..]) = (self.force, edited.as_slice()) {
            let others = match rest.len() {
                0 => String::new(),
                count => format!(" and {}", counted(count as u64, "other file")),
            };
            return Err(Failure::Request(format!(
                "{first}{others} would be overwritten, and what is there is not what is bundled; nothing was written: \
                 name another folder, or give --force"
            )));
        }
        files
            .iter()
            .try_for_each(|(path, source)| write_file(path, source))?;
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

/// The files of the bundled domain `name`, with their paths below a folder.
fn written(name: &str, folder: &Path) -> Result<Vec<(PathBuf, Source)>, Failure> {
    let mut written = Vec::new();
    for files in Registry::files(name)? {
        let folder = folder.join(&files.name);
        written.push((folder.join("domain.pddl"), files.domain));
        written.extend(files.config.map(|config| (folder.join("env.toml"), config)));
        for problem in files.problems {
            let split = problem.split.map(|split| split.to_string()).unwrap_or_default();
            let path = folder.join(split).join(format!("{}.pddl", problem.name));
            written.push((path, problem.source));
        }
    }
    Ok(written)
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
