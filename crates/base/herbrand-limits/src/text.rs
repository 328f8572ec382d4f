//! Limits as text for people.

use std::time::Duration;

/// Formats a number of bytes for reading, such as `512 MiB` if it is a whole number of such units, and otherwise rounded, such
/// as `12.6 GB`.
///
/// ```
/// use herbrand_limits::size_text;
///
/// let texts = [1 << 29, 300_000_000, 299_990_592, 12_638_251_680, 17].map(size_text);
/// assert_eq!(texts, ["512 MiB", "300 MB", "300 MB", "12.6 GB", "17 bytes"]);
/// ```
#[must_use]
pub fn size_text(bytes: u64) -> String {
    for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes > 0 && bytes.trailing_zeros() >= shift && bytes >> shift < 10_000 {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    for (size, unit) in [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")] {
        // A size that rounds up to 1000 of a unit is one of the next.
        if bytes as f64 >= 0.9995 * size {
            return format!("{} {unit}", rounded(bytes as f64 / size));
        }
    }
    format!("{bytes} bytes")
}

/// Formats a duration for reading, with about three digits, such as `1.5 s` or `250 ms`.
///
/// ```
/// use std::time::Duration;
/// use herbrand_limits::time_text;
///
/// assert_eq!(time_text(Duration::from_nanos(2_999_432_691)), "3 s");
/// assert_eq!([0, 250, 1500, 600_000].map(|ms| time_text(Duration::from_millis(ms))), ["0 s", "250 ms", "1.5 s", "600 s"]);
/// ```
#[must_use]
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    for (size, unit) in [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")] {
        if seconds >= 0.9995 * size {
            return format!("{} {unit}", rounded(seconds / size));
        }
    }
    "0 s".to_owned()
}

/// Formats a number with three digits, or all digits before the point.
fn rounded(value: f64) -> String {
    let digits = match value {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
