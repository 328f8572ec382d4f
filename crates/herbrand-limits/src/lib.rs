//! One budget of time and memory for everything that a text can make large.
//!
//! [`Limits`] say what may be used. A [`Budget`] is limits whose clock runs; all passes over one problem share it, and it
//! can be [cancelled](Budget::cancel) from another thread. A pass that can run long or grow large has a [`Meter`]: it
//! says what it makes, a little at a time, and stops when the meter is spent.
//!
//! ```
//! use herbrand_limits::{Budget, Limits};
//!
//! let budget = Budget::new(Limits { bytes: Some(1 << 20), time: None });
//! let mut meter = budget.meter("squaring");
//! let mut squares = Vec::new();
//! while meter.charge(size_of::<u64>() as u64) {
//!     squares.push(squares.len() as u64 * squares.len() as u64);
//! }
//! assert!(squares.len() < 1 << 18);
//! let spent = meter.finish().expect_err("a mebibyte holds no more");
//! assert_eq!(spent.to_string(), "the memory limit of 1048576 bytes is reached while squaring");
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub mod clock;
mod enclosing;

pub use clock::Instant;
pub use enclosing::check_enclosing;

/// What may be used. The default sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of memory, as the passes count what they hold.
    pub bytes: Option<u64>,
    /// Time: of the wall, unless a [`Budget`] is given [another clock](Budget::by_clock).
    pub time: Option<Duration>,
}

/// Limits whose clock runs. Clones share the clock and the cancellation.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    start: Start,
    cancelled: Arc<AtomicBool>,
}

/// A clock: the time since some moment that does not change. It never goes back.
pub type Clock = fn() -> Duration;

/// When a budget began.
#[derive(Clone, Copy, Debug)]
enum Start {
    Wall(Instant),
    /// By another clock, which showed this time.
    By(Clock, Duration),
}

impl Start {
    fn elapsed(self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::By(clock, start) => clock().saturating_sub(start),
        }
    }

    /// Now, by the same clock.
    fn again(self) -> Self {
        match self {
            Self::Wall(_) => Self::Wall(Instant::now()),
            Self::By(clock, _) => Self::By(clock, clock()),
        }
    }
}

/// A budget is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Spent {
    /// More memory would be held than the limit allows.
    #[error("the memory limit of {limit} bytes is reached while {pass}")]
    Memory {
        /// The limit, in bytes.
        limit: u64,
        /// What was being done.
        pass: &'static str,
    },
    /// The time is over.
    #[error("the time limit of {limit:?} is reached while {pass}")]
    Time {
        /// The limit.
        limit: Duration,
        /// What was being done.
        pass: &'static str,
    },
    /// Another thread asked to stop.
    #[error("cancelled while {pass}")]
    Cancelled {
        /// What was being done.
        pass: &'static str,
    },
}

