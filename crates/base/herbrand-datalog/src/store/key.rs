//! Keys: the symbols of some columns, packed into one number.

use crate::program::Term;
use crate::program::ids::Symbol;
use crate::store::domain::{DomainId, Domains, Ranking};
use crate::store::table::Table;

/// The packing of the columns of a key: a mixed-radix number over the ranks of the columns' domains. Different tuples have
/// different numbers, and the numbers are small if the domains are.
///
/// A key with 2⁶⁴ or more possible tuples is packed in groups. The number of each group except the last is interned as a
/// `u32`, which becomes a digit of the next group (its carry). Therefore no number of columns or symbols can overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    groups: Vec<Group>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    digits: Vec<Digit>,
    /// The number of tuples of the digits. In every group but the first it is at most 2³², so that it can be multiplied by
    /// the 2³² possible carries.
    tuples: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digit {
    ranking: Ranking,
    stride: u64,
}

impl Layout {
    /// Packs columns of these domains, in this order.
    pub(crate) fn new(domains: &Domains, columns: impl IntoIterator<Item = DomainId>) -> Self {
        let mut groups = vec![Group {
            digits: Vec::new(),
            tuples: 1,
        }];
        for column in columns {
            let size = u64::from(domains.size(column)).max(1);
            let most = if groups.len() == 1 { u64::MAX } else { 1 << 32 };
            let full = groups
                .last()
                .is_none_or(|group| group.tuples.checked_mul(size).is_none_or(|all| all > most));
            if full {
                groups.push(Group {
                    digits: Vec::new(),
                    tuples: 1,
                });
            }
            if let Some(group) = groups.last_mut() {
                group.digits.push(Digit {
                    ranking: domains.ranking(column),
                    stride: group.tuples,
                });
                group.tuples *= size;
            }
        }
        Self { groups }
    }

    /// Returns the number of possible keys of a group, including the carry.
    fn cells(&self, group: usize) -> u64 {
        let tuples = self.groups[group].tuples;
        if group == 0 {
            tuples
        } else {
            tuples.saturating_mul(1 << 32)
        }
    }

    /// Returns a probe that reads the key from a list of symbols. `terms` contains, for each column of the key, the position
    /// in the list, as a variable, or a constant.
    pub(crate) fn probe(
        &self,
        domains: &Domains,
        terms: impl IntoIterator<Item = Term>,
        trust: Trust,
    ) -> Probe {
        let mut probe = Probe {
            groups: Vec::with_capacity(self.groups.len()),
            ..Probe::default()
        };
        let mut terms = terms.into_iter();
        for group in &self.groups {
            let mut packed = Packed {
                carry: group.tuples,
                ..Packed::default()
            };
            for (digit, term) in group.digits.iter().zip(&mut terms) {
                match term {
                    Term::Variable(place) => {
                        if trust == Trust::Nothing {
                            probe.checks.push((place.number(), digit.ranking));
                        }
                        packed.add(place.number(), *digit);
                    }
                    Term::Constant(symbol) => match domains.rank(digit.ranking, symbol) {
                        Some(rank) => packed.add_constant(rank, digit.stride),
                        None => probe.impossible = true,
                    },
                }
            }
            probe.groups.push(packed);
        }
        probe
    }
}

/// The assumption about the symbols from which a key is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    /// They are in the domains of their columns. This is true for a variable that occurs there in a positive literal or a
    /// head.
    Domains,
    /// They may be any symbols.
    Nothing,
}

/// A compiled way to read a key from a list of symbols: a tuple or a binding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    /// Whether some constant is outside its column's domain.
    impossible: bool,
    /// The positions whose symbols may be outside their column's domain.
    checks: Vec<(u32, Ranking)>,
    groups: Vec<Packed>,
}

/// The formula of one group of a key: a constant plus weighted symbols and ranks.
#[derive(Clone, Debug, Default)]
struct Packed {
    constant: u64,
    /// For each position in an interval domain: the factor of its symbol.
    linear: Vec<(u32, u64)>,
    /// For each position in a listed domain: the start of its ranks, and the factor of the rank.
    listed: Vec<(u32, usize, u64)>,
    /// The factor of the previous group's number.
    carry: u64,
}

impl Packed {
    /// Adds a digit. The rank of a symbol in an interval is its distance from the first symbol; the constant includes the
    /// part of that first symbol.
    fn add(&mut self, place: u32, digit: Digit) {
        match digit.ranking {
            Ranking::Interval { first, .. } => {
                self.constant = self
                    .constant
                    .wrapping_sub(u64::from(first).wrapping_mul(digit.stride));
                self.linear.push((place, digit.stride));
            }
            Ranking::Listed { from } => self.listed.push((place, from, digit.stride)),
        }
    }

    fn add_constant(&mut self, rank: u32, stride: u64) {
        self.constant = self.constant.wrapping_add(u64::from(rank) * stride);
    }

    #[inline(always)]
    fn sum(&self, domains: &Domains, symbols: &[Symbol]) -> u64 {
        let mut sum = self.constant;
        for (place, stride) in &self.linear {
            sum = sum.wrapping_add(u64::from(symbols[*place as usize].number()).wrapping_mul(*stride));
        }
        for (place, from, stride) in &self.listed {
            let rank = domains.listed_rank(*from, symbols[*place as usize]);
            sum = sum.wrapping_add(u64::from(rank).wrapping_mul(*stride));
        }
        sum
    }
}

