//! Draws learning curves as SVG.

use std::collections::BTreeMap;
use std::path::Path;

use super::trial::Row;
use crate::chart::{Axis, Chart, ChartPoint, Series};
use crate::failure::Failure;
use crate::files::write_file;

/// Writes a picture of two curves over the number of episodes, on a logarithmic axis: the share of solved test problems,
/// and the prediction error. Both are means over the seeds.
///
/// # Errors
/// Fails if the rows have no values, or the file cannot be written.
pub fn draw(file: &Path, title: &str, rows: &[Row]) -> Result<(), Failure> {
    let solved = means(rows, |row| Some(row.solved? as f64 / row.problems.max(1) as f64));
    let errors = means(rows, |row| row.error);
    let (Some(first), Some(last)) = (errors.first(), errors.last()) else {
        let file = file.display();
        return Err(Failure::Request(format!(
            "{file}: cannot draw the picture: no model was learned"
        )));
    };
    let first = first.x.max(1.0);
    let series = |label: &str, points| Series {
        label: label.to_owned(),
        points,
        is_line: true,
    };
    let chart = Chart {
        title: title.to_owned(),
        x: Axis {
            label: "episodes",
            range: first..last.x.max(first + 1.0),
            text: |episodes| format!("{episodes:.0}"),
        },
        y: Axis {
            label: "share",
            range: 0.0..1.0,
            text: |share| format!("{:.0} %", 100.0 * share),
        },
        series: vec![
            series("test problems solved", solved),
            series("wrong predictions", errors),
        ],
    };
    write_file(file, chart.to_svg(true))
}

/// Returns the mean of `value` for each number of episodes. Rows without a value are skipped.
fn means(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> Vec<ChartPoint> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for row in rows {
        if let Some(value) = value(row) {
            let (sum, count) = sums.entry(row.episodes).or_default();
            *sum += value;
            *count += 1.0;
        }
    }
    let point = |(episodes, (sum, count)): (u32, (f64, f64))| ChartPoint {
        x: f64::from(episodes),
        y: sum / count,
        deviation: 0.0,
        is_ring: false,
    };
    sums.into_iter().map(point).collect()
}
