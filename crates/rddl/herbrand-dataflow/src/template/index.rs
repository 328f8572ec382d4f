//! Row indices: where in an array each row finds its value.

use std::sync::Arc;

/// A function from the row numbers of a template, which count from 0, to other numbers: positions in an array, draw
/// sites, or items of a type. It is part of an [`Input`](super::Input) or a [`Lookup`](super::Lookup), or passed to
/// [`Body::site`](super::Body::site).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// Linear in the coordinates of a row in a grid. Axes are listed with the outermost first. Arithmetic wraps around.
    ///
    /// ```text
    ///   start 5, axes [(2, 10), (3, 1)]:   rows 0..6 ──▶ 5 6 7 15 16 17
    /// ```
    Strided {
        /// The number of the first row.
        start: u32,
        /// The size and the stride of each axis: the number of coordinates, and the growth of the number from one to the
        /// next.
        axes: Box<[(u32, u32)]>,
    },
    /// One number per row; each row of the template needs one.
    Listed(Arc<[u32]>),
}

impl Index {
    /// Creates a strided index whose first row has the number `start`, from the size and the stride of each axis, the
    /// outermost first. Merges neighbouring axes if the numbers stay the same.
    #[must_use]
    pub fn strided(start: u32, axes: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (size, stride) in axes.into_iter().filter(|&(size, _)| size != 1) {
            match merged.last_mut() {
                Some(outer) if outer.1 == stride.wrapping_mul(size) => *outer = (outer.0 * size, stride),
                _ => merged.push((size, stride)),
            }
        }
        Self::Strided {
            start,
            axes: merged.into(),
        }
    }

    /// Returns the heap memory of the index in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Strided { axes, .. } => size_of_val(&**axes) as u64,
            Self::Listed(all) => size_of_val(&**all) as u64,
        }
    }

    /// Returns the number that the index gives to the row with number `row`. Rows beyond the grid of a strided index
    /// start over. Panics if a listed index has no such row, or if an axis of a strided index has size 0.
    #[must_use]
    pub fn at(&self, row: u32) -> u32 {
        match self {
            Self::Strided { start, axes } => along(*start, axes, row),
            Self::Listed(all) => all[row as usize],
        }
    }

    /// Splits `count` rows from `row` on into runs with a constant stride. Calls `visit` with the first lane of a run, its
    /// length, its first number and its stride.
    #[inline]
    fn runs(
        start: u32,
        axes: &[(u32, u32)],
        row: u32,
        count: usize,
        mut visit: impl FnMut(usize, usize, u32, u32),
    ) {
        let Some((&(size, stride), outer)) = axes.split_last() else {
            return visit(0, count, start, 0);
        };
        let (mut group, mut item) = (row / size, row % size);
        let mut lane = 0;
        while lane < count {
            let run = (count - lane).min((size - item) as usize);
            let first = along(start, outer, group).wrapping_add(item.wrapping_mul(stride));
            visit(lane, run, first, stride);
            lane += run;
            (group, item) = (group + 1, 0);
        }
    }

    /// Writes the numbers of the rows from `row` on.
    pub(super) fn write(&self, row: u32, into: &mut [u32]) {
        match self {
            Self::Strided { start, axes } => {
                Self::runs(*start, axes, row, into.len(), |lane, run, first, stride| {
                    let numbers = (0..).map(|step: u32| first.wrapping_add(step.wrapping_mul(stride)));
                    into[lane..lane + run]
                        .iter_mut()
                        .zip(numbers)
                        .for_each(|(out, number)| *out = number);
                });
            }
            Self::Listed(all) => into.copy_from_slice(&all[row as usize..][..into.len()]),
        }
    }

    /// Writes the numbers of the rows from `row` on, as ints.
    pub(super) fn write_ints(&self, row: u32, into: &mut [i64]) {
        match self {
            Self::Strided { start, axes } => {
                Self::runs(*start, axes, row, into.len(), |lane, run, first, stride| {
                    let numbers = (0..).map(|step: i64| i64::from(first) + step * i64::from(stride));
                    into[lane..lane + run]
                        .iter_mut()
                        .zip(numbers)
                        .for_each(|(out, number)| *out = number);
                });
            }
            Self::Listed(all) => {
                let numbers = &all[row as usize..][..into.len()];
                into.iter_mut()
                    .zip(numbers)
                    .for_each(|(out, &number)| *out = i64::from(number));
            }
        }
    }

    /// Copies the array elements of the rows from `row` on.
    #[inline]
    pub(super) fn copy<T: Copy>(&self, array: &[T], row: u32, into: &mut [T]) {
        match self {
            Self::Strided { start, axes } => {
                Self::runs(*start, axes, row, into.len(), |lane, run, first, stride| {
                    let out = &mut into[lane..lane + run];
                    let from = &array[first as usize..];
                    match stride {
                        0 => out.fill(from[0]),
                        1 => out.copy_from_slice(&from[..run]),
                        _ => {
                            let mut place = 0;
                            for out in out {
                                *out = from[place];
                                place += stride as usize;
                            }
                        }
                    }
                });
            }
            Self::Listed(all) => {
                let places = &all[row as usize..][..into.len()];
                into.iter_mut()
                    .zip(places)
                    .for_each(|(out, &place)| *out = array[place as usize]);
            }
        }
    }
}

/// Returns the number of a row of a grid.
#[inline]
fn along(start: u32, axes: &[(u32, u32)], row: u32) -> u32 {
    let mut rest = row;
    axes.iter().rev().fold(start, |number, &(size, stride)| {
        let item = rest % size;
        rest /= size;
        number.wrapping_add(item.wrapping_mul(stride))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_agree_with_single_rows() {
        let grids: [&[(u32, u32)]; 6] = [
            &[],
            &[(7, 3)],
            &[(2, 10), (3, 1)],
            &[(2, 3), (3, 1)],
            &[(3, 0), (2, 4), (1, 9), (4, 0)],
            &[(2, 1), (2, 2), (3, 4)],
        ];
        let array: Vec<u32> = (0..100).map(|place| place * 7 % 101).collect();
        for axes in grids {
            let total: u32 = axes.iter().map(|&(size, _)| size).product();
            let index = Index::strided(5, axes.iter().copied());
            let expected: Vec<u32> = (0..total)
                .map(|row| {
                    let mut rest = row;
                    let along = axes.iter().rev().map(|&(size, stride)| {
                        let item = rest % size;
                        rest /= size;
                        item * stride
                    });
                    5 + along.sum::<u32>()
                })
                .collect();
            let listed = Index::Listed(expected.clone().into());
            for first in 0..total {
                for count in 0..=total - first {
                    let slice = &expected[first as usize..(first + count) as usize];
                    let values: Vec<u32> = slice.iter().map(|&place| array[place as usize]).collect();
                    for index in [&index, &listed] {
                        let mut found = vec![0; count as usize];
                        index.write(first, &mut found);
                        assert_eq!(found, slice);
                        index.copy(&array, first, &mut found);
                        assert_eq!(found, values);
                        assert_eq!(index.at(first), expected[first as usize]);
                    }
                }
            }
        }
    }
}
