//! The outline of a file, and the names of all files.

use std::sync::Arc;

use gen_lsp_types::{DocumentSymbol, SymbolInformation, SymbolKind};
use herbrand_text::{Mention, NameKind, Role, Span};

use crate::documents::TextFile;
use crate::lookup::Found;
use crate::workspace::Workspace;

/// The maximum number of names of all files that are returned.
const MOST: usize = 500;

/// The maximum number of objects or values of one kind in an outline.
const MOST_OBJECTS: usize = 2000;

pub(crate) const fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Domain => SymbolKind::Module,
        NameKind::Problem | NameKind::NonFluents => SymbolKind::Package,
        NameKind::Type => SymbolKind::Class,
        NameKind::Object => SymbolKind::Constant,
        NameKind::Value => SymbolKind::EnumMember,
        NameKind::Predicate => SymbolKind::Boolean,
        NameKind::Function => SymbolKind::Number,
        NameKind::Fluent => SymbolKind::Field,
        NameKind::Action => SymbolKind::Method,
        NameKind::Variable => SymbolKind::Variable,
        NameKind::Requirement => SymbolKind::Key,
    }
}

/// Returns the declarations of a file as an outline: the domains and problems, each with its declarations below it.
/// Variables are left out, and so are objects and values beyond 2,000. Empty if nothing is declared.
pub fn outline(file: &Arc<TextFile>) -> Vec<DocumentSymbol> {
    let is_shown =
        |one: &&Mention| matches!(one.role, Role::Declares | Role::Defines) && one.kind != NameKind::Variable;
    let mut top: Vec<DocumentSymbol> = Vec::new();
    let mut objects = 0;
    let end = file.text().len() as u32;
    for one in file.mentions().iter().filter(is_shown) {
        let is_title = matches!(
            one.kind,
            NameKind::Domain | NameKind::Problem | NameKind::NonFluents
        );
        if is_title {
            // A definition lasts to the next one. The outline needs no more than that.
            let start = file.range(one.span).start;
            if let Some(last) = top.last_mut() {
                last.range.end = start;
            }
            top.push(symbol(
                file,
                one,
                Span {
                    start: one.span.start,
                    end,
                },
            ));
            continue;
        }
        if matches!(one.kind, NameKind::Object | NameKind::Value) {
            objects += 1;
            if objects > MOST_OBJECTS {
                continue;
            }
        }
        let child = symbol(file, one, one.extent);
        match top.last_mut() {
            Some(last) => last.children.get_or_insert_default().push(child),
            None => top.push(child),
        }
    }
    top
}

#[expect(deprecated, reason = "the field must be given")]
fn symbol(file: &Arc<TextFile>, one: &Mention, extent: Span) -> DocumentSymbol {
    let detail = match one.kind {
        NameKind::Object | NameKind::Type => one.types.map(|types| file.at(types).to_owned()),
        NameKind::Action | NameKind::Predicate | NameKind::Function if one.role == Role::Declares => {
            let found = Found {
                file: Arc::clone(file),
                mention: *one,
            };
            let parameters = crate::fixes::parameters(&found);
            let names: Vec<_> = parameters
                .iter()
                .map(|parameter| file.at(parameter.span))
                .collect();
            Some(names.join(" "))
        }
        _ if one.role == Role::Defines => Some("rule".to_owned()),
        _ => None,
    };
    DocumentSymbol {
        name: file.at(one.span).to_owned(),
        detail: detail.filter(|detail| !detail.is_empty()),
        kind: symbol_kind(one.kind),
        tags: None,
        deprecated: None,
        range: file.range(extent),
        selection_range: file.range(one.span),
        children: None,
    }
}

/// Returns the declarations in all files whose name contains `query`, in any case, at most 500. An empty `query` fits
/// every name.
#[expect(deprecated, reason = "the field must be given")]
pub fn search(workspace: &Workspace, query: &str) -> Vec<SymbolInformation> {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for file in workspace.files() {
        let declared = file.mentions().iter().filter(|one| {
            one.role == Role::Declares && !matches!(one.kind, NameKind::Variable | NameKind::Requirement)
        });
        for one in declared {
            let name = file.at(one.span);
            if name.to_lowercase().contains(&query) {
                let place = Found {
                    file: Arc::clone(file),
                    mention: *one,
                };
                found.push(SymbolInformation {
                    deprecated: None,
                    location: place.location(),
                    base_symbol_information: gen_lsp_types::BaseSymbolInformation {
                        name: name.to_owned(),
                        kind: symbol_kind(one.kind),
                        tags: None,
                        container_name: file.domains().first().cloned(),
                    },
                });
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}
