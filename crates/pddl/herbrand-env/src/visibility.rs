//! Visibility rules: conditions under which the agent sees atoms, compiled to derived predicates.

mod problem;

use std::fmt::Write as _;

use herbrand_pddl::{Code, Domain, Faults, PredicateId, PredicateKind, Source, TypeUnion};
use herbrand_text::{Severity, Span, nearest};

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
        let (rules, unknown) = rules(domain, config, source);
        match unknown.into_iter().next() {
            Some(unknown) => Err(unknown.into()),
            None => Ok(Self::compile(domain, &rules, config.memory, source)?),
        }
    }

    /// Returns all faults of the rules of `config`: the unknown predicates, and the faults of the other rules' conditions.
    pub(crate) fn faults(domain: &Domain, config: &ObserveConfig, source: &Source) -> Vec<EnvError> {
        let (rules, unknown) = rules(domain, config, source);
        let mut faults: Vec<_> = unknown.into_iter().map(EnvError::from).collect();
        let compiled = Self::compile(domain, &rules, config.memory, source);
        faults.extend(compiled.err().map(EnvError::from));
        faults
    }

    fn compile(
        domain: &Domain,
        rules: &[Rule<'_>],
        memory: Remembers,
        source: &Source,
    ) -> Result<Self, Faults> {
        unbalanced(rules, source)?;
        let heads: Vec<_> = rules.iter().map(|rule| head(domain, rule.predicate)).collect();
        let (text, starts) = text(domain, rules, &heads);
        let extended = Domain::parse(&Source::new(source.name(), &text)).map_err(|faults| {
            let place = |span: Span| {
                let placed = rules.iter().zip(&starts);
                placed.filter_map(|(rule, &start)| rule.place(span, start)).next()
            };
            moved(&faults, source, place)
        })?;
        let mut seen_by = vec![None; domain.predicates.len()];
        for (rule, head) in rules.iter().zip(&heads) {
            seen_by[rule.predicate.index()] = extended.find_predicate(head);
        }
        Ok(Self {
            domain: extended,
            seen_by,
            memory,
        })
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

/// A rule of the settings.
struct Rule<'a> {
    predicate: PredicateId,
    condition: &'a str,
    /// The place of the condition in the text of the settings.
    span: Span,
    /// Whether the text of the settings has the condition in these very bytes, without escapes.
    is_verbatim: bool,
}

impl Rule<'_> {
    /// Returns the place in the settings of a place in a text that has the condition at `start`; `None` if that is outside of
    /// the condition.
    fn place(&self, span: Span, start: usize) -> Option<Span> {
        let offset = (span.start as usize).checked_sub(start)?;
        let end = (span.end as usize).checked_sub(start)?;
        (end <= self.condition.len()).then(|| {
            if self.is_verbatim {
                let first = self.span.start as usize;
                Span::from(first + offset..first + end)
            } else {
                self.span
            }
        })
    }
}

/// Returns the rules of known predicates in the order of the text, and the faults of the others.
fn rules<'a>(
    domain: &Domain,
    config: &'a ObserveConfig,
    source: &Source,
) -> (Vec<Rule<'a>>, Vec<ConfigError>) {
    let (mut rules, mut unknown) = (Vec::new(), Vec::new());
    for (name, condition) in &config.visible {
        match find(domain, name) {
            Ok(predicate) => {
                let literal = source.text().get(condition.span()).unwrap_or_default();
                let condition_start = literal.find(condition.get_ref().as_str());
                let span = match condition_start.map(|at| condition.span().start + at) {
                    Some(start) => start..start + condition.get_ref().len(),
                    None => condition.span(),
                };
                rules.push(Rule {
                    predicate,
                    condition: condition.get_ref(),
                    span: span.into(),
                    is_verbatim: condition_start.is_some(),
                });
            }
            Err(fault) => unknown.push(fault),
        }
    }
    rules.sort_by_key(|rule| rule.span.start);
    (rules, unknown)
}

/// Checks that the parentheses of each condition are balanced, so that it cannot change the meaning of the text around it.
fn unbalanced(rules: &[Rule<'_>], source: &Source) -> Result<(), Faults> {
    let mut found = Vec::new();
    for rule in rules {
        let faults = Domain::parse(&Source::new(source.name(), rule.condition)).err();
        let diagnostics = faults.iter().flat_map(|faults| faults.diagnostics());
        let brackets = diagnostics
            .filter(|one| matches!(one.code(), Code::UnclosedParenthesis | Code::UnmatchedParenthesis));
        let faults = Faults::new(brackets.cloned().collect());
        found.extend_from_slice(moved(&faults, source, |span| rule.place(span, 0)).diagnostics());
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(Faults::new(found))
    }
}

/// Returns the errors with their places in the text of the settings. Warnings are left out, since they are not shown for
/// conditions without errors.
fn moved(faults: &Faults, source: &Source, place: impl Fn(Span) -> Option<Span>) -> Faults {
    let errors = faults.diagnostics().iter();
    let errors = errors.filter(|one| one.severity() == Severity::Error);
    Faults::new(errors.map(|one| one.moved(source, &place)).collect())
}

/// Returns a text of the domain extended by the rules, and where it has the condition of each.
fn text(domain: &Domain, rules: &[Rule<'_>], heads: &[String]) -> (String, Vec<usize>) {
    let mut declared = String::new();
    for (rule, head) in rules.iter().zip(heads) {
        write!(declared, " ({head}{})", parameters(domain, rule.predicate)).unwrap_or_default();
    }
    let printed = domain.to_pddl();
    let printed = printed.trim_end();
    let whole = printed.strip_suffix(')').unwrap_or(printed);
    let mut text = whole.replacen("(:predicates", &format!("(:predicates{declared}"), 1);
    let mut starts = Vec::new();
    for (rule, head) in rules.iter().zip(heads) {
        write!(text, " (:derived ({head}{}) ", parameters(domain, rule.predicate)).unwrap_or_default();
        starts.push(text.len());
        // A line break ends a comment at the end of the condition.
        text = text + rule.condition + "\n)";
    }
    (text + ")", starts)
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
