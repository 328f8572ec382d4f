//! Splits a formula into conjunctions, and introduces auxiliary axioms to avoid an exponential size.

use std::sync::Arc;

use herbrand_limits::{BudgetExhausted, Meter};
use herbrand_pddl::{Atom, Name, Place, PredicateId, Term, Variable, VariableId};

use super::negation::Nnf;
use super::{Auxiliary, NormalAxiom, NormalComparison, NormalConjunction, NormalUniversal, Scope};

/// The largest number of conjunctions of one formula. To avoid more, disjunctions become auxiliary predicates.
const MOST_CONJUNCTIONS: usize = 16;

/// A condition with more literals than this is not copied into the conditions inside it.
const LONGEST_CONDITION: usize = 64;

/// The estimated bytes per literal, conjunction or formula.
const PART: usize = 160;

/// The existential variables that may stay in a conjunction.
///
/// An existential variable multiplies the number of ground conjunctions by the number of its values. So in a precondition,
/// an existential quantifier only stays if its formula depends on all parameters. Otherwise an auxiliary predicate over the
/// variables on which it does depend has fewer instances.
#[derive(Clone, Copy)]
pub(super) enum Witnesses<'a> {
    /// All existential variables stay.
    Any,
    /// Existential variables stay if the formula of the quantifier depends on all these variables.
    Of(&'a [VariableId]),
}

/// Splits formulas, and collects the auxiliary predicates and axioms that this introduces.
pub(super) struct Splitter {
    first: usize,
    auxiliaries: Vec<Auxiliary>,
    axioms: Vec<NormalAxiom>,
    place: String,
    count: usize,
    scope: Scope,
    /// For each declared predicate, its strongly connected component of mutually dependent predicates.
    components: Vec<u32>,
    /// The component of the predicate that the formulas define, if any. A formula that mentions it must not be negated.
    defined: Option<u32>,
    meter: Meter,
}

impl Splitter {
    /// Creates a splitter whose auxiliary predicates are numbered from `first`. Memory is charged to `meter`.
    pub(super) fn new(first: usize, components: Vec<u32>, meter: Meter) -> Self {
        Self {
            first,
            auxiliaries: Vec::new(),
            axioms: Vec::new(),
            place: String::new(),
            count: 0,
            scope: Arc::new([]),
            components,
            defined: None,
            meter,
        }
    }

    /// Begins formulas over `variables`, which define a predicate or none. Auxiliary predicates are named after `place` from
    /// now on.
    pub(super) fn enter(&mut self, place: &str, variables: &[Variable], defines: Option<PredicateId>) {
        self.defined = defines.map(|predicate| self.components[predicate.index()]);
        place.clone_into(&mut self.place);
        self.count = 0;
        self.scope = super::scope(variables);
    }

    /// Returns the auxiliary predicates and their axioms.
    ///
    /// # Errors
    /// If the budget is exhausted. All results of the splitter are then incomplete.
    pub(super) fn finish(self) -> Result<(Vec<Auxiliary>, Vec<NormalAxiom>), BudgetExhausted> {
        self.meter.finish()?;
        Ok((self.auxiliaries, self.axioms))
    }

    /// Charges memory before it is allocated; returns whether there is budget left.
    pub(super) fn charge(&mut self, bytes: usize) -> bool {
        self.meter.charge(bytes as u64)
    }

    /// Returns whether a formula mentions the predicate that it defines, or a predicate in the same component.
    fn is_recursive(&self, formula: &Nnf) -> bool {
        let Some(defined) = self.defined else { return false };
        formula.mentions(&|predicate| self.components.get(predicate.index()) == Some(&defined))
    }

