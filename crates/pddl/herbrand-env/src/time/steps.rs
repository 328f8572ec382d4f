//! Steps with a clock.

use std::fmt::Debug;
use std::sync::Arc;

use herbrand_core::Random;
use herbrand_pddl::SnapRole;
use herbrand_step::{StepError, StepResult};

use super::clock::{Clock, Running};
use super::host::{Change, Host, Which};
use super::schedule::Reward;

/// The reward and the probability of a step so far.
pub(super) struct Step {
    pub(super) reward: f64,
    /// The sum of the changes of the function `reward`.
    stated: f64,
    probability: f64,
}

impl<O: Clone + Ord + Debug> Clock<O> {
    /// Takes a choice.
    pub(crate) fn apply<H: Host<Operator = O>>(
        &mut self,
        host: &mut H,
        operator: &O,
        chance: &mut Random,
    ) -> Result<StepResult, StepError> {
        let mut step = Step {
            reward: 0.0,
            stated: 0.0,
            probability: 1.0,
        };
        self.changes.clear();
        match self.role(host, operator) {
            SnapRole::Wait => self.wait(host, chance, &mut step)?,
            role => {
                let moment = self.moment(host, operator);
                if matches!(role, SnapRole::End(_)) {
                    // Its effect may read the time since its start.
                    let before = self.clone();
                    self.advance(host, moment, &mut step);
                    self.write(host)?;
                    if let Err(error) = self.snap(host, operator, chance, &mut step) {
                        *self = before;
                        self.tell_times();
                        self.write(host)?;
                        return Err(error);
                    }
                    self.ended(operator);
                } else {
                    self.snap(host, operator, chance, &mut step)?;
                    if matches!(role, SnapRole::Start(_)) {
                        self.check_duration(host, operator)?;
                    }
                    self.advance(host, moment, &mut step);
                }
                self.next = self.now;
                if matches!(role, SnapRole::Start(_)) {
                    self.started(host, operator);
                } else {
                    self.next += self.schedule.epsilon;
                }
                self.settle(host)?;
            }
        }
        self.follow(host);
        let reward = match self.schedule.reward {
            Reward::Stated => step.stated,
            Reward::Time(_) | Reward::Metric(_) => step.reward,
        };
        Ok(StepResult {
            reward,
            goal: self.goal,
            probability: step.probability,
        })
    }

    /// Applies one snap action.
    pub(super) fn snap<H: Host<Operator = O>>(
        &self,
        host: &mut H,
        operator: &O,
        chance: &mut Random,
        step: &mut Step,
    ) -> Result<(), StepError> {
        let time = self.schedule.time(self.now);
        let sign = match self.schedule.reward {
            Reward::Metric(sign) => Some(sign),
            Reward::Stated | Reward::Time(_) => None,
        };
        let before = sign.and_then(|_| host.metric(time, false));
        let result = host.apply(operator, chance)?;
        step.stated += result.reward;
        step.probability *= result.probability;
        if let (Some(sign), Some(before)) = (sign, before)
            && let Some(after) = host.metric(time, true)
        {
            step.reward += sign * (after - before);
        }
        Ok(())
    }

    /// Moves the clock. The changes are still to be written.
    pub(super) fn advance<H: Host<Operator = O>>(&mut self, host: &H, to: i64, step: &mut Step) {
        let passed = to - self.now;
        if passed == 0 {
            return;
        }
        let (from, time) = (self.schedule.time(self.now), self.schedule.time(to));
        match self.schedule.reward {
            Reward::Stated => {}
            Reward::Time(sign) => step.reward += sign * self.schedule.time(passed),
            Reward::Metric(sign) => {
                if let (Some(before), Some(after)) = (host.metric(from, false), host.metric(time, false)) {
                    step.reward += sign * (after - before);
                }
            }
        }
        self.now = to;
        for running in &mut self.running {
            running.elapsed += passed;
            running.least = (running.least - passed).max(0);
            if running.remaining < i64::MAX {
                running.remaining -= passed;
            }
        }
        self.tell_times();
    }

    /// Notes the times of the clock and of all actions that run as changes.
    fn tell_times(&mut self) {
        let schedule = &self.schedule;
        self.changes.push(Change::Clock(schedule.time(self.now)));
        for running in &self.running {
            let action = &schedule.stepped.actions[running.action];
            let times = [
                (Which::Elapsed, running.elapsed, true),
                (Which::Remaining, running.remaining, !action.remaining.is_empty()),
                (Which::Least, running.least, !action.least.is_empty()),
            ];
            for (which, ticks, is_kept) in times {
                if is_kept {
                    let time = Some(schedule.time(ticks));
                    self.changes.push(Change::Of(running.start.clone(), which, time));
                }
            }
        }
    }

    /// Takes a start back, and fails, if its duration is too long to be counted.
    pub(super) fn check_duration<H: Host<Operator = O>>(
        &self,
        host: &mut H,
        start: &O,
    ) -> Result<(), StepError> {
        for which in [Which::Remaining, Which::Least] {
            let time = host.time_of(start, which);
            if let Some(time) = time.filter(|&time| self.schedule.is_too_long(time)) {
                let action = host.text(start);
                host.undo();
                return Err(StepError::TooLong { action, time });
            }
        }
        Ok(())
    }

    /// Notes that an action has started, whose duration is now in the state.
    pub(super) fn started<H: Host<Operator = O>>(&mut self, host: &mut H, start: &O) {
        self.run(host, start.clone());
        if let Some(running) = self.running.last_mut() {
            // An end is never at the instant of its start, but for actions without any duration.
            running.remaining = running.remaining.max(self.schedule.epsilon);
            running.least = running.least.max(self.schedule.epsilon);
            let action = &self.schedule.stepped.actions[running.action];
            let (remaining, least) = (running.remaining, running.least);
            let bounds = [
                (Which::Remaining, remaining, !action.remaining.is_empty()),
                (Which::Least, least, !action.least.is_empty()),
            ];
            for (which, ticks, is_kept) in bounds {
                let time = self.schedule.time(ticks);
                if is_kept && host.time_of(start, which) != Some(time) {
                    self.changes.push(Change::Of(start.clone(), which, Some(time)));
                }
            }
        }
        self.running
            .sort_unstable_by(|one, other| one.start.cmp(&other.start));
    }

    /// Notes that an action has ended, given by its end.
    pub(super) fn ended(&mut self, end: &O) {
        let Some(index) = self
            .running
            .iter()
            .position(|running| running.end.as_ref() == Some(end))
        else {
            return;
        };
        let running = self.running.remove(index);
        for which in [Which::Elapsed, Which::Remaining, Which::Least] {
            self.changes.push(Change::Of(running.start.clone(), which, None));
        }
    }

    /// Writes what is left of a step, and fails if an invariant is broken then.
    pub(super) fn settle<H: Host<Operator = O>>(&mut self, host: &mut H) -> Result<(), StepError> {
        self.changes.push(Change::Next(self.schedule.time(self.next)));
        self.write(host)?;
        let is_broken = |running: &Running<O>| {
            let action = &self.schedule.stepped.actions[running.action];
            let holds = running
                .during
                .as_ref()
                .is_some_and(|during| host.is_valid(during));
            action.during.is_some() && !holds
        };
        if self.running.iter().any(is_broken) {
            return self.fail(host);
        }
        Ok(())
    }

    pub(super) fn write<H: Host<Operator = O>>(&mut self, host: &mut H) -> Result<(), StepError> {
        let schedule = Arc::clone(&self.schedule);
        let written = host.write(&self.changes, &schedule);
        self.changes.clear();
        written
    }
}
