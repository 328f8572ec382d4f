//! Domains.

use super::agent::mark_agent_actions;
use super::axioms::check_stratified;
use super::features::{self, Features};
use super::scope::Scope;
use super::types::{Fits, declare_types, resolve_types};
use super::world::{Table, Tables, World, count, implicit_function};
use crate::diagnostic::{Code, Diagnostics};
use crate::syntax::ast::{self, Signature, TypedList};
use crate::syntax::{Known, Names, Word};
use crate::{
    ActionSchema, Axiom, Domain, Effect, Formula, Function, FunctionId, Name, Object, ObjectId, Origin,
    Place, Predicate, PredicateId, PredicateKind, Requirement, Requirements, Source, Span, TypeUnion,
    Variable,
};

/// The domain `domain` of `file`. It is to be used only if nothing was reported that is an error.
pub(crate) fn check_domain(
    domain: &ast::Domain,
    file: &ast::File,
    names: &Names<'_>,
    source: &Source,
    faults: &mut Diagnostics,
) -> Domain {
    let flags = features::declared(&domain.requirements, source.text(), faults);
    let mut tables = Tables::new(names);
    let mut checked = declarations(domain, &flags, names, &mut tables, source, faults);
    let mut world = World {
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
        faults,
    };
    world.note_declarations(domain);
    let axioms: Vec<Axiom> = domain
        .derived
        .iter()
        .filter_map(|rule| world.axiom(rule))
        .collect();
    let schemas = world.schemas(&domain.actions);
    world.features.report_missing(checked.requirements, world.faults);
    world.features.report_unused(&flags, world.faults);
    let implicit = world.implicit;
    checked.functions.extend(implicit);
    checked.axioms = axioms;
    checked.schemas = schemas;
    mark_fluents(&mut checked);
    check_stratified(&checked.predicates, &checked.axioms, faults);
    checked
}

/// Everything that a domain declares, before its rules and actions.
fn declarations(
    domain: &ast::Domain,
    flags: &[(Requirement, Span)],
    names: &Names<'_>,
    tables: &mut Tables,
    source: &Source,
    faults: &mut Diagnostics,
) -> Domain {
    let mut requirements = Requirements::default();
    flags.iter().for_each(|&(flag, _)| requirements.insert(flag));
    let mut checked = Domain {
        name: Name::new(names.text_of(domain.name.symbol)),
        requirements,
        types: declare_types(&domain.types, names, &mut tables.types, faults),
        constants: Vec::new(),
        predicates: Vec::new(),
        functions: Vec::new(),
        axioms: Vec::new(),
        schemas: Vec::new(),
        origin: Origin::new(source.clone()),
    };
    checked.constants = declare_constants(&domain.constants, &checked, names, tables, faults);
    checked.predicates = declare_predicates(&domain.predicates, &checked, names, tables, faults);
    checked.functions = declare_functions(&domain.functions, &checked, names, tables, faults);
    let with_rewards = requirements.contains(Requirement::Rewards) || requirements.contains(Requirement::Mdp);
    if with_rewards && tables.functions.get(Known::Reward.symbol()).is_none() {
        tables.functions.set(
            Known::Reward.symbol(),
            FunctionId::from_index(checked.functions.len()),
        );
        checked.functions.push(implicit_function("reward"));
    }
    for rule in &domain.derived {
        if let Some(id) = tables.predicates.get(rule.head.name.symbol) {
            checked.predicates[id.index()].kind = PredicateKind::Derived;
        }
    }
    mark_agent_actions(
        &domain.agent_actions,
        &mut checked.predicates,
        tables,
        names,
        faults,
    );
    checked
}

fn declare_constants(
    list: &TypedList,
    domain: &Domain,
    names: &Names<'_>,
    tables: &mut Tables,
    faults: &mut Diagnostics,
) -> Vec<Object> {
    let mut constants: Vec<Object> = Vec::new();
    for group in list {
        let types = resolve_types(&group.types, domain, names, &tables.types, faults);
        for word in &group.names {
            let id = ObjectId::from_index(constants.len());
            let name = Name::new(names.text_of(word.symbol));
            match tables.objects.get(word.symbol) {
                None => {
                    tables.objects.set(word.symbol, id);
                    constants.push(Object {
                        name,
                        types: types.clone(),
                        place: Place::at(word.span),
                    });
                }
                Some(first) => {
                    let first = &constants[first.index()];
                    report_repeated(
                        "constant",
                        *word,
                        &name,
                        first.types == types,
                        first.place,
                        faults,
                    );
                }
            }
        }
    }
    constants
}

