//! Says where a domain or problem has what a finite-domain task cannot hold.

use herbrand_pddl::{Domain, Effect, Expression, Formula, FunctionTerm, Origin, Problem};
use herbrand_text::{Diagnostic, Diagnostics, Faults, Place, Source};

use crate::code::SasCode;
use crate::translate::TranslateError;

/// Returns the places of a domain and a problem that are the reason for an error of [`translate`](crate::translate);
/// `None` for an error without such places: a wrong number of costs, too many combinations, or an exhausted budget.
/// `domain` and `problem` are those of the ground task.
#[must_use]
pub fn refusal(error: &TranslateError, domain: &Domain, problem: &Problem) -> Option<Faults<SasCode>> {
    let mut texts = Texts::of(domain, problem);
    match error {
        TranslateError::Draws => {
            texts.draws(domain);
            texts.start(problem);
        }
        TranslateError::RandomStart => texts.start(problem),
        TranslateError::Comparisons => texts.comparisons(domain, problem),
        TranslateError::Costs { .. }
        | TranslateError::TooManyConditions(_)
        | TranslateError::BudgetExhausted(_) => {
            return None;
        }
    }
    Some(texts.into_faults())
}

/// Returns the fault that a metric or reward cannot be written as costs of operators, at its place in the problem. `cause`
/// is a clause that says why not.
#[must_use]
pub fn metric_refusal(cause: &str, domain: &Domain, problem: &Problem) -> Faults<SasCode> {
    let mut texts = Texts::of(domain, problem);
    let mut place = Place::NOWHERE;
    if let Some(metric) = &problem.metric {
        metric.expression.walk(&mut |part| {
            if let (Expression::Fluent(term), None) = (part, place.span()) {
                place = term.place;
            }
        });
    }
    let message = format!("the metric cannot be written as costs of operators: {cause}");
    texts.problem.report(SasCode::Metric, message, |draft| {
        draft
            .label(place.span(), "measured here")
            .help("`--unit-costs` writes the cost 1 for every operator")
    });
    texts.into_faults()
}

/// The faults of the two texts.
struct Texts {
    domain: Diagnostics<SasCode>,
    problem: Diagnostics<SasCode>,
}

impl Texts {
    fn of(domain: &Domain, problem: &Problem) -> Self {
        let source =
            |origin: &Origin, name: &str| origin.source().cloned().unwrap_or_else(|| Source::new(name, ""));
        Self {
            domain: Diagnostics::new(source(&domain.origin, "domain"), false),
            problem: Diagnostics::new(source(&problem.origin, "problem"), false),
        }
    }

    fn draws(&mut self, domain: &Domain) {
        let help = "`--determinize all-outcomes` makes an operator of each outcome, `most-likely` keeps the likeliest one";
        for schema in &domain.schemas {
            let mut random = false;
            schema
                .effect
                .walk(&mut |part| random |= matches!(part, Effect::Probabilistic(_)));
            if random {
                let message = format!("the effect of `{}` is random", schema.name);
                let label = "a finite-domain task cannot have it";
                self.domain.report(SasCode::Chance, message, |draft| {
                    draft.label(schema.place.span(), label).help(help)
                });
            }
        }
    }

    fn start(&mut self, problem: &Problem) {
        if !problem.chances.is_empty() {
            let message = format!("the initial state of `{}` is random", problem.name);
            self.problem.report(SasCode::Chance, message, |draft| {
                draft.help(
                    "a finite-domain task has one initial state: write a problem for each state of interest, with its facts in \
                     place of `(probabilistic …)`",
                )
            });
        }
    }

    fn comparisons(&mut self, domain: &Domain, problem: &Problem) {
        let mut changes = vec![false; domain.functions.len()];
        for schema in &domain.schemas {
            schema.effect.walk(&mut |part| {
                if let Effect::Assign(assignment) = part {
                    changes[assignment.target.function.index()] = true;
                }
            });
        }
        let mut found = Vec::new();
        for schema in &domain.schemas {
            compared(&schema.precondition, &changes, &mut found);
            schema.effect.walk(&mut |part| {
                if let Effect::When(condition, _) = part {
                    compared(condition, &changes, &mut found);
                }
            });
        }
        domain
            .axioms
            .iter()
            .for_each(|axiom| compared(&axiom.body, &changes, &mut found));
        report_compared(&mut self.domain, domain, &found);
        let mut found = Vec::new();
        compared(&problem.goal, &changes, &mut found);
        report_compared(&mut self.problem, domain, &found);
    }

    fn into_faults(self) -> Faults<SasCode> {
        let mut all: Vec<Diagnostic<SasCode>> = self.domain.into_list();
        all.extend(self.problem.into_list());
        Faults::new(all)
    }
}

/// Collects the function terms in comparisons whose values change.
fn compared<'a>(formula: &'a Formula, changes: &[bool], found: &mut Vec<&'a FunctionTerm>) {
    formula.walk(&mut |part, _| {
        if let Formula::Compare(_, left, right) = part {
            for side in [left, right] {
                side.walk(&mut |part| {
                    if let Expression::Fluent(term) = part
                        && changes[term.function.index()]
                    {
                        found.push(term);
                    }
                });
            }
        }
    });
}

fn report_compared(found: &mut Diagnostics<SasCode>, domain: &Domain, terms: &[&FunctionTerm]) {
    for term in terms {
        let message = format!(
            "a condition depends on the number `{}`",
            domain.functions[term.function.index()].name
        );
        found.report(SasCode::Comparison, message, |draft| {
            draft.label(term.place.span(), "effects change it")
        });
    }
}
