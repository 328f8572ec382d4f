//! What an agent sees of a state: rules beside a domain, compiled as derived predicates.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use herbrand_pddl::{Domain, PredicateId, PredicateKind, Source, TypeUnion};
use herbrand_text::nearest;
use serde::Deserialize;
use toml::Spanned;

use crate::{ConfigError, EnvError};

/// What the agent sees: the table `[observe]` of `env.toml`.
///
/// ```toml
/// [observe]
/// memory = "kept"
/// [observe.visible]
/// person-at = "(exists (?here - cell) (and (robot-at ?here) (or (= ?here ?cell) (near ?here ?cell))))"
/// ```
///
/// A rule is a condition over the predicate's parameters, by the names that the domain declares them with: the agent sees
/// whether an atom is true in the states where the condition holds. Atoms of predicates without a rule are always seen.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserveConfig {
    /// What is known of atoms that are out of sight.
    #[serde(default)]
    pub memory: Remembers,
    /// By predicate: the condition under which its atoms are seen.
    #[serde(default)]
    pub visible: BTreeMap<String, Spanned<String>>,
}

/// What an agent knows of atoms that are out of sight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Remembers {
    /// What it last saw of them in the episode, even if that has changed since.
    #[default]
    Kept,
    /// Nothing.
    Nothing,
}

/// A domain with a derived predicate for each rule, which holds of what is seen.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The domain with those predicates.
    pub(crate) domain: Domain,
    /// By predicate of the original domain: the derived predicate, if it has a rule.
    seen_by: Vec<Option<PredicateId>>,
    pub(crate) memory: Remembers,
}

impl Sight {
    /// The rules of `config`, which `source` says, over `domain`.
    ///
    /// # Errors
    /// When a rule is for a predicate that the domain lacks, or its condition is at fault; places are those in `source`.
    pub(crate) fn new(domain: &Domain, config: &ObserveConfig, source: &Source) -> Result<Self, EnvError> {
        let mut rules = Vec::new();
        for (name, condition) in &config.visible {
            rules.push((find(domain, name)?, condition));
        }
        rules.sort_by_key(|(_, condition)| condition.span().start);
        let heads: Vec<_> = rules.iter().map(|&(id, _)| head(domain, id)).collect();
        let text = text(domain, &rules, &heads, source);
        let extended = Domain::parse(&Source::new(source.name(), &text))?;
        let mut seen_by = vec![None; domain.predicates.len()];
        for ((id, _), head) in rules.iter().zip(&heads) {
            seen_by[id.index()] = extended.find_predicate(head);
        }
        Ok(Self {
            domain: extended,
            seen_by,
            memory: config.memory,
        })
    }

    /// The derived predicate that says which atoms of `predicate` are seen; `None` if all are.
    pub(crate) fn seen_by(&self, predicate: PredicateId) -> Option<PredicateId> {
        self.seen_by.get(predicate.index()).copied().flatten()
    }
}

/// The predicate that a rule is for.
fn find(domain: &Domain, name: &str) -> Result<PredicateId, ConfigError> {
    let found = domain.find_predicate(name);
    let found = found.filter(|&id| domain.predicate(id).kind != PredicateKind::Action);
    found.ok_or_else(|| {
        let names = domain.predicates.iter().map(|predicate| predicate.name.as_str());
        ConfigError::UnknownObserved {
            predicate: name.to_owned(),
            suggestion: nearest(name, names).map(str::to_owned),
        }
    })
}

/// A name for the derived predicate of a rule that no predicate of the domain has.
fn head(domain: &Domain, id: PredicateId) -> String {
    let mut name = format!("sees-{}", domain.predicate(id).name);
    while domain.find_predicate(&name).is_some() {
        name.insert_str(0, "agent-");
    }
    name
}

type Rule<'a> = (PredicateId, &'a Spanned<String>);

/// The domain with the rules as a text in which each condition is in the line and column that it has in `source`, so that
/// diagnostics point there: the domain itself is the first line.
fn text(domain: &Domain, rules: &[Rule<'_>], heads: &[String], source: &Source) -> String {
    let mut declared = String::new();
    for ((id, _), head) in rules.iter().zip(heads) {
        write!(declared, " ({head}{})", parameters(domain, *id)).unwrap_or_default();
    }
    let printed = domain.to_pddl().replace('\n', " ");
    let printed = printed.trim_end();
    let whole = printed.strip_suffix(')').unwrap_or(printed);
    let mut text = whole.replacen("(:predicates", &format!("(:predicates{declared}"), 1);
    let mut line = 0;
    for ((id, condition), head) in rules.iter().zip(heads) {
        write!(text, " (:derived ({head}{})", parameters(domain, *id)).unwrap_or_default();
        let (at, column) = place(source.text(), condition);
        match at.checked_sub(line) {
            Some(lines @ 1..) => {
                text.push_str(&"\n".repeat(lines));
                text.push_str(&" ".repeat(column));
                line = at;
            }
            _ => text.push(' '),
        }
        text.push_str(condition.get_ref());
        line += condition.get_ref().matches('\n').count();
        text.push(')');
    }
    text + ")"
}

/// The parameters of a predicate as PDDL declares them.
fn parameters(domain: &Domain, id: PredicateId) -> String {
    let parameters = domain.predicate(id).parameters.iter();
    let declared = parameters.map(|one| format!(" ?{} - {}", one.name, types(domain, &one.types)));
    declared.collect()
}

fn types(domain: &Domain, types: &TypeUnion) -> String {
    let names = types.types().iter().map(|&id| domain.type_of(id).name.as_str());
    match types.types() {
        [_] => names.collect(),
        _ => format!("(either {})", names.collect::<Vec<_>>().join(" ")),
    }
}

/// The line and column, from 0, in which a condition begins.
fn place(text: &str, condition: &Spanned<String>) -> (usize, usize) {
    let quoted = text.get(condition.span()).unwrap_or_default();
    let inner = quoted.find(condition.get_ref().as_str()).unwrap_or(0);
    let before = text.get(..condition.span().start + inner).unwrap_or_default();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    (before.matches('\n').count(), column)
}
