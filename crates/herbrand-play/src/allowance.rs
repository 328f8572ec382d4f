//! What one request may take.

use std::time::Duration;

use herbrand_limits::Limits;

/// What one request may take, so that no text can do harm. Answers say what was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The time that a request may take, and the memory for reading and compiling a problem, and again for walking or planning.
    pub limits: Limits,
    /// The longest text of a domain or a problem, in bytes.
    pub text: usize,
    /// The most steps of a walk.
    pub steps: usize,
    /// The most actions, facts and other lines that an answer lists of each kind.
    pub listed: usize,
    /// The most objects, and a tenth of the most facts, of a state that is drawn.
    pub drawn: usize,
    /// How many problems are kept compiled for the next request.
    pub kept: usize,
}

impl Default for Allowance {
    /// 256 MiB, ten seconds, texts of 256 KiB, 2,000 steps, 2,000 lines of each kind, pictures of 1,000 objects, four
    /// problems.
    fn default() -> Self {
        Self {
            limits: Limits {
                bytes: Some(256 << 20),
                time: Some(Duration::from_secs(10)),
            },
            text: 256 << 10,
            steps: 2_000,
            listed: 2_000,
            drawn: 1_000,
            kept: 4,
        }
    }
}