impl Budget {
    /// A budget; its time begins now.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            start: Start::Wall(Instant::now()),
            cancelled: Arc::default(),
        }
    }

    /// A budget whose time is that of a clock, and begins now. By the CPU time of the process, for one, a search gets as far
    /// on a busy machine as on an idle one:
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use herbrand_limits::{Budget, Limits};
    ///
    /// let limits = Limits { bytes: None, time: Some(Duration::from_secs(1)) };
    /// let budget = Budget::by_clock(limits, || cpu_time::ProcessTime::now().as_duration());
    /// std::thread::sleep(Duration::from_millis(1100));
    /// assert!(budget.check("sleeping", 0).is_ok());
    /// ```
    #[must_use]
    pub fn by_clock(limits: Limits, clock: Clock) -> Self {
        Self {
            limits,
            start: Start::By(clock, clock()),
            cancelled: Arc::default(),
        }
    }

    /// A budget without limits. It can still be cancelled.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// A budget without limits that is cancelled together with this one.
    #[must_use]
    pub fn without_limits(&self) -> Self {
        Self {
            limits: Limits::default(),
            ..self.clone()
        }
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// What is left for a pass while `held` bytes are in use: limits whose time begins now.
    #[must_use]
    pub fn rest(&self, held: u64) -> Limits {
        let elapsed = self.start.elapsed();
        Limits {
            bytes: self.limits.bytes.map(|bytes| bytes.saturating_sub(held)),
            time: self.limits.time.map(|time| time.saturating_sub(elapsed)),
        }
    }

    /// Begins the time anew.
    pub fn restart(&mut self) {
        self.start = self.start.again();
    }

    /// Asks every pass that shares this budget to stop; the next look at it is an error.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Looks at the clock, at the cancellation and at the bytes that are held. `pass` is what is being done, as in
    /// "while grounding".
    ///
    /// # Errors
    /// When this budget is spent, or a budget that [encloses](Self::enclose) the work of this thread.
    pub fn check(&self, pass: &'static str, held: u64) -> Result<(), Spent> {
        self.check_alone(pass, held)?;
        check_enclosing(pass)
    }

    /// Checks this budget, and no budget that encloses it.
    fn check_alone(&self, pass: &'static str, held: u64) -> Result<(), Spent> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Spent::Cancelled { pass });
        }
        if let Some(limit) = self.limits.time.filter(|limit| self.start.elapsed() > *limit) {
            return Err(Spent::Time { limit, pass });
        }
        match self.limits.bytes.filter(|limit| held > *limit) {
            Some(limit) => Err(Spent::Memory { limit, pass }),
            None => Ok(()),
        }
    }

    /// A meter for a pass.
    #[must_use]
    pub fn meter(&self, pass: &'static str) -> Meter {
        Meter {
            budget: self.clone(),
            pass,
            held: 0,
            unseen: 0,
            charges: 0,
            spent: None,
        }
    }
}

/// What one pass has made, against a budget. Once it is spent it stays so.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    pass: &'static str,
    /// The bytes that were charged.
    held: u64,
    /// How many of them, and how many charges, came since the last look at the budget.
    unseen: u64,
    charges: u32,
    spent: Option<Spent>,
}

/// The number of bytes or charges between two checks of the budget.
const BYTES: u64 = 1 << 16;
const CHARGES: u32 = 1 << 10;

impl Meter {
    /// Counts bytes that are about to be held. Whether there is budget left: if not, the pass should end soon, and what
    /// it has made is of no use.
    #[inline]
    pub fn charge(&mut self, bytes: u64) -> bool {
        self.held = self.held.saturating_add(bytes);
        self.unseen = self.unseen.saturating_add(bytes);
        self.charges = self.charges.saturating_add(1);
        if self.unseen >= BYTES || self.charges >= CHARGES {
            self.look();
        }
        self.spent.is_none()
    }

    /// Counts steps of work that hold no memory. Whether there is budget left.
    #[inline]
    pub fn work(&mut self, steps: u64) -> bool {
        let steps = u32::try_from(steps.saturating_sub(1)).unwrap_or(u32::MAX);
        self.charges = self.charges.saturating_add(steps);
        self.charge(0)
    }

    /// Counts bytes that are held no more.
    #[inline]
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Says how many bytes are held now, whatever was charged before. Whether there is budget left.
    #[inline]
    pub fn hold(&mut self, bytes: u64) -> bool {
        let more = bytes.saturating_sub(self.held);
        self.held = bytes;
        self.unseen = self.unseen.saturating_add(more);
        self.charge(0)
    }

    /// Begins a pass of the same kind anew: `held` bytes are in use already, and the time of the budget begins now.
    pub fn restart(&mut self, held: u64) {
        self.budget.restart();
        (self.held, self.unseen, self.charges, self.spent) = (held, 0, 0, None);
    }

    /// Says what is being done from here on.
    pub const fn name(&mut self, pass: &'static str) {
        self.pass = pass;
    }

