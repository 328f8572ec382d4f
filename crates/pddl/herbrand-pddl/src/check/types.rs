//! Checking of type hierarchies.

use fxhash::{FxHashMap, FxHashSet};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::context::Table;
use super::{SUPERTYPE_BYTES, TYPE_BYTES};
use herbrand_text::{Place, Source, nearest};

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Domain, Name, Type, TypeId, TypeUnion};
use crate::syntax::ast::TypedList;
use crate::syntax::{Known, Names, Symbol, Word};

/// The number of undeclared supertypes for which similar names are looked for, which takes time for each.
const SUGGESTIONS: usize = 20;

/// Returns the types of a domain: the root, then the other types in the order of declaration.
///
/// The root is `object`, unless `object` is declared as a subtype; then it is the type that [`root_above`] finds.
pub(super) fn declare_types(
    list: &TypedList,
    names: &Names<'_>,
    source: &Source,
    table: &mut Table<TypeId>,
    faults: &mut Diagnostics,
) -> Vec<Type> {
    warn_of_lone_types(list, names, source, faults);
    let root = root_above(list, names, faults).unwrap_or(Known::Object.symbol());
    let mut types = vec![Type {
        name: Name::new(names.text_of(root)),
        parents: Vec::new(),
        place: Place::NOWHERE,
    }];
    table.set(root, TypeId::OBJECT);
    for word in list.iter().flat_map(|group| &group.names) {
        faults.charge(TYPE_BYTES);
        declare(word, names, table, &mut types);
    }
    let mut undeclared = 0;
    // Supertypes that are not declared come last, so declaring them at the end would not change any id.
    for word in list.iter().flat_map(|group| &group.types) {
        if table.get(word.symbol).is_none() {
            let name = names.text_of(word.symbol);
            undeclared += 1;
            let meant = (undeclared <= SUGGESTIONS)
                .then(|| nearest(name, types.iter().map(|t| t.name.as_str())))
                .flatten();
            let help = match meant {
                Some(meant) => format!("declare `{name}` in `(:types …)`, or did you mean `{meant}`?"),
                None => format!("declare `{name}` in `(:types …)`"),
            };
            faults.report(
                Code::UndeclaredSupertype,
                format!("type `{name}` is used, but not declared"),
                |d| {
                    d.primary(word.span, "read as a type directly under `object`")
                        .help(help)
                },
            );
            faults.charge(TYPE_BYTES);
            declare(word, names, table, &mut types);
        }
    }
    for group in list {
        let parents: Vec<TypeId> = group
            .types
            .iter()
            .filter_map(|word| table.get(word.symbol))
            .collect();
        for word in &group.names {
            if !faults.charge(parents.len() * SUPERTYPE_BYTES) {
                return types;
            }
            add_parents(word, &parents, names, table, &mut types, faults);
        }
    }
    let object = untyped(table);
    for (index, declared) in types.iter_mut().enumerate().skip(1) {
        if declared.parents.is_empty() {
            let is_object = TypeId::from_index(index) == object;
            declared
                .parents
                .push(if is_object { TypeId::OBJECT } else { object });
        }
    }
    break_cycles(&mut types, faults);
    types
}

/// Returns the type of elements without a declared type: `object`, whether it is the root or not.
fn untyped(table: &Table<TypeId>) -> TypeId {
    table.get(Known::Object.symbol()).unwrap_or(TypeId::OBJECT)
}

