//! Keys: the symbols of some columns packed into one number.

use crate::domain::{DomainId, Domains, Ranking};
use crate::table::Table;
use crate::{Symbol, Term};

/// How the columns of a key are packed: by mixed radix over what each column can hold, so that different
/// tuples have different numbers, and few columns of few symbols have small ones.
///
/// A key whose number of tuples passes 2⁶⁴ is packed in groups: the number of each group but the last is
/// interned as a `u32`, which is the first digit of the next. So no width of tuples and no number of
/// symbols can wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    groups: Vec<Group>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    digits: Vec<Digit>,
    /// The number of tuples of the digits; with the carry of an earlier group, times 2³², they fit 64 bits.
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

    /// One more than the greatest number that the last group can have.
    fn cells(&self, group: usize) -> u64 {
        let tuples = self.groups[group].tuples;
        if group == 0 {
            tuples
        } else {
            tuples.saturating_mul(1 << 32)
        }
    }

    /// Reads the key off a list of symbols: `terms` says for each column of the key which place of the
    /// list, as a variable, or which constant stands there.
    pub(crate) fn probe(&self, domains: &Domains, terms: impl IntoIterator<Item = Term>) -> Probe {
        let mut terms = terms.into_iter();
        let mut impossible = false;
        let mut groups = self.groups.iter().map(|group| {
            let mut packed = PackedGroup {
                constant: 0,
                places: Vec::new(),
                carry: group.tuples,
            };
            for (digit, term) in group.digits.iter().zip(&mut terms) {
                match term {
                    Term::Variable(place) => packed.places.push((place.number(), *digit)),
                    Term::Constant(symbol) => match domains.rank(digit.ranking, symbol) {
                        Some(rank) => packed.constant += u64::from(rank) * digit.stride,
                        None => impossible = true,
                    },
                }
            }
            packed
        });
        let first = groups.next().unwrap_or_default();
        let rest = groups.collect();
        Probe {
            first,
            rest,
            impossible,
        }
    }
}

/// A way to read a key off a list of symbols: a tuple, or a binding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    first: PackedGroup,
    rest: Vec<PackedGroup>,
    /// Some constant is outside its column's domain.
    impossible: bool,
}

impl Probe {
    /// The number of places that are read.
    pub(crate) fn len(&self) -> usize {
        self.first.places.len() + self.rest.iter().map(|group| group.places.len()).sum::<usize>()
    }
}

#[derive(Clone, Debug, Default)]
struct PackedGroup {
    constant: u64,
    places: Vec<(u32, Digit)>,
    carry: u64,
}

impl PackedGroup {
    #[inline]
    fn pack(&self, domains: &Domains, symbols: &[Symbol]) -> Option<u64> {
        let mut number = self.constant;
        for (place, digit) in &self.places {
            let rank = domains.rank(digit.ranking, symbols[*place as usize])?;
            number += u64::from(rank) * digit.stride;
        }
        Some(number)
    }
}

/// A map from keys to numbers.
#[derive(Clone, Debug)]
pub(crate) struct KeyTable {
    layout: Layout,
    /// Interns the numbers of all groups but the last.
    prefixes: Vec<Table>,
    table: Table,
}

impl KeyTable {
    pub(crate) fn new(layout: Layout) -> Self {
        let last = layout.groups.len() - 1;
        let tables = |group| Table::new(layout.cells(group));
        Self {
            prefixes: (0..last).map(tables).collect(),
            table: tables(last),
            layout,
        }
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The value of the key that the probe reads off the symbols.
    #[inline]
    pub(crate) fn find(&self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.table.find(self.number(domains, probe, symbols)?)
    }

    /// The number of the last group; `None` if a symbol is outside its domain or an earlier group is new.
    #[inline]
    fn number(&self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u64> {
        if probe.impossible {
            return None;
        }
        let mut number = probe.first.pack(domains, symbols)?;
        for (group, prefixes) in probe.rest.iter().zip(&self.prefixes) {
            let carry = u64::from(prefixes.find(number)?);
            number = carry * group.carry + group.pack(domains, symbols)?;
        }
        Some(number)
    }

    /// The value of the key after giving it this one if it had none; `None` if a symbol is outside its
    /// domain.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        domains: &Domains,
        probe: &Probe,
        symbols: &[Symbol],
        value: u32,
    ) -> Option<u32> {
        if probe.impossible {
            return None;
        }
        let mut number = probe.first.pack(domains, symbols)?;
        for (group, prefixes) in probe.rest.iter().zip(&mut self.prefixes) {
            let next = prefixes.len();
            let carry = u64::from(prefixes.find_or_insert(number, next));
            number = carry * group.carry + group.pack(domains, symbols)?;
        }
        Some(self.table.find_or_insert(number, value))
    }

    /// Takes out the key that the probe reads off the symbols; its value.
    pub(crate) fn remove(&mut self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        let number = self.number(domains, probe, symbols)?;
        self.table.remove(number)
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

    /// Every `step`-th symbol.
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
            let probe = layout.probe(&domains, places);
            let (mut table, mut map) = (KeyTable::new(layout), BTreeMap::new());
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
                prop_assert_eq!(table.remove(&domains, &probe, &tuple), Some(value));
                prop_assert_eq!(table.find(&domains, &probe, &tuple), None);
            }
        }
    }
}
