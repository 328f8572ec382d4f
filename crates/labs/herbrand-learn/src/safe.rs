//! The safe learner of action models.
//!
//! It follows Juba, Le and Stern, "Safe Learning of Lifted Action Models" (KR 2021), and needs operators whose parameters
//! name every object they read or change. A literal over the parameters and constants is a precondition if it held whenever
//! the operator was applied. A change is an effect if it was observed and never contradicted. The learned precondition
//! contains the true one, so the model never permits an inapplicable action.
//!
//! Unlike in the paper, two parameters may be bound to the same object. Equalities are therefore literals too: parameters
//! that were never bound to the same object must differ. An operator is omitted as long as two ways to write an observed
//! change are possible, because its effect could be wrong.

use std::collections::BTreeMap;

use herbrand_limits::Budget;
use herbrand_pddl::{
    ActionSchema, Atom, AtomRef, Effect, Formula, Name, ObjectId, Place, PredicateId, Requirement, Term,
    TypeUnion, VariableId,
};

use crate::choices::choices;
use crate::error::LearnError;
use crate::experience::{Experience, ground};
use crate::language::ActionSignature;
use crate::lift::{Literal, Row, candidates, consistent, cover};
use crate::model::{
    Learned, LearnedSchema, Omission, OmissionReason, conjunction, effects, equality, literal_effect,
    literal_formula, variable,
};
use crate::outcomes::{self, chance_effect};

/// Learns a safe model of operators from their observed effects: the model never permits an action where the true model does
/// not, and in a deterministic domain never predicts a wrong effect. The price is that it may miss applicable actions, and
/// omits operators whose effects the experience does not determine ([`Learned::omitted`]). The parameters of each operator
/// must name all objects that it reads or changes. Takes time linear in the number of transitions times the number of
/// literals over the parameters of one operator.
///
/// In a domain with probabilistic effects, an operator gets the outcomes that were observed, with probabilities by
/// counting, as multiples of 1/1,000,000. If several outcomes explain a transition, it is shared among them by
/// expectation maximization.
///
/// ```
/// use herbrand_env::{Registry, Suite, ActionMode};
/// use herbrand_learn::{Exploration, explore, learn_safe};
/// use herbrand_limits::Budget;
///
/// let files = Registry::files("gripper")?.remove(0);
/// let suite = Suite::new(files, ActionMode::Operators)?;
/// let experience = explore(&suite, &Exploration::default(), &Budget::unlimited())?;
/// let learned = learn_safe(&experience, &Budget::unlimited())?;
/// assert_eq!(learned.domain().schemas.len(), 3);
/// println!("{}", learned.to_pddl()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LearnError::Hidden`] if an action changed an atom that cannot be written over its parameters,
/// [`LearnError::Conditional`] if an effect depends on the state in a domain without probabilistic effects, and
/// [`LearnError::BudgetExhausted`] if the budget is exhausted.
pub fn learn_safe(experience: &Experience, budget: &Budget) -> Result<Learned, LearnError> {
    let mut schemas = Vec::new();
    let mut omitted = Vec::new();
    for (action, signature) in experience.language.signatures().iter().enumerate() {
        let operator = Operator {
            experience,
            signature,
            types: signature
                .parameters
                .iter()
                .map(|(_, types)| types.clone())
                .collect(),
            rows: rows(experience, action),
        };
        match operator.learn(budget)? {
            Ok(schema) => schemas.push(LearnedSchema { action, schema }),
            Err(reason) => omitted.push(Omission {
                action: signature.name.clone(),
                reason,
            }),
        }
    }
    Ok(Learned::new(experience.language.clone(), schemas, omitted))
}

/// Returns the transitions in which an action was applied, over its own parameters.
fn rows(experience: &Experience, action: usize) -> Vec<Row<'_>> {
    let done = experience.of_action(action);
    done.filter_map(|transition| {
        Some(Row {
            state: transition.state,
            values: &transition.arguments,
            change: transition.change()?,
        })
    })
    .collect()
}

struct Operator<'e> {
    experience: &'e Experience,
    signature: &'e ActionSignature,
    types: Vec<TypeUnion>,
    rows: Vec<Row<'e>>,
}

