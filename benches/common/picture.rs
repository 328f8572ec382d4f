//! Draws curves.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;

const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115)];

/// The label and the range of an axis.
pub struct Axis {
    pub label: &'static str,
    pub range: Range<f64>,
}

/// Measured points with a fitted line.
pub struct Drawn {
    pub legend: String,
    pub points: Vec<(f64, f64)>,
    pub line: Vec<(f64, f64)>,
}

/// Draws up to three curves as SVG with logarithmic axes.
pub fn draw(file: &Path, x: Axis, y: Axis, curves: Vec<Drawn>) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (760, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x.range.log_scale(), y.range.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x.label)
        .y_desc(y.label)
        .x_label_formatter(&|value| power_of_ten(*value))
        .y_label_formatter(&|value| power_of_ten(*value))
        .light_line_style(WHITE)
        .draw()?;
    for (curve, colour) in curves.into_iter().zip(COLOURS) {
        chart
            .draw_series(LineSeries::new(curve.line, colour))?
            .label(curve.legend)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
        let circles = curve
            .points
            .into_iter()
            .map(|point| Circle::new(point, 3, colour.filled()));
        chart.draw_series(circles)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(area.present()?)
}

fn power_of_ten(value: f64) -> String {
    format!("1e{:.0}", value.log10())
}
