//! One value of a group of rows.

use super::super::math;
use super::super::term::Kind;

/// What becomes of the values of a group of rows, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// Whether all are true.
    All,
    /// Whether one is true.
    Any,
    /// How many bools are true.
    Count,
    /// The sum of ints, wrapping around, or of reals, from the left.
    Sum,
    /// The product of ints, wrapping around, or of reals, from the left.
    Product,
    /// The least; groups are not empty.
    Minimum,
    /// The greatest; groups are not empty.
    Maximum,
    /// The place of the first largest real; groups are not empty.
    ArgMax,
    /// The place of the first least real; groups are not empty.
    ArgMin,
}

impl Fold {
    /// The kind of the result for values of a kind.
    #[must_use]
    pub const fn kind(self, of_row: Kind) -> Kind {
        match self {
            Self::All | Self::Any => Kind::Bool,
            Self::Count | Self::ArgMax | Self::ArgMin => Kind::Int,
            Self::Sum | Self::Product | Self::Minimum | Self::Maximum => of_row,
        }
    }
}

/// What came of the first rows of a group.
#[derive(Clone, Copy, Default)]
pub(super) struct Total {
    /// The number of rows.
    rows: u64,
    /// How many of them are true.
    trues: u64,
    /// The fold of ints, or the place of an extreme.
    int: i64,
    real: f64,
}

impl Total {
    /// Takes in rows of bools: all folds of them are counts.
    pub(super) fn add_bools(&mut self, _fold: Fold, rows: &[bool]) {
        self.rows += rows.len() as u64;
        // Counts of bytes are what vector instructions are best at.
        for part in rows.chunks(255) {
            let trues = part.iter().fold(0_u8, |trues, &row| trues + u8::from(row));
            self.trues += u64::from(trues);
        }
    }

    pub(super) fn add_ints(&mut self, fold: Fold, rows: &[i64]) {
        let Some((&first, rest)) = rows.split_first() else {
            return;
        };
        let (start, rest) = if self.rows == 0 {
            (first, rest)
        } else {
            (self.int, rows)
        };
        let rest = rest.iter().copied();
        self.int = match fold {
            Fold::Product => rest.fold(start, i64::wrapping_mul),
            Fold::Minimum => rest.fold(start, i64::min),
            Fold::Maximum => rest.fold(start, i64::max),
            _ => rest.fold(start, i64::wrapping_add),
        };
        self.rows += rows.len() as u64;
    }

    pub(super) fn add_reals(&mut self, fold: Fold, rows: &[f64]) {
        let Some((&first, rest)) = rows.split_first() else {
            return;
        };
        let fresh = self.rows == 0;
        let (start, after) = if fresh { (first, rest) } else { (self.real, rows) };
        let after = after.iter().copied();
        self.real = match fold {
            Fold::Product => rows
                .iter()
                .fold(if fresh { 1.0 } else { self.real }, |product, row| product * row),
            Fold::Minimum => after.fold(start, math::min_real),
            Fold::Maximum => after.fold(start, math::max_real),
            Fold::ArgMax | Fold::ArgMin => return self.add_places(fold, rows),
            _ => rows
                .iter()
                .fold(if fresh { 0.0 } else { self.real }, |sum, row| sum + row),
        };
        self.rows += rows.len() as u64;
    }

    /// The first extreme so far, or the first NaN.
    fn add_places(&mut self, fold: Fold, rows: &[f64]) {
        for &row in rows {
            let better = if fold == Fold::ArgMax {
                row > self.real
            } else {
                row < self.real
            };
            if self.rows == 0 || better || row.is_nan() && !self.real.is_nan() {
                (self.int, self.real) = (self.rows as i64, row);
            }
            self.rows += 1;
        }
    }

    pub(super) fn bool(self, fold: Fold) -> bool {
        match fold {
            Fold::Any => self.trues > 0,
            _ => self.trues == self.rows,
        }
    }

    pub(super) const fn int(self, fold: Fold) -> i64 {
        match fold {
            Fold::Count => self.trues as i64,
            Fold::Product if self.rows == 0 => 1,
            _ => self.int,
        }
    }

    pub(super) const fn real(self, fold: Fold) -> f64 {
        match fold {
            Fold::Product if self.rows == 0 => 1.0,
            _ => self.real,
        }
    }
}
