//! Splits a formula into conjunctions, with auxiliary axioms where that would blow up.

use std::sync::Arc;

use herbrand_limits::{Meter, Spent};
use herbrand_pddl::{Atom, Name, Place, PredicateId, Term, Variable, VariableId};

use super::negation::Nnf;
use super::{Auxiliary, NormalAxiom, NormalComparison, NormalConjunction, NormalUniversal, Scope};

/// More conjunctions than this are not made of one formula; its disjunctions become auxiliary predicates.
const MOST_CONJUNCTIONS: usize = 16;

/// A condition with more literals than this is not repeated in the conditions inside it.
const LONGEST_CONDITION: usize = 64;

/// The bytes that a literal, a conjunction or a formula is reckoned to take.
const PART: usize = 160;

/// Where existential variables may stay in a conjunction.
///
/// Each witness makes one more ground conjunction for every binding of the other variables. So in a precondition an
/// existential stays only when it depends on all parameters: otherwise an auxiliary predicate of the variables that
/// it does depend on has fewer instances.
#[derive(Clone, Copy)]
pub(super) enum Witnesses<'a> {
    /// Wherever they are.
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
    /// By declared predicate: its component. Those of one component depend on each other.
    components: Vec<u32>,
    /// The component of the predicate that the formulas define, if any: no formula may be negated that mentions it.
    defined: Option<u32>,
    meter: Meter,
}

impl Splitter {
    /// A splitter whose auxiliary predicates are numbered from `first`. What it makes is charged to `meter`.
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

    /// Turns to formulas over `variables`, which define a predicate or none; auxiliary predicates are named after `place`
    /// from now on.
    pub(super) fn enter(&mut self, place: &str, variables: &[Variable], defines: Option<PredicateId>) {
        self.defined = defines.map(|predicate| self.components[predicate.index()]);
        place.clone_into(&mut self.place);
        self.count = 0;
        self.scope = super::scope(variables);
    }

    /// The auxiliary predicates and their axioms.
    ///
    /// # Errors
    /// When the budget is spent; what was split is then incomplete.
    pub(super) fn finish(self) -> Result<(Vec<Auxiliary>, Vec<NormalAxiom>), Spent> {
        self.meter.finish()?;
        Ok((self.auxiliaries, self.axioms))
    }

    /// Charges a part of the normal form that is about to be made. Whether there is budget left.
    pub(super) fn charge(&mut self, bytes: usize) -> bool {
        self.meter.charge(bytes as u64)
    }

    /// Whether a formula mentions the predicate that it defines, or one that depends on that.
    fn is_recursive(&self, formula: &Nnf) -> bool {
        let Some(defined) = self.defined else { return false };
        formula.mentions(&|predicate| self.components.get(predicate.index()) == Some(&defined))
    }

    /// Conjunctions whose disjunction is equivalent to `formula`, given the auxiliary axioms.
    ///
    /// Sound: conjunction distributes over disjunction; `∃x (φ ∨ ψ) ≡ ∃x φ ∨ ∃x ψ`; an existential variable is bound
    /// nowhere else, so `φ ∧ ∃x ψ ≡ ∃x (φ ∧ ψ)` when some object exists for `x`, which the conjunction still asks for;
    /// `∀x φ ≡ ¬∃x ¬φ`, which would be a negation in a circle where the formula's own predicate occurs in `φ`, so there
    /// `∀x φ` stays; and an auxiliary predicate is equivalent to the formula that it stands for, as its axioms are
    /// all there is to make it true and none of them depends on it.
    pub(super) fn split(&mut self, formula: &Nnf, witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
        // Once the budget is spent nothing more is made, and `finish` says so.
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

    /// The product of the parts, as long as it stays small; later parts that would blow it up, and all but the first
    /// that ask for witnesses, become auxiliary.
    fn split_conjunction(&mut self, parts: &[Nnf], witnesses: Witnesses<'_>) -> Vec<NormalConjunction> {
        let product = vec![NormalConjunction::default()];
        let with = |product, part| self.conjoin(product, part, witnesses);
        parts.iter().fold(product, with)
    }

    /// The conjunctions of the disjuncts of `product` with those of `part`.
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
            // In place: a goal may be a conjunction of thousands.
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

    /// The condition of an effect under `part`, which is under the condition `outer`.
    ///
    /// Sound as [`split`](Self::split) is. A condition that has grown long becomes an auxiliary atom first, so that
    /// conditions nested in each other do not each repeat all those around them.
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

    /// A literal that holds if there is an object of the variable's type.
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
