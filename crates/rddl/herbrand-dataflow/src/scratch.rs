//! Scratch memory that grows on demand.

/// Grows the list to at least `len` elements.
pub(super) fn grow<T: Copy>(list: &mut Vec<T>, len: usize, value: T) {
    if list.len() < len {
        list.resize(len, value);
    }
}

/// The number of scratch reals that registers keep from run to run.
const MOST_KEPT: usize = 1 << 14;

/// Calls `work` with `len` scratch reals. Large scratch memory is freed afterwards, so that it does not multiply with the
/// number of registers.
pub(super) fn with_scratch<T>(scratch: &mut Vec<f64>, len: usize, work: impl FnOnce(&mut [f64]) -> T) -> T {
    grow(scratch, len, 0.0);
    let result = work(&mut scratch[..len]);
    if len > MOST_KEPT {
        *scratch = Vec::new();
    }
    result
}
