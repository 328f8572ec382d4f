//! Interning of names. Names that differ only in case have the same symbol.

use std::hash::Hasher as _;

use fxhash::FxHasher64;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::diagnostic::Diagnostics;

/// An interned, case-insensitive name of one text.
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
        /// The keywords of the language, whose symbols are the same in every text.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u32)]
        pub(crate) enum Known { $($name),* }

        impl Known {
            const ALL: &[(Self, &str)] = &[$((Self::$name, $text)),*];

            pub(crate) const fn symbol(self) -> Symbol {
                Symbol(self as u32)
            }

            /// Returns whether no predicate or function may have this name.
            pub(crate) const fn is_reserved(self) -> bool {
                self as u32 <= Self::ScaleDown as u32
            }

            pub(crate) const fn text(self) -> &'static str {
                Self::ALL[self as usize].1
            }

            /// Returns the keyword written as `word`, in any case.
            pub(crate) fn find(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, text)| text.eq_ignore_ascii_case(word)).map(|&(known, _)| known)
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
    // Times
    Duration = "duration", At = "at", Over = "over",
    // Unsupported features that are recognised by name
    Preference = "preference", IsViolated = "is-violated", Always = "always",
    Sometime = "sometime", Within = "within", AtMostOnce = "at-most-once", SometimeAfter = "sometime-after",
    SometimeBefore = "sometime-before", AlwaysWithin = "always-within", HoldDuring = "hold-during",
    HoldAfter = "hold-after", ContinuousTime = "#t", Oneof = "oneof", Undefined = "undefined",
}

/// The memory charged per name: a slice and a table entry, each with its old copy while the containers grow.
const NAME: usize = 3 * (size_of::<&str>() + 2 * size_of::<Symbol>());

/// The interned names of one text. A name is stored as a slice of its first occurrence, without a copy.
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

    /// Returns the symbol of the name `word`, which is added if it is new.
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
                // A text of fewer than 2^32 bytes has fewer than 2^32 names.
                let symbol = Symbol(words.len() as u32);
                place.insert(symbol);
                words.push(word);
                symbol
            }
        }
    }

    /// Like [`intern`](Self::intern), but charges the memory of a new name to the budget.
    pub(crate) fn intern_within(&mut self, word: &'t str, faults: &mut Diagnostics) -> Symbol {
        let known = self.len();
        let symbol = self.intern(word);
        if self.len() > known {
            faults.charge(NAME);
        }
        symbol
    }

    /// Returns the symbol of `word` if it occurs in the text.
    pub(crate) fn find(&self, word: &str) -> Option<Symbol> {
        let found = self
            .table
            .find(hash(word.as_bytes()), |s| is_same(self.words[s.index()], word));
        found.copied()
    }

    /// Returns the name as it is written at its first occurrence.
    pub(crate) fn text_of(&self, symbol: Symbol) -> &'t str {
        self.words[symbol.index()]
    }

    /// Returns the number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
}

/// Returns whether two names are equal up to case. The exact comparison comes first because most names are always written
/// alike.
fn is_same(a: &str, b: &str) -> bool {
    a == b || a.eq_ignore_ascii_case(b)
}

/// Computes a case-insensitive hash. Setting the sixth bit of every byte folds letters. It also folds a few other characters
/// (`[` and `{`, for example), which only costs a comparison.
fn hash(word: &[u8]) -> u64 {
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FxHasher64::default();
    let mut add = |part: u64| hasher.write_u64(part | FOLD);
    // The last eight or four bytes are read as one chunk that may overlap the previous ones, so only words of up to three
    // bytes are read byte by byte.
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
    // The table takes its buckets from the low bits, and the low bits of a product depend only on the low bits of its
    // factors. The rotation moves the high bits down.
    hasher.finish().rotate_left(26)
}
