//! The choices of a state with a clock.

use std::fmt::Debug;
use std::sync::Arc;

use herbrand_core::Random;
use herbrand_pddl::SnapRole;
use herbrand_step::StepError;

use super::clock::{Clock, Running};
use super::host::Host;

/// Why an applicable operator is not a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal<O> {
    /// An end or a timed literal comes before it could happen.
    Due,
    /// It would break the invariant of an action that runs, or its own.
    Breaks(O, Vec<String>),
    /// It may end only later.
    Early(i64),
    /// No end and no timed literal comes.
    Idle,
    /// Its start and its end interfere.
    Torn,
}

impl<O: Clone + Ord + Debug> Clock<O> {
    /// Finds out what follows from the state: the applicable operators that are no choices, and whether the goal holds.
    pub(super) fn follow<H: Host<Operator = O>>(&mut self, host: &mut H) {
        self.goal = self.goal(host);
        self.refused.clear();
        self.hidden = 0;
        if self.failed {
            return;
        }
        let mut is_watched = false;
        for running in &self.running {
            is_watched |= running.during.is_some();
            for part in [&running.end, &running.during].into_iter().flatten() {
                let hides = !self.is_chosen(host.schema(part)) && host.is_valid(part);
                self.hidden += usize::from(hides);
            }
        }
        let schedule = Arc::clone(&self.schedule);
        let due = self.due();
        let latest = self.next.max(self.now + schedule.epsilon);
        let is_rushed = due.saturating_sub(schedule.epsilon) < latest;
        let is_idle = self.target() == i64::MAX;
        let may_refuse = schedule.is_ever_suspect || is_watched && schedule.ever_breaks;
        if !(is_rushed || is_idle || may_refuse) {
            return;
        }
        let mut suspects = Vec::new();
        host.each_valid(&mut |schema, operator| {
            let index = schema.index();
            let is_suspect = schedule.suspects[index] || (is_watched && schedule.may_break[index]);
            if self.is_chosen(schema) && (is_rushed || is_idle || is_suspect) {
                suspects.push(operator);
            }
        });
        for operator in suspects {
            if self.refusal(host, &operator, due).is_some() {
                self.refused.push(operator);
            }
        }
    }

    pub(super) fn refusal<H: Host<Operator = O>>(
        &self,
        host: &mut H,
        operator: &O,
        due: i64,
    ) -> Option<Refusal<O>> {
        let schedule = &self.schedule;
        let role = self.role(host, operator);
        if role == SnapRole::Wait {
            return (self.target() == i64::MAX).then_some(Refusal::Idle);
        }
        let moment = self.moment(host, operator);
        if due.saturating_sub(schedule.epsilon) < moment {
            return Some(Refusal::Due);
        }
        let schema = host.schema(operator);
        if schedule.clashes.is_torn(schema, host.arguments(operator)) {
            return Some(Refusal::Torn);
        }
        match role {
            SnapRole::End(_) => {
                let ending = self
                    .running
                    .iter()
                    .find(|running| running.end.as_ref() == Some(operator));
                let least = ending.map_or(0, |running| running.least);
                if least > moment - self.now {
                    return Some(Refusal::Early(self.now + least));
                }
            }
            SnapRole::Start(index) if schedule.stepped.actions[index].may_break_itself => {}
            _ if !schedule.may_break[schema.index()] => return None,
            _ => {}
        }
        if schedule.is_random[schema.index()] {
            // Whether it breaks something is decided by its draws.
            return None;
        }
        let may_break = |running: &Running<O>| {
            let during = running.during.as_ref()?;
            let ends = running.end.as_ref() == Some(operator);
            let (one, other) = (host.arguments(operator), host.arguments(during));
            let clashes = &schedule.clashes;
            (!ends && clashes.may_break((schema, one), (host.schema(during), other))).then(|| during.clone())
        };
        let mut endangered: Vec<_> = self
            .running
            .iter()
            .filter_map(|running| Some((Some(may_break(running)?), running.start.clone())))
            .collect();
        if let SnapRole::Start(index) = role
            && schedule.stepped.actions[index].may_break_itself
        {
            let [_, during] = host.parts(operator);
            endangered.push((during, operator.clone()));
        }
        if endangered.is_empty() {
            return None;
        }
        // The effect has no draws.
        if host.apply(operator, &mut Random::new(0)).is_err() {
            return None;
        }
        // An invariant that can never hold has no operator.
        let is_broken = |during: &Option<O>| during.as_ref().is_none_or(|during| !host.is_valid(during));
        let broken = endangered.iter().find(|(during, _)| is_broken(during));
        let broken = broken.map(|(during, start)| {
            let lacks = during.as_ref().map_or_else(Vec::new, |during| host.lacks(during));
            Refusal::Breaks(start.clone(), lacks)
        });
        host.undo();
        broken
    }

    /// Says why an applicable operator is not a choice, or why the episode has failed; `None` if it is one.
    pub(crate) fn why_not<H: Host<Operator = O>>(&self, host: &mut H, operator: &O) -> Option<String> {
        if self.failed {
            return Some(self.failure(host));
        }
        let time = |ticks| self.schedule.time(ticks);
        Some(match self.refusal(host, operator, self.due())? {
            Refusal::Due => format!("something is due at {}: wait first", time(self.due())),
            Refusal::Idle => "nothing is due".to_owned(),
            Refusal::Torn => "its start and its end would interfere".to_owned(),
            Refusal::Early(ticks) => format!("it may end from {} on", time(ticks)),
            Refusal::Breaks(start, lacks) => {
                let until = self.running.iter().find(|running| running.start == start);
                let until = match until {
                    Some(running) if running.remaining < i64::MAX => {
                        format!(" until {}", time(self.now + running.remaining))
                    }
                    _ => String::new(),
                };
                let what = if lacks.is_empty() {
                    "its invariant".to_owned()
                } else {
                    lacks.join(" ")
                };
                let who = if start == *operator {
                    "it".to_owned()
                } else {
                    host.text(&start)
                };
                format!("would break {what}, which {who} needs{until}")
            }
        })
    }

    /// Returns the error for an applicable operator that is not a choice.
    pub(crate) fn refuse<H: Host<Operator = O>>(&self, host: &mut H, operator: &O) -> StepError {
        let reason = self.why_not(host, operator);
        StepError::NotNow {
            action: host.text(operator),
            reason: reason.unwrap_or_else(|| "it ends by itself".to_owned()),
        }
    }
}
