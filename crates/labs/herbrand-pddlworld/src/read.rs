//! Splits a domain into literals, which are edited, and the rest.
//!
//! A precondition must be a conjunction of literals and (in)equalities of terms. An effect must be a conjunction of literals
//! and numeric assignments. Everything else is reported as a fault.

use herbrand_pddl::{
    ActionSchema, Atom, Domain, Effect, Formula, Origin, Place, PredicateKind, Problem, Term,
};

use crate::error::{TargetFault, UnsuitableTarget};

/// Two terms that must be equal, or must be distinct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub(crate) left: Term,
    pub(crate) right: Term,
    pub(crate) equal: bool,
}

/// The parts of an operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// The literals of the precondition, each with whether it is negated.
    pub(crate) conditions: Vec<(Atom, bool)>,
    /// The literals of the effect, each with whether it is negated.
    pub(crate) effects: Vec<(Atom, bool)>,
    /// The equalities and inequalities of the precondition.
    pub(crate) tests: Vec<Test>,
}

impl Parts {
    /// Returns the atoms of all literals.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.conditions.iter().chain(&self.effects).map(|(atom, _)| atom)
    }
}

/// Collects faults in the formulas and effects of one text.
struct Reader<'d> {
    domain: &'d Domain,
    origin: &'d Origin,
    faults: Vec<TargetFault>,
}

/// Returns the parts of every operator. Fails with all faults of the domain.
pub(crate) fn operators(domain: &Domain) -> Result<Vec<Parts>, UnsuitableTarget> {
    let mut reader = Reader {
        domain,
        origin: &domain.origin,
        faults: Vec::new(),
    };
    if let Some(axiom) = domain.axioms.first() {
        reader.refuse(axiom.place, "derived predicates cannot be edited here".to_owned());
    }
    let parts = domain.schemas.iter().map(|schema| reader.operator(schema));
    let parts = parts.collect();
    UnsuitableTarget::unless_none(reader.faults)?;
    Ok(parts)
}

/// Returns the literals of a problem's goal, or `None` if the problem has no goal.
pub(crate) fn goal(
    domain: &Domain,
    problem: &Problem,
) -> Result<Option<Vec<(Atom, bool)>>, UnsuitableTarget> {
    let mut reader = Reader {
        domain,
        origin: &problem.origin,
        faults: Vec::new(),
    };
    let (mut literals, mut tests) = (Vec::new(), Vec::new());
    let name = &problem.name;
    reader.condition(
        &problem.goal,
        &format!("the goal of `{name}`"),
        Place::NOWHERE,
        &mut literals,
        &mut tests,
    );
    let fails = |test: &Test| (test.left == test.right) != test.equal;
    if tests.iter().any(fails) {
        reader.refuse(
            Place::NOWHERE,
            format!("the goal of `{name}` takes two objects for one"),
        );
    }
    if !problem.chances.is_empty() {
        reader.refuse(Place::NOWHERE, format!("`{name}` draws its initial state"));
    }
    UnsuitableTarget::unless_none(reader.faults)?;
    Ok(problem.has_goal.then_some(literals))
}

