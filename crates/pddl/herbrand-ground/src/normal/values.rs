//! Preconditions that require defined function values.

use herbrand_pddl::{
    ActionSchema, AssignOperator, Assignment, Comparison, Domain, Effect, Expression, Formula, FunctionTerm,
};

use super::negation::{Nnf, junction, normal_form};
use super::{NormalComparison, starts_at_zero};

/// Returns the precondition of a schema as a conjunction: the stated precondition, and the condition that every function
/// that the action reads has a value.
///
/// In the stated precondition, a comparison with an undefined side is false, and so is its negation: each negated comparison
/// `c` becomes `(imply defined c)`. The effects `e` of an action add these conditions:
///
/// ```text
///   (increase (f) (g ?x))   (= (f) (f)), (= (g ?x) (g ?x))       (assign (f) …) does not read (f)
///   (when c e)              (imply c …)
///   (forall (?x) e)         (forall (?x) …)
///   (probabilistic … e)     those of every alternative that can happen
/// ```
///
/// `(= (f) (f))` is true exactly if `(f)` has a value, because a comparison with an undefined side is false.
pub(crate) fn whole_precondition(domain: &Domain, schema: &ActionSchema) -> Vec<Formula> {
    let reader = Reader { domain };
    let stated = reader.decided(&schema.precondition, false);
    let mut parts = vec![stated];
    for need in reader.needs(&schema.effect) {
        if !parts.contains(&need) {
            parts.push(need);
        }
    }
    parts
}

/// Returns the complete precondition in negation normal form.
///
/// A conditional requirement `(imply c …)` becomes `(not (and c (not …)))`, which has its own auxiliary predicate. Otherwise
/// it would double the disjuncts of the precondition, although it is true in nearly every state.
pub(super) fn precondition(domain: &Domain, schema: &ActionSchema) -> Nnf {
    let parts = whole_precondition(domain, schema).into_iter().enumerate();
    let parts = parts.map(|(index, part)| match normal_form(&part, false) {
        need @ Nnf::Or(_) if index > 0 => Nnf::Forall(Vec::new(), Box::new(need)),
        other => other,
    });
    junction(parts, true)
}

struct Reader<'a> {
    domain: &'a Domain,
}

impl Reader<'_> {
    /// Returns a formula that is true if `formula` is, and if all negated comparisons have values on both sides.
    fn decided(&self, formula: &Formula, negated: bool) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|part| self.decided(part, negated)).collect();
        match formula {
            Formula::Compare(_, left, right) if negated => {
                let mut needs = Vec::new();
                self.reads(left, &mut needs);
                self.reads(right, &mut needs);
                match conjunction(needs) {
                    Some(needs) => Formula::Imply(Box::new(needs), Box::new(formula.clone())),
                    None => formula.clone(),
                }
            }
            Formula::Atom(_) | Formula::Equal(..) | Formula::Compare(..) => formula.clone(),
            Formula::Not(inner) => Formula::Not(Box::new(self.decided(inner, !negated))),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Imply(premise, conclusion) => Formula::Imply(
                Box::new(self.decided(premise, !negated)),
                Box::new(self.decided(conclusion, negated)),
            ),
            Formula::Forall(variables, inner) => {
                Formula::Forall(variables.clone(), Box::new(self.decided(inner, negated)))
            }
            Formula::Exists(variables, inner) => {
                Formula::Exists(variables.clone(), Box::new(self.decided(inner, negated)))
            }
        }
    }

    /// Returns the conditions under which all functions that an effect reads have values.
    fn needs(&self, effect: &Effect) -> Vec<Formula> {
        match effect {
            Effect::Add(_) | Effect::Delete(_) => Vec::new(),
            Effect::Assign(assignment) => self.assignment(assignment),
            Effect::And(parts) => parts.iter().flat_map(|part| self.needs(part)).collect(),
            Effect::Forall(variables, inner) => {
                let inner = conjunction(self.needs(inner));
                let forall = |inner| Formula::Forall(variables.clone(), Box::new(inner));
                inner.map(forall).into_iter().collect()
            }
            Effect::When(condition, inner) => {
                let inner = conjunction(self.needs(inner));
                let under = |inner| Formula::Imply(Box::new(condition.clone()), Box::new(inner));
                inner.map(under).into_iter().collect()
            }
            Effect::Probabilistic(alternatives) => {
                let possible = alternatives
                    .iter()
                    .filter(|(probability, _)| !probability.is_zero());
                possible.flat_map(|(_, inner)| self.needs(inner)).collect()
            }
        }
    }

    fn assignment(&self, assignment: &Assignment) -> Vec<Formula> {
        let mut needs = Vec::new();
        if assignment.operator != AssignOperator::Assign {
            self.read(&assignment.target, &mut needs);
        }
        self.reads(&assignment.value, &mut needs);
        needs
    }

    /// Adds a condition for each function that an expression reads.
    fn reads(&self, expression: &Expression, needs: &mut Vec<Formula>) {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                self.read(term, needs);
            }
        });
    }

    fn read(&self, term: &FunctionTerm, needs: &mut Vec<Formula>) {
        if starts_at_zero(self.domain.function(term.function)) {
            return;
        }
        let side = || Box::new(Expression::Fluent(term.clone()));
        let need = Formula::Compare(Comparison::Equal, side(), side());
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
}

/// Returns the conjunction of formulas; `None` if there are no formulas.
fn conjunction(mut parts: Vec<Formula>) -> Option<Formula> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Formula::And(parts)),
    }
}

impl NormalComparison {
    /// Returns the function term whose value the comparison asks for, if it is of the form `(= (f) (f))`, negated or
    /// not; `None` for any other comparison. Without negation, such a comparison is true exactly if the term has a
    /// value.
    #[must_use]
    pub fn defined_term(&self) -> Option<&FunctionTerm> {
        match (self.comparison, &self.left, &self.right) {
            (Comparison::Equal, Expression::Fluent(left), Expression::Fluent(right)) if left == right => {
                Some(left)
            }
            _ => None,
        }
    }
}
