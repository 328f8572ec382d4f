//! Transposition of bools between rows of lanes and states of environments.
//!
//! A row has one bool per lane, and a state has one bool per row. Eight rows and all their lanes are transposed together. A
//! word holds eight bools. Three rounds of swaps between pairs of words move the bools to their places, as for a matrix of 8
//! × 8 bits (H. S. Warren, *Hacker's Delight*, section 7-3). Each swap is a loop over consecutive words.
//!
//! ```text
//!           lanes 0 to 7   lanes 8 to 15                              word 0    word 1
//!   row 0   a a a a …      a a a a …                     lanes 0, 8   a b c …   a b c …
//!   row 1   b b b b …      b b b b …         turned      lanes 1, 9   a b c …   a b c …
//!   row 2   c c c c …      c c c c …                     lanes 2, 10  a b c …   a b c …
//!     ⋮                                                      ⋮
//! ```

use herbrand_dataflow::widest;

use super::batches::MOST_TOGETHER;

/// The number of rows transposed together: the number of bytes in a word.
const SIDE: usize = size_of::<u64>();

/// The maximum number of words per row.
const MOST_WORDS: usize = MOST_TOGETHER.div_ceil(SIDE);

/// Eight rows of words of bytes or bools.
type Tile<T> = [[[T; SIDE]; MOST_WORDS]; SIDE];

/// For each round: a mask of the swapped bytes, the distance in bits that they move, and the distance between the rows of a
/// pair.
const ROUNDS: [(u64, u32, usize); 3] = [
    (0x00FF_00FF_00FF_00FF, 8, 1),
    (0x0000_FFFF_0000_FFFF, 16, 2),
    (0x0000_0000_FFFF_FFFF, 32, 4),
];

/// Returns the first row of each tile. If the number of rows is not a multiple of eight, the last tile overlaps the one
/// before it, so that all tiles are complete.
fn tiles(rows: usize) -> impl Iterator<Item = usize> {
    let last = rows.saturating_sub(SIDE);
    (0..rows).step_by(SIDE).map(move |first| first.min(last))
}

/// Transposes the first words of each row: byte `b` of row `r` becomes byte `r` of row `b`.
fn turn(tile: &mut Tile<u8>, words: usize) {
    widest(
        #[inline(always)]
        || {
            for (low, bits, apart) in ROUNDS {
                for row in (0..SIDE).filter(|row| row & apart == 0) {
                    let [one, other] = tile.get_disjoint_mut([row, row + apart]).expect("two rows");
                    for (one, other) in one[..words].iter_mut().zip(&mut other[..words]) {
                        let (a, b) = (u64::from_le_bytes(*one), u64::from_le_bytes(*other));
                        let swapped = (a >> bits ^ b) & low;
                        *one = (a ^ swapped << bits).to_le_bytes();
                        *other = (b ^ swapped).to_le_bytes();
                    }
                }
            }
        },
    );
}

/// Copies the bools of states to the first lanes of rows. `rows` contains one row of `width` lanes per bool of a state.
pub(super) fn states_to_rows(states: &[&[bool]], rows: &mut [bool], width: usize) {
    let mut bools: Tile<bool> = [[[false; SIDE]; MOST_WORDS]; SIDE];
    let mut bytes: Tile<u8> = [[[0; SIDE]; MOST_WORDS]; SIDE];
    let words = states.len().div_ceil(SIDE);
    let count = rows.len() / width;
    for first in tiles(count) {
        let rows = &mut rows[first * width..(first + SIDE).min(count) * width];
        for (word, states) in states.chunks(SIDE).enumerate() {
            for (row, state) in bools.iter_mut().zip(states) {
                let (from, to) = (&state[first..], &mut row[word]);
                match from.first_chunk() {
                    Some(from) => *to = *from,
                    None => to[..from.len()].copy_from_slice(from),
                }
            }
        }
        for (bytes, bools) in bytes.iter_mut().zip(&bools) {
            let bytes = bytes.as_flattened_mut().iter_mut();
            bytes
                .zip(bools.as_flattened())
                .for_each(|(byte, &bool)| *byte = u8::from(bool));
        }
        turn(&mut bytes, words);
        for (row, turned) in rows.chunks_exact_mut(width).zip(&bytes) {
            let lanes = row[..states.len()].iter_mut();
            lanes
                .zip(turned.as_flattened())
                .for_each(|(to, &byte)| *to = byte != 0);
        }
    }
}

/// Copies the first lanes of rows of `width` lanes to states. `places` holds, for each bool of a state, its row.
pub(super) fn rows_to_states(rows: &[bool], width: usize, places: &[u32], states: &mut [&mut [bool]]) {
    let mut bytes: Tile<u8> = [[[0; SIDE]; MOST_WORDS]; SIDE];
    let mut bools: Tile<bool> = [[[false; SIDE]; MOST_WORDS]; SIDE];
    let words = states.len().div_ceil(SIDE);
    for first in tiles(places.len()) {
        let places = &places[first..(first + SIDE).min(places.len())];
        for (part, &place) in bytes.iter_mut().zip(places) {
            let row = &rows[place as usize * width..][..states.len()];
            let lanes = part.as_flattened_mut().iter_mut();
            lanes.zip(row).for_each(|(byte, &bool)| *byte = u8::from(bool));
        }
        turn(&mut bytes, words);
        for (bools, bytes) in bools.iter_mut().zip(&bytes) {
            let bools = bools.as_flattened_mut().iter_mut();
            bools
                .zip(bytes.as_flattened())
                .for_each(|(bool, &byte)| *bool = byte != 0);
        }
        for (word, states) in states.chunks_mut(SIDE).enumerate() {
            for (row, state) in bools.iter().zip(states) {
                let (from, to) = (&row[word], &mut state[first..]);
                match to.first_chunk_mut() {
                    Some(to) => *to = *from,
                    None => to.copy_from_slice(&from[..to.len()]),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both directions agree with copying the bools one at a time.
        #[test]
        fn bools_come_to_their_places(
            lanes in 1..=MOST_TOGETHER,
            more in 0_usize..9,
            count in 0_usize..30,
            bits in prop::collection::vec(any::<bool>(), 30 * MOST_TOGETHER),
            order in Just((0..30).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            let width = lanes + more;
            let of_states: Vec<&[bool]> = bits.chunks(count.max(1)).map(|state| &state[..count.min(state.len())]).take(lanes).collect();
            prop_assume!(of_states.len() == lanes);
            let mut rows = vec![true; count * width];
            states_to_rows(&of_states, &mut rows, width);
            for (lane, state) in of_states.iter().enumerate() {
                for (row, &value) in state.iter().enumerate() {
                    prop_assert_eq!(rows[row * width + lane], value);
                }
            }
            for row in rows.chunks(width) {
                prop_assert!(row[lanes..].iter().all(|&kept| kept));
            }
            let places: Vec<u32> = order.into_iter().filter(|&place| (place as usize) < count).collect();
            let mut back = vec![vec![false; count]; lanes];
            let mut to: Vec<&mut [bool]> = back.iter_mut().map(Vec::as_mut_slice).collect();
            rows_to_states(&rows, width, &places, &mut to);
            for (lane, state) in back.iter().enumerate() {
                for (&value, &place) in state.iter().zip(&places) {
                    prop_assert_eq!(value, of_states[lane][place as usize]);
                }
            }
        }
    }
}
