//! The thread pool of a batch, with work stealing between threads.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use herbrand_limits::carry_over;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::order::{self, Kinds};
use super::split::{Lend, One, Split};

/// The caller's thread and its helper threads.
///
/// Each thread owns a stretch of the batch, the same in every call, so that its environments stay in its processor's cache.
/// It takes runs of decreasing length from the front of its stretch. When the stretch is done, it steals runs from the ends
/// of other stretches, whose threads were delayed or are still asleep. An idle thread spins for a while, waiting first for
/// the other threads and then for the next call, to avoid the cost of waking it.
#[derive(Debug)]
pub(super) struct Workers {
    /// `None` if the caller's thread does all the work.
    helpers: Option<Helpers>,
}

/// The helper threads.
#[derive(Debug)]
struct Helpers {
    pool: ThreadPool,
    /// The number of calls so far.
    calls: Arc<AtomicUsize>,
}

impl Helpers {
    /// Starts a call, which ends the spinning of idle threads. Returns the number of the call.
    fn begin(&self) -> usize {
        self.calls.fetch_add(1, Ordering::Release) + 1
    }

    /// Makes each helper thread spin until the next call, at most for [`PATIENCE`].
    fn stay_awake(&self, call: usize) {
        let calls = Arc::clone(&self.calls);
        self.pool.spawn_broadcast(move |_| {
            let done = Instant::now();
            while calls.load(Ordering::Acquire) == call && done.elapsed() < PATIENCE {
                hint::spin_loop();
            }
        });
    }
}

/// The index of the first environment that failed, with its error.
pub(super) type Refusal<R> = Option<(usize, R)>;

/// The minimum number of environments in a run: a microsecond or two of work.
const RUN: usize = 8;

/// The maximum time that an idle thread spins, about the time it can take to wake one up.
const PATIENCE: Duration = Duration::from_micros(100);

/// How many times the caller spins to let helpers finish, because `rayon` would put the caller to sleep otherwise.
const SIGNING_OFF: usize = 16;

impl Workers {
    /// Creates a pool of `threads` threads, including the caller's; 0 means 1.
    pub(super) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let helpers = match threads {
            0 | 1 => None,
            threads => Some(Helpers {
                pool: ThreadPoolBuilder::new().num_threads(threads - 1).build()?,
                calls: Arc::default(),
            }),
        };
        Ok(Self { helpers })
    }

    /// Calls `work` for each item with its index and returns when all are done. Processes all items even if some fail;
    /// returns the failure with the smallest index, independent of scheduling.
    ///
    /// If `kinds` is given, items of the same kind are processed in succession within a run.
    pub(super) fn for_each<S: Split + Lend, R: Send>(
        &self,
        count: usize,
        items: S,
        kinds: Option<Kinds<impl Fn(&S, usize) -> usize + Sync, impl Fn(&S, usize) + Sync>>,
        work: impl for<'s> Fn(usize, One<'s, S>) -> Result<(), R> + Sync,
    ) -> Refusal<R> {
        self.for_each_run(RUN, count, items, |run| run.work_by_kind(kinds.as_ref(), &work))
    }

    /// Like [`for_each`](Self::for_each), in ascending order within runs of at least `least` items.
    pub(super) fn for_each_in_order<S: Split, R: Send>(
        &self,
        least: usize,
        count: usize,
        items: S,
        work: impl Fn(usize, S::Item) -> Result<(), R> + Sync,
    ) -> Refusal<R> {
        self.for_each_run(least, count, items, |run| run.work(&work))
    }

    /// Returns the number of threads, including the caller's.
    pub(super) fn threads(&self) -> usize {
        let threads = |helpers: &Helpers| helpers.pool.current_num_threads();
        1 + self.helpers.as_ref().map_or(0, threads)
    }

    /// Calls `work` for runs of at least `least` items.
    fn for_each_run<S: Split, R: Send>(
        &self,
        least: usize,
        count: usize,
        items: S,
        work: impl Fn(Run<S>) -> Refusal<R> + Sync,
    ) -> Refusal<R> {
        let whole = Run {
            first: 0,
            count,
            items,
        };
        let Some(helpers) = self.helpers.as_ref().filter(|_| count > least) else {
            return work(whole);
        };
        let call = helpers.begin();
        let others = helpers.pool.current_num_threads();
        let stretches = stretches(whole, others + 1, least);
        let refusal = Mutex::new(None);
        let busy = AtomicUsize::new(others + 1);
        let help = |wish: usize| {
            if let Some(found) = work_from(wish, &stretches, &work) {
                keep_first(&mut lock(&refusal), found);
            }
            busy.fetch_sub(1, Ordering::Release);
            let done = Instant::now();
            while busy.load(Ordering::Acquire) > 0 && done.elapsed() < PATIENCE {
                hint::spin_loop();
            }
        };
        helpers.pool.in_place_scope(|scope| {
            for _ in 0..others {
                let help = carry_over(|| help(rayon::current_thread_index().map_or(0, |index| index + 1)));
                scope.spawn(|_| help());
            }
            help(0);
            for _ in 0..SIGNING_OFF {
                hint::spin_loop();
            }
        });
        helpers.stay_awake(call);
        refusal.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Consecutive items; `first` is the index of the first one.
struct Run<S> {
    first: usize,
    count: usize,
    items: S,
}

impl<S: Split> Run<S> {
    fn split_at(self, count: usize) -> (Self, Self) {
        let (items, later) = self.items.split_at(count);
        let first = Self {
            first: self.first,
            count,
            items,
        };
        let rest = Self {
            first: self.first + count,
            count: self.count - count,
            items: later,
        };
        (first, rest)
    }

    fn work<R>(self, work: &impl Fn(usize, S::Item) -> Result<(), R>) -> Refusal<R> {
        let mut refusal = None;
        for (index, item) in (self.first..).zip(self.items.items()) {
            if let Err(error) = work(index, item) {
                refusal.get_or_insert((index, error));
            }
        }
        refusal
    }
}

impl<S: Lend> Run<S> {
    /// Like [`work`](Self::work), grouped by kind.
    fn work_by_kind<R>(
        self,
        kinds: Option<&Kinds<impl Fn(&S, usize) -> usize, impl Fn(&S, usize)>>,
        work: &impl for<'s> Fn(usize, One<'s, S>) -> Result<(), R>,
    ) -> Refusal<R> {
        let Self {
            first,
            count,
            mut items,
        } = self;
        let mut refusal = None;
        for start in (0..count).step_by(order::MOST) {
            let length = (count - start).min(order::MOST);
            let places = match kinds {
                Some(kinds) => order::by_kind(length, |place| (kinds.of)(&items, start + place)),
                None => order::in_turn(length),
            };
            for (turn, &place) in places.iter().enumerate() {
                if let Some(kinds) = kinds
                    && let Some(&next) = places.get(turn + 1)
                {
                    (kinds.prefetch)(&items, start + usize::from(next));
                }
                let index = start + usize::from(place);
                if let Err(error) = work(first + index, items.lend(index)) {
                    keep_first(&mut refusal, (first + index, error));
                }
            }
        }
        refusal
    }
}

