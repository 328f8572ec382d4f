//! The edits that mend faults, as the editor offers them.

use std::collections::HashMap;

use gen_lsp_types::{CodeAction, CodeActionKind, Diagnostic, Range, TextEdit, Uri, WorkspaceEdit};

use crate::check::Finding;
use crate::fixes::{Fix, FixKind};

/// Returns the actions for the faults that overlap a range: one for each edit, and one for all of a kind in the file.
/// `found` are the findings of the file, as [`check`](crate::check()) returns them. Empty if no fault that overlaps the
/// range has an edit. The first edit of each fault is marked as preferred.
pub fn actions(found: &[Finding], range: Range) -> Vec<CodeAction> {
    let touches =
        |one: &&Finding| one.diagnostic.range.start <= range.end && range.start <= one.diagnostic.range.end;
    let mut actions = Vec::new();
    let here: Vec<&Finding> = found.iter().filter(touches).collect();
    for finding in &here {
        for (at, fix) in finding.fixes.iter().enumerate() {
            let diagnostics = vec![finding.diagnostic.clone()];
            actions.push(action(fix.title.clone(), &[fix], diagnostics, at == 0));
        }
    }
    for (kind, what) in [
        (FixKind::Declared, "Declare all unknown names"),
        (FixKind::Suggested, "Write all suggested names"),
    ] {
        let of_kind = |one: &&Finding| one.fixes.iter().any(|fix| fix.kind == kind);
        if !here.iter().any(of_kind) {
            continue;
        }
        let all: Vec<&Fix> = found
            .iter()
            .filter_map(|one| one.fixes.iter().find(|fix| fix.kind == kind))
            .collect();
        let all = without_repetition(all);
        if all.len() > 1 {
            let diagnostics = found.iter().filter(of_kind).map(|one| one.diagnostic.clone());
            actions.push(action(what.to_owned(), &all, diagnostics.collect(), false));
        }
    }
    actions
}

/// Leaves out a declaration that another one of the same name makes superfluous.
fn without_repetition(fixes: Vec<&Fix>) -> Vec<&Fix> {
    let mut kept: Vec<&Fix> = Vec::new();
    for fix in fixes {
        let name = |fix: &Fix| {
            fix.text
                .split(['(', ')', ' ', '\n'])
                .find(|part| !part.is_empty())
                .map(str::to_owned)
        };
        let repeats = |other: &&Fix| {
            other.uri == fix.uri
                && other.range == fix.range
                && (other.text == fix.text || name(other) == name(fix))
        };
        if fix.kind != FixKind::Declared || !kept.iter().any(repeats) {
            kept.push(fix);
        }
    }
    kept
}

fn action(title: String, fixes: &[&Fix], diagnostics: Vec<Diagnostic>, is_preferred: bool) -> CodeAction {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for fix in fixes {
        let edits = changes.entry(Uri(fix.uri.clone())).or_default();
        edits.push(TextEdit {
            range: fix.range,
            new_text: fix.text.clone(),
        });
    }
    CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(diagnostics),
        is_preferred: is_preferred.then_some(true),
        disabled: None,
        edit: Some(WorkspaceEdit {
            changes: Some(changes),
            document_changes: None,
            change_annotations: None,
        }),
        command: None,
        data: None,
        tags: None,
    }
}
