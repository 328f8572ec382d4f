//! Renaming and search of objects in conditions, expressions and initial draws.

use fxhash::FxHashSet;
use herbrand_pddl::{
    AtomList, Expression, Formula, FunctionTerm, InitialChance, InitialOutcome, ObjectId, Term, TimedLiterals,
};

fn rename_terms(terms: &mut [Term], map: &impl Fn(ObjectId) -> ObjectId) {
    for term in terms {
        if let Term::Object(id) = term {
            *id = map(*id);
        }
    }
}

/// Replaces each object in a condition by its image under `map`.
pub(super) fn rename_formula(formula: &mut Formula, map: &impl Fn(ObjectId) -> ObjectId) {
    match formula {
        Formula::Atom(atom) => rename_terms(&mut atom.arguments, map),
        Formula::Equal(left, right) => {
            rename_terms(std::slice::from_mut(left), map);
            rename_terms(std::slice::from_mut(right), map);
        }
        Formula::Compare(_, left, right) => {
            rename_expression(left, map);
            rename_expression(right, map);
        }
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
            rename_formula(inner, map)
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter_mut().for_each(|part| rename_formula(part, map))
        }
        Formula::Imply(premise, conclusion) => {
            rename_formula(premise, map);
            rename_formula(conclusion, map);
        }
    }
}

/// Replaces each object in an expression by its image under `map`.
pub(super) fn rename_expression(expression: &mut Expression, map: &impl Fn(ObjectId) -> ObjectId) {
    match expression {
        Expression::Fluent(FunctionTerm { arguments, .. }) => rename_terms(arguments, map),
        Expression::Apply(_, operands) => operands.iter_mut().for_each(|one| rename_expression(one, map)),
        Expression::Number(_) | Expression::Special(_) => {}
    }
}

/// Replaces each object in an initial draw by its image under `map`, and removes duplicate facts.
pub(super) fn rename_chance(chance: &mut InitialChance, map: &impl Fn(ObjectId) -> ObjectId) {
    for (_, outcome) in &mut chance.alternatives {
        let facts = std::mem::take(&mut outcome.facts);
        let mut seen = FxHashSet::default();
        for fact in facts.iter() {
            let arguments: Vec<_> = fact.arguments.iter().map(|&id| map(id)).collect();
            if seen.insert((fact.predicate, arguments.clone())) {
                outcome.facts.push(fact.predicate, &arguments);
            }
        }
        for value in &mut outcome.values {
            value.arguments.iter_mut().for_each(|id| *id = map(*id));
        }
        outcome
            .chances
            .iter_mut()
            .for_each(|inner| rename_chance(inner, map));
    }
}

/// Replaces each object in timed literals by its image under `map`.
pub(super) fn rename_timed(literals: &mut TimedLiterals, map: &impl Fn(ObjectId) -> ObjectId) {
    for atoms in [&mut literals.adds, &mut literals.deletes] {
        let mut renamed = AtomList::default();
        for atom in atoms.iter() {
            let arguments: Vec<_> = atom.arguments.iter().map(|&id| map(id)).collect();
            renamed.push(atom.predicate, &arguments);
        }
        *atoms = renamed;
    }
    for value in &mut literals.values {
        value.arguments.iter_mut().for_each(|id| *id = map(*id));
    }
}

/// Returns whether an object occurs in timed literals.
pub(super) fn timed_names(literals: &TimedLiterals, object: ObjectId) -> bool {
    let mut atoms = literals.adds.iter().chain(literals.deletes.iter());
    atoms.any(|atom| atom.arguments.contains(&object))
        || literals
            .values
            .iter()
            .any(|value| value.arguments.contains(&object))
}

fn names(terms: &[Term], object: ObjectId) -> bool {
    terms.contains(&Term::Object(object))
}

/// Returns whether an object occurs in a condition.
pub(super) fn formula_names(formula: &Formula, object: ObjectId) -> bool {
    let mut found = false;
    formula.walk(&mut |part, _| {
        found |= match part {
            Formula::Atom(atom) => names(&atom.arguments, object),
            Formula::Equal(left, right) => names(&[*left, *right], object),
            Formula::Compare(_, left, right) => {
                expression_names(left, object) || expression_names(right, object)
            }
            _ => false,
        };
    });
    found
}

/// Returns whether an object occurs in an expression.
pub(super) fn expression_names(expression: &Expression, object: ObjectId) -> bool {
    let mut found = false;
    expression.walk(&mut |part| {
        found |= matches!(part, Expression::Fluent(term) if names(&term.arguments, object));
    });
    found
}

/// Returns whether an initial draw sets a function value for an object.
pub(super) fn chance_values(chance: &InitialChance, object: ObjectId) -> bool {
    let of_outcome = |outcome: &InitialOutcome| {
        let mut values = outcome.values.iter();
        values.any(|value| value.arguments.contains(&object))
            || outcome.chances.iter().any(|inner| chance_values(inner, object))
    };
    chance.alternatives.iter().any(|(_, outcome)| of_outcome(outcome))
}

/// Returns whether an object occurs in an initial draw.
pub(super) fn chance_names(chance: &InitialChance, object: ObjectId) -> bool {
    let of_outcome = |outcome: &InitialOutcome| {
        outcome.facts.iter().any(|fact| fact.arguments.contains(&object))
            || outcome
                .values
                .iter()
                .any(|value| value.arguments.contains(&object))
            || outcome.chances.iter().any(|inner| chance_names(inner, object))
    };
    chance.alternatives.iter().any(|(_, outcome)| of_outcome(outcome))
}

/// Returns whether a condition is an atom or equality, or the negation of one.
pub(super) fn is_literal(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) | Formula::Equal(..) => true,
        Formula::Not(inner) => matches!(**inner, Formula::Atom(_) | Formula::Equal(..)),
        _ => false,
    }
}
