//! Checking of a domain's declarations, before its rules and actions.

use super::agent::mark_agent_actions;
use super::context::{Table, Tables, implicit_function};
use super::types::{declare_types, resolve_types};
use super::{NAME_BYTES, listed, object_bytes, variable_bytes};
use herbrand_text::{Origin, Place, Source, Span};

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Function, FunctionId, Name, Object, ObjectId, Predicate, PredicateId, PredicateKind, TypeId,
    Variable,
};
use crate::requirements::{Requirement, Requirements};
use crate::syntax::ast::{self, Signature, TypedList};
use crate::syntax::{Known, Names, Word};

/// Returns the domain without rules and actions, and adds its names to `tables`.
pub(super) fn declare(
    domain: &ast::Domain,
    flags: &[(Requirement, Span)],
    names: &Names<'_>,
    tables: &mut Tables,
    source: &Source,
    faults: &mut Diagnostics,
) -> Domain {
    let mut requirements = Requirements::default();
    flags.iter().for_each(|&(flag, _)| requirements.insert(flag));
    let mut declared = Domain {
        name: Name::new(names.text_of(domain.name.symbol)),
        requirements,
        types: declare_types(&domain.types, names, source, &mut tables.types, faults),
        constants: Vec::new(),
        predicates: Vec::new(),
        functions: Vec::new(),
        axioms: Vec::new(),
        schemas: Vec::new(),
        durative_actions: Vec::new(),
        origin: Origin::new(source.clone()),
    };
    declared.constants = declare_constants(&domain.constants, &declared, names, tables, faults);
    declared.predicates = declare_predicates(&domain.predicates, &declared, names, tables, faults);
    declared.functions = declare_functions(&domain.functions, &declared, names, tables, faults);
    for rule in &domain.derived {
        if let Some(id) = tables.predicates.get(rule.head.name.symbol) {
            declared.predicates[id.index()].kind = PredicateKind::Derived;
        }
    }
    mark_agent_actions(
        &domain.agent_actions,
        &mut declared.predicates,
        tables,
        names,
        faults,
    );
    declared
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
            let name = Name::new(names.text_of(word.symbol));
            if let Some(first) = tables.objects.get(word.symbol) {
                let first = &constants[first.index()];
                report_repeated_object(
                    "constant",
                    *word,
                    &name,
                    first.types == types,
                    first.place,
                    faults,
                );
                continue;
            }
            if !faults.charge(object_bytes(types.types().len())) {
                return constants;
            }
            tables
                .objects
                .set(word.symbol, ObjectId::from_index(constants.len()));
            constants.push(Object {
                name,
                types: types.clone(),
                place: Place::at(word.span),
            });
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
    let Tables {
        types, predicates, ..
    } = tables;
    let signatures = signatures
        .iter()
        .map_while(|s| declaration(s, domain, names, types, faults));
    let signatures: Vec<_> = signatures.collect();
    let distinct = distinct(
        "predicate",
        signatures,
        names,
        predicates,
        PredicateId::from_index,
        faults,
    );
    let predicate = |(name, parameters, place)| Predicate {
        name,
        parameters,
        kind: PredicateKind::Static,
        place,
    };
    distinct.into_iter().map(predicate).collect()
}

/// Returns the declared functions, and `reward` if the requirements imply it.
fn declare_functions(
    signatures: &[Signature],
    domain: &Domain,
    names: &Names<'_>,
    tables: &mut Tables,
    faults: &mut Diagnostics,
) -> Vec<Function> {
    let Tables { types, functions, .. } = tables;
    let signatures = signatures
        .iter()
        .map_while(|s| declaration(s, domain, names, types, faults));
    let signatures: Vec<_> = signatures.collect();
    let distinct = distinct(
        "function",
        signatures,
        names,
        functions,
        FunctionId::from_index,
        faults,
    );
    let function = |(name, parameters, place)| Function {
        name,
        parameters,
        implicit: false,
        place,
    };
    let mut declared: Vec<Function> = distinct.into_iter().map(function).collect();
    let flags = domain.requirements;
    let with_rewards = flags.contains(Requirement::Rewards) || flags.contains(Requirement::Mdp);
    if with_rewards && functions.get(Known::Reward.symbol()).is_none() {
        functions.set(Known::Reward.symbol(), FunctionId::from_index(declared.len()));
        declared.push(implicit_function("reward"));
    }
    declared
}

