//! Edits that mend faults.

use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::Range;
use herbrand_text::{Code, Diagnostic, Lexeme, LexemeKind, Mention, NameKind, Role, Span};

use crate::brackets::{pairs, sections};
use crate::documents::TextFile;
use crate::lookup::{Found, declarations};
use crate::workspace::Workspace;

/// An edit of one place that mends a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fix {
    pub(crate) title: String,
    /// The file to edit, which may be the domain of the file with the fault.
    pub(crate) uri: String,
    pub(crate) range: Range,
    pub(crate) text: String,
    pub(crate) kind: FixKind,
}

/// The kind of a [`Fix`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FixKind {
    /// Writes the name that was probably meant.
    Suggested,
    /// Declares an unknown name.
    Declared,
    /// Any other edit.
    Other,
}

/// Returns the edits that mend a fault at `span` of a file, the likeliest first.
pub(crate) fn fixes<C: Code>(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    diagnostic: &Diagnostic<C>,
    span: Span,
) -> Vec<Fix> {
    let scene = Scene {
        workspace,
        file,
        span,
    };
    let mut found = Vec::new();
    if let Some(meant) = diagnostic.suggestion() {
        let text = scene.signed(meant);
        found.push(scene.fix(format!("Write `{text}`"), file, span, text, FixKind::Suggested));
    }
    let pddl = file.language == Language::Pddl;
    let other = match diagnostic.code().as_str() {
        "E0101" => scene.declare_predicate(":predicates"),
        "E0105" => scene.declare_predicate(":functions"),
        "E0102" => scene.declare_object(),
        "E0103" => scene.declare_parameter(),
        "E0104" | "W0103" => scene.declare_in(":types", &scene.written()),
        "W0602" => scene.add_requirement(quoted(diagnostic.message())),
        "W0601" | "W0603" | "W0604" if pddl => scene.remove(span),
        // The message may be about a section behind the parenthesis.
        "E0004" if pddl => {
            let mut spans = diagnostic.labels().iter().map(|label| label.span());
            spans
                .find(|&span| file.at(span) == ")")
                .and_then(|span| scene.remove(span))
        }
        "E0003" if pddl => scene.close(diagnostic),
        "W0303" => scene.add_section(diagnostic.message()),
        _ => None,
    };
    found.extend(other);
    found
}

/// Returns the text between the first two backquotes of a message.
fn quoted(message: &str) -> &str {
    message.split('`').nth(1).unwrap_or_default()
}

struct Scene<'s> {
    workspace: &'s Workspace,
    file: &'s Arc<TextFile>,
    /// The place of the fault.
    span: Span,
}

