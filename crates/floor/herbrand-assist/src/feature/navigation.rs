//! Places of a name: its declaration, all its uses, and those in one file.

use std::sync::Arc;

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};
use herbrand_text::Role;

use crate::documents::TextFile;
use crate::lookup::{self, Found, declarations, occurrences};
use crate::workspace::Workspace;

/// Returns the places where the name at a byte is declared. At the declaration of a derived predicate, a fluent or
/// another name that a formula defines, the places of these formulas. Empty if no name is there, or no file declares
/// it.
pub fn definition(workspace: &Workspace, file: &Arc<TextFile>, offset: u32) -> Vec<Location> {
    let Some(used) = lookup::at(file, offset) else {
        return Vec::new();
    };
    let mut found = declarations(workspace, &used);
    let is_here = |one: &Found| Arc::ptr_eq(&one.file, file) && one.mention.span == used.mention.span;
    if used.mention.role == Role::Declares && found.iter().any(is_here) {
        let defines = occurrences(workspace, &used);
        let defines: Vec<_> = defines
            .into_iter()
            .filter(|one| one.mention.role == Role::Defines)
            .collect();
        if !defines.is_empty() {
            found = defines;
        }
    }
    found.iter().map(Found::location).collect()
}

/// Returns the places of the name at a byte in all files that share its domain, with or without its declarations. Empty
/// if no name is there.
pub fn references(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    offset: u32,
    with_declarations: bool,
) -> Vec<Location> {
    let Some(used) = lookup::at(file, offset) else {
        return Vec::new();
    };
    let found = occurrences(workspace, &used).into_iter();
    let found = found.filter(|one| with_declarations || one.mention.role != Role::Declares);
    found.map(|one| one.location()).collect()
}

/// Returns the places in this file of the name at a byte, each marked as a read or a write. Declarations, changes and
/// values are writes. Empty if no name is there.
pub fn highlights(workspace: &Workspace, file: &Arc<TextFile>, offset: u32) -> Vec<DocumentHighlight> {
    let Some(used) = lookup::at(file, offset) else {
        return Vec::new();
    };
    let found = occurrences(workspace, &used).into_iter();
    let own = found.filter(|one| Arc::ptr_eq(&one.file, file));
    own.map(|one| DocumentHighlight {
        range: file.range(one.mention.span),
        kind: Some(match one.mention.role {
            Role::Reads => DocumentHighlightKind::Read,
            _ => DocumentHighlightKind::Write,
        }),
    })
    .collect()
}
