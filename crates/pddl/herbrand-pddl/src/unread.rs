//! A search for declarations that nothing reads.

use fxhash::FxHashSet;
use herbrand_text::{Mention, NameKind, Role, Source, Span};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Returns warnings of the predicates, functions and types of a domain that no text reads. The first of the texts has the
/// domain, the others its problems, each with its names ([`mentions`](crate::Document::mentions)). The texts may be faulty.
///
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
    let read: FxHashSet<String> = texts
        .iter()
        .flat_map(|(source, mentions)| {
            let read = mentions.iter().filter(|one| is_read(one));
            read.map(|one| name(source, one.span))
        })
        .collect();
    let of = |kind: NameKind, role: Role| {
        let is = move |one: &&Mention| one.kind == kind && one.role == role;
        declared.iter().filter(is)
    };
    let derived: FxHashSet<String> = of(NameKind::Predicate, Role::Defines)
        .map(|one| name(source, one.span))
        .collect();
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
        let is_derived = one.kind == NameKind::Predicate && derived.contains(&name);
        let (code, message) = if is_derived && has_problem {
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
