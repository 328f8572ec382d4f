//! Counting the valid operators of every lane, and choosing one by its rank.

use crate::sliced::plane::{DIGITS, Digits, Plane, is_empty, zip};

/// The number of operators per block.
pub(crate) const BLOCK: usize = 32;

/// The digits of a count of at most [`BLOCK`] operators.
pub(crate) const COUNT: usize = 6;

/// The digits of a rank within a block.
pub(crate) const PLACE: usize = 5;

/// The number of valid operators of a block in each lane, digit by digit.
pub(crate) type Count<const N: usize> = [Plane<N>; COUNT];

/// Adds three bits: returns carry and sum.
#[inline(always)]
fn add_three<const N: usize>(a: &Plane<N>, b: &Plane<N>, c: &Plane<N>) -> (Plane<N>, Plane<N>) {
    let (mut carry, mut sum) = ([0; N], [0; N]);
    for word in 0..N {
        let either = a[word] ^ b[word];
        sum[word] = either ^ c[word];
        carry[word] = (a[word] & b[word]) | (either & c[word]);
    }
    (carry, sum)
}

/// The number of planes that are counted at once.
pub(crate) const EIGHT: usize = 8;

/// Adds eight planes to a count of at most [`BLOCK`] - 8 in each lane, and returns the lanes that are in one of them.
///
/// They are added by carry-save adders, which take three bits of one weight and give one of it and one of the next.
#[inline(always)]
pub(crate) fn count_eight<const N: usize>(
    digits: &mut Count<N>,
    [a, b, c, d, e, f, g, h]: &[Plane<N>; EIGHT],
) -> Plane<N> {
    let (twos_a, ones) = add_three(&digits[0], a, b);
    let (twos_b, ones) = add_three(&ones, c, d);
    let (fours_a, twos) = add_three(&digits[1], &twos_a, &twos_b);
    let (twos_a, ones) = add_three(&ones, e, f);
    let (twos_b, ones) = add_three(&ones, g, h);
    let (fours_b, twos) = add_three(&twos, &twos_a, &twos_b);
    let (carry, fours) = add_three(&digits[2], &fours_a, &fours_b);
    (digits[0], digits[1], digits[2]) = (ones, twos, fours);
    ripple(digits, 3, carry);
    let mut any = [0; N];
    for word in 0..N {
        any[word] = a[word] | b[word] | c[word] | d[word] | e[word] | f[word] | g[word] | h[word];
    }
    any
}

/// Counts in each lane the planes that contain it, at most [`BLOCK`].
#[inline(always)]
pub(crate) fn count<const N: usize>(planes: &[Plane<N>]) -> Count<N> {
    let mut digits: Count<N> = [[0; N]; COUNT];
    let (eights, rest) = planes.as_chunks::<EIGHT>();
    for planes in eights {
        count_eight(&mut digits, planes);
    }
    for plane in rest {
        ripple(&mut digits, 0, *plane);
    }
    digits
}

/// Adds a bit of weight 2^`from`.
#[inline(always)]
fn ripple<const N: usize, const D: usize>(digits: &mut [Plane<N>; D], from: usize, mut carry: Plane<N>) {
    for digit in &mut digits[from..] {
        for word in 0..N {
            let both = digit[word] & carry[word];
            digit[word] ^= carry[word];
            carry[word] = both;
        }
    }
}

/// Adds the count of a block to a total of `width` digits.
#[inline(always)]
pub(crate) fn add<const N: usize>(total: &mut Digits<N>, width: usize, count: &Count<N>) {
    let mut carry = [0; N];
    for (digit, plane) in total.iter_mut().zip(count) {
        (carry, *digit) = add_three(digit, plane, &carry);
    }
    for digit in &mut total[COUNT.min(width)..width] {
        for word in 0..N {
            let both = digit[word] & carry[word];
            digit[word] ^= carry[word];
            carry[word] = both;
        }
    }
}

/// Returns the lanes in which a number is smaller than another. Digits that `other` lacks are 0; it has no more than `number`,
/// but for digits that are 0.
#[inline(always)]
fn less<const N: usize>(number: &[Plane<N>], other: &[Plane<N>]) -> Plane<N> {
    let common = number.len().min(other.len());
    let (low, high) = number.split_at(common);
    let mut borrow = [0; N];
    for (digit, other) in low.iter().zip(other) {
        for word in 0..N {
            borrow[word] = (!digit[word] & (other[word] | borrow[word])) | (other[word] & borrow[word]);
        }
    }
    for digit in high {
        for word in 0..N {
            borrow[word] &= !digit[word];
        }
    }
    borrow
}

