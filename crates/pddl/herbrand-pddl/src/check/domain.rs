//! Checking of domains.

use super::axioms::check_stratified;
use super::context::{CheckContext, Table, Tables, count};
use super::declare::{declare, report_repeated};
use super::features::{self, Features};
use super::fit::Fits;
use super::listed;
use super::scope::Scope;
use herbrand_text::{Place, Source};

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    ActionSchema, Axiom, Domain, Effect, Formula, Name, Predicate, PredicateId, PredicateKind, TypeUnion,
    Variable,
};
use crate::requirements::Requirement;
use crate::syntax::ast::{self, Signature, TypedList};
use crate::syntax::{Known, Names};

/// Resolves the domain `domain` of `file`. The result is valid only if no error was reported.
pub(crate) fn check_domain(
    domain: &ast::Domain,
    file: &ast::File,
    names: &Names<'_>,
    source: &Source,
    faults: &mut Diagnostics,
) -> Domain {
    let flags = features::declared(&domain.requirements, source.text(), faults);
    faults.charge(Tables::bytes(names));
    let mut tables = Tables::new(names);
    let mut checked = declare(domain, &flags, names, &mut tables, source, faults);
    let mut world = CheckContext {
        file,
        names,
        source,
        domain: &checked,
        objects: &checked.constants,
        tables: &tables,
        implicit: Vec::new(),
        in_domain: true,
        bound: Table::new(names),
        fits: Fits::new(&checked),
        features: Features::default(),
        in_durative_action: false,
        costs: Vec::new(),
        untyped: Vec::new(),
        faults,
    };
    world.note_declarations(domain);
    let axioms: Vec<Axiom> = domain
        .derived
        .iter()
        .filter_map(|rule| world.axiom(rule))
        .collect();
    let schemas = world.schemas(&domain.actions);
    let durative_actions = world.durative_actions(&domain.durative_actions, &domain.actions);
    world.note_functions(domain);
    world.features.report_missing(
        checked.requirements,
        !domain.requirements.is_empty(),
        world.faults,
    );
    world.features.report_unused(&flags, world.faults);
    let implicit = world.implicit;
    checked.functions.extend(implicit);
    checked.axioms = axioms;
    checked.schemas = schemas;
    checked.durative_actions = durative_actions;
    mark_fluents(&mut checked);
    check_stratified(&checked.predicates, &checked.axioms, faults);
    checked
}

/// Marks the predicates that some effect changes as fluents.
fn mark_fluents(domain: &mut Domain) {
    fn mark(effect: &Effect, predicates: &mut [Predicate]) {
        match effect {
            Effect::Add(atom) | Effect::Delete(atom) => {
                predicates[atom.predicate.index()].kind = PredicateKind::Fluent;
            }
            Effect::And(parts) => parts.iter().for_each(|part| mark(part, predicates)),
            Effect::Forall(_, body) | Effect::When(_, body) => mark(body, predicates),
            Effect::Probabilistic(alternatives) => {
                alternatives
                    .iter()
                    .for_each(|(_, effect)| mark(effect, predicates));
            }
            Effect::Assign(_) => {}
        }
    }
    for schema in &domain.schemas {
        mark(&schema.effect, &mut domain.predicates);
    }
    for action in &domain.durative_actions {
        mark(&action.start_effect, &mut domain.predicates);
        mark(&action.end_effect, &mut domain.predicates);
    }
}

