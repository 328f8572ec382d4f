//! Writes finite-domain tasks in the format of Fast Downward's translator.

use std::io::{self, Write};

use crate::task::{Axiom, Effect, Fact, FiniteDomainTask, Operator, Variable};

/// The least number of bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// The digits of the numbers below 1000, from the left, and how many they are.
static SHORT: [([u8; 3], u8); 1000] = {
    let mut all = [([0; 3], 0); 1000];
    let mut value = 0;
    while value < all.len() {
        let hundreds = b'0' + (value / 100) as u8;
        let tens = b'0' + (value / 10 % 10) as u8;
        let ones = b'0' + (value % 10) as u8;
        all[value] = match value {
            0..10 => ([ones, 0, 0], 1),
            10..100 => ([tens, ones, 0], 2),
            _ => ([hundreds, tens, ones], 3),
        };
        value += 1;
    }
    all
};

impl FiniteDomainTask {
    /// Returns the task as a text in version 3 of the format of Fast Downward's translator. Line breaks in names become
    /// spaces. A task without variables, or with an empty goal, gets one more variable, because the format demands a goal.
    #[must_use]
    pub fn to_sas(&self) -> String {
        let mut text = Vec::new();
        // Writing to a list cannot fail.
        let _ = self.write_sas(&mut text);
        String::from_utf8(text).expect("names, numbers and words")
    }

    /// Writes the text of [`to_sas`](Self::to_sas), piece by piece.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_sas(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_named(out, |operator, text| {
            text.extend_from_slice(self.operators[operator].name.as_bytes());
        })
    }

    /// Writes the text with other names: `name` appends that of the operator with an index.
    pub(crate) fn write_named(
        &self,
        out: &mut dyn Write,
        name: impl Fn(usize, &mut Vec<u8>),
    ) -> io::Result<()> {
        let mut writer = Writer {
            text: Vec::with_capacity(2 * PIECE),
            out,
        };
        writer.task(self, name)?;
        writer.out.write_all(&writer.text)
    }
}

/// A text under construction. It is written byte by byte, without checks of its encoding.
struct Writer<'a> {
    /// The end of the text, which is not written yet.
    text: Vec<u8>,
    out: &'a mut dyn Write,
}

