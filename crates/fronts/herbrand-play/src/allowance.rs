//! The resource limits of a request.

use std::time::Duration;

use herbrand_limits::Limits;

/// The resource limits of a request, so that no text can exhaust the engine's time or memory. Replies state which
/// parts were omitted because of a limit. The default suits a public server: 256 MiB, ten seconds, texts of 256 KiB,
/// walks of 2,000 steps, 2,000 entries per list, pictures of 1,000 objects, four cached problems. What exceeds
/// `limits`, `text` or `steps` is refused; longer lists are cut, and larger pictures are left out. Pass it to
/// [`Playground::new`](crate::Playground::new).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestLimits {
    /// The time limit of a request, and the memory limit. The memory limit applies to reading and compiling a problem, and
    /// separately to walking or planning.
    pub limits: Limits,
    /// The maximum size of each text of a domain, problem or settings in a request, in bytes. The text of a trace has
    /// no limit of its own.
    pub text: usize,
    /// The maximum number of steps in the walk of a request. A walk is the list of steps from the initial state.
    pub steps: usize,
    /// The maximum number of entries in each list of a reply, such as actions or facts.
    pub listed: usize,
    /// The maximum number of objects of a state for which a picture is drawn. The maximum number of facts is 20 times as
    /// large.
    pub drawn: usize,
    /// The number of compiled problems that are cached for later requests; 0 counts as 1.
    pub kept: usize,
}

impl Default for RequestLimits {
    /// Returns 256 MiB, ten seconds, texts of 256 KiB, 2,000 steps, 2,000 entries per list, pictures of 1,000 objects, and
    /// four cached problems.
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
