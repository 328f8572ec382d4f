//! Folds that reduce a group of rows to one value.

use super::super::math;
use super::super::operation::ValueType;

/// The operation that combines the values of a group of rows, in row order, to one value; an argument of
/// [`Groups`](super::Groups). `All`, `Any` and `Count` take bools, `ArgMax` and `ArgMin` reals, and the others ints or
/// reals, which is not checked. An empty group is true for `All`, 1 for `Product`, and otherwise false or 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// Whether all values are true.
    All,
    /// Whether at least one value is true.
    Any,
    /// The number of true values.
    Count,
    /// The wrapping sum of ints, or the sum of reals from left to right.
    Sum,
    /// The wrapping product of ints, or the product of reals from left to right.
    Product,
    /// The minimum; NaN if a real is NaN. Groups must not be empty.
    Minimum,
    /// The maximum; NaN if a real is NaN. Groups must not be empty.
    Maximum,
    /// The position in the group, from 0, of the first largest real, or of the first NaN. Groups must not be empty.
    ArgMax,
    /// The position in the group, from 0, of the first smallest real, or of the first NaN. Groups must not be empty.
    ArgMin,
}

impl Fold {
    /// Returns the kind of the combined value of a group, given the kind of the values of its rows.
    #[must_use]
    pub const fn kind(self, of_row: ValueType) -> ValueType {
        match self {
            Self::All | Self::Any => ValueType::Bool,
            Self::Count | Self::ArgMax | Self::ArgMin => ValueType::Int,
            Self::Sum | Self::Product | Self::Minimum | Self::Maximum => of_row,
        }
    }
}

/// The fold of the first rows of a group.
#[derive(Clone, Copy, Default)]
pub(super) struct Total {
    /// The number of rows folded so far.
    rows: u64,
    /// The number of true rows.
    trues: u64,
    /// The fold of ints, or the position of an extreme.
    int: i64,
    real: f64,
}

impl Total {
    /// Adds bool rows. Every fold of bools is computed from the number of true rows.
    pub(super) fn add_bools(&mut self, _fold: Fold, rows: &[bool]) {
        self.rows += rows.len() as u64;
        // Sums of bytes vectorise best. A byte holds at most 255.
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

    /// Updates the position of the first extreme, or of the first NaN.
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
