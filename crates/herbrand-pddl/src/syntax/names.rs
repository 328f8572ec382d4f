//! Names of a text as numbers: equal names, whatever their case, are one symbol.

use std::hash::Hasher as _;

use fxhash::FxHasher64;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::diagnostic::Diagnostics;

/// A name of one text, compared without case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Symbol(u32);

impl Symbol {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_number(number: u32) -> Self {
        Self(number)
    }
}

macro_rules! known {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// Words of the language, whose symbols are the same in every text.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u32)]
        pub(crate) enum Known { $($name),* }

        impl Known {
            const ALL: &[(Self, &str)] = &[$((Self::$name, $text)),*];

            pub(crate) const fn symbol(self) -> Symbol {
                Symbol(self as u32)
            }

            /// Whether no predicate or function can have this name.
            pub(crate) const fn is_reserved(self) -> bool {
                self as u32 <= Self::ScaleDown as u32
            }

            pub(crate) fn of(symbol: Symbol) -> Option<Self> {
                Self::ALL.get(symbol.index()).map(|&(known, _)| known)
            }
        }
    };
}

known! {
    // Formulas and effects
    And = "and", Or = "or", Not = "not", Imply = "imply", Forall = "forall", Exists = "exists", When = "when",
    Equal = "=", Less = "<", LessOrEqual = "<=", Greater = ">", GreaterOrEqual = ">=",
    Plus = "+", Minus = "-", Times = "*", Divide = "/",
    Probabilistic = "probabilistic",
    Assign = "assign", Increase = "increase", Decrease = "decrease", ScaleUp = "scale-up", ScaleDown = "scale-down",
    // Declarations
    Define = "define", Domain = "domain", Problem = "problem",
    Object = "object", Either = "either", Number = "number",
    Reward = "reward", TotalCost = "total-cost", TotalTime = "total-time",
    GoalAchieved = "goal-achieved", GoalProbability = "goal-probability",
    Minimize = "minimize", Maximize = "maximize",
    // Features that are refused by name
    At = "at", Over = "over", Preference = "preference", IsViolated = "is-violated", Always = "always",
    Sometime = "sometime", Within = "within", AtMostOnce = "at-most-once", SometimeAfter = "sometime-after",
    SometimeBefore = "sometime-before", AlwaysWithin = "always-within", HoldDuring = "hold-during",
    HoldAfter = "hold-after", ContinuousTime = "#t", Oneof = "oneof", Undefined = "undefined",
}

/// The bytes that a name takes: a slice and an entry of the table, each with its old place while they grow.
const NAME: usize = 3 * (size_of::<&str>() + 2 * size_of::<Symbol>());

/// The names of one text. A name is kept as the slice of its first occurrence: nothing is copied.
pub(crate) struct Names<'t> {
    words: Vec<&'t str>,
    table: HashTable<Symbol>,
}

impl<'t> Names<'t> {
    pub(crate) fn new() -> Self {
        let mut names = Self {
            words: Vec::with_capacity(256),
            table: HashTable::with_capacity(256),
        };
        for &(_, word) in Known::ALL {
            names.intern(word);
        }
        names
    }

    /// The symbol of the name `word`.
    pub(crate) fn intern(&mut self, word: &'t str) -> Symbol {
        let words = &mut self.words;
        let found = self.table.entry(
            hash(word.as_bytes()),
            |s| is_same(words[s.index()], word),
            |s| hash(words[s.index()].as_bytes()),
        );
        match found {
            Entry::Occupied(symbol) => *symbol.get(),
            Entry::Vacant(place) => {
                // A text of less than 2^32 bytes has fewer names.
                let symbol = Symbol(words.len() as u32);
                place.insert(symbol);
                words.push(word);
                symbol
            }
        }
    }

    /// The symbol of the name `word`; a new one is charged.
    pub(crate) fn intern_within(&mut self, word: &'t str, faults: &mut Diagnostics) -> Symbol {
        let known = self.len();
        let symbol = self.intern(word);
        if self.len() > known {
            faults.charge(NAME);
        }
        symbol
    }

    /// The symbol of `word`, if it occurs in the text.
    pub(crate) fn find(&self, word: &str) -> Option<Symbol> {
        let found = self
            .table
            .find(hash(word.as_bytes()), |s| is_same(self.words[s.index()], word));
        found.copied()
    }

    /// The name as it is first written.
    pub(crate) fn text_of(&self, symbol: Symbol) -> &'t str {
        self.words[symbol.index()]
    }

    /// The number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
}

/// Whether two names are the same without regard to case. Most are written in one way only.
fn is_same(a: &str, b: &str) -> bool {
    a == b || a.eq_ignore_ascii_case(b)
}

/// A hash that does not see case: setting the sixth bit of every byte folds letters, and what it folds besides
/// (`[` with `{`, and the like) only costs a comparison.
fn hash(word: &[u8]) -> u64 {
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FxHasher64::default();
    let mut add = |part: u64| hasher.write_u64(part | FOLD);
    // The last eight bytes, or four, overlap what comes before them: no longer word is read byte by byte.
    if let Some(&last) = word.last_chunk::<8>() {
        for &chunk in word.as_chunks::<8>().0 {
            add(u64::from_le_bytes(chunk));
        }
        add(u64::from_le_bytes(last));
    } else if let (Some(&first), Some(&last)) = (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        add(u64::from(u32::from_le_bytes(first)) << 32 | u64::from(u32::from_le_bytes(last)));
    } else {
        add(word.iter().fold(0, |part, &byte| part << 8 | u64::from(byte)));
    }
    hasher.write_u64(word.len() as u64);
    // The lower bits of a product know only the lower bits of what was multiplied, and the table takes its
    // buckets from them: bring the upper ones down.
    hasher.finish().rotate_left(26)
}
