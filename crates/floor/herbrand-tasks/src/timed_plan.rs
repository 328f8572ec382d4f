//! Validation of plans with times.

use herbrand_env::plan::{ParsedPlan, PlanStep};
use herbrand_oracle::Oracle;
use herbrand_oracle::time::{
    Snap, TimedAction, TimedFault, TimedFaultKind, TimedStep, TimedValidation, decimal, validate_timed,
};
use herbrand_pddl::{Domain, ObjectId, Problem, Variable};
use herbrand_text::{did_you_mean, nearest};
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::failure::TaskFailure;
use crate::goal_report::{GoalReport, StepFailure};
use crate::numbers::counted;

/// Returns whether plans for a problem have times: an action has a duration, or a literal a time.
pub(crate) fn takes_time(domain: &Domain, problem: &Problem) -> bool {
    !domain.durative_actions.is_empty() || !problem.timed.is_empty()
}

/// Executes a plan with times. Two snap actions that interfere must be at least `epsilon` apart.
///
/// # Errors
/// Fails if the initial state cannot be computed, or a budget that encloses the call is spent.
pub(crate) fn validate_timed_plan(
    domain: &Domain,
    problem: &Problem,
    plan: &ParsedPlan,
    epsilon: f64,
) -> Result<GoalReport, TaskFailure> {
    let mut failures = Vec::new();
    let mut steps = Vec::new();
    for (number, step) in (1..).zip(&plan.steps) {
        match timed_step(domain, problem, step) {
            Ok(step) => steps.push(step),
            Err(error) => failures.push(StepFailure {
                step: number,
                line: step.line,
                action: step.action.clone(),
                reason: error.to_string(),
            }),
        }
    }
    let validation = if failures.is_empty() {
        let oracle = Oracle::new(domain, problem)?.stoppable();
        Some(validate_timed(&oracle, &steps, &decimal(epsilon))?)
    } else {
        None
    };
    let metric_text = problem.metric_text(domain).map(|text| (text, String::new()));
    Ok(report(
        plan,
        &steps,
        problem,
        epsilon,
        failures,
        validation,
        metric_text,
    ))
}

fn report(
    plan: &ParsedPlan,
    steps: &[TimedStep],
    problem: &Problem,
    epsilon: f64,
    mut failures: Vec<StepFailure>,
    validation: Option<TimedValidation>,
    metric_text: Option<(String, String)>,
) -> GoalReport {
    let words = Words {
        plan,
        steps,
        problem,
        epsilon,
    };
    let faults = validation.iter().flat_map(|validation| &validation.faults);
    failures.extend(faults.map(|fault| words.failure(fault)));
    let valid = validation.as_ref().is_some_and(|validation| validation.valid);
    let is_executable = failures.is_empty();
    let mut failures = failures.into_iter();
    GoalReport {
        valid,
        steps: plan.steps.len(),
        goal_probability: f64::from(u8::from(valid)),
        executable_probability: f64::from(u8::from(is_executable)),
        metric: validation.as_ref().and_then(|validation| validation.metric),
        makespan: validation
            .as_ref()
            .and_then(|validation| validation.makespan.to_f64()),
        failure: failures.next(),
        further_failures: failures.collect(),
        missing: validation.map_or_else(Vec::new, |validation| validation.missing),
        metric_text,
    }
}

/// Why the names of a step say no action.
#[derive(Debug, thiserror::Error)]
enum StepNameError<'s> {
    #[error("there is no {kind} `{name}`{}", did_you_mean(*meant))]
    Unknown {
        kind: &'static str,
        name: &'s str,
        meant: Option<&'s str>,
    },
    #[error("`{action}` takes {}, not {found}", counted(*expected as u64, "argument"))]
    Arguments {
        action: &'s str,
        expected: usize,
        found: usize,
    },
    #[error("`{object}` is not of the type of `?{parameter}`")]
    Type { object: &'s str, parameter: &'s str },
}

