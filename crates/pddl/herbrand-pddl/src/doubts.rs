//! Warnings about parts of a valid domain that are probably mistakes.

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{
    ActionSchema, ArithmeticOperator, AssignOperator, Assignment, Atom, Domain, Effect, Expression, Formula,
    FunctionTerm, Term,
};

/// Returns warnings of probable mistakes in a valid domain: parameters that their action does not use, atoms that an
/// effect both adds and deletes or a condition both asks for and denies, effects on a number that contradict each other or divide by
/// zero, and names of functions without parentheses. If `strict` is set, the warnings are
/// errors. Returns an empty list for a domain that was not parsed from a text, because it has no places to point at.
/// [`Domain::parse`] and the other parsing functions do not report them: call this after parsing.
///
/// ```
/// use herbrand_pddl::{Domain, doubts};
///
/// let domain = Domain::from_text("(define (domain d) (:predicates (p ?x))
///     (:action a :parameters (?x ?y) :effect (and (not (p ?x)) (p ?x))))")?;
/// let found: Vec<_> = doubts(&domain, false).iter().map(|one| one.message().to_owned()).collect();
/// assert_eq!(found, ["`a` does not use `?y`", "`a` deletes and adds `p` for the same arguments"]);
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
#[must_use]
pub fn doubts(domain: &Domain, strict: bool) -> Vec<Diagnostic> {
    let Some(source) = domain.origin.source() else {
        return Vec::new();
    };
    let mut faults = Diagnostics::new(source.clone(), strict);
    for action in &domain.durative_actions {
        let [mut whole, end] = action.snap_actions();
        whole.precondition = Formula::And(vec![whole.precondition, end.precondition]);
        whole.effect = Effect::And(vec![whole.effect, end.effect]);
        unused_parameters(&whole, &mut faults);
    }
    domain
        .schemas
        .iter()
        .for_each(|schema| unused_parameters(schema, &mut faults));
    let domain = &*domain.with_snap_actions();
    for schema in &domain.schemas {
        impossible(domain, schema, &mut faults);
        contradictions(domain, schema, &schema.effect, &mut faults);
        contradicting_numbers(domain, schema, &schema.effect, true, &mut faults);
        for term in function_terms(schema) {
            bare(domain, term, source.text(), &mut faults);
        }
    }
    faults.into_list()
}

fn unused_parameters(schema: &ActionSchema, faults: &mut Diagnostics) {
    let mut used = HashSet::new();
    let mut see = |terms: &[Term]| {
        used.extend(terms.iter().filter_map(|term| match term {
            Term::Variable(variable) => Some(variable.index()),
            Term::Object(_) => None,
        }));
    };
    schema.agent.iter().for_each(|atom| see(&atom.arguments));
    each_formula(schema, &mut |formula| match formula {
        Formula::Atom(atom) => see(&atom.arguments),
        Formula::Equal(left, right) => see(&[*left, *right]),
        _ => {}
    });
    schema.effect.walk(&mut |effect| {
        if let Effect::Add(atom) | Effect::Delete(atom) = effect {
            see(&atom.arguments);
        }
    });
    function_terms(schema)
        .iter()
        .for_each(|term| see(&term.arguments));
    let name = &schema.name;
    for (index, parameter) in schema.parameters().iter().enumerate() {
        if !used.contains(&index) {
            let message = format!("`{name}` does not use `?{}`", parameter.name);
            faults.report(Code::UnusedParameter, message, |d| {
                let d = match parameter.place.span() {
                    Some(span) => {
                        d.primary(span, "neither its precondition nor its effect has this parameter")
                    }
                    None => d,
                };
                d.help(
                    "leave it out: each object that it may stand for makes another action that does the same",
                )
            });
        }
    }
}

