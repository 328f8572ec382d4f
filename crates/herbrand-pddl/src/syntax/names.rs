//! Names of a text as numbers: equal names, whatever their case, are one symbol.

use std::hash::Hasher as _;

use fxhash::FxHasher64;
use hashbrown::HashTable;

use crate::Span;

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

/// The names of one text. A name is kept as the place where it first stands: nothing is copied.
pub(crate) struct Names<'t> {
    text: &'t str,
    places: Vec<Span>,
    table: HashTable<Symbol>,
}

impl<'t> Names<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut names = Self {
            text,
            places: Vec::new(),
            table: HashTable::with_capacity(256),
        };
        for &(known, word) in Known::ALL {
            let symbol = known.symbol();
            names.places.push(Span { start: 0, end: 0 });
            names.table.insert_unique(hash(word.as_bytes()), symbol, |s| {
                hash(Known::ALL[s.index()].1.as_bytes())
            });
        }
        names
    }

    /// The symbol of the name at `place`, which is `word`.
    pub(crate) fn intern(&mut self, word: &str, place: Span) -> Symbol {
        let hash_of_word = hash(word.as_bytes());
        if let Some(&symbol) = self
            .table
            .find(hash_of_word, |&s| self.text_of(s).eq_ignore_ascii_case(word))
        {
            return symbol;
        }
        // A text of less than 2^32 bytes has fewer names.
        let symbol = Symbol(self.places.len() as u32);
        self.places.push(place);
        let (text, places) = (self.text, &self.places);
        self.table.insert_unique(hash_of_word, symbol, |&s| {
            hash(text_of(text, places, s).as_bytes())
        });
        symbol
    }

    /// The symbol of `word`, if it stands in the text.
    pub(crate) fn find(&self, word: &str) -> Option<Symbol> {
        self.table
            .find(hash(word.as_bytes()), |&s| {
                self.text_of(s).eq_ignore_ascii_case(word)
            })
            .copied()
    }

    /// The name as it is first written.
    pub(crate) fn text_of(&self, symbol: Symbol) -> &'t str {
        text_of(self.text, &self.places, symbol)
    }

    /// The number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

fn text_of<'t>(text: &'t str, places: &[Span], symbol: Symbol) -> &'t str {
    match Known::ALL.get(symbol.index()) {
        Some((_, word)) => word,
        None => &text[places[symbol.index()].range()],
    }
}

/// A hash that does not see case: setting the sixth bit of every byte folds letters, and what it folds besides
/// (`[` with `{`, and the like) only costs a comparison.
fn hash(word: &[u8]) -> u64 {
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FxHasher64::default();
    let (chunks, rest) = word.as_chunks::<8>();
    for &chunk in chunks {
        hasher.write_u64(u64::from_le_bytes(chunk) | FOLD);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hasher.write_u64(u64::from_le_bytes(last) | FOLD);
    hasher.write_u64(word.len() as u64);
    // The lower bits of a product know only the lower bits of what was multiplied, and the table takes its
    // buckets from them: bring the upper ones down.
    hasher.finish().rotate_left(26)
}