impl CheckContext<'_> {
    /// Notes the features that the declarations use.
    fn note_declarations(&mut self, domain: &ast::Domain) {
        let typed = |list: &TypedList| {
            list.iter()
                .flat_map(|group| &group.types)
                .map(|word| word.span)
                .next()
        };
        let named = || {
            domain
                .types
                .iter()
                .flat_map(|group| &group.names)
                .map(|word| word.span)
                .next()
        };
        let parameters = domain
            .predicates
            .iter()
            .chain(&domain.functions)
            .map(|signature| &signature.parameters);
        let first = named().or_else(|| {
            std::iter::once(&domain.constants)
                .chain(parameters)
                .find_map(typed)
        });
        if let Some(span) = first {
            self.features.note(Requirement::Typing, span);
        }
    }

    /// Notes the features that the declared functions need. Must run after all effects are checked: a function that is only
    /// the amount of an action cost does not need `:numeric-fluents`. Comparisons with it and effects on it are noted where
    /// they occur.
    fn note_functions(&mut self, domain: &ast::Domain) {
        let has_costs = self.domain.requirements.contains(Requirement::ActionCosts);
        for function in &domain.functions {
            let is_cost = || {
                let id = self.known_function(function.name.symbol);
                has_costs || id.is_some_and(|id| self.costs.contains(&id))
            };
            let feature = match Known::of(function.name.symbol) {
                Some(Known::TotalCost) => Requirement::ActionCosts,
                Some(Known::Reward) => Requirement::Rewards,
                _ if is_cost() => Requirement::ActionCosts,
                _ => Requirement::NumericFluents,
            };
            self.features.note(feature, function.span);
        }
    }

    fn axiom(&mut self, rule: &ast::Derived) -> Option<Axiom> {
        self.features.note(Requirement::DerivedPredicates, rule.span);
        self.faults.charge(listed::<Axiom>());
        let predicate = self.predicate(rule.head.name, None);
        let declared: &[Variable] = predicate.map_or(&[], |id| &self.domain.predicate(id).parameters);
        let arity: usize = rule.head.parameters.iter().map(|group| group.names.len()).sum();
        if let Some(id) = predicate {
            self.check_head(rule, id, arity);
        }
        let mut scope = Scope::new(self);
        scope.bind_head(&rule.head, declared);
        let body = scope.formula(&rule.body);
        let variables = scope.finish();
        Some(Axiom {
            predicate: predicate?,
            variables,
            body,
            place: Place::at(rule.span),
        })
    }

    fn check_head(&mut self, rule: &ast::Derived, id: PredicateId, arity: usize) {
        let predicate = self.domain.predicate(id);
        let name = &predicate.name;
        let place = predicate.place;
        let expected = predicate.parameters.len();
        if expected != arity {
            self.faults.report(
                Code::ArityMismatch,
                format!(
                    "predicate `{name}` takes {}, not {arity}",
                    count(expected, "argument")
                ),
                |d| {
                    d.primary(
                        rule.head.span,
                        "the head of a rule is the predicate with all its arguments",
                    )
                    .label(place.span(), "declared here")
                },
            );
        }
        if predicate.kind == PredicateKind::Action {
            self.faults.report(
                Code::InvalidHead,
                format!("`{name}` is an action of the agent"),
                |d| d.primary(rule.head.span, "it cannot be derived"),
            );
        }
    }

    fn schemas(&mut self, actions: &[ast::Action]) -> Vec<ActionSchema> {
        let mut first: Table<Place> = Table::new(self.names);
        let mut schemas = Vec::with_capacity(actions.len());
        for action in actions {
            if !self.faults.charge(size_of::<ActionSchema>()) {
                break;
            }
            let schema = self.schema(action);
            if let Some(first) = first.set(action.name.symbol, Place::at(action.name.span)) {
                report_repeated("action", action.name, &schema.name, false, first, self.faults);
            }
            schemas.push(schema);
        }
        schemas
    }

    fn schema(&mut self, action: &ast::Action) -> ActionSchema {
        let name = Name::new(self.name(action.name));
        let mut scope = Scope::new(self);
        let arity = scope.bind(&action.parameters).variables.len();
        let (precondition, agent) = match &action.precondition {
            Some(formula) => scope.precondition(formula),
            None => (Formula::TRUE, None),
        };
        let effect = action
            .effect
            .as_ref()
            .map_or(Effect::NOTHING, |effect| scope.effect(effect));
        let variables = scope.finish();
        // A text of fewer than 2^32 bytes has fewer than 2^32 names.
        let arity = u32::try_from(arity).unwrap_or(u32::MAX);
        ActionSchema {
            name,
            arity,
            variables,
            precondition,
            effect,
            agent,
            place: Place::at(action.span),
        }
    }
}

impl Scope<'_, '_> {
    /// Binds the variables of a rule's head. A variable without a type gets the type from the predicate's declaration.
    fn bind_head(&mut self, head: &Signature, declared: &[Variable]) {
        let mut position = 0;
        for group in &head.parameters {
            let written = (!group.types.is_empty()).then(|| self.world.types(&group.types));
            for &word in &group.names {
                let parameter = declared.get(position);
                let types = match (&written, parameter) {
                    (Some(written), Some(parameter)) => {
                        let argument = ast::Argument {
                            symbol: word.symbol,
                            span: word.span,
                            is_variable: true,
                        };
                        self.world.check_fit(written, parameter, argument, head.name);
                        written.clone()
                    }
                    (Some(written), None) => written.clone(),
                    (None, Some(parameter)) => parameter.types.clone(),
                    (None, None) => TypeUnion::either(Vec::new()),
                };
                self.bind_one(word, types, 0);
                position += 1;
            }
        }
    }
}
