//! A clock with an agenda, on top of a walker that knows no time.

use std::fmt::Debug;
use std::sync::Arc;

use herbrand_pddl::{SchemaId, SnapRole};

use super::agenda::{Agenda, RunningAction};
use super::host::{Change, Host, Which};
use super::schedule::Schedule;

/// The clock and the agenda of a state. All of it follows from the state; see [`Clock::read`].
#[derive(Clone, Debug)]
pub(crate) struct Clock<O> {
    pub(super) schedule: Arc<Schedule>,
    /// The time of the last happening.
    pub(super) now: i64,
    /// The earliest time of a happening that interferes with none.
    pub(super) next: i64,
    pub(super) failed: bool,
    /// The timed literals that have happened.
    pub(super) literals: usize,
    pub(super) running: Vec<Running<O>>,
    /// The applicable operators that are not choices now, ascending; those of hidden schemas are only counted.
    pub(super) refused: Vec<O>,
    pub(super) hidden: usize,
    pub(super) goal: bool,
    pub(super) changes: Vec<Change<O>>,
}

/// A durative action that runs, with times in ticks.
#[derive(Clone, Debug)]
pub(super) struct Running<O> {
    pub(super) start: O,
    pub(super) end: Option<O>,
    pub(super) during: Option<O>,
    pub(super) action: usize,
    pub(super) elapsed: i64,
    /// `i64::MAX` if it may run for ever.
    pub(super) remaining: i64,
    pub(super) least: i64,
}

impl<O: Clone + Ord + Debug> Clock<O> {
    pub(crate) const fn new(schedule: Arc<Schedule>) -> Self {
        Self {
            schedule,
            now: 0,
            next: 0,
            failed: false,
            literals: 0,
            running: Vec::new(),
            refused: Vec::new(),
            hidden: 0,
            goal: false,
            changes: Vec::new(),
        }
    }

    pub(crate) const fn schedule(&self) -> &Arc<Schedule> {
        &self.schedule
    }

    /// Returns whether no timed literals are left.
    pub(crate) fn is_free(&self) -> bool {
        self.literals == self.schedule.literals.len()
    }

    /// Returns whether nothing can join the last happening.
    pub(crate) const fn is_settled(&self) -> bool {
        self.next > self.now
    }

    pub(crate) const fn has_failed(&self) -> bool {
        self.failed
    }

    /// Reads the clock from a state that was not reached by a step.
    pub(crate) fn read<H: Host<Operator = O>>(&mut self, host: &mut H) {
        let schedule = Arc::clone(&self.schedule);
        let (now, next) = host.times();
        (self.now, self.next) = (schedule.ticks(now), schedule.ticks(next));
        self.failed = host.has_failed();
        self.literals = schedule
            .literals
            .partition_point(|literals| literals.time < self.next);
        self.running.clear();
        for start in host.running() {
            self.run(host, start);
        }
        self.running
            .sort_unstable_by(|one, other| one.start.cmp(&other.start));
        self.follow(host);
    }

    /// Adds an action that runs, with its times from the state.
    pub(super) fn run<H: Host<Operator = O>>(&mut self, host: &H, start: O) {
        let SnapRole::Start(index) = self.role(host, &start) else {
            return;
        };
        let action = &self.schedule.stepped.actions[index];
        let time = |which| host.time_of(&start, which).map(|time| self.schedule.ticks(time));
        let remaining = time(Which::Remaining).unwrap_or(i64::MAX);
        let least = match time(Which::Least) {
            Some(least) => least,
            None if action.remaining.is_empty() => 0,
            None => remaining,
        };
        let [end, during] = host.parts(&start);
        self.running.push(Running {
            end,
            during,
            action: index,
            elapsed: time(Which::Elapsed).unwrap_or(0),
            remaining,
            least,
            start,
        });
    }

    pub(super) fn role<H: Host<Operator = O>>(&self, host: &H, operator: &O) -> SnapRole {
        self.schedule.stepped.roles[host.schema(operator).index()]
    }

    /// Returns whether an applicable operator of a schema is a choice now.
    pub(crate) fn offers(&self, schema: SchemaId, operator: &O) -> bool {
        !self.failed && self.is_chosen(schema) && self.refused.binary_search(operator).is_err()
    }

    pub(super) fn is_chosen(&self, schema: SchemaId) -> bool {
        schema.index() < self.schedule.stepped.choices
    }

    /// Returns the number of choices, of this many applicable operators.
    pub(crate) fn choices(&self, applicable: usize) -> usize {
        if self.failed {
            return 0;
        }
        applicable - self.hidden - self.refused.len()
    }

    /// Returns whether the goal holds at the end of a plan that ends now.
    pub(crate) const fn is_goal(&self) -> bool {
        self.goal
    }

    pub(super) fn goal<H: Host<Operator = O>>(&self, host: &mut H) -> bool {
        if self.failed || !self.running.is_empty() {
            return false;
        }
        if !self.schedule.moves_goal || self.literals == self.schedule.literals.len() {
            return host.is_goal();
        }
        host.is_goal_after(self.literals, &self.schedule)
    }

    /// Returns the time of the next event that the agenda contains.
    pub(super) fn due(&self) -> i64 {
        let ends = self.running.iter().filter(|running| running.remaining < i64::MAX);
        let ends = ends.map(|running| self.now + running.remaining);
        let literals = self.schedule.literals.get(self.literals);
        ends.chain(literals.map(|literals| literals.time))
            .min()
            .unwrap_or(i64::MAX)
    }

    /// Returns the time to which waiting leads: that of the next event, or at which an action may end.
    pub(super) fn target(&self) -> i64 {
        let may = self.running.iter().map(|running| self.now + running.least);
        may.filter(|&time| time > self.next)
            .chain([self.due()])
            .min()
            .unwrap_or(i64::MAX)
    }

    /// Returns the time at which an operator would happen if it were chosen now.
    pub(super) fn moment<H: Host<Operator = O>>(&self, host: &H, operator: &O) -> i64 {
        if self.next > self.now {
            return self.next;
        }
        let joins = matches!(self.role(host, operator), SnapRole::Start(_));
        let own = (host.schema(operator), host.arguments(operator));
        let now = self.running.iter().filter(|running| running.elapsed == 0);
        let is_free = now.into_iter().all(|running| {
            let other = (host.schema(&running.start), host.arguments(&running.start));
            joins && !self.schedule.clashes.interfere(own, other)
        });
        if is_free {
            self.now
        } else {
            self.now + self.schedule.epsilon
        }
    }

    /// Returns what runs.
    pub(crate) fn agenda(&self, text: impl Fn(&O) -> String, failure: Option<String>) -> Agenda {
        let running = self.running.iter().map(|running| RunningAction {
            action: text(&running.start),
            elapsed: self.schedule.time(running.elapsed),
            remaining: (running.remaining < i64::MAX).then(|| self.schedule.time(running.remaining)),
        });
        Agenda {
            clock: self.schedule.time(self.now),
            running: running.collect(),
            failure,
        }
    }
}