/// The share of a thread in the items.
struct Stretch<S> {
    /// Whether a thread owns the stretch.
    owned: AtomicBool,
    /// The minimum number of items in a run.
    least: usize,
    /// The items that no thread has taken.
    left: Mutex<Option<Run<S>>>,
}

/// Splits `whole` into `parts` stretches of about the same length.
fn stretches<S: Split>(whole: Run<S>, parts: usize, least: usize) -> Vec<Stretch<S>> {
    let mut rest = Some(whole);
    let cut = |parts: usize| {
        let left = rest.take()?;
        let count = left.count / parts;
        let (first, later) = left.split_at(count);
        rest = Some(later);
        Some(first)
    };
    let cuts = (1..=parts).rev().filter_map(cut);
    cuts.map(|run| Stretch {
        owned: AtomicBool::new(false),
        least,
        left: Mutex::new(Some(run)),
    })
    .collect()
}

/// Claims a stretch, processes it, and then helps with the other stretches. Claims the stretch at index `wish`, or the next
/// free one if it has an owner. Every stretch thus gets an owner even if one thread executes two of these jobs.
fn work_from<S: Split, R>(
    wish: usize,
    stretches: &[Stretch<S>],
    work: &impl Fn(Run<S>) -> Refusal<R>,
) -> Refusal<R> {
    let (earlier, later) = stretches.split_at(wish);
    let order = || later.iter().chain(earlier);
    let own = order().find(|stretch| !stretch.owned.swap(true, Ordering::Relaxed));
    let own = own.map(|stretch| (stretch, RunTaker::Owner));
    let others = order().map(|stretch| (stretch, RunTaker::Other));
    let mut refusal = None;
    for (stretch, by) in own.into_iter().chain(others) {
        while let Some(run) = stretch.take(by) {
            if let Some(found) = work(run) {
                keep_first(&mut refusal, found);
            }
        }
    }
    refusal
}

/// The role of the thread that takes a run.
#[derive(Clone, Copy)]
enum RunTaker {
    /// The owner of the stretch.
    Owner,
    /// A thread whose own stretch is done.
    Other,
}

