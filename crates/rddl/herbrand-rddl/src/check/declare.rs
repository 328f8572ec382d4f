//! Checks declarations: requirements, types and pvariables.

use std::collections::HashMap;

use herbrand_text::{Draft, Origin, Place, Source, Span, nearest};

use super::undeclared::{Help, Undeclared, UndeclaredUse};
use super::{constant, function, lint};
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Expression, Formula, Name, Pvariable, PvariableId, PvariableKind, Range, Type, TypeId, TypeKind,
    Value,
};
use crate::syntax::RESERVED;
use crate::syntax::ast::{self, Word};

/// The known requirements. All of them are supported.
const REQUIREMENTS: &[&str] = &[
    "continuous",
    "multivalued",
    "reward-deterministic",
    "intermediate-nodes",
    "constrained-state",
    "partially-observed",
    "concurrent",
    "integer-valued",
    "cpf-deterministic",
    "cpf-discrete",
    "preconditions",
    "interm-nodes",
];

/// Names that ranges have elsewhere, with those of RDDL.
const NAMES_ELSEWHERE: [(&str, &str); 5] = [
    ("integer", "int"),
    ("boolean", "bool"),
    ("float", "real"),
    ("double", "real"),
    ("number", "real"),
];

/// The declarations of a domain by name.
pub(super) struct Names<'s> {
    pub(super) types: HashMap<&'s str, (TypeId, Span)>,
    pub(super) pvariables: HashMap<&'s str, (PvariableId, Span)>,
    /// The values of all enums, without `@`.
    pub(super) values: HashMap<&'s str, Vec<(TypeId, u32)>>,
    pub(super) undeclared: Undeclared,
}

/// Builds the domain of a syntax tree. Reports all faults and leaves out faulty parts.
pub(crate) fn check_domain(syntax: &ast::Domain<'_>, source: &Source, faults: &mut Diagnostics) -> Domain {
    let (mut domain, names) = declared(syntax, source, faults);
    function::formulas(syntax, &mut domain, &names, faults);
    domain
}

/// Builds the types and pvariables of a domain, without its formulas. Reports all faults and leaves out faulty parts.
pub(crate) fn check_declarations(
    syntax: &ast::Domain<'_>,
    source: &Source,
    faults: &mut Diagnostics,
) -> Domain {
    let (domain, names) = declared(syntax, source, faults);
    names.undeclared.report(&names, &syntax.skipped, |_| true, faults);
    domain
}

fn declared<'s>(syntax: &ast::Domain<'s>, source: &Source, faults: &mut Diagnostics) -> (Domain, Names<'s>) {
    let nothing = Expression::literal(Value::Int(0), Range::Int);
    let mut domain = Domain {
        name: Name::new(syntax.name.text),
        requirements: requirements(&syntax.requirements, faults),
        types: Vec::new(),
        pvariables: Vec::new(),
        cpfs: Vec::new(),
        levels: Vec::new(),
        reward: Formula {
            variables: Vec::new(),
            parameters: 0,
            body: nothing,
        },
        preconditions: Vec::new(),
        constraints: Vec::new(),
        invariants: Vec::new(),
        terminations: Vec::new(),
        draws: Vec::new(),
        origin: Origin::new(source.clone()),
    };
    let mut names = Names {
        types: HashMap::new(),
        pvariables: HashMap::new(),
        values: HashMap::new(),
        undeclared: Undeclared::default(),
    };
    types(&syntax.types, &mut domain, &mut names, faults);
    pvariables(&syntax.pvariables, &mut domain, &mut names, faults);
    (domain, names)
}

fn requirements(words: &[Word<'_>], faults: &mut Diagnostics) -> Vec<Name> {
    for word in words.iter().filter(|word| !REQUIREMENTS.contains(&word.text)) {
        let meant = nearest(word.text, REQUIREMENTS.iter().copied());
        faults.report(
            Code::UnknownRequirement,
            format!("unknown requirement `{}`", word.text),
            |d| d.primary(word.span, "has no effect").suggest(meant),
        );
    }
    words.iter().map(|word| Name::new(word.text)).collect()
}

fn types<'s>(syntax: &[ast::Type<'s>], domain: &mut Domain, names: &mut Names<'s>, faults: &mut Diagnostics) {
    for one in syntax {
        faults.charge(3 * (size_of::<Type>() + size_of::<(&str, TypeId, Span)>()));
        let id = TypeId::from_index(domain.types.len());
        if !is_free(
            one.name,
            names.types.get(one.name.text).map(|&(_, span)| span),
            faults,
        ) {
            continue;
        }
        names.types.insert(one.name.text, (id, one.name.span));
        let kind = match &one.values {
            None => TypeKind::Objects,
            Some(words) => TypeKind::Enum(enum_values(id, words, names, faults)),
        };
        if matches!(&kind, TypeKind::Enum(values) if values.is_empty()) {
            faults.report(
                Code::MissingObjects,
                format!("the enum `{}` has no values", one.name.text),
                |d| d.primary(one.name.span, "needs at least one value"),
            );
        }
        domain.types.push(Type {
            name: Name::new(one.name.text),
            kind,
            place: Place::at(one.name.span),
        });
    }
}