/// Reports the atoms that the precondition of an action and a condition of its effect ask for together with their negation.
fn impossible(domain: &Domain, schema: &ActionSchema, faults: &mut Diagnostics) {
    let mut conjunctions = vec![(&schema.precondition, "so the action can never be applied")];
    schema.effect.walk(&mut |effect| {
        if let Effect::When(condition, _) = effect {
            conjunctions.push((condition, "so the effect never happens"));
        }
    });
    for (formula, consequence) in conjunctions {
        let (mut atoms, mut negated, mut open) = (Vec::new(), Vec::new(), vec![formula]);
        while let Some(formula) = open.pop() {
            match formula {
                Formula::And(parts) => open.extend(parts.iter().rev()),
                Formula::Atom(atom) => atoms.push(atom),
                Formula::Not(part) => {
                    if let Formula::Atom(atom) = &**part {
                        negated.push(atom);
                    }
                }
                _ => {}
            }
        }
        let key = |atom: &Atom| (atom.predicate, atom.arguments.clone());
        for atom in negated {
            let Some(other) = atoms.iter().find(|other| key(other) == key(atom)) else {
                continue;
            };
            let (name, predicate) = (&schema.name, &domain.predicate(atom.predicate).name);
            let message = format!("`{name}` needs `{predicate}` and its negation for the same arguments");
            faults.report(Code::NeverTrue, message, |d| {
                let d = match atom.place.span() {
                    Some(span) => d.primary(span, format!("it must not hold here, {consequence}")),
                    None => d,
                };
                d.label(other.place.span(), "it must hold here")
            });
        }
    }
}

/// Reports the atoms that an effect adds and deletes at the same time.
fn contradictions(domain: &Domain, schema: &ActionSchema, effect: &Effect, faults: &mut Diagnostics) {
    let (mut adds, mut deletes) = (Vec::new(), Vec::new());
    let mut inner = Vec::new();
    let mut open = vec![effect];
    while let Some(effect) = open.pop() {
        match effect {
            Effect::And(parts) => open.extend(parts.iter().rev()),
            Effect::Add(atom) => adds.push(atom),
            Effect::Delete(atom) => deletes.push(atom),
            Effect::Assign(_) => {}
            Effect::Forall(_, body) | Effect::When(_, body) => inner.push(&**body),
            Effect::Probabilistic(alternatives) => inner.extend(alternatives.iter().map(|(_, body)| body)),
        }
    }
    let key = |atom: &Atom| (atom.predicate, atom.arguments.clone());
    let added: HashSet<_> = adds.iter().map(|atom| key(atom)).collect();
    for atom in deletes.into_iter().filter(|atom| added.contains(&key(atom))) {
        let add = adds.iter().find(|add| key(add) == key(atom));
        let predicate = &domain.predicate(atom.predicate).name;
        let message = format!(
            "`{}` deletes and adds `{predicate}` for the same arguments",
            schema.name
        );
        faults.report(Code::DeletedAndAdded, message, |d| {
            let d = match atom.place.span() {
                Some(span) => d.primary(span, "this has no effect, because adds come after deletes"),
                None => d,
            };
            d.label(add.and_then(|add| add.place.span()), "it is added here")
        });
    }
    for body in inner {
        contradictions(domain, schema, body, faults);
    }
}