    /// Returns conjunctions whose disjunction is equivalent to `formula`, given the auxiliary axioms.
    ///
    /// This is sound for the following reasons.
    /// - Conjunction distributes over disjunction, and `∃x (φ ∨ ψ) ≡ ∃x φ ∨ ∃x ψ`.
    /// - An existential variable is bound by one quantifier only, so `φ ∧ ∃x ψ ≡ ∃x (φ ∧ ψ)`. The conjunction still requires
    ///   that some object exists for `x`.
    /// - `∀x φ ≡ ¬∃x ¬φ`. If `φ` contains the predicate that the formula defines, this would be a cycle through a negation,
    ///   and `∀x φ` stays.
    /// - An auxiliary predicate is equivalent to its formula, because only its own axioms derive it, and none of them
    ///   depends on it.
    pub(super) fn split(&mut self, formula: &Nnf, witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
        // Once the budget is exhausted, nothing more is allocated, and `finish` returns the error.
        if !self.charge(PART) {
            return Vec::new();
        }
        match formula {
            Nnf::Atom { atom, negated } => {
                vec![NormalConjunction {
                    literals: vec![(atom.clone(), *negated)],
                    ..Default::default()
                }]
            }
            &Nnf::Equal { left, right, negated } => {
                vec![NormalConjunction {
                    equalities: vec![(left, right, negated)],
                    ..Default::default()
                }]
            }
            Nnf::Compare {
                comparison,
                left,
                right,
                negated,
            } => {
                let (comparison, negated) = (*comparison, *negated);
                let compared = NormalComparison {
                    comparison,
                    left: left.clone(),
                    right: right.clone(),
                    negated,
                };
                vec![NormalConjunction {
                    comparisons: vec![compared],
                    ..Default::default()
                }]
            }
            Nnf::Or(parts) => self.split_disjunction(formula, parts, witnesses),
            Nnf::And(parts) => self.split_conjunction(parts, witnesses),
            Nnf::Exists(variables, inner) => self.split_existential(formula, variables, inner, witnesses),
            Nnf::Forall(variables, inner) if self.is_recursive(inner) => {
                vec![self.universal(variables, inner)]
            }
            Nnf::Forall(variables, inner) => {
                if !self.charge(inner.size() * PART) {
                    return Vec::new();
                }
                let counterexample = Nnf::Exists(variables.clone(), Box::new(inner.negation()));
                vec![self.auxiliary(&counterexample, true)]
            }
        }
    }

    fn split_disjunction(
        &mut self,
        formula: &Nnf,
        parts: &[Nnf],
        witnesses: Witnesses<'_>,
    ) -> Vec<NormalConjunction> {
        if parts.len() > MOST_CONJUNCTIONS && matches!(witnesses, Witnesses::Of(_)) {
            return vec![self.auxiliary(formula, false)];
        }
        parts
            .iter()
            .flat_map(|part| self.split(part, witnesses))
            .collect()
    }

    /// Returns the product of the parts while it stays small. Later parts become auxiliary if they would make it too large,
    /// or if both they and earlier parts have existential variables.
    fn split_conjunction(&mut self, parts: &[Nnf], witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
        let product = vec![NormalConjunction::default()];
        let with = |product, part| self.conjoin(product, part, witnesses);
        parts.iter().fold(product, with)
    }

    /// Returns the conjunctions of each disjunct of `product` with each disjunct of `part`.
    fn conjoin(
        &mut self,
        mut product: Vec<NormalConjunction>,
        part: &Nnf,
        witnesses: Witnesses<'_>,
    ) -> Vec<NormalConjunction> {
        let mut disjuncts = self.split(part, witnesses);
        let witnessed = |all: &[NormalConjunction]| all.iter().any(|one| !one.existentials.is_empty());
        let too_many = disjuncts.len() > 1 && product.len() * disjuncts.len() > MOST_CONJUNCTIONS;
        if too_many || witnessed(&product) && witnessed(&disjuncts) {
            disjuncts = vec![self.define(part.free_variables(), disjuncts, false)];
        }
        match &disjuncts[..] {
            // In place, because a goal may be a conjunction of thousands of parts.
            [only] => product
                .iter_mut()
                .for_each(|conjunction| conjunction.extend(only)),
            _ => product = product_of(&product, &disjuncts),
        }
        let copied: usize = disjuncts.iter().map(NormalConjunction::size).sum();
        if self.charge(copied * product.len() * PART) {
            product
        } else {
            Vec::new()
        }
    }

