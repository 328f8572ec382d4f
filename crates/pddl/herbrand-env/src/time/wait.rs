//! Waiting: the ends and the timed literals of one instant.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use herbrand_core::Random;
use herbrand_step::StepError;

use super::accesses::Accesses;
use super::clock::Clock;
use super::host::{Change, Host};
use super::steps::Step;

impl<O: Clone + Ord + Debug> Clock<O> {
    /// Lets time pass until the next event, and takes all events of that instant.
    pub(super) fn wait<H: Host<Operator = O>>(
        &mut self,
        host: &mut H,
        chance: &mut Random,
        step: &mut Step,
    ) -> Result<(), StepError> {
        let (due, target) = (self.due(), self.target());
        self.advance(host, target, step);
        self.next = target;
        if due > target {
            // An action may end from now on; nothing has happened.
            return self.settle(host);
        }
        self.write(host)?;
        let schedule = Arc::clone(&self.schedule);
        let until = schedule.epsilon;
        let ending: Vec<_> = self
            .running
            .iter()
            .filter(|running| running.remaining < until)
            .map(|running| running.end.clone())
            .collect();
        let literals = schedule.literals[self.literals..]
            .iter()
            .take_while(|literals| literals.time < self.now + until)
            .count();
        let literals = self.literals..self.literals + literals;
        self.literals = literals.end;
        self.next = self.now + until;
        let mut ends = Vec::new();
        for end in ending {
            match end.filter(|end| host.is_valid(end)) {
                Some(end) => ends.push(end),
                None => return self.fail(host),
            }
        }
        if self.clash(host, &ends, literals.clone()).is_some() {
            return self.fail(host);
        }
        for end in &ends {
            if self.snap(host, end, chance, step).is_err() {
                return self.fail(host);
            }
            self.ended(end);
        }
        self.changes.extend(literals.map(Change::Literals));
        self.settle(host)
    }

    /// Returns two texts of events of one instant that interfere.
    pub(super) fn clash<H: Host<Operator = O>>(
        &self,
        host: &mut H,
        ends: &[O],
        literals: Range<usize>,
    ) -> Option<(String, String)> {
        let literals = &self.schedule.literals[literals];
        let clashes = &self.schedule.clashes;
        let term = |host: &H, end: &O| (host.schema(end), host.arguments(end).to_vec());
        // Most events of an instant use different atoms; the effects of the others in this state decide.
        let may_clash = !literals.is_empty()
            || ends.iter().enumerate().any(|(index, one)| {
                let (schema, arguments) = term(host, one);
                let mut others = ends[index + 1..].iter();
                others.any(|other| {
                    let other = (host.schema(other), host.arguments(other));
                    clashes.interfere((schema, &arguments), other)
                })
            });
        if !may_clash {
            return None;
        }
        let mut used: Vec<(&O, Accesses)> = Vec::new();
        for end in ends {
            let (schema, arguments) = term(host, end);
            let is_random = self.schedule.is_random[schema.index()];
            let effects = if is_random { None } else { host.effects(end) };
            let own = match effects {
                Some(effects) => clashes.used((schema, &arguments), &effects, host.vocabulary()),
                None => clashes.all_of((schema, &arguments)),
            };
            if let Some((other, _)) = used.iter().find(|(_, other)| other.interfere(&own)) {
                return Some((host.text(other), host.text(end)));
            }
            if literals.iter().any(|literals| literals.accesses.interfere(&own)) {
                return Some((host.text(end), "a timed literal".to_owned()));
            }
            used.push((end, own));
        }
        None
    }

    /// Ends the episode.
    pub(super) fn fail<H: Host<Operator = O>>(&mut self, host: &mut H) -> Result<(), StepError> {
        self.failed = true;
        self.changes.push(Change::Failed);
        self.changes.push(Change::Next(self.schedule.time(self.next)));
        self.write(host)
    }

    /// Says why the episode has failed.
    pub(crate) fn failure<H: Host<Operator = O>>(&self, host: &mut H) -> String {
        let at = self.schedule.time(self.now);
        let ending = || {
            self.running
                .iter()
                .filter(|running| running.remaining < self.schedule.epsilon)
        };
        for running in ending() {
            let text = host.text(&running.start);
            match &running.end {
                Some(end) => {
                    let lacks = host.lacks(end).join(" ");
                    if !lacks.is_empty() {
                        return format!("the episode failed: {text} cannot end at {at}, which needs {lacks}");
                    }
                }
                None => return format!("the episode failed: {text} cannot end at {at}"),
            }
        }
        for running in &self.running {
            if let Some(during) = running.during.as_ref().filter(|during| !host.is_valid(during)) {
                let (text, lacks) = (host.text(&running.start), host.lacks(during).join(" "));
                return format!("the episode failed: {text} needs {lacks} after {at}");
            }
        }
        let ends: Vec<_> = ending().filter_map(|running| running.end.clone()).collect();
        let here = self
            .schedule
            .literals
            .iter()
            .position(|literals| literals.time >= self.now);
        let literals = here.map_or(0..0, |first| first..self.literals.max(first));
        match self.clash(host, &ends, literals) {
            Some((one, other)) => format!("the episode failed: at {at}, {one} and {other} interfere"),
            None => format!("the episode failed at {at}: an effect has no value"),
        }
    }
}
