//! Fulfilled rows, kept by watching one literal of each row that is not.

use crate::grounded::bits::{each_bit, words_for};
use crate::grounded::lists::Lists;
use crate::grounded::network::{Members, Method, Network};
use crate::grounded::propositions::id32;
use crate::grounded::truth::Truth;
use crate::grounded::validity::Validity;

/// For each row that is not fulfilled, one of its literals that does not hold: the row is looked at again only when
/// that one comes to hold.
///
/// These are the watched literals of satisfiability solvers (Moskewicz et al., "Chaff", 2001), but one per row. Rows
/// keep watching a literal that seldom holds, so that few are looked at in a step however many there are.
#[derive(Clone, Debug)]
pub(crate) struct Watches {
    /// The first row that watches each literal.
    first: Vec<u32>,
    /// The next row that watches the same literal.
    next: Vec<u32>,
    /// The rows that are fulfilled.
    fulfilled: Vec<u64>,
    /// The words of those that are not zero.
    used: Vec<u64>,
}

/// No row.
const NONE: u32 = u32::MAX;

impl Watches {
    /// The watches of a state with these literals.
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

    /// Follows a change of state.
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
            // Rows that come to watch something watch what does not hold: never this list.
            let mut row = std::mem::replace(&mut self.first[literal as usize], NONE);
            while row != NONE {
                let following = self.next[row as usize];
                self.place(rows, truth, row, network, validity);
                row = following;
            }
        }
    }

    /// Takes out the rows that lost a literal: found among the rows that need it, or, where those are many, among
    /// the fulfilled.
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

    /// Looks at every fulfilled row.
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

    /// Has a row watch a literal that it lacks, or takes note that it lacks none.
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

/// The first literal of a row that does not hold.
#[inline]
fn missing(rows: &Lists<u32>, truth: &Truth, row: u32) -> Option<u32> {
    rows.get(row as usize)
        .iter()
        .copied()
        .find(|&literal| !truth.holds(literal))
}
