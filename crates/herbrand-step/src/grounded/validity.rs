//! The valid actions, as the rows of a network come and go.

use crate::grounded::bits::{each_bit, words_for};
use crate::grounded::network::Network;
use crate::grounded::products::Products;
use crate::grounded::propositions::id32;
use crate::grounded::valid::ValidActions;

/// The actions that are valid by the rows that are fulfilled.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Validity {
    pub(crate) valid: ValidActions,
    /// How many rows of each action are fulfilled, in large networks in which actions have several.
    support: Vec<u32>,
    /// For each product, the parts of either side that are fulfilled.
    parts: Vec<[Sparse; 2]>,
}

impl Validity {
    pub(crate) fn new(network: &Network) -> Self {
        let counted = network.several && !network.is_small();
        Self {
            valid: ValidActions::new(network.actions),
            support: vec![0; if counted { network.actions } else { 0 }],
            parts: network
                .products
                .tables
                .iter()
                .map(|table| table.sizes.map(Sparse::new))
                .collect(),
        }
    }

    /// Takes note of rows, as bits of a word, that are fulfilled now and were not before.
    #[inline]
    pub(crate) fn gain(&mut self, network: &Network, word: u32, rows: u64) {
        let Some(action_of) = &network.action_of else {
            return self.valid.insert_all(word as usize, rows);
        };
        if word >= network.products.first_word {
            return each_bit(word, rows, |row| self.gain_part(&network.products, row));
        }
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
        if word >= network.products.first_word {
            return each_bit(word, rows, |row| self.lose_part(&network.products, row));
        }
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

    /// Takes note of a part of a product that is fulfilled now and was not before.
    fn gain_part(&mut self, products: &Products, row: u32) {
        let part = products.part(row);
        let table = &products.tables[part.table as usize];
        let sides = &mut self.parts[part.table as usize];
        sides[part.side as usize].insert(part.index);
        for &other in &sides[1 - part.side as usize].members {
            self.valid.insert(table.action(part, other));
        }
    }

    /// Takes note of a part of a product that was fulfilled and is no longer.
    fn lose_part(&mut self, products: &Products, row: u32) {
        let part = products.part(row);
        let table = &products.tables[part.table as usize];
        let sides = &mut self.parts[part.table as usize];
        sides[part.side as usize].remove(part.index);
        for &other in &sides[1 - part.side as usize].members {
            self.valid.remove(table.action(part, other));
        }
    }

    /// Takes note of all rows of a small network, of which these literals are lacking.
    #[inline]
    pub(crate) fn settle<const P: usize>(&mut self, network: &Network, lacking: &[[u64; P]]) {
        let valid = self.valid.words_mut();
        let (first, further) = lacking.split_at(words_for(network.actions).min(lacking.len()));
        for (word, lacking) in valid.iter_mut().zip(first) {
            *word = zeros(lacking);
        }
        if let [_, ..] = further
            && let Some(action_of) = &network.action_of
        {
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

/// Where the numbers that are spread over these words, a binary digit each, are zero.
#[inline]
pub(crate) fn zeros<const P: usize>(digits: &[u64; P]) -> u64 {
    !digits.iter().fold(0, |any, digit| any | digit)
}

/// A set of few numbers below a bound, in no order (Briggs & Torczon, "An efficient representation for sparse sets",
/// 1993).
#[derive(Clone, Debug)]
struct Sparse {
    members: Vec<u32>,
    /// Where each member is.
    places: Vec<u32>,
}

impl Sparse {
    fn new(bound: usize) -> Self {
        Self {
            members: Vec::with_capacity(bound),
            places: vec![0; bound],
        }
    }

    /// Adds a number that is no member.
    fn insert(&mut self, number: u32) {
        self.places[number as usize] = id32(self.members.len());
        self.members.push(number);
    }

    /// Takes out a member.
    fn remove(&mut self, number: u32) {
        let place = self.places[number as usize];
        self.members.swap_remove(place as usize);
        if let Some(&moved) = self.members.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }
}