impl Probe {
    /// Returns whether the symbols are in their columns' domains.
    #[inline(always)]
    fn fits(&self, domains: &Domains, symbols: &[Symbol]) -> bool {
        let fits =
            |(place, ranking): &(u32, Ranking)| domains.rank(*ranking, symbols[*place as usize]).is_some();
        !self.impossible && self.checks.iter().all(fits)
    }
}

/// A map from keys to numbers.
#[derive(Clone, Debug)]
pub(crate) struct KeyTable {
    /// The interned numbers of all groups but the last.
    prefixes: Vec<Table>,
    table: Table,
}

impl KeyTable {
    pub(crate) fn new(layout: &Layout) -> Self {
        let last = layout.groups.len() - 1;
        let tables = |group| Table::new(layout.cells(group));
        Self {
            prefixes: (0..last).map(tables).collect(),
            table: tables(last),
        }
    }

    /// Returns the value of the key that the probe reads from the symbols.
    #[inline(always)]
    pub(crate) fn find(&self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.table.find(self.number(domains, probe, symbols)?)
    }

    /// Returns the value of a packed key ([`number`](Self::number), [`pack`](Self::pack)).
    #[inline(always)]
    pub(crate) fn find_packed(&self, key: u64) -> Option<u32> {
        self.table.find(key)
    }

    /// Removes a packed key.
    #[inline]
    pub(crate) fn remove_packed(&mut self, key: u64) {
        self.table.remove(key);
    }

    /// Inserts a packed key with this value unless it has a value; returns its value.
    #[inline]
    pub(crate) fn find_or_insert_packed(&mut self, key: u64, value: u32) -> u32 {
        self.table.find_or_insert(key, value)
    }

    /// Packs the key and returns the number of its last group; `None` if a symbol is outside its domain, or if an earlier
    /// group is unknown.
    #[inline(always)]
    pub(crate) fn number(&self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u64> {
        let [first, rest @ ..] = &probe.groups[..] else {
            return None;
        };
        if !probe.fits(domains, symbols) {
            return None;
        }
        let mut number = first.sum(domains, symbols);
        for (group, prefixes) in rest.iter().zip(&self.prefixes) {
            let carry = u64::from(prefixes.find(number)?);
            number = carry * group.carry + group.sum(domains, symbols);
        }
        Some(number)
    }

    /// Inserts the key with this value unless it has a value; returns its value, or `None` if a symbol is outside its
    /// domain.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        domains: &Domains,
        probe: &Probe,
        symbols: &[Symbol],
        value: u32,
    ) -> Option<u32> {
        let number = self.pack(domains, probe, symbols)?;
        Some(self.table.find_or_insert(number, value))
    }

    /// Packs the key, interning its earlier groups; `None` if a symbol is outside its domain.
    #[inline]
    pub(crate) fn pack(&mut self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u64> {
        let [first, rest @ ..] = &probe.groups[..] else {
            return None;
        };
        if !probe.fits(domains, symbols) {
            return None;
        }
        let mut number = first.sum(domains, symbols);
        for (group, prefixes) in rest.iter().zip(&mut self.prefixes) {
            let next = prefixes.len();
            let carry = u64::from(prefixes.find_or_insert(number, next));
            number = carry * group.carry + group.sum(domains, symbols);
        }
        Some(number)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes() + self.prefixes.iter().map(Table::bytes).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variable;
    use fixedbitset::FixedBitSet;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const SYMBOLS: u32 = 70_000;

    /// Returns the domain of every `step`-th symbol.
    fn every(domains: &mut Domains, step: usize) -> DomainId {
        let mut set = FixedBitSet::with_capacity(SYMBOLS as usize);
        (0..SYMBOLS as usize)
            .step_by(step)
            .for_each(|symbol| set.insert(symbol));
        domains.intern(set)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn different_tuples_have_different_keys(
            steps in prop::collection::vec(prop::sample::select(vec![1usize, 2, 1000, 70_000]), 0..40),
            picks in prop::collection::vec(prop::collection::vec(0usize..4, 40), 1..60),
        ) {
            let mut domains = Domains::new(SYMBOLS);
            let columns: Vec<DomainId> = steps.iter().map(|step| every(&mut domains, *step)).collect();
            let layout = Layout::new(&domains, columns);
            let places = (0..steps.len() as u32).map(|place| Term::Variable(Variable::new(place)));
            let probe = layout.probe(&domains, places, Trust::Domains);
            let (mut table, mut map) = (KeyTable::new(&layout), BTreeMap::new());
            for (number, pick) in picks.iter().enumerate() {
                // The first, second, last but one, or last symbol of each column's domain.
                let symbol = |(step, pick): (&usize, &usize)| {
                    let last = (SYMBOLS as usize - 1) / step;
                    let rank = [0, 1, last.saturating_sub(1), last][*pick].min(last);
                    Symbol::new((rank * step) as u32)
                };
                let tuple: Vec<Symbol> = steps.iter().zip(pick).map(symbol).collect();
                let known = map.get(&tuple).copied();
                prop_assert_eq!(table.find(&domains, &probe, &tuple), known);
                let value = *map.entry(tuple.clone()).or_insert(number as u32);
                prop_assert_eq!(table.find_or_insert(&domains, &probe, &tuple, number as u32), Some(value));
            }
            for (tuple, value) in map {
                let number = table.number(&domains, &probe, &tuple);
                prop_assert_eq!(number.and_then(|number| table.find_packed(number)), Some(value));
                number.into_iter().for_each(|number| table.remove_packed(number));
                prop_assert_eq!(table.find(&domains, &probe, &tuple), None);
            }
        }
    }
}
