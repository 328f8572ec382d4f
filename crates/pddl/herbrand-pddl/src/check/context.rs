//! The context of a formula or effect: its domain's declarations, the objects and the symbol tables.

use super::features::Features;
use super::fit::{Fit, Fits};
use super::types::resolve_types;
use herbrand_text::{Place, Source, Span, nearest};

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Function, FunctionId, Name, Object, ObjectId, PredicateId, TypeId, TypeUnion, Variable,
    VariableId,
};
use crate::requirements::Requirement;
use crate::syntax::ast::{self, Argument, Atom};
use crate::syntax::{Known, Names, Symbol, Word};

/// A map from the symbols of a text to values.
pub(super) struct Table<T>(Vec<Option<T>>);

impl<T: Copy> Table<T> {
    pub(super) fn new(names: &Names<'_>) -> Self {
        Self(vec![None; names.len()])
    }

    pub(super) fn get(&self, symbol: Symbol) -> Option<T> {
        self.0[symbol.index()]
    }

    pub(super) fn set(&mut self, symbol: Symbol, value: T) -> Option<T> {
        self.0[symbol.index()].replace(value)
    }

    pub(super) fn restore(&mut self, symbol: Symbol, value: Option<T>) {
        self.0[symbol.index()] = value;
    }
}

/// The symbol tables of a text.
pub(super) struct Tables {
    pub(super) types: Table<TypeId>,
    pub(super) predicates: Table<PredicateId>,
    pub(super) functions: Table<FunctionId>,
    pub(super) objects: Table<ObjectId>,
}

impl Tables {
    /// Returns the memory for the tables of a text with these names, in bytes, including the tables for variables and
    /// repeated names.
    pub(super) fn bytes(names: &Names<'_>) -> usize {
        5 * names.len() * size_of::<Option<TypeId>>() + 2 * names.len() * size_of::<Option<usize>>()
    }

    pub(super) fn new(names: &Names<'_>) -> Self {
        Self {
            types: Table::new(names),
            predicates: Table::new(names),
            functions: Table::new(names),
            objects: Table::new(names),
        }
    }

    /// Returns tables with the names of a checked domain that occur in the text.
    pub(super) fn of_domain(domain: &Domain, names: &Names<'_>) -> Self {
        fn fill<T: Copy>(table: &mut Table<T>, names: &Names<'_>, declared: impl Iterator<Item = (T, Name)>) {
            for (id, name) in declared {
                if let Some(symbol) = names.find(name.as_str()) {
                    table.set(symbol, id);
                }
            }
        }
        let mut tables = Self::new(names);
        let types = domain.types.iter().enumerate();
        fill(
            &mut tables.types,
            names,
            types.map(|(i, t)| (TypeId::from_index(i), t.name.clone())),
        );
        let predicates = domain.predicates.iter().enumerate();
        fill(
            &mut tables.predicates,
            names,
            predicates.map(|(i, p)| (PredicateId::from_index(i), p.name.clone())),
        );
        let functions = domain.functions.iter().enumerate();
        fill(
            &mut tables.functions,
            names,
            functions.map(|(i, f)| (FunctionId::from_index(i), f.name.clone())),
        );
        let constants = domain.constants.iter().enumerate();
        fill(
            &mut tables.objects,
            names,
            constants.map(|(i, c)| (ObjectId::from_index(i), c.name.clone())),
        );
        tables
    }
}

/// The context of a formula or effect: declarations, symbol tables and collected faults.
pub(super) struct CheckContext<'a> {
    pub(super) file: &'a ast::File,
    pub(super) names: &'a Names<'a>,
    pub(super) source: &'a Source,
    /// The domain's declarations. Its axioms and schemas are not used.
    pub(super) domain: &'a Domain,
    pub(super) objects: &'a [Object],
    pub(super) tables: &'a Tables,
    /// Predefined functions that the domain uses. Stays empty in a problem.
    pub(super) implicit: Vec<Function>,
    pub(super) in_domain: bool,
    /// Whether `?duration` has a meaning.
    pub(super) in_durative_action: bool,
    /// The variables in scope.
    pub(super) bound: Table<VariableId>,
    pub(super) fits: Fits<'a>,
    pub(super) features: Features,
    /// The functions that are amounts of action costs.
    pub(super) costs: Vec<FunctionId>,
    /// The objects that were reported as declared without a type.
    pub(super) untyped: Vec<Symbol>,
    pub(super) faults: &'a mut Diagnostics,
}

