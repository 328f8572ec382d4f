//! Domains: sets of symbols that can occur in a column or be the value of a variable.

use fixedbitset::FixedBitSet;
use fxhash::FxHashMap;

use crate::program::ids::Symbol;

/// The id of a domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DomainId(u32);

/// Interned sets of symbols. The symbols of each set are numbered in ascending order; these numbers are their ranks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    symbols: usize,
    sets: Vec<Domain>,
    numbers: FxHashMap<FixedBitSet, DomainId>,
    /// For each domain that is not an interval, the rank of every symbol, or [`ABSENT`].
    ranks: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Domain {
    size: u32,
    ranking: Ranking,
}

/// The mapping from a domain's symbols to ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranking {
    /// The domain is an interval of `size` symbols. The rank is the distance from the first.
    Interval { first: u32, size: u32 },
    /// The ranks are stored in the list of ranks, from this position on.
    Listed { from: usize },
}

const ABSENT: u32 = u32::MAX;

impl Domains {
    /// Creates an empty set of domains over the symbols `0..symbols`.
    pub(crate) fn new(symbols: u32) -> Self {
        Self {
            symbols: symbols as usize,
            ..Self::default()
        }
    }

    /// Returns the id of a set of symbols.
    pub(crate) fn intern(&mut self, set: FixedBitSet) -> DomainId {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let (size, first) = (set.count_ones(..), set.minimum().unwrap_or(0));
        let interval = size == set.maximum().map_or(0, |last| last + 1 - first);
        let ranking = if interval {
            Ranking::Interval {
                first: first as u32,
                size: size as u32,
            }
        } else {
            let from = self.ranks.len();
            self.ranks.resize(from + self.symbols, ABSENT);
            set.ones()
                .enumerate()
                .for_each(|(rank, symbol)| self.ranks[from + symbol] = rank as u32);
            Ranking::Listed { from }
        };
        let id = DomainId(self.sets.len() as u32);
        self.sets.push(Domain {
            size: size as u32,
            ranking,
        });
        self.numbers.insert(set, id);
        id
    }

    /// Returns the number of symbols of a domain.
    pub(crate) fn size(&self, domain: DomainId) -> u32 {
        self.sets[domain.0 as usize].size
    }

    /// Returns the ranking of a domain.
    pub(crate) fn ranking(&self, domain: DomainId) -> Ranking {
        self.sets[domain.0 as usize].ranking
    }

    /// Returns whether a symbol is in a domain.
    #[inline]
    pub(crate) fn contains(&self, domain: DomainId, symbol: Symbol) -> bool {
        self.rank(self.ranking(domain), symbol).is_some()
    }

    /// Returns the rank of a symbol; `None` if it is not in the domain.
    #[inline]
    pub(crate) fn rank(&self, ranking: Ranking, symbol: Symbol) -> Option<u32> {
        match ranking {
            Ranking::Interval { first, size } => {
                let rank = symbol.number().wrapping_sub(first);
                (rank < size).then_some(rank)
            }
            Ranking::Listed { from } => self
                .ranks
                .get(from + symbol.index())
                .copied()
                .filter(|rank| *rank != ABSENT),
        }
    }

    /// Iterates over the symbols of a domain.
    pub(crate) fn symbols(&self, domain: DomainId) -> impl Iterator<Item = Symbol> + '_ {
        (0..self.symbols as u32)
            .map(Symbol::new)
            .filter(move |symbol| self.contains(domain, *symbol))
    }

    /// Returns the rank of a symbol in a domain that is not an interval. The symbol must be in the domain.
    #[inline]
    pub(crate) fn listed_rank(&self, from: usize, symbol: Symbol) -> u32 {
        self.ranks[from + symbol.index()]
    }

    /// Returns the bytes used once another set is stored.
    pub(crate) fn next_bytes(&self) -> u64 {
        let (needed, capacity) = (self.ranks.len() + self.symbols, self.ranks.capacity());
        let grown = if needed > capacity {
            needed.max(2 * capacity) - capacity
        } else {
            0
        };
        self.bytes() + 4 * grown as u64
    }

    /// Returns the bytes used.
    pub(crate) fn bytes(&self) -> u64 {
        4 * self.ranks.capacity() as u64 + (self.sets.len() * (self.symbols / 8 + 48)) as u64
    }
}
