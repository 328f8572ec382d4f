//! Draws the curves.

use std::error::Error;
use std::path::Path;

use crate::common::{Axis, Drawn, draw as draw_curves};
use crate::curve::Curve;

/// Draws the curves with their fitted lines.
pub fn draw(file: &Path, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let x = Axis {
        label: "ground atoms and actions",
        range: 800.0..1_300_000.0,
    };
    let y = Axis {
        label: "CPU seconds, text to ground task",
        range: 0.0001..4.0,
    };
    let drawn = |curve: &Curve| {
        let (factor, exponent) = curve.fit();
        let sizes = curve.points.iter().map(|&(size, _)| size);
        Drawn {
            legend: format!("{}: time ~ size^{exponent:.2}", curve.name),
            points: curve.points.clone(),
            line: sizes.map(|size| (size, factor * size.powf(exponent))).collect(),
        }
    };
    draw_curves(file, x, y, curves.iter().map(drawn).collect())
}
