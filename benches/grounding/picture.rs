//! Curves as a picture.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::curve::Curve;

const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115)];

/// Draws the curves with their fitted lines, both axes logarithmic.
pub fn draw(file: &Path, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (760, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((800.0..1_300_000.0).log_scale(), (0.0001..1.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("ground atoms and actions")
        .y_desc("CPU seconds, text to ground task")
        .x_label_formatter(&|size| power_of_ten(*size))
        .y_label_formatter(&|time| power_of_ten(*time))
        .light_line_style(WHITE)
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS) {
        let (factor, exponent) = curve.fit();
        let line = curve
            .points
            .iter()
            .map(|&(size, _)| (size, factor * size.powf(exponent)));
        let legend = format!("{}: time ~ size^{exponent:.2}", curve.name);
        chart
            .draw_series(LineSeries::new(line, colour))?
            .label(legend)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
        chart.draw_series(
            curve
                .points
                .iter()
                .map(|&point| Circle::new(point, 3, colour.filled())),
        )?;
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