impl Writer<'_> {
    fn task(&mut self, task: &FiniteDomainTask, name: impl Fn(usize, &mut Vec<u8>)) -> io::Result<()> {
        self.text("begin_version\n3\nend_version\nbegin_metric\n");
        self.count(usize::from(task.metric));
        self.text("end_metric\n");
        let dummy = task.goal.is_empty().then(|| Variable {
            name: format!("var{}", task.variables.len()),
            layer: None,
            values: vec!["Atom dummy(val1)".to_owned(), "Atom dummy(val2)".to_owned()],
        });
        self.count(task.variables.len() + usize::from(dummy.is_some()));
        self.each(task.variables.iter().chain(&dummy), Self::variable)?;
        self.count(task.mutexes.len());
        self.each(&task.mutexes, |writer, mutex| {
            writer.text("begin_mutex_group\n");
            writer.facts(mutex);
            writer.text("end_mutex_group\n");
        })?;
        self.text("begin_state\n");
        for &value in task.initial.iter().chain(dummy.as_ref().map(|_| &0)) {
            self.count(value as usize);
        }
        self.text("end_state\nbegin_goal\n");
        if dummy.is_some() {
            self.facts(&[Fact::new(task.variables.len() as u32, 0)]);
        } else {
            self.facts(&task.goal);
        }
        self.text("end_goal\n");
        self.count(task.operators.len());
        self.each(task.operators.iter().enumerate(), |writer, (index, operator)| {
            writer.text("begin_operator\n");
            writer.named(|text| name(index, text));
            writer.operator(operator);
        })?;
        self.count(task.axioms.len());
        self.each(&task.axioms, Self::axiom)
    }

    /// Writes each part of a list, and passes on the text when it is long enough.
    fn each<T>(
        &mut self,
        parts: impl IntoIterator<Item = T>,
        write: impl Fn(&mut Self, T),
    ) -> io::Result<()> {
        for part in parts {
            write(self, part);
            if self.text.len() >= PIECE {
                self.out.write_all(&self.text)?;
                self.text.clear();
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) {
        self.text("begin_variable\n");
        self.line(&variable.name);
        match variable.layer {
            Some(layer) => self.count(layer as usize),
            None => self.text("-1\n"),
        }
        self.count(variable.values.len());
        variable.values.iter().for_each(|value| self.line(value));
        self.text("end_variable\n");
    }

    /// Writes the rest of an operator, after its name.
    fn operator(&mut self, operator: &Operator) {
        self.facts(&operator.prevail);
        self.count(operator.effects.len());
        for effect in &operator.effects {
            self.effect(effect);
        }
        self.number(operator.cost);
        self.text("\nend_operator\n");
    }

    fn effect(&mut self, effect: &Effect) {
        self.number(effect.condition.len() as u64);
        for fact in &effect.condition {
            self.text.push(b' ');
            self.fact(*fact);
        }
        self.text.push(b' ');
        self.number(u64::from(effect.variable));
        match effect.before {
            Some(before) => {
                self.text.push(b' ');
                self.number(u64::from(before));
            }
            None => self.text(" -1"),
        }
        self.text.push(b' ');
        self.number(u64::from(effect.after));
        self.text.push(b'\n');
    }

    fn axiom(&mut self, axiom: &Axiom) {
        self.text("begin_rule\n");
        self.facts(&axiom.condition);
        self.fact(Fact::new(
            axiom.head.variable,
            1_u32.saturating_sub(axiom.head.value),
        ));
        self.text.push(b' ');
        self.number(u64::from(axiom.head.value));
        self.text("\nend_rule\n");
    }

    /// Writes the number of facts, then each on a line.
    fn facts(&mut self, facts: &[Fact]) {
        self.count(facts.len());
        for &fact in facts {
            self.fact(fact);
            self.text.push(b'\n');
        }
    }

    fn fact(&mut self, fact: Fact) {
        self.number(u64::from(fact.variable));
        self.text.push(b' ');
        self.number(u64::from(fact.value));
    }

    fn text(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Writes a name on a line of its own.
    fn line(&mut self, name: &str) {
        self.named(|text| text.extend_from_slice(name.as_bytes()));
    }

    /// Writes the name that `name` appends on a line of its own.
    fn named(&mut self, name: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        name(&mut self.text);
        for byte in &mut self.text[start..] {
            // A store in each turn lets several bytes be replaced at once.
            *byte = if matches!(*byte, b'\n' | b'\r') {
                b' '
            } else {
                *byte
            };
        }
        self.text.push(b'\n');
    }

    /// Writes a number on a line of its own.
    fn count(&mut self, count: usize) {
        self.number(count as u64);
        self.text.push(b'\n');
    }

    /// Writes a number in decimal. Most have few digits, which are written at once.
    #[inline]
    fn number(&mut self, value: u64) {
        let Some((digits, count)) = usize::try_from(value).ok().and_then(|value| SHORT.get(value)) else {
            return self.long_number(value);
        };
        let length = self.text.len();
        self.text.extend_from_slice(digits);
        self.text.truncate(length + usize::from(*count));
    }

    /// Writes a number in decimal, digit by digit.
    fn long_number(&mut self, mut value: u64) {
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] += (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.text.extend_from_slice(&digits[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        let borders = (0..20).flat_map(|power| {
            let border = 10_u64.pow(power);
            [border - 1, border, border + 1]
        });
        for value in (0..2000).chain(borders).chain([u64::MAX]) {
            let (text, out) = (b"a ".to_vec(), &mut Vec::new());
            let mut writer = Writer { text, out };
            writer.number(value);
            writer.text(";");
            let written = String::from_utf8(writer.text).expect("digits");
            assert_eq!(written, format!("a {value};"));
        }
    }
}
