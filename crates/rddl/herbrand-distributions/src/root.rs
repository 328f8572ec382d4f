//! Solver for F(x) = p, where F is a distribution function.

/// The distribution function at a point: its excess over the target, its density and the relative slope of the density.
pub(super) struct Point {
    /// F(x) − p.
    pub excess: f64,
    /// F′(x).
    pub density: f64,
    /// F″(x) / F′(x).
    pub bend: f64,
}

/// Returns the root of an increasing function in `low..high`. Takes Halley steps from `start`, each kept within the bracket.
///
/// Stops if a step is below the rounding error of x.
pub(super) fn rising_root(start: f64, low: f64, high: f64, at: impl Fn(f64) -> Point) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut x = start;
    for _ in 0..200 {
        let Point {
            excess,
            density,
            bend,
        } = at(x);
        if excess == 0.0 {
            return x;
        }
        if excess < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = excess / density;
        let halley = newton / (1.0 - 0.5 * (newton * bend).clamp(-1.0, 1.0));
        let next = x - halley;
        let next = if next > low && next < high {
            next
        } else {
            between(low, high)
        };
        if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs() {
            return next;
        }
        x = next;
    }
    x
}

/// Returns a point between two non-negative numbers: the geometric mean if they differ in magnitude.
fn between(low: f64, high: f64) -> f64 {
    if high.is_infinite() {
        return 2.0 * low.max(1.0);
    }
    if low > 0.0 && high > 4.0 * low {
        return low.sqrt() * high.sqrt();
    }
    if low == 0.0 && high > f64::MIN_POSITIVE {
        return high * 1e-3;
    }
    low + 0.5 * (high - low)
}
