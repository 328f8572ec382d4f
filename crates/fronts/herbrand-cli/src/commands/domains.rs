//! `herbrand domains`: the bundled domains and environments.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::collections::{Collection, Search};
use herbrand::core::Problems as _;
use herbrand::env::{Config, EnvError, Registry, Split};
use herbrand::pddl::Source;
use herbrand::rddl::suite::RddlSuite;
use herbrand_domains::{BundledEnvironment, environments};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::survey::Survey;
use herbrand::tasks::open::RDDL;

/// List the bundled domains
///
/// Lists PDDL domains first, then RDDL environments, each with a description and its source. Sizes are a range from the
/// smallest to the largest problem: objects, atoms of an observation and agent actions; in RDDL objects, ground state
/// fluents and ground action fluents.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand domains
  herbrand domains --format json
  herbrand domains pddlgym:         list the names of an installed collection
  herbrand domains --out here       write all files, for use with other programs")]
pub struct Domains {
    /// List the names of a collection instead: `pddlgym:`, `rddlrepository:`, `pypddl-datasets:` or `fetched:`
    #[arg(value_name = "COLLECTION", conflicts_with = "out")]
    collection: Option<String>,

    /// Write the files of all bundled domains to this folder, one subfolder per domain
    #[arg(long, short, alias = "write", value_name = "FOLDER")]
    out: Option<PathBuf>,
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

/// An environment in RDDL.
#[derive(Serialize)]
struct RddlRow {
    domain: String,
    horizon: Option<u32>,
    discount: f64,
    #[serde(flatten)]
    survey: Survey,
    description: String,
    source: String,
}

/// A row of any language.
#[derive(Serialize)]
#[serde(tag = "language", rename_all = "lowercase")]
enum Listed<'r> {
    Pddl(&'r Row),
    Rddl(&'r RddlRow),
}

impl Domains {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        if let Some(folder) = &self.out {
            return self.write(folder);
        }
        if let Some(collection) = &self.collection {
            return list_collection(collection, format);
        }
        let pddl = Registry::names()?;
        let rows: Result<Vec<_>, Failure> = pddl.iter().map(|name| row(name)).collect();
        let in_rddl: Result<Vec<_>, Failure> = environments().iter().map(rddl_row).collect();
        let (rows, in_rddl) = (rows?, in_rddl?);
        match format {
            Format::Json => {
                let all = rows
                    .iter()
                    .map(Listed::Pddl)
                    .chain(in_rddl.iter().map(Listed::Rddl));
                output::json(&all.collect::<Vec<_>>())?;
            }
            Format::Text => {
                print(&rows)?;
                print_rddl(&in_rddl)?;
            }
        }
        Ok(CommandOutcome::Yes)
    }
}

impl Domains {
    /// Writes the files of all bundled domains. If a file exists with other contents, nothing is written, unless
    /// `--force` is given.
    fn write(&self, folder: &Path) -> Result<CommandOutcome, Failure> {
        let mut files = Vec::new();
        for name in Registry::names()? {
            files.extend(written(&name, folder)?);
        }
        let in_rddl = herbrand_domains::rddl();
        files.extend(in_rddl.map(|(path, text)| (folder.join(RDDL).join(path), Source::new(path, text))));
        let files: Vec<_> = files
            .iter()
            .map(|(path, source)| (path.clone(), source.text()))
            .collect();
        files::write_files(&files)?;
        Ok(CommandOutcome::Yes)
    }
}

/// Prints the names of a collection, one per line.
fn list_collection(word: &str, format: Format) -> Result<CommandOutcome, Failure> {
    let with_colon = format!("{}:", word.trim_end_matches(':'));
    let Some((collection, "")) = Collection::of(&with_colon) else {
        return refuse(format!(
            "`{word}` is no collection: name pddlgym:, rddlrepository:, pypddl-datasets: or fetched:, or nothing for the \
             bundled domains"
        ));
    };
    let names = Search::from_environment().names(collection)?;
    match format {
        Format::Json => output::json(&names)?,
        Format::Text => {
            let mut out = output::out();
            names.iter().try_for_each(|name| writeln!(out, "{name}"))?;
            out.flush()?;
        }
    }
    Ok(CommandOutcome::Yes)
}

fn rddl_row(environment: &BundledEnvironment) -> Result<RddlRow, Failure> {
    let suite = RddlSuite::bundled(environment.name)?;
    let config = Config::parse(&Source::new("env.toml", environment.config)).map_err(EnvError::from)?;
    Ok(RddlRow {
        domain: suite.name().to_owned(),
        horizon: suite.horizon(0),
        discount: suite.discount(0),
        survey: Survey::of_rddl(&suite)?,
        description: config.description,
        source: config.source,
    })
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

/// Returns the files of the bundled domain `name`, each with its path below `folder`.
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

fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = [
        ("domain", false),
        ("train", true),
        ("test", true),
        ("horizon", true),
        ("objects", true),
        ("atoms", true),
        ("actions", true),
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
        ]
    });
    let notes = rows
        .iter()
        .map(|row| note(&row.description, &row.source, &row.survey.features));
    Ok(output::table_with_notes(&columns, cells, notes)?)
}

/// Returns the line below a domain: its description, its source and the features that few domains have.
fn note(description: &str, source: &str, features: &[String]) -> String {
    let features = match features {
        [] => String::new(),
        features => format!("; uses {}", features.join(", ")),
    };
    format!("{description} ({source}){features}")
}

fn print_rddl(rows: &[RddlRow]) -> Result<(), Failure> {
    let columns = [
        ("RDDL environment", false),
        ("instances", true),
        ("horizon", true),
        ("objects", true),
        ("fluents", true),
        ("actions", true),
    ];
    let cells = rows.iter().map(|row| {
        vec![
            row.domain.clone(),
            row.survey.problems.to_string(),
            row.horizon
                .map_or_else(|| "–".to_owned(), |horizon| horizon.to_string()),
            row.survey.objects.to_string(),
            row.survey.atoms.to_string(),
            row.survey.actions.to_string(),
        ]
    });
    let notes = rows.iter().map(|row| {
        let note = note(&row.description, &row.source, &row.survey.features);
        match row.discount {
            1.0 => note,
            discount => format!("{note}; discount {discount}"),
        }
    });
    writeln!(output::out())?;
    Ok(output::table_with_notes(&columns, cells, notes)?)
}