    /// Returns the condition of an effect under `part`, which is itself under the condition `outer`.
    ///
    /// This is sound for the same reasons as [`split`](Self::split). A long outer condition becomes an auxiliary atom first,
    /// so that nested conditions are not copied at each level.
    pub(super) fn under(&mut self, outer: &[NormalConjunction], part: &Nnf) -> Vec<NormalConjunction> {
        let mut outer = outer.to_vec();
        if outer.iter().map(NormalConjunction::size).sum::<usize>() > LONGEST_CONDITION {
            let mut head: Vec<_> = outer.iter().flat_map(NormalConjunction::free_variables).collect();
            head.sort_unstable();
            head.dedup();
            outer = vec![self.define(head, outer, false)];
        }
        self.conjoin(outer, part, Witnesses::Any)
    }

    /// Returns a literal that is true if there is an object of the variable's type.
    pub(super) fn inhabited(&mut self, variable: VariableId) -> NormalConjunction {
        let some = NormalConjunction {
            existentials: vec![variable],
            ..Default::default()
        };
        self.define(Vec::new(), vec![some], false)
    }

    fn split_existential(
        &mut self,
        formula: &Nnf,
        variables: &[VariableId],
        inner: &Nnf,
        witnesses: Witnesses<'_>,
    ) -> Vec<NormalConjunction> {
        if let Witnesses::Of(parameters) = witnesses {
            let free = formula.free_variables();
            if !parameters.iter().all(|parameter| free.contains(parameter)) {
                return vec![self.auxiliary(formula, false)];
            }
        }
        let mut disjuncts = self.split(inner, Witnesses::Any);
        for disjunct in &mut disjuncts {
            disjunct.existentials.extend_from_slice(variables);
        }
        disjuncts
    }

    /// Returns the conjunction that requires `inner` for all bindings of `variables`. Unless `inner` is an atom, it becomes
    /// an auxiliary atom.
    fn universal(&mut self, variables: &[VariableId], inner: &Nnf) -> NormalConjunction {
        let atoms = match inner {
            Nnf::Atom { atom, negated: false } => vec![(atom.clone(), false)],
            _ => self.auxiliary(inner, false).literals,
        };
        let universal = |(atom, _)| NormalUniversal {
            variables: variables.to_vec(),
            atom,
        };
        NormalConjunction {
            universals: atoms.into_iter().map(universal).collect(),
            ..Default::default()
        }
    }

    /// Returns a literal of a new predicate that is equivalent to `formula`, or to its negation.
    fn auxiliary(&mut self, formula: &Nnf, negated: bool) -> NormalConjunction {
        let bodies = self.split(formula, Witnesses::Any);
        self.define(formula.free_variables(), bodies, negated)
    }

    /// Returns a literal of a new predicate over the variables `head`, which is equivalent to the disjunction of `bodies` or
    /// to its negation.
    fn define(
        &mut self,
        head: Vec<VariableId>,
        bodies: Vec<NormalConjunction>,
        negated: bool,
    ) -> NormalConjunction {
        self.charge(bodies.len() * 2 * PART + head.len() * PART);
        let predicate = PredicateId::from_index(self.first + self.auxiliaries.len());
        self.count += 1;
        let parameter = |id: &VariableId| {
            let variable = &self.scope[id.index()];
            (variable.name.clone(), variable.types.clone())
        };
        self.auxiliaries.push(Auxiliary {
            name: Name::new(&format!("{}:{}", self.place, self.count)),
            parameters: head.iter().map(parameter).collect(),
        });
        let axiom = |body| NormalAxiom {
            predicate,
            scope: Arc::clone(&self.scope),
            head: head.clone(),
            body,
        };
        self.axioms.extend(bodies.into_iter().map(axiom));
        let arguments = head.into_iter().map(Term::Variable).collect();
        let atom = Atom {
            predicate,
            arguments,
            place: Place::NOWHERE,
        };
        NormalConjunction {
            literals: vec![(atom, negated)],
            ..Default::default()
        }
    }
}

/// Returns all conjunctions of one element of `left` and one of `right`.
fn product_of(left: &[NormalConjunction], right: &[NormalConjunction]) -> Vec<NormalConjunction> {
    let with = |one: &NormalConjunction| {
        let mut both = vec![one.clone(); right.len()];
        both.iter_mut()
            .zip(right)
            .for_each(|(both, other)| both.extend(other));
        both
    };
    left.iter().flat_map(with).collect()
}
