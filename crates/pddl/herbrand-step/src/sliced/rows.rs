//! Planes the other way round: a row of bits per lane.

use crate::sliced::plane::{Plane, exchange};

/// Writes a row of `count` bits for every lane to `rows`, one after the other, in whole words: bit `i` of the row of a lane
/// tells whether the lane is in plane `i`. Bits beyond the last plane are 0.
#[inline(always)]
pub(crate) fn write_rows<const N: usize>(count: usize, plane: impl Fn(usize) -> Plane<N>, rows: &mut [u64]) {
    let words = count.div_ceil(64);
    let mut square = [[0; N]; 64];
    for word in 0..words {
        let start = word * 64;
        let filled = (count - start).min(64);
        for (place, item) in square[..filled].iter_mut().enumerate() {
            *item = plane(start + place);
        }
        square[filled..].fill([0; N]);
        transpose(&mut square);
        for (group, rows) in rows.chunks_mut(64 * words).enumerate() {
            for (row, item) in rows.chunks_mut(words).zip(&square) {
                row[word] = item[group];
            }
        }
    }
}

/// Transposes a square of 64 × 64 bits for each word of planes, in place (Warren, "Hacker's Delight", 7-3): bit `i` of item
/// `j` becomes bit `j` of item `i`. Eight items at a time, so that they stay in registers.
#[expect(
    clippy::needless_range_loop,
    reason = "the word is the same in eight or 64 items"
)]
#[inline(always)]
fn transpose<const N: usize>(square: &mut [Plane<N>; 64]) {
    for first in 0..8 {
        for word in 0..N {
            let mut items: [u64; 8] = std::array::from_fn(|item| square[first + 8 * item][word]);
            exchange::<8, 4, 32>(&mut items, 0x0000_0000_ffff_ffff);
            exchange::<8, 2, 16>(&mut items, 0x0000_ffff_0000_ffff);
            exchange::<8, 1, 8>(&mut items, 0x00ff_00ff_00ff_00ff);
            for (item, bits) in items.into_iter().enumerate() {
                square[first + 8 * item][word] = bits;
            }
        }
    }
    for eight in square.as_chunks_mut::<8>().0 {
        for word in 0..N {
            let mut items: [u64; 8] = std::array::from_fn(|item| eight[item][word]);
            exchange::<8, 4, 4>(&mut items, 0x0f0f_0f0f_0f0f_0f0f);
            exchange::<8, 2, 2>(&mut items, 0x3333_3333_3333_3333);
            exchange::<8, 1, 1>(&mut items, 0x5555_5555_5555_5555);
            for (item, bits) in items.into_iter().enumerate() {
                eight[item][word] = bits;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_core::Random;
    use rand::Rng;

    use super::*;
    use crate::sliced::plane::{bit, widest};

    #[test]
    fn every_lane_gets_its_row() {
        let mut random = Random::new(1);
        for count in [0, 1, 63, 64, 65, 130] {
            let planes: Vec<Plane<3>> = (0..count)
                .map(|_| std::array::from_fn(|_| random.next_u64()))
                .collect();
            let words = usize::div_ceil(count, 64);
            let mut rows = vec![7; words * 192];
            widest(|| write_rows(count, |index| planes[index], &mut rows));
            for lane in 0..192 {
                for place in 0..words * 64 {
                    let expected = planes.get(place).is_some_and(|plane| bit(plane, lane));
                    let found = rows[lane * words + place / 64] >> (place % 64) & 1 == 1;
                    assert_eq!(found, expected, "plane {place} of {count}, lane {lane}");
                }
            }
        }
    }
}
