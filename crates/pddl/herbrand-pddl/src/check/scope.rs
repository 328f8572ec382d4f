//! Scopes of variables in a schema, rule or goal.

use super::context::CheckContext;
use super::variable_bytes;
use herbrand_text::Place;

use crate::diagnostic::Code;
use crate::model::{Atom as ModelAtom, Name, Object, PredicateKind, Term, TypeUnion, Variable, VariableId};
use crate::syntax::ast::{Argument, Atom, TypedList};
use crate::syntax::{Symbol, Word};

/// The memory charged for an atom's occurrence in the dependency graph of the derivation rules, in bytes.
const OCCURRENCE: usize = 3 * 32;

/// The variables of a schema, rule or goal while it is checked.
pub(super) struct Scope<'w, 'a> {
    pub(super) world: &'w mut CheckContext<'a>,
    /// All variables bound so far, in text order.
    pub(super) variables: Vec<Variable>,
    /// The variables in scope, innermost last, each with the variable that it hides. Ending a scope restores the hidden
    /// variables.
    bound: Vec<(Symbol, Option<VariableId>)>,
}

/// The variables of one list, whose scope is ended by [`Scope::release`].
pub(super) struct Bound {
    pub(super) variables: Vec<VariableId>,
    outer: usize,
}

impl<'w, 'a> Scope<'w, 'a> {
    pub(super) fn new(world: &'w mut CheckContext<'a>) -> Self {
        Self {
            world,
            variables: Vec::new(),
            bound: Vec::new(),
        }
    }

    /// Brings the variables of `list` into scope.
    pub(super) fn bind(&mut self, list: &TypedList) -> Bound {
        let first = self.variables.len();
        let outer = self.bound.len();
        for group in list {
            let types = self.world.types(&group.types);
            for &word in &group.names {
                if !self.world.faults.charge(variable_bytes(types.types().len())) {
                    break;
                }
                self.bind_one(word, types.clone(), first);
            }
        }
        Bound {
            variables: (first..self.variables.len())
                .map(VariableId::from_index)
                .collect(),
            outer,
        }
    }

    /// Brings one variable of a list into scope. `first` is the number of the list's first variable.
    pub(super) fn bind_one(&mut self, word: Word, types: TypeUnion, first: usize) {
        let hidden = self.world.bound.get(word.symbol);
        if let Some(hidden) = hidden {
            self.report_bound_already(word, hidden, first);
        }
        let id = VariableId::from_index(self.variables.len());
        let name = Name::new(self.world.name(word));
        self.variables.push(Variable {
            name,
            types,
            place: Place::at(word.span),
        });
        self.world.bound.set(word.symbol, id);
        self.bound.push((word.symbol, hidden));
    }

    fn report_bound_already(&mut self, word: Word, hidden: VariableId, first: usize) {
        let name = self.world.name(word);
        let place = self.variables[hidden.index()].place;
        let (code, message, text) = if hidden.index() >= first {
            (
                Code::DuplicateVariable,
                format!("`?{name}` is bound twice"),
                "bound again here",
            )
        } else {
            (
                Code::ShadowedVariable,
                format!("`?{name}` hides another variable"),
                "the name refers to this variable from here on",
            )
        };
        self.world.faults.report(code, message, |d| {
            d.primary(word.span, text).label(place.span(), "bound here first")
        });
    }

    /// Ends the scope of the variables in `bound`, and of all variables bound since.
    pub(super) fn release(&mut self, bound: &Bound) {
        while self.bound.len() > bound.outer {
            if let Some((symbol, hidden)) = self.bound.pop() {
                self.world.bound.restore(symbol, hidden);
            }
        }
    }

    /// Ends all scopes and returns the variables.
    pub(super) fn finish(mut self) -> Vec<Variable> {
        self.release(&Bound {
            variables: Vec::new(),
            outer: 0,
        });
        self.variables
    }

    /// Resolves an argument. Reports an unknown object or unbound variable.
    pub(super) fn term(&mut self, argument: Argument) -> Option<Term> {
        if !argument.is_variable {
            return self
                .world
                .object(argument.symbol, argument.span)
                .map(Term::Object);
        }
        let found = self.world.bound.get(argument.symbol);
        if found.is_none() {
            self.report_unbound(argument);
        }
        found.map(Term::Variable)
    }

    #[cold]
    fn report_unbound(&mut self, argument: Argument) {
        let name = self.world.names.text_of(argument.symbol);
        let in_scope = self
            .bound
            .iter()
            .map(|&(symbol, _)| self.world.names.text_of(symbol));
        let meant = self.world.meant(name, in_scope);
        let outside = self
            .variables
            .iter()
            .find(|v| v.name.as_str().eq_ignore_ascii_case(name));
        let outside = outside.and_then(|v| v.place.span());
        let is_object = self.world.tables.objects.get(argument.symbol).is_some();
        self.world
            .faults
            .report(Code::UnboundVariable, format!("`?{name}` is not in scope"), |d| {
                let d = d.primary(
                    argument.span,
                    "neither a parameter nor bound by a quantifier here",
                );
                match (outside, meant) {
                    (Some(span), _) => d.label(span, "its scope ends with this quantifier"),
                    (_, Some(meant)) => d.suggest(Some(&format!("?{meant}"))),
                    _ if is_object => d.help(format!("the object is written `{name}`")),
                    _ => d,
                }
            });
    }

    /// Resolves the arguments of `atom` and compares their types with those of the parameters.
    pub(super) fn terms(&mut self, atom: &Atom, parameters: &[Variable]) -> Option<Vec<Term>> {
        let arguments = self.world.arguments(atom);
        self.world
            .faults
            .charge(arguments.len() * size_of::<Term>() + OCCURRENCE);
        let mut terms = Some(Vec::with_capacity(arguments.len()));
        for (&argument, parameter) in arguments.iter().zip(parameters) {
            let Some(term) = self.term(argument) else {
                terms = None;
                continue;
            };
            let objects: &[Object] = self.world.objects;
            let types = match term {
                Term::Variable(id) => &self.variables[id.index()].types,
                Term::Object(id) => &objects[id.index()].types,
            };
            self.world.check_fit(types, parameter, argument, atom.name);
            if let Some(terms) = &mut terms {
                terms.push(term);
            }
        }
        terms
    }

    /// Resolves an atom. Reports an unknown predicate or a wrong number of arguments.
    pub(super) fn atom(&mut self, atom: &Atom) -> Option<ModelAtom> {
        let domain = self.world.domain;
        let Some(id) = self.world.predicate_of(atom) else {
            self.look_up_arguments(atom);
            return None;
        };
        let predicate = domain.predicate(id);
        if !self
            .world
            .check_arity(atom, "predicate", &predicate.parameters, predicate.place)
        {
            self.look_up_arguments(atom);
            return None;
        }
        let arguments = self.terms(atom, &predicate.parameters)?;
        Some(ModelAtom {
            predicate: id,
            arguments,
            place: Place::at(atom.span),
        })
    }

    /// Returns whether `atom` is an action of the agent (PDDLGym's dialect).
    pub(super) fn is_agent_action(&self, atom: &Atom) -> bool {
        let predicate = self.world.tables.predicates.get(atom.name.symbol);
        predicate.is_some_and(|id| self.world.domain.predicate(id).kind == PredicateKind::Action)
    }

    /// Reports unknown arguments of an atom that already has another fault.
    fn look_up_arguments(&mut self, atom: &Atom) {
        for &argument in self.world.arguments(atom) {
            self.term(argument);
        }
    }
}
