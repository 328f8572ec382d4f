//! Visibility rules: conditions under which the agent sees atoms, compiled to derived predicates.

mod problem;

use std::fmt::Write as _;

use herbrand_pddl::{Domain, PredicateId, PredicateKind, Source, TypeUnion};
use herbrand_text::nearest;
use toml::Spanned;

use crate::config::{ConfigError, ObserveConfig, Remembers};
use crate::error::EnvError;

pub(crate) use problem::ProblemVisibility;

/// A domain extended by a derived predicate per rule, which holds for the visible atoms.
#[derive(Clone, Debug)]
pub(crate) struct VisibilityRules {
    /// The extended domain.
    pub(crate) domain: Domain,
    /// For each predicate of the original domain, the derived predicate of its rule, if it has one.
    seen_by: Vec<Option<PredicateId>>,
    pub(crate) memory: Remembers,
}

impl VisibilityRules {
    /// Compiles the rules of `config` over `domain`. `source` is the text of the settings.
    ///
    /// # Errors
    /// Fails if a rule is for an unknown predicate or its condition is faulty. Positions of faults refer to `source`.
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

    /// Returns all faults of the rules of `config`: the unknown predicates, or else the fault of the conditions.
    pub(crate) fn faults(domain: &Domain, config: &ObserveConfig, source: &Source) -> Vec<EnvError> {
        let unknown = config.visible.keys().filter_map(|name| find(domain, name).err());
        let unknown: Vec<_> = unknown.map(EnvError::from).collect();
        if unknown.is_empty() {
            return Self::new(domain, config, source).err().into_iter().collect();
        }
        unknown
    }

    /// Returns the derived predicate for the visible atoms of `predicate`; `None` if all are visible.
    pub(crate) fn seen_by(&self, predicate: PredicateId) -> Option<PredicateId> {
        self.seen_by.get(predicate.index()).copied().flatten()
    }
}

/// Finds the predicate of a rule.
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

/// Returns a name for the derived predicate of a rule that the domain does not use.
fn head(domain: &Domain, id: PredicateId) -> String {
    let mut name = format!("sees-{}", domain.predicate(id).name);
    while domain.find_predicate(&name).is_some() {
        name.insert_str(0, "agent-");
    }
    name
}

type Rule<'a> = (PredicateId, &'a Spanned<String>);

/// Returns a text of the extended domain in which each condition keeps its line and column from `source`, so that
/// diagnostics point there. The original domain is printed on the first line.
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

/// Formats the parameters of a predicate as in a PDDL declaration.
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

/// Returns the line and the column of a condition, counted from 0.
fn place(text: &str, condition: &Spanned<String>) -> (usize, usize) {
    let quoted = text.get(condition.span()).unwrap_or_default();
    let inner = quoted.find(condition.get_ref().as_str()).unwrap_or(0);
    let before = text.get(..condition.span().start + inner).unwrap_or_default();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    (before.matches('\n').count(), column)
}
