//! A search for declarations that nothing reads.

use fxhash::FxHashSet;
use herbrand_text::{Mention, NameKind, Role, Source, Span};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Returns warnings of the predicates, functions and types of a domain that no text reads. The first of the texts has the
/// domain, the others its problems, each with its names ([`mentions`](crate::Document::mentions)). The texts may be faulty.
///
/// A predicate that only its own rules read, or rules of other unread predicates, is unread.
/// A predicate that rules derive has the code [`Code::UnreadDerived`], if the texts have a problem: without one, a goal may
/// read it. The other declarations have [`Code::UnreadName`]. If `strict` is set, the warnings are errors.
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
    let of = |kind: NameKind, role: Role| {
        let is = move |one: &&Mention| one.kind == kind && one.role == role;
        declared.iter().filter(is)
    };
    let rules: Vec<(Span, String)> = of(NameKind::Predicate, Role::Defines)
        .map(|one| (one.extent, name(source, one.span)))
        .collect();
    let derived: FxHashSet<&str> = rules.iter().map(|(_, head)| head.as_str()).collect();
    let (read, only_by_rules) = read_names(texts, &rules, &derived);
    let has_problem = texts.iter().any(|(_, mentions)| {
        let mut mentions = mentions.iter();
        mentions.any(|one| one.kind == NameKind::Problem && one.role == Role::Declares)
    });
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
        let lacks = if only_by_rules.contains(&name) {
            "no condition or goal needs"
        } else {
            "no condition, rule or goal reads"
        };
        let (code, message) = if is_derived && has_problem {
            (
                Code::UnreadDerived,
                format!("rules derive `{name}`, but {lacks} it"),
            )
        } else {
            (Code::UnreadName, format!("{lacks} the {what} `{name}`"))
        };
        faults.report(code, message, |d| d.primary(one.span, ""));
    }
    faults.into_list()
}

/// Returns warnings of the constants of a domain that none of the texts names, with the code [`Code::UnreadName`]. Such a
/// constant can still be the object of a parameter, like all objects. The texts are those of [`unread`].
#[must_use]
pub fn unnamed_constants(texts: &[(&Source, &[Mention])], strict: bool) -> Vec<Diagnostic> {
    let Some(&(source, declared)) = texts.first() else {
        return Vec::new();
    };
    let is_object = |one: &&Mention, role: Role| one.kind == NameKind::Object && one.role == role;
    let mut named = FxHashSet::default();
    for (source, mentions) in texts {
        let read = mentions.iter().filter(|one| is_object(one, Role::Reads));
        named.extend(read.map(|one| name(source, one.span)));
    }
    let mut faults = Diagnostics::new(source.clone(), strict);
    let mut in_domain = false;
    for one in declared {
        match (one.kind, one.role) {
            // A text may have problems too, whose objects are no constants.
            (NameKind::Domain, Role::Declares) => in_domain = true,
            (NameKind::Problem, Role::Declares) => in_domain = false,
            _ => {}
        }
        let constant = name(source, one.span);
        if in_domain && is_object(&one, Role::Declares) && !named.contains(&constant) {
            let message = format!("no action, rule or problem names the constant `{constant}`");
            faults.report(Code::UnreadName, message, |d| d.primary(one.span, ""));
        }
    }
    faults.into_list()
}

/// Returns the names that the texts read, and the derived predicates that only rules of unread predicates read. A rule that reads a
/// derived predicate counts only if the head of the rule is read, so a predicate that only its own rules read is unread.
fn read_names(
    texts: &[(&Source, &[Mention])],
    rules: &[(Span, String)],
    derived: &FxHashSet<&str>,
) -> (FxHashSet<String>, FxHashSet<String>) {
    let mut read = FxHashSet::default();
    // The head of a rule, and a derived predicate that the rule reads.
    let mut by_rules: Vec<(&str, String)> = Vec::new();
    for (at, (source, mentions)) in texts.iter().enumerate() {
        for one in mentions.iter().filter(|one| is_read(one)) {
            let name = name(source, one.span);
            let is_derived = one.kind == NameKind::Predicate && derived.contains(name.as_str());
            // Rules are sorted by place, and those of the domain are in the first text.
            let before = rules.partition_point(|(rule, _)| rule.start <= one.span.start);
            let around = rules[..before]
                .last()
                .filter(|(rule, _)| one.span.end <= rule.end);
            match around.filter(|_| is_derived && at == 0) {
                Some((_, head)) => by_rules.push((head, name)),
                None => {
                    read.insert(name);
                }
            }
        }
    }
    loop {
        let before = by_rules.len();
        by_rules.retain(|(head, name)| {
            let is_live = read.contains(*head);
            if is_live {
                read.insert(name.clone());
            }
            !is_live
        });
        if by_rules.len() == before {
            break;
        }
    }
    let rest = by_rules.into_iter().map(|(_, name)| name);
    (read, rest.collect())
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
