//! Texts that are nearly PDDL: files with random mutations, and random tokens.

/// A small generator of random numbers (xorshift64*, Vigna 2016): the same ones on every platform.
pub struct Random(u64);

impl Random {
    /// The generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            0
        } else {
            (self.next() % limit as u64) as usize
        }
    }
}

/// Words of the language, and some that are not.
const WORDS: &[&str] = &[
    "(",
    ")",
    "(",
    ")",
    "(",
    ")",
    "((",
    "))",
    "(define (domain d)",
    "(define (problem p)",
    "(:domain d)",
    "(:requirements :adl)",
    "(:types a b - a)",
    "(:predicates (p ?x) (q))",
    "(:functions (f ?x) - number)",
    "(:constants c - a)",
    "(:derived (p ?x)",
    "(:action a",
    ":parameters",
    ":precondition",
    ":effect",
    "(:objects",
    "(:init",
    "(:goal",
    "(:goal-reward 1)",
    "(:metric minimize",
    "(?x - a)",
    "(?x)",
    "?x",
    "?",
    "- ",
    "-",
    "a",
    "b",
    "c",
    "p",
    "q",
    "f",
    "(p ?x)",
    "(p c)",
    "(q)",
    "(f c)",
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "probabilistic",
    "increase",
    "assign",
    "=",
    "<",
    ">=",
    "+",
    "*",
    "/",
    "either",
    "0.5",
    "1/3",
    "1/0",
    "-7",
    "1e400",
    ".",
    "0",
    ";",
    "; (:actions a b\n",
    "\n",
    " ",
    "\t",
    "object",
    "number",
    "reward",
    "total-cost",
    "at",
    "#t",
    "\u{e9}",
    "\u{feff}",
    "\u{0}",
    "\"",
    "oneof",
    "preference",
    ":",
    "::",
    "(:",
    "(:actions p)",
];

/// A random sequence of words of the language.
pub fn tokens(random: &mut Random) -> String {
    let mut text = String::from("(define (domain d) (:predicates (p ?x) (q)) ");
    for _ in 0..random.below(200) {
        text.push_str(WORDS[random.below(WORDS.len())]);
        if random.below(4) > 0 {
            text.push(' ');
        }
    }
    text
}

/// `text` with a few random changes.
pub fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(6) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        let length = if random.below(3) == 0 {
            random.below(text.len())
        } else {
            random.below(12)
        };
        let end = text.ceil_char_boundary((at + length).min(text.len()));
        match random.below(6) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, WORDS[random.below(WORDS.len())]),
            2 => text.replace_range(at..end, WORDS[random.below(WORDS.len())]),
            3 => {
                let copy = text[at..end].to_owned();
                text.insert_str(at, &copy);
            }
            4 => {
                let from = other.floor_char_boundary(random.below(other.len() + 1));
                let to = other.ceil_char_boundary((from + random.below(80)).min(other.len()));
                text.insert_str(at, &other[from..to]);
            }
            _ => {
                let upper = text[at..end].to_ascii_uppercase();
                text.replace_range(at..end, &upper);
            }
        }
    }
    text
}