impl Scene<'_> {
    fn written(&self) -> String {
        self.file.at(self.span).to_owned()
    }

    fn fix(&self, title: String, file: &TextFile, span: Span, text: String, kind: FixKind) -> Fix {
        Fix {
            title,
            uri: file.uri().to_owned(),
            range: file.range(span),
            text,
            kind,
        }
    }

    /// Returns a name with the sign and the prime of the word that it replaces.
    fn signed(&self, meant: &str) -> String {
        let written = self.file.at(self.span);
        let sign = written
            .chars()
            .next()
            .filter(|c| "?@:".contains(*c) && !meant.starts_with(*c));
        let prime = if written.ends_with('\'') && !meant.ends_with('\'') {
            "'"
        } else {
            ""
        };
        format!("{}{meant}{prime}", sign.map(String::from).unwrap_or_default())
    }

    /// Returns the file that defines the domain of this one.
    fn domain(&self) -> Option<Arc<TextFile>> {
        self.workspace.domain_of(self.file)
    }

    /// Inserts a declaration into a section of the domain. Adds the section if the domain lacks it.
    fn declare_in(&self, section: &str, declaration: &str) -> Option<Fix> {
        self.declare(&self.domain()?, section, declaration)
    }

    fn declare(&self, file: &Arc<TextFile>, section: &str, declaration: &str) -> Option<Fix> {
        let title = format!("Declare `{declaration}` in `({section} …)`");
        let Some(list) = sections(file, section).last() else {
            let at = self.after_head(file)?;
            let text = format!("\n  ({section} {declaration})");
            return Some(self.fix(title, file, at, text, FixKind::Declared));
        };
        let first = Span {
            start: list.start + 1 + section.len() as u32,
            end: list.end - 1,
        };
        let (place, text) = insertion(file, first, declaration);
        Some(self.fix(title, file, place, text, FixKind::Declared))
    }

    /// Returns the place behind the head of a definition: its title, requirements and domain.
    fn after_head(&self, file: &TextFile) -> Option<Span> {
        let heads = ["domain", "problem", ":requirements", ":domain"];
        let last = heads.iter().filter_map(|head| sections(file, head).next());
        let end = last.map(|list| list.end).max()?;
        Some(Span { start: end, end })
    }

    /// Returns the atom or term around the fault, whose name or argument it is.
    fn around(&self) -> Option<&Mention> {
        let contains = |one: &&Mention| {
            matches!(one.kind, NameKind::Predicate | NameKind::Function)
                && one.extent.start <= self.span.start
                && self.span.end <= one.extent.end
                && one.role != Role::Declares
                && one.role != Role::Defines
        };
        // Of the atoms around a place, the innermost begins last.
        let before = Span {
            start: 0,
            end: self.span.end,
        };
        self.file.mentions_in(before).iter().rev().find(contains)
    }

    /// Declares a predicate or function with the parameters of its use.
    fn declare_predicate(&self, section: &str) -> Option<Fix> {
        let used = self.around()?;
        let inside = |one: &&Mention| {
            used.span.end <= one.span.start && matches!(one.kind, NameKind::Variable | NameKind::Object)
        };
        let mut text = format!("({}", self.file.name(used));
        let mut names: Vec<String> = Vec::new();
        for argument in self.file.mentions_in(used.extent).iter().filter(inside) {
            let name = self.file.name(argument);
            let (name, types) = match argument.kind {
                NameKind::Variable => (name, argument.types.map(|span| self.file.at(span).to_owned())),
                _ => ("x".to_owned(), self.type_of_object(argument)),
            };
            let mut unique = name.clone();
            let mut count = 2;
            while names.contains(&unique) {
                unique = format!("{name}{count}");
                count += 1;
            }
            text.push_str(&format!(" ?{unique}"));
            if let Some(types) = types.filter(|types| !types.contains(char::is_whitespace)) {
                text.push_str(&format!(" - {types}"));
            }
            names.push(unique);
        }
        text.push(')');
        self.declare_in(section, &text)
    }

    fn type_of_object(&self, mention: &Mention) -> Option<String> {
        let used = Found {
            file: Arc::clone(self.file),
            mention: *mention,
        };
        let declared = declarations(self.workspace, &used).into_iter().next()?;
        declared
            .mention
            .types
            .map(|span| declared.file.at(span).to_owned())
    }

    /// Returns a name with the type of the parameter that it is passed to.
    fn typed(&self, name: &str) -> String {
        let of = self.around().and_then(|used| {
            let inside = |one: &&Mention| used.span.end <= one.span.start && one.span.end <= self.span.start;
            let arguments = self.file.mentions_in(used.extent).iter().filter(inside);
            let index = arguments
                .filter(|one| matches!(one.kind, NameKind::Variable | NameKind::Object))
                .count();
            let used = Found {
                file: Arc::clone(self.file),
                mention: *used,
            };
            let declared = declarations(self.workspace, &used).into_iter().next()?;
            let types = parameters(&declared).get(index)?.types?;
            Some(declared.file.at(types).to_owned())
        });
        match of {
            Some(of) if !of.contains(char::is_whitespace) => format!("{name} - {of}"),
            _ => name.to_owned(),
        }
    }

    fn declare_object(&self) -> Option<Fix> {
        let section = if self.file.domains().is_empty() {
            ":objects"
        } else {
            ":constants"
        };
        self.declare(self.file, section, &self.typed(&self.written()))
    }

    /// Adds a variable to the parameters of the action around it.
    fn declare_parameter(&self) -> Option<Fix> {
        let action = self.file.action_around(self.span)?;
        let text = self.file.at(action.extent);
        let keyword = text.to_ascii_lowercase().find(":parameters")?;
        let open = action.extent.start as usize + keyword + text[keyword..].find('(')?;
        let pairs = pairs(self.file);
        let list = pairs.iter().find(|list| list.start as usize == open)?;
        let inner = Span {
            start: list.start + 1,
            end: list.end - 1,
        };
        let declaration = self.typed(&self.written());
        let (place, text) = insertion(self.file, inner, &declaration);
        let title = format!(
            "Add `{declaration}` to the parameters of `{}`",
            self.file.name(action)
        );
        Some(self.fix(title, self.file, place, text, FixKind::Declared))
    }

    fn add_requirement(&self, keyword: &str) -> Option<Fix> {
        let file = self.file;
        let title = format!("Add `{keyword}` to `(:requirements …)`");
        let own = |list: &Span| list.start < self.span.start;
        if let Some(list) = sections(file, ":requirements").filter(own).last() {
            let at = Span {
                start: list.end - 1,
                end: list.end - 1,
            };
            return Some(self.fix(title, file, at, format!(" {keyword}"), FixKind::Other));
        }
        let head = ["domain", "problem"]
            .iter()
            .filter_map(|head| sections(file, head).filter(own).last());
        let end = head.map(|list| list.end).max()?;
        let text = format!("\n  (:requirements {keyword})");
        Some(self.fix(title, file, Span { start: end, end }, text, FixKind::Other))
    }

    /// Removes a word with the blanks before it.
    fn remove(&self, word: Span) -> Option<Fix> {
        let before = &self.file.text()[..word.start as usize];
        let start = before.trim_end_matches([' ', '\t']).len() as u32;
        let title = format!("Remove `{}`", self.file.at(word));
        Some(self.fix(
            title,
            self.file,
            Span { start, ..word },
            String::new(),
            FixKind::Other,
        ))
    }

    /// Adds the missing parentheses where the text or the next section shows that they are missing.
    fn close<C: Code>(&self, diagnostic: &Diagnostic<C>) -> Option<Fix> {
        let digits: String = diagnostic
            .message()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let count = digits.parse().unwrap_or(1_usize).min(1000);
        let end = match diagnostic.labels() {
            // Two labels name the last token before the place, and the parenthesis that is open.
            [last, _, ..] => last.span().end,
            _ => {
                let mut before = self.file.lexemes().iter().rev();
                before.find(|one| one.kind != LexemeKind::Comment)?.span.end
            }
        };
        let at = Span { start: end, end };
        let text = ")".repeat(count);
        Some(self.fix(format!("Add `{text}`"), self.file, at, text, FixKind::Other))
    }

    /// Adds the section that a message names to the problem.
    fn add_section(&self, message: &str) -> Option<Fix> {
        let section = match quoted(message) {
            ":goal" => "(:goal (and))",
            ":init" => "(:init)",
            _ => return None,
        };
        let around = sections(self.file, "define")
            .find(|list| list.start <= self.span.start && self.span.end <= list.end)?;
        let at = Span {
            start: around.end - 1,
            end: around.end - 1,
        };
        let title = format!("Add `{section}`");
        Some(self.fix(title, self.file, at, format!("\n  {section}"), FixKind::Other))
    }
}

