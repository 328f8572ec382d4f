//! Solving F(x) = p for a distribution function F.

/// What F is at a point: how far it is above the target, its density, and the slope of the density relative to it.
pub(super) struct Point {
    /// F(x) − p.
    pub excess: f64,
    /// F′(x).
    pub density: f64,
    /// F″(x) / F′(x).
    pub bend: f64,
}

/// The root of a rising function within `low..high`, by Halley's steps from `start`, each kept within the bracket.
///
/// Ends when a step is below the rounding of x.
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

/// A point between two non-negative ones: the geometric mean where they differ in size.
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
