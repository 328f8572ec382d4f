//! Planes: one bit per lane.

pub(crate) use herbrand_core::widest;

/// One bit per lane, 64 lanes per word: lane `i` is bit `i % 64` of word `i / 64`.
pub(crate) type Plane<const N: usize> = [u64; N];

/// The number of planes that [`transpose`] exchanges with numbers.
pub(crate) const DIGITS: usize = 16;

/// The digits of one number per lane, in one of two forms, which [`transpose`] exchanges: as planes, item `d` is the plane
/// of digit `d`; as numbers, word `w` of item `j` has the numbers of lanes `64 w + j`, `64 w + 16 + j`, `64 w + 32 + j` and
/// `64 w + 48 + j`, 16 bits each.
pub(crate) type Digits<const N: usize> = [Plane<N>; DIGITS];

/// Combines planes word by word.
#[inline(always)]
pub(crate) fn zip<const N: usize>(one: &Plane<N>, other: &Plane<N>, f: impl Fn(u64, u64) -> u64) -> Plane<N> {
    // A loop: `std::array::from_fn` is not turned into vector instructions.
    let mut both = [0; N];
    for word in 0..N {
        both[word] = f(one[word], other[word]);
    }
    both
}

/// Returns whether no lane is in a plane.
#[inline(always)]
pub(crate) fn is_empty<const N: usize>(plane: &Plane<N>) -> bool {
    let mut all = 0;
    for word in plane {
        all |= word;
    }
    all == 0
}

/// Returns whether a lane is in a plane.
#[inline(always)]
pub(crate) fn bit<const N: usize>(plane: &Plane<N>, lane: usize) -> bool {
    plane[lane / 64] >> (lane % 64) & 1 == 1
}

/// Puts the lanes `which` into a plane, or takes them out.
#[inline(always)]
pub(crate) fn put<const N: usize>(plane: &mut Plane<N>, which: &Plane<N>, holds: bool) {
    let all = u64::from(holds).wrapping_neg();
    *plane = zip(plane, which, |plane, which| (plane & !which) | (which & all));
}

/// Makes literals true in the lanes `which`.
///
/// The planes are looked up by literal: a loop over planes would be turned into gathers from and scatters to single words.
#[inline(always)]
pub(crate) fn put_all<const N: usize>(planes: &mut [Plane<N>], literals: &[u32], which: &Plane<N>) {
    for &literal in literals {
        put(
            &mut planes[literal as usize / 2],
            which,
            literal.is_multiple_of(2),
        );
    }
}

/// Calls `visit` with the number of every lane of a plane, ascending.
#[inline(always)]
pub(crate) fn each_lane<const N: usize>(plane: &Plane<N>, mut visit: impl FnMut(usize)) {
    for (word, &bits) in plane.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            visit(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Exchanges the two forms of [`Digits`], in place: a transposition of 16 × 16 bits in each quarter of a word (Warren,
/// "Hacker's Delight", 7-3). It is its own inverse.
#[inline(always)]
pub(crate) fn transpose<const N: usize>(digits: &mut Digits<N>) {
    for word in 0..N {
        let mut items: [u64; DIGITS] = std::array::from_fn(|item| digits[item][word]);
        exchange::<DIGITS, 8, 8>(&mut items, 0x00ff_00ff_00ff_00ff);
        exchange::<DIGITS, 4, 4>(&mut items, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<DIGITS, 2, 2>(&mut items, 0x3333_3333_3333_3333);
        exchange::<DIGITS, 1, 1>(&mut items, 0x5555_5555_5555_5555);
        for (digit, item) in digits.iter_mut().zip(items) {
            digit[word] = item;
        }
    }
}

/// Exchanges the high halves of items with the low halves of the items `DISTANCE` later. `low` selects the low halves, of
/// `WIDTH` bits each.
#[inline(always)]
pub(crate) fn exchange<const ITEMS: usize, const DISTANCE: usize, const WIDTH: usize>(
    items: &mut [u64; ITEMS],
    low: u64,
) {
    for pair in 0..ITEMS / 2 {
        let one = pair / DISTANCE * DISTANCE * 2 + pair % DISTANCE;
        let other = one + DISTANCE;
        let differing = ((items[one] >> WIDTH) ^ items[other]) & low;
        items[one] ^= differing << WIDTH;
        items[other] ^= differing;
    }
}

/// One number per lane, 64 lanes per word of a plane.
pub(crate) type Numbers<const N: usize> = [[u16; 64]; N];

/// Returns the number of each lane, from digits in the form of numbers.
#[inline(always)]
pub(crate) fn unpack<const N: usize>(digits: &Digits<N>) -> Numbers<N> {
    let mut items = [[0; DIGITS]; N];
    // A loop over bits: a loop over items would be turned into gathers of single words.
    let mut rest = u32::from(u16::MAX);
    while rest != 0 {
        let item = rest.trailing_zeros() as usize % DIGITS;
        rest &= rest - 1;
        for word in 0..N {
            items[word][item] = digits[item][word];
        }
    }
    let mut numbers = [[0; 64]; N];
    for (items, numbers) in items.iter().zip(&mut numbers) {
        for (quarter, numbers) in numbers.as_chunks_mut::<DIGITS>().0.iter_mut().enumerate() {
            for (number, item) in numbers.iter_mut().zip(items) {
                *number = (item >> (quarter * DIGITS)) as u16;
            }
        }
    }
    numbers
}

/// Writes the numbers of the lanes of a word, which are less than 2^16, to digits in the form of numbers.
#[inline(always)]
pub(crate) fn pack<const N: usize>(numbers: &[u64; 64], digits: &mut Digits<N>, word: usize) {
    let (quarters, _) = numbers.as_chunks::<DIGITS>();
    let mut items = [0; DIGITS];
    for (quarter, numbers) in quarters.iter().enumerate() {
        for (item, number) in items.iter_mut().zip(numbers) {
            *item |= number << (quarter * DIGITS);
        }
    }
    for (digit, item) in digits.iter_mut().zip(items) {
        digit[word] = item;
    }
}

#[cfg(test)]
mod tests {
    use herbrand_core::Random;
    use rand::Rng;

    use super::*;

    #[test]
    fn a_transposition_exchanges_planes_and_numbers() {
        let mut random = Random::new(1);
        let planes: Digits<2> = std::array::from_fn(|_| std::array::from_fn(|_| random.next_u64()));
        let mut digits = planes;
        widest(|| transpose(&mut digits));
        let numbers = widest(|| unpack(&digits));
        for lane in 0..128 {
            let expected = (0..DIGITS).map(|digit| (planes[digit][lane / 64] >> (lane % 64) & 1) << digit);
            assert_eq!(
                u64::from(numbers[lane / 64][lane % 64]),
                expected.sum::<u64>(),
                "{lane}"
            );
        }
        transpose(&mut digits);
        assert_eq!(digits, planes);
    }

    #[test]
    fn every_lane_of_a_plane_is_visited() {
        let mut lanes = Vec::new();
        each_lane(&[1 << 63, 5], |lane| lanes.push(lane));
        assert_eq!(lanes, [63, 64, 66]);
    }
}
