//! Observations of pixels.

use herbrand::core::Rollout;
use herbrand::render::{ImageError, PixelSize, Pixels};
use herbrand::tasks::AnyProblems;

use super::measure::Measure;
use crate::failure::Failure;

/// Rolls out a set of problems with a picture of every state; `size` is empty, or `-` and a height and width.
pub(super) fn observed(
    measure: Measure<'_>,
    problems: &AnyProblems,
    size: &str,
) -> Result<(usize, Rollout), Failure> {
    let size = match size.strip_prefix('-') {
        Some(size) => size
            .parse()
            .map_err(|error: ImageError| Failure::Request(error.to_string()))?,
        None if size.is_empty() => PixelSize::default(),
        None => {
            let message = format!(
                "unknown observation `pixels{size}`: write `pixels`, or a size such as `pixels-64x64`"
            );
            return Err(Failure::Request(message));
        }
    };
    match problems {
        AnyProblems::Pddl(suite) => measure.observe(suite, &Pixels::of(suite, size)?),
        AnyProblems::Rddl(suite) => measure.observe(suite, &Pixels::of(suite, size)?),
        AnyProblems::World(worlds) => measure.observe(worlds, &Pixels::of(worlds, size)?),
    }
}
