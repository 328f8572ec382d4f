//! Charts of lines with bands, or of points with their deviations, as SVG.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;

/// A line of a chart, or points of one colour.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartLine {
    /// The name in the legend.
    pub name: String,
    /// The points, from left to right if a line joins them.
    pub points: Vec<ChartPoint>,
    /// Whether a line joins the points, with a band around it. Otherwise each point has a bar of its deviation.
    pub is_joined: bool,
}

/// A point of a line, and half the height of the band or bar around it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChartPoint {
    /// The place on the horizontal axis.
    pub x: f64,
    /// The place on the vertical axis.
    pub y: f64,
    /// The deviation, which is half the height.
    pub deviation: f64,
    /// Whether the point stands for a missing value. A ring marks it.
    pub is_missing: bool,
}

/// A system of axes with its lines.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartPanel {
    /// The title above it.
    pub title: String,
    /// The lines.
    pub lines: Vec<ChartLine>,
}

/// Charts below each other that share the horizontal axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The title above all panels.
    pub title: String,
    /// The description of the horizontal axis.
    pub axis: &'static str,
    /// Whether the horizontal axis is logarithmic, with a tick at each point. All of its numbers are positive then.
    pub is_logarithmic: bool,
    /// Whether the values are shares: the vertical axes go from 0 to 100 %.
    pub are_shares: bool,
    /// The panels, from the top.
    pub panels: Vec<ChartPanel>,
}

const WIDTH: u32 = 760;
/// The height of the title, and of a panel.
const HEAD: u32 = 36;
const PANEL: u32 = 240;

/// The colours of lines, in turn: distinct for most kinds of colour blindness (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// The greatest number of points that are marked.
const MARKED: usize = 24;

type DrawResult = Result<(), Box<dyn std::error::Error>>;

impl Chart {
    /// Returns the charts as SVG; `None` if there is no point, or a number cannot be drawn.
    #[must_use]
    pub fn svg(&self) -> Option<String> {
        let mut text = String::new();
        self.points().next()?;
        self.draw(&mut text).ok()?;
        Some(text)
    }

    fn points(&self) -> impl Iterator<Item = ChartPoint> {
        let lines = self.panels.iter().flat_map(|panel| &panel.lines);
        lines.flat_map(|line| line.points.iter().copied())
    }

    /// Returns the place of a number on the horizontal axis.
    fn place(&self, x: f64) -> f64 {
        if self.is_logarithmic { x.ln() } else { x }
    }

    fn draw(&self, text: &mut String) -> DrawResult {
        let height = HEAD + PANEL * self.panels.len() as u32;
        let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(HEAD);
        head.titled(&self.title, ("sans-serif", 18))?;
        for (area, panel) in body.split_evenly((self.panels.len(), 1)).iter().zip(&self.panels) {
            self.panel(area, panel)?;
        }
        root.present()?;
        Ok(())
    }

    fn panel<D: DrawingBackend>(
        &self,
        area: &DrawingArea<D, plotters::coord::Shift>,
        panel: &ChartPanel,
    ) -> DrawResult
    where
        D::ErrorType: 'static,
    {
        let across = range(self.points().map(|point| self.place(point.x)));
        let ticks = if self.is_logarithmic {
            let mut places: Vec<f64> = self.points().map(|point| self.place(point.x)).collect();
            places.sort_by(f64::total_cmp);
            places.dedup();
            places
        } else {
            round_ticks(across)
        };
        let (low, high) = if self.are_shares {
            (0.0, 1.0)
        } else {
            let points = panel.lines.iter().flat_map(|line| &line.points);
            range(points.flat_map(|point| [point.y - point.deviation, point.y + point.deviation]))
        };
        let mut chart = ChartBuilder::on(area)
            .caption(&panel.title, ("sans-serif", 14))
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(
                Scale { ends: across, ticks },
                Scale {
                    ends: (low, high),
                    ticks: round_ticks((low, high)),
                },
            )?;
        let number = |place: f64| {
            if self.is_logarithmic {
                place.exp().round()
            } else {
                place
            }
        };
        let value = |y: f64| {
            if self.are_shares {
                format!("{:.0} %", 100.0 * y)
            } else {
                short(y)
            }
        };
        chart
            .configure_mesh()
            .x_desc(self.axis)
            .x_label_formatter(&|&place| short(number(place)))
            .y_label_formatter(&|&y| value(y))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (line, colour) in panel.lines.iter().zip(COLOURS.iter().cycle()) {
            let points = || line.points.iter().map(|point| (self.place(point.x), point));
            let place = |(x, point): (f64, &ChartPoint)| (x, point.y);
            if !line.is_joined {
                chart
                    .draw_series(points().map(|one| {
                        let colour = if one.1.is_missing {
                            colour.into()
                        } else {
                            colour.filled()
                        };
                        Circle::new(place(one), 4, colour)
                    }))?
                    .label(&line.name)
                    .legend(|at| Circle::new(at, 4, colour.filled()));
                chart.draw_series(points().filter(|(_, point)| point.deviation > 0.0).map(
                    |(x, point)| {
                        let ends = [point.y - point.deviation, point.y + point.deviation];
                        PathElement::new(ends.map(|y| (x, y)), colour)
                    },
                ))?;
                continue;
            }
            if line.points.iter().any(|point| point.deviation > 0.0) {
                let above = points().map(|(x, point)| (x, point.y + point.deviation));
                let below = points().rev().map(|(x, point)| (x, point.y - point.deviation));
                let band: Vec<(f64, f64)> = above.chain(below).collect();
                chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
            }
            let drawn = chart.draw_series(LineSeries::new(points().map(place), colour.stroke_width(2)))?;
            if panel.lines.len() > 1 {
                drawn
                    .label(&line.name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            }
            if line.points.len() <= MARKED {
                chart.draw_series(points().map(|one| Circle::new(place(one), 3, colour.filled())))?;
            }
        }
        if panel.lines.len() > 1 {
            let labels = &mut chart.configure_series_labels();
            labels
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK.mix(0.2))
                .draw()?;
        }
        Ok(())
    }
}

