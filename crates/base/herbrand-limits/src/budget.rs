//! Limits, budgets and meters.

mod enclosing;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Instant;
use crate::text::{size_text, time_text};

pub use enclosing::{bytes_asked, carry_over, check_enclosing, outside};

/// Limits on memory and time. The default has no limits. Create a [`Budget`] from them ([`Budget::new`]) to start the
/// clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The memory in bytes, as counted by the passes; `None` for no limit.
    pub bytes: Option<u64>,
    /// The time; `None` for no limit. It is wall-clock time, unless the [`Budget`] uses [another clock](Budget::by_clock).
    pub time: Option<Duration>,
}

/// Limits with a running clock and a flag for cancellation. Clones share the flag; each has its own start time, which
/// it inherits and which [`restart`](Self::restart) resets. Functions that may take long take one and check it, by
/// [`check`](Self::check) or a [`meter`](Self::meter). [`new`](Self::new), [`by_clock`](Self::by_clock) and
/// [`unlimited`](Self::unlimited) create one.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    start: Start,
    /// How far the time limit may be passed before the budget is exhausted.
    grace: Duration,
    cancelled: Arc<AtomicBool>,
}

/// A function that returns the time since a fixed moment, and whose result never decreases. [`Budget::by_clock`] takes
/// one.
pub type Clock = fn() -> Duration;

/// The start of a budget's time.
#[derive(Clone, Copy, Debug)]
enum Start {
    Wall(Instant),
    /// The name of another clock's time, and the time that it showed at the start.
    By(Clock, &'static str, Duration),
}

impl Start {
    fn elapsed(self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::By(clock, _, start) => clock().saturating_sub(start),
        }
    }

    /// Returns the current time of the same clock.
    fn again(self) -> Self {
        match self {
            Self::Wall(_) => Self::Wall(Instant::now()),
            Self::By(clock, name, _) => Self::By(clock, name, clock()),
        }
    }

    /// Returns the name of the time that is measured.
    const fn name(self) -> &'static str {
        match self {
            Self::Wall(_) => "time",
            Self::By(_, name, _) => name,
        }
    }
}

/// The error that a budget is exhausted, with the name of the pass that was running. Return it to the caller, who may
/// try again with larger limits. [`Budget::check`], [`Meter::check`], [`Meter::finish`] and [`check_enclosing`] return
/// it. If several limits are exceeded, the first of cancellation, time and memory is reported; this budget comes before
/// those that enclose it, of which the outermost comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BudgetExhausted {
    /// The memory in use exceeds the limit.
    #[error("the memory limit of {} is reached while {pass}", size_text(*limit))]
    Memory {
        /// The limit, in bytes.
        limit: u64,
        /// The pass that was running, such as "grounding".
        pass: &'static str,
    },
    /// The time limit is exceeded.
    #[error("the {clock} limit of {} is reached while {pass}", time_text(*limit))]
    Time {
        /// The time limit.
        limit: Duration,
        /// The name of the time that was measured: `time` by the wall clock, or the name given to [`Budget::by_clock`].
        clock: &'static str,
        /// The pass that was running, such as "grounding".
        pass: &'static str,
    },
    /// The budget was cancelled.
    #[error("cancelled while {pass}")]
    Cancelled {
        /// The pass that was running, such as "grounding".
        pass: &'static str,
    },
}

impl BudgetExhausted {
    /// Returns the exhausted budget that is the reason of an error: the error itself, or one of its
    /// [sources](Error::source).
    #[must_use]
    pub fn behind<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        std::iter::successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
    }
}