fn enum_values<'s>(
    id: TypeId,
    words: &[Word<'s>],
    names: &mut Names<'s>,
    faults: &mut Diagnostics,
) -> Vec<Name> {
    let mut values: Vec<Name> = Vec::new();
    for word in words {
        if !faults
            .charge(3 * (size_of::<Name>() + size_of::<(&str, Vec<(TypeId, u32)>)>()) + 4 * word.text.len())
        {
            break;
        }
        let bare = word.text.strip_prefix('@').unwrap_or(word.text);
        let same = names.values.entry(bare).or_default();
        if same.last().is_some_and(|&(of, _)| of == id) {
            faults.report(
                Code::DuplicateDeclaration,
                format!("the value `{}` is listed twice", word.text),
                |d| d.primary(word.span, "listed again"),
            );
            continue;
        }
        same.push((id, values.len() as u32));
        values.push(Name::new(bare));
    }
    values
}

/// Returns whether a name can be declared. Reports a fault if not.
fn is_free(name: Word<'_>, earlier: Option<Span>, faults: &mut Diagnostics) -> bool {
    if let Some(earlier) = earlier {
        faults.report(
            Code::DuplicateDeclaration,
            format!("`{}` is declared twice", name.text),
            |d| {
                d.primary(name.span, "declared again")
                    .label(earlier, "declared here already")
            },
        );
        return false;
    }
    let is_reserved = RESERVED.contains(&name.text);
    if is_reserved || name.text.ends_with('\'') {
        faults.report(
            Code::ReservedName,
            format!("`{}` cannot be declared", name.text),
            |d| {
                d.primary(
                    name.span,
                    if is_reserved {
                        "a reserved word"
                    } else {
                        "a prime marks the next value of a state fluent"
                    },
                )
            },
        );
        return false;
    }
    true
}

fn pvariables<'s>(
    syntax: &[ast::Pvariable<'s>],
    domain: &mut Domain,
    names: &mut Names<'s>,
    faults: &mut Diagnostics,
) {
    for one in syntax {
        let entry = size_of::<Pvariable>() + size_of::<(&str, PvariableId, Span)>();
        if !faults.charge(3 * entry + one.parameters.len() * size_of::<TypeId>()) {
            return;
        }
        let earlier = names.pvariables.get(one.name.text).map(|&(_, span)| span);
        if !is_free(one.name, earlier, faults) {
            continue;
        }
        let id = PvariableId::from_index(domain.pvariables.len());
        names.pvariables.insert(one.name.text, (id, one.name.span));
        let parameters: Vec<Option<TypeId>> = one
            .parameters
            .iter()
            .map(|&word| names.find_type(word, faults))
            .collect();
        let range = match one.range.text {
            "bool" => Some(Range::Bool),
            "int" => Some(Range::Int),
            "real" => Some(Range::Real),
            _ => names.find_range(one.range, faults).map(Range::Item),
        };
        let default = one.default.zip(range).and_then(|(constant, range)| {
            constant::value(constant, range, domain, faults, |word, faults| {
                default_item(word, range, domain, faults)
            })
        });
        // A domain cannot name the objects that would be such a default.
        let is_object =
            matches!(range, Some(Range::Item(of)) if domain.type_of(of).kind == TypeKind::Objects);
        if one.default.is_none() && one.kind == PvariableKind::Action && !is_object {
            missing_default(one, faults);
        }
        let parameters = parameters.into_iter();
        let parameters = parameters.map(|found| found.unwrap_or_else(|| domain.unknown_type()));
        let parameters = parameters.collect();
        let range = range.unwrap_or_else(|| Range::Item(domain.unknown_type()));
        domain.pvariables.push(Pvariable {
            name: Name::new(one.name.text),
            kind: one.kind,
            parameters,
            range,
            default,
            place: Place::at(one.name.span),
        });
    }
    for one in syntax {
        let is_declared = |name: &str| names.pvariables.contains_key(name);
        lint::difference(one.name, is_declared, faults);
    }
}

