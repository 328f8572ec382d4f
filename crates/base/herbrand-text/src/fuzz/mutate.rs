//! Generation of almost valid texts: files with random mutations, and random words.

use std::ops::Range;

/// A small generator of pseudo-random numbers (xorshift64*, Vigna 2016) with the same sequence on every platform.
/// [`new`](Self::new) makes one; the functions of this module draw from it.
pub struct Xorshift(u64);

impl Xorshift {
    /// Creates the generator for a seed. Every seed is allowed; two seeds may have the same sequence.
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

    /// Draws a number below `limit`; 0 if `limit` is 0, without a draw.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            0
        } else {
            (self.next() % limit as u64) as usize
        }
    }
}

/// Returns `start` followed by a random sequence of up to 199 of the `words`. About a quarter of them are joined to
/// the next without a space. It panics if `words` is empty but one is drawn.
#[must_use]
pub fn tokens(start: &str, words: &[&str], random: &mut Xorshift) -> String {
    let mut text = String::from(start);
    for _ in 0..random.below(200) {
        text.push_str(words[random.below(words.len())]);
        if random.below(4) > 0 {
            text.push(' ');
        }
    }
    text
}

/// Returns `text` with a few random changes: deletions, repetitions, changes to upper case, replacements by one of
/// `words`, and insertions of `words` and of parts of `other`. There are 1 to 6 changes. It panics if `words` is empty
/// but one is drawn.
#[must_use]
pub fn mutate(text: &str, other: &str, words: &[&str], random: &mut Xorshift) -> String {
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

/// Returns the pair of texts with the first, the second or both [rearranged](rearrange); which of these is random.
/// `numbers` replace some numbers of the texts. If `numbers` is empty, numbers are treated as words.
#[must_use]
pub fn rearrange_either(texts: &[String; 2], numbers: &[&str], random: &mut Xorshift) -> [String; 2] {
    let [first, second] = texts;
    match random.below(3) {
        0 => [rearrange(first, numbers, random), second.clone()],
        1 => [first.clone(), rearrange(second, numbers, random)],
        _ => [first, second].map(|text| rearrange(text, numbers, random)),
    }
}

/// Returns `text` with a few of its own words and bracketed groups dropped, repeated, exchanged or replaced by others,
/// and with some numbers replaced by one of `numbers`. Brackets stay in pairs, so some of the results are sentences of
/// the language. There are 1 to 3 changes; a text without words stays as it is. If `numbers` is empty, numbers are
/// treated as words.
#[must_use]
pub fn rearrange(text: &str, numbers: &[&str], random: &mut Xorshift) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let parts = parts(&text);
        if parts.is_empty() {
            break;
        }
        let part = parts[random.below(parts.len())].clone();
        let like: Vec<_> = parts
            .iter()
            .filter(|other| is_group(&text, other) == is_group(&text, &part))
            .collect();
        let other = like[random.below(like.len())].clone();
        let (own, theirs) = (text[part.clone()].to_owned(), text[other.clone()].to_owned());
        let is_number = own.parse::<f64>().is_ok();
        match random.below(5) {
            _ if is_number && !numbers.is_empty() => {
                text.replace_range(part, numbers[random.below(numbers.len())])
            }
            0 => text.replace_range(part, ""),
            1 => text.insert_str(part.end, &format!(" {own}")),
            // Exchanges both, the later one first so that the place of the other stays.
            2 | 3 if part.end <= other.start => {
                text.replace_range(other, &own);
                text.replace_range(part, &theirs);
            }
            _ => text.replace_range(part, &theirs),
        }
    }
    text
}

fn is_group(text: &str, part: &Range<usize>) -> bool {
    text[part.clone()].starts_with(['(', '[', '{'])
}

/// The words of a text, and its groups in brackets with these.
fn parts(text: &str) -> Vec<Range<usize>> {
    let (mut parts, mut open, mut word) = (Vec::new(), Vec::new(), None);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        if letter.is_alphanumeric() || "-_.?@:'".contains(letter) {
            word.get_or_insert(at);
            continue;
        }
        parts.extend(word.take().map(|start| start..at));
        match letter {
            '(' | '[' | '{' => open.push(at),
            ')' | ']' | '}' => parts.extend(open.pop().map(|start| start..at + 1)),
            _ => {}
        }
    }
    parts
}
