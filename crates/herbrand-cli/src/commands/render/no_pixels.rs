//! Files of pixels, in a program that draws none.

use std::path::Path;

use herbrand::render::Still;

use super::output::Target;
use crate::failure::Failure;

/// Whether this program draws pixels.
pub const WRITTEN: bool = false;

/// Refuses: the ending of a file is looked at before anything is drawn, so this is never asked for.
///
/// # Errors
/// Always.
pub fn write(_: Target, path: &Path, _: &[Still]) -> Result<(), Failure> {
    let message = format!(
        "{}: this program was built without the feature `png`",
        path.display()
    );
    Err(Failure::Request(message))
}