/// Subtracts two bits: returns borrow and difference.
#[inline(always)]
fn subtract_two<const N: usize>(a: &Plane<N>, b: &Plane<N>, c: &Plane<N>) -> (Plane<N>, Plane<N>) {
    let (mut borrow, mut difference) = ([0; N], [0; N]);
    for word in 0..N {
        let either = b[word] | c[word];
        difference[word] = a[word] ^ b[word] ^ c[word];
        borrow[word] = (!a[word] & either) | (b[word] & c[word]);
    }
    (borrow, difference)
}

/// Subtracts a count in all lanes, and returns the lanes in which the result is negative.
#[inline(always)]
fn subtract_count<const N: usize, const WIDTH: usize>(
    number: &mut [Plane<N>; WIDTH],
    count: &Count<N>,
) -> Plane<N> {
    let mut borrow = [0; N];
    for (place, digit) in number.iter_mut().enumerate() {
        let other = count.get(place).unwrap_or(&[0; N]);
        (borrow, *digit) = subtract_two(digit, other, &borrow);
    }
    borrow
}

/// Subtracts another number in the lanes `which`. Digits are as for [`less`].
#[inline(always)]
fn subtract<const N: usize>(number: &mut [Plane<N>], other: &[Plane<N>], which: &Plane<N>) {
    let common = number.len().min(other.len());
    let (low, high) = number.split_at_mut(common);
    let mut borrow = [0; N];
    for (digit, other) in low.iter_mut().zip(other) {
        for word in 0..N {
            let (own, other) = (digit[word], other[word] & which[word]);
            digit[word] = own ^ other ^ borrow[word];
            borrow[word] = (!own & (other | borrow[word])) | (other & borrow[word]);
        }
    }
    for digit in high {
        for word in 0..N {
            let own = digit[word];
            digit[word] = own ^ borrow[word];
            borrow[word] &= !own;
        }
    }
}

/// Adds the lanes `which` of a plane to another.
#[inline(always)]
fn collect<const N: usize>(all: &mut Plane<N>, plane: &Plane<N>, which: &Plane<N>) {
    let some = zip(plane, which, |plane, which| plane & which);
    *all = zip(all, &some, |all, some| all | some);
}

/// Replaces the lanes `which` of a plane by those of another.
#[inline(always)]
fn blend<const N: usize>(plane: &mut Plane<N>, which: &Plane<N>, other: &Plane<N>) {
    for word in 0..N {
        plane[word] ^= (plane[word] ^ other[word]) & which[word];
    }
}

/// Returns the digits of the number of the operator that has rank `ranks` among the valid ones of each lane of `lanes`;
/// `width` is the number of digits of ranks. `valid` has whole blocks, and `counts` their counts; `occupied` are the eights of
/// each block that may have a valid operator, as bits. Other lanes get any number.
///
/// In three stages: the blocks are passed in order, and the count of each is subtracted from the ranks; a lane stops at the
/// block whose count exceeds its rank. Then the block at which each lane has stopped is gathered. One block per lane remains,
/// in which halves are passed.
#[inline(always)]
pub(crate) fn choose<const N: usize>(
    valid: &[Plane<N>],
    counts: &[Count<N>],
    occupied: &[u8],
    width: usize,
    ranks: Digits<N>,
    lanes: Plane<N>,
) -> Digits<N> {
    // With a known number of digits, ranks stay in registers.
    match width {
        0..=8 => choose_by::<N, 8>(valid, counts, occupied, &ranks, lanes),
        9..=10 => choose_by::<N, 10>(valid, counts, occupied, &ranks, lanes),
        11..=12 => choose_by::<N, 12>(valid, counts, occupied, &ranks, lanes),
        _ => choose_by::<N, DIGITS>(valid, counts, occupied, &ranks, lanes),
    }
}