impl Budget {
    /// Creates a budget with these limits. Its time starts now, by the wall clock. A time limit of 0 is exhausted at
    /// the first check after that.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            start: Start::Wall(Instant::now()),
            grace: Duration::ZERO,
            cancelled: Arc::default(),
        }
    }

    /// Creates a budget whose time is measured by `clock`, is called `name` in errors, and starts now. With the CPU time of the process, for example, a
    /// search gets equally far on a busy and on an idle machine:
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use herbrand_limits::{Budget, Limits};
    ///
    /// let limits = Limits { bytes: None, time: Some(Duration::from_secs(1)) };
    /// let budget = Budget::by_clock(limits, "CPU time", || cpu_time::ProcessTime::now().as_duration());
    /// std::thread::sleep(Duration::from_millis(1100));
    /// assert!(budget.check("sleeping", 0).is_ok());
    /// ```
    #[must_use]
    pub fn by_clock(limits: Limits, name: &'static str, clock: Clock) -> Self {
        Self {
            limits,
            start: Start::By(clock, name, clock()),
            grace: Duration::ZERO,
            cancelled: Arc::default(),
        }
    }

    /// Returns this budget with a grace period: checks fail for lack of time only after the time limit plus `grace`.
    /// The memory limit is not affected. A second call replaces the grace period.
    ///
    /// Use it for a budget that [encloses](Self::enclose) the work of other budgets with the same time limit. The inner
    /// budgets are then exhausted first, and their work has `grace` to report its progress.
    #[must_use]
    pub const fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Creates a budget without limits. It can still be cancelled. Its checks still fail if a budget that
    /// [encloses](Self::enclose) the work is exhausted.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// Returns a budget without limits of time and memory that is cancelled together with this one, for work that must
    /// be completed unless it is cancelled. Budgets that [enclose](Self::enclose) the work still limit it.
    #[must_use]
    pub fn without_limits(&self) -> Self {
        Self {
            limits: Limits::default(),
            ..self.clone()
        }
    }

    /// Returns the limits of the budget, as given at its creation. For the part that is not used yet, call
    /// [`rest`](Self::rest).
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the limits that remain if `held` bytes are in use: the unused memory and time. Use them for a part of
    /// the work that takes [`Limits`]; their time starts when a budget is created from them. Both are at least 0, and
    /// `None` stays `None`. Cancellation and the grace period are not passed on.
    #[must_use]
    pub fn rest(&self, held: u64) -> Limits {
        let elapsed = self.start.elapsed();
        Limits {
            bytes: self.limits.bytes.map(|bytes| bytes.saturating_sub(held)),
            time: self.limits.time.map(|time| time.saturating_sub(elapsed)),
        }
    }

    /// Restarts the time of this budget. Clones are not affected. A cancelled budget stays cancelled. Its limits and
    /// grace period stay.
    pub fn restart(&mut self) {
        // Without a time limit, nothing depends on the start.
        if self.limits.time.is_some() {
            self.start = self.start.again();
        }
    }

    /// Cancels this budget and its clones: their next check fails. It cannot be undone. It may be called from any
    /// thread, and does not interrupt work that never checks.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Checks the cancellation, the time and the memory in use (`held` bytes). `pass` names the running pass for the error
    /// message, as in "while grounding".
    ///
    /// # Errors
    /// Fails if this budget is cancelled, if more time than its limit and grace has passed, or if `held` is greater
    /// than the memory limit. It also fails if a budget that [encloses](Self::enclose) the work of this thread is
    /// cancelled or out of time.
    pub fn check(&self, pass: &'static str, held: u64) -> Result<(), BudgetExhausted> {
        self.check_alone(pass, held)?;
        check_enclosing(pass)
    }

    /// Checks this budget, but none of the enclosing budgets.
    fn check_alone(&self, pass: &'static str, held: u64) -> Result<(), BudgetExhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(BudgetExhausted::Cancelled { pass });
        }
        let is_over = |limit: &Duration| self.start.elapsed() > limit.saturating_add(self.grace);
        if let Some(limit) = self.limits.time.filter(is_over) {
            let clock = self.start.name();
            return Err(BudgetExhausted::Time { limit, clock, pass });
        }
        match self.limits.bytes.filter(|limit| held > *limit) {
            Some(limit) => Err(BudgetExhausted::Memory {
                limit: bytes_asked(limit),
                pass,
            }),
            None => Ok(()),
        }
    }

    /// Creates a meter for a pass, with no memory in use. `pass` names the pass for error messages, as in "while
    /// grounding". The meter has a clone of this budget, so [`cancel`](Self::cancel) stops it too. Charge the memory
    /// and the steps of the pass to the meter, and call [`Meter::finish`] at the end. Later [`restart`](Self::restart)s
    /// of this budget do not affect it.
    #[must_use]
    pub fn meter(&self, pass: &'static str) -> Meter {
        Meter {
            budget: self.clone(),
            pass,
            held: 0,
            unseen: 0,
            charges: 0,
            exhausted: None,
        }
    }
}