/// The name of the type that takes the place of unknown types. No type can be declared by this name.
const UNKNOWN: &str = "?";

impl Domain {
    /// Returns the type that takes the place of unknown types. Formulas that need it are not checked further.
    pub(super) fn unknown_type(&mut self) -> TypeId {
        self.find_type(UNKNOWN).unwrap_or_else(|| {
            self.types.push(Type {
                name: Name::new(UNKNOWN),
                kind: TypeKind::Objects,
                place: Place::NOWHERE,
            });
            TypeId::from_index(self.types.len() - 1)
        })
    }

    /// Returns whether a type takes the place of an unknown one.
    pub(super) fn is_unknown(&self, of: TypeId) -> bool {
        self.type_of(of).name.as_str() == UNKNOWN
    }
}

fn missing_default(one: &ast::Pvariable<'_>, faults: &mut Diagnostics) {
    faults.report(
        Code::MissingDefault,
        format!("the action fluent `{}` has no default", one.name.text),
        |d| {
            d.primary(one.name.span, "without one, it is false, 0 or the first value")
                .help("write `default = …`")
        },
    );
}

/// Returns the enum value named by a default. Reports an unknown value.
fn default_item(word: Word<'_>, range: Range, domain: &Domain, faults: &mut Diagnostics) -> Option<u32> {
    let Range::Item(of) = range else { return None };
    let bare = word.text.strip_prefix('@').unwrap_or(word.text);
    let one = domain.type_of(of);
    let Some(values) = one.values() else {
        faults.report(
            Code::UnknownItem,
            format!("`{}` has no objects here", one.name),
            |d| {
                d.primary(word.span, "objects belong to instances")
                    .help("leave the default out, and set values in the instance")
            },
        );
        return None;
    };
    if !word.text.starts_with('@') {
        lint::bare_value(word, faults);
    }
    let position = values.iter().position(|value| value.as_str() == bare);
    if position.is_none() {
        let meant = nearest(bare, values.iter().map(Name::as_str)).map(|name| format!("@{name}"));
        faults.report(
            Code::UnknownItem,
            format!("`{}` has no value `@{bare}`", one.name),
            |d| note_values(d.primary(word.span, "no such value"), values).suggest(meant.as_deref()),
        );
    }
    position.map(|position| position as u32)
}

/// Lists the values of an enum below a diagnostic, unless there are many.
pub(super) fn note_values<'s>(d: Draft<'s, Code>, values: &[Name]) -> Draft<'s, Code> {
    if values.len() > 8 {
        return d;
    }
    let listed: Vec<String> = values.iter().map(|value| format!("`@{value}`")).collect();
    d.note(format!("its values are {}", listed.join(", ")))
}

impl Names<'_> {
    /// Finds a type by name. Reports an unknown type.
    pub(super) fn find_type(&self, word: Word<'_>, faults: &mut Diagnostics) -> Option<TypeId> {
        self.find(word, &[], faults)
    }

    /// Finds the type of a fluent's values by name. Reports an unknown type.
    fn find_range(&self, word: Word<'_>, faults: &mut Diagnostics) -> Option<TypeId> {
        self.find(word, &["bool", "int", "real"], faults)
    }

    /// Finds a type by name. Reports an unknown type; `others` are other words that may be meant.
    fn find(&self, word: Word<'_>, others: &[&'static str], faults: &mut Diagnostics) -> Option<TypeId> {
        let found = self.types.get(word.text).map(|&(id, _)| id);
        if found.is_none() {
            let meant = if faults.is_full() {
                None
            } else {
                let mut names: Vec<&str> = self.types.keys().copied().collect();
                names.sort_unstable();
                let elsewhere = NAMES_ELSEWHERE.iter().find(|(name, _)| *name == word.text);
                let elsewhere = elsewhere
                    .map(|&(_, ours)| ours)
                    .filter(|ours| others.contains(ours));
                elsewhere.or_else(|| nearest(word.text, names.into_iter().chain(others.iter().copied())))
            };
            let one = UndeclaredUse {
                code: Code::UnknownType,
                message: format!("unknown type `{}`", word.text),
                label: "not declared in `types`",
                span: word.span,
                help: Help::suggesting(meant),
            };
            self.undeclared.add(word.text, one, faults);
        }
        found.inspect(|&id| self.undeclared.type_is_used(id))
    }
}
