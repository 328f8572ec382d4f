//! Tables indexed by bools: by how many are true, or by each as a bit.
//!
//! ```text
//!   i3 = count of b0 b1
//!   r4 = real of i3                r5 = [0.25, 0.5, 0.75] at the count of b0 b1
//!   r5 = 0.25 * (r4 + 1)    ──▶
//! ```
//!
//! A byte holds the table position of a lane, and a vector register holds the table, so eight lanes are looked up at once.

use super::super::instruction::{Operands, Register};
use super::super::operation::{MOST_COUNTED, ValueType};
use super::{Lanes, Rows};

/// The bits of the value at each position.
pub(crate) type Table = [u64; MOST_COUNTED + 1];

/// How bools encode a position in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum IndexEncoding {
    /// The number of true bools.
    Count,
    /// Each bool is one bit of the position, the first bool the lowest bit.
    Bits,
}

/// A table lookup: the element at the position that the bools encode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BoolLookup {
    pub(crate) by: IndexEncoding,
    pub(crate) bools: Operands,
    pub(crate) table: u32,
}

/// The number of lanes processed per block, so that their positions stay in the first-level cache.
const LANES: usize = 256;

/// The maximum number of bools that a byte can count.
const MOST: usize = u8::MAX as usize;

/// The number of lanes that one instruction looks up.
const AT_ONCE: usize = 8;

impl Lanes {
    /// Counts the true bools of each lane.
    #[inline(always)]
    pub(super) fn count(&self, to: Register, all: Operands, bools: &[bool], ints: &mut [i64], n: usize) {
        let mut counts = [0; LANES];
        let out = &mut ints[to as usize * self.width..][..n];
        for (first, out) in (0..).step_by(LANES).zip(out.chunks_mut(LANES)) {
            let counts = &mut counts[..out.len()];
            out.fill(0);
            for some in self.list(all).chunks(MOST) {
                self.places(IndexEncoding::Count, some, bools, first, counts);
                let sums = out.iter_mut().zip(&*counts);
                sums.for_each(|(sum, &count)| *sum += i64::from(count));
            }
        }
    }

    /// Looks up the element of each lane.
    #[inline(always)]
    pub(super) fn bool_lookup(
        &self,
        kind: ValueType,
        to: Register,
        lookup: BoolLookup,
        block: &mut Rows<'_>,
        n: usize,
    ) {
        let Rows {
            bools, ints, reals, ..
        } = block;
        let table = &self.tables[lookup.table as usize];
        let list = self.list(lookup.bools);
        let mut counts = [0; LANES];
        for first in (0..n).step_by(LANES) {
            let counts = &mut counts[..(n - first).min(LANES)];
            self.places(lookup.by, list, bools, first, counts);
            let out = to as usize * self.width + first..to as usize * self.width + first + counts.len();
            match kind {
                ValueType::Bool => {
                    let is_true = (0..)
                        .zip(table)
                        .fold(0_u16, |all, (at, &bits)| all | (bits as u16) << at);
                    let out = bools[out].iter_mut().zip(&*counts);
                    out.for_each(|(out, &count)| *out = is_true >> (count & 15) & 1 == 1);
                }
                ValueType::Int => look_up(table, counts, &mut ints[out], u64::cast_signed),
                ValueType::Real => look_up(table, counts, &mut reals[out], f64::from_bits),
            }
        }
    }

    /// Computes the positions of the lanes from `first` on. There are at most [`MOST`] bools to count, or as many as a table
    /// has bits.
    #[inline(always)]
    fn places(&self, by: IndexEncoding, some: &[Register], bools: &[bool], first: usize, places: &mut [u8]) {
        let lanes = places.len();
        let row = |register: Register| &bools[register as usize * self.width + first..][..lanes];
        let Some((&register, rest)) = some.split_first() else {
            return places.fill(0);
        };
        let only = places.iter_mut().zip(row(register));
        only.for_each(|(place, &one)| *place = u8::from(one));
        for (bit, &register) in (1..).zip(rest) {
            let weight = match by {
                IndexEncoding::Count => 0,
                IndexEncoding::Bits => bit,
            };
            let further = places.iter_mut().zip(row(register));
            further.for_each(|(place, &one)| *place += u8::from(one) << weight);
        }
    }
}

/// Writes the elements at positions below 16 of a table.
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

/// A table that is read with vector instructions if the processor has them.
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

    /// Returns the elements at eight positions.
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
