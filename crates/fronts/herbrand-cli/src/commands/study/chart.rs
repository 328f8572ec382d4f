//! Measurements by domain as a picture.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;

use super::spread::Spread;
use crate::failure::Failure;
use crate::files::{Mark, write_file};

/// The bar of one domain in a bar chart.
pub struct Bar {
    pub label: String,
    pub spread: Spread,
}

const COLOUR: RGBColor = RGBColor(0, 114, 178);

/// Writes a bar chart as SVG: each bar ends at the mean of its measurements, with a line from the minimum to the maximum.
/// The axis is logarithmic.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn draw(file: &Path, unit: &str, bars: &[Bar]) -> Result<(), Failure> {
    let mut svg = String::new();
    let drawn = match range(bars) {
        Some(range) => draw_in(&mut svg, unit, bars, &range).map_err(|error| error.to_string()),
        None => Err("nothing was measured".to_owned()),
    };
    let fail = |error| Failure::Request(format!("{}: cannot draw the picture: {error}", file.display()));
    drawn.map_err(fail)?;
    write_file(file, svg, Mark::Markup)
}

/// Returns the range of powers of ten that contains all values; `None` if no value is above 0.
fn range(bars: &[Bar]) -> Option<Range<f64>> {
    let ends = bars.iter().flat_map(|bar| [bar.spread.least, bar.spread.most]);
    let positive: Vec<f64> = ends.filter(|&value| value > 0.0).collect();
    let least = positive.iter().copied().min_by(f64::total_cmp)?.log10().floor();
    let most = positive.iter().copied().max_by(f64::total_cmp)?.log10().ceil();
    Some(10_f64.powf(least)..10_f64.powf(most.max(least + 1.0)))
}

fn draw_in(svg: &mut String, unit: &str, bars: &[Bar], range: &Range<f64>) -> Result<(), Box<dyn Error>> {
    let height = 96 + 20 * u32::try_from(bars.len())?;
    let area = SVGBackend::with_string(svg, (760, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(150)
        .build_cartesian_2d(range.clone().log_scale(), (0..bars.len()).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_desc(unit)
        .y_labels(bars.len())
        .x_label_formatter(&|value| format!("1e{:.0}", value.log10()))
        .y_label_formatter(&|place| label(bars, place))
        .light_line_style(WHITE)
        .draw()?;
    let shown = |value: f64| value.max(range.start);
    for (index, bar) in bars.iter().enumerate() {
        let start = (range.start, SegmentValue::Exact(index));
        let end = (shown(bar.spread.mean), SegmentValue::Exact(index + 1));
        let mut filled = Rectangle::new([start, end], COLOUR.mix(0.5).filled());
        filled.set_margin(3, 3, 0, 0);
        let ends = [bar.spread.least, bar.spread.most];
        let line = ends.map(|value| (shown(value), SegmentValue::CenterOf(index)));
        chart.draw_series([filled])?;
        chart.draw_series([PathElement::new(line, BLACK)])?;
    }
    Ok(area.present()?)
}

fn label(bars: &[Bar], place: &SegmentValue<usize>) -> String {
    let index = match place {
        SegmentValue::CenterOf(index) | SegmentValue::Exact(index) => *index,
        SegmentValue::Last => return String::new(),
    };
    bars.get(index).map(|bar| bar.label.clone()).unwrap_or_default()
}
