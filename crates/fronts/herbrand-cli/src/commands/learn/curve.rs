//! Draws learning curves as SVG.

use std::collections::BTreeMap;
use std::path::Path;

use plotters::prelude::*;

use super::trial::Row;
use crate::failure::Failure;
use crate::files::{Mark, write_file};

const ERROR: RGBColor = RGBColor(213, 94, 0);
const SOLVED: RGBColor = RGBColor(0, 114, 178);

/// Writes a picture of two curves over the number of episodes, on a logarithmic axis: the share of solved test problems,
/// and the prediction error. Both are means over the seeds.
///
/// # Errors
/// Fails if the rows have no values, or the file cannot be written.
pub fn draw(file: &Path, title: &str, rows: &[Row]) -> Result<(), Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::Request(format!("{}: cannot draw the picture: {error}", file.display()))
    };
    let solved = means(rows, |row| Some(row.solved? as f64 / row.problems.max(1) as f64));
    let errors = means(rows, |row| row.error);
    let episodes = errors.iter().map(|&(episodes, _)| episodes);
    let (Some(first), Some(last)) = (episodes.clone().reduce(f64::min), episodes.reduce(f64::max)) else {
        return Err(fail(&"no model was learned"));
    };
    let mut svg = String::new();
    let mut drawn = || -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(&mut svg, (720, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .caption(title, ("sans-serif", 18))
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d((first.max(1.0)..last.max(first + 1.0)).log_scale(), 0.0..1.0)?;
        chart
            .configure_mesh()
            .x_desc("episodes")
            .y_desc("share")
            .light_line_style(WHITE)
            .draw()?;
        for (points, colour, label) in [
            (&solved, SOLVED, "test problems solved"),
            (&errors, ERROR, "wrong predictions"),
        ] {
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3))?
                .label(label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        Ok(area.present()?)
    };
    drawn().map_err(|error| fail(&error))?;
    write_file(file, svg, Mark::Markup)
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
