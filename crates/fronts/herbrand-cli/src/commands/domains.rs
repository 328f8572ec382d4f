//! `herbrand domains`: the bundled domains and environments.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::collections::{Collection, Search};
use herbrand::core::Problems as _;
use herbrand::env::{Config, EnvError, Registry, Split};
use herbrand::pddl::Source;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::survey::Survey;
use herbrand_domains::{BundledEnvironment, environments};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
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

/// A bundled domain or environment.
#[derive(Serialize)]
struct Row {
    language: &'static str,
    domain: String,
    /// The numbers of training and test problems, in PDDL.
    #[serde(flatten)]
    split: Option<SplitSizes>,
    horizon: Option<u32>,
    /// In PDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    requirements: Option<Vec<String>>,
    /// In RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    discount: Option<f64>,
    #[serde(flatten)]
    survey: Survey,
    description: String,
    source: String,
}

#[derive(Serialize)]
struct SplitSizes {
    train: usize,
    test: usize,
}

impl Domains {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        if let Some(folder) = &self.out {
            return self.write(folder);
        }
        if let Some(collection) = &self.collection {
            return list_collection(collection, format);
        }
        let pddl = Registry::names()?.into_iter().map(|name| row(&name));
        let pddl = pddl.collect::<Result<Vec<_>, _>>()?;
        let in_rddl: Result<Vec<_>, _> = environments().iter().map(rddl_row).collect();
        let in_rddl = in_rddl?;
        match format {
            Format::Json => output::json(&pddl.iter().chain(&in_rddl).collect::<Vec<_>>())?,
            Format::Text => {
                print(&["domain", "train", "test"], "atoms", &pddl)?;
                writeln!(output::out())?;
                print(&["RDDL environment", "instances"], "fluents", &in_rddl)?;
            }
        }
        Ok(CommandOutcome::Yes)
    }

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

fn rddl_row(environment: &BundledEnvironment) -> Result<Row, Failure> {
    let suite = RddlSuite::bundled(environment.name)?;
    let config = Config::parse(&Source::new("env.toml", environment.config)).map_err(EnvError::from)?;
    Ok(Row {
        language: "rddl",
        domain: suite.name().to_owned(),
        split: None,
        horizon: suite.horizon(0),
        requirements: None,
        discount: Some(suite.discount(0)),
        survey: Survey::of(&AnyProblems::Rddl(suite.clone()))?,
        description: config.description,
        source: config.source,
    })
}

fn row(name: &str) -> Result<Row, Failure> {
    let suite = Registry::get(name)?;
    let config = suite.config();
    let requirements = suite.domain().requirements.iter();
    let requirements = requirements.map(|requirement| requirement.keyword().to_owned());
    Ok(Row {
        language: "pddl",
        domain: name.to_owned(),
        split: Some(SplitSizes {
            train: suite.split(Split::Train).len(),
            test: suite.split(Split::Test).len(),
        }),
        horizon: config.horizon,
        requirements: Some(requirements.collect()),
        discount: None,
        survey: Survey::of(&AnyProblems::Pddl(suite.clone()))?,
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

/// Prints a table with a note below each row: the description, the source and the features that few domains have.
fn print(first: &[&str], atoms: &str, rows: &[Row]) -> Result<(), Failure> {
    let titles = first
        .iter()
        .copied()
        .chain(["horizon", "objects", atoms, "actions"]);
    let columns: Vec<_> = titles.enumerate().map(|(at, title)| (title, at > 0)).collect();
    let cells = rows.iter().map(|row| {
        let counts = match &row.split {
            Some(split) => vec![split.train, split.test],
            None => vec![row.survey.problems],
        };
        let mut cells = vec![row.domain.clone()];
        cells.extend(counts.iter().map(usize::to_string));
        cells.push(
            row.horizon
                .map_or_else(|| "–".to_owned(), |horizon| horizon.to_string()),
        );
        let survey = &row.survey;
        cells.extend([survey.objects, survey.atoms, survey.actions].map(|range| range.to_string()));
        cells
    });
    let notes = rows.iter().map(|row| {
        let mut note = format!("{} ({})", row.description, row.source);
        if !row.survey.features.is_empty() {
            note += &format!("; uses {}", row.survey.features.join(", "));
        }
        match row.discount {
            Some(discount) if discount != 1.0 => format!("{note}; discount {discount}"),
            _ => note,
        }
    });
    Ok(output::table_with_notes(&columns, cells, notes)?)
}
