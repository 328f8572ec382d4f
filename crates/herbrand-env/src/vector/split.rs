//! Work on many environments, parted between threads.

use super::Slot;
use crate::EnvError;

/// What belongs to environments that follow each other, one item each.
pub(super) trait Split: Send + Sized {
    /// What belongs to one environment.
    type Item;

    /// What belongs to the first `count`, and to the rest.
    fn split_at(self, count: usize) -> (Self, Self);

    /// What belongs to each, in order.
    fn items(self) -> impl Iterator<Item = Self::Item>;
}

impl<'a> Split for &'a mut [u32] {
    type Item = &'a mut u32;

    fn split_at(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }

    fn items(self) -> impl Iterator<Item = Self::Item> {
        self.iter_mut()
    }
}

/// The first environment that refused, and why.
pub(super) type Refusal = Option<(usize, EnvError)>;

/// Does `work` for all of `slots`, the first of which has the number `first`: in runs of at most `run`, which the
/// threads of the current pool share. The refusal is that of the first environment that has one, whichever thread
/// came to it first; all others are worked on all the same.
pub(super) fn for_each<S: Split>(
    slots: &mut [Slot],
    of_slots: S,
    first: usize,
    run: usize,
    work: &(impl Fn(usize, &mut Slot, S::Item) -> Result<(), EnvError> + Sync),
) -> Refusal {
    if slots.len() <= run {
        let mut refusal = None;
        for (index, (slot, item)) in (first..).zip(slots.iter_mut().zip(of_slots.items())) {
            if let Err(error) = work(index, slot, item) {
                refusal.get_or_insert((index, error));
            }
        }
        return refusal;
    }
    let half = slots.len() / 2;
    let (left_slots, right_slots) = slots.split_at_mut(half);
    let (left, right) = of_slots.split_at(half);
    let (left, right) = rayon::join(
        || for_each(left_slots, left, first, run, work),
        || for_each(right_slots, right, first + half, run, work),
    );
    left.or(right)
}
