//! Draws learning curves as SVG.

use std::collections::BTreeMap;
use std::path::Path;

use herbrand::tasks::chart::{Chart, ChartLine, ChartPanel, ChartPoint};

use super::trial::Row;
use crate::failure::Failure;
use crate::files::write_file;

/// Writes a picture of two curves over the number of episodes, on a logarithmic axis: the share of solved test problems,
/// and the prediction error. Both are means over the seeds.
///
/// # Errors
/// Fails if the rows have no values, or the file cannot be written.
pub fn draw(file: &Path, title: &str, rows: &[Row]) -> Result<(), Failure> {
    let line = |name: &str, means: Vec<(f64, f64)>| {
        let point = |(x, y): (f64, f64)| ChartPoint {
            x: x.max(1.0),
            y,
            ..ChartPoint::default()
        };
        ChartLine {
            name: name.to_owned(),
            points: means.into_iter().map(point).collect(),
            is_joined: true,
        }
    };
    let solved = means(rows, |row| Some(row.solved? as f64 / row.problems.max(1) as f64));
    let errors = means(rows, |row| row.error);
    let chart = Chart {
        title: title.to_owned(),
        axis: "episodes",
        is_logarithmic: true,
        are_shares: true,
        panels: vec![ChartPanel {
            title: String::new(),
            lines: vec![
                line("test problems solved", solved),
                line("wrong predictions", errors),
            ],
        }],
    };
    let svg = chart.svg().ok_or_else(|| {
        let file = file.display();
        Failure::Request(format!("{file}: cannot draw the picture: no model was learned"))
    })?;
    write_file(file, svg)
}

/// Returns the mean of `value` for each number of episodes. Rows without a value are skipped.
fn means(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> Vec<(f64, f64)> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for row in rows {
        if let Some(value) = value(row) {
            let (sum, count) = sums.entry(row.episodes).or_default();
            *sum += value;
            *count += 1.0;
        }
    }
    sums.into_iter()
        .map(|(episodes, (sum, count))| (f64::from(episodes), sum / count))
        .collect()
}
