//! Checks CPFs and the other formulas of a domain.

use herbrand_text::{Place, Span, counted, nearest};

use super::declare::Names;
use super::depend::{self, Owner};
use super::formula::Context;
use super::undeclared::{Help, UndeclaredUse};
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Cpf, Domain, Formula, Pvariable, PvariableId, PvariableKind, Range, TypeId};
use crate::syntax::ast::{self};

/// Checks all formulas of the domain and the fluents that they read.
pub(super) fn formulas(
    syntax: &ast::Domain<'_>,
    domain: &mut Domain,
    names: &Names<'_>,
    faults: &mut Diagnostics,
) {
    let mut reads = depend::Reads::new();
    for cpf in &syntax.cpfs {
        // The parameter types of the fluent are copied for each head.
        let bytes = 3 * size_of::<Cpf>() + cpf.parameters.len() * size_of::<TypeId>();
        if !faults.charge(bytes) {
            return;
        }
        if let Some((head, formula)) = function(cpf, domain, names, &mut reads, faults) {
            domain.cpfs.push(Cpf {
                head,
                formula,
                place: Place::at(cpf.name.span),
            });
        }
    }
    match &syntax.reward {
        Some(body) => {
            let mut context = Context::new(domain, names, faults, Owner::Reward);
            let (formula, read) = context.formula(body, &[], Range::Real);
            reads.check(Owner::Reward, read, domain, faults);
            domain.reward = formula;
        }
        None if syntax.faulty => {}
        None => faults.report(Code::MissingReward, "the domain has no reward", |d| {
            d.primary(syntax.name.span, "this domain")
                .help("add `reward = …;`, or `reward = 0;`")
        }),
    }
    for (owner, bodies) in [
        (Owner::Precondition, &syntax.preconditions),
        (Owner::Constraint, &syntax.constraints),
        (Owner::Invariant, &syntax.invariants),
        (Owner::Termination, &syntax.terminations),
    ] {
        let mut checked = Vec::with_capacity(bodies.len());
        for body in bodies {
            let mut context = Context::new(domain, names, faults, owner);
            let (formula, read) = context.formula(body, &[], Range::Bool);
            reads.check(owner, read, domain, faults);
            checked.push(formula);
        }
        *match owner {
            Owner::Precondition => &mut domain.preconditions,
            Owner::Constraint => &mut domain.constraints,
            Owner::Invariant => &mut domain.invariants,
            _ => &mut domain.terminations,
        } = checked;
    }
    let is_used = |id: PvariableId| {
        let name = domain.pvariable(id).name.as_str();
        reads.contains(id) || syntax.cpfs.iter().any(|cpf| bare(cpf) == name)
    };
    let misspelt = names.undeclared.report(names, &syntax.skipped, is_used, faults);
    if !syntax.faulty {
        missing_cpfs(syntax, domain, &misspelt, faults);
        reads.unused(domain, &misspelt, faults);
    }
    domain.levels = reads.levels(domain, faults);
}

/// Checks a CPF. Returns its head and its formula.
fn function(
    cpf: &ast::Cpf<'_>,
    domain: &mut Domain,
    names: &Names<'_>,
    reads: &mut depend::Reads,
    faults: &mut Diagnostics,
) -> Option<(PvariableId, Formula)> {
    let known = head(cpf, domain, names, faults).map(|id| (id, domain.pvariable(id).clone()));
    let is_fitting =
        |(_, pvariable): &(PvariableId, Pvariable)| pvariable.parameters.len() == cpf.parameters.len();
    let Some((head, pvariable)) = known.clone().filter(is_fitting) else {
        if let Some((_, pvariable)) = known {
            report_arity(cpf, &pvariable, faults);
        }
        // The body may have faults of its own.
        let unknown = domain.unknown_type();
        let parameters: Vec<_> = cpf.parameters.iter().map(|&word| (word, unknown)).collect();
        let mut context = Context::new(domain, names, faults, Owner::Cpf(PvariableKind::Interm));
        let (_, read) = context.formula(&cpf.body, &parameters, Range::Item(unknown));
        reads.note(&read);
        return None;
    };
    let owner = Owner::Cpf(pvariable.kind);
    let parameters: Vec<_> = cpf
        .parameters
        .iter()
        .copied()
        .zip(pvariable.parameters.iter().copied())
        .collect();
    let mut context = Context::new(domain, names, faults, owner);
    let (formula, read) = context.formula(&cpf.body, &parameters, pvariable.range);
    reads.check_cpf(head, owner, read, domain, faults);
    Some((head, formula))
}

