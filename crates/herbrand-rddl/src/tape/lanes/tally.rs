//! Tables that are read by bools: by how many are true, or by which.
//!
//! ```text
//!   i3 = count of b0 b1
//!   r4 = real of i3                r5 = [0.25, 0.5, 0.75] at the count of b0 b1
//!   r5 = 0.25 * (r4 + 1)    ──▶
//! ```
//!
//! A byte holds the place of a lane in the table, and a vector register holds the table: eight lanes read it at once.

use super::super::instruction::{Operands, Register};
use super::super::term::{Kind, MOST_COUNTED};
use super::{Lanes, Rows};

/// The bits of the value at each place.
pub(super) type Table = [u64; MOST_COUNTED + 1];

/// How bools say a place in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum By {
    /// By how many of them are true.
    Count,
    /// Each is a bit of the place, the first one the lowest.
    Bits,
}

/// The value of a table at the place that some bools say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tally {
    pub(super) by: By,
    pub(super) bools: Operands,
    pub(super) table: u32,
}

/// How many lanes are worked on at once: their places stay in the first-level cache.
const LANES: usize = 256;

/// The most bools that a byte can count.
const MOST: usize = u8::MAX as usize;

/// How many lanes read a table by one instruction.
const AT_ONCE: usize = 8;

impl Lanes {
    /// Counts how many of some bools are true in each lane.
    #[inline(always)]
    pub(super) fn count(&self, to: Register, all: Operands, bools: &[bool], ints: &mut [i64], n: usize) {
        let mut counts = [0; LANES];
        let out = &mut ints[to as usize * self.width..][..n];
        for (first, out) in (0..).step_by(LANES).zip(out.chunks_mut(LANES)) {
            let counts = &mut counts[..out.len()];
            out.fill(0);
            for some in self.list(all).chunks(MOST) {
                self.places(By::Count, some, bools, first, counts);
                let sums = out.iter_mut().zip(&*counts);
                sums.for_each(|(sum, &count)| *sum += i64::from(count));
            }
        }
    }

    /// Writes the value of each lane, from the table and by the bools that `tally` names.
    #[inline(always)]
    pub(super) fn tally(&self, kind: Kind, to: Register, tally: Tally, block: &mut Rows<'_>, n: usize) {
        let Rows {
            bools, ints, reals, ..
        } = block;
        let table = &self.tables[tally.table as usize];
        let list = self.list(tally.bools);
        let mut counts = [0; LANES];
        for first in (0..n).step_by(LANES) {
            let counts = &mut counts[..(n - first).min(LANES)];
            self.places(tally.by, list, bools, first, counts);
            let out = to as usize * self.width + first..to as usize * self.width + first + counts.len();
            match kind {
                Kind::Bool => {
                    let is_true = (0..)
                        .zip(table)
                        .fold(0_u16, |all, (at, &bits)| all | (bits as u16) << at);
                    let out = bools[out].iter_mut().zip(&*counts);
                    out.for_each(|(out, &count)| *out = is_true >> (count & 15) & 1 == 1);
                }
                Kind::Int => look_up(table, counts, &mut ints[out], u64::cast_signed),
                Kind::Real => look_up(table, counts, &mut reals[out], f64::from_bits),
            }
        }
    }

    /// The places that some bools say in the lanes from `first` on: there are at most [`MOST`] of them to be counted, or a table's bits.
    #[inline(always)]
    fn places(&self, by: By, some: &[Register], bools: &[bool], first: usize, places: &mut [u8]) {
        let lanes = places.len();
        let row = |register: Register| &bools[register as usize * self.width + first..][..lanes];
        let Some((&register, rest)) = some.split_first() else {
            return places.fill(0);
        };
        let only = places.iter_mut().zip(row(register));
        only.for_each(|(place, &one)| *place = u8::from(one));
        for (bit, &register) in (1..).zip(rest) {
            let weight = match by {
                By::Count => 0,
                By::Bits => bit,
            };
            let further = places.iter_mut().zip(row(register));
            further.for_each(|(place, &one)| *place += u8::from(one) << weight);
        }
    }
}

/// Writes the values at places below 16 of a table.
#[inline(always)]
fn look_up<T>(table: &Table, places: &[u8], out: &mut [T], value: impl Fn(u64) -> T) {
    let (eights, rest) = places.as_chunks::<AT_ONCE>();
    let (outs, others) = out.as_chunks_mut::<AT_ONCE>();
    let read = Read::new(table);
    for (out, &places) in outs.iter_mut().zip(eights) {
        *out = read.eight(places).map(&value);
    }
    for (out, &place) in others.iter_mut().zip(rest) {
        *out = value(table[usize::from(place) % table.len()]);
    }
}

/// A table that is read with vector instructions, where the processor has them.
struct Read<'t> {
    table: &'t Table,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<fearless_simd::Avx512>,
}

impl<'t> Read<'t> {
    #[inline(always)]
    fn new(table: &'t Table) -> Self {
        Self {
            table,
            #[cfg(target_arch = "x86_64")]
            avx512: fearless_simd::Level::new().as_avx512(),
        }
    }

    /// The values at eight places.
    #[inline(always)]
    fn eight(&self, places: [u8; AT_ONCE]) -> [u64; AT_ONCE] {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.avx512 {
            return vector::eight(avx512, self.table, places);
        }
        places.map(|place| self.table[usize::from(place) % self.table.len()])
    }
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use fearless_simd::prelude::*;
    use fearless_simd::{Avx512, u64x8};
    use std::arch::x86_64::{__m512i, _mm_cvtsi64_si128, _mm512_cvtepu8_epi64, _mm512_permutex2var_epi64};

    use super::{AT_ONCE, Table};

    fearless_simd::kernel!(
        #[inline(always)]
        pub(super) fn eight(avx512: Avx512, table: &Table, places: [u8; AT_ONCE]) -> [u64; AT_ONCE] {
            let [low, high]: [__m512i; 2] = [0, AT_ONCE].map(|from| {
                let half: u64x8<Avx512> = u64x8::from_slice(avx512, &table[from..from + AT_ONCE]);
                half.into()
            });
            let places = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(i64::from_le_bytes(places)));
            let values: u64x8<Avx512> = _mm512_permutex2var_epi64(low, places, high).simd_into(avx512);
            values.into()
        }
    );
}
