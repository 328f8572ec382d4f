//! Explaining why an action of a lifted task is not valid, by evaluating its precondition as the domain states it.

use std::collections::HashSet;

use herbrand_ground::LiftedAction;
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::{Atom, Comparison, Expression, Formula, ObjectId, SchemaId, Term, VariableId};

use super::names::FormulaNames;
use super::simulator::LiftedSimulator;
use super::state::LiftedState;
use super::tuples::symbol;
use super::walker::LiftedWalker;
use crate::semantics::arithmetic::compare;
use crate::semantics::error::{NameError, StepError, WrongType};
use crate::semantics::explanation::{LiftedExplanation, connected};
use crate::semantics::names::parse_operator;

impl LiftedSimulator {
    /// Parses an action such as `(stack a b)` into its schema and arguments. The types of the arguments are not
    /// checked. Case does not matter, and the parentheses may be missing. The action need not be valid in any state.
    /// [`LiftedWalker::apply`] takes both parts.
    ///
    /// # Errors
    /// Fails if the text is malformed, names an unknown schema or object, or has the wrong number of arguments.
    pub fn parse_action(&self, text: &str) -> Result<(SchemaId, Vec<ObjectId>), NameError> {
        parse_operator(self.vocabulary(), text)
    }

    /// Explains why an action is not valid in a state, like [`LiftedWalker::explain`]. It builds a walker for the
    /// state, in time proportional to the number of atoms that hold in the state, derived ones included. If the action
    /// is valid, no condition fails and [`LiftedExplanation::valid`] is set.
    ///
    /// # Errors
    /// Fails if there is no such action, as [`LiftedWalker::explain`] does, or with [`StepError::Limit`] if a limit is
    /// exceeded.
    pub fn explain(
        &self,
        state: &LiftedState,
        schema: SchemaId,
        arguments: &[ObjectId],
    ) -> Result<LiftedExplanation, StepError> {
        let mut walker = self.walker()?;
        walker.set_state(state)?;
        walker.explain(schema, arguments)
    }

    /// Checks that the schema exists, and that the arguments match its parameters in number and types.
    fn check(&self, schema: SchemaId, arguments: &[ObjectId]) -> Result<(), StepError> {
        let vocabulary = self.vocabulary();
        let Some(signature) = vocabulary.schemas.get(schema.index()) else {
            return Err(StepError::UnknownSchema {
                number: schema.number(),
                schemas: vocabulary.schemas.len(),
            });
        };
        if arguments.len() != signature.parameters.len() {
            return Err(StepError::Arity {
                schema: signature.name.to_string(),
                expected: signature.parameters.len(),
                found: arguments.len(),
            });
        }
        let objects = vocabulary.objects.len();
        if let Some(unknown) = arguments.iter().find(|object| object.index() >= objects) {
            return Err(StepError::UnknownObject {
                number: unknown.number(),
                objects,
            });
        }
        match WrongType::find(vocabulary, signature, arguments) {
            None => Ok(()),
            Some(wrong) => Err(StepError::WrongType(Box::new(wrong))),
        }
    }
}

impl LiftedWalker {
    /// Explains why an action is not valid in the current state by the conditions that fail, with their bindings. In the
    /// worst case, it tries all bindings of the precondition's quantifiers, within the limits of
    /// [`Options::step`](crate::Options).
    ///
    /// # Errors
    /// Fails if there is no such action: the schema or an object is unknown, the number of arguments is wrong, or an
    /// argument has the wrong type. Fails with [`StepError::Limit`] if the time limit of a step is exceeded.
    pub fn explain(&self, schema: SchemaId, arguments: &[ObjectId]) -> Result<LiftedExplanation, StepError> {
        self.simulator.check(schema, arguments)?;
        let action = &self.simulator.task().actions[schema.index()];
        let mut binding: Vec<_> = arguments.iter().copied().map(Some).collect();
        binding.resize(action.scope.len(), None);
        let mut asked = ConditionExplainer {
            walker: self,
            action,
            binding,
            meter: Budget::new(self.simulator.options().step).meter("explaining an action"),
        };
        let (failures, is_disjunction) = asked.failures(&action.precondition);
        let vocabulary = self.simulator.vocabulary();
        let name = || {
            vocabulary
                .term(&vocabulary.schema(schema).name, arguments)
                .to_string()
        };
        if let Some(exhausted) = asked.meter.exhausted() {
            return Err(StepError::limit(name(), exhausted));
        }
        Ok(LiftedExplanation {
            schema,
            arguments: arguments.to_vec(),
            name: name(),
            failures,
            is_disjunction,
            valid: self.valid().contains(schema, arguments),
        })
    }

    /// Returns the error for an action that is not valid.
    #[cold]
    pub(super) fn refuse(&self, schema: SchemaId, arguments: &[ObjectId]) -> StepError {
        match self.explain(schema, arguments) {
            Ok(explanation) => StepError::NotValid(Box::new(explanation)),
            Err(unknown) => unknown,
        }
    }
}

/// Evaluates formulas of one action in the current state.
struct ConditionExplainer<'a> {
    walker: &'a LiftedWalker,
    action: &'a LiftedAction,
    /// The object bound to each variable.
    binding: Vec<Option<ObjectId>>,
    /// When the limit is reached, no further bindings are tried.
    meter: Meter,
}