/// Resolves the names of a step.
fn timed_step<'s>(
    domain: &'s Domain,
    problem: &'s Problem,
    step: &'s PlanStep,
) -> Result<TimedStep, StepNameError<'s>> {
    let mut words = step.action.trim_matches(['(', ')']).split_whitespace();
    let name = words.next().unwrap_or_default();
    let durative = domain.durative_actions.iter();
    let durative = durative
        .enumerate()
        .find(|(_, action)| action.name.as_str() == name);
    let (action, parameters): (_, &[Variable]) = if let Some((index, action)) = durative {
        (TimedAction::Durative(index), action.parameters())
    } else if let Some(id) = domain.find_schema(name) {
        (TimedAction::Instant(id), domain.schema(id).parameters())
    } else {
        let names = domain.durative_actions.iter().map(|action| action.name.as_str());
        let names = names.chain(domain.schemas.iter().map(|schema| schema.name.as_str()));
        return Err(StepNameError::Unknown {
            kind: "action",
            name,
            meant: nearest(name, names),
        });
    };
    let words: Vec<_> = words.collect();
    if words.len() != parameters.len() {
        return Err(StepNameError::Arguments {
            action: name,
            expected: parameters.len(),
            found: words.len(),
        });
    }
    let mut arguments = Vec::new();
    for (word, parameter) in words.into_iter().zip(parameters) {
        let mut objects = problem.objects.iter();
        let Some(position) = objects.position(|object| object.name.as_str() == word) else {
            let names = problem.objects.iter().map(|object| object.name.as_str());
            return Err(StepNameError::Unknown {
                kind: "object",
                name: word,
                meant: nearest(word, names),
            });
        };
        if !domain.is_assignable(&problem.objects[position].types, &parameter.types) {
            return Err(StepNameError::Type {
                object: word,
                parameter: parameter.name.as_str(),
            });
        }
        arguments.push(ObjectId::from_index(position));
    }
    let is_durative = matches!(action, TimedAction::Durative(_));
    Ok(TimedStep {
        time: decimal(step.time.unwrap_or(0.0)),
        action,
        arguments,
        duration: step.duration.filter(|_| is_durative).map(decimal),
    })
}

/// The words for the faults of a plan.
struct Words<'w> {
    plan: &'w ParsedPlan,
    steps: &'w [TimedStep],
    problem: &'w Problem,
    epsilon: f64,
}

impl Words<'_> {
    fn failure(&self, fault: &TimedFault) -> StepFailure {
        let of_step = |snap: &Snap| match snap {
            Snap::Start(step) | Snap::End(step) => Some(*step),
            Snap::Literals(_) => None,
        };
        let step = fault.snaps.iter().rev().find_map(of_step).unwrap_or(0);
        let others: Vec<String> = fault
            .snaps
            .iter()
            .rev()
            .skip_while(|snap| of_step(snap) != Some(step))
            .skip(1)
            .chain(fault.snaps.iter().filter(|snap| of_step(snap).is_none()))
            .map(|&snap| self.snap(snap))
            .collect();
        let own = fault.snaps.iter().rev().find(|snap| of_step(snap) == Some(step));
        let planned = self.plan.steps.get(step);
        StepFailure {
            step: step + 1,
            line: planned.map_or(1, |step| step.line),
            action: planned.map_or_else(String::new, |step| step.action.clone()),
            reason: self.reason(fault, own.copied(), step, &others.join(" and ")),
        }
    }

    fn reason(&self, fault: &TimedFault, own: Option<Snap>, step: usize, others: &str) -> String {
        let time = number(&fault.time);
        let part = own.map_or("it", |snap| self.part(snap));
        let listed = |parts: &[String]| parts.join(" and ");
        match &fault.kind {
            TimedFaultKind::Early => format!("it begins at {time}, before time 0"),
            TimedFaultKind::NoDuration => {
                "a durative action needs its duration, at least 0, in brackets behind it: `[5]`".to_owned()
            }
            TimedFaultKind::Duration(bound) => {
                let duration = self.steps[step]
                    .duration
                    .as_ref()
                    .map_or_else(String::new, number);
                format!("it takes {duration}, but {bound} at {time}")
            }
            TimedFaultKind::Condition(parts) => {
                format!("at {time}, {part} needs {}, which does not hold", listed(parts))
            }
            TimedFaultKind::Invariant(parts) => {
                let until = self
                    .steps
                    .get(step)
                    .and_then(|step| Some(&step.time + step.duration.as_ref()?));
                let until = until.as_ref().map_or_else(String::new, number);
                format!(
                    "it needs {} until {until}, which does not hold after {time}",
                    listed(parts)
                )
            }
            TimedFaultKind::Interference(text) => format!(
                "at {time}, {part} and {others} both use {text}, and one changes it: move one of them by {} or more",
                self.epsilon
            ),
            TimedFaultKind::Effect(text) => format!("at {time}, {text}"),
            TimedFaultKind::Random => "its effects are random, so a plan has no certain result".to_owned(),
        }
    }

    /// Returns the part of its own step that a snap action is.
    fn part(&self, snap: Snap) -> &'static str {
        match snap {
            Snap::Start(step) if self.steps[step].duration.is_none() => "it",
            Snap::Start(_) => "its start",
            Snap::End(_) => "its end",
            Snap::Literals(_) => "a timed literal",
        }
    }

    /// Returns a snap action of another step, with its line.
    fn snap(&self, snap: Snap) -> String {
        let of = |step: usize, part: &str| {
            let planned = &self.plan.steps[step];
            format!("{part}{} (line {})", planned.action, planned.line)
        };
        match snap {
            Snap::Start(step) if self.steps[step].duration.is_none() => of(step, ""),
            Snap::Start(step) => of(step, "the start of "),
            Snap::End(step) => of(step, "the end of "),
            Snap::Literals(index) => format!("the timed literals at {}", self.problem.timed[index].time),
        }
    }
}

fn number(value: &BigRational) -> String {
    value.to_f64().unwrap_or(f64::NAN).to_string()
}
