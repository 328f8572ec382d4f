//! The answers of readers that state facts, in the form of each mode.

use herbrand_edit::lines::LineEdits;
use herbrand_edit::{Belief, Statement};

use crate::reader::{Mode, ReadError, ReadRequest, ReaderAnswer};

/// Returns the belief that the statements about a text add to. `own` is the reader's own belief, which it keeps in the modes
/// in which the agent's problem does not tell which objects are placeholders.
pub(super) fn belief(own: &mut Option<Belief>, request: &ReadRequest<'_>) -> Belief {
    match (request.mode, own.take()) {
        (Mode::WholeProblem | Mode::Lines, Some(belief)) => belief,
        _ => request.belief.clone(),
    }
}

/// Returns statements in the form that the request's mode asks for. Keeps the belief with the statements in `own`.
///
/// # Errors
/// Fails if the belief contradicts the statements and the mode needs the problem, or if the mode asks for a command.
pub(super) fn answer(
    own: &mut Option<Belief>,
    mut belief: Belief,
    mode: Mode,
    statements: Vec<Statement>,
    unread: Vec<String>,
) -> Result<ReaderAnswer, ReadError> {
    let before = match mode {
        Mode::Edits => return Ok(ReaderAnswer::Statements { statements, unread }),
        Mode::EndToEnd => {
            return Err(ReadError::last(
                "the rules read texts; they do not choose commands",
            ));
        }
        Mode::Lines | Mode::WholeProblem => belief.model().clone(),
    };
    let observed = belief.observe(mode.name(), &statements);
    observed.map_err(|faults| ReadError::last(faults.to_string()))?;
    let model = belief.model();
    let answer = match mode {
        Mode::Lines => ReaderAnswer::Lines(LineEdits::between(&before, model)),
        _ => ReaderAnswer::Problem(model.problem_text()),
    };
    *own = Some(belief);
    Ok(answer)
}
