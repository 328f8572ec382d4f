//! Rows of packed bits. The bit of id `i` is bit `i % 8` of byte `i / 8`; ids beyond the end of the row are ignored.

use std::ops::Range;

/// Sets or clears a bit.
#[inline]
pub(crate) fn set(row: &mut [u8], number: usize, truth: bool) {
    if let Some(byte) = row.get_mut(number / 8) {
        let bit = 1 << (number % 8);
        *byte = *byte & !bit | if truth { bit } else { 0 };
    }
}

/// Sets the bits of a range of ids.
pub(crate) fn set_all(row: &mut [u8], numbers: Range<usize>) {
    let start = numbers.start.next_multiple_of(8).min(numbers.end);
    let end = start.max(numbers.end / 8 * 8);
    (numbers.start..start).for_each(|number| set(row, number, true));
    let whole = start.div_ceil(8).min(row.len())..(end / 8).min(row.len());
    if let Some(bytes) = row.get_mut(whole) {
        bytes.fill(0xff);
    }
    (end..numbers.end).for_each(|number| set(row, number, true));
}

/// Copies words of 64 bits, lowest bit first, to the start of the row and clears the rest of it.
pub(crate) fn copy(row: &mut [u8], words: &[u64]) {
    let (chunks, rest) = row.as_chunks_mut::<8>();
    let mut words = words.iter().copied().chain(std::iter::repeat(0));
    for (chunk, word) in chunks.iter_mut().zip(&mut words) {
        *chunk = word.to_le_bytes();
    }
    let last = words.next().unwrap_or(0).to_le_bytes();
    rest.copy_from_slice(&last[..rest.len()]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_and_words_are_written_bit_by_bit(
            words in prop::collection::vec(any::<u64>(), 0..4),
            bytes in 0..30_usize,
            start in 0..250_usize,
            length in 0..100_usize,
        ) {
            let mut row = vec![0x55; bytes];
            copy(&mut row, &words);
            set_all(&mut row, start..start + length);
            let mut expected = vec![0; bytes];
            for number in 0..bytes * 8 {
                let own = words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
                set(&mut expected, number, own || (start..start + length).contains(&number));
            }
            prop_assert_eq!(row, expected);
        }
    }
}
