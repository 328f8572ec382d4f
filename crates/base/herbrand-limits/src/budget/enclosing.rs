//! Budgets that enclose all work of a thread.
//!
//! A server gives each request a deadline and stops its work when the client disconnects. The request's work uses many
//! budgets of its own, some of them in objects that outlive the request. Instead of a flag in each of them, the thread keeps
//! a stack of enclosing budgets, and every check also checks these.

use std::cell::RefCell;

use super::{Budget, BudgetExhausted, Limits};

thread_local! {
    static ENCLOSING: RefCell<Vec<Budget>> = const { RefCell::new(Vec::new()) };
}

/// Removes the innermost enclosing budget on drop, even if the work panics.
struct EnclosingGuard;

impl Drop for EnclosingGuard {
    fn drop(&mut self) {
        ENCLOSING.with_borrow_mut(|budgets| budgets.pop());
    }
}

impl Budget {
    /// Runs `work` within the time limit and the cancellation of this budget. Until `work` returns, every check of any
    /// budget or meter in this thread fails once this budget is exhausted. The memory limit of this budget is not
    /// checked, but named by errors in place of a smaller one, which is a part of it. For threads that `work` starts, see [`carry_over`]. Enclosing budgets may be nested, and each of them
    /// is checked. If `work` panics, the budget no longer encloses the thread.
    ///
    /// ```
    /// use herbrand_limits::Budget;
    ///
    /// let request = Budget::unlimited();
    /// let own = Budget::unlimited();
    /// request.cancel();
    /// assert!(own.check("computing", 0).is_ok());
    /// request.enclose(|| assert!(own.check("computing", 0).is_err()));
    /// assert!(own.check("computing", 0).is_ok());
    /// ```
    pub fn enclose<T>(&self, work: impl FnOnce() -> T) -> T {
        ENCLOSING.with_borrow_mut(|budgets| budgets.push(self.clone()));
        let _leave = EnclosingGuard;
        work()
    }

    /// Returns a budget for a pass that is given none: its memory limit is the least of those that enclose the work of this
    /// thread. It has no time limit of its own, as its checks also check the budgets that enclose it.
    ///
    /// ```
    /// use herbrand_limits::{Budget, Limits};
    ///
    /// let limits = Limits { bytes: Some(1000), time: None };
    /// let within = |held: u64| Budget::enclosing().check("computing", held).is_ok();
    /// assert!(Budget::new(limits).enclose(|| within(1000) && !within(1001)));
    /// assert!(within(1001));
    /// ```
    #[must_use]
    pub fn enclosing() -> Self {
        let bytes =
            ENCLOSING.with_borrow(|budgets| budgets.iter().filter_map(|budget| budget.limits.bytes).min());
        Self::new(Limits { bytes, time: None })
    }
}

/// Restores the enclosing budgets, also when the work panics.
struct Restore(Vec<Budget>);

impl Drop for Restore {
    fn drop(&mut self) {
        ENCLOSING.set(std::mem::take(&mut self.0));
    }
}

/// Runs `work` outside all enclosing budgets, and returns its result. Use it for work that has to be completed, such as
/// undoing a change. They enclose the thread again afterwards, also if `work` panics.
///
/// ```
/// use herbrand_limits::{Budget, check_enclosing, outside};
///
/// let request = Budget::unlimited();
/// request.cancel();
/// request.enclose(|| {
///     assert!(outside(|| check_enclosing("repairing")).is_ok());
///     assert!(check_enclosing("repairing").is_err());
/// });
/// ```
pub fn outside<T>(work: impl FnOnce() -> T) -> T {
    let _restore = Restore(ENCLOSING.take());
    work()
}

/// Returns `work` together with the budgets that enclose this thread, so that they enclose it on another thread too, in
/// place of those of that thread. Call it once per thread that is started, not once per step: it clones the budgets.
///
/// ```
/// use herbrand_limits::{Budget, carry_over, check_enclosing};
///
/// let request = Budget::unlimited();
/// request.cancel();
/// let part = || check_enclosing("computing").is_err();
/// let (bare, enclosed) = request.enclose(|| {
///     std::thread::scope(|scope| {
///         let (bare, enclosed) = (scope.spawn(part), scope.spawn(carry_over(part)));
///         (bare.join(), enclosed.join())
///     })
/// });
/// assert!(!bare.unwrap() && enclosed.unwrap());
/// ```
pub fn carry_over<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let budgets = ENCLOSING.with_borrow(Vec::clone);
    move || {
        let _restore = Restore(ENCLOSING.replace(budgets));
        work()
    }
}

