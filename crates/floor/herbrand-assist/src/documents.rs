//! Texts: one version of a file with its lines and names.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::language::Language;
use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use herbrand_text::{Lexeme, LexemeKind, Mention, NameKind, Role, Source, Span};

use crate::positions::Lines;
use crate::uri;

/// One version of a file: its text with lines and names. An edit makes another one, so all threads can share it.
/// [`new`](Self::new) and [`changed`](Self::changed) make one; [`Workspace::set`](crate::Workspace::set) takes it.
#[derive(Debug)]
pub struct TextFile {
    /// The text; its name is the URI of the file.
    pub source: Source,
    /// The path that the URI names; `None` if it is not the URI of a file, as for a text that was never saved.
    pub path: Option<PathBuf>,
    /// The version that the editor counts; `None` for a file that is not open.
    pub version: Option<i32>,
    /// The language, by the extension of the file, or by the text if it has none.
    pub language: Language,
    pub(crate) lines: Lines,
    names: OnceLock<Names>,
}

/// The names and tokens of a text.
#[derive(Debug)]
struct Names {
    mentions: Vec<Mention>,
    lexemes: Vec<Lexeme>,
    /// The declarations of each name, in order, as numbers of mentions.
    declared: HashMap<(NameKind, String), Vec<u32>>,
    /// The declarations of actions, in order.
    actions: Vec<Mention>,
    /// The names of the domains that the text defines.
    domains: Vec<String>,
    /// The name of the first domain that the text refers to.
    named_domain: Option<String>,
    /// The names of the blocks of non-fluents that the text declares or uses, in order.
    blocks: Vec<String>,
}

impl TextFile {
    /// Makes a version of a file; `uri` is its normal form ([`normal`](crate::uri::normal)). `version` is the number
    /// that the editor gives it; `None` for a file that is not open. The text may be faulty. It is split into names
    /// when they are first needed.
    pub fn new(uri: &str, text: &str, version: Option<i32>) -> Self {
        let path = uri::path(uri);
        let extension = path.as_deref().and_then(|path| path.extension()?.to_str());
        let language = match extension {
            Some("rddl") => Language::Rddl,
            Some("pddl" | "ppddl") => Language::Pddl,
            _ => Language::of(text),
        };
        Self {
            source: Source::new(uri, text),
            path,
            version,
            language,
            lines: Lines::of(text),
            names: OnceLock::new(),
        }
    }

