//! The predicates, functions and terms that a formula or effect may refer to.

use super::sketch::{AtomSketch, ChanceSketch, Pick, TypesSketch, VariablesSketch};
use herbrand_text::Place;

use crate::model::{
    Atom, Domain, FunctionId, FunctionTerm, Name, Number, Object, ObjectId, PredicateId, PredicateKind,
    Probability, Term, TypeId, TypeUnion, Variable, VariableId,
};

/// The position of an atom in a formula.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Standing {
    /// Whether the atom is under an odd number of negations.
    pub(super) negated: bool,
    /// Whether the atom is below a `forall`, or below an `exists` under an odd number of negations.
    pub(super) universal: bool,
}

impl Standing {
    /// Returns the position under one more negation.
    pub(super) fn negation(self) -> Self {
        Self {
            negated: !self.negated,
            ..self
        }
    }

    /// Returns the position below one more quantifier.
    pub(super) fn below(self, universal: bool) -> Self {
        Self {
            universal: self.universal || universal,
            ..self
        }
    }
}

/// The scope of a schema, axiom or goal while it is resolved: all variables bound so far, and the visible ones.
///
/// Variables are numbered in the order of binding. This is text order as long as a precondition is resolved before its
/// effect.
pub(super) struct Scope<'a> {
    /// The domain. Its types, constants, predicates and functions must be complete.
    pub(super) domain: &'a Domain,
    /// The domain's constants, or the problem's objects.
    objects: &'a [Object],
    /// Tells whether a formula may refer to a predicate at a position.
    readable: &'a dyn Fn(PredicateId, Standing) -> bool,
    /// All variables bound so far.
    pub(super) variables: Vec<Variable>,
    visible: Vec<VariableId>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        domain: &'a Domain,
        objects: &'a [Object],
        readable: &'a dyn Fn(PredicateId, Standing) -> bool,
    ) -> Self {
        Self {
            domain,
            objects,
            readable,
            variables: Vec::new(),
            visible: Vec::new(),
        }
    }

    /// Binds a new variable.
    pub(super) fn bind(&mut self, types: TypeUnion) -> VariableId {
        let id = VariableId::from_index(self.variables.len());
        self.variables.push(Variable {
            name: Name::new(&format!("x{}", id.number())),
            types,
            place: Place::NOWHERE,
        });
        self.visible.push(id);
        id
    }

    /// Binds variables that are visible only in `body`.
    pub(super) fn within<T>(
        &mut self,
        variables: &VariablesSketch,
        body: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<VariableId>, T) {
        let outside = self.visible.len();
        let bound = variables
            .iter()
            .map(|sketch| self.bind(types(sketch, self.domain)))
            .collect();
        let body = body(self);
        self.visible.truncate(outside);
        (bound, body)
    }

    /// Returns all terms that are accepted where the types `expected` are required, variables first.
    pub(super) fn terms(&self, expected: &TypeUnion) -> Vec<Term> {
        let fits = |types: &TypeUnion| self.domain.is_assignable(types, expected);
        let variables = self
            .visible
            .iter()
            .filter(|id| fits(&self.variables[id.index()].types));
        let objects = (0..self.objects.len()).filter(|&index| fits(&self.objects[index].types));
        variables
            .map(|&id| Term::Variable(id))
            .chain(objects.map(|index| Term::Object(ObjectId::from_index(index))))
            .collect()
    }

    fn arguments(&self, parameters: &[Variable], picks: &[Pick]) -> Option<Vec<Term>> {
        let pairs = parameters.iter().zip(picks);
        pairs
            .map(|(parameter, pick)| pick.of(&self.terms(&parameter.types)).copied())
            .collect()
    }

    /// Returns an atom that a formula may contain at the given position.
    pub(super) fn readable_atom(&self, sketch: &AtomSketch, place: Standing) -> Option<Atom> {
        self.atom(sketch, |id| (self.readable)(id, place))
    }

    /// Returns an atom. Chooses among the predicates that satisfy `allowed` and for which there are arguments of the right
    /// types.
    pub(super) fn atom(&self, sketch: &AtomSketch, allowed: impl Fn(PredicateId) -> bool) -> Option<Atom> {
        let ids = (0..self.domain.predicates.len()).map(PredicateId::from_index);
        let possible = ids.filter(|&id| allowed(id)).filter_map(|predicate| {
            let arguments =
                self.arguments(&self.domain.predicate(predicate).parameters, &sketch.arguments)?;
            Some(Atom {
                predicate,
                arguments,
                place: Place::NOWHERE,
            })
        });
        sketch.head.of(&possible.collect::<Vec<_>>()).cloned()
    }

    /// Returns a function term. Chooses among the functions that satisfy `allowed` and for which there are arguments of the
    /// right types.
    pub(super) fn function_term(
        &self,
        sketch: &AtomSketch,
        allowed: impl Fn(FunctionId) -> bool,
    ) -> Option<FunctionTerm> {
        let ids = (0..self.domain.functions.len()).map(FunctionId::from_index);
        let possible = ids.filter(|&id| allowed(id)).filter_map(|function| {
            let arguments = self.arguments(&self.domain.function(function).parameters, &sketch.arguments)?;
            Some(FunctionTerm {
                function,
                arguments,
                place: Place::NOWHERE,
            })
        });
        sketch.head.of(&possible.collect::<Vec<_>>()).cloned()
    }
}

/// Returns the types of a variable or object. The types of `domain` must be complete.
pub(super) fn types(sketch: &TypesSketch, domain: &Domain) -> TypeUnion {
    let all: Vec<_> = (0..domain.types.len()).map(TypeId::from_index).collect();
    let mut chosen: Vec<_> = sketch.iter().filter_map(|pick| pick.of(&all).copied()).collect();
    chosen.sort_unstable();
    chosen.dedup();
    TypeUnion::either(chosen)
}

/// Returns the parameters of a declaration.
pub(super) fn parameters(sketch: &VariablesSketch, domain: &Domain) -> Vec<Variable> {
    let variable = |(index, sketch)| Variable {
        name: Name::new(&format!("x{index}")),
        types: types(sketch, domain),
        place: Place::NOWHERE,
    };
    sketch.iter().enumerate().map(variable).collect()
}

/// Returns a small integer as a number of the model.
pub(super) fn number(value: i8) -> Number {
    Number::new(f64::from(value)).expect("an integer is finite")
}

/// Returns whether a predicate's atoms are stored in states.
pub(super) fn in_states(domain: &Domain, predicate: PredicateId) -> bool {
    matches!(
        domain.predicate(predicate).kind,
        PredicateKind::Static | PredicateKind::Fluent
    )
}

impl<T> ChanceSketch<T> {
    /// Returns the alternatives with their probabilities: the weights divided by the sum of all weights and `rest`.
    pub(super) fn resolve<U>(&self, mut resolve: impl FnMut(&T) -> U) -> Vec<(Probability, U)> {
        let weights = self.alternatives.iter().map(|&(weight, _)| u64::from(weight));
        let sum = (weights.sum::<u64>() + u64::from(self.rest)).max(1);
        let alternatives = self.alternatives.iter();
        alternatives
            .filter_map(|(weight, inner)| Some((Probability::new(u64::from(*weight), sum)?, resolve(inner))))
            .collect()
    }
}