/// Returns the memory limit to report for a budget that has this limit: the greatest one that encloses it. The
/// limit of the budget may be what is left of that one.
#[must_use]
pub fn bytes_asked(limit: u64) -> u64 {
    ENCLOSING.with_borrow(|budgets| {
        budgets
            .iter()
            .filter_map(|budget| budget.limits.bytes)
            .fold(limit, u64::max)
    })
}

/// Checks the budgets that enclose the work of this thread, for a pass without a budget of its own. `pass` names the running
/// pass for the error message.
///
/// # Errors
/// Fails if one of these budgets is cancelled or out of time; their memory limits are not checked. Succeeds if no
/// budget encloses the call.
pub fn check_enclosing(pass: &'static str) -> Result<(), BudgetExhausted> {
    ENCLOSING.with_borrow(|budgets| {
        let mut budgets = budgets.iter();
        budgets.try_for_each(|budget| budget.check_alone(pass, 0))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Limits;

    #[test]
    fn the_limit_that_was_asked_for_is_told() {
        let bytes = |bytes: u64| Limits {
            bytes: Some(bytes),
            time: None,
        };
        let asked = Budget::new(bytes(1_000_000));
        let exhausted = asked.enclose(|| {
            let rest = Budget::new(asked.rest(15_000));
            rest.check("reading", 985_000)?;
            rest.check("reading", 985_001)
        });
        let text = exhausted.expect_err("it is exhausted").to_string();
        assert_eq!(text, "the memory limit of 1 MB is reached while reading");
        let larger = asked.enclose(|| Budget::new(bytes(2_000_000)).check("reading", 2_000_001));
        assert!(larger.is_err_and(|error| error.to_string().contains("of 2 MB")));
    }

    #[test]
    fn every_check_in_the_thread_asks_the_enclosing_budgets() {
        let (outer, inner) = (Budget::unlimited(), Budget::unlimited());
        // The meter exists before the work is enclosed, like meters in objects that outlive a request.
        let mut meter = Budget::unlimited().meter("counting");
        outer.enclose(|| {
            inner.enclose(|| {
                assert!((0..5000).all(|_| meter.charge(0)) && meter.check().is_ok());
                outer.cancel();
                assert!(!(0..5000).all(|_| meter.charge(0)));
                assert!(check_enclosing("counting").is_err());
            });
            assert!(check_enclosing("counting").is_err());
            assert!(
                std::thread::spawn(|| check_enclosing("counting"))
                    .join()
                    .is_ok_and(|checked| checked.is_ok())
            );
        });
        assert!(check_enclosing("counting").is_ok());
        meter.restart(0);
        assert!((0..5000).all(|_| meter.charge(0)), "it is not cancelled itself");
    }

    #[test]
    fn time_encloses_and_memory_does_not() {
        let limits = Limits {
            bytes: Some(1),
            time: Some(Duration::ZERO),
        };
        let over = Budget::new(limits);
        std::thread::sleep(Duration::from_millis(1));
        let exhausted = over.enclose(|| Budget::unlimited().check("waiting", u64::MAX));
        assert_eq!(
            exhausted,
            Err(BudgetExhausted::Time {
                limit: Duration::ZERO,
                clock: "time",
                pass: "waiting"
            })
        );
        let small = Budget::new(Limits { time: None, ..limits });
        assert_eq!(
            small.enclose(|| Budget::unlimited().check("waiting", u64::MAX)),
            Ok(())
        );
    }

    #[test]
    fn budgets_are_carried_over_to_another_thread_and_end_with_the_work() {
        let (caller, other) = (Budget::unlimited(), Budget::unlimited());
        let work = caller.enclose(|| carry_over(|| check_enclosing("counting")));
        let on_another_thread = move || {
            let carried = other.enclose(|| {
                other.cancel();
                let carried = work();
                assert!(check_enclosing("counting").is_err(), "the own budget is back");
                carried
            });
            (carried, check_enclosing("counting"))
        };
        let (carried, after) = std::thread::spawn(on_another_thread).join().expect("no panic");
        assert_eq!(
            (carried, after),
            (Ok(()), Ok(())),
            "only the caller's budgets enclose the work"
        );
        let work = caller.enclose(|| carry_over(|| check_enclosing("counting")));
        caller.cancel();
        let carried = std::thread::spawn(work).join().expect("no panic");
        assert_eq!(carried, Err(BudgetExhausted::Cancelled { pass: "counting" }));
    }

    #[test]
    fn a_panic_leaves_the_thread_as_it_was() {
        let cancelled = Budget::unlimited();
        cancelled.cancel();
        let work = std::panic::AssertUnwindSafe(|| cancelled.enclose(|| panic!("on purpose")));
        assert!(std::panic::catch_unwind(work).is_err());
        assert!(check_enclosing("counting").is_ok());
    }
}