/// Reports a head with the wrong number of parameters.
fn report_arity(cpf: &ast::Cpf<'_>, pvariable: &Pvariable, faults: &mut Diagnostics) {
    faults.report(
        Code::ArityMismatch,
        format!(
            "`{}` has {}, not {}",
            pvariable.name,
            counted(pvariable.parameters.len(), "parameter"),
            cpf.parameters.len()
        ),
        |d| {
            d.primary(cpf.name.span, "this head")
                .label(pvariable.place.span(), "declared here")
        },
    );
}

/// Returns the name in the head of a CPF, without its prime.
fn bare<'s>(cpf: &ast::Cpf<'s>) -> &'s str {
    cpf.name.text.strip_suffix('\'').unwrap_or(cpf.name.text)
}

/// Returns the fluent of a CPF. Reports an unknown fluent.
fn head(
    cpf: &ast::Cpf<'_>,
    domain: &Domain,
    names: &Names<'_>,
    faults: &mut Diagnostics,
) -> Option<PvariableId> {
    let bare = bare(cpf);
    let is_primed = bare.len() < cpf.name.text.len();
    let Some(&(id, _)) = names.pvariables.get(bare) else {
        let meant = nearest(bare, domain.pvariables.iter().map(|one| one.name.as_str()));
        let one = UndeclaredUse {
            code: Code::UnknownPvariable,
            message: format!("unknown fluent `{bare}`"),
            label: "not declared in `pvariables`",
            span: cpf.name.span,
            help: Help::suggesting(meant),
        };
        names.undeclared.add(bare, one, faults);
        return None;
    };
    let pvariable = domain.pvariable(id);
    let declared = pvariable.place.span();
    if !pvariable.kind.has_cpf() {
        faults.report(
            Code::MisplacedCpf,
            format!(
                "`{bare}` has no CPF: it is declared as {}",
                pvariable.kind.with_article()
            ),
            |d| {
                d.primary(cpf.name.span, "remove this")
                    .label(declared, "declared here")
            },
        );
        return None;
    }
    if is_primed != (pvariable.kind == PvariableKind::State) {
        let (what, help) = match pvariable.kind {
            PvariableKind::State => (
                "a CPF gives the next value of a state fluent",
                format!("write `{bare}'`"),
            ),
            _ => ("only state fluents have a next value", format!("write `{bare}`")),
        };
        faults.report(Code::WrongPrime, format!("`{}`: {what}", cpf.name.text), |d| {
            d.primary(
                cpf.name.span,
                format!("`{bare}` is {}", pvariable.kind.with_article()),
            )
            .help(help)
        });
    }
    if let Some(earlier) = domain.cpfs.iter().find(|earlier| earlier.head == id) {
        let earlier = earlier.place.span();
        faults.report(
            Code::DuplicateDeclaration,
            format!("`{}` has two CPFs", cpf.name.text),
            |d| {
                d.primary(cpf.name.span, "the second one")
                    .label(earlier, "the first one")
            },
        );
        return None;
    }
    Some(id)
}

/// Returns parameters for the head of a CPF, such as `(?p, ?t)`; an empty text if the fluent has none. Each is named after
/// the first letter of its type.
fn head_parameters(pvariable: &Pvariable, domain: &Domain) -> String {
    let mut names: Vec<String> = Vec::new();
    for &of in &pvariable.parameters {
        let letter: String = domain.type_of(of).name.as_str().chars().take(1).collect();
        let numbered = (2..).map(|number| format!("?{letter}{number}"));
        let mut candidates = std::iter::once(format!("?{letter}")).chain(numbered);
        names.extend(candidates.find(|name| !names.contains(name)));
    }
    match names.as_slice() {
        [] => String::new(),
        names => format!("({})", names.join(", ")),
    }
}

/// Reports fluents without a CPF, except those with misspelt names.
fn missing_cpfs(
    syntax: &ast::Domain<'_>,
    domain: &Domain,
    misspelt: &[PvariableId],
    faults: &mut Diagnostics,
) {
    for (index, pvariable) in domain.pvariables.iter().enumerate() {
        // A faulty CPF has been reported already.
        let is_written = syntax.cpfs.iter().any(|cpf| bare(cpf) == pvariable.name.as_str())
            || misspelt.contains(&PvariableId::from_index(index));
        if pvariable.kind.has_cpf() && !is_written {
            let prime = match pvariable.kind {
                PvariableKind::State => "'",
                _ => "",
            };
            let span = pvariable.place.span().unwrap_or(Span { start: 0, end: 0 });
            let parameters = head_parameters(pvariable, domain);
            faults.report(
                Code::MissingCpf,
                format!("the {} `{}` has no CPF", pvariable.kind.as_str(), pvariable.name),
                |d| {
                    d.primary(span, "declared here").help(format!(
                        "add `{}{prime}{parameters} = …;` to `cpfs`",
                        pvariable.name
                    ))
                },
            );
        }
    }
}