/// Returns the declarations without duplicates. Repeated and reserved names are reported.
fn distinct<Id: Copy>(
    what: &str,
    signatures: Vec<(Word, Vec<Variable>, Span)>,
    names: &Names<'_>,
    table: &mut Table<Id>,
    id: impl Fn(usize) -> Id,
    faults: &mut Diagnostics,
) -> Vec<(Name, Vec<Variable>, Place)> {
    let mut first: Table<usize> = Table::new(names);
    let mut declared: Vec<(Name, Vec<Variable>, Place)> = Vec::new();
    if !faults.charge(signatures.len() * listed::<Predicate>()) {
        return declared;
    }
    for (word, parameters, span) in signatures {
        let name = Name::new(names.text_of(word.symbol));
        if Known::of(word.symbol).is_some_and(Known::is_reserved) {
            faults.report(
                Code::ReservedName,
                format!("a {what} cannot be called `{name}`"),
                |d| d.primary(word.span, "a reserved word"),
            );
        } else if let Some(first) = first.get(word.symbol) {
            let (_, first, place) = &declared[first];
            let same = first
                .iter()
                .map(|v| &v.types)
                .eq(parameters.iter().map(|v| &v.types));
            report_repeated(what, word, &name, same, *place, faults);
        } else {
            first.set(word.symbol, declared.len());
            table.set(word.symbol, id(declared.len()));
            declared.push((name, parameters, Place::at(span)));
        }
    }
    declared
}

/// Returns the name, parameters and span of a declaration; `None` once the budget is exhausted.
fn declaration(
    signature: &Signature,
    domain: &Domain,
    names: &Names<'_>,
    types: &Table<TypeId>,
    faults: &mut Diagnostics,
) -> Option<(Word, Vec<Variable>, Span)> {
    let parameters = parameters(signature, domain, names, types, faults);
    (!faults.is_spent()).then_some((signature.name, parameters, signature.span))
}

/// Returns the parameters of a declaration. Their names have no meaning, so duplicates are allowed.
fn parameters(
    signature: &Signature,
    domain: &Domain,
    names: &Names<'_>,
    types: &Table<TypeId>,
    faults: &mut Diagnostics,
) -> Vec<Variable> {
    let mut parameters = Vec::new();
    faults.charge(listed::<(Word, Vec<Variable>, Span)>() + size_of::<Variable>() + NAME_BYTES);
    for group in &signature.parameters {
        let types = resolve_types(&group.types, domain, names, types, faults);
        for word in &group.names {
            if !faults.charge(variable_bytes(types.types().len())) {
                return parameters;
            }
            parameters.push(Variable {
                name: Name::new(names.text_of(word.symbol)),
                types: types.clone(),
                place: Place::at(word.span),
            });
        }
    }
    parameters
}

/// Reports a second declaration of a name: a warning if both are the same, else an error.
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
        let d = d
            .primary(word.span, "declared again here")
            .label(first.span(), "first declared here");
        if same {
            d.note("both are identical, so the second one is ignored")
        } else {
            d
        }
    });
}

/// Reports a second declaration of an object or a constant, like [`report_repeated`]. One with another type is ignored in
/// lenient mode.
pub(super) fn report_repeated_object(
    what: &str,
    word: Word,
    name: &Name,
    same: bool,
    first: Place,
    faults: &mut Diagnostics,
) {
    if same {
        return report_repeated(what, word, name, same, first, faults);
    }
    faults.report_repaired(
        Code::DuplicateDeclaration,
        format!("{what} `{name}` is declared twice"),
        "read with the type of the first declaration",
        |d| {
            d.primary(word.span, "declared again here")
                .label(first.span(), "first declared here")
        },
    );
}
