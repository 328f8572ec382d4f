//! Observations of pixels.

use super::measure::Measure;
use crate::failure::{Failure, refuse};
use herbrand::core::Rollout;
use herbrand::render::{PixelSize, Pixels};
use herbrand::tasks::AnyProblems;

/// Rolls out a set of problems with a picture of every state; `size` is empty, or `-` and a height and width.
pub(super) fn observed(
    measure: Measure<'_>,
    problems: &AnyProblems,
    size: &str,
) -> Result<(usize, Rollout), Failure> {
    let size = match size.strip_prefix('-') {
        Some(size) => size.parse().map_err(Failure::of)?,
        None if size.is_empty() => PixelSize::default(),
        None => {
            return refuse(format!(
                "unknown observation `pixels{size}`: write `pixels`, or a size such as `pixels-64x64`"
            ));
        }
    };
    match problems {
        AnyProblems::Pddl(suite) => measure.observe(suite, &Pixels::of(suite, size)?),
        AnyProblems::Rddl(suite) => measure.observe(suite, &Pixels::of(suite, size)?),
        AnyProblems::World(worlds) => measure.observe(worlds, &Pixels::of(worlds, size)?),
    }
}