impl<S: Split> Stretch<S> {
    /// Takes a quarter of the remaining items: from the front for the owner, from the end for other threads. Other threads
    /// leave the last run to the owner.
    fn take(&self, by: RunTaker) -> Option<Run<S>> {
        let mut left = lock(&self.left);
        let run = left.take()?;
        let count = (run.count / 4).max(self.least).min(run.count);
        let (taken, rest) = match by {
            RunTaker::Owner => run.split_at(count),
            RunTaker::Other if run.count > self.least => {
                let before = run.count - count;
                let (rest, taken) = run.split_at(before);
                (taken, rest)
            }
            RunTaker::Other => {
                *left = Some(run);
                return None;
            }
        };
        *left = (rest.count > 0).then_some(rest);
        Some(taken)
    }
}

fn keep_first<R>(refusal: &mut Refusal<R>, found: (usize, R)) {
    if refusal.as_ref().is_none_or(|(index, _)| found.0 < *index) {
        *refusal = Some(found);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use herbrand_limits::{Budget, check_enclosing};
    use proptest::prelude::*;

    use super::*;

    /// The reference result: items processed in order on one thread.
    fn one_by_one(count: usize, refusing: &[usize]) -> (Vec<usize>, Refusal<()>) {
        let first = (0..count).find(|index| refusing.contains(index));
        ((1..=count).collect(), first.map(|index| (index, ())))
    }

    fn pools() -> &'static [Workers] {
        static POOLS: OnceLock<Vec<Workers>> = OnceLock::new();
        POOLS.get_or_init(|| {
            [0, 1, 2, 3, 7]
                .map(|threads| Workers::new(threads).expect("threads"))
                .into()
        })
    }

    proptest! {
        #[test]
        fn each_item_is_worked_on_once(count in 0..1300_usize, refusing in prop::collection::vec(0..1300_usize, 0..4)) {
            let (expected, refusal) = one_by_one(count, &refusing);
            for pool in pools() {
                let work = |index: usize, item: &mut usize| {
                    *item += index + 1;
                    if refusing.contains(&index) { Err(()) } else { Ok(()) }
                };
                for several in [false, true] {
                    let kinds = several.then_some(Kinds {
                        of: |items: &&mut [usize], index: usize| (items[index] + index) % 5,
                        prefetch: |items: &&mut [usize], index: usize| assert_eq!(items[index], 0, "touched before the work"),
                    });
                    let mut items = vec![0; count];
                    let found = pool.for_each(count, items.as_mut_slice(), kinds, work);
                    prop_assert_eq!(&items, &expected);
                    prop_assert_eq!(&found, &refusal);
                    let mut items = vec![0; count];
                    let found = pool.for_each_in_order(RUN, count, items.as_mut_slice(), work);
                    prop_assert_eq!(&items, &expected);
                    prop_assert_eq!(&found, &refusal);
                }
            }
        }
    }

    #[test]
    fn all_threads_work_within_the_budgets_that_enclose_the_caller() {
        let budget = Budget::unlimited();
        budget.cancel();
        for pool in pools() {
            let mut spent = vec![false; 40 * RUN];
            let count = spent.len();
            // The owner of a stretch takes at least its last run, so every thread has work.
            let found = budget.enclose(|| {
                pool.for_each_in_order(RUN, count, spent.as_mut_slice(), |_, spent: &mut bool| {
                    *spent = check_enclosing("working").is_err();
                    Ok::<_, ()>(())
                })
            });
            assert_eq!(found, None);
            assert!(spent.iter().all(|spent| *spent), "{} threads", pool.threads());
        }
    }

    #[test]
    fn others_take_from_the_end_and_leave_the_last_run() {
        fn place<S>(run: &Run<S>) -> (usize, usize) {
            (run.first, run.count)
        }
        let mut items = [(); 103];
        let whole = Run {
            first: 0,
            count: items.len(),
            items: &mut items[..],
        };
        let parts = stretches(whole, 2, RUN);
        let places = parts.iter().map(|part| lock(&part.left).as_ref().map(place));
        assert_eq!(places.collect::<Vec<_>>(), [Some((0, 51)), Some((51, 52))]);
        for (by, expected) in [
            (RunTaker::Owner, Some((51, 13))),
            (RunTaker::Other, Some((94, 9))),
            (RunTaker::Other, Some((86, 8))),
            (RunTaker::Other, Some((78, 8))),
            (RunTaker::Owner, Some((64, 8))),
            (RunTaker::Other, None),
            (RunTaker::Owner, Some((72, 6))),
            (RunTaker::Owner, None),
        ] {
            assert_eq!(parts[1].take(by).as_ref().map(place), expected);
        }
    }
}
