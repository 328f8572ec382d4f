//! The actions that run in a state, and the plan with times of an episode.

use std::fmt;

use herbrand_pddl::Domain;

/// The actions that run in a state of a problem with time. [`SteppingEngine::agenda`](crate::SteppingEngine::agenda) returns it.
#[derive(Clone, PartialEq, Debug)]
pub struct Agenda {
    /// The time of the last start, end or timed literal, in the units of time of the domain.
    pub clock: f64,
    /// The durative actions that run, in the order of their ids.
    pub running: Vec<RunningAction>,
    /// Why the episode has failed; `None` if it has not.
    pub failure: Option<String>,
}

/// A durative action that runs. [`Agenda::running`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct RunningAction {
    /// The action in PDDL syntax.
    pub action: String,
    /// The time since its start.
    pub elapsed: f64,
    /// The time until it must end; `None` if it may run for ever.
    pub remaining: Option<f64>,
}

/// The plan with times that the steps of an episode are. [`Planning::add_to`](crate::Planning::add_to) adds each step. It is written in the
/// format of VAL, and without the actions that still run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimedPlan {
    /// The steps, in the order in which they were chosen.
    pub steps: Vec<TimedPlanStep>,
}

/// A step of a [`TimedPlan`].
#[derive(Clone, PartialEq, Debug)]
pub struct TimedPlanStep {
    /// The time at which it starts.
    pub start: f64,
    /// The action in PDDL syntax.
    pub action: String,
    /// The duration, or that planned if the action still runs; `None` for an action without.
    pub duration: Option<f64>,
    /// Whether it has not ended.
    pub is_running: bool,
}

impl TimedPlan {
    /// Adds what a step did that took an operator, given in PDDL syntax, and led to an agenda.
    pub(crate) fn follow(&mut self, domain: &Domain, agenda: &Agenda, action: String) {
        for step in self.steps.iter_mut().filter(|step| step.is_running) {
            let still = agenda.running.iter().any(|running| running.action == step.action);
            if !still {
                step.is_running = false;
                let passed = agenda.clock - step.start;
                // An end that is not chosen may be a little later than the first event of its instant.
                let planned = step
                    .duration
                    .filter(|planned| *planned < passed + herbrand_pddl::EPSILON);
                step.duration = planned.or(Some(passed));
            }
        }
        let started = agenda.running.iter().find(|running| running.action == action);
        let is_new = self
            .steps
            .iter()
            .all(|step| !step.is_running || step.action != action);
        if let Some(running) = started {
            if is_new {
                self.steps.push(TimedPlanStep {
                    start: agenda.clock - running.elapsed,
                    duration: Some(
                        running
                            .remaining
                            .map_or(f64::INFINITY, |rest| running.elapsed + rest),
                    ),
                    action,
                    is_running: true,
                });
            }
            return;
        }
        let name = action
            .trim_start_matches('(')
            .split([' ', ')'])
            .next()
            .unwrap_or_default();
        let is_brief = domain
            .durative_actions
            .iter()
            .any(|own| own.name.as_str() == name);
        if is_brief || domain.find_schema(name).is_some() {
            self.steps.push(TimedPlanStep {
                start: agenda.clock,
                duration: is_brief.then_some(0.0),
                action,
                is_running: false,
            });
        }
    }

    /// Returns the time at which the last action ends.
    #[must_use]
    pub fn makespan(&self) -> f64 {
        let ends = self
            .steps
            .iter()
            .map(|step| step.start + step.duration.unwrap_or(0.0));
        ends.fold(0.0, f64::max)
    }
}

impl fmt::Display for TimedPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps: Vec<_> = self.steps.iter().filter(|step| !step.is_running).collect();
        steps.sort_by(|one, other| one.start.total_cmp(&other.start));
        for step in steps {
            write!(f, "{}: {}", Time(step.start), step.action)?;
            match step.duration {
                Some(duration) => writeln!(f, " [{}]", Time(duration))?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

/// A time with the digits of the clock.
struct Time(f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        let short = text.trim_end_matches('0');
        f.write_str(
            short
                .strip_suffix('.')
                .map_or_else(|| short.to_owned(), |whole| format!("{whole}.0"))
                .as_str(),
        )
    }
}
