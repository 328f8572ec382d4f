//! Draws learning curves as SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::trial::Row;
use crate::failure::Failure;
use crate::files::{Mark, write_file};

/// Writes a picture of two curves over the number of episodes, on a logarithmic axis: the share of solved test problems,
/// and the prediction error. Both are means over the seeds.
///
/// # Errors
/// Fails if the rows have no values, or the file cannot be written.
pub fn draw(file: &Path, title: &str, rows: &[Row]) -> Result<(), Failure> {
    let solved = means(rows, |row| Some(row.solved? as f64 / row.problems.max(1) as f64));
    let errors = means(rows, |row| row.error);
    let (Some(&(first, _)), Some(&(last, _))) = (errors.first(), errors.last()) else {
        let file = file.display();
        return Err(Failure::Request(format!(
            "{file}: cannot draw the picture: no model was learned"
        )));
    };
    let first = first.max(1.0);
    let span = (last.max(first + 1.0) / first).ln();
    let x = |episodes: f64| 60.0 + 630.0 * (episodes.max(1.0) / first).ln() / span;
    let y = |share: f64| 370.0 - 320.0 * share;
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"720\" height=\"420\" fill=\"white\"/>\n\
         <text x=\"360\" y=\"28\" font-size=\"18\" text-anchor=\"middle\">{title}</text>\n\
         <text x=\"375\" y=\"410\" text-anchor=\"middle\">episodes</text>\n"
    );
    // Writing to a string does not fail.
    for percent in (0..=100).step_by(20) {
        let height = y(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<path d=\"M60 {height:.1}H690\" stroke=\"#ccc\"/><text x=\"52\" y=\"{height:.1}\" dy=\"4\" text-anchor=\"end\">{percent} %</text>"
        );
    }
    for &(episodes, _) in &errors {
        let place = x(episodes);
        let _ = writeln!(
            svg,
            "<text x=\"{place:.1}\" y=\"388\" text-anchor=\"middle\">{episodes}</text>"
        );
    }
    for (points, colour, label, place) in [
        (&solved, "#0072b2", "test problems solved", 60),
        (&errors, "#d55e00", "wrong predictions", 240),
    ] {
        let places: Vec<_> = points
            .iter()
            .map(|&(episodes, share)| format!("{:.1} {:.1}", x(episodes), y(share)))
            .collect();
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{place}\" y=\"42\" fill=\"{colour}\">{label}</text>",
            places.join("L")
        );
        for place in places {
            let _ = writeln!(
                svg,
                "<path d=\"M{place}h0\" stroke=\"{colour}\" stroke-width=\"7\" stroke-linecap=\"round\"/>"
            );
        }
    }
    svg += "</svg>\n";
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
