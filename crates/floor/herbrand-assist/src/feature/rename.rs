//! Renames a name in all files that refer to it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{Range, TextEdit, Uri, WorkspaceEdit};
use herbrand_text::{Lexeme, LexemeKind, Mention, NameKind};

use super::EditError;
use crate::documents::{TextFile, bare};
use crate::lookup::{self, Found, declarations, occurrences};
use crate::workspace::Workspace;

/// Returns the place and the text of the name that a rename at a byte would change. Call [`rename`] with the new name
/// then.
///
/// # Errors
/// Fails if no name is there, if it is a word of the language, or if no file declares it.
pub fn prepare(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    offset: u32,
) -> Result<(Range, String), EditError> {
    let used = renamable(workspace, file, offset)?;
    Ok((
        file.range(used.mention.span),
        file.at(used.mention.span).to_owned(),
    ))
}

/// Returns the edits that give the name at a byte another name everywhere: in all files that share its domain. Nothing
/// is changed here. `new_name` may have the sign of the name, such as `?`.
///
/// # Errors
/// Fails like [`prepare`], and if the new name is not a name of the language or already has a meaning
/// there.
pub fn rename(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    offset: u32,
    new_name: &str,
) -> Result<WorkspaceEdit, EditError> {
    let used = renamable(workspace, file, offset)?;
    let name = plain(file.language, used.mention.kind, new_name)
        .ok_or_else(|| EditError::Malformed(new_name.to_owned()))?;
    let found = occurrences(workspace, &used);
    if used.name() != bare(file.language, &name) {
        refuse_taken(workspace, &used, &found, &name)?;
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for one in &found {
        let written = one.file.at(one.mention.span);
        let sign = written.chars().next().filter(|c| "?@".contains(*c));
        let text = format!("{}{name}", sign.map(String::from).unwrap_or_default());
        let edits = changes.entry(Uri(one.file.uri().to_owned())).or_default();
        edits.push(TextEdit {
            range: one.file.range(one.mention.span),
            new_text: text,
        });
    }
    Ok(WorkspaceEdit {
        changes: Some(changes),
        document_changes: None,
        change_annotations: None,
    })
}

fn renamable(workspace: &Workspace, file: &Arc<TextFile>, offset: u32) -> Result<Found, EditError> {
    let used = lookup::at(file, offset).ok_or(EditError::NoName)?;
    let name = file.at(used.mention.span);
    if used.mention.kind == NameKind::Requirement {
        return Err(EditError::Word(name.to_owned()));
    }
    if declarations(workspace, &used).is_empty() {
        return Err(EditError::Undeclared(name.to_owned()));
    }
    Ok(used)
}

/// Returns a new name without its sign; `None` if it is not one name of the language.
fn plain(language: Language, kind: NameKind, text: &str) -> Option<String> {
    let text = match kind {
        NameKind::Variable => text.strip_prefix('?').unwrap_or(text),
        NameKind::Value => text.strip_prefix('@').unwrap_or(text),
        _ => text,
    };
    let lexemes = match language {
        Language::Pddl => herbrand_pddl::lexemes(text),
        Language::Rddl => herbrand_rddl::lexemes(text),
    };
    let is_whole = |one: &Lexeme| one.span.range() == (0..text.len()) && one.kind == LexemeKind::Name;
    (matches!(lexemes.as_slice(), [one] if is_whole(one)) && !text.ends_with('\'') && !text.starts_with('@'))
        .then(|| text.to_owned())
}

/// Fails if the new name already has a meaning in the files of the old one.
fn refuse_taken(workspace: &Workspace, used: &Found, found: &[Found], name: &str) -> Result<(), EditError> {
    let new = bare(used.file.language, name);
    let mut named: BTreeMap<&str, Vec<&Mention>> = BTreeMap::new();
    for one in found {
        let file = &one.file;
        let same = named.entry(file.uri()).or_insert_with(|| {
            let mentions = file.mentions().iter();
            mentions.filter(|other| file.name(other) == new).collect()
        });
        let kind = match used.mention.kind {
            NameKind::Variable => NameKind::Variable,
            _ => declarations(workspace, one)
                .first()
                .map_or(one.mention.kind, |own| own.mention.kind),
        };
        let clashes = |other: &&Mention| {
            other.kind == kind
                && (kind != NameKind::Variable || other.extent == one.mention.extent || encloses(other, one))
        };
        if same.iter().any(clashes) {
            return Err(EditError::Taken(name.to_owned()));
        }
    }
    Ok(())
}

/// Returns whether the scope of a variable and that of another one overlap.
fn encloses(other: &Mention, one: &Found) -> bool {
    let own = one.mention.extent;
    other.extent.start < own.end && own.start < other.extent.end
}
