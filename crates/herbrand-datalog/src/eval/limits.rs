//! Budgets of an evaluation, and how it ends when one is spent.

use std::time::Duration;

use herbrand_limits::{Instant, Limits, Spent};

use crate::{FactError, Program, RuleId};

/// Why an evaluation ended without a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The memory budget is spent.
    #[error("the memory limit of {limit} bytes is reached; {culprit}")]
    Memory {
        /// The budget, in bytes.
        limit: u64,
        /// The rule that fired most.
        culprit: Culprit,
    },
    /// The time budget is spent.
    #[error("the time limit of {limit:?} is reached; {culprit}")]
    Time {
        /// The budget.
        limit: Duration,
        /// The rule that was tried most.
        culprit: Culprit,
    },
    /// A budget that other passes share is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// An input fact does not fit the program.
    #[error(transparent)]
    Facts(#[from] FactError),
    /// The sink asked to stop.
    #[error("the evaluation was stopped by its sink")]
    Stopped,
}

/// The rule to blame for a spent budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule `{name}` has fired {firings} times and tried {candidates} candidates")]
pub struct Culprit {
    /// The rule.
    pub rule: RuleId,
    /// Its name.
    pub name: String,
    /// How often it has fired.
    pub firings: u64,
    /// How many facts have been tried for its literals.
    pub candidates: u64,
}

/// Statistics what each rule does, and knows when a budget is spent.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    limits: Limits,
    start: Instant,
    statistics: Vec<Statistics>,
    /// Entries that may be tried before the budgets are looked at again.
    left: u64,
}

/// What a rule has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often it has fired.
    pub firings: u64,
    /// How many facts have been tried: as triggers, and as entries of indexes.
    pub candidates: u64,
}

/// The number of entries between two checks of the budget; fewer where little memory is left.
const INTERVAL: u64 = 1 << 16;
const LEAST: u64 = 1 << 8;
/// The bytes that an entry may lead to.
const ENTRY: u64 = 512;

/// How many entries may be tried before the next check, given the bytes that are held.
fn interval(limits: Limits, bytes: u64) -> u64 {
    limits.bytes.map_or(INTERVAL, |limit| {
        (limit.saturating_sub(bytes) / ENTRY).clamp(LEAST, INTERVAL)
    })
}

impl Watch {
    pub(crate) fn new(limits: Limits, rules: usize, start: Instant) -> Self {
        Self {
            limits,
            start,
            statistics: vec![Statistics::default(); rules],
            left: interval(limits, 0),
        }
    }

    /// How many entries may be tried now.
    #[inline]
    pub(crate) fn fuel(&self) -> u64 {
        self.left
    }

    /// Takes back what is left of the fuel that a rule had, and counts what it did.
    #[inline]
    pub(crate) fn spend(&mut self, rule: RuleId, left: u64, firings: u64) {
        let statistics = &mut self.statistics[rule.index()];
        statistics.candidates += self.left - left;
        statistics.firings += firings;
        self.left = left;
    }

    pub(crate) fn into_statistics(self) -> Vec<Statistics> {
        self.statistics
    }

    /// Looks at the budgets; there is fuel again.
    pub(crate) fn over(&mut self, program: &Program, bytes: impl Fn() -> u64) -> Option<EvaluationError> {
        let held = bytes();
        self.left = interval(self.limits, held);
        if let Err(spent) = herbrand_limits::check_enclosing("evaluating") {
            return Some(spent.into());
        }
        let most = |of: fn(&Statistics) -> u64| self.culprit(program, of);
        if let Some(limit) = self.limits.time.filter(|limit| self.start.elapsed() > *limit) {
            return Some(EvaluationError::Time {
                limit,
                culprit: most(|rule| rule.candidates),
            });
        }
        let limit = self.limits.bytes.filter(|limit| held > *limit)?;
        Some(EvaluationError::Memory {
            limit,
            culprit: most(|rule| rule.firings),
        })
    }

    /// An index that can grow no more.
    pub(crate) fn out_of_memory(&self, program: &Program, bytes: u64) -> EvaluationError {
        EvaluationError::Memory {
            limit: bytes,
            culprit: self.culprit(program, |rule| rule.firings),
        }
    }

    fn culprit(&self, program: &Program, of: fn(&Statistics) -> u64) -> Culprit {
        let most = (0..self.statistics.len())
            .max_by_key(|&rule| (of(&self.statistics[rule]), std::cmp::Reverse(rule)));
        let rule = most.unwrap_or(0);
        let found = self.statistics.get(rule).copied().unwrap_or_default();
        Culprit {
            rule: RuleId::new(rule as u32),
            name: program
                .rules()
                .get(rule)
                .map_or_else(String::new, |rule| rule.name.clone()),
            firings: found.firings,
            candidates: found.candidates,
        }
    }
}
