//! The answers of commands.

/// The answer of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandOutcome {
    /// All is well.
    Yes,
    /// The answer is no: a trace differs, a file is not in canonical form.
    No,
    /// The input is invalid; the output says why.
    Faulty,
    /// Ctrl-C stopped the work; the output has the results so far.
    Interrupted,
}
