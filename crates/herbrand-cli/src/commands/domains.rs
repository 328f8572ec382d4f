//! `herbrand domains`: what is bundled.

use clap::Args;
use herbrand::env::{Registry, Split};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};

/// List the bundled domains
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand domains
  herbrand domains --format json")]
pub struct Domains {}

#[derive(Serialize)]
struct Row {
    domain: String,
    train: usize,
    test: usize,
    horizon: Option<u32>,
    requirements: Vec<String>,
    description: String,
    source: String,
}

impl Domains {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
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
        description: config.description.clone(),
        source: config.source.clone(),
    })
}

fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = [
        ("domain", false),
        ("train", true),
        ("test", true),
        ("horizon", true),
        ("description", false),
    ];
    let rows = rows.iter().map(|row| {
        vec![
            row.domain.clone(),
            row.train.to_string(),
            row.test.to_string(),
            row.horizon
                .map_or_else(|| "–".to_owned(), |horizon| horizon.to_string()),
            row.description.clone(),
        ]
    });
    Ok(output::table(&columns, rows)?)
}
