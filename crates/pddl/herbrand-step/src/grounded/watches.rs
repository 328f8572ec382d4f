//! Maintaining the fulfilled rows by watching one unsatisfied literal of each other row.

use crate::grounded::bits::{each_bit, words_for};
use crate::grounded::lists::Lists;
use crate::grounded::network::{Members, Method, Network};
use crate::grounded::propositions::id32;
use crate::grounded::truth::Truth;
use crate::grounded::validity::Validity;

/// For each unfulfilled row, one of its literals that does not hold. The row is examined again only when that literal
/// becomes true.
///
/// These are the watched literals of SAT solvers (Moskewicz et al., "Chaff", 2001), but one per row. Rows tend to watch
/// literals that seldom hold, so a step examines few rows, however many there are.
#[derive(Clone, Debug)]
pub(crate) struct Watches {
    /// For each literal, the first row that watches it.
    first: Vec<u32>,
    /// For each row, the next row that watches the same literal.
    next: Vec<u32>,
    /// The rows that are fulfilled.
    fulfilled: Vec<u64>,
    /// The non-zero words of `fulfilled`, as bits.
    used: Vec<u64>,
}

/// Marks the absence of a row.
const NONE: u32 = u32::MAX;

impl Watches {
    /// Creates the watches for the state described by `truth`.
    pub(crate) fn new(rows: &Lists<u32>, truth: &Truth, network: &Network, validity: &mut Validity) -> Self {
        let mut this = Self {
            first: vec![NONE; truth.len()],
            next: vec![NONE; rows.len()],
            fulfilled: vec![0; words_for(rows.len())],
            used: vec![0; words_for(words_for(rows.len()))],
        };
        for row in (0..id32(rows.len())).filter(|&row| network.is_row(row)) {
            this.place(rows, truth, row, network, validity);
        }
        this
    }

    /// Updates the watches after a change of state.
    pub(crate) fn update(
        &mut self,
        network: &Network,
        truth: &Truth,
        gained: &[u32],
        validity: &mut Validity,
    ) {
        let Method::Watch(rows) = &network.method else {
            return;
        };
        self.lose(rows, network, truth, gained, validity);
        for &literal in gained {
            // A row that starts to watch a literal here watches a literal that does not hold, so never a literal of this
            // list.
            let mut row = std::mem::replace(&mut self.first[literal as usize], NONE);
            while row != NONE {
                let following = self.next[row as usize];
                self.place(rows, truth, row, network, validity);
                row = following;
            }
        }
    }

    /// Removes the rows that lost a literal. They are searched among the rows that contain it or, if there are many, among
    /// the fulfilled rows.
    fn lose(
        &mut self,
        rows: &Lists<u32>,
        network: &Network,
        truth: &Truth,
        gained: &[u32],
        validity: &mut Validity,
    ) {
        for &literal in gained {
            let needs = network.needs.get(literal as usize ^ 1);
            if needs.len() > 8 && needs.len() > validity.valid.len() {
                return self.recheck(rows, truth, network, validity);
            }
            for &Members { word, bits } in needs {
                let lost = self.fulfilled[word as usize] & bits;
                if lost != 0 {
                    self.take_out(word, lost);
                    validity.lose(network, word, lost);
                    each_bit(word, lost, |row| self.watch(row, literal ^ 1));
                }
            }
        }
    }

    /// Re-examines every fulfilled row.
    fn recheck(&mut self, rows: &Lists<u32>, truth: &Truth, network: &Network, validity: &mut Validity) {
        for group in 0..self.used.len() {
            each_bit(id32(group), self.used[group], |word| {
                let mut lost = 0;
                each_bit(word, self.fulfilled[word as usize], |row| {
                    if let Some(literal) = missing(rows, truth, row) {
                        lost |= 1 << (row % 64);
                        self.watch(row, literal);
                    }
                });
                if lost != 0 {
                    self.take_out(word, lost);
                    validity.lose(network, word, lost);
                }
            });
        }
    }

    fn take_out(&mut self, word: u32, rows: u64) {
        self.fulfilled[word as usize] &= !rows;
        if self.fulfilled[word as usize] == 0 {
            self.used[word as usize / 64] &= !(1 << (word % 64));
        }
    }

    #[inline]
    fn watch(&mut self, row: u32, literal: u32) {
        self.next[row as usize] = std::mem::replace(&mut self.first[literal as usize], row);
    }

    /// Makes a row watch a literal that does not hold, or records that the row is fulfilled.
    #[inline]
    fn place(
        &mut self,
        rows: &Lists<u32>,
        truth: &Truth,
        row: u32,
        network: &Network,
        validity: &mut Validity,
    ) {
        if let Some(literal) = missing(rows, truth, row) {
            self.watch(row, literal);
        } else {
            let (word, bit) = (row / 64, 1 << (row % 64));
            self.fulfilled[word as usize] |= bit;
            self.used[word as usize / 64] |= 1 << (word % 64);
            validity.gain(network, word, bit);
        }
    }
}

/// Returns the first literal of a row that does not hold.
#[inline]
fn missing(rows: &Lists<u32>, truth: &Truth, row: u32) -> Option<u32> {
    rows.get(row as usize)
        .iter()
        .copied()
        .find(|&literal| !truth.holds(literal))
}
