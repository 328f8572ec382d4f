//! Execution of a timed plan.

use herbrand_pddl::{
    Atom, Comparison, DurationBound, DurativeAction, Effect, Expression, Formula, FunctionTerm, Term,
    Variable,
};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::accesses::Accesses;
use super::happening::{Happening, happenings, interference};
use super::{Snap, TimedAction, TimedFault, TimedFaultKind, TimedStep, TimedValidation};
use crate::effect::Change;
use crate::error::OracleError;
use crate::oracle::Oracle;
use crate::state::{GroundAtom, GroundTerm, OracleState};
use crate::world::{Binding, Interpretation, conjuncts};

/// Executes a plan, and returns its faults. Snap actions belong to one happening if their times differ by less than `epsilon`.
/// The [module](crate::time) has the semantics.
///
/// # Errors
/// Fails if an initial state cannot be computed, or the budget of the oracle is spent.
///
/// # Panics
/// If a step has an action, or an object, that the problem does not have.
pub fn validate_timed(
    oracle: &Oracle<'_>,
    steps: &[TimedStep],
    epsilon: &BigRational,
) -> Result<TimedValidation, OracleError> {
    let ends = steps.iter().map(TimedStep::end);
    let makespan = ends.max().unwrap_or_default();
    let mut execution = Execution {
        oracle,
        steps,
        epsilon,
        state: OracleState::default(),
        running: Vec::new(),
        faults: early(steps, epsilon),
    };
    let mut states = oracle.initial_states()?;
    if states.len() == 1 {
        execution.state = states.remove(0).1;
    } else {
        execution.fault(&BigRational::zero(), &[], TimedFaultKind::Random);
    }
    let mut runs = execution.faults.is_empty();
    if runs {
        for happening in happenings(oracle, steps, epsilon) {
            oracle.check()?;
            execution.take(&happening);
            runs = execution.faults.is_empty();
            if !runs {
                break;
            }
        }
    }
    // An answer after a loop that was cut short would be wrong.
    oracle.check()?;
    let (missing, metric) = if runs {
        (execution.missing(), execution.metric(&makespan))
    } else {
        (Vec::new(), None)
    };
    let valid = runs && oracle.is_goal(&execution.state);
    oracle.check()?;
    Ok(TimedValidation {
        valid,
        faults: execution.faults,
        missing,
        makespan,
        metric,
    })
}

/// Returns the decimal number with the fewest digits that reads as `value`, which is finite, as a fraction: 1/10 for 0.1.
#[must_use]
pub fn decimal(value: f64) -> BigRational {
    let text = format!("{value}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction}").parse().unwrap_or_default();
    let scale = num_traits::pow(num_bigint::BigInt::from(10), fraction.len());
    BigRational::new(digits, scale)
}

impl TimedStep {
    /// Returns the time at which the step ends.
    fn end(&self) -> BigRational {
        match &self.duration {
            Some(duration) => &self.time + duration,
            None => self.time.clone(),
        }
    }
}

/// Returns the faults of steps that no state can mend.
fn early(steps: &[TimedStep], epsilon: &BigRational) -> Vec<TimedFault> {
    let mut faults = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let mut add = |kind| {
            faults.push(TimedFault {
                time: step.time.clone(),
                snaps: vec![Snap::Start(index)],
                kind,
            });
        };
        if step.time < -epsilon {
            add(TimedFaultKind::Early);
        }
        let is_durative = matches!(step.action, TimedAction::Durative(_));
        let is_fine = step
            .duration
            .as_ref()
            .map_or(!is_durative, |duration| !duration.is_negative());
        if !is_fine {
            add(TimedFaultKind::NoDuration);
        }
    }
    faults
}

/// A plan while it is executed.
struct Execution<'e> {
    oracle: &'e Oracle<'e>,
    steps: &'e [TimedStep],
    epsilon: &'e BigRational,
    state: OracleState,
    /// The indices of the steps that have started and not ended.
    running: Vec<usize>,
    faults: Vec<TimedFault>,
}

/// The condition and the effect of a snap action.
struct Part<'e> {
    variables: &'e [Variable],
    condition: &'e Formula,
    effect: &'e Effect,
    bounds: Vec<&'e DurationBound>,
}

impl<'e> Execution<'e> {
    fn fault(&mut self, time: &BigRational, snaps: &[Snap], kind: TimedFaultKind) {
        self.faults.push(TimedFault {
            time: time.clone(),
            snaps: snaps.to_vec(),
            kind,
        });
    }

