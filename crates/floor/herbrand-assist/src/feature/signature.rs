//! The parameters of the atom, term or call that is being typed.

use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{ParameterInformation, SignatureHelp, SignatureInformation};
use herbrand_text::{Mention, NameKind, Role, Span};

use crate::brackets::{self, Element};
use crate::documents::TextFile;
use crate::fixes::parameters;
use crate::lookup::{Found, declarations, unknown};
use crate::workspace::Workspace;

/// Returns the parameters of the atom, term or call around a byte of a file, and marks the parameter at the byte.
/// `None` if nothing of the kind is there, if its name is not declared, or if it has no parameters. The file may be
/// faulty.
pub fn signature(workspace: &Workspace, file: &Arc<TextFile>, offset: u32) -> Option<SignatureHelp> {
    let place = brackets::place(file, offset)?;
    let (head, index) = place.lists.iter().rev().find_map(|list| match file.language {
        Language::Pddl => Some((list.head()?, list.elements.len().checked_sub(1)?)),
        Language::Rddl => {
            let commas = list.elements.iter().filter(|one| is_comma(file, **one)).count();
            (file.at(list.open) == "(").then_some((list.before?, commas))
        }
    })?;
    let declared = declaration(workspace, file, head)?;
    let declared_parameters = parameters(&declared);
    if declared_parameters.is_empty() || declared.mention.kind == NameKind::Action {
        return None;
    }
    let labels: Vec<String> = declared_parameters
        .iter()
        .map(|one| {
            let name = declared.file.at(one.span);
            match one.types {
                Some(types) => format!("{name} - {}", declared.file.at(types)),
                None => name.to_owned(),
            }
        })
        .collect();
    let name = declared.file.at(declared.mention.span);
    let label = match file.language {
        Language::Pddl => format!("({name} {})", labels.join(" ")),
        Language::Rddl => format!("{name}({})", labels.join(", ")),
    };
    let information = |label: String| ParameterInformation {
        label: label.into(),
        documentation: None,
    };
    let active = index.min(labels.len() - 1) as u32;
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label,
            documentation: super::hover::comment(&declared.file, declared.mention.extent).map(Into::into),
            parameters: Some(labels.into_iter().map(information).collect()),
            active_parameter: Some(active.into()),
        }],
        active_signature: Some(0),
        active_parameter: Some(active.into()),
    })
}

/// Returns the declaration of the word at `head`, which begins a list.
fn declaration(workspace: &Workspace, file: &Arc<TextFile>, head: Span) -> Option<Found> {
    let used = Found {
        file: Arc::clone(file),
        mention: Mention {
            kind: unknown(file.language),
            role: Role::Reads,
            span: head,
            extent: head,
            types: None,
        },
    };
    declarations(workspace, &used).into_iter().next()
}

fn is_comma(file: &TextFile, element: Element) -> bool {
    matches!(element, Element::Word(span) if file.at(span) == ",")
}

/// Returns the parameter of the list around a place that a word there would be passed to.
pub(crate) fn parameter_at(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    head: Span,
    index: usize,
) -> Option<Found> {
    let declared = declaration(workspace, file, head)?;
    let mention = *parameters(&declared).get(index)?;
    Some(Found {
        file: declared.file,
        mention,
    })
}
