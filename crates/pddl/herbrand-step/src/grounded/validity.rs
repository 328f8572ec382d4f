//! Updating the valid actions as rows become fulfilled or unfulfilled.

use crate::grounded::bits::{each_bit, words_for};
use crate::grounded::network::Network;
use crate::grounded::products::Products;
use crate::grounded::propositions::id32;
use crate::grounded::valid::ValidActions;

/// The actions that are valid given the fulfilled rows.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Validity {
    pub(crate) valid: ValidActions,
    /// For each action, its number of fulfilled rows. Used only in large networks where some action has several rows.
    support: Vec<u32>,
    /// For each product, the fulfilled parts of each side.
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

    /// Records that rows, given as the bits of a word, became fulfilled.
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

    /// Records that rows, given as the bits of a word, are no longer fulfilled.
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

    /// Records that a part of a product became fulfilled.
    fn gain_part(&mut self, products: &Products, row: u32) {
        let part = products.part(row);
        let table = &products.tables[part.table as usize];
        let sides = &mut self.parts[part.table as usize];
        sides[part.side as usize].insert(part.index);
        for &other in &sides[1 - part.side as usize].members {
            self.valid.insert(table.action(part, other));
        }
    }

    /// Records that a part of a product is no longer fulfilled.
    fn lose_part(&mut self, products: &Products, row: u32) {
        let part = products.part(row);
        let table = &products.tables[part.table as usize];
        let sides = &mut self.parts[part.table as usize];
        sides[part.side as usize].remove(part.index);
        for &other in &sides[1 - part.side as usize].members {
            self.valid.remove(table.action(part, other));
        }
    }

    /// Recomputes the valid actions of a small network from the counts of unsatisfied literals of all rows.
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

/// Returns a mask of the positions whose bit-sliced number is zero.
#[inline]
pub(crate) fn zeros<const P: usize>(digits: &[u64; P]) -> u64 {
    !digits.iter().fold(0, |any, digit| any | digit)
}

/// A sparse set of integers below a bound, in arbitrary order (Briggs & Torczon, "An efficient representation for sparse
/// sets", 1993).
#[derive(Clone, Debug)]
struct Sparse {
    members: Vec<u32>,
    /// The index in `members` of each member.
    places: Vec<u32>,
}

impl Sparse {
    fn new(bound: usize) -> Self {
        Self {
            members: Vec::with_capacity(bound),
            places: vec![0; bound],
        }
    }

    /// Adds a number that is not a member.
    fn insert(&mut self, number: u32) {
        self.places[number as usize] = id32(self.members.len());
        self.members.push(number);
    }

    /// Removes a member.
    fn remove(&mut self, number: u32) {
        let place = self.places[number as usize];
        self.members.swap_remove(place as usize);
        if let Some(&moved) = self.members.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }
}
