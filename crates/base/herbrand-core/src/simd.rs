//! Vector instructions of the processor.

/// Runs `work` and returns its result, using the widest vector instructions of the processor. Code inlined into `work` is
/// compiled once per instruction set, so mark the closure, and the functions that it calls, `#[inline(always)]`.
#[inline(always)]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        use fearless_simd::{Level, Simd};
        let level = Level::new();
        if let Some(avx512) = level.as_avx512() {
            return avx512.vectorize(work);
        }
        if let Some(avx2) = level.as_avx2() {
            return avx2.vectorize(work);
        }
    }
    work()
}
