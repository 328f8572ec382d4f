//! Stack space for recursion whose depth a parser has bounded.

/// More than the work on the deepest text takes, without optimisation.
const NEEDED: usize = 24 << 20;

/// The size of a new stack. Pages that are never touched take no memory.
const NEW: usize = 32 << 20;

/// Runs `work`, on a new stack unless enough is left of this one, so that the deepest text that a parser accepts can be
/// read, compiled and printed on any thread. It stays on this thread, with its enclosing budgets, and a panic passes
/// through. Call it where the recursion begins, not at each level. On WebAssembly there is one stack, which the linker
/// sizes.
///
/// ```
/// fn depth(text: &[u8]) -> usize {
///     text.split_first().map_or(0, |(_, rest)| 1 + depth(rest))
/// }
///
/// let small = std::thread::Builder::new().stack_size(64 << 10);
/// let reader = small.spawn(|| herbrand_limits::deep(|| depth(&[b'('; 20_000]))).unwrap();
/// assert_eq!(reader.join().unwrap(), 20_000);
/// ```
pub fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(NEEDED, NEW, work)
}