/// A counter of the memory and work of one pass, checked against a budget. To be cheap, a meter checks the budget only
/// once per 64 KiB or 1024 charges, so a pass may exceed it a little. Once a check finds the budget exhausted, the
/// meter stays exhausted until a [`restart`](Self::restart). [`Budget::meter`] creates one. Each meter counts its own
/// memory only, and so does a clone from then on.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    pass: &'static str,
    /// The memory in use, in bytes: the bytes charged minus the bytes released.
    held: u64,
    /// The bytes charged since the last check of the budget.
    unseen: u64,
    /// The number of charges since the last check of the budget.
    charges: u32,
    exhausted: Option<BudgetExhausted>,
}

/// The number of bytes charged between two checks of the budget.
const BYTES: u64 = 1 << 16;
/// The number of charges between two checks of the budget.
const CHARGES: u32 = 1 << 10;

impl Meter {
    /// Charges bytes that are about to be allocated; 0 bytes count as a charge too. Returns `false` if the budget is
    /// exhausted: then the pass should stop soon and discard its results; [`exhausted`](Self::exhausted) returns the
    /// error. Because the budget is checked only now and then, `true` does not mean that it is not exhausted yet;
    /// [`check`](Self::check) checks it at once.
    #[inline]
    pub fn charge(&mut self, bytes: u64) -> bool {
        self.held = self.held.saturating_add(bytes);
        self.unseen = self.unseen.saturating_add(bytes);
        self.charges = self.charges.saturating_add(1);
        if self.unseen >= BYTES || self.charges >= CHARGES {
            self.look();
        }
        self.exhausted.is_none()
    }

    /// Charges steps of work that need no memory. Returns `false` if the budget is exhausted. Each step counts as one
    /// [`charge`](Self::charge); 0 steps count as one. As for [`charge`](Self::charge), the budget is not checked in
    /// every call.
    #[inline]
    pub fn work(&mut self, steps: u64) -> bool {
        let steps = u32::try_from(steps.saturating_sub(1)).unwrap_or(u32::MAX);
        self.charges = self.charges.saturating_add(steps);
        self.charge(0)
    }

    /// Releases charged bytes that are no longer in use. If more bytes are released than were charged, 0 are in use. An
    /// exhausted meter stays exhausted.
    #[inline]
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Sets the number of bytes in use, whatever was charged before. Returns `false` if the budget is exhausted. As for
    /// [`charge`](Self::charge), the budget is not checked in every call.
    #[inline]
    pub fn hold(&mut self, bytes: u64) -> bool {
        let more = bytes.saturating_sub(self.held);
        self.held = bytes;
        self.unseen = self.unseen.saturating_add(more);
        self.charge(0)
    }

    /// Restarts the meter for another pass of the same kind: the meter's own copy of the budget counts time from now, and
    /// `held` bytes are in use. The budget from which the meter was made and other meters do not change. The meter is no
    /// longer exhausted, unless the budget is cancelled: then the next check fails.
    pub fn restart(&mut self, held: u64) {
        self.budget.restart();
        (self.held, self.unseen, self.charges, self.exhausted) = (held, 0, 0, None);
    }

    /// Changes the name of the pass for error messages. An error that was already found keeps the old name.
    pub const fn name(&mut self, pass: &'static str) {
        self.pass = pass;
    }