/// Returns where and how to add a declaration to those in `list`: at the end, unless a type there would then also be that of
/// names before it.
fn insertion(file: &TextFile, list: Span, declaration: &str) -> (Span, String) {
    let inner = file.at(list);
    let is_word = |one: &&Lexeme| {
        list.start <= one.span.start && one.span.end <= list.end && one.kind != LexemeKind::Comment
    };
    let words: Vec<&str> = file
        .lexemes()
        .iter()
        .filter(is_word)
        .map(|one| file.at(one.span))
        .collect();
    let after_type = match words.iter().rposition(|word| *word == "-") {
        Some(dash) => words.len() <= dash + 2 || words[dash + 1] == "(",
        None => words.is_empty(),
    };
    let is_typed = declaration.contains(" - ") && !declaration.starts_with('(');
    if is_typed && !after_type {
        let start = Span {
            end: list.start,
            ..list
        };
        let before = if file.at(Span {
            start: list.start.saturating_sub(1),
            end: list.start,
        }) == "("
        {
            ""
        } else {
            " "
        };
        let after = if inner.starts_with(char::is_whitespace) {
            ""
        } else {
            " "
        };
        return (start, format!("{before}{declaration}{after}"));
    }
    let end = Span {
        start: list.end,
        ..list
    };
    let is_open = inner.is_empty() && file.text()[..list.start as usize].ends_with('(');
    let gap = if is_open || inner.ends_with(char::is_whitespace) {
        ""
    } else {
        " "
    };
    (end, format!("{gap}{declaration}"))
}

/// Returns the parameters of a declared predicate, function, action or fluent, in order.
pub(crate) fn parameters(declared: &Found) -> Vec<Mention> {
    let of_variables = |one: &&Mention| {
        one.kind == NameKind::Variable && one.role == Role::Declares && one.extent == declared.mention.extent
    };
    let of_types = |one: &&Mention| {
        one.kind == NameKind::Type
            && declared.mention.span.end <= one.span.start
            && one.span.end <= declared.mention.extent.end
            && declared
                .mention
                .types
                .is_none_or(|range| one.span.start < range.start)
    };
    let mentions = declared.file.mentions_in(declared.mention.extent).iter();
    match declared.mention.kind {
        NameKind::Fluent => mentions.filter(of_types).copied().collect(),
        _ => mentions.filter(of_variables).copied().collect(),
    }
}
