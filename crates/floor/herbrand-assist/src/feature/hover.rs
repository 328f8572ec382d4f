//! Hover: the declaration of a name, the comment above it, and the actions that change and read it.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{Hover, MarkupContent, MarkupKind};
use herbrand_rddl::distributions;
use herbrand_text::{LexemeKind, Mention, NameKind, Role, Span};

use crate::documents::TextFile;
use crate::fixes::parameters;
use crate::lookup::{self, Found, declarations, occurrences};
use crate::workspace::Workspace;

/// The maximum number of names in one line.
const LISTED: usize = 8;

/// Describes the name at a byte of a file, in Markdown: its declaration with the comment above it, or the explanation
/// of a word of the language. `None` if no name is there, or it is unknown.
pub fn hover(workspace: &Workspace, file: &Arc<TextFile>, offset: u32) -> Option<Hover> {
    let used = lookup::at(file, offset)?;
    let declared = declarations(workspace, &used).into_iter().next();
    let text = match &declared {
        Some(declared) => described(workspace, declared),
        None => builtin(&used)?,
    };
    Some(Hover {
        contents: MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }
        .into(),
        range: Some(file.range(used.mention.span)),
    })
}

/// Returns the text about a declared name, in Markdown.
pub(crate) fn described(workspace: &Workspace, declared: &Found) -> String {
    let file = &declared.file;
    let language = match file.language {
        Language::Pddl => "pddl",
        Language::Rddl => "rddl",
    };
    let mut text = format!("```{language}\n{}\n```\n", headline(declared));
    for line in remarks(workspace, declared) {
        let _ = write!(text, "\n{line}\n");
    }
    if let Some(comment) = comment(file, declared.mention.extent) {
        let _ = write!(text, "\n---\n\n{comment}\n");
    }
    text
}

/// Returns the declaration in one line, or in the lines of the text if it is short.
pub(crate) fn headline(declared: &Found) -> String {
    let (file, mention) = (&declared.file, &declared.mention);
    let name = file.at(mention.span);
    let typed = |one: &Mention| match one.types {
        Some(types) => format!("{} - {}", file.at(one.span), one_line(file.at(types))),
        None => file.at(one.span).to_owned(),
    };
    match mention.kind {
        NameKind::Action => {
            let parameters: Vec<_> = parameters(declared).iter().map(typed).collect();
            format!("(:action {name} :parameters ({}))", parameters.join(" "))
        }
        NameKind::Variable | NameKind::Object | NameKind::Value => typed(mention),
        NameKind::Type if file.language == Language::Pddl => typed(mention),
        NameKind::Predicate | NameKind::Function | NameKind::Fluent | NameKind::Type => {
            one_line(file.at(mention.extent))
        }
        NameKind::Domain => format!("domain {name}"),
        NameKind::Problem => format!("problem {name}"),
        NameKind::NonFluents => format!("non-fluents {name}"),
        NameKind::Requirement => name.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn remarks(workspace: &Workspace, declared: &Found) -> Vec<String> {
    let (file, mention) = (&declared.file, &declared.mention);
    let count = |kind: NameKind, role: Role| file.of_kind(kind, role).count();
    match mention.kind {
        NameKind::Predicate | NameKind::Function => changes(workspace, declared),
        NameKind::Fluent => fluent(file, declared),
        NameKind::Type => {
            let found = occurrences(workspace, declared);
            let objects = found.iter().filter(|one| one.mention.role == Role::Reads).count();
            vec![format!(
                "a type, used at {}",
                herbrand_text::counted(objects, "place")
            )]
        }
        NameKind::Object if file.domains().is_empty() => vec!["an object".to_owned()],
        NameKind::Object => vec!["a constant of the domain".to_owned()],
        NameKind::Value => vec!["a value of an enum".to_owned()],
        NameKind::Variable => scope(file, mention).into_iter().collect(),
        NameKind::Action => vec![format!(
            "an action with {}",
            herbrand_text::counted(parameters(declared).len(), "parameter")
        )],
        NameKind::Domain if file.language == Language::Pddl => vec![format!(
            "{}, {}",
            herbrand_text::counted(count(NameKind::Predicate, Role::Declares), "predicate"),
            herbrand_text::counted(count(NameKind::Action, Role::Declares), "action"),
        )],
        _ => Vec::new(),
    }
}

/// Returns the actions that change and read a predicate or function.
fn changes(workspace: &Workspace, declared: &Found) -> Vec<String> {
    let found = occurrences(workspace, declared);
    let what = match declared.mention.kind {
        NameKind::Function => "function",
        _ => "predicate",
    };
    let mut changed: Vec<String> = Vec::new();
    let mut readers: Vec<String> = Vec::new();
    for one in &found {
        let list = match one.mention.role {
            Role::Changes => &mut changed,
            Role::Reads => &mut readers,
            _ => continue,
        };
        let action = one.file.action_around(one.mention.span);
        let name = action.map(|action| format!("`{}`", one.file.name(action)));
        // The places of a file are sorted, so those in one action follow each other.
        if let Some(name) = name.filter(|name| list.last() != Some(name)) {
            list.push(name);
        }
    }
    let is_derived = found.iter().any(|one| one.mention.role == Role::Defines);
    let first = if is_derived {
        format!("a derived {what}: rules define it")
    } else if changed.is_empty() {
        format!("a static {what}: no action changes it")
    } else {
        format!("a {what}, changed by {}", listed(&changed))
    };
    let mut lines = vec![first];
    if !readers.is_empty() {
        lines.push(format!("read by {}", listed(&readers)));
    }
    lines
}

fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(LISTED)].join(", ");
    if names.len() > LISTED {
        let _ = write!(text, " and {} more", names.len() - LISTED);
    }
    text
}

