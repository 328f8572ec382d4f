//! Families of hostile texts: `families.txt` has them, and describes how they are written.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// The language of a family, which decides what commands it goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Pddl,
    Rddl,
}

/// The texts of a domain and a problem.
pub struct Texts {
    pub domain: String,
    pub problem: String,
}

/// Texts of one kind.
pub struct Family {
    pub language: Language,
    pub name: String,
    /// The size in the gate; the long form takes an eighth of it and eight times as much too.
    pub size: usize,
    slots: Slots,
}

type Slots = BTreeMap<String, String>;

/// Signs that cannot be seen in a file.
const SIGNS: [(&str, &str); 8] = [
    ("newline", "\n"),
    ("tab", "\t"),
    ("return", "\r"),
    ("nul", "\0"),
    ("override", "\u{202e}"),
    ("joiner", "\u{200d}"),
    ("accent", "\u{301}"),
    ("nothing at all", ""),
];

/// Returns all families, in the order of the file.
pub fn all() -> Vec<Family> {
    let signs = SIGNS.map(|(name, sign)| (name.to_owned(), sign.to_owned()));
    let mut shapes = BTreeMap::from([(String::new(), (Language::Pddl, Slots::from(signs)))]);
    let mut families = Vec::new();
    let text = include_str!("families.txt")
        .lines()
        .filter(|line| !line.starts_with(';'));
    let mut lines = text.filter(|line| !line.is_empty()).peekable();
    while let Some(head) = lines.next() {
        if let Some(names) = head.strip_prefix("shape ") {
            let (name, parent) = names.split_once(' ').unwrap_or((names, ""));
            let (mut language, mut slots) = shapes[parent].clone();
            if name == "rddl" {
                language = Language::Rddl;
            }
            read(&mut lines, &mut slots);
            shapes.insert(name.to_owned(), (language, slots));
            continue;
        }
        let (about, main) = head.split_once(" :: ").unwrap_or((head, ""));
        let mut words = about.splitn(3, ' ');
        let mut word = || words.next().expect("a shape, a size and a name");
        let (shape, size, name) = (word(), word(), word());
        let (shape, count) = shape.split_once('(').unwrap_or((shape, ""));
        let (language, mut slots) = shapes[shape].clone();
        for (slot, value) in [(shape, main), ("count", count.trim_end_matches(')'))] {
            if !value.is_empty() {
                slots.insert(slot.to_owned(), value.to_owned());
            }
        }
        read(&mut lines, &mut slots);
        families.push(Family {
            language,
            name: name.to_owned(),
            size: size.parse().expect("a size"),
            slots,
        });
    }
    families
}

/// Reads the slots below a heading.
fn read<'t>(lines: &mut Peekable<impl Iterator<Item = &'t str>>, slots: &mut Slots) {
    let mut last = String::new();
    while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
        if let Some(more) = line.strip_prefix("    ") {
            let value = slots.get_mut(&last).expect("a slot above");
            *value += "\n";
            *value += more;
        } else {
            let (slot, value) = line.trim_start().split_once(':').expect("a slot");
            last = slot.to_owned();
            slots.insert(last.clone(), value.trim_start().to_owned());
        }
    }
}

impl Family {
    /// Returns the texts of this size.
    pub fn texts(&self, size: usize) -> Texts {
        let text = |slot: &str| {
            let text = self.filled(&self.slots[slot]);
            let mut made = String::new();
            let mut writing = Writing {
                size,
                numbers: [0; 2],
            };
            writing.write(&mut text.chars().peekable(), &mut made);
            made
        };
        Texts {
            domain: text("domain"),
            problem: text("problem"),
        }
    }

    /// Returns a text with the values of its slots, and of theirs.
    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('<') {
            filled += before;
            let name = behind.split('>').next().unwrap_or_default();
            let is_slot =
                !name.is_empty() && name.chars().all(|sign| sign.is_ascii_lowercase() || sign == ' ');
            if is_slot && behind.len() > name.len() {
                filled += &self
                    .slots
                    .get(name)
                    .map_or_else(String::new, |value| self.filled(value));
                rest = &behind[name.len() + 1..];
            } else {
                filled.push('<');
                rest = behind;
            }
        }
        filled + rest
    }
}

/// The numbers that a text is written with.
#[derive(Clone, Copy)]
struct Writing {
    size: usize,
    /// The number of the repetition, and of the one around it.
    numbers: [usize; 2],
}

impl Writing {
    /// Writes signs until the end of a repetition.
    fn write(self, signs: &mut Peekable<Chars<'_>>, out: &mut String) {
        while let Some(sign) = signs.next() {
            match sign {
                '»' => return,
                '«' => self.repeat(signs, out),
                '‹' => {
                    let parts: String = signs.by_ref().take_while(|&sign| sign != '›').collect();
                    out.push_str(&self.doubled(&parts));
                }
                '$' | '#' | '§' => out.push_str(&self.calculated(self.number(sign), signs).to_string()),
                '€' => out.push_str(&(1.0 / self.size as f64).to_string()),
                other => out.push(other),
            }
        }
    }

    fn number(self, sign: char) -> usize {
        match sign {
            '#' => self.numbers[0],
            '§' => self.numbers[1],
            _ => self.size,
        }
    }

    /// Calculates from left to right, beginning with a number.
    fn calculated(self, mut number: usize, signs: &mut Peekable<Chars<'_>>) -> usize {
        loop {
            // A sign without a number behind it is part of the text.
            let mut ahead = signs.clone();
            let Some(operator) = ahead.next().filter(|sign| "+-*/%<>=".contains(*sign)) else {
                return number;
            };
            let mut operand = String::new();
            while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                operand.push(digit);
            }
            let other = match operand.parse() {
                Ok(other) => other,
                Err(_) => match ahead.next_if(|sign| "n#§".contains(*sign)) {
                    Some(sign) => self.number(sign),
                    None => return number,
                },
            };
            *signs = ahead;
            number = match operator {
                '+' => number + other,
                '-' => number.saturating_sub(other),
                '*' => number * other,
                '/' => number / other,
                '%' => number % other,
                '<' => number.min(other),
                '>' => number.max(other),
                _ => other,
            };
        }
    }

    fn repeat(self, signs: &mut Peekable<Chars<'_>>, out: &mut String) {
        let mut inside = signs.clone();
        let first = inside.next_if_eq(&'#').map_or(self.size, |_| self.numbers[0]);
        let count = self.calculated(first, &mut inside);
        let count = if inside.next_if_eq(&':').is_some() {
            *signs = inside;
            count
        } else {
            self.size
        };
        let begin = signs.clone();
        for number in 0..count {
            *signs = begin.clone();
            let numbers = [number, self.numbers[0]];
            Self { numbers, ..self }.write(signs, out);
        }
        if count == 0 {
            self.write(signs, &mut String::new());
        }
    }

    /// Puts two copies between three parts, again and again.
    fn doubled(self, parts: &str) -> String {
        let [before, between, behind, innermost]: [&str; 4] = parts
            .split('|')
            .collect::<Vec<_>>()
            .try_into()
            .expect("four parts");
        let doubled = |inner: String, _| format!("{before}{inner}{between}{inner}{behind}");
        (0..self.size.min(16)).fold(innermost.to_owned(), doubled)
    }
}
