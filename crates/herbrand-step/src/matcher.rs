//! Valid actions, kept from step to step.

use crate::ValidActions;
use crate::bits::words_for;
use crate::counts::{Counts, zeros};
use crate::network::{Method, Network};
use crate::propositions::id32;
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
    /// How many rows of each action are fulfilled, in large networks in which actions have several.
    support: Vec<u32>,
}

impl Validity {
    fn new(network: &Network) -> Self {
        let counted = network.several && !network.is_small();
        Self {
            valid: ValidActions::new(network.actions),
            support: vec![0; if counted { network.actions } else { 0 }],
        }
    }

    /// Takes note of rows, as bits of a word, that are fulfilled now and were not before.
    #[inline]
    pub(crate) fn gain(&mut self, network: &Network, word: u32, rows: u64) {
        let Some(action_of) = &network.action_of else {
            return self.valid.insert_all(word as usize, rows);
        };
        each_bit(word, rows, |row| {
            let action = action_of[row as usize];
            if network.several {
                self.support[action as usize] += 1;
            }
            if !network.several || self.support[action as usize] == 1 {
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
        each_bit(word, rows, |row| {
            let action = action_of[row as usize];
            if network.several {
                self.support[action as usize] -= 1;
            }
            if !network.several || self.support[action as usize] == 0 {
                self.valid.remove(action);
            }
        });
    }

    /// Takes note of all rows of a small network, of which these literals are lacking.
    #[inline]
    pub(crate) fn settle<const P: usize>(&mut self, network: &Network, lacking: &[[u64; P]]) {
        let valid = self.valid.words_mut();
        let (first, further) = lacking.split_at(words_for(network.actions).min(lacking.len()));
        for (word, lacking) in valid.iter_mut().zip(first) {
            *word = zeros(lacking);
        }
        if let Some(action_of) = &network.action_of {
            for (word, lacking) in (first.len()..).zip(further) {
                each_bit(id32(word), zeros(lacking), |row| {
                    let action = action_of[row as usize];
                    valid[action as usize / 64] |= 1 << (action % 64);
                });
            }
        }
        self.valid.recount();
    }
}

/// Calls `visit` with the number of every bit of a word.
#[inline]
pub(crate) fn each_bit(word: u32, mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(word * 64 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}
