//! Evaluation of formulas and expressions in a state.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use herbrand_pddl::{
    ActionSchema, ArithmeticOperator, AssignOperator, Atom, Comparison, Effect, Expression, Formula,
    FunctionTerm, ObjectId, Special, Term, Variable, VariableId,
};

use crate::oracle::Oracle;
use crate::state::{GroundAtom, GroundTerm, OracleState, OracleValue};

/// A state together with its derived atoms, in which formulas and expressions are evaluated. Returned by
/// [`Oracle::world`](crate::Oracle::world).
#[derive(Clone, Debug)]
pub struct Interpretation<'a> {
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) state: &'a OracleState,
    pub(crate) derived: BTreeSet<GroundAtom>,
}

/// An assignment of objects to the variables of a schema, axiom or goal, for [`Interpretation::holds`].
/// [`new`](Self::new) makes one.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    variables: &'a [Variable],
    /// For each variable, the bound object. Meaningless for unbound variables.
    objects: Vec<ObjectId>,
    /// The value of `?duration`; `None` outside of durative actions.
    pub(crate) duration: Option<f64>,
    /// The value of `(total-time)`; `None` outside of metrics of plans with times.
    pub(crate) total_time: Option<f64>,
    /// The number of variables that are bound from the start.
    given: usize,
}

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoValue {
    Undefined,
    DivisionByZero,
    Overflow,
}

impl<'a> Binding<'a> {
    /// Creates a binding of the first of `variables` to `objects`. `variables` are those of the schema, axiom or goal
    /// that has the formula, such as `ActionSchema::variables`. The other variables get their objects from the
    /// quantifiers that bind them. Objects beyond the number of variables are ignored.
    #[must_use]
    pub fn new(variables: &'a [Variable], objects: &[ObjectId]) -> Self {
        let mut all = objects.to_vec();
        all.resize(variables.len(), ObjectId::new(0));
        Self {
            variables,
            objects: all,
            duration: None,
            total_time: None,
            given: objects.len(),
        }
    }

    /// Returns the objects bound to the first `count` variables.
    pub(crate) fn first(&self, count: usize) -> Vec<ObjectId> {
        self.objects[..count].to_vec()
    }

    /// Returns all variables.
    pub(crate) const fn variables(&self) -> &'a [Variable] {
        self.variables
    }

    /// Returns the object of a variable that is bound from the start; other terms stay.
    pub(crate) fn parameter(&self, term: Term) -> Term {
        match term {
            Term::Variable(variable) if variable.index() < self.given => Term::Object(self.object(term)),
            other => other,
        }
    }

    fn object(&self, term: Term) -> ObjectId {
        match term {
            Term::Variable(variable) => self.objects[variable.index()],
            Term::Object(object) => object,
        }
    }

    fn objects(&self, terms: &[Term]) -> Vec<ObjectId> {
        terms.iter().map(|&term| self.object(term)).collect()
    }

    pub(crate) fn atom(&self, atom: &Atom) -> GroundAtom {
        GroundAtom {
            predicate: atom.predicate,
            arguments: self.objects(&atom.arguments),
        }
    }

    pub(crate) fn term(&self, term: &FunctionTerm) -> GroundTerm {
        GroundTerm {
            function: term.function,
            arguments: self.objects(&term.arguments),
        }
    }
}