/// Returns the root of a hierarchy in which `object` is declared as a subtype: the only type above `object` that has no
/// supertype.
///
/// Such files use `object` for ordinary things beside other types, as in `animal object - entity`. If there are several
/// roots above `object`, or `object` is its own ancestor, that is a fault, and `object` is the root.
fn root_above(list: &TypedList, names: &Names<'_>, faults: &mut Diagnostics) -> Option<Symbol> {
    let object = Known::Object.symbol();
    let mut words = list
        .iter()
        .filter(|group| group.types.iter().any(|word| word.symbol != object));
    let place = words.find_map(|group| group.names.iter().find(|word| word.symbol == object))?;
    let mut groups: FxHashMap<Symbol, Vec<&[Word]>> = FxHashMap::default();
    for group in list {
        for word in &group.names {
            faults.charge(SUPERTYPE_BYTES);
            groups.entry(word.symbol).or_default().push(&group.types);
        }
    }
    let parents = |symbol: Symbol| {
        let groups = groups.get(&symbol).into_iter().flatten();
        groups.flat_map(|types| types.iter()).map(|word| word.symbol)
    };
    let (mut above, mut seen) = (Vec::new(), FxHashSet::default());
    // `object - object` is redundant.
    above.extend(parents(object).filter(|&parent| parent != object && seen.insert(parent)));
    let mut next = 0;
    while let Some(&symbol) = above.get(next) {
        for parent in parents(symbol).take_while(|_| faults.charge(0)) {
            if seen.insert(parent) {
                above.push(parent);
            }
        }
        next += 1;
    }
    let mut roots = above
        .iter()
        .copied()
        .filter(|&symbol| parents(symbol).next().is_none());
    let parent = names.text_of(above[0]);
    match (roots.next(), roots.next()) {
        (Some(root), None) if !seen.contains(&object) => {
            let root_name = names.text_of(root);
            faults.report(
                Code::ObjectSubtype,
                format!("`object` is declared as a subtype of `{parent}`"),
                |d| {
                    d.primary(
                        place.span,
                        format!("`{root_name}` is read as the root of all types"),
                    )
                    .help("in PDDL `object` is the root: give this type another name")
                },
            );
            Some(root)
        }
        _ => {
            faults.report(
                Code::TypeCycle,
                format!("`object` cannot be a subtype of `{parent}`"),
                |d| d.primary(place.span, "every type is a subtype of `object`"),
            );
            None
        }
    }
}

/// Warns of a type on a line of its own above a line of several types, because it gets the supertype of that line: `animal`,
/// then `cat dog - pet`. Does not warn if every line has one type or the lines are merely wrapped, nor if the supertype is
/// `object`.
fn warn_of_lone_types(list: &TypedList, names: &Names<'_>, source: &Source, faults: &mut Diagnostics) {
    let text = source.text();
    let line_ends = |from: Word, to: Word| text[from.span.range().end..to.span.range().start].contains('\n');
    for group in list {
        let Some(parent) = group
            .types
            .first()
            .filter(|word| word.symbol != Known::Object.symbol())
        else {
            continue;
        };
        let lines: Vec<&[Word]> = group
            .names
            .chunk_by(|&one, &next| !line_ends(one, next))
            .collect();
        let (Some(([lone], below)), Some(&last)) = (
            lines.split_first().map(|(first, rest)| (*first, rest)),
            group.names.last(),
        ) else {
            continue;
        };
        let told = below.last().is_some_and(|line| line.len() > 1) && !line_ends(last, *parent);
        if !told {
            continue;
        }
        let (lone_name, parent_name) = (names.text_of(lone.symbol), names.text_of(parent.symbol));
        faults.report(
            Code::LoneType,
            format!("`{lone_name}` gets the supertype `{parent_name}` from a later line"),
            |d| {
                d.primary(lone.span, "the end of the line does not end the list")
                    .label(parent.span, "this supertype applies to all names above it")
                    .help(format!("if this is not intended, write `{lone_name} - object`"))
            },
        );
    }
}

fn declare(word: &Word, names: &Names<'_>, table: &mut Table<TypeId>, types: &mut Vec<Type>) {
    if table.get(word.symbol).is_none() {
        table.set(word.symbol, TypeId::from_index(types.len()));
        let name = Name::new(names.text_of(word.symbol));
        types.push(Type {
            name,
            parents: Vec::new(),
            place: Place::at(word.span),
        });
    }
}

/// Adds the supertypes of one declaration of the type `word`. `object` is added later, to types without another supertype.
fn add_parents(
    word: &Word,
    parents: &[TypeId],
    names: &Names<'_>,
    table: &Table<TypeId>,
    types: &mut [Type],
    faults: &mut Diagnostics,
) {
    let Some(id) = table.get(word.symbol) else { return };
    if id == TypeId::OBJECT {
        return;
    }
    let object = untyped(table);
    let parents = parents.iter().copied().filter(|&parent| parent != object);
    let declared = &mut types[id.index()];
    let first = declared.place.span().filter(|&first| first != word.span);
    for parent in parents.take_while(|_| faults.charge(0)) {
        if !declared.parents.contains(&parent) {
            declared.parents.push(parent);
        }
    }
    if let Some(first) = first {
        let name = names.text_of(word.symbol);
        faults.report(
            Code::RepeatedDeclaration,
            format!("type `{name}` is declared twice"),
            |d| {
                d.primary(word.span, "declared again here")
                    .label(first, "first declared here")
                    .note("the type gets the supertypes of both declarations")
            },
        );
    }
}

