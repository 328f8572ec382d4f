//! Limits of an evaluation, errors, and counters per rule.

use std::time::Duration;

use herbrand_limits::{BudgetExhausted, Instant, Limits, bytes_asked, size_text, time_text};

use crate::program::Program;
use crate::program::check::FactError;
use crate::program::ids::RuleId;

/// The reason why an evaluation ended without a model. [`Evaluator::run`](crate::Evaluator::run) and
/// [`Views::view`](crate::Views::view) return it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The memory limit is exceeded, or an internal table reached its maximum size.
    #[error("the memory limit of {} is reached; {busiest}", size_text(*limit))]
    Memory {
        /// The limit in bytes; if a table is full, the bytes that were in use.
        limit: u64,
        /// The rule with the most firings.
        busiest: BusiestRule,
    },
    /// The time limit is exceeded.
    #[error("the time limit of {} is reached; {busiest}", time_text(*limit))]
    Time {
        /// The time limit.
        limit: Duration,
        /// The rule with the most candidates.
        busiest: BusiestRule,
    },
    /// The budget of an enclosing computation ([`Budget::enclose`](herbrand_limits::Budget::enclose)) is exhausted.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
    /// An input fact does not fit the program.
    #[error(transparent)]
    Facts(#[from] FactError),
    /// The sink returned `Break`, which asks for the end of the evaluation.
    #[error("the evaluation was stopped by its sink")]
    Stopped,
}

/// The rule that did the most work before a limit was exceeded. [`EvaluationError::Memory`] and
/// [`EvaluationError::Time`] have one. Error messages name it, because a limit is often exceeded through one rule.
/// Folded rules ([`Evaluator::with_folding`](crate::Evaluator::with_folding)) count together, under the first of them.
/// The lowest id wins a tie; without rules, the id is 0 and the name empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule `{name}` has fired {firings} times and tried {candidates} candidates")]
pub struct BusiestRule {
    /// The id of the rule.
    pub rule: RuleId,
    /// The name of the rule.
    pub name: String,
    /// The number of its firings.
    pub firings: u64,
    /// The number of facts that were tried for its literals.
    pub candidates: u64,
}

/// The counters of the rules, and the check of the limits.
#[derive(Clone, Debug)]
pub(crate) struct RuleCounters {
    limits: Limits,
    start: Instant,
    statistics: Vec<RuleStatistics>,
    /// The number of entries that may be tried before the next check.
    left: u64,
}

/// Counters of the work that an evaluation did for one rule ([`Model::statistics`](crate::Model::statistics)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleStatistics {
    /// The number of firings of the rule.
    pub firings: u64,
    /// The number of facts that were tried for the rule's literals, as triggers of joins and as entries of indexes.
    pub candidates: u64,
}

/// The number of entries between two checks of the limits: `INTERVAL`, or down to `LEAST` if little memory is left.
const INTERVAL: u64 = 1 << 16;
const LEAST: u64 = 1 << 8;
/// The memory assumed per entry, in bytes.
const ENTRY: u64 = 512;

/// Returns the number of entries until the next check if `bytes` are in use.
fn interval(limits: Limits, bytes: u64) -> u64 {
    limits.bytes.map_or(INTERVAL, |limit| {
        (limit.saturating_sub(bytes) / ENTRY).clamp(LEAST, INTERVAL)
    })
}

impl RuleCounters {
    pub(crate) fn new(limits: Limits, rules: usize, start: Instant) -> Self {
        Self {
            limits,
            start,
            statistics: vec![RuleStatistics::default(); rules],
            left: interval(limits, 0),
        }
    }

    /// Returns the number of entries that may be tried now.
    #[inline]
    pub(crate) fn fuel(&self) -> u64 {
        self.left
    }

    /// Counts the work of a rule and stores the fuel that it left.
    #[inline]
    pub(crate) fn spend(&mut self, rule: RuleId, left: u64, firings: u64) {
        let statistics = &mut self.statistics[rule.index()];
        statistics.candidates += self.left - left;
        statistics.firings += firings;
        self.left = left;
    }

    pub(crate) fn into_statistics(self) -> Vec<RuleStatistics> {
        self.statistics
    }

    /// Checks the limits and renews the fuel; returns the error if a limit is reached.
    pub(crate) fn over(&mut self, program: &Program, bytes: impl Fn() -> u64) -> Option<EvaluationError> {
        let held = bytes();
        self.left = interval(self.limits, held);
        if let Err(exhausted) = herbrand_limits::check_enclosing("evaluating") {
            return Some(exhausted.into());
        }
        let most = |of: fn(&RuleStatistics) -> u64| self.busiest(program, of);
        if let Some(limit) = self.limits.time.filter(|limit| self.start.elapsed() > *limit) {
            return Some(EvaluationError::Time {
                limit,
                busiest: most(|rule| rule.candidates),
            });
        }
        let limit = self.limits.bytes.filter(|limit| held > *limit)?;
        Some(EvaluationError::Memory {
            limit: bytes_asked(limit),
            busiest: most(|rule| rule.firings),
        })
    }

    /// Returns the error for an index that has reached its maximum size.
    pub(crate) fn out_of_memory(&self, program: &Program, bytes: u64) -> EvaluationError {
        EvaluationError::Memory {
            limit: bytes,
            busiest: self.busiest(program, |rule| rule.firings),
        }
    }

    fn busiest(&self, program: &Program, of: fn(&RuleStatistics) -> u64) -> BusiestRule {
        let most = (0..self.statistics.len())
            .max_by_key(|&rule| (of(&self.statistics[rule]), std::cmp::Reverse(rule)));
        let rule = most.unwrap_or(0);
        let found = self.statistics.get(rule).copied().unwrap_or_default();
        BusiestRule {
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