/// Does the work of [`choose`] for ranks of `WIDTH` digits.
#[inline(always)]
fn choose_by<const N: usize, const WIDTH: usize>(
    valid: &[Plane<N>],
    counts: &[Count<N>],
    occupied: &[u8],
    ranks: &Digits<N>,
    lanes: Plane<N>,
) -> Digits<N> {
    let mut left = [[0; N]; WIDTH];
    left.copy_from_slice(&ranks[..WIDTH]);
    // By lane, the rank within the block at which it stops, and the operators of that block.
    let mut ranks = [[0; N]; PLACE];
    let mut gathered: [Plane<N>; BLOCK] = [[0; N]; BLOCK];
    let mut numbers: Digits<N> = [[0; N]; DIGITS];
    let mut passing = lanes;
    let blocks = valid.as_chunks::<EIGHT>().0.as_chunks::<{ BLOCK / EIGHT }>().0;
    for (index, ((block, count), &occupied)) in blocks.iter().zip(counts).zip(occupied).enumerate() {
        let mut stops = [0; N];
        if occupied != 0 {
            let before: [Plane<N>; WIDTH] = left;
            let negative = subtract_count(&mut left, count);
            stops = zip(&negative, &passing, |negative, passing| negative & passing);
            passing = zip(&passing, &negative, |passing, negative| passing & !negative);
            for place in 0..PLACE {
                collect(&mut ranks[place], &before[place], &stops);
            }
        }
        // Digit `d` of the number of the block at which a lane stops is the parity of how many of every 2^d-th blocks it passed.
        let mut rest = index ^ (index + 1);
        while rest != 0 {
            let digit = rest.trailing_zeros() as usize % (DIGITS - PLACE);
            rest &= rest - 1;
            let plane = &mut numbers[PLACE + digit];
            *plane = zip(plane, &passing, |plane, passing| plane ^ passing);
        }
        if is_empty(&stops) {
            continue;
        }
        // By eights: a loop over all planes would be turned into gathers from and scatters to single words.
        let mut rest = occupied;
        while rest != 0 {
            let eight = rest.trailing_zeros() as usize % (BLOCK / EIGHT);
            rest &= rest - 1;
            let [a, b, c, d, e, f, g, h] = &mut gathered.as_chunks_mut::<EIGHT>().0[eight];
            let planes = &block[eight];
            collect(a, &planes[0], &stops);
            collect(b, &planes[1], &stops);
            collect(c, &planes[2], &stops);
            collect(d, &planes[3], &stops);
            collect(e, &planes[4], &stops);
            collect(f, &planes[5], &stops);
            collect(g, &planes[6], &stops);
            collect(h, &planes[7], &stops);
        }
    }
    for place in (0..PLACE).rev() {
        let half = 1 << place;
        let count = count(&gathered[..half]);
        let moves = less(&ranks, &count).map(|word| !word);
        numbers[place] = moves;
        subtract(&mut ranks, &count, &moves);
        // A loop over bits: a loop over planes would be turned into gathers from and scatters to single words.
        let mut rest = (1_u32 << half) - 1;
        while rest != 0 {
            let low = rest.trailing_zeros() as usize % (BLOCK / 2);
            rest &= rest - 1;
            let high = gathered[low + half];
            blend(&mut gathered[low], &moves, &high);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use herbrand_core::{Random, uniform_below};
    use rand::Rng;

    use super::*;
    use crate::sliced::plane::{transpose, unpack};

    #[test]
    fn the_operator_of_each_rank_is_found() {
        let mut random = Random::new(7);
        for operators in [1, 2, 3, 8, 31, 32, 33, 64, 65, 300, 1100] {
            for density in [1, 3, 8] {
                let plane = |random: &mut Random| -> Plane<2> {
                    std::array::from_fn(|_| (0..density).fold(u64::MAX, |word, _| word & random.next_u64()))
                };
                let mut valid: Vec<_> = (0..operators).map(|_| plane(&mut random)).collect();
                valid.resize(usize::next_multiple_of(operators, BLOCK), [0; 2]);
                let counts: Vec<_> = valid
                    .as_chunks::<BLOCK>()
                    .0
                    .iter()
                    .map(|block| count(block))
                    .collect();
                let every = vec![0xf; counts.len()];
                let width = operators.ilog2() as usize + 1;
                let mut total = [[0; 2]; DIGITS];
                counts.iter().for_each(|count| add(&mut total, width, count));
                transpose(&mut total);
                let total = unpack(&total);
                let members = |lane: usize| -> Vec<usize> {
                    let holds = |&operator: &usize| valid[operator][lane / 64] >> (lane % 64) & 1 == 1;
                    (0..operators).filter(holds).collect()
                };
                let mut ranks = [[0; 2]; DIGITS];
                let (mut lanes, mut expected) = ([0; 2], Vec::new());
                for lane in 0..128 {
                    let members = members(lane);
                    assert_eq!(usize::from(total[lane / 64][lane % 64]), members.len());
                    if members.is_empty() {
                        continue;
                    }
                    let rank = uniform_below(&mut random, members.len() as u32) as usize;
                    for (digit, plane) in ranks.iter_mut().enumerate() {
                        plane[lane / 64] |= (rank as u64 >> digit & 1) << (lane % 64);
                    }
                    lanes[lane / 64] |= 1 << (lane % 64);
                    expected.push((lane, members[rank]));
                }
                let mut numbers = choose(&valid, &counts, &every, width, ranks, lanes);
                transpose(&mut numbers);
                let numbers = unpack(&numbers);
                for (lane, operator) in expected {
                    assert_eq!(
                        usize::from(numbers[lane / 64][lane % 64]),
                        operator,
                        "{operators} {density} {lane}"
                    );
                }
            }
        }
    }
}