impl ConditionExplainer<'_> {
    /// Returns the conditions that keep a formula from holding, and whether one of them would suffice. If several parts of
    /// a conjunction fail, there is one condition for each of them.
    fn failures(&mut self, formula: &Formula) -> (Vec<String>, bool) {
        let failing: Vec<&Formula> = match formula {
            Formula::And(parts) => parts.iter().filter(|part| !self.holds(part)).collect(),
            _ => Vec::new(),
        };
        match failing[..] {
            [] => {
                let mut reasons = Vec::new();
                self.reasons(formula, true, &mut reasons);
                let is_disjunction = reasons.len() > 1;
                (reasons, is_disjunction)
            }
            [only] => self.failures(only),
            _ => {
                let mut of_parts = Vec::with_capacity(failing.len());
                for part in failing {
                    match self.failures(part) {
                        (reasons, true) => of_parts.push(connected("or", reasons)),
                        (reasons, false) => of_parts.extend(reasons),
                    }
                }
                // A condition that is stated twice is named once.
                let mut named = HashSet::new();
                of_parts.retain(|reason| named.insert(reason.clone()));
                (of_parts, false)
            }
        }
    }

    /// Appends the first conditions that keep `formula` from having the truth value `wanted`; none if it has it.
    fn reasons(&mut self, formula: &Formula, wanted: bool, into: &mut Vec<String>) {
        if self.holds(formula) == wanted {
            return;
        }
        match (formula, wanted) {
            (Formula::Not(inner), _) => self.reasons(inner, !wanted, into),
            // All parts must be `wanted`: report the first that is not.
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let mut parts = parts.iter();
                if let Some(first) = parts.find(|part| self.holds(part) != wanted) {
                    self.reasons(first, wanted, into);
                }
            }
            // One part would suffice: report all of them.
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                parts.iter().for_each(|part| self.reasons(part, wanted, into));
            }
            (Formula::Imply(premise, conclusion), true) => {
                self.reasons(premise, false, into);
                self.reasons(conclusion, true, into);
            }
            (Formula::Imply(premise, _), false) if !self.holds(premise) => self.reasons(premise, true, into),
            (Formula::Imply(_, conclusion), false) => self.reasons(conclusion, false, into),
            (Formula::Forall(variables, inner), true) | (Formula::Exists(variables, inner), false) => {
                if self.find(variables, inner, !wanted) {
                    self.reasons(inner, wanted, into);
                    self.release(variables);
                }
            }
            // Atoms, equalities and comparisons are reported as they are. So is a quantified formula that no binding
            // satisfies, because no single binding is to blame.
            _ => into.push(self.words().formula(&signed(formula, wanted))),
        }
    }

    fn holds(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::Atom(atom) => self.contains(atom),
            Formula::Equal(left, right) => self.object(*left) == self.object(*right),
            Formula::Compare(comparison, left, right) => self.compares(*comparison, left, right),
            Formula::Not(inner) => !self.holds(inner),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part)),
            Formula::Imply(premise, conclusion) => !self.holds(premise) || self.holds(conclusion),
            Formula::Forall(variables, inner) => !self.witnessed(variables, inner, false),
            Formula::Exists(variables, inner) => self.witnessed(variables, inner, true),
        }
    }

    /// Returns whether `inner` has the truth value `wanted` for some binding of the variables.
    fn witnessed(&mut self, variables: &[VariableId], inner: &Formula, wanted: bool) -> bool {
        let found = self.find(variables, inner, wanted);
        self.release(variables);
        found
    }

    /// Binds the variables to the first objects for which `inner` has the truth value `wanted`. Returns `false` and leaves
    /// the variables unbound if there are none.
    fn find(&mut self, variables: &[VariableId], inner: &Formula, wanted: bool) -> bool {
        let Some((&first, rest)) = variables.split_first() else {
            return self.holds(inner) == wanted;
        };
        let simulator = self.walker.simulator();
        let objects = (0..simulator.vocabulary().objects.len()).map(ObjectId::from_index);
        for object in objects {
            if !self.meter.charge(0) {
                break;
            }
            let types = &self.action.scope[first.index()].types;
            if simulator.vocabulary().fits(object, types) {
                self.binding[first.index()] = Some(object);
                if self.find(rest, inner, wanted) {
                    return true;
                }
            }
        }
        self.binding[first.index()] = None;
        false
    }

    fn release(&mut self, variables: &[VariableId]) {
        variables
            .iter()
            .for_each(|variable| self.binding[variable.index()] = None);
    }

    fn contains(&self, atom: &Atom) -> bool {
        let arguments = atom.arguments.iter().map(|&term| symbol(self.object(term)));
        let relation = self.walker.simulator().task().relations[atom.predicate.index()];
        let database = self.walker.view.database();
        database.contains(relation, &arguments.collect::<Vec<_>>())
    }

    fn compares(&self, comparison: Comparison, left: &Expression, right: &Expression) -> bool {
        let objects = self.objects();
        let inner = &self.walker.simulator.inner;
        let scene = inner.scene(&self.walker.numbers, &objects);
        match (scene.value(left), scene.value(right)) {
            (Ok(left), Ok(right)) => compare(comparison, left, right),
            _ => false,
        }
    }

    fn object(&self, term: Term) -> ObjectId {
        match term {
            Term::Object(object) => object,
            Term::Variable(variable) => self.binding[variable.index()].unwrap_or(ObjectId::new(0)),
        }
    }

    /// The object of each variable. Unbound variables get object 0; they do not occur in the formula evaluated.
    fn objects(&self) -> Vec<ObjectId> {
        let objects = self.binding.iter();
        objects.map(|object| object.unwrap_or(ObjectId::new(0))).collect()
    }

    fn words(&self) -> FormulaNames<'_> {
        FormulaNames {
            vocabulary: self.walker.simulator().vocabulary(),
            variables: &self.action.scope,
            binding: &self.binding,
        }
    }
}

/// Returns the formula, or its negation if `wanted` is false.
fn signed(formula: &Formula, wanted: bool) -> Formula {
    if wanted {
        formula.clone()
    } else {
        Formula::Not(Box::new(formula.clone()))
    }
}
