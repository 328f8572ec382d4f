//! A search for declarations that nothing reads.

use fxhash::FxHashSet;
use herbrand_text::{Mention, NameKind, Role, Source, Span};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Returns warnings of the predicates, functions and types of a domain that no text reads. The first of the texts has the
/// domain, the others its problems, each with its names ([`mentions`](crate::Document::mentions)). The texts may be faulty.
///
/// A predicate that rules derive has the code [`Code::UnreadDerived`], if the texts have a problem: without one, a goal may
/// read it. Its own rules, and rules of predicates that nothing reads, do not count. The other declarations have
/// [`Code::UnreadName`]. If `strict` is set, the warnings are errors.
///
/// ```
/// use herbrand_pddl::{ReadOptions, Source, read, unread};
///
/// let domain = Source::new("domain.pddl", "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (q)))");
/// let names = read(&domain, &ReadOptions::default()).mentions();
/// let found = unread(&[(&domain, &names)], false);
/// assert_eq!(found[0].message(), "no condition, rule or goal reads the predicate `q`");
/// ```
#[must_use]
pub fn unread(texts: &[(&Source, &[Mention])], strict: bool) -> Vec<Diagnostic> {
    let Some(&(source, declared)) = texts.first() else {
        return Vec::new();
    };
    let has_problem = texts.iter().any(|(_, mentions)| {
        let mut mentions = mentions.iter();
        mentions.any(|one| one.kind == NameKind::Problem && one.role == Role::Declares)
    });
    let heads = declared
        .iter()
        .filter(|one| one.kind == NameKind::Predicate && one.role == Role::Defines);
    let rules: Vec<(Span, String)> = heads.map(|one| (one.extent, name(source, one.span))).collect();
    let derived: FxHashSet<&str> = rules.iter().map(|(_, head)| head.as_str()).collect();
    let (mut read, mut read_by_rules) = (FxHashSet::default(), Vec::new());
    for (index, (source, mentions)) in texts.iter().enumerate() {
        for one in mentions.iter().filter(|one| is_read(one)) {
            let place = one.span.start;
            let rule = rules
                .iter()
                .find(|(rule, _)| index == 0 && rule.start <= place && place < rule.end);
            let own = name(source, one.span);
            match rule {
                // Without a problem, a goal may read every head.
                Some((_, head)) if has_problem && derived.contains(own.as_str()) => {
                    read_by_rules.push((head.as_str(), own));
                }
                _ => _ = read.insert(own),
            }
        }
    }
    // A rule counts only if its head is read.
    loop {
        let before = read.len();
        read_by_rules.retain(|(head, own)| {
            let is_needed = read.contains(*head);
            if is_needed {
                read.insert(own.clone());
            }
            !is_needed
        });
        if read.len() == before {
            break;
        }
    }
    let mut faults = Diagnostics::new(source.clone(), strict);
    for one in declared.iter().filter(|one| one.role == Role::Declares) {
        let name = name(source, one.span);
        let what = match one.kind {
            NameKind::Predicate => "predicate",
            NameKind::Function => "function",
            NameKind::Type if name != "object" => "type",
            _ => continue,
        };
        if read.contains(&name) {
            continue;
        }
        let is_derived = one.kind == NameKind::Predicate && derived.contains(name.as_str());
        let mut readers = read_by_rules.iter().filter(|(_, own)| *own == name).peekable();
        let (code, message) = if is_derived && readers.peek().is_some() {
            let of = if readers.all(|(head, own)| head == own) {
                "its own rules read it"
            } else {
                "rules of predicates that are not read themselves read it"
            };
            let message = format!("rules derive `{name}`, but only {of}");
            (Code::UnreadDerived, message)
        } else if is_derived && has_problem {
            let message = format!("rules derive `{name}`, but no condition, rule or goal reads it");
            (Code::UnreadDerived, message)
        } else {
            let message = format!("no condition, rule or goal reads the {what} `{name}`");
            (Code::UnreadName, message)
        };
        faults.report(code, message, |d| d.primary(one.span, ""));
    }
    faults.into_list()
}

/// Returns whether a place reads a name. Who sets the value of a function needs its declaration, too.
fn is_read(mention: &Mention) -> bool {
    match mention.kind {
        NameKind::Predicate | NameKind::Type => mention.role == Role::Reads,
        NameKind::Function => matches!(mention.role, Role::Reads | Role::Sets | Role::Changes),
        _ => false,
    }
}

fn name(source: &Source, span: Span) -> String {
    let name = source.text().get(span.range()).unwrap_or_default();
    name.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read};

    /// Returns the messages for rules, and an action and a goal with these conditions.
    fn messages(rules: &str, condition: &str, goal: &str) -> Vec<String> {
        let domain = format!(
            "(define (domain d) (:requirements :derived-predicates) (:predicates (on) (p ?x) (q ?x) (r ?x))
                {rules} (:action a :parameters (?x) :precondition {condition} :effect (on)))"
        );
        let problem = format!("(define (problem p) (:domain d) (:objects o) (:init) (:goal {goal}))");
        let (domain, problem) = (Source::new("d", &domain), Source::new("p", &problem));
        let names = |source| read(source, &ReadOptions::default()).mentions();
        let found = unread(&[(&domain, &names(&domain)), (&problem, &names(&problem))], false);
        let derived = found.iter().filter(|one| one.code() == Code::UnreadDerived);
        derived.map(|one| one.message().to_owned()).collect()
    }

    #[test]
    fn rules_read_their_premises_only_for_those_who_read_the_head() {
        let own = "(:derived (p ?x) (or (on) (exists (?y) (p ?y))))";
        let message = "rules derive `p`, but only its own rules read it";
        assert_eq!(messages(own, "(on)", "(on)"), [message]);
        assert!(messages(own, "(p ?x)", "(on)").is_empty());
        assert!(messages(own, "(on)", "(p o)").is_empty());
        let ring = "(:derived (p ?x) (or (on) (q ?x))) (:derived (q ?x) (p ?x)) (:derived (r ?x) (q ?x))";
        let (others, nothing) = (
            "only rules of predicates that are not read themselves read it",
            "no condition, rule or goal reads it",
        );
        assert_eq!(
            messages(ring, "(on)", "(on)"),
            [
                format!("rules derive `p`, but {others}"),
                format!("rules derive `q`, but {others}"),
                format!("rules derive `r`, but {nothing}"),
            ]
        );
        assert_eq!(
            messages(ring, "(q ?x)", "(on)"),
            [format!("rules derive `r`, but {nothing}")]
        );
        assert!(messages(ring, "(on)", "(r o)").is_empty());
    }
}