    fn durative(&self, step: usize) -> Option<&'e DurativeAction> {
        match self.steps[step].action {
            TimedAction::Durative(index) => Some(&self.oracle.domain.durative_actions[index]),
            TimedAction::Instant(_) => None,
        }
    }

    fn part(&self, step: usize, is_end: bool) -> Part<'e> {
        match self.steps[step].action {
            TimedAction::Instant(id) => {
                let schema = self.oracle.domain.schema(id);
                Part {
                    variables: &schema.variables,
                    condition: &schema.precondition,
                    effect: &schema.effect,
                    bounds: Vec::new(),
                }
            }
            TimedAction::Durative(index) => {
                let action = &self.oracle.domain.durative_actions[index];
                let (condition, effect) = if is_end {
                    (&action.end_condition, &action.end_effect)
                } else {
                    (&action.start_condition, &action.start_effect)
                };
                let bounds = action.duration.iter();
                Part {
                    variables: &action.variables,
                    condition,
                    effect,
                    bounds: bounds.filter(|bound| bound.at_end == is_end).collect(),
                }
            }
        }
    }

    fn binding(&self, step: usize, variables: &'e [Variable]) -> Binding<'e> {
        let step = &self.steps[step];
        let mut binding = Binding::new(variables, &step.arguments);
        binding.duration = step.duration.as_ref().and_then(ToPrimitive::to_f64);
        binding
    }

    /// Carries out a happening. If it has faults, the state does not change.
    fn take(&mut self, happening: &Happening) {
        let state = std::mem::take(&mut self.state);
        let world = self.oracle.world(&state);
        let mut all = Vec::new();
        let mut accesses = Vec::new();
        for &snap in &happening.snaps {
            let mut accessed = Accesses::default();
            let changes = match snap {
                Snap::Start(step) => self.snap(&world, happening, snap, step, false, &mut accessed),
                Snap::End(step) => self.snap(&world, happening, snap, step, true, &mut accessed),
                Snap::Literals(index) => self.literals(index),
            };
            accessed.change(&changes);
            accesses.push(accessed);
            all.extend(changes);
        }
        self.faults
            .extend(interference(self.oracle, happening, &accesses));
        if self.faults.is_empty() {
            match self.oracle.successor(&state, &all) {
                Ok(next) => self.state = next,
                Err(error) => {
                    let kind = TimedFaultKind::Effect(error.to_string());
                    self.fault(&happening.time, &happening.snaps, kind);
                }
            }
        }
        if self.faults.is_empty() {
            self.arrive(happening);
        }
    }

    /// Checks what a start or an end needs, and returns its changes.
    fn snap(
        &mut self,
        world: &Interpretation<'_>,
        happening: &Happening,
        snap: Snap,
        step: usize,
        is_end: bool,
        accessed: &mut Accesses,
    ) -> Vec<Change> {
        let part = self.part(step, is_end);
        let mut binding = self.binding(step, part.variables);
        let failing = self.failing(world, part.condition, &mut binding);
        if !failing.is_empty() {
            self.fault(&happening.time, &[snap], TimedFaultKind::Condition(failing));
        }
        for bound in &part.bounds {
            accessed.read_numbers(&bound.value, &binding);
            if let Some(text) = self.broken(world, bound, step, &binding) {
                self.fault(&happening.time, &[snap], TimedFaultKind::Duration(text));
            }
        }
        accessed.read(world, part.condition, &binding);
        accessed.read_effect(world, part.effect, &binding);
        match world.changes(part.effect, &mut binding) {
            Ok(mut outcomes) if outcomes.len() == 1 => return outcomes.remove(0).1,
            Ok(_) => self.fault(&happening.time, &[snap], TimedFaultKind::Random),
            Err(error) => self.fault(
                &happening.time,
                &[snap],
                TimedFaultKind::Effect(error.to_string()),
            ),
        }
        Vec::new()
    }

    fn literals(&self, index: usize) -> Vec<Change> {
        let literals = &self.oracle.problem.timed[index];
        let deletes = literals
            .deletes
            .iter()
            .map(|atom| Change::Delete(GroundAtom::from(atom)));
        let adds = literals
            .adds
            .iter()
            .map(|atom| Change::Add(GroundAtom::from(atom)));
        let values = literals.values.iter().map(|value| {
            let term = GroundTerm {
                function: value.function,
                arguments: value.arguments.clone(),
            };
            Change::Assign(term, herbrand_pddl::AssignOperator::Assign, value.value.value())
        });
        deletes.chain(adds).chain(values).collect()
    }

    /// Returns the text of a bound that the duration of a step breaks.
    fn broken(
        &self,
        world: &Interpretation<'_>,
        bound: &DurationBound,
        step: usize,
        binding: &Binding<'_>,
    ) -> Option<String> {
        let comparison = bound.comparison;
        let Ok(value) = world.value(&bound.value, binding) else {
            return Some(format!("?duration {comparison} a number without a value"));
        };
        let excess = self.steps[step].duration.as_ref()? - decimal(value);
        let is_met = match comparison {
            Comparison::Less | Comparison::LessOrEqual => excess <= *self.epsilon,
            Comparison::Equal => excess.abs() <= *self.epsilon,
            Comparison::Greater | Comparison::GreaterOrEqual => excess >= -self.epsilon,
        };
        (!is_met).then(|| format!("?duration {comparison} {value}"))
    }

    /// Notes which steps run after a happening, and checks their invariants.
    fn arrive(&mut self, happening: &Happening) {
        let ends = |step: usize| happening.snaps.contains(&Snap::End(step));
        self.running.retain(|&step| !ends(step));
        for &snap in &happening.snaps {
            if let Snap::Start(step) = snap
                && self.durative(step).is_some()
                && !ends(step)
            {
                self.running.push(step);
            }
        }
        let state = std::mem::take(&mut self.state);
        let world = self.oracle.world(&state);
        for step in self.running.clone() {
            let Some(action) = self.durative(step) else {
                continue;
            };
            let mut binding = self.binding(step, &action.variables);
            let failing = self.failing(&world, &action.invariant, &mut binding);
            if !failing.is_empty() {
                let kind = TimedFaultKind::Invariant(failing);
                self.fault(&happening.time, &[Snap::Start(step)], kind);
            }
        }
        self.state = state;
    }

    /// Returns the conjuncts of a condition that do not hold, with the objects of the parameters, as PDDL.
    fn failing(
        &self,
        world: &Interpretation<'_>,
        condition: &Formula,
        binding: &mut Binding<'_>,
    ) -> Vec<String> {
        let mut failing = Vec::new();
        for conjunct in conjuncts(condition) {
            if world.truth(conjunct, binding) != Some(true) {
                let ground = with_objects(conjunct, binding);
                let problem = self.oracle.problem;
                failing.push(problem.formula_text(self.oracle.domain, binding.variables(), &ground));
            }
        }
        failing
    }

    fn missing(&self) -> Vec<String> {
        let problem = self.oracle.problem;
        let mut binding = Binding::new(&problem.goal_variables, &[]);
        self.failing(&self.oracle.world(&self.state), &problem.goal, &mut binding)
    }

    fn metric(&self, makespan: &BigRational) -> Option<f64> {
        let metric = self.oracle.problem.metric.as_ref()?;
        let mut binding = Binding::new(&[], &[]);
        binding.total_time = makespan.to_f64();
        self.oracle
            .world(&self.state)
            .value(&metric.expression, &binding)
            .ok()
    }
}