    /// Returns the file after the edits of an editor, each applied to the text that the one before gives. `version` is
    /// the number of the new version. Positions beyond the text are moved back, as in [`offset`](Self::offset).
    pub fn changed(&self, changes: Vec<TextDocumentContentChangeEvent>, version: i32) -> Self {
        let mut text = self.text().to_owned();
        let mut lines = self.lines.clone();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let span = lines.span(&text, change.range);
                    text.replace_range(span.range(), &change.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    text = change.text
                }
            }
            lines = Lines::of(&text);
        }
        Self::new(self.uri(), &text, Some(version))
    }

    /// Returns whether the file has the settings of a domain (`env.toml`), which are in neither language. Such a file
    /// has no names and no tokens here.
    #[must_use]
    pub fn is_settings(&self) -> bool {
        self.path
            .as_deref()
            .and_then(|path| path.file_name())
            .is_some_and(|name| name == "env.toml")
    }

    /// Returns the normal form of the URI of the file.
    pub fn uri(&self) -> &str {
        self.source.name()
    }

    /// Returns the text of the file.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns a line, which counts from 0, without its end; empty beyond the last line.
    pub fn line(&self, line: usize) -> &str {
        self.lines.text(line, self.text())
    }

    /// Returns a part of the text; empty if the text has no such part.
    pub fn at(&self, span: Span) -> &str {
        self.text().get(span.range()).unwrap_or_default()
    }

    /// Returns the lines and columns of a part of the text, both from 0, columns in UTF-16 code units. A byte beyond
    /// the end or inside a character is moved back.
    pub fn range(&self, span: Span) -> Range {
        self.lines.range(self.text(), span)
    }

    /// Returns the part of the text between two positions, as bytes. Positions are moved back as in
    /// [`offset`](Self::offset), and the earlier one comes first.
    pub fn span(&self, range: Range) -> Span {
        self.lines.span(self.text(), range)
    }

    /// Returns the byte, from 0, of a position, whose line counts from 0 and whose column is in UTF-16 code units. A
    /// position beyond the end of its line or of the text is moved back.
    pub fn offset(&self, position: Position) -> u32 {
        self.lines.offset(self.text(), position)
    }

    /// Returns the name of a mention of this file without its sign (`?` or `@`), in lower case if the language ignores
    /// case.
    pub fn name(&self, mention: &Mention) -> String {
        bare(self.language, self.at(mention.span))
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let (mentions, lexemes) = match self.language {
                _ if self.is_settings() => (Vec::new(), Vec::new()),
                Language::Pddl => (
                    herbrand_pddl::read(&self.source, &herbrand_pddl::ReadOptions::default()).mentions(),
                    herbrand_pddl::lexemes(self.text()),
                ),
                Language::Rddl => {
                    let sources = std::slice::from_ref(&self.source);
                    let document = herbrand_rddl::read(sources, &herbrand_rddl::ReadOptions::default());
                    (document.mentions(0), herbrand_rddl::lexemes(self.text()))
                }
            };
            let names = |kind: NameKind, roles: &[Role]| -> Vec<String> {
                let is = |one: &&Mention| one.kind == kind && roles.contains(&one.role);
                mentions.iter().filter(is).map(|one| self.name(one)).collect()
            };
            let mut declared: HashMap<_, Vec<u32>> = HashMap::new();
            for (number, one) in (0..).zip(&mentions).filter(|(_, one)| one.role == Role::Declares) {
                declared
                    .entry((one.kind, self.name(one)))
                    .or_default()
                    .push(number);
            }
            let is_action = |one: &&Mention| (one.kind, one.role) == (NameKind::Action, Role::Declares);
            Names {
                declared,
                actions: mentions.iter().filter(is_action).copied().collect(),
                domains: names(NameKind::Domain, &[Role::Declares]),
                named_domain: names(NameKind::Domain, &[Role::Reads]).into_iter().next(),
                blocks: names(NameKind::NonFluents, &[Role::Declares, Role::Reads]),
                mentions,
                lexemes,
            }
        })
    }

    /// Returns the names of the domains that the text defines, in the order of the text; empty if it defines none.
    pub fn domains(&self) -> &[String] {
        &self.names().domains
    }

    /// Returns the name of the first domain that the text refers to, as a problem does with `(:domain …)`; `None` if it
    /// refers to none. A definition of a domain is no reference.
    pub fn named_domain(&self) -> Option<&str> {
        self.names().named_domain.as_deref()
    }

    /// Returns the names of the blocks of non-fluents that the text declares or uses; empty in PDDL.
    pub fn blocks(&self) -> &[String] {
        &self.names().blocks
    }

    /// Returns all names of the text with their places and roles, sorted by place. A faulty text has names too, except
    /// in parts that the parser skipped.
    pub fn mentions(&self) -> &[Mention] {
        &self.names().mentions
    }

    /// Returns the declarations of a name, which has no sign and is in lower case if the language ignores case.
    pub(crate) fn declared(&self, kind: NameKind, name: &str) -> impl Iterator<Item = &Mention> {
        let names = self.names();
        let numbers = names.declared.get(&(kind, name.to_owned()));
        numbers
            .into_iter()
            .flatten()
            .map(|&number| &names.mentions[number as usize])
    }

    /// Returns the declaration of the action around a part of the text.
    pub(crate) fn action_around(&self, span: Span) -> Option<&Mention> {
        let actions = &self.names().actions;
        let behind = actions.partition_point(|one| one.extent.start <= span.start);
        actions[..behind].last().filter(|one| span.end <= one.extent.end)
    }

    /// Returns the mentions whose names begin in a part of the text.
    pub(crate) fn mentions_in(&self, part: Span) -> &[Mention] {
        let mentions = self.mentions();
        let before = |offset: u32| mentions.partition_point(|one| one.span.start < offset);
        mentions
            .get(before(part.start)..before(part.end))
            .unwrap_or_default()
    }

    /// Returns all tokens and comments of the text in order, also of a faulty text.
    pub fn lexemes(&self) -> &[Lexeme] {
        &self.names().lexemes
    }

    /// Returns the name that contains the byte with this offset, or ends right before it; `None` if no name is there. A
    /// name in a part that the parser skipped has the kind `unknown`, the role [`Role::Reads`] and itself as its
    /// extent.
    pub fn mention_at(&self, offset: u32, unknown: NameKind) -> Option<Mention> {
        let touches = |span: Span| span.start <= offset && offset <= span.end;
        let mentions = self.mentions();
        let end = mentions.partition_point(|mention| mention.span.start <= offset);
        let known = mentions[..end]
            .iter()
            .rev()
            .take(4)
            .find(|mention| touches(mention.span));
        if let Some(&mention) = known {
            return Some(mention);
        }
        let lexemes = self.lexemes();
        let first = lexemes.partition_point(|lexeme| lexeme.span.end < offset);
        let word = lexemes[first..].iter().take(2).find(|lexeme| {
            touches(lexeme.span) && matches!(lexeme.kind, LexemeKind::Name | LexemeKind::Variable)
        })?;
        let is_variable = word.kind == LexemeKind::Variable;
        Some(Mention {
            kind: if is_variable { NameKind::Variable } else { unknown },
            role: Role::Reads,
            span: word.span,
            extent: word.span,
            types: None,
        })
    }

    /// Returns the names that the text declares or refers to, of one kind and role.
    pub fn of_kind(&self, kind: NameKind, role: Role) -> impl Iterator<Item = &Mention> {
        let is = move |mention: &&Mention| mention.kind == kind && mention.role == role;
        self.mentions().iter().filter(is)
    }
}

/// Returns a name without its sign, in lower case if the language ignores case.
pub(crate) fn bare(language: Language, text: &str) -> String {
    let text = text.trim_start_matches(['?', '@']).trim_end_matches('\'');
    match language {
        Language::Pddl => text.to_ascii_lowercase(),
        Language::Rddl => text.to_owned(),
    }
}
