//! Generation of almost valid texts: files with random mutations, and random words.

/// A small generator of pseudo-random numbers (xorshift64*, Vigna 2016) with the same sequence on every platform.
pub struct Random(u64);

impl Random {
    /// Creates the generator for a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `limit`, or 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            0
        } else {
            (self.next() % limit as u64) as usize
        }
    }
}

/// Returns `start` followed by a random sequence of `words`.
#[must_use]
pub fn tokens(start: &str, words: &[&str], random: &mut Random) -> String {
    let mut text = String::from(start);
    for _ in 0..random.below(200) {
        text.push_str(words[random.below(words.len())]);
        if random.below(4) > 0 {
            text.push(' ');
        }
    }
    text
}

/// Returns `text` with a few random changes: deletions, repetitions, changes of case, and insertions of `words` and of parts
/// of `other`.
#[must_use]
pub fn mutate(text: &str, other: &str, words: &[&str], random: &mut Random) -> String {
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
            1 => text.insert_str(at, words[random.below(words.len())]),
            2 => text.replace_range(at..end, words[random.below(words.len())]),
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