impl Operator<'_> {
    fn learn(&self, budget: &Budget) -> Result<Result<ActionSchema, OmissionReason>, LearnError> {
        if self.rows.is_empty() {
            return Ok(Err(OmissionReason::NeverSeen));
        }
        let chance = self
            .experience
            .language
            .domain()
            .requirements
            .contains(Requirement::ProbabilisticEffects);
        let effect = if chance {
            Some(self.chance(budget)?)
        } else {
            self.certain()?
        };
        let Some(effect) = effect else {
            return Ok(Err(OmissionReason::Undetermined));
        };
        let precondition = conjunction(self.preconditions(budget)?);
        let parameters = self.signature.parameters.iter();
        Ok(Ok(ActionSchema {
            name: self.signature.name.clone(),
            arity: self.types.len() as u32,
            variables: parameters.map(|(name, types)| variable(name, types)).collect(),
            precondition,
            effect,
            agent: None,
            place: Place::default(),
        }))
    }

    /// Learns a deterministic effect. Returns `None` if the observations leave it open.
    fn certain(&self) -> Result<Option<Effect>, LearnError> {
        let literals = consistent(self.experience, &self.types, &self.rows);
        let (_, untold) = cover(self.experience, &literals, &self.rows);
        if !untold.is_empty() {
            return self.explain_apart().map(|()| None);
        }
        let alone = literals
            .iter()
            .all(|literal| self.is_determined(literal, &literals));
        Ok(alone.then(|| effects(literals.iter().map(literal_effect).collect())))
    }

    /// Checks that the changes can be explained within each group of rows that bind the same parameters to equal objects. In
    /// such a group no effect hides another, so an unexplained change depends on the state, which is an error.
    fn explain_apart(&self) -> Result<(), LearnError> {
        for rows in self.alike() {
            let literals = consistent(self.experience, &self.types, &rows);
            let (_, untold) = cover(self.experience, &literals, &rows);
            if let Some((row, change)) = untold.first() {
                return Err(self.unexpected(Row { change, ..*row }));
            }
        }
        Ok(())
    }

    /// Groups the rows by which of the named objects (arguments and constants) are equal.
    fn alike(&self) -> impl Iterator<Item = Vec<Row<'_>>> {
        let mut groups: BTreeMap<Vec<Option<usize>>, Vec<Row<'_>>> = BTreeMap::new();
        for row in &self.rows {
            let constants = self.experience.language.constants();
            let named: Vec<ObjectId> = row.values.iter().copied().chain(constants).collect();
            let first = |object| named.iter().position(|other| other == object);
            let pattern = named.iter().map(first).collect();
            groups.entry(pattern).or_default().push(*row);
        }
        groups.into_values()
    }

    /// Returns whether the literal is the only explanation of at least one change.
    fn is_determined(&self, literal: &Literal, literals: &[Literal]) -> bool {
        let same = |row: &Row<'_>, other: &Literal| {
            other.sign == literal.sign
                && other.atom.predicate == literal.atom.predicate
                && ground(&other.atom, row.values) == ground(&literal.atom, row.values)
        };
        let alone = |row: &&Row<'_>| literals.iter().filter(|other| same(row, other)).count() == 1;
        let mut changed = self
            .rows
            .iter()
            .filter(|row| row.changes(self.experience, literal));
        changed.any(|row| alone(&row))
    }

    /// Learns a probabilistic effect.
    fn chance(&self, budget: &Budget) -> Result<Effect, LearnError> {
        match outcomes::outcomes(self.experience, &self.types, &self.rows, budget)? {
            Ok(outcomes) => Ok(chance_effect(&outcomes.list)),
            Err(row) => Err(self.unexpected(self.rows[row])),
        }
    }

    /// Returns the error for a row with a change that no effect over the parameters explains.
    fn unexpected(&self, row: Row<'_>) -> LearnError {
        let operator = self.signature.name.to_string();
        let names: Vec<Name> = self
            .signature
            .parameters
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let language = &self.experience.language;
        let scene = self.experience.scene_of(row.state);
        for (_, id) in row.change.iter() {
            let alone = herbrand_ground::AtomId::from_index(id.index());
            let named = candidates(self.experience, &self.types, &[row]);
            let told = named.iter().any(|literal| {
                let fact = scene.atom(alone);
                literal.atom.predicate == fact.predicate
                    && ground(&literal.atom, row.values) == fact.arguments
            });
            if !told {
                return LearnError::Hidden {
                    operator,
                    atom: scene.display(id).to_string(),
                };
            }
        }
        let literals = candidates(self.experience, &self.types, &[row]);
        let effect = literals
            .first()
            .map(|literal| language.display(&literal.atom, &names));
        LearnError::Conditional {
            operator,
            effect: effect.unwrap_or_default(),
        }
    }

    /// Returns the literals that held whenever the operator was applied.
    fn preconditions(&self, budget: &Budget) -> Result<Vec<Formula>, LearnError> {
        let mut formulas = self.equalities();
        for predicate in self.experience.language.predicates() {
            budget.check("learning preconditions", 0)?;
            for atom in self.atoms(predicate) {
                if let Some(holds) = self.constant_truth(&atom) {
                    formulas.push(literal_formula(&atom, holds));
                }
            }
        }
        Ok(formulas)
    }

    /// Returns the equalities and inequalities of parameters whose types overlap.
    fn equalities(&self) -> Vec<Formula> {
        let mut formulas = Vec::new();
        for (one, other) in pairs(self.types.len()) {
            let same = |row: &Row<'_>| row.values[one] == row.values[other];
            let count = self.rows.iter().filter(|row| same(row)).count();
            let terms = [one, other].map(|index| Term::Variable(VariableId::from_index(index)));
            if self.can_be_same(one, other) && (count == 0 || count == self.rows.len()) {
                formulas.push(equality(terms[0], terms[1], count > 0));
            }
        }
        formulas
    }

    fn can_be_same(&self, one: usize, other: usize) -> bool {
        let domain = self.experience.language.domain();
        let mut pairs = self.types[one].types().iter().flat_map(|&a| {
            let others = self.types[other].types().iter();
            others.map(move |&b| (a, b))
        });
        pairs.any(|(a, b)| {
            (0..domain.types.len())
                .map(herbrand_pddl::TypeId::from_index)
                .any(|id| domain.is_subtype(id, a) && domain.is_subtype(id, b))
        })
    }

    /// Returns the atoms of a predicate over parameters and constants of fitting types. Atoms over constants only are left
    /// out.
    fn atoms(&self, predicate: PredicateId) -> Vec<Atom> {
        let language = &self.experience.language;
        let variables = (0..self.types.len()).map(|index| Term::Variable(VariableId::from_index(index)));
        let terms: Vec<Term> = variables.chain(language.constants().map(Term::Object)).collect();
        let arity = language.domain().predicate(predicate).parameters.len();
        let fitting = |place| {
            let expected = language.expected(predicate, place);
            let fits = |term: &&Term| {
                language
                    .domain()
                    .is_assignable(language.types_of(&self.types, **term), expected)
            };
            terms.iter().filter(fits).copied().collect()
        };
        let fitting: Vec<Vec<Term>> = (0..arity).map(fitting).collect();
        let has_variable = |arguments: &Vec<Term>| {
            arguments.is_empty() || arguments.iter().any(|term| matches!(term, Term::Variable(_)))
        };
        let atom = |arguments| Atom {
            predicate,
            arguments,
            place: Place::default(),
        };
        choices(&fitting).filter(has_variable).map(atom).collect()
    }

    /// Returns the truth value of an atom if it is the same in all rows.
    fn constant_truth(&self, atom: &Atom) -> Option<bool> {
        let mut truths = self.rows.iter().map(|row| {
            let arguments = ground(atom, row.values);
            let fact = AtomRef {
                predicate: atom.predicate,
                arguments: &arguments,
            };
            self.experience.holds(row.state, fact)
        });
        let first = truths.next()?;
        truths.all(|truth| truth == first).then_some(first)
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |other| (0..other).map(move |one| (one, other)))
}
