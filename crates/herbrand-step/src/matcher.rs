//! Valid actions, kept from step to step.

use std::ops::Range;

use herbrand_ground::ActionId;

use crate::ValidActions;
use crate::bits::words_for;
use crate::counts::Counts;
use crate::network::{Method, Network};
use crate::truth::Truth;
use crate::watches::Watches;

/// The rows of a [`Network`] that are fulfilled in the current state, and the actions that are valid by them.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    fulfilled: Fulfilled,
    validity: Validity,
}

/// The fulfilled rows, by the network's method; counts come with as many bits as the longest row needs.
#[derive(Clone, Debug)]
enum Fulfilled {
    Count2(Counts<2>),
    Count3(Counts<3>),
    Count4(Counts<4>),
    Count8(Counts<8>),
    Watch(Watches),
}

impl Matcher {
    /// The matcher of a state with these literals.
    pub(crate) fn new(network: &Network, truth: &Truth) -> Self {
        let mut validity = Validity::new(network);
        let fulfilled = match &network.method {
            Method::Count(0..=2) => Fulfilled::Count2(Counts::new(network, truth, &mut validity)),
            Method::Count(3) => Fulfilled::Count3(Counts::new(network, truth, &mut validity)),
            Method::Count(4) => Fulfilled::Count4(Counts::new(network, truth, &mut validity)),
            Method::Count(_) => Fulfilled::Count8(Counts::new(network, truth, &mut validity)),
            Method::Watch(rows) => Fulfilled::Watch(Watches::new(rows, truth, network, &mut validity)),
        };
        Self { fulfilled, validity }
    }

    /// The valid actions.
    #[inline]
    pub(crate) fn valid(&self) -> &ValidActions {
        &self.validity.valid
    }

    /// Follows a change of state: `gained` are the literals that hold now and did not before.
    #[inline]
    pub(crate) fn update(&mut self, network: &Network, truth: &Truth, gained: &[u32]) {
        let Self { fulfilled, validity } = self;
        match fulfilled {
            Fulfilled::Count2(counts) => counts.update(network, gained, validity),
            Fulfilled::Count3(counts) => counts.update(network, gained, validity),
            Fulfilled::Count4(counts) => counts.update(network, gained, validity),
            Fulfilled::Count8(counts) => counts.update(network, gained, validity),
            Fulfilled::Watch(watches) => watches.update(network, truth, gained, validity),
        }
    }
}

/// The actions that are valid by the rows that are fulfilled.
#[derive(Clone, Debug)]
pub(crate) struct Validity {
    pub(crate) valid: ValidActions,
    /// The rows that are fulfilled, where actions have several: often many of one action come and go together.
    fulfilled: Vec<u64>,
}

impl Validity {
    fn new(network: &Network) -> Self {
        Self {
            valid: ValidActions::new(network.actions),
            fulfilled: vec![
                0;
                if network.several {
                    words_for(network.rows)
                } else {
                    0
                }
            ],
        }
    }

    /// Takes note of rows, as bits of a word, that are fulfilled now and were not before.
    #[inline]
    pub(crate) fn gain(&mut self, network: &Network, word: u32, rows: u64) {
        let Some(action_of) = &network.action_of else {
            return self.valid.insert_all(word as usize, rows);
        };
        if !network.several {
            return each_bit(word, rows, |row| self.valid.insert(action_of[row as usize]));
        }
        self.fulfilled[word as usize] |= rows;
        each_action(network, action_of, word, rows, |action| {
            if !self.valid.contains(ActionId::new(action)) {
                self.valid.insert(action);
            }
        });
    }

    /// Takes note of rows, as bits of a word, that were fulfilled and are no longer.
    #[inline]
    pub(crate) fn lose(&mut self, network: &Network, word: u32, rows: u64) {
        let Some(action_of) = &network.action_of else {
            return self.valid.remove_all(word as usize, rows);
        };
        if !network.several {
            return each_bit(word, rows, |row| self.valid.remove(action_of[row as usize]));
        }
        self.fulfilled[word as usize] &= !rows;
        each_action(network, action_of, word, rows, |action| {
            let others = network.rows_of[action as usize].clone();
            if !any_in(&self.fulfilled, others) {
                self.valid.remove(action);
            }
        });
    }
}

/// Calls `visit` with each action that has one of some rows, given as bits of a word. The rows of an action are
/// neighbours.
#[inline]
fn each_action(network: &Network, action_of: &[u32], word: u32, mut rows: u64, mut visit: impl FnMut(u32)) {
    while rows != 0 {
        let action = action_of[(word * 64 + rows.trailing_zeros()) as usize];
        visit(action);
        let end = network.rows_of[action as usize].end - word * 64;
        rows &= u64::MAX.checked_shl(end).unwrap_or(0);
    }
}

/// Whether there is a member of `set` in `range`, which is not empty.
#[inline]
fn any_in(set: &[u64], range: Range<u32>) -> bool {
    let (first, last) = (range.start / 64, (range.end - 1) / 64);
    let words = &set[first as usize..=last as usize];
    (first..).zip(words).any(|(word, &bits)| {
        let low = if word == first {
            u64::MAX << (range.start % 64)
        } else {
            u64::MAX
        };
        let high = if word == last {
            u64::MAX >> (63 - (range.end - 1) % 64)
        } else {
            u64::MAX
        };
        bits & low & high != 0
    })
}

/// Calls `visit` with the number of every bit of a word.
#[inline]
pub(crate) fn each_bit(word: u32, mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(word * 64 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}
