//! Finds the declarations and uses of names across files.

use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{Location, Uri};
use herbrand_text::{Mention, NameKind};

use crate::documents::TextFile;
use crate::workspace::Workspace;

/// A mention in a file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) file: Arc<TextFile>,
    pub(crate) mention: Mention,
}

impl Found {
    pub(crate) fn location(&self) -> Location {
        Location {
            uri: Uri(self.file.uri().to_owned()),
            range: self.file.range(self.mention.span),
        }
    }

    pub(crate) fn name(&self) -> String {
        self.file.name(&self.mention)
    }
}

/// The kinds that a name of the given kind may turn out to have, the likeliest first.
const fn kinds(kind: NameKind) -> &'static [NameKind] {
    match kind {
        // A type is a predicate of one argument.
        NameKind::Predicate => &[
            NameKind::Predicate,
            NameKind::Type,
            NameKind::Function,
            NameKind::Action,
            NameKind::Object,
        ],
        NameKind::Fluent => &[
            NameKind::Fluent,
            NameKind::Object,
            NameKind::Value,
            NameKind::Type,
        ],
        NameKind::Object => &[NameKind::Object, NameKind::Value],
        NameKind::Value => &[NameKind::Value],
        NameKind::Type => &[NameKind::Type],
        NameKind::Function => &[NameKind::Function],
        NameKind::Action => &[NameKind::Action],
        NameKind::Variable => &[NameKind::Variable],
        NameKind::Domain => &[NameKind::Domain],
        NameKind::Problem => &[NameKind::Problem],
        NameKind::NonFluents => &[NameKind::NonFluents],
        NameKind::Requirement => &[NameKind::Requirement],
    }
}

/// Returns the kind to assume for a name that the parser skipped.
pub(crate) const fn unknown(language: Language) -> NameKind {
    match language {
        Language::Pddl => NameKind::Predicate,
        Language::Rddl => NameKind::Fluent,
    }
}

/// Returns the name at a byte of a file.
pub(crate) fn at(file: &Arc<TextFile>, offset: u32) -> Option<Found> {
    let mention = file.mention_at(offset, unknown(file.language))?;
    Some(Found {
        file: Arc::clone(file),
        mention,
    })
}

/// Returns the declarations of a name; empty if no file in its scope declares it.
pub(crate) fn declarations(workspace: &Workspace, used: &Found) -> Vec<Found> {
    let name = used.name();
    if used.mention.kind == NameKind::Variable {
        let own = used.file.declared(NameKind::Variable, &name);
        let own = own.filter(|one| one.extent == used.mention.extent);
        return found(&used.file, own).collect();
    }
    let scope = workspace.scope(&used.file);
    for &kind in kinds(used.mention.kind) {
        let mut all = Vec::new();
        for file in &scope {
            all.extend(found(file, file.declared(kind, &name)));
        }
        if !all.is_empty() {
            return all;
        }
    }
    Vec::new()
}

fn found<'m>(
    file: &Arc<TextFile>,
    mentions: impl Iterator<Item = &'m Mention>,
) -> impl Iterator<Item = Found> {
    mentions.map(|&mention| Found {
        file: Arc::clone(file),
        mention,
    })
}

/// Returns all places of a name: of its declarations and uses in all files that can refer to it. Only `used` if the name is
/// not declared.
pub(crate) fn occurrences(workspace: &Workspace, used: &Found) -> Vec<Found> {
    let name = used.name();
    if used.mention.kind == NameKind::Variable {
        let same = |one: &&Mention| {
            one.kind == NameKind::Variable && one.extent == used.mention.extent && used.file.name(one) == name
        };
        return found(&used.file, used.file.mentions().iter().filter(same)).collect();
    }
    let Some(declared) = declarations(workspace, used).into_iter().next() else {
        return vec![used.clone()];
    };
    let kind = declared.mention.kind;
    let files = if !declared.file.domains().is_empty() {
        workspace.family(&declared.file)
    } else {
        // An object of a problem is unknown in other problems.
        workspace.scope(&declared.file)
    };
    let mut all = Vec::new();
    for file in &files {
        let is = |one: &&Mention| kinds(one.kind).contains(&kind) && file.name(one) == name;
        all.extend(found(file, file.mentions().iter().filter(is)));
    }
    // `kinds` allows several kinds for a use. The declaration that the use refers to decides.
    all.retain(|one| {
        one.mention.kind == kind
            || declarations(workspace, one)
                .first()
                .is_some_and(|own| own.mention.kind == kind)
    });
    all
}
