//! Observations that are bits of the state.

use crate::system_block::RowBit;

/// The form of observation rows whose elements are bits of the state, such as one per proposition. Blocks of environments
/// ([`SystemBlock`](crate::SystemBlock)) write such rows for many environments at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitRow {
    /// The bits of a row, in order.
    pub bits: Vec<RowBit>,
    /// Whether an element of the row has eight bits, the lowest first. Otherwise it has one, and is 0 or 1.
    pub packed: bool,
}

/// Writes the lowest bits of `words` to bytes: eight per byte if `packed`, and otherwise one. Bytes after the last word are 0.
#[inline]
pub(crate) fn write_bytes(words: &[u64], packed: bool, into: &mut [u8]) {
    if packed {
        let (whole, rest) = into.as_chunks_mut::<8>();
        let mut words = words.iter().copied().chain(std::iter::repeat(0));
        for (bytes, word) in whole.iter_mut().zip(&mut words) {
            *bytes = word.to_le_bytes();
        }
        if !rest.is_empty() {
            write_low(words.next().unwrap_or_default(), rest);
        }
        return;
    }
    for (bytes, word) in into.chunks_mut(64).zip(words.iter().chain(std::iter::repeat(&0))) {
        let (whole, rest) = bytes.as_chunks_mut::<8>();
        let mut groups = word.to_le_bytes().into_iter();
        for (bytes, group) in whole.iter_mut().zip(&mut groups) {
            *bytes = spread(group).to_le_bytes();
        }
        if !rest.is_empty() {
            write_low(spread(groups.next().unwrap_or_default()), rest);
        }
    }
}

/// Writes the lowest bytes of a word, the lowest first, to at most eight bytes.
///
/// Two numbers that may overlap are written: a copy of variable length would be a call.
#[inline]
fn write_low(word: u64, into: &mut [u8]) {
    let bits = 8 * into.len() as u32;
    if let Some(first) = into.first_chunk_mut() {
        *first = (word as u32).to_le_bytes();
        if let Some(last) = into.last_chunk_mut() {
            *last = ((word >> (bits - 32)) as u32).to_le_bytes();
        }
    } else if let Some(first) = into.first_chunk_mut() {
        *first = (word as u16).to_le_bytes();
        if let Some(last) = into.last_chunk_mut() {
            *last = ((word >> (bits - 16)) as u16).to_le_bytes();
        }
    } else if let Some(first) = into.first_mut() {
        *first = word as u8;
    }
}

/// Returns a word with one byte per bit, which is 0 or 1, the lowest bit first.
#[inline]
const fn spread(bits: u8) -> u64 {
    // Byte `i` keeps bit `i`; the sum carries any bit to the top of its byte.
    let own = (bits as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

/// Sets bit `index` of a row of bytes with eight bits each.
#[inline]
pub(crate) fn set_packed(row: &mut [u8], index: usize) {
    if let Some(byte) = row.get_mut(index / 8) {
        *byte |= 1 << (index % 8);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_have_the_bits_of_the_words(words in prop::collection::vec(any::<u64>(), 0..4), bytes in 0..300_usize) {
            let holds = |index: usize| words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1);
            let (mut plain, mut packed) = (vec![7; bytes], vec![7; bytes]);
            write_bytes(&words, false, &mut plain);
            write_bytes(&words, true, &mut packed);
            let mut expected = vec![0; bytes];
            (0..bytes * 8).filter(|&index| holds(index)).for_each(|index| set_packed(&mut expected, index));
            prop_assert_eq!(packed, expected);
            let expected: Vec<u8> = (0..bytes).map(|index| u8::from(holds(index))).collect();
            prop_assert_eq!(plain, expected);
        }
    }
}
