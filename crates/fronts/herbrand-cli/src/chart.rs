//! Charts of measurements as SVG.

use std::ops::Range;

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// A chart with one or more series of points.
pub struct Chart {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

/// An axis with its label, its range, and the text at a value; an empty text leaves the value out.
pub struct Axis {
    pub label: &'static str,
    pub range: Range<f64>,
    pub text: fn(f64) -> String,
}

/// Points of one colour. A line joins them if `is_line` is set.
pub struct Series {
    pub label: String,
    pub points: Vec<ChartPoint>,
    pub is_line: bool,
}

/// A point of a chart: a disc with a bar for the deviation, or a ring if it stands for no value.
#[derive(Clone, Copy)]
pub struct ChartPoint {
    pub x: f64,
    pub y: f64,
    pub deviation: f64,
    pub is_ring: bool,
}

/// The colours of series, which people with each kind of colour blindness can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

impl Chart {
    /// Draws the chart. With `is_log`, the horizontal axis is logarithmic.
    pub fn to_svg(&self, is_log: bool) -> String {
        let mut svg = String::new();
        let drawn = if is_log {
            self.draw(self.x.range.clone().log_scale(), &mut svg)
        } else {
            self.draw(self.x.range.clone(), &mut svg)
        };
        // A string takes every picture.
        debug_assert!(drawn.is_ok(), "{drawn:?}");
        svg
    }

    fn draw<X>(&self, x: X, svg: &mut String) -> Result<(), Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let area = SVGBackend::with_string(svg, (760, 440)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 18))
            .margin(14)
            .x_label_area_size(42)
            .y_label_area_size(58)
            .build_cartesian_2d(x, self.y.range.clone())?;
        chart
            .configure_mesh()
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .x_label_formatter(&|value| (self.x.text)(*value))
            .y_label_formatter(&|value| (self.y.text)(*value))
            .light_line_style(WHITE)
            .draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let (points, width) = (&series.points, if series.is_line { 2 } else { 0 });
            let line = points
                .iter()
                .filter(|_| series.is_line)
                .map(|point| (point.x, point.y));
            chart
                .draw_series(LineSeries::new(line, colour.stroke_width(width)))?
                .label(&series.label)
                .legend(move |at| Circle::new(at, 4, colour.filled()));
            chart.draw_series(points.iter().filter(|point| point.deviation > 0.0).map(|point| {
                let ends = [point.y - point.deviation, point.y + point.deviation];
                PathElement::new(ends.map(|y| (point.x, y)), colour)
            }))?;
            chart.draw_series(points.iter().map(|point| {
                let style = if point.is_ring {
                    colour.into()
                } else {
                    colour.filled()
                };
                Circle::new((point.x, point.y), 4, style)
            }))?;
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        Ok(area.present()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_points_labels_and_deviations() {
        let point = |x, y, deviation, is_ring| ChartPoint {
            x,
            y,
            deviation,
            is_ring,
        };
        let axis = |label| Axis {
            label,
            range: 1.0..100.0,
            text: |value| format!("{value:.0} units"),
        };
        let chart = Chart {
            title: "a < b & c".to_owned(),
            x: axis("across"),
            y: axis("up"),
            series: vec![
                Series {
                    label: "first".to_owned(),
                    points: vec![point(1.0, 2.0, 0.0, false), point(10.0, 20.0, 3.0, false)],
                    is_line: true,
                },
                Series {
                    label: "second".to_owned(),
                    points: vec![point(50.0, 99.0, 0.0, true)],
                    is_line: false,
                },
            ],
        };
        for is_log in [false, true] {
            let svg = chart.to_svg(is_log);
            // The points, and one of each series in the legend.
            assert_eq!(svg.matches("<circle").count(), 3 + 2, "{svg}");
            for text in ["a &lt; b &amp; c", "across", "up", "first", "second", "100 units"] {
                assert!(svg.contains(text), "{text}: {svg}");
            }
            assert!(svg.trim_end().ends_with("</svg>"));
        }
    }
}