/// Reports cycles of types, and makes their members direct subtypes of the root so that checking can continue.
fn break_cycles(types: &mut [Type], faults: &mut Diagnostics) {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = types.iter().map(|_| graph.add_node(())).collect();
    for (index, declared) in types.iter().enumerate() {
        for parent in &declared.parents {
            graph.add_edge(nodes[index], nodes[parent.index()], ());
        }
    }
    for mut component in kosaraju_scc(&graph) {
        component.sort_unstable();
        let first = component[0].index();
        let is_cycle = component.len() > 1 || types[first].parents.contains(&TypeId::from_index(first));
        if !is_cycle {
            continue;
        }
        report_cycle(
            first,
            &component.iter().map(|node| node.index()).collect::<Vec<_>>(),
            types,
            faults,
        );
        for node in component {
            types[node.index()].parents = vec![TypeId::OBJECT];
        }
    }
}

/// The maximum number of types of a cycle that are shown.
const SHOWN: usize = 8;

fn report_cycle(first: usize, members: &[usize], types: &[Type], faults: &mut Diagnostics) {
    // Every member has a supertype in the component, so following supertypes must lead to a cycle.
    let mut path = vec![first];
    let mut places = FxHashMap::from_iter([(first, 0)]);
    let start = loop {
        let last = path[path.len() - 1];
        let next = types[last].parents.iter().map(|parent| parent.index());
        let Some(next) = next.into_iter().find(|next| members.binary_search(next).is_ok()) else {
            return;
        };
        if let Some(&start) = places.get(&next) {
            break start;
        }
        places.insert(next, path.len());
        path.push(next);
    };
    let cycle = &path[start..];
    let name = |index: usize| types[index].name.as_str();
    let shown = cycle.iter().take(SHOWN);
    let mut chain: Vec<String> = shown.map(|&index| format!("`{}`", name(index))).collect();
    if cycle.len() > SHOWN {
        chain.push(format!("{} more", cycle.len() - SHOWN));
    }
    chain.push(format!("`{}`", name(cycle[0])));
    faults.report(
        Code::TypeCycle,
        format!("cycle among types: {}", chain.join(" – ")),
        |mut d| {
            for (step, &index) in cycle.iter().take(SHOWN).enumerate() {
                let parent = cycle[(step + 1) % cycle.len()];
                if let Some(span) = types[index].place.span() {
                    let text = format!("`{}` is a subtype of `{}`", name(index), name(parent));
                    d = if step == 0 {
                        d.primary(span, text)
                    } else {
                        d.label(span, text)
                    };
                }
            }
            d.help("a type cannot be a subtype of itself")
        },
    );
}

/// Returns the union of the types that `words` name. Unknown types are reported, and read as the type that is suggested; the
/// union is empty if none is suggested.
pub(super) fn resolve_types(
    words: &[Word],
    domain: &Domain,
    names: &Names<'_>,
    table: &Table<TypeId>,
    faults: &mut Diagnostics,
) -> TypeUnion {
    if words.is_empty() {
        return TypeUnion::single(untyped(table));
    }
    let mut types = Vec::with_capacity(words.len());
    for word in words {
        if !faults.charge(size_of::<TypeId>()) {
            break;
        }
        let id = table.get(word.symbol);
        let id = id.or_else(|| report_unknown_type(word, domain, names, faults));
        types.extend(id.filter(|id| !types.contains(id)));
    }
    if types.is_empty() {
        return TypeUnion::unknown();
    }
    TypeUnion::either(types)
}

/// Reports an unknown type, and returns the suggested type.
fn report_unknown_type(
    word: &Word,
    domain: &Domain,
    names: &Names<'_>,
    faults: &mut Diagnostics,
) -> Option<TypeId> {
    let name = names.text_of(word.symbol);
    let meant = if faults.is_full() {
        None
    } else {
        nearest(name, domain.types.iter().map(|t| t.name.as_str()))
    };
    faults.report(Code::UnknownType, format!("unknown type `{name}`"), |d| {
        d.primary(word.span, "not declared in `(:types …)`")
            .suggest(meant)
    });
    let meant = domain.types.iter().position(|t| Some(t.name.as_str()) == meant);
    meant.map(TypeId::from_index)
}
