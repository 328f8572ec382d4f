//! Draws learning curves as SVG.

use std::path::Path;

use herbrand::learn::{ModelRow, mean_by_episodes};
use herbrand::tasks::chart::{Chart, ChartLine, ChartPanel, ChartPoint};

use crate::failure::Failure;
use crate::files::write_file;

/// Writes a picture of two curves over the number of episodes, on a logarithmic axis: the share of solved test problems,
/// and the prediction error. Both are means over the seeds.
///
/// # Errors
/// Fails if the rows have no values, or the file cannot be written.
pub fn draw(file: &Path, title: &str, rows: &[ModelRow]) -> Result<(), Failure> {
    let line = |name: &str, means: Vec<(u32, f64)>| {
        let point = |(episodes, y): (u32, f64)| ChartPoint {
            x: f64::from(episodes).max(1.0),
            y,
            ..ChartPoint::default()
        };
        ChartLine {
            name: name.to_owned(),
            points: means.into_iter().map(point).collect(),
            is_joined: true,
        }
    };
    let solved = mean_by_episodes(rows, |row| Some(row.solved? as f64 / row.problems.max(1) as f64));
    let errors = mean_by_episodes(rows, |row| row.error);
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