impl Reader<'_> {
    fn refuse(&mut self, place: Place, message: String) {
        self.faults.push(TargetFault::at(self.origin, place, message));
    }

    fn operator(&mut self, schema: &ActionSchema) -> Parts {
        let mut parts = Parts::default();
        let name = &schema.name;
        let of = format!("the precondition of `{name}`");
        self.condition(
            &schema.precondition,
            &of,
            schema.place,
            &mut parts.conditions,
            &mut parts.tests,
        );
        self.effect(
            &schema.effect,
            &format!("the effect of `{name}`"),
            schema.place,
            &mut parts.effects,
        );
        let opposite = |(atom, negated): &(Atom, bool)| parts.conditions.contains(&(atom.clone(), !negated));
        if let Some((atom, _)) = parts.conditions.iter().find(|literal| opposite(literal)) {
            self.refuse(atom.place, format!("{of} asks for an atom and for its negation"));
        }
        parts
    }

    fn condition(
        &mut self,
        formula: &Formula,
        of: &str,
        place: Place,
        literals: &mut Vec<(Atom, bool)>,
        tests: &mut Vec<Test>,
    ) {
        let mut test = |left: Term, right: Term, equal| tests.push(Test { left, right, equal });
        let odd = match formula {
            Formula::And(parts) => {
                for part in parts {
                    self.condition(part, of, place, literals, tests);
                }
                return;
            }
            Formula::Atom(atom) => return self.literal(atom, false, of, literals),
            Formula::Equal(left, right) => return test(*left, *right, true),
            Formula::Not(inner) => match &**inner {
                Formula::Atom(atom) => return self.literal(atom, true, of, literals),
                Formula::Equal(left, right) => return test(*left, *right, false),
                _ => "a negation of more than an atom",
            },
            Formula::Compare(..) => "a comparison of numbers",
            Formula::Or(_) => "a disjunction",
            Formula::Imply(..) => "an implication",
            Formula::Forall(..) | Formula::Exists(..) => "a quantifier",
        };
        self.refuse(
            place,
            format!("{of} has {odd}: conjunctions of literals alone can be edited here"),
        );
    }

    fn literal(&mut self, atom: &Atom, negated: bool, of: &str, literals: &mut Vec<(Atom, bool)>) {
        let predicate = self.domain.predicate(atom.predicate);
        if predicate.kind == PredicateKind::Derived {
            self.refuse(
                atom.place,
                format!("{of} asks for `{}`, which is derived", predicate.name),
            );
            return;
        }
        let literal = (
            Atom {
                place: Place::NOWHERE,
                ..atom.clone()
            },
            negated,
        );
        if !literals.contains(&literal) {
            literals.push(literal);
        }
    }

    fn effect(&mut self, effect: &Effect, of: &str, place: Place, literals: &mut Vec<(Atom, bool)>) {
        let odd = match effect {
            Effect::And(parts) => {
                for part in parts {
                    self.effect(part, of, place, literals);
                }
                return;
            }
            Effect::Add(atom) => {
                // An atom that is both added and deleted is added.
                literals.retain(|(other, _)| other != atom);
                return self.literal(atom, false, of, literals);
            }
            Effect::Delete(atom) => {
                if literals.iter().all(|(other, _)| other != atom) {
                    self.literal(atom, true, of, literals);
                }
                return;
            }
            Effect::Assign(_) => return,
            Effect::Forall(..) => "an effect on all objects",
            Effect::When(..) => "a conditional effect",
            Effect::Probabilistic(_) => "a probabilistic effect",
        };
        self.refuse(
            place,
            format!("{of} has {odd}: conjunctions of literals alone can be edited here"),
        );
    }
}

/// Returns the domain with each precondition and effect as one flat conjunction, so that edits can find the literals.
pub(crate) fn flattened(domain: &Domain, parts: &[Parts]) -> Domain {
    let mut flat = domain.clone();
    for (schema, parts) in flat.schemas.iter_mut().zip(parts) {
        let condition = |(atom, negated): &(Atom, bool)| {
            let atom = Formula::Atom(atom.clone());
            if *negated {
                Formula::Not(Box::new(atom))
            } else {
                atom
            }
        };
        let test = |test: &Test| {
            let equal = Formula::Equal(test.left, test.right);
            if test.equal {
                equal
            } else {
                Formula::Not(Box::new(equal))
            }
        };
        let tests = parts.tests.iter().map(test);
        schema.precondition = Formula::And(tests.chain(parts.conditions.iter().map(condition)).collect());
        let mut effects = Vec::new();
        assignments(
            std::mem::replace(&mut schema.effect, Effect::NOTHING),
            &mut effects,
        );
        effects.extend(parts.effects.iter().map(|(atom, negated)| {
            if *negated {
                Effect::Delete(atom.clone())
            } else {
                Effect::Add(atom.clone())
            }
        }));
        schema.effect = Effect::And(effects);
    }
    flat
}

/// Collects the assignments of an effect.
fn assignments(effect: Effect, into: &mut Vec<Effect>) {
    match effect {
        Effect::And(parts) => parts.into_iter().for_each(|part| assignments(part, into)),
        Effect::Assign(_) => into.push(effect),
        _ => {}
    }
}
