//! Bar charts on a logarithmic axis, as SVG. Positions are percentages, so that a chart fits any width.

use std::fmt::Write as _;

use super::page::escaped;
use crate::output::short;

/// A row of a bar chart: a label, and at most one value per series.
pub struct Bars {
    pub label: String,
    /// The index of each series, and its value, which is above 0.
    pub values: Vec<(usize, f64)>,
}

/// The height of a row's label, and the height of a bar.
const LABEL: usize = 18;
const BAR: usize = 10;
const AXIS: usize = 22;

/// Returns a bar chart as SVG, with its title and the unit of its axis; `None` if the rows have no values. The axis
/// reaches from the power of ten below the minimum to the one above the maximum.
pub fn bars(title: &str, unit: &str, rows: &[Bars]) -> Option<String> {
    let values = || {
        rows.iter()
            .flat_map(|row| row.values.iter().map(|&(_, value)| value))
    };
    let least = values().reduce(f64::min)?.log10().floor();
    let most = values().reduce(f64::max)?.log10().ceil().max(least + 1.0);
    let place = |value: f64| 100.0 * (value.log10() - least) / (most - least);
    let rows_height: usize = rows.iter().map(|row| LABEL + BAR * row.values.len() + 4).sum();
    let height = AXIS + rows_height;
    let mut svg = format!(
        "<p class=\"unit\">{} (logarithmic axis)</p>\n\
         <svg class=\"plot\" role=\"img\" aria-label=\"{}\" width=\"100%\" height=\"{height}\">\n",
        escaped(unit),
        escaped(title)
    );
    for power in least as i32..=most as i32 {
        let x = place(10_f64.powi(power));
        let anchor = match power {
            _ if power == least as i32 => "start",
            _ if power == most as i32 => "end",
            _ => "middle",
        };
        let _ = writeln!(
            svg,
            "<line class=\"rule\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"{AXIS}\" y2=\"{height}\"/>\
             <text class=\"tick\" x=\"{x:.2}%\" y=\"14\" text-anchor=\"{anchor}\">{}</text>",
            axis_label(power)
        );
    }
    let mut top = AXIS;
    for row in rows {
        let told: Vec<_> = row.values.iter().map(|&(_, value)| short(value)).collect();
        let _ = writeln!(
            svg,
            "<text x=\"0\" y=\"{y}\">{}</text><text class=\"value\" x=\"100%\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            escaped(&row.label),
            told.join(" · "),
            y = top + LABEL - 4
        );
        top += LABEL;
        for &(series, value) in &row.values {
            let _ = writeln!(
                svg,
                "<rect class=\"series-{series}\" x=\"0\" y=\"{top}\" width=\"{:.2}%\" height=\"{}\"/>",
                place(value).max(0.3),
                BAR - 2
            );
            top += BAR;
        }
        top += 4;
    }
    svg += "</svg>\n";
    Some(svg)
}

/// Formats a power of ten as a label of the axis.
fn axis_label(power: i32) -> String {
    if power < 0 {
        return format!("{}", 10_f64.powi(power));
    }
    let digits = [(9, "G"), (6, "M"), (3, "k"), (0, "")];
    let (unit, letter) = digits
        .into_iter()
        .find(|&(unit, _)| power >= unit)
        .unwrap_or((0, ""));
    format!("{}{letter}", 10_u64.pow((power - unit).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, values: &[(usize, f64)]) -> Bars {
        Bars {
            label: label.to_owned(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn bars_are_as_long_as_their_logarithms() {
        let svg = bars(
            "a plot",
            "steps/s",
            &[row("a<b", &[(0, 100.0)]), row("c", &[(1, 10.0), (0, 1e4)])],
        );
        let svg = svg.expect("a plot");
        let widths: Vec<&str> = svg.matches("width=\"").map(|_| "").collect();
        assert_eq!(widths.len(), 4, "{svg}");
        for (series, width) in [(0, "33.33%"), (1, "0.30%"), (0, "100.00%")] {
            let bar = svg
                .lines()
                .find(|line| line.contains(&format!("series-{series}")) && line.contains(width));
            assert!(bar.is_some(), "{series} {width}: {svg}");
        }
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
        assert!(
            svg.contains(">steps/s (logarithmic axis)<") && svg.contains(">10<") && svg.contains(">10k<"),
            "{svg}"
        );
        assert_eq!(bars("nothing", "", &[row("empty", &[])]), None);
    }

    #[test]
    fn powers_of_ten_are_short() {
        let told: Vec<_> = [-1, 0, 1, 3, 5, 6, 10].map(axis_label).to_vec();
        assert_eq!(told, ["0.1", "1", "10", "1k", "100k", "1M", "10G"]);
    }
}
