//! Splits a formula into conjunctions, with auxiliary axioms where that would blow up.

use std::sync::Arc;

use herbrand_pddl::{Atom, Name, Place, PredicateId, Term, Variable, VariableId};

use super::negation::Nnf;
use super::{Auxiliary, NormalAxiom, NormalComparison, NormalConjunction, NormalUniversal, Scope};

/// More conjunctions than this are not made of one formula; its disjunctions become auxiliary predicates.
const MOST_CONJUNCTIONS: usize = 16;

/// Where existential variables may stay in a conjunction.
///
/// Each witness makes one more ground conjunction for every binding of the other variables. So in a precondition an
/// existential stays only when it depends on all parameters: otherwise an auxiliary predicate of the variables that
/// it does depend on has fewer instances.
#[derive(Clone, Copy)]
pub(super) enum Witnesses<'a> {
    /// Wherever they stand.
    Any,
    /// Where the formula below the quantifier depends on all these variables.
    Of(&'a [VariableId]),
}

/// Splits formulas and collects the auxiliary predicates and axioms that this needs.
pub(super) struct Splitter {
    first: usize,
    auxiliaries: Vec<Auxiliary>,
    axioms: Vec<NormalAxiom>,
    place: String,
    count: usize,
    scope: Scope,
    /// The predicates that depend on the formulas, so that no formula may be negated that has them.
    dependent: Vec<PredicateId>,
}

impl Splitter {
    /// A splitter whose auxiliary predicates are numbered from `first`.
    pub(super) fn new(first: usize) -> Self {
        Self {
            first,
            auxiliaries: Vec::new(),
            axioms: Vec::new(),
            place: String::new(),
            count: 0,
            scope: Arc::new([]),
            dependent: Vec::new(),
        }
    }

    /// Turns to formulas over `variables` on which the predicates `dependent` depend; auxiliary predicates are named after
    /// `place` from now on.
    pub(super) fn enter(&mut self, place: &str, variables: &[Variable], dependent: &[PredicateId]) {
        dependent.clone_into(&mut self.dependent);
        place.clone_into(&mut self.place);
        self.count = 0;
        self.scope = super::scope(variables);
    }

    /// The auxiliary predicates and their axioms.
    pub(super) fn finish(self) -> (Vec<Auxiliary>, Vec<NormalAxiom>) {
        (self.auxiliaries, self.axioms)
    }

    /// Conjunctions whose disjunction is equivalent to `formula`, given the auxiliary axioms.
    ///
    /// Sound: conjunction distributes over disjunction; `∃x (φ ∨ ψ) ≡ ∃x φ ∨ ∃x ψ`; an existential variable is bound
    /// nowhere else, so `φ ∧ ∃x ψ ≡ ∃x (φ ∧ ψ)` when some object exists for `x`, which the conjunction still asks for;
    /// `∀x φ ≡ ¬∃x ¬φ`, which would be a negation in a circle where the formula's own predicate stands in `φ`, so there
    /// `∀x φ` stays; and an auxiliary predicate is equivalent to the formula that it stands for, as its axioms are
    /// all there is to make it true and none of them depends on it.
    pub(super) fn split(&mut self, formula: &Nnf, witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
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
            Nnf::Forall(variables, inner) if inner.mentions(&self.dependent) => {
                vec![self.universal(variables, inner)]
            }
            Nnf::Forall(variables, inner) => {
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

    /// The product of the parts, as long as it stays small; later parts that would blow it up, and all but the first
    /// that ask for witnesses, become auxiliary.
    fn split_conjunction(&mut self, parts: &[Nnf], witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
        let mut product = vec![NormalConjunction::default()];
        for part in parts {
            let mut disjuncts = self.split(part, witnesses);
            let witnessed = |all: &[NormalConjunction]| all.iter().any(|one| !one.existentials.is_empty());
            let too_many = disjuncts.len() > 1 && product.len() * disjuncts.len() > MOST_CONJUNCTIONS;
            if too_many || witnessed(&product) && witnessed(&disjuncts) {
                disjuncts = vec![self.define(part.free_variables(), disjuncts, false)];
            }
            match &disjuncts[..] {
                // In place: a goal may be a conjunction of thousands.
                [only] => product
                    .iter_mut()
                    .for_each(|conjunction| conjunction.extend(only)),
                _ => product = product_of(&product, &disjuncts),
            }
        }
        product
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

    /// The conjunction that asks for `inner` under all bindings of `variables`: for an atom, a new one unless `inner` is one.
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

    /// A literal of a new predicate that is equivalent to `formula`, negated or not.
    fn auxiliary(&mut self, formula: &Nnf, negated: bool) -> NormalConjunction {
        let bodies = self.split(formula, Witnesses::Any);
        self.define(formula.free_variables(), bodies, negated)
    }

    /// A literal of a new predicate of the variables `head` that is equivalent to the disjunction of `bodies`.
    fn define(
        &mut self,
        head: Vec<VariableId>,
        bodies: Vec<NormalConjunction>,
        negated: bool,
    ) -> NormalConjunction {
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

/// Every conjunction of one of `left` and one of `right`.
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
