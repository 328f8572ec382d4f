//! The answers of commands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use herbrand::tasks::FailureKind;

/// Whether the process was asked to terminate, by SIGTERM.
pub static TERMINATED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The exit status after Ctrl-C, and after SIGTERM.
pub const INTERRUPTED: u8 = 130;
pub const ENDED: u8 = 143;

/// The answer of a command that ran to its end. For several problems, it is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommandOutcome {
    /// All is well.
    Yes,
    /// The answer is no: there is no plan, a trace differs, a file is not in canonical form.
    No,
    /// The input is invalid; the output says why.
    Faulty,
    /// There is no answer within the limits, or none that this method can show.
    Unanswered,
    /// Ctrl-C stopped the work; the output has the results so far.
    Interrupted,
}

impl CommandOutcome {
    /// Returns the answer of a question.
    pub const fn yes_if(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }

    /// Returns the exit status of the program.
    pub fn status(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Faulty => 2,
            Self::Unanswered => 3,
            Self::Interrupted if TERMINATED.load(Ordering::Relaxed) => ENDED,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

impl From<FailureKind> for CommandOutcome {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Input | FailureKind::System => Self::Faulty,
            FailureKind::Limit => Self::Unanswered,
            FailureKind::Interrupted => Self::Interrupted,
        }
    }
}