/// Returns what a fluent of RDDL is, from its declaration.
fn fluent(file: &TextFile, declared: &Found) -> Vec<String> {
    let text = file.at(declared.mention.extent);
    let kind = herbrand_rddl::PvariableKind::ALL
        .into_iter()
        .find(|kind| text.contains(kind.as_str()));
    let Some(kind) = kind else { return Vec::new() };
    let range = declared
        .mention
        .types
        .map(|span| file.at(span))
        .unwrap_or_default();
    let what = match kind {
        herbrand_rddl::PvariableKind::NonFluent => "a constant of the instance",
        herbrand_rddl::PvariableKind::State => {
            "a part of the state, observed unless the domain has observation fluents"
        }
        herbrand_rddl::PvariableKind::Action => "chosen by the agent",
        herbrand_rddl::PvariableKind::Interm => "computed within a step",
        herbrand_rddl::PvariableKind::Derived => "computed from the state",
        herbrand_rddl::PvariableKind::Observ => "observed by the agent in place of the state",
    };
    vec![format!("{}: {what}; its values are `{range}`", kind.as_str())]
}

/// Returns what binds a variable.
fn scope(file: &TextFile, mention: &Mention) -> Option<String> {
    let binder = file.mentions().iter().find(|one| {
        one.extent == mention.extent && one.role != Role::Reads && one.kind != NameKind::Variable
    });
    Some(match binder {
        Some(one) if one.kind == NameKind::Action => {
            format!("a parameter of the action `{}`", file.name(one))
        }
        Some(one) if one.role == Role::Defines => format!("a parameter of the rule for `{}`", file.name(one)),
        Some(one) => format!("a parameter of `{}`", file.name(one)),
        None => "bound by a quantifier".to_owned(),
    })
}

/// Returns the comment in the lines above a declaration, or else behind it in its line.
pub(crate) fn comment(file: &TextFile, extent: Span) -> Option<String> {
    let sign = match file.language {
        Language::Pddl => ';',
        Language::Rddl => '/',
    };
    let clean = |line: &str| line.trim().trim_start_matches(sign).trim().to_owned();
    let begins = |line: &str| match file.language {
        Language::Pddl => line.trim_start().starts_with(';'),
        Language::Rddl => line.trim_start().starts_with("//"),
    };
    let line_of = |line: usize| file.line(line);
    let first = file.lines.line(extent.start);
    // A comment above a list of several declarations belongs to the first one in its line.
    let before = &file.text()[..extent.start as usize];
    let starts_line = before
        .rsplit(['\n', '\r'])
        .next()
        .is_none_or(|start| start.trim().is_empty());
    let mut above: Vec<String> = Vec::new();
    if starts_line {
        let lines = (0..first).rev().map(line_of).take_while(|line| begins(line));
        above = lines.map(clean).collect();
        above.reverse();
    }
    if above.is_empty() {
        let last = file.lines.line(extent.end);
        let behind = file.lexemes().iter().find(|one| {
            one.kind == LexemeKind::Comment
                && one.span.start >= extent.end
                && file.lines.line(one.span.start) == last
        })?;
        above.push(clean(file.at(behind.span)));
    }
    let text = above.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Returns the text about a name that the language defines.
fn builtin(used: &Found) -> Option<String> {
    let text = used.file.at(used.mention.span);
    let described = match (used.mention.kind, text.to_ascii_lowercase().as_str()) {
        (NameKind::Type, "object") => "the type of all objects",
        (NameKind::Type, "number") => "the values of functions",
        (NameKind::Type, "bool" | "int" | "real") => "a range of fluents",
        (NameKind::Function, "total-cost") => "the sum of the costs of a plan's actions",
        (NameKind::Function, "reward") => "the reward of the current step",
        (NameKind::Requirement, name) => requirement(name)?,
        (NameKind::Fluent, _) if distributions().any(|one| one == text) => {
            "a distribution: each step draws a value"
        }
        _ => return None,
    };
    Some(format!("`{text}`: {described}"))
}

/// Returns what a requirement flag allows.
pub(crate) fn requirement(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        ":strips" => "actions with positive preconditions, and effects that add and delete",
        ":typing" => "types of objects and parameters",
        ":negative-preconditions" => "`not` in conditions",
        ":disjunctive-preconditions" => "`or` and `imply` in conditions",
        ":equality" => "`=` between objects",
        ":existential-preconditions" => "`exists` in conditions",
        ":universal-preconditions" => "`forall` in conditions",
        ":quantified-preconditions" => "`exists` and `forall` in conditions",
        ":conditional-effects" => "`when` and `forall` in effects",
        ":fluents" | ":numeric-fluents" => "numeric functions in conditions and effects",
        ":adl" => "typing, equality, negation, disjunction, quantifiers and conditional effects",
        ":derived-predicates" => "predicates that rules define",
        ":action-costs" => "the function `total-cost`, which effects may increase",
        ":durative-actions" => "actions that start, take their time and end",
        ":duration-inequalities" => "durations between two bounds",
        ":timed-initial-literals" => "literals and values that `:init` gives a time",
        ":probabilistic-effects" => "effects that happen with a probability",
        ":rewards" => "the function `reward`",
        ":mdp" => "probabilistic effects and rewards",
        _ => return None,
    })
}