impl Interpretation<'_> {
    /// Returns whether an atom holds: it is in the state, or axioms derive it. `false` for an unknown predicate or
    /// object.
    #[must_use]
    pub fn contains(&self, atom: &GroundAtom) -> bool {
        self.state.atoms.contains(atom) || self.derived.contains(atom)
    }

    /// Returns the derived atoms that are true in the state.
    #[must_use]
    pub fn derived(&self) -> &BTreeSet<GroundAtom> {
        &self.derived
    }

    /// Returns whether a formula holds under `binding`, which must bind its free variables. They keep their objects;
    /// quantified variables are overwritten. A comparison with an operand without a value is false.
    pub fn holds(&self, formula: &Formula, binding: &mut Binding<'_>) -> bool {
        match formula {
            Formula::Atom(atom) => self.contains(&binding.atom(atom)),
            Formula::Equal(left, right) => binding.object(*left) == binding.object(*right),
            Formula::Compare(comparison, left, right) => {
                match (self.value(left, binding), self.value(right, binding)) {
                    (Ok(left), Ok(right)) => compare(*comparison, left, right),
                    _ => false,
                }
            }
            Formula::Not(inner) => !self.holds(inner, binding),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, binding)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, binding)),
            Formula::Imply(premise, conclusion) => {
                !self.holds(premise, binding) || self.holds(conclusion, binding)
            }
            Formula::Forall(variables, inner) => self
                .for_each_binding(variables, &Formula::TRUE, binding, &mut |binding| {
                    if self.holds(inner, binding) {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                })
                .is_continue(),
            Formula::Exists(variables, inner) => {
                let found = &mut |_: &mut Binding<'_>| ControlFlow::Break(());
                self.for_each_binding(variables, inner, binding, found).is_break()
            }
        }
    }

    /// Returns whether an action is valid: its precondition is true in three-valued logic, and its effect reads no
    /// undefined value.
    pub(crate) fn allows(&self, schema: &ActionSchema, binding: &mut Binding<'_>) -> bool {
        self.truth(&schema.precondition, binding) == Some(true) && self.provides(&schema.effect, binding)
    }

    /// Evaluates a formula in Kleene's strong three-valued logic: a comparison with an undefined term is unknown
    /// (`None`). An operand without a value for another reason, such as a division by zero, makes a comparison false.
    pub(crate) fn truth(&self, formula: &Formula, binding: &mut Binding<'_>) -> Option<bool> {
        match formula {
            Formula::Atom(_) | Formula::Equal(..) => Some(self.holds(formula, binding)),
            Formula::Compare(_, left, right) => {
                let defined = self.is_defined(left, binding) && self.is_defined(right, binding);
                defined.then(|| self.holds(formula, binding))
            }
            Formula::Not(inner) => self.truth(inner, binding).map(|truth| !truth),
            Formula::And(parts) => all(parts.iter().map(|part| self.truth(part, binding))),
            Formula::Or(parts) => any(parts.iter().map(|part| self.truth(part, binding))),
            Formula::Imply(premise, conclusion) => {
                let premise = self.truth(premise, binding).map(|truth| !truth);
                any([premise, self.truth(conclusion, binding)])
            }
            Formula::Forall(variables, inner) => {
                let all_bindings = self.satisfying(variables, &Formula::TRUE, binding);
                all(all_bindings
                    .into_iter()
                    .map(|mut each| self.truth(inner, &mut each)))
            }
            Formula::Exists(variables, inner) => {
                let all_bindings = self.satisfying(variables, &Formula::TRUE, binding);
                any(all_bindings
                    .into_iter()
                    .map(|mut each| self.truth(inner, &mut each)))
            }
        }
    }

    /// Returns whether all function terms that an effect reads have a value, in every alternative of a draw.
    fn provides(&self, effect: &Effect, binding: &mut Binding<'_>) -> bool {
        match effect {
            Effect::Add(_) | Effect::Delete(_) => true,
            Effect::Assign(assignment) => {
                let target = self.state.values.contains_key(&binding.term(&assignment.target));
                (assignment.operator == AssignOperator::Assign || target)
                    && self.is_defined(&assignment.value, binding)
            }
            Effect::And(parts) => parts.iter().all(|part| self.provides(part, binding)),
            Effect::Forall(variables, inner) => {
                let mut bindings = self.satisfying(variables, &Formula::TRUE, binding);
                bindings.iter_mut().all(|each| self.provides(inner, each))
            }
            Effect::When(condition, inner) => {
                !self.holds(condition, binding) || self.provides(inner, binding)
            }
            Effect::Probabilistic(alternatives) => alternatives
                .iter()
                .all(|(probability, inner)| probability.is_zero() || self.provides(inner, binding)),
        }
    }

    /// Returns whether every function term of an expression has a value.
    fn is_defined(&self, expression: &Expression, binding: &Binding<'_>) -> bool {
        match expression {
            Expression::Number(_) | Expression::Special(_) => true,
            Expression::Fluent(term) => self.state.values.contains_key(&binding.term(term)),
            Expression::Apply(_, operands) => {
                operands.iter().all(|operand| self.is_defined(operand, binding))
            }
        }
    }

    /// Returns all bindings of `variables` that satisfy `formula`, in lexicographic order of objects. Other variables
    /// are bound as in `binding`.
    pub(crate) fn satisfying<'b>(
        &self,
        variables: &[VariableId],
        formula: &Formula,
        binding: &Binding<'b>,
    ) -> Vec<Binding<'b>> {
        let mut all = Vec::new();
        let _ = self.for_each_binding(variables, formula, &mut binding.clone(), &mut |found| {
            all.push(found.clone());
            ControlFlow::Continue(())
        });
        all
    }

    /// Calls `visit` with each binding of `variables` that satisfies `formula`, in lexicographic order of objects.
    ///
    /// Each conjunct of the formula is evaluated as soon as all its variables are bound, which cuts off bindings early.
    fn for_each_binding<'b>(
        &self,
        variables: &[VariableId],
        formula: &Formula,
        binding: &mut Binding<'b>,
        visit: &mut dyn FnMut(&mut Binding<'b>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut due = vec![Vec::new(); variables.len() + 1];
        for conjunct in conjuncts(formula) {
            let last = variables
                .iter()
                .rposition(|&variable| mentions(conjunct, variable));
            due[last.map_or(0, |position| position + 1)].push(conjunct);
        }
        self.bind(variables, &due, binding, visit)
    }

    fn bind<'b>(
        &self,
        variables: &[VariableId],
        due: &[Vec<&Formula>],
        binding: &mut Binding<'b>,
        visit: &mut dyn FnMut(&mut Binding<'b>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !due[0].iter().all(|conjunct| self.holds(conjunct, binding)) {
            return ControlFlow::Continue(());
        }
        let Some((&variable, rest)) = variables.split_first() else {
            return visit(binding);
        };
        for object in self.oracle.objects_of(&binding.variables[variable.index()].types) {
            if !self.oracle.may_bind() {
                return ControlFlow::Break(());
            }
            binding.objects[variable.index()] = object;
            self.bind(rest, &due[1..], binding, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the value of an expression.
    pub(crate) fn value(&self, expression: &Expression, binding: &Binding<'_>) -> Result<f64, NoValue> {
        let value = match expression {
            Expression::Number(number) => number.value(),
            Expression::Fluent(term) => {
                let value = self.state.values.get(&binding.term(term));
                value.copied().map(OracleValue::get).ok_or(NoValue::Undefined)?
            }
            Expression::Apply(operator, operands) => {
                let values = operands.iter().map(|operand| self.value(operand, binding));
                apply(*operator, &values.collect::<Result<Vec<_>, _>>()?)?
            }
            Expression::Special(special) => {
                let value = match special {
                    Special::Duration => binding.duration,
                    Special::TotalTime => binding.total_time,
                    Special::GoalAchieved | Special::GoalProbability => None,
                };
                value.ok_or(NoValue::Undefined)?
            }
        };
        if value.is_finite() {
            Ok(value)
        } else {
            Err(NoValue::Overflow)
        }
    }
}

fn all(truths: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    any(truths.into_iter().map(|truth| truth.map(|truth| !truth))).map(|truth| !truth)
}

fn any(truths: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut sure = Some(false);
    for truth in truths {
        match truth {
            Some(true) => return truth,
            Some(false) => {}
            None => sure = None,
        }
    }
    sure
}

/// Returns the conjuncts of a formula, with nested conjunctions flattened.
pub(crate) fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// Returns whether `variable` occurs in a formula.
fn mentions(formula: &Formula, variable: VariableId) -> bool {
    let among = |terms: &[Term]| terms.contains(&Term::Variable(variable));
    match formula {
        Formula::Atom(atom) => among(&atom.arguments),
        Formula::Equal(left, right) => among(&[*left, *right]),
        Formula::Compare(_, left, right) => [left, right].iter().any(|side| reads(side, variable)),
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
            mentions(inner, variable)
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| mentions(part, variable)),
        Formula::Imply(premise, conclusion) => mentions(premise, variable) || mentions(conclusion, variable),
    }
}

