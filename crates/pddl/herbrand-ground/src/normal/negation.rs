//! Negation normal form: only atoms, equalities and comparisons are negated.

use herbrand_pddl::{Atom, Comparison, Expression, Formula, PredicateId, Term, VariableId};

/// A formula in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Nnf {
    Atom {
        atom: Atom,
        negated: bool,
    },
    Equal {
        left: Term,
        right: Term,
        negated: bool,
    },
    Compare {
        comparison: Comparison,
        left: Expression,
        right: Expression,
        negated: bool,
    },
    And(Vec<Nnf>),
    Or(Vec<Nnf>),
    Exists(Vec<VariableId>, Box<Nnf>),
    Forall(Vec<VariableId>, Box<Nnf>),
}

/// Returns the formula, or its negation, in negation normal form.
///
/// This is sound by De Morgan's laws, `a → b ≡ ¬a ∨ b` and `¬∀x φ ≡ ∃x ¬φ`. A negated comparison keeps a flag and is not
/// inverted: if a side is undefined, `¬(a < b)` is true, but `a ≥ b` is false. Nested conjunctions and disjunctions are
/// flattened, so that later passes see them as a whole.
pub(super) fn normal_form(formula: &Formula, negated: bool) -> Nnf {
    match formula {
        Formula::Atom(atom) => Nnf::Atom {
            atom: atom.clone(),
            negated,
        },
        &Formula::Equal(left, right) => Nnf::Equal { left, right, negated },
        Formula::Compare(comparison, left, right) => Nnf::Compare {
            comparison: *comparison,
            left: (**left).clone(),
            right: (**right).clone(),
            negated,
        },
        Formula::Not(inner) => normal_form(inner, !negated),
        Formula::And(parts) => junction(parts.iter().map(|part| normal_form(part, negated)), !negated),
        Formula::Or(parts) => junction(parts.iter().map(|part| normal_form(part, negated)), negated),
        Formula::Imply(premise, conclusion) => junction(
            [normal_form(premise, !negated), normal_form(conclusion, negated)],
            negated,
        ),
        Formula::Forall(variables, inner) => quantify(variables, normal_form(inner, negated), !negated),
        Formula::Exists(variables, inner) => quantify(variables, normal_form(inner, negated), negated),
    }
}

/// Returns the conjunction or disjunction of `parts`, into which nested ones of the same kind are merged.
pub(super) fn junction(parts: impl IntoIterator<Item = Nnf>, conjunction: bool) -> Nnf {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Nnf::And(inner) if conjunction => flat.extend(inner),
            Nnf::Or(inner) if !conjunction => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        1 => flat.swap_remove(0),
        _ if conjunction => Nnf::And(flat),
        _ => Nnf::Or(flat),
    }
}

fn quantify(variables: &[VariableId], inner: Nnf, universal: bool) -> Nnf {
    if variables.is_empty() {
        inner
    } else if universal {
        Nnf::Forall(variables.to_vec(), Box::new(inner))
    } else {
        Nnf::Exists(variables.to_vec(), Box::new(inner))
    }
}

impl Nnf {
    /// Returns the negation, which is used to turn `∀x φ` into `¬∃x ¬φ`. Sound for the same reasons as [`normal_form`].
    pub(super) fn negation(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::negation).collect();
        match self {
            Self::Atom { atom, negated } => Self::Atom {
                atom: atom.clone(),
                negated: !negated,
            },
            &Self::Equal { left, right, negated } => Self::Equal {
                left,
                right,
                negated: !negated,
            },
            Self::Compare {
                comparison,
                left,
                right,
                negated,
            } => Self::Compare {
                comparison: *comparison,
                left: left.clone(),
                right: right.clone(),
                negated: !negated,
            },
            Self::And(parts) => Self::Or(all(parts)),
            Self::Or(parts) => Self::And(all(parts)),
            Self::Exists(variables, inner) => Self::Forall(variables.clone(), Box::new(inner.negation())),
            Self::Forall(variables, inner) => Self::Exists(variables.clone(), Box::new(inner.negation())),
        }
    }

    /// Returns the number of subformulas.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Atom { .. } | Self::Equal { .. } | Self::Compare { .. } => 1,
            Self::And(parts) | Self::Or(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::Exists(_, inner) | Self::Forall(_, inner) => 1 + inner.size(),
        }
    }

    /// Returns whether an atom occurs whose predicate satisfies `such`.
    pub(super) fn mentions(&self, such: &impl Fn(PredicateId) -> bool) -> bool {
        match self {
            Self::Atom { atom, .. } => such(atom.predicate),
            Self::Equal { .. } | Self::Compare { .. } => false,
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.mentions(such)),
            Self::Exists(_, inner) | Self::Forall(_, inner) => inner.mentions(such),
        }
    }

    /// Returns the variables that occur free, in ascending order.
    pub(super) fn free_variables(&self) -> Vec<VariableId> {
        let mut free = Vec::new();
        self.collect_free(&mut Vec::new(), &mut free);
        free.sort_unstable();
        free.dedup();
        free
    }

    fn collect_free(&self, bound: &mut Vec<VariableId>, free: &mut Vec<VariableId>) {
        let mut see = |terms: &[Term]| {
            free.extend(terms.iter().filter_map(|&term| match term {
                Term::Variable(variable) if !bound.contains(&variable) => Some(variable),
                _ => None,
            }));
        };
        match self {
            Self::Atom { atom, .. } => see(&atom.arguments),
            &Self::Equal { left, right, .. } => see(&[left, right]),
            Self::Compare { left, right, .. } => {
                for_each_term(left, &mut see);
                for_each_term(right, &mut see);
            }
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().for_each(|part| part.collect_free(bound, free))
            }
            Self::Exists(variables, inner) | Self::Forall(variables, inner) => {
                bound.extend(variables);
                inner.collect_free(bound, free);
                bound.truncate(bound.len() - variables.len());
            }
        }
    }
}

/// Calls `see` with the arguments of every function term of an expression.
pub(super) fn for_each_term(expression: &Expression, see: &mut impl FnMut(&[Term])) {
    match expression {
        Expression::Number(_) | Expression::Special(_) => {}
        Expression::Fluent(term) => see(&term.arguments),
        Expression::Apply(_, operands) => operands.iter().for_each(|operand| for_each_term(operand, see)),
    }
}