/// Reports effects on one number that have no common result, and divisions by zero. `always` says that the effect has no
/// condition.
fn contradicting_numbers(
    domain: &Domain,
    schema: &ActionSchema,
    effect: &Effect,
    always: bool,
    faults: &mut Diagnostics,
) {
    let (mut changes, mut inner) = (Vec::new(), Vec::new());
    let mut open = vec![effect];
    while let Some(effect) = open.pop() {
        match effect {
            Effect::And(parts) => open.extend(parts.iter().rev()),
            Effect::Assign(assignment) => changes.push(assignment),
            Effect::Add(_) | Effect::Delete(_) => {}
            Effect::Forall(_, body) | Effect::When(_, body) => inner.push(&**body),
            Effect::Probabilistic(alternatives) => inner.extend(alternatives.iter().map(|(_, body)| body)),
        }
    }
    let consequence = if always {
        "so the action can never be taken"
    } else {
        "so the action cannot be taken when this happens"
    };
    let mut report = |one: &Assignment, does: &str, other: Option<&Assignment>| {
        let function = &domain.function(one.target.function).name;
        let message = format!("`{}` {does} `{function}`, {consequence}", schema.name);
        faults.report(Code::ContradictingNumbers, message, |d| {
            let d = d.label(one.target.place.span(), "this has no result");
            d.label(other.and_then(|other| other.target.place.span()), "beside this")
        });
    };
    let key = |one: &Assignment| (one.target.function, one.target.arguments.clone());
    for (index, &one) in changes.iter().enumerate() {
        let divides = one.operator == AssignOperator::ScaleDown && is_zero(&one.value);
        if divides || divides_by_zero(&one.value) {
            report(one, "divides by zero to change", None);
        }
        let earlier = changes[..index].iter().copied();
        let mut same = earlier.filter(|other| key(other) == key(one));
        if let Some((other, does)) = same.find_map(|other| Some((other, contradiction(other, one)?))) {
            report(one, &does, Some(other));
        }
    }
    for body in inner {
        contradicting_numbers(domain, schema, body, false, faults);
    }
}

/// Returns how two effects on one number contradict each other, as a verb; `None` if they need not.
fn contradiction(one: &Assignment, other: &Assignment) -> Option<String> {
    let kind = |operator: AssignOperator| match operator {
        AssignOperator::Assign => "assigns",
        AssignOperator::Increase | AssignOperator::Decrease => "increases or decreases",
        AssignOperator::ScaleUp | AssignOperator::ScaleDown => "scales",
    };
    let (first, second) = (kind(one.operator), kind(other.operator));
    match (&one.value, &other.value) {
        _ if first != second => Some(format!("both {first} and {second}")),
        (Expression::Number(a), Expression::Number(b))
            if one.operator == AssignOperator::Assign && a != b =>
        {
            Some("assigns two values to".to_owned())
        }
        _ => None,
    }
}

fn is_zero(expression: &Expression) -> bool {
    matches!(expression, Expression::Number(number) if number.value() == 0.0)
}

fn divides_by_zero(expression: &Expression) -> bool {
    let mut found = false;
    expression.walk(&mut |part| {
        if let Expression::Apply(ArithmeticOperator::Divide, operands) = part {
            found |= operands.iter().skip(1).any(is_zero);
        }
    });
    found
}

/// Reports a function term that is written without parentheses.
fn bare(domain: &Domain, term: &FunctionTerm, text: &str, faults: &mut Diagnostics) {
    let Some(span) = term.place.span() else { return };
    let is_bare = text
        .get(span.range())
        .is_some_and(|written| !written.starts_with('('));
    if is_bare {
        let name = &domain.function(term.function).name;
        faults.report(
            Code::BareFunction,
            format!("`{name}` stands without parentheses"),
            |d| {
                d.primary(
                    span,
                    "read as the value of the function, but other planners may reject it",
                )
                .write(&format!("({name})"))
            },
        );
    }
}

/// Calls `see` with the precondition and the effect conditions of a schema, and with all their parts.
fn each_formula<'a>(schema: &'a ActionSchema, see: &mut dyn FnMut(&'a Formula)) {
    schema.precondition.walk(&mut |formula, _| see(formula));
    schema.effect.walk(&mut |effect| {
        if let Effect::When(condition, _) = effect {
            condition.walk(&mut |formula, _| see(formula));
        }
    });
}

/// The function terms of a schema.
fn function_terms(schema: &ActionSchema) -> Vec<&FunctionTerm> {
    let mut terms = Vec::new();
    let mut expressions: Vec<&Expression> = Vec::new();
    each_formula(schema, &mut |formula| {
        if let Formula::Compare(_, left, right) = formula {
            expressions.extend([&**left, &**right]);
        }
    });
    schema.effect.walk(&mut |effect| {
        if let Effect::Assign(assignment) = effect {
            terms.push(&assignment.target);
            expressions.push(&assignment.value);
        }
    });
    for expression in expressions {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                terms.push(term);
            }
        });
    }
    terms
}
