//! The faults of `env.toml`, the settings beside a domain.

use std::sync::Arc;

use gen_lsp_types::{CodeDescription, Diagnostic, DiagnosticSeverity, Position, Range, Uri};
use herbrand_assist::{Finding, NAME, SCHEME, TextFile, Workspace};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_play::{Playground, Reply, Request, RequestLimits, Texts};

/// Returns the faults of settings, as the page shows them. Without the domain beside them, only their syntax is checked.
///
/// # Errors
/// If the budget is cancelled or its time is over.
pub(crate) fn check(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    limits: Limits,
    budget: &Budget,
) -> Result<Vec<Finding>, BudgetExhausted> {
    let domain = workspace.domain_beside(file);
    let texts = Texts {
        domain: domain.map(|domain| domain.text().to_owned()).unwrap_or_default(),
        problem: String::new(),
        settings: file.text().to_owned(),
    };
    let limits = RequestLimits {
        limits,
        text: 8 << 20,
        ..RequestLimits::default()
    };
    let reply = Playground::new(limits).reply_within(&Request::Check { texts }, budget);
    budget.check("checking", 0)?;
    let Reply::Check { findings, .. } = reply else {
        return Ok(Vec::new());
    };
    let own = findings.into_iter().filter(|one| one.text == "settings");
    let shown = own.map(|one| {
        let mut message = one.message;
        for line in [one.label, one.help]
            .into_iter()
            .chain(one.notes)
            .filter(|line| !line.is_empty())
        {
            message.push('\n');
            message.push_str(&line);
        }
        let [first, from, last, to] = one.place;
        let described = (!one.code.is_empty()).then(|| CodeDescription {
            href: Uri(format!("{SCHEME}{}", one.code)),
        });
        Finding::new(Diagnostic {
            range: Range {
                start: position(file.line(first - 1), first, from),
                end: position(file.line(last - 1), last, to),
            },
            severity: Some(match one.severity.as_str() {
                "error" => DiagnosticSeverity::Error,
                _ => DiagnosticSeverity::Warning,
            }),
            code: (!one.code.is_empty()).then(|| one.code.into()),
            code_description: described,
            source: Some(NAME.to_owned()),
            message: message.into(),
            tags: None,
            related_information: None,
            data: None,
        })
    });
    Ok(shown.collect())
}

/// Converts a line and a column, which count from 1 and in characters, to a position of the protocol. `written` is the line.
fn position(written: &str, line: usize, column: usize) -> Position {
    let before = written.chars().take(column - 1).map(|c| c.len_utf16() as u32);
    Position {
        line: line as u32 - 1,
        character: before.sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_code_units() {
        let file = TextFile::new("file:///env.toml", "a = 1\n\u{1f98a}b = 2\n", Some(1));
        let at = |line, column| {
            let position = position(file.line(line - 1), line, column);
            (position.line, position.character)
        };
        assert_eq!(
            [at(1, 1), at(1, 4), at(2, 2), at(2, 3), at(9, 2)],
            [(0, 0), (0, 3), (1, 2), (1, 3), (8, 0)]
        );
    }
}