    /// Adds an item to a list, and charges what the list grows by, with its old place for the moment in which both are
    /// held. False if the budget is spent: then the item is dropped.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) -> bool {
        let fits = list.len() < list.capacity() || self.reserve(list, 1);
        let there_is_budget = self.charge(0);
        if fits && there_is_budget {
            list.push(item);
        }
        fits && there_is_budget
    }

    /// Makes room in a list for `more` items, and charges it as [`push`](Self::push) does. False if the budget is
    /// spent: then the list is as it was.
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, more: usize) -> bool {
        let (needed, old) = (list.len().saturating_add(more), list.capacity());
        if needed <= old {
            return self.spent.is_none();
        }
        let capacity = needed.max(old.saturating_mul(2)).max(4);
        let bytes = |items: usize| (items as u64).saturating_mul(size_of::<T>() as u64);
        self.charge(bytes(capacity));
        // Large lists are looked at one by one: the budget may not have room for another one.
        let there_is_budget = self.spent.is_none();
        if there_is_budget {
            list.reserve_exact(capacity - list.len());
            self.release(bytes(old));
        }
        there_is_budget
    }

    /// Whether there is budget left, looked at now.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn check(&mut self) -> Result<(), Spent> {
        self.look();
        self.spent.map_or(Ok(()), Err)
    }

    /// Spends the budget: a part of the pass that was given the [rest](Self::rest) of it has used all memory.
    pub fn exceeded_memory(&mut self) -> Spent {
        let limit = self.budget.limits.bytes.unwrap_or(u64::MAX);
        let pass = self.pass;
        *self.spent.get_or_insert(Spent::Memory { limit, pass })
    }

    /// Spends the budget: a part of the pass that was given the [rest](Self::rest) of it has used all time.
    pub fn exceeded_time(&mut self) -> Spent {
        let limit = self.budget.limits.time.unwrap_or(Duration::MAX);
        let pass = self.pass;
        *self.spent.get_or_insert(Spent::Time { limit, pass })
    }

    /// What is left of the budget: limits whose time begins now.
    #[must_use]
    pub fn rest(&self) -> Limits {
        self.budget.rest(self.held)
    }

    /// The bytes that are held.
    #[must_use]
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// Why the budget is spent, as far as it was looked at.
    #[must_use]
    pub const fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Whether the budget is spent, as far as it was looked at.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.spent.is_some()
    }

    fn look(&mut self) {
        (self.unseen, self.charges) = (0, 0);
        self.spent = self.spent.or(self.budget.check(self.pass, self.held).err());
    }

    /// Ends the pass: the bytes that it holds.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn finish(mut self) -> Result<u64, Spent> {
        self.look();
        self.spent.map_or(Ok(self.held), Err)
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
        assert!(!meter.charge(0), "it stays spent");
        let limit = 1 << 20;
        assert_eq!(
            meter.finish(),
            Err(Spent::Memory {
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
    fn time_is_that_of_the_clock() {
        static NOW: AtomicU64 = AtomicU64::new(5);
        let limits = Limits {
            bytes: None,
            time: Some(Duration::from_secs(10)),
        };
        let mut budget = Budget::by_clock(limits, || Duration::from_secs(NOW.load(Ordering::Relaxed)));
        let clone = budget.clone();
        NOW.store(15, Ordering::Relaxed);
        assert_eq!(budget.check("waiting", 0), Ok(()));
        assert_eq!(budget.rest(0).time, Some(Duration::ZERO));
        NOW.store(16, Ordering::Relaxed);
        assert!(matches!(clone.check("waiting", 0), Err(Spent::Time { .. })));
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
        assert!(matches!(meter.finish(), Err(Spent::Time { .. })));
        let budget = Budget::unlimited();
        let (clone, free) = (budget.clone(), budget.without_limits());
        assert_eq!(clone.check("counting", 0), Ok(()));
        assert_eq!(over.without_limits().check("counting", u64::MAX), Ok(()));
        budget.cancel();
        assert_eq!(
            clone.check("counting", 0),
            Err(Spent::Cancelled { pass: "counting" })
        );
        assert!(clone.meter("counting").finish().is_err() && free.check("counting", 0).is_err());
    }
}