/// Returns a formula with the objects that are bound to the parameters. Variables of quantifiers stay.
fn with_objects(formula: &Formula, binding: &Binding<'_>) -> Formula {
    let terms = |terms: &[Term]| -> Vec<Term> { terms.iter().map(|&term| binding.parameter(term)).collect() };
    let inner = |formula: &Formula| Box::new(with_objects(formula, binding));
    let all = |parts: &[Formula]| parts.iter().map(|part| with_objects(part, binding)).collect();
    match formula {
        Formula::Atom(atom) => Formula::Atom(Atom {
            arguments: terms(&atom.arguments),
            ..atom.clone()
        }),
        Formula::Equal(left, right) => Formula::Equal(binding.parameter(*left), binding.parameter(*right)),
        Formula::Compare(comparison, left, right) => {
            let side = |side: &Expression| Box::new(number_with_objects(side, binding));
            Formula::Compare(*comparison, side(left), side(right))
        }
        Formula::Not(body) => Formula::Not(inner(body)),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Imply(premise, conclusion) => Formula::Imply(inner(premise), inner(conclusion)),
        Formula::Forall(variables, body) => Formula::Forall(variables.clone(), inner(body)),
        Formula::Exists(variables, body) => Formula::Exists(variables.clone(), inner(body)),
    }
}

fn number_with_objects(expression: &Expression, binding: &Binding<'_>) -> Expression {
    match expression {
        Expression::Fluent(term) => Expression::Fluent(FunctionTerm {
            arguments: term
                .arguments
                .iter()
                .map(|&term| binding.parameter(term))
                .collect(),
            ..term.clone()
        }),
        Expression::Apply(operator, operands) => {
            let operands = operands
                .iter()
                .map(|operand| number_with_objects(operand, binding));
            Expression::Apply(*operator, operands.collect())
        }
        other => other.clone(),
    }
}
