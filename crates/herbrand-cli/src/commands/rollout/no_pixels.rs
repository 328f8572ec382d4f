//! Observations of pixels, in a program that draws none.

use herbrand::core::Rollout;

use super::measure::Measure;
use crate::failure::Failure;
use crate::problems::Problems;

/// Refuses.
pub(super) fn observed(_: Measure<'_>, _: &Problems, _: &str) -> Result<(usize, Rollout), Failure> {
    let message = "this program was built without the feature `png`, which draws pixels";
    Err(Failure::Request(message.to_owned()))
}
