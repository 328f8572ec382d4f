//! A search for goals that hold already, for metrics that stay the same and for costs that are negative.

use fxhash::FxHashSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{
    AssignOperator, Assignment, Atom, Domain, Effect, Expression, Formula, MetricDirection, ObjectId,
    PredicateId, PredicateKind, Problem, Term,
};

/// Returns warnings of a goal that holds in the initial state, of a metric that no action changes, and of actions that make a
/// metric to be minimised smaller. If
/// `strict` is set, the warnings are errors. Empty if none is found. Pass the domain that the problem was checked against. The
/// parsing functions do not report these warnings.
///
/// Derived predicates, quantifiers and comparisons of numbers in a goal are not evaluated, nor are amounts that change or are
/// computed.
///
/// ```
/// use herbrand_pddl::{Domain, Problem, start_doubts};
///
/// let domain = Domain::from_text("(define (domain ferry) (:predicates (at ?s))
///     (:action row :parameters (?s ?t) :precondition (at ?s) :effect (and (not (at ?s)) (at ?t))))")?;
/// let problem = Problem::from_text("(define (problem over) (:domain ferry) (:objects left right)
///     (:init (at left)) (:goal (and (at left) (not (at right)))))", &domain)?;
/// assert_eq!(start_doubts(&domain, &problem, false)[0].message(), "the goal of `over` holds in the initial state");
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
#[must_use]
pub fn start_doubts(domain: &Domain, problem: &Problem, strict: bool) -> Vec<Diagnostic> {
    let domain = &*domain.with_snap_actions();
    let mut found = Vec::new();
    if let Some(source) = problem.origin.source() {
        let mut faults = Diagnostics::new(source.clone(), strict);
        goal(domain, problem, &mut faults);
        unchanged_metric(domain, problem, &mut faults);
        found.extend(faults.into_list());
    }
    if let Some(source) = domain.origin.source() {
        let mut faults = Diagnostics::new(source.clone(), strict);
        costs(domain, problem, &mut faults);
        found.extend(faults.into_list());
    }
    found
}

fn goal(domain: &Domain, problem: &Problem, faults: &mut Diagnostics) {
    if !problem.has_goal {
        return;
    }
    let start = Start::of(domain, problem);
    if start.holds(&problem.goal) != Some(true) {
        return;
    }
    let name = &problem.name;
    let mut first = None;
    problem.goal.walk(&mut |part, _| {
        if let (Formula::Atom(atom), None) = (part, first) {
            first = atom.place.span();
        }
    });
    let message = match &problem.goal {
        Formula::And(parts) if parts.is_empty() => {
            format!("the goal of `{name}` is empty, so every state is a goal state")
        }
        _ => format!("the goal of `{name}` holds in the initial state"),
    };
    faults.report(Code::GoalHolds, message, |d| {
        d.label(first, "so the empty plan solves the problem")
    });
}

/// The facts of an initial state.
struct Start<'a> {
    domain: &'a Domain,
    facts: FxHashSet<(PredicateId, &'a [ObjectId])>,
    /// Whether draws may add facts.
    is_random: bool,
}

impl<'a> Start<'a> {
    fn of(domain: &'a Domain, problem: &'a Problem) -> Self {
        let facts = problem.init.iter().map(|fact| (fact.predicate, fact.arguments));
        Self {
            domain,
            facts: facts.collect(),
            is_random: !problem.chances.is_empty() || !problem.timed.is_empty(),
        }
    }

    /// Returns whether a formula holds; `None` if that is not computed.
    fn holds(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Equal(Term::Object(left), Term::Object(right)) => Some(left == right),
            Formula::Not(part) => self.holds(part).map(|holds| !holds),
            Formula::And(parts) => self.some(parts, false).map(|found| !found),
            Formula::Or(parts) => self.some(parts, true),
            Formula::Imply(left, right) => match (self.holds(left), self.holds(right)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            Formula::Equal(..) | Formula::Compare(..) | Formula::Forall(..) | Formula::Exists(..) => None,
        }
    }

    /// Returns whether some formula has the value `sought`; `None` if that is unknown.
    fn some(&self, parts: &[Formula], sought: bool) -> Option<bool> {
        let mut found = Some(false);
        for part in parts {
            match self.holds(part) {
                Some(value) if value == sought => return Some(true),
                Some(_) => {}
                None => found = None,
            }
        }
        found
    }

    fn atom(&self, atom: &Atom) -> Option<bool> {
        let arguments: Option<Vec<ObjectId>> = atom
            .arguments
            .iter()
            .map(|term| match term {
                Term::Object(object) => Some(*object),
                Term::Variable(_) => None,
            })
            .collect();
        let arguments = arguments?;
        if self.facts.contains(&(atom.predicate, arguments.as_slice())) {
            return Some(true);
        }
        // Atoms of types are static and not listed.
        let changes = self.domain.predicate(atom.predicate).kind == PredicateKind::Fluent;
        (changes && !self.is_random).then_some(false)
    }
}

/// Reports a metric of numbers that no action changes.
fn unchanged_metric(domain: &Domain, problem: &Problem, faults: &mut Diagnostics) {
    let Some(metric) = &problem.metric else { return };
    let (mut terms, mut is_special) = (Vec::new(), false);
    metric.expression.walk(&mut |part| match part {
        Expression::Fluent(term) => terms.push(term),
        Expression::Special(_) => is_special = true,
        Expression::Number(_) | Expression::Apply(..) => {}
    });
    let mut changed = FxHashSet::default();
    for schema in &domain.schemas {
        schema.effect.walk(&mut |part| {
            if let Effect::Assign(assignment) = part {
                changed.insert(assignment.target.function);
            }
        });
    }
    if is_special || terms.iter().any(|term| changed.contains(&term.function)) {
        return;
    }
    let name = &problem.name;
    let message = format!("no action changes the metric of `{name}`");
    faults.report(Code::IgnoredMetric, message, |d| {
        let place = terms.first().and_then(|term| term.place.span());
        d.label(place, "it has this value after every plan")
    });
}

fn costs(domain: &Domain, problem: &Problem, faults: &mut Diagnostics) {
    let Some(metric) = &problem.metric else { return };
    let (MetricDirection::Minimize, Expression::Fluent(measured)) = (metric.direction, &metric.expression)
    else {
        return;
    };
    for schema in &domain.schemas {
        schema.effect.walk(&mut |part| {
            let Effect::Assign(Assignment {
                operator: operator @ (AssignOperator::Increase | AssignOperator::Decrease),
                target,
                value,
            }) = part
            else {
                return;
            };
            if target.function != measured.function {
                return;
            }
            let sign = if *operator == AssignOperator::Increase {
                1.0
            } else {
                -1.0
            };
            let cost = match value {
                Expression::Number(number) => sign * number.value(),
                Expression::Fluent(term) => {
                    let values = problem.static_values(domain);
                    let own = values.filter(|value| value.function == term.function);
                    own.map(|value| sign * value.value.value()).fold(0.0, f64::min)
                }
                Expression::Apply(..) | Expression::Special(_) => 0.0,
            };
            if cost >= 0.0 {
                return;
            }
            let message = format!("`{}` may have the negative cost {cost}", schema.name);
            faults.report(Code::NegativeCost, message, |d| {
                d.label(target.place.span(), "planners count it as 0")
            });
        });
    }
}
