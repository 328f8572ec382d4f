//! Warnings that need a domain together with all its problems.

use herbrand_ground::{GroundError, GroundOptions, NormalDomain, ground_within, unreachable};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{
    Atom, Code, Diagnostic, Document, Domain, Formula, Problem, Source, unnamed_constants, unread,
};
use herbrand_sas::{InvariantLimits, lifted_groups};
use herbrand_text::Diagnostics;

use super::pairing::Domains;

/// The warnings of goals, actions and predicates that the problems rule out.
pub(super) struct Reached {
    /// The limits of grounding; `None` if it is not asked for.
    limits: Option<Limits>,
    /// For each domain, by the name of its text, the warnings that all its problems so far have in common.
    common: Vec<(String, Vec<Diagnostic>)>,
}

impl Reached {
    pub(super) const fn new(limits: Option<Limits>) -> Self {
        Self {
            limits,
            common: Vec::new(),
        }
    }

    /// Grounds a problem, if that is asked for. Returns the warnings of its goal.
    pub(super) fn problem(
        &mut self,
        domain: &Domain,
        problem: &Problem,
        strict: bool,
    ) -> Option<Result<Vec<Diagnostic>, GroundError>> {
        let budget = Budget::new(self.limits?);
        let found = match unreachable(domain, problem, strict, &budget) {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        let (mut goals, found): (Vec<_>, _) =
            found.into_iter().partition(|one| one.code() == Code::NeverTrue);
        if goals.is_empty() {
            // Without groups, some warnings are missing and none is wrong.
            goals.extend(
                exclusive_goals(domain, problem, strict, &budget)
                    .into_iter()
                    .flatten(),
            );
        }
        let name = domain.origin.source().map_or("", Source::name);
        match self.common.iter_mut().find(|(own, _)| own == name) {
            None => self.common.push((name.to_owned(), found)),
            Some((_, common)) => {
                common.retain(|one| found.iter().any(|other| place(other) == place(one)));
            }
        }
        Some(Ok(goals))
    }

    /// Returns the warnings of the domains.
    pub(super) fn of_domains(self) -> Vec<Diagnostic> {
        self.common.into_iter().flat_map(|(_, common)| common).collect()
    }
}

/// Returns warnings of atoms of the goal that exclude each other, because an invariant of the domain lets at most one of them be
/// true.
fn exclusive_goals(
    domain: &Domain,
    problem: &Problem,
    strict: bool,
    budget: &Budget,
) -> Result<Vec<Diagnostic>, GroundError> {
    let Some(source) = problem.origin.source() else {
        return Ok(Vec::new());
    };
    let mut goals = Vec::new();
    conjuncts(&problem.goal, &mut goals);
    let goals = goals.into_iter().map(|atom| {
        let text = problem.goal_text(domain, &Formula::Atom(atom.clone()));
        (text, atom)
    });
    let goals: Vec<(String, &Atom)> = goals.collect();
    if goals.len() < 2 {
        return Ok(Vec::new());
    }
    let normal = NormalDomain::within(domain, budget)?;
    let task = ground_within(domain, &normal, problem, &GroundOptions::default(), budget)?;
    let groups = lifted_groups(&normal, &task, &InvariantLimits::default(), budget)?;
    let mut faults = Diagnostics::new(source.clone(), strict);
    for group in groups.groups() {
        let atoms: Vec<_> = group
            .iter()
            .map(|&atom| task.display_atom(atom).to_string())
            .collect();
        let mut own = goals.iter().filter(|(text, _)| atoms.contains(text));
        let Some((first, earlier)) = own.next() else {
            continue;
        };
        let Some((text, later)) = own.find(|(text, _)| text != first) else {
            continue;
        };
        let message = format!("the goals `{first}` and `{text}` exclude each other");
        faults.report(Code::NeverTrue, message, |d| {
            d.label(later.place.span(), "at most one of the two can hold in a state")
                .label(earlier.place.span(), "the other one")
        });
    }
    Ok(faults.into_list())
}

/// Collects the atoms that must hold for a formula to hold.
fn conjuncts<'f>(formula: &'f Formula, atoms: &mut Vec<&'f Atom>) {
    match formula {
        Formula::Atom(atom) => atoms.push(atom),
        Formula::And(parts) => parts.iter().for_each(|part| conjuncts(part, atoms)),
        _ => {}
    }
}

/// Returns what a warning is about: its code and its first place.
fn place(diagnostic: &Diagnostic) -> Option<(Code, u32)> {
    let label = diagnostic.labels().first()?;
    Some((diagnostic.code(), label.span().start))
}

/// Returns, for each text with a domain, warnings of the names that neither it nor its problems read. Those other than derived
/// predicates are left out if the domain has no problem here: its goal may read them.
pub(super) fn unread_names(
    documents: &[(&Source, Document<'_>)],
    domains: &Domains<(Domain, bool)>,
    strict: bool,
) -> Vec<Vec<Diagnostic>> {
    let names: Vec<_> = documents
        .iter()
        .map(|(_, document)| document.mentions())
        .collect();
    let uses = |document: &Document<'_>, source: &Source, domain: &Source| {
        document.problems().any(|problem| {
            let known = domains.of(problem.domain_name().as_deref(), source.name());
            known.is_ok_and(|(known, _)| known.origin.source().map(Source::name) == Some(domain.name()))
        })
    };
    let with_domain = documents
        .iter()
        .zip(&names)
        .filter(|((_, document), _)| document.domains().len() > 0);
    let found = with_domain.map(|((domain, _), own)| {
        let mut texts = vec![(*domain, own.as_slice())];
        for ((source, document), names) in documents.iter().zip(&names) {
            if source.name() != domain.name() && uses(document, source, domain) {
                texts.push((*source, names.as_slice()));
            }
        }
        let mut found = unread(&texts, strict);
        let mut files = documents
            .iter()
            .filter(|(source, _)| texts.iter().any(|(own, _)| own.name() == source.name()));
        if files.any(|(_, document)| document.problems().len() > 0) {
            found.extend(unnamed_constants(&texts, strict));
        } else {
            found.retain(|one| one.code() == Code::UnreadDerived);
        }
        found
    });
    found.collect()
}
