//! Learning curves of many domains as one picture.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::spread::Spread;
use crate::failure::Failure;
use crate::files::{Mark, write_file};

/// The learning curves of one domain, one per learner.
pub struct Panel {
    pub title: String,
    pub curves: Vec<(&'static str, Vec<Point>)>,
}

/// A point of a learning curve: a number of episodes, and the scores of the models learned from them.
pub struct Point {
    pub episodes: f64,
    /// The share of test problems that the models solve, from 0 to 1.
    pub share: Spread,
}

const COLUMNS: usize = 5;
const SIZE: (u32, u32) = (190, 150);
const HEAD: u32 = 36;
const COLOURS: [RGBColor; 2] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0)];

/// Writes a picture with a panel for each domain as SVG: the mean share of solved test problems by the number of episodes
/// (logarithmic), with a line from the minimum to the maximum.
///
/// # Errors
/// Fails if there are no curves, or if the file cannot be written.
pub fn draw(file: &Path, panels: &[Panel]) -> Result<(), Failure> {
    let mut svg = String::new();
    let drawn = match range(panels) {
        Some(range) => draw_in(&mut svg, panels, &range).map_err(|error| error.to_string()),
        None => Err("no model was learned".to_owned()),
    };
    drawn.map_err(|error| {
        let file = file.display();
        Failure::Request(format!("{file}: cannot draw the picture: {error}"))
    })?;
    write_file(file, svg, Mark::Markup)
}

fn range(panels: &[Panel]) -> Option<Range<f64>> {
    let points = panels
        .iter()
        .flat_map(|panel| &panel.curves)
        .flat_map(|(_, points)| points);
    let episodes = points.map(|point| point.episodes.max(1.0));
    let least = episodes.clone().reduce(f64::min)?;
    let most = episodes.reduce(f64::max)?;
    Some(least..most.max(least + 1.0))
}

/// The names of the learners, in the order in which they first occur.
fn learners(panels: &[Panel]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in panels.iter().flat_map(|panel| &panel.curves) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

fn draw_in(svg: &mut String, panels: &[Panel], range: &Range<f64>) -> Result<(), Box<dyn Error>> {
    let rows = panels.len().div_ceil(COLUMNS);
    let columns = panels.len().min(COLUMNS);
    let width = (SIZE.0 * u32::try_from(columns)?).max(440);
    let area =
        SVGBackend::with_string(svg, (width, HEAD + SIZE.1 * u32::try_from(rows)?)).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(HEAD);
    let learners = learners(panels);
    let text = ("sans-serif", 13).into_font();
    head.draw(&Text::new(
        "test problems solved (%) by episodes:",
        (12, 10),
        text.clone(),
    ))?;
    for (index, (name, colour)) in learners.iter().zip(COLOURS).enumerate() {
        let left = 250 + 80 * i32::try_from(index)?;
        head.draw(&PathElement::new(
            [(left, 17), (left + 18, 17)],
            colour.stroke_width(2),
        ))?;
        head.draw(&Text::new(*name, (left + 24, 10), text.clone()))?;
    }
    for (area, panel) in body.split_evenly((rows, columns)).iter().zip(panels) {
        draw_panel(area, panel, range, &learners)?;
    }
    Ok(area.present()?)
}

fn draw_panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    panel: &Panel,
    range: &Range<f64>,
    learners: &[&str],
) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .caption(&panel.title, ("sans-serif", 13))
        .x_label_area_size(20)
        .y_label_area_size(28)
        .build_cartesian_2d(range.clone().log_scale(), 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_labels(4)
        .y_labels(3)
        .label_style(("sans-serif", 10))
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    for (name, points) in &panel.curves {
        let index = learners.iter().position(|one| one == name).unwrap_or(0);
        let colour = COLOURS[index % COLOURS.len()];
        let means = points
            .iter()
            .map(|point| (point.episodes.max(1.0), 100.0 * point.share.mean));
        chart.draw_series(LineSeries::new(means, colour.stroke_width(2)).point_size(2))?;
        let ranges = points.iter().map(|point| {
            let ends = [point.share.least, point.share.most];
            PathElement::new(
                ends.map(|share| (point.episodes.max(1.0), 100.0 * share)),
                colour.stroke_width(1),
            )
        });
        chart.draw_series(ranges)?;
    }
    Ok(())
}
