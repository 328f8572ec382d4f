//! Policies in files: tables of states as JSON or CSV.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use herbrand::tasks::plan::{PolicyReport, StateTable};
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::output::{counted, significant};

/// A file for the table of a policy.
pub(super) struct TableFile {
    path: PathBuf,
    is_csv: bool,
}

/// A policy as the contents of a JSON file.
#[derive(Serialize)]
struct SavedTable<'t> {
    made_by: String,
    domain: &'t str,
    problem: &'t str,
    planner: &'static str,
    #[serde(flatten)]
    table: &'t StateTable,
}

impl TableFile {
    /// Creates the description of the file at a path. Nothing is written yet.
    ///
    /// # Errors
    /// Fails if the ending of the path names no format of tables, or if the file must not be replaced.
    pub(super) fn new(path: &Path) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        let is_csv = match ending.to_ascii_lowercase().as_str() {
            "csv" => true,
            "json" => false,
            _ => {
                let message = "a policy is a table of states, not a sequence of steps: end the file of --out in .csv or .json";
                return Err(Failure::Request(message.to_owned()));
            }
        };
        let file = Self {
            path: path.to_owned(),
            is_csv,
        };
        files::check_before(Some(path))?;
        Ok(file)
    }

    /// Writes all states of a table, and says so.
    pub(super) fn write(
        &self,
        domain: &str,
        report: &PolicyReport,
        table: &StateTable,
    ) -> Result<(), Failure> {
        let text = if self.is_csv {
            csv(table)
        } else {
            let saved = SavedTable {
                made_by: format!("herbrand {}", env!("CARGO_PKG_VERSION")),
                domain,
                problem: &report.problem,
                planner: report.planner,
                table,
            };
            let json = serde_json::to_string(&saved).map_err(Failure::of)?;
            json + "\n"
        };
        files::write_file(&self.path, text)?;
        files::report_written(&self.path, counted(table.rows.len() as u64, "state"));
        Ok(())
    }
}

/// Returns a table as CSV, with a line for each state, or for each valid action of each state.
fn csv(table: &StateTable) -> String {
    let mut text =
        "state,start_probability,goal,action,chosen,goal_probability,expected_cost,facts\n".to_owned();
    for row in &table.rows {
        let mut line = |action: &str, is_chosen: bool, share: f64, cost: Option<f64>| {
            // Writing to a string cannot fail. Names of PDDL have no quotes and no commas.
            let _ = writeln!(
                text,
                "{},{},{},{action},{is_chosen},{},{},{}",
                row.state,
                significant(row.start_probability),
                row.goal,
                significant(share),
                cost.map(significant).unwrap_or_default(),
                row.facts.join(" ")
            );
        };
        match row.values.as_deref() {
            Some(values @ [_, ..]) => values.iter().for_each(|value| {
                let is_chosen = row.action.as_ref() == Some(&value.action);
                line(
                    &value.action,
                    is_chosen,
                    value.goal_probability,
                    value.expected_cost,
                );
            }),
            _ => {
                let action = row.action.as_deref();
                line(
                    action.unwrap_or_default(),
                    action.is_some(),
                    row.goal_probability,
                    row.expected_cost,
                );
            }
        }
    }
    text
}