fn declare_predicates(
    signatures: &[Signature],
    domain: &Domain,
    names: &Names<'_>,
    tables: &mut Tables,
    faults: &mut Diagnostics,
) -> Vec<Predicate> {
    let mut predicates: Vec<Predicate> = Vec::new();
    for signature in signatures {
        let parameters = declared_parameters(&signature.parameters, domain, names, tables, faults);
        let name = Name::new(names.text_of(signature.name.symbol));
        if report_reserved("predicate", signature.name, &name, faults) {
            continue;
        }
        match tables.predicates.get(signature.name.symbol) {
            None => {
                tables
                    .predicates
                    .set(signature.name.symbol, PredicateId::from_index(predicates.len()));
                let place = Place::at(signature.span);
                predicates.push(Predicate {
                    name,
                    parameters,
                    kind: PredicateKind::Static,
                    place,
                });
            }
            Some(first) => {
                let first = &predicates[first.index()];
                let same = same_types(&first.parameters, &parameters);
                report_repeated("predicate", signature.name, &name, same, first.place, faults);
            }
        }
    }
    predicates
}

fn declare_functions(
    signatures: &[Signature],
    domain: &Domain,
    names: &Names<'_>,
    tables: &mut Tables,
    faults: &mut Diagnostics,
) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for signature in signatures {
        let parameters = declared_parameters(&signature.parameters, domain, names, tables, faults);
        let name = Name::new(names.text_of(signature.name.symbol));
        if report_reserved("function", signature.name, &name, faults) {
            continue;
        }
        match tables.functions.get(signature.name.symbol) {
            None => {
                tables
                    .functions
                    .set(signature.name.symbol, FunctionId::from_index(functions.len()));
                functions.push(Function {
                    name,
                    parameters,
                    implicit: false,
                    place: Place::at(signature.span),
                });
            }
            Some(first) => {
                let first = &functions[first.index()];
                let same = same_types(&first.parameters, &parameters);
                report_repeated("function", signature.name, &name, same, first.place, faults);
            }
        }
    }
    functions
}

/// The parameters of a declaration. Their names say nothing, so that one may stand twice.
fn declared_parameters(
    list: &TypedList,
    domain: &Domain,
    names: &Names<'_>,
    tables: &Tables,
    faults: &mut Diagnostics,
) -> Vec<Variable> {
    let mut parameters = Vec::new();
    for group in list {
        let types = resolve_types(&group.types, domain, names, &tables.types, faults);
        parameters.extend(group.names.iter().map(|word| Variable {
            name: Name::new(names.text_of(word.symbol)),
            types: types.clone(),
            place: Place::at(word.span),
        }));
    }
    parameters
}

fn same_types(a: &[Variable], b: &[Variable]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.types == b.types)
}

fn report_reserved(what: &str, word: Word, name: &Name, faults: &mut Diagnostics) -> bool {
    let reserved = Known::of(word.symbol).is_some_and(Known::is_reserved);
    if reserved {
        faults.report(
            Code::ReservedName,
            format!("a {what} cannot be called `{name}`"),
            |d| d.primary(word.span, "a word of the language"),
        );
    }
    reserved
}

/// Reports a second declaration: harmless if it says the same.
pub(super) fn report_repeated(
    what: &str,
    word: Word,
    name: &Name,
    same: bool,
    first: Place,
    faults: &mut Diagnostics,
) {
    let code = if same {
        Code::RepeatedDeclaration
    } else {
        Code::DuplicateDeclaration
    };
    faults.report(code, format!("{what} `{name}` is declared twice"), |d| {
        let d = d.primary(word.span, "declared again here");
        let d = d.label(first.span(), "first declared here");
        if same {
            d.note("both say the same, so the second one is ignored")
        } else {
            d
        }
    });
}

/// A predicate that some effect names is a fluent.
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
}

impl World<'_> {
    /// Features that the declarations use.
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
        for function in &domain.functions {
            let feature = match Known::of(function.name.symbol) {
                Some(Known::TotalCost) => Requirement::ActionCosts,
                Some(Known::Reward) => Requirement::Rewards,
                _ => Requirement::NumericFluents,
            };
            self.features.note(feature, function.span);
        }
    }

    fn axiom(&mut self, rule: &ast::Derived) -> Option<Axiom> {
        self.features.note(Requirement::DerivedPredicates, rule.span);
        let predicate = self.predicate(rule.head.name);
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
        // Names in a text of 2^32 bytes are fewer than 2^32.
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
    /// Binds the variables of a rule's head. Where no type is written, the predicate's declaration says it.
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
