//! Remarks within the lines: the types that a group of names gets, and the parameters that arguments are passed to.

use std::collections::HashMap;
use std::sync::Arc;

use gen_lsp_types::{InlayHint, InlayHintKind};
use herbrand_text::{Mention, NameKind, Role, Span};

use crate::documents::TextFile;
use crate::fixes::parameters;
use crate::lookup::{Found, declarations};
use crate::workspace::Workspace;

/// The maximum number of hints in an answer.
const MOST: usize = 2000;

/// Returns the hints that an editor shows within the lines of a part of a file, given as bytes: the types of variables
/// and objects, and the names of parameters before arguments. At most 2,000; empty if the part has no such names.
pub fn hints(workspace: &Workspace, file: &Arc<TextFile>, within: Span) -> Vec<InlayHint> {
    let mut found = Vec::new();
    let mentions = file.mentions();
    // A scope may have many atoms of one predicate.
    let mut known: HashMap<(NameKind, String), Vec<String>> = HashMap::new();
    let is_in = |one: &Mention| within.start <= one.span.end && one.span.start <= within.end;
    for (at, one) in mentions.iter().enumerate().filter(|(_, one)| is_in(one)) {
        if found.len() >= MOST {
            break;
        }
        match (one.kind, one.role) {
            (NameKind::Variable | NameKind::Object, Role::Declares) => {
                found.extend(type_hint(file, mentions, at))
            }
            (
                NameKind::Predicate | NameKind::Function | NameKind::Fluent,
                Role::Reads | Role::Changes | Role::Sets,
            ) => {
                let names = known
                    .entry((one.kind, file.name(one)))
                    .or_insert_with(|| names(workspace, file, one));
                found.extend(positions(file, &mentions[at + 1..], one, names));
            }
            _ => {}
        }
    }
    found
}

/// Returns the type of a name that shares it with names behind it, as `?a` in `?a ?b - room`.
fn type_hint(file: &TextFile, mentions: &[Mention], at: usize) -> Option<InlayHint> {
    let one = &mentions[at];
    let types = one.types?;
    let next = mentions.get(at + 1)?;
    let shares = next.kind == one.kind && next.types == one.types && next.role == Role::Declares;
    if !shares || types.start < one.span.start {
        return None;
    }
    let text = file.at(types).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(hint(
        file,
        one.span.end,
        format!("- {text}"),
        InlayHintKind::Type,
        true,
    ))
}

/// Returns the names of the parameters of a predicate, function or fluent; empty if its declaration is missing.
fn names(workspace: &Workspace, file: &Arc<TextFile>, mention: &Mention) -> Vec<String> {
    let used = Found {
        file: Arc::clone(file),
        mention: *mention,
    };
    let Some(declared) = declarations(workspace, &used).into_iter().next() else {
        return Vec::new();
    };
    parameters(&declared)
        .iter()
        .map(|one| declared.file.name(one))
        .collect()
}

/// Returns the parameters to which the objects of an atom are passed. One argument needs no hint, and a variable has a name.
fn positions<'m>(
    file: &'m TextFile,
    behind: &'m [Mention],
    atom: &'m Mention,
    names: &'m [String],
) -> impl Iterator<Item = InlayHint> + 'm {
    let inside = behind.iter().take_while(|one| one.span.end <= atom.extent.end);
    let arguments =
        inside.filter(|one| matches!(one.kind, NameKind::Variable | NameKind::Object | NameKind::Value));
    let several = if names.len() > 1 { names } else { &[] };
    several.iter().zip(arguments).filter_map(|(name, argument)| {
        let is_object = argument.kind != NameKind::Variable && file.name(argument) != *name;
        is_object.then(|| {
            hint(
                file,
                argument.span.start,
                format!("{name}:"),
                InlayHintKind::Parameter,
                false,
            )
        })
    })
}

fn hint(file: &TextFile, offset: u32, text: String, kind: InlayHintKind, after: bool) -> InlayHint {
    InlayHint {
        position: file.lines.position(file.text(), offset),
        label: text.into(),
        kind: Some(kind),
        text_edits: None,
        tooltip: None,
        padding_left: after.then_some(true),
        padding_right: (!after).then_some(true),
        data: None,
    }
}