impl<'a> CheckContext<'a> {
    /// Returns the name as it is written at its first occurrence in the text.
    pub(super) fn name(&self, word: Word) -> &'a str {
        self.names.text_of(word.symbol)
    }

    pub(super) fn arguments(&self, atom: &Atom) -> &'a [Argument] {
        self.file.arguments(atom)
    }

    pub(super) fn types(&mut self, words: &[Word]) -> TypeUnion {
        if let Some(word) = words.first() {
            self.features.note(Requirement::Typing, word.span);
        }
        resolve_types(words, self.domain, self.names, &self.tables.types, self.faults)
    }

    /// Returns the predicate of `atom`, or reports it as unknown.
    pub(super) fn predicate_of(&mut self, atom: &Atom) -> Option<PredicateId> {
        self.predicate(atom.name, self.arguments(atom).first())
    }

    /// Returns the predicate called `word`, or reports it as unknown. The atom's first argument is used for help.
    pub(super) fn predicate(&mut self, word: Word, argument: Option<&Argument>) -> Option<PredicateId> {
        let found = self.tables.predicates.get(word.symbol);
        if found.is_none() {
            let name = self.name(word);
            let is_reserved = Known::of(word.symbol).is_some_and(Known::is_reserved);
            let is_type = self.tables.types.get(word.symbol).is_some();
            let is_function = self.tables.functions.get(word.symbol).is_some();
            let meant = self.meant(name, self.domain.predicates.iter().map(|p| p.name.as_str()));
            let typed = self.typed_instead(name, argument);
            self.faults.report(
                Code::UnknownPredicate,
                format!("unknown predicate `{name}`"),
                |d| {
                    let d = d.primary(word.span, "not declared in `(:predicates …)`");
                    match meant {
                        _ if is_type => d.note(format!("`{name}` is a type, not a predicate")).help(typed),
                        _ if is_reserved => {
                            d.help(format!("write `({name} …)`, with the parts in parentheses"))
                        }
                        Some(meant) => d.suggest(Some(meant)),
                        None if is_function => d.help(format!(
                            "`{name}` is a function; compare its value, as in `(>= ({name} …) 1)`"
                        )),
                        None => d,
                    }
                },
            );
        }
        found
    }

    /// Returns the help for a type that is used as a predicate.
    fn typed_instead(&self, name: &str, argument: Option<&Argument>) -> String {
        match argument {
            Some(argument) if argument.is_variable => {
                let variable = self.names.text_of(argument.symbol);
                format!("write `?{variable} - {name}` where the variable is declared, and leave this out")
            }
            Some(argument) => {
                let object = self.names.text_of(argument.symbol);
                format!("write `{object} - {name}` where the object is declared, and leave this out")
            }
            None => format!("a variable of this type is declared as `?x - {name}`"),
        }
    }

    /// Returns the function called `word`, or reports it as unknown. In a domain, a predefined function is created on its
    /// first use.
    pub(super) fn function(&mut self, word: Word) -> Option<FunctionId> {
        self.known_function(word.symbol).or_else(|| {
            let name = self.name(word);
            let implicit = matches!(Known::of(word.symbol), Some(Known::Reward | Known::TotalCost));
            if implicit && self.in_domain {
                self.implicit.push(implicit_function(name));
                return self.known_function(word.symbol);
            }
            let is_predicate = self.tables.predicates.get(word.symbol).is_some();
            let meant = self.meant(name, self.domain.functions.iter().map(|f| f.name.as_str()));
            self.faults
                .report(Code::UnknownFunction, format!("unknown function `{name}`"), |d| {
                    let d = d.primary(word.span, "not declared in `(:functions …)`");
                    match meant {
                        Some(meant) => d.suggest(Some(meant)),
                        None if is_predicate => {
                            d.help(format!("`{name}` is a predicate, which has no value"))
                        }
                        None => d,
                    }
                });
            None
        })
    }

    pub(super) fn known_function(&self, symbol: Symbol) -> Option<FunctionId> {
        self.tables.functions.get(symbol).or_else(|| {
            let name = self.names.text_of(symbol);
            let index = self
                .implicit
                .iter()
                .position(|f| f.name.as_str().eq_ignore_ascii_case(name))?;
            Some(FunctionId::from_index(self.domain.functions.len() + index))
        })
    }

    /// Returns the parameters of a function.
    pub(super) fn function_parameters(&self, id: FunctionId) -> &'a [Variable] {
        // Predefined functions have no parameters.
        self.domain
            .functions
            .get(id.index())
            .map_or(&[], |f| &f.parameters)
    }

    /// Returns the object called `symbol`, or reports it as unknown.
    pub(super) fn object(&mut self, symbol: Symbol, span: Span) -> Option<ObjectId> {
        let found = self.tables.objects.get(symbol);
        if found.is_none() {
            self.report_unknown_object(symbol, span);
        }
        found
    }

    #[cold]
    fn report_unknown_object(&mut self, symbol: Symbol, span: Span) {
        let name = self.names.text_of(symbol);
        let section = if self.in_domain {
            "(:constants …)"
        } else {
            "(:objects …)"
        };
        let is_variable = self.bound.get(symbol).is_some();
        let meant = self.meant(name, self.objects.iter().map(|o| o.name.as_str()));
        self.faults
            .report(Code::UnknownObject, format!("unknown object `{name}`"), |d| {
                let d = d.primary(span, format!("not declared in `{section}`"));
                match meant {
                    _ if is_variable => d.help(format!("the variable is written `?{name}`")),
                    Some(meant) => d.suggest(Some(meant)),
                    None => d,
                }
            });
    }

    /// Returns the candidate nearest to `name`. Does not search if further diagnostics would not be shown.
    pub(super) fn meant<'c>(&self, name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
        if self.faults.is_full() {
            None
        } else {
            nearest(name, candidates)
        }
    }

    /// Returns whether the number of arguments is the declared one. Reports it if it is not.
    pub(super) fn check_arity(
        &mut self,
        atom: &Atom,
        what: &str,
        parameters: &[Variable],
        place: Place,
    ) -> bool {
        let found = self.arguments(atom).len();
        if found == parameters.len() {
            return true;
        }
        let name = self.name(atom.name);
        let (domain, source) = (self.domain, self.source);
        let expected = count(parameters.len(), "argument");
        self.faults.report(
            Code::ArityMismatch,
            format!("{what} `{name}` takes {expected}, not {found}"),
            |d| {
                let d = d.primary(atom.span, format!("{} here", count(found, "argument")));
                let origin = domain.origin.source().unwrap_or(source);
                d.label_in(origin, place.span(), format!("declared with {expected}"))
            },
        );
        false
    }

    /// Reports an argument whose types do not fit those of the parameter.
    pub(super) fn check_fit(
        &mut self,
        have: &TypeUnion,
        parameter: &Variable,
        argument: Argument,
        head: Word,
    ) {
        match self.fits.fit(have, &parameter.types) {
            Fit::Always => {}
            Fit::Sometimes if !argument.is_variable && self.untyped.contains(&argument.symbol) => {}
            Fit::Sometimes if self.is_untyped(argument) => self.report_untyped(parameter, argument, head),
            fit => self.report_misfit(fit, have, parameter, argument, head),
        }
    }

    #[cold]
    fn report_misfit(
        &mut self,
        fit: Fit,
        have: &TypeUnion,
        parameter: &Variable,
        argument: Argument,
        head: Word,
    ) {
        let sigil = if argument.is_variable { "?" } else { "" };
        let name = format!("{sigil}{}", self.names.text_of(argument.symbol));
        let (have, want) = (self.describe_types(have), self.describe_types(&parameter.types));
        let head = self.name(head);
        let (code, message) = match fit {
            Fit::Never => (Code::TypeMismatch, format!("`{name}` is not of type {want}")),
            _ => (Code::MaybeMismatch, format!("`{name}` may not be of type {want}")),
        };
        let text = format!("of type {have}, but `{head}` takes {want} here");
        let (domain, source) = (self.domain, self.source);
        self.faults
            .report_repaired(code, message, "read as it is written", |d| {
                let d = d.primary(argument.span, text);
                let origin = domain.origin.source().unwrap_or(source);
                d.label_in(origin, parameter.place.span(), "declared here")
            });
    }

    /// Returns whether an argument is an object that is declared without a type, so that it is an `object`.
    #[cold]
    fn is_untyped(&self, argument: Argument) -> bool {
        // The search for the declaration takes time linear in the number of objects.
        if argument.is_variable || self.untyped.len() >= UNTYPED {
            return false;
        }
        let Some(place) = self.declared_at(argument) else {
            return false;
        };
        let domains = self.file.domains.iter().map(|domain| &domain.constants);
        let problems = self.file.problems.iter().map(|problem| &problem.objects);
        let mut groups = domains.chain(problems).flatten();
        groups.any(|group| group.types.is_empty() && group.names.iter().any(|word| word.span == place))
    }

    /// Returns the span of the declaration of an object if it is in this text.
    fn declared_at(&self, argument: Argument) -> Option<Span> {
        let id = self.tables.objects.get(argument.symbol)?;
        let is_here = self.in_domain || id.index() >= self.domain.constants.len();
        self.objects[id.index()].place.span().filter(|_| is_here)
    }

    /// Reports an object without a type where its first use needs one.
    fn report_untyped(&mut self, parameter: &Variable, argument: Argument, head: Word) {
        self.untyped.push(argument.symbol);
        let name = self.names.text_of(argument.symbol);
        let want = self.describe_types(&parameter.types);
        let (head, declared) = (self.name(head), self.declared_at(argument));
        let first = parameter.types.types().first();
        let first = first.map(|&id| self.domain.type_of(id).name.to_string());
        let message = format!("`{name}` is declared without a type");
        self.faults
            .report_repaired(Code::MaybeMismatch, message, "read as an `object`", |d| {
                let d = d
                    .primary(argument.span, format!("`{head}` takes {want} here"))
                    .label(declared, "declared here");
                match first {
                    Some(first) => d.help(format!("write `{name} - {first}`")),
                    None => d,
                }
            });
    }

    pub(super) fn describe_types(&self, types: &TypeUnion) -> String {
        let names: Vec<String> = types
            .types()
            .iter()
            .map(|&id| format!("`{}`", self.domain.type_of(id).name))
            .collect();
        names.join(" or ")
    }
}

/// The number of objects that are reported as declared without a type. Further ones are reported at each use.
const UNTYPED: usize = 50;

/// Returns a predefined function.
pub(super) fn implicit_function(name: &str) -> Function {
    Function {
        name: Name::new(name),
        parameters: Vec::new(),
        implicit: true,
        place: Place::NOWHERE,
    }
}

/// `no arguments`, `one argument`, `2 arguments` …
pub(super) fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        n => format!("{n} {what}s"),
    }
}