/// An axis with ticks at given places.
struct Scale {
    ends: (f64, f64),
    ticks: Vec<f64>,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let share = (value - self.ends.0) / (self.ends.1 - self.ends.0);
        low + (share * f64::from(high - low)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.ends.0..self.ends.1
    }
}

/// Returns the range of some numbers, which is never empty.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = numbers.fold(ends, |(low, high), one| (low.min(one), high.max(one)));
    if low < high {
        (low, high)
    } else {
        let half = 0.5 * low.abs().max(1.0);
        (low - half, low + half)
    }
}

/// Returns four to ten round numbers in a range.
fn round_ticks((low, high): (f64, f64)) -> Vec<f64> {
    let power = 10_f64.powf(((high - low) / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps
        .into_iter()
        .find(|step| (high - low) / step <= 8.0)
        .unwrap_or(steps[3]);
    let ticks = (0..=10).map(|number| ((low / step).ceil() + f64::from(number)) * step);
    ticks.take_while(|tick| *tick <= high + 1e-9 * step).collect()
}

/// Formats the number at a tick.
fn short(number: f64) -> String {
    let number = if number.abs() < 1e-12 { 0.0 } else { number };
    match number.abs() {
        0.0 => "0".to_owned(),
        1e6.. => format!("{number:.2e}"),
        ..1e-3 => format!("{number:.1e}"),
        _ => {
            let text = format!("{number:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (low, high) in [
            (0.0, 1.0),
            (-3.2, 17.0),
            (1e6, 1.1e6),
            (-0.002, 0.0005),
            (5.0, 6.0),
        ] {
            let ticks = round_ticks((low, high));
            assert!((3..=10).contains(&ticks.len()), "{low} {high}: {ticks:?}");
            assert!(ticks.iter().all(|tick| (low - 1e-9..=high + 1e-9).contains(tick)));
        }
    }

    #[test]
    fn a_band_surrounds_its_line() {
        let point = |x: i32, y: f64, deviation| ChartPoint {
            x: f64::from(x),
            y,
            deviation,
            is_missing: false,
        };
        let points: Vec<ChartPoint> = (0..40).map(|x| point(x, f64::from(x) * 2.5, 3.0)).collect();
        let mut chart = Chart {
            title: "level & flow <1>".to_owned(),
            axis: "step",
            is_logarithmic: false,
            are_shares: false,
            panels: vec![ChartPanel {
                title: "level".to_owned(),
                lines: vec![ChartLine {
                    name: "level".to_owned(),
                    points,
                    is_joined: true,
                }],
            }],
        };
        let svg = chart.svg().expect("a chart");
        assert!(
            svg.contains("<polygon")
                && svg.contains("<polyline")
                && svg.contains("level &amp; flow &lt;1&gt;")
        );
        let line = &mut chart.panels[0].lines[0];
        line.is_joined = false;
        line.points[7].is_missing = true;
        let svg = chart.svg().expect("a chart");
        // Only the ring has no filling.
        let circles = svg.lines().filter(|line| line.starts_with("<circle"));
        let (rings, discs): (Vec<&str>, _) = circles.partition(|line| line.contains("fill=\"none\""));
        assert_eq!((rings.len(), discs.len()), (1, 39), "{svg}");
        chart.panels[0].lines[0].points.clear();
        assert_eq!(chart.svg(), None);
    }
}