/// Returns whether `variable` occurs in an expression.
fn reads(expression: &Expression, variable: VariableId) -> bool {
    match expression {
        Expression::Fluent(term) => term.arguments.contains(&Term::Variable(variable)),
        Expression::Apply(_, operands) => operands.iter().any(|operand| reads(operand, variable)),
        Expression::Number(_) | Expression::Special(_) => false,
    }
}

/// Applies an operator to operands from left to right. Undefined without operands.
fn apply(operator: ArithmeticOperator, operands: &[f64]) -> Result<f64, NoValue> {
    let (&first, rest) = operands.split_first().ok_or(NoValue::Undefined)?;
    match operator {
        ArithmeticOperator::Negate => Ok(-first),
        ArithmeticOperator::Add => Ok(rest.iter().fold(first, |sum, operand| sum + operand)),
        ArithmeticOperator::Subtract => Ok(rest
            .iter()
            .fold(first, |difference, operand| difference - operand)),
        ArithmeticOperator::Multiply => Ok(rest.iter().fold(first, |product, operand| product * operand)),
        ArithmeticOperator::Divide if rest.contains(&0.0) => Err(NoValue::DivisionByZero),
        ArithmeticOperator::Divide => Ok(rest.iter().fold(first, |quotient, operand| quotient / operand)),
    }
}

#[expect(clippy::float_cmp, reason = "PDDL compares numbers exactly")]
fn compare(comparison: Comparison, left: f64, right: f64) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Greater => left > right,
    }
}