    /// Appends an item to a list and charges the growth of the list. During reallocation, the old and new buffers are
    /// both charged. Returns `false` and drops the item if the budget is exhausted, or if the system cannot allocate
    /// the memory. As for [`charge`](Self::charge), the budget is not checked in every call.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) -> bool {
        let fits = list.len() < list.capacity() || self.reserve(list, 1);
        let there_is_budget = self.charge(0);
        if fits && there_is_budget {
            list.push(item);
        }
        fits && there_is_budget
    }

    /// Makes room in a list for `more` items, and charges it like [`push`](Self::push). Returns `false` and leaves the
    /// list unchanged if the budget is exhausted. If the system cannot allocate the memory, the budget becomes
    /// exhausted too. `more` counts items, not bytes; the capacity at least doubles if it must grow.
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, more: usize) -> bool {
        let (needed, old) = (list.len().saturating_add(more), list.capacity());
        if needed <= old {
            return self.exhausted.is_none();
        }
        let capacity = needed.max(old.saturating_mul(2)).max(4);
        let bytes = |items: usize| (items as u64).saturating_mul(size_of::<T>() as u64);
        self.charge(bytes(capacity));
        // A large buffer is at least [`BYTES`] long, so its charge has just checked the budget.
        if self.exhausted.is_some() {
            return false;
        }
        if list.try_reserve_exact(capacity - list.len()).is_err() {
            self.release(bytes(capacity));
            self.refused();
            return false;
        }
        self.release(bytes(old));
        true
    }

    /// Spends the budget: the system gives no more memory than is held.
    #[cold]
    fn refused(&mut self) {
        let limit = self.budget.limits.bytes.unwrap_or(u64::MAX).min(self.held);
        let pass = self.pass;
        self.exhausted
            .get_or_insert(BudgetExhausted::Memory { limit, pass });
    }

    /// Checks the budget now, instead of waiting for enough charges.
    ///
    /// # Errors
    /// Fails if the budget or a budget that [encloses](Budget::enclose) the work is exhausted, or if an earlier check
    /// of this meter failed.
    pub fn check(&mut self) -> Result<(), BudgetExhausted> {
        self.look();
        self.exhausted.map_or(Ok(()), Err)
    }

    /// Marks the budget as exhausted, because a part of the pass exceeded the memory that [`rest`](Self::rest)
    /// returned for it. Returns the error to report. If the meter was exhausted before, it is the earlier error. The
    /// limit in the error is that of the whole budget, or `u64::MAX` without one.
    pub fn exceeded_memory(&mut self) -> BudgetExhausted {
        let limit = bytes_asked(self.budget.limits.bytes.unwrap_or(u64::MAX));
        let pass = self.pass;
        *self
            .exhausted
            .get_or_insert(BudgetExhausted::Memory { limit, pass })
    }

    /// Marks the budget as exhausted, because a part of the pass exceeded the time that [`rest`](Self::rest) returned
    /// for it. Returns the error to report. If the meter was exhausted before, it is the earlier error. The limit in
    /// the error is that of the whole budget, or [`Duration::MAX`] without one.
    pub fn exceeded_time(&mut self) -> BudgetExhausted {
        let limit = self.budget.limits.time.unwrap_or(Duration::MAX);
        let (clock, pass) = (self.budget.start.name(), self.pass);
        *self
            .exhausted
            .get_or_insert(BudgetExhausted::Time { limit, clock, pass })
    }

    /// Returns the limits that remain for a part of the pass: the unused memory and time. Both are at least 0; `None`
    /// means no limit. Pass them to a part that takes [`Limits`], and report by
    /// [`exceeded_memory`](Self::exceeded_memory) or [`exceeded_time`](Self::exceeded_time) if it exceeds them.
    #[must_use]
    pub fn rest(&self) -> Limits {
        self.budget.rest(self.held)
    }

    /// Returns the memory that the pass has in use, in bytes. It is the number of bytes charged minus the number
    /// released, or what [`hold`](Self::hold) or [`restart`](Self::restart) set since.
    #[must_use]
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// Returns the reason why the budget is exhausted; `None` if no check of this meter has found it exhausted. To
    /// check now, call [`check`](Self::check).
    #[must_use]
    pub const fn exhausted(&self) -> Option<BudgetExhausted> {
        self.exhausted
    }

    /// Returns whether a check of this meter has found the budget exhausted. It does not check the budget itself.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.exhausted.is_some()
    }

    fn look(&mut self) {
        (self.unseen, self.charges) = (0, 0);
        self.exhausted = self.exhausted.or(self.budget.check(self.pass, self.held).err());
    }

    /// Ends the pass with a last check of the budget. Returns the memory in use, in bytes.
    ///
    /// # Errors
    /// Fails if the budget is exhausted now, or if an earlier check of this meter failed.
    pub fn finish(mut self) -> Result<u64, BudgetExhausted> {
        self.look();
        self.exhausted.map_or(Ok(self.held), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn a_budget_without_limits_is_never_spent() {
        let mut meter = Budget::unlimited().meter("counting");
        assert!((0..10_000).all(|_| meter.charge(u64::MAX / 2)));
        assert_eq!(meter.finish(), Ok(u64::MAX));
    }

    #[test]
    fn memory_is_what_is_held() {
        let budget = Budget::new(Limits {
            bytes: Some(1 << 20),
            time: None,
        });
        let mut meter = budget.meter("counting");
        for _ in 0..1000 {
            assert!(meter.charge(1 << 19));
            meter.release(1 << 19);
        }
        assert!(meter.charge(1 << 19) && meter.charge(1 << 19) && !meter.charge(1 << 16));
        meter.release(1 << 20);
        assert!(!meter.charge(0), "it stays exhausted");
        let limit = 1 << 20;
        assert_eq!(
            meter.finish(),
            Err(BudgetExhausted::Memory {
                limit,
                pass: "counting"
            })
        );
        assert_eq!(budget.rest(1).bytes, Some((1 << 20) - 1));
    }

    #[test]
    fn a_list_grows_within_its_budget() {
        let limit = 1 << 20;
        let mut meter = Budget::new(Limits {
            bytes: Some(limit),
            time: None,
        })
        .meter("listing");
        let mut list = Vec::new();
        while meter.push(&mut list, 0_u64) {}
        let held = 8 * list.capacity() as u64;
        assert!((limit / 4..=limit).contains(&held), "{held}");
        assert!(list.len() <= list.capacity() && !meter.push(&mut list, 0));
        assert!(!meter.reserve(&mut Vec::<u64>::new(), usize::MAX));
        meter.restart(limit / 2);
        assert_eq!(meter.held(), limit / 2);
        assert!(meter.reserve(&mut list, 0) && !meter.reserve(&mut Vec::<u64>::new(), limit as usize / 8));
    }

    #[test]
    fn a_list_that_moves_is_held_twice_for_a_moment() {
        let meter = |limit: u64| {
            let limits = Limits {
                bytes: Some(limit),
                time: None,
            };
            Budget::new(limits).meter("listing")
        };
        // 64 KiB become 128 KiB: both are held while the items move, and one of them afterwards.
        let (old, new) = (1 << 16, 1 << 17);
        for (limit, fits) in [(old + new - 1, false), (old + new, true)] {
            let mut meter = meter(limit);
            let mut list: Vec<u8> = Vec::new();
            assert!(meter.reserve(&mut list, old as usize));
            assert_eq!((list.capacity() as u64, meter.held()), (old, old));
            list.resize(old as usize, 0);
            assert_eq!(meter.reserve(&mut list, 1), fits, "{limit}");
            if fits {
                assert_eq!((list.capacity() as u64, meter.held()), (new, new));
            } else {
                assert_eq!(list.capacity() as u64, old, "the list is as it was");
            }
        }
    }

    #[test]
    fn growth_and_work_are_looked_at_in_time() {
        let limits = Limits {
            bytes: Some(1 << 20),
            time: None,
        };
        let mut meter = Budget::new(limits).meter("holding");
        assert!(meter.hold(1 << 19) && meter.hold(1 << 20));
        assert!(!meter.hold(1 << 21), "large growth is looked at at once");
        // A step of work counts as a charge.
        let budget = Budget::unlimited();
        let mut meter = budget.meter("working");
        budget.cancel();
        assert!(meter.work(1) && !meter.work(1 << 10));
        let mut meter = budget.meter("working");
        assert!((0..2).any(|_| !meter.work(600)));
    }

    #[test]
    fn memory_that_the_system_does_not_have_is_no_abort() {
        let mut meter = Budget::unlimited().meter("listing");
        let mut list = vec![1_u64];
        assert!(meter.charge(1000));
        // More than any address space.
        assert!(!meter.reserve(&mut list, usize::MAX / 16));
        assert_eq!((list.len(), meter.held()), (1, 1000));
        let exhausted = meter.finish().expect_err("it is exhausted");
        let (limit, pass) = (1000, "listing");
        assert_eq!(exhausted, BudgetExhausted::Memory { limit, pass });
    }

    #[test]
    fn a_grace_delays_the_end_and_not_the_message() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let limits = Limits {
            bytes: None,
            time: Some(Duration::from_secs(10)),
        };
        let budget = Budget::by_clock(limits, "CPU time", || {
            Duration::from_secs(NOW.load(Ordering::Relaxed))
        })
        .with_grace(Duration::from_secs(2));
        NOW.store(12, Ordering::Relaxed);
        assert_eq!(budget.check("waiting", 0), Ok(()));
        NOW.store(13, Ordering::Relaxed);
        let exhausted = budget.check("waiting", 0).expect_err("it is over");
        assert_eq!(
            exhausted.to_string(),
            "the CPU time limit of 10 s is reached while waiting"
        );
    }

    #[test]
    fn time_is_that_of_the_clock() {
        static NOW: AtomicU64 = AtomicU64::new(5);
        let limits = Limits {
            bytes: None,
            time: Some(Duration::from_secs(10)),
        };
        let mut budget = Budget::by_clock(limits, "CPU time", || {
            Duration::from_secs(NOW.load(Ordering::Relaxed))
        });
        let clone = budget.clone();
        NOW.store(15, Ordering::Relaxed);
        assert_eq!(budget.check("waiting", 0), Ok(()));
        assert_eq!(budget.rest(0).time, Some(Duration::ZERO));
        NOW.store(16, Ordering::Relaxed);
        assert!(matches!(
            clone.check("waiting", 0),
            Err(BudgetExhausted::Time { .. })
        ));
        budget.restart();
        assert_eq!(budget.check("waiting", 0), Ok(()));
        assert!(clone.check("waiting", 0).is_err());
        NOW.store(27, Ordering::Relaxed);
        assert!(budget.meter("waiting").finish().is_err());
    }

    #[test]
    fn time_ends_and_clones_are_cancelled_together() {
        let over = Budget::new(Limits {
            bytes: None,
            time: Some(Duration::ZERO),
        });
        let mut meter = over.meter("counting");
        let charges = (0..10_000).take_while(|_| meter.charge(0)).count();
        assert!(charges < 2000);
        assert!(matches!(meter.finish(), Err(BudgetExhausted::Time { .. })));
        let budget = Budget::unlimited();
        let (clone, free) = (budget.clone(), budget.without_limits());
        assert_eq!(clone.check("counting", 0), Ok(()));
        assert_eq!(over.without_limits().check("counting", u64::MAX), Ok(()));
        budget.cancel();
        assert_eq!(
            clone.check("counting", 0),
            Err(BudgetExhausted::Cancelled { pass: "counting" })
        );
        assert!(clone.meter("counting").finish().is_err() && free.check("counting", 0).is_err());
    }
}
