//! Checking of problems.

use super::context::{CheckContext, Table, Tables};
use super::declare::report_repeated_object;
use super::features::{self, Features};
use super::fit::Fits;
use super::object_bytes;
use super::scope::Scope;
use super::types::resolve_types;
use herbrand_text::{Origin, Place, Source};

use crate::diagnostic::{Code, Diagnostics, Draft};
use crate::model::{Domain, Formula, Metric, Name, Object, ObjectId, Problem};
use crate::requirements::Requirements;
use crate::syntax::ast::{self, TypedList};
use crate::syntax::{Known, Names, Word};

/// Resolves the problem `problem` of `file` against `domain`. The result is valid only if no error was reported.
pub(crate) fn check_problem(
    problem: &ast::Problem,
    file: &ast::File,
    names: &Names<'_>,
    source: &Source,
    domain: &Domain,
    faults: &mut Diagnostics,
) -> Problem {
    let mut requirements = Requirements::default();
    for (flag, _) in features::declared(&problem.requirements, source.text(), faults) {
        requirements.insert(flag);
    }
    let domain_name = check_domain_name(problem, names, domain, faults);
    faults.charge(Tables::bytes(names) + domain.constants.len() * object_bytes(1));
    let mut tables = Tables::of_domain(domain, names);
    let objects = declare_objects(&problem.objects, domain, names, &mut tables, faults);
    let mut world = CheckContext {
        file,
        names,
        source,
        domain,
        objects: &objects,
        tables: &tables,
        implicit: Vec::new(),
        in_domain: false,
        bound: Table::new(names),
        fits: Fits::new(domain),
        features: Features::default(),
        in_durative_action: false,
        costs: Vec::new(),
        untyped: Vec::new(),
        faults,
    };
    let initial = world.initial(&problem.init);
    let timed = world.timed_literals(&problem.init);
    let mut scope = Scope::new(&mut world);
    let goal = problem.goal.as_ref().map(|goal| scope.formula(goal));
    let goal_variables = scope.finish();
    let goal_reward = problem.goal_reward.map(|literal| world.number(literal));
    let metric = problem.metric.as_ref().and_then(|metric| world.metric(metric));
    // The features that the domain uses were checked with the domain, so its flags count as declared.
    let mut declared = requirements;
    domain.requirements.iter().for_each(|flag| declared.insert(flag));
    let has_line = !problem.requirements.is_empty() || declared != Requirements::default();
    world.features.report_missing(declared, has_line, world.faults);
    Problem {
        name: Name::new(names.text_of(problem.name.symbol)),
        domain_name,
        domain_fingerprint: domain.fingerprint(),
        requirements,
        constants: u32::try_from(domain.constants.len()).unwrap_or(u32::MAX),
        init: initial.facts,
        values: initial.values,
        chances: initial.chances,
        timed,
        goal_variables,
        has_goal: goal.is_some(),
        goal: goal.unwrap_or(Formula::TRUE),
        goal_reward,
        metric,
        origin: Origin::new(source.clone()),
        objects,
    }
}

/// Returns the name of the domain as the problem states it, or the domain's own name if the problem states none.
fn check_domain_name(
    problem: &ast::Problem,
    names: &Names<'_>,
    domain: &Domain,
    faults: &mut Diagnostics,
) -> Name {
    let Some(word) = problem.domain_name else {
        faults.report(
            Code::DomainNameMismatch,
            "the problem does not name its domain",
            |d| d.primary(problem.name.span, "a problem needs `(:domain NAME)`"),
        );
        return domain.name.clone();
    };
    let name = Name::new(names.text_of(word.symbol));
    if name != domain.name {
        let expected = &domain.name;
        faults.report(
            Code::DomainNameMismatch,
            format!("the problem is for `{name}`, the domain is `{expected}`"),
            |d| d.primary(word.span, format!("the given domain is called `{expected}`")),
        );
    }
    name
}

/// Returns the domain's constants, followed by the problem's own objects.
fn declare_objects(
    list: &TypedList,
    domain: &Domain,
    names: &Names<'_>,
    tables: &mut Tables,
    faults: &mut Diagnostics,
) -> Vec<Object> {
    let mut objects = domain.constants.clone();
    for group in list {
        let types = resolve_types(&group.types, domain, names, &tables.types, faults);
        for word in &group.names {
            if !faults.charge(object_bytes(types.types().len())) {
                return objects;
            }
            let name = Name::new(names.text_of(word.symbol));
            match tables.objects.get(word.symbol) {
                None => {
                    tables
                        .objects
                        .set(word.symbol, ObjectId::from_index(objects.len()));
                    objects.push(Object {
                        name,
                        types: types.clone(),
                        place: Place::at(word.span),
                    });
                }
                Some(first) => {
                    let is_constant = first.index() < domain.constants.len();
                    let first = &objects[first.index()];
                    // Real files declare a constant of the domain again, with or without its type.
                    let same = first.types == types || (is_constant && group.types.is_empty());
                    if is_constant {
                        report_constant(*word, first, same, domain, faults);
                    } else {
                        report_repeated_object("object", *word, &name, same, first.place, faults);
                    }
                }
            }
        }
    }
    objects
}

/// Adds the place of the declaration of a constant.
fn first<'a>(draft: Draft<'a>, constant: &Object, domain: &Domain) -> Draft<'a> {
    match domain.origin.source() {
        Some(source) => draft.label_in(source, constant.place.span(), "declared here first"),
        None => draft,
    }
}

fn report_constant(word: Word, constant: &Object, same: bool, domain: &Domain, faults: &mut Diagnostics) {
    let message = format!("`{}` is a constant of the domain", constant.name);
    if same {
        faults.report(Code::RepeatedDeclaration, message, |d| {
            first(d.primary(word.span, "declared again here"), constant, domain)
        });
    } else {
        let assumed = "read with the type of the constant";
        faults.report_repaired(Code::DuplicateDeclaration, message, assumed, |d| {
            first(
                d.primary(word.span, "declared here with another type"),
                constant,
                domain,
            )
        });
    }
}

impl CheckContext<'_> {
    /// Resolves the metric. `None`, with a warning, if it measures a quantity that the domain does not have.
    fn metric(&mut self, metric: &ast::Metric) -> Option<Metric> {
        if let Some(word) = self.missing_quantity(&metric.expression) {
            let name = self.name(word);
            self.faults
                .report(Code::IgnoredMetric, format!("the domain has no `{name}`"), |d| {
                    d.primary(metric.span, "this metric is ignored")
                        .label(word.span, "nothing changes it")
                });
            return None;
        }
        let mut scope = Scope::new(self);
        let expression = scope.metric_expression(&metric.expression);
        Some(Metric {
            direction: metric.direction,
            expression,
        })
    }

    /// Returns the predefined quantity that a metric measures if the domain does not use it. Many problems minimize
    /// `total-cost` although their domain has no costs.
    fn missing_quantity(&self, expression: &ast::Expression) -> Option<Word> {
        let word = match expression {
            ast::Expression::Call(term) => term.name,
            ast::Expression::Term(argument) => Word {
                symbol: argument.symbol,
                span: argument.span,
            },
            _ => return None,
        };
        let implicit = matches!(Known::of(word.symbol), Some(Known::Reward | Known::TotalCost));
        (implicit && self.known_function(word.symbol).is_none()).then_some(word)
    }
}
