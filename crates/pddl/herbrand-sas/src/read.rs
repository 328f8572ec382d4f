//! Reads finite-domain tasks in the format of Fast Downward's translator.

use herbrand_limits::Budget;
use herbrand_text::{Diagnostics, Faults, Source, Span};

use crate::code::SasCode;
use crate::task::{Axiom, Effect, Fact, FiniteDomainTask, Operator, Variable};

impl FiniteDomainTask {
    /// Reads a text in version 3 of the format of Fast Downward's translator, within a budget; [`to_sas`](Self::to_sas)
    /// writes it. Identical facts in a condition count once. Takes time linear in the length of the text.
    ///
    /// # Errors
    /// If the text has faults; all are listed, with their lines. After a line that is out of place, the rest of its part
    /// is not read.
    pub fn from_sas(source: &Source, budget: &Budget) -> Result<Self, Faults<SasCode>> {
        let mut reader = Reader {
            text: source.text(),
            place: 0,
            found: Diagnostics::within(source.clone(), false, budget.meter("reading")),
            task: Self::default(),
            layers: Vec::new(),
        };
        reader.read();
        let Reader { found, task, .. } = reader;
        if found.errors() == 0 {
            Ok(task)
        } else {
            Err(Faults::new(found.into_list()))
        }
    }
}

/// The largest number of the format.
const LARGEST: u32 = i32::MAX as u32;

struct Reader<'s> {
    text: &'s str,
    /// The offset of the next line.
    place: usize,
    found: Diagnostics<SasCode>,
    task: FiniteDomainTask,
    /// The layer and the number of values of each variable; 0 values if they could not be read.
    layers: Vec<(Option<u32>, u32)>,
}

/// A line or a word with its place.
#[derive(Clone, Copy)]
struct Piece<'s> {
    text: &'s str,
    start: usize,
}

impl<'s> Piece<'s> {
    fn span(self) -> Span {
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            start: offset(self.start),
            end: offset(self.start + self.text.len()),
        }
    }

    /// Splits a line into words.
    fn words(self) -> impl Iterator<Item = Piece<'s>> {
        self.text.split_whitespace().map(move |text| Piece {
            text,
            start: self.start + text.as_ptr().addr() - self.text.as_ptr().addr(),
        })
    }
}

impl<'s> Reader<'s> {
    fn read(&mut self) {
        if self.section("version", |reader| {
            let line = reader.line("the version")?;
            let version = reader.number(line)?;
            if version != 3 {
                reader.fault(
                    SasCode::Version,
                    line,
                    format!("unknown version {version}"),
                    "only version 3 is read",
                );
            }
            Some(())
        }) == Section::Missing
        {
            return;
        }
        self.section("metric", |reader| {
            let line = reader.line("0 or 1")?;
            let metric = reader.number(line)?;
            if metric > 1 {
                reader.fault(
                    SasCode::Number,
                    line,
                    format!("the metric is {metric}"),
                    "expected 0 or 1",
                );
            }
            reader.task.metric = metric == 1;
            Some(())
        });
        self.sections("variables", "variable", Self::variable);
        self.sections("mutex groups", "mutex_group", |reader| {
            let facts = reader.facts(false)?;
            reader.found.push(&mut reader.task.mutexes, facts);
            Some(())
        });
        self.section("state", |reader| {
            for variable in 0..reader.layers.len() {
                let line = reader.line("a value")?;
                let value = reader.number(line)?;
                reader.check_value(line, variable as u32, value);
                reader.found.push(&mut reader.task.initial, value);
            }
            Some(())
        });
        self.section("goal", |reader| {
            reader.task.goal = reader.facts(true)?;
            Some(())
        });
        self.sections("operators", "operator", Self::operator);
        self.sections("axioms", "rule", Self::axiom);
        while let Some(line) = self.peek() {
            if !line.text.is_empty() {
                self.fault(
                    SasCode::Layout,
                    line,
                    "something follows the axioms".to_owned(),
                    "expected the end",
                );
                return;
            }
            self.advance(line);
        }
    }

    fn fault(&mut self, code: SasCode, at: Piece<'_>, message: String, label: &str) {
        self.found
            .report(code, message, |draft| draft.primary(at.span(), label));
    }

    /// Returns the next line without the space around it; `None` at the end.
    fn peek(&self) -> Option<Piece<'s>> {
        let rest = self.text.get(self.place..).filter(|rest| !rest.is_empty())?;
        let line = rest.split('\n').next().unwrap_or(rest);
        let text = line.trim();
        Some(Piece {
            text,
            start: self.place + text.as_ptr().addr() - line.as_ptr().addr(),
        })
    }

    /// Goes to the line after `line`, which is the next one.
    fn advance(&mut self, line: Piece<'_>) {
        let rest = self.text.get(line.start..).unwrap_or_default();
        self.place = rest
            .find('\n')
            .map_or(self.text.len(), |length| line.start + length + 1);
    }

    /// Returns the next line, which is not the end of its section. Reports a fault if it is.
    fn line(&mut self, expected: &str) -> Option<Piece<'s>> {
        let Some(line) = self.peek() else {
            let end = Piece {
                text: "",
                start: self.text.len(),
            };
            self.fault(
                SasCode::Layout,
                end,
                "the text ends too early".to_owned(),
                &format!("expected {expected}"),
            );
            return None;
        };
        if line.text.starts_with("begin_") || line.text.starts_with("end_") {
            let message = format!("unexpected `{}`", line.text);
            self.fault(SasCode::Layout, line, message, &format!("expected {expected}"));
            return None;
        }
        self.advance(line);
        Some(line)
    }

    /// Reads a line that must be `word`. Reports a fault if it is not.
    fn marker(&mut self, word: &str) -> bool {
        match self.peek() {
            Some(line) if line.text == word => {
                self.advance(line);
                true
            }
            line => {
                let at = line.unwrap_or(Piece {
                    text: "",
                    start: self.text.len(),
                });
                let found = if line.is_some() { "another line" } else { "the end" };
                let message = format!("expected `{word}`, found {found}");
                self.fault(SasCode::Layout, at, message, &format!("expected `{word}`"));
                false
            }
        }
    }

    /// Reads a section between its markers. After a fault of layout, the rest of the section is skipped.
    fn section(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Option<()>) -> Section {
        let begin = format!("begin_{name}");
        if !self.marker(&begin) {
            return Section::Missing;
        }
        self.body(name, read);
        Section::Read
    }

    fn body(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Option<()>) {
        let end = format!("end_{name}");
        if read(self).is_some() && self.marker(&end) {
            return;
        }
        while let Some(line) = self.peek() {
            if line.text.starts_with("begin_") {
                return;
            }
            self.advance(line);
            if line.text == end {
                return;
            }
        }
    }

    /// Reads the number of sections of a kind, then the sections.
    fn sections(&mut self, plural: &str, name: &str, mut read: impl FnMut(&mut Self) -> Option<()>) {
        let begin = format!("begin_{name}");
        let counted = match self.peek() {
            Some(line) if line.text.starts_with("begin_") => {
                let message = format!("the number of {plural} is missing");
                self.fault(
                    SasCode::Layout,
                    line,
                    message,
                    "expected a number before this line",
                );
                None
            }
            _ => self.line(&format!("the number of {plural}")),
        };
        let count = counted.and_then(|line| self.number(line));
        let mut read_so_far: u32 = 0;
        while let Some(line) = self.peek().filter(|line| line.text == begin) {
            self.advance(line);
            self.body(name, &mut read);
            read_so_far = read_so_far.saturating_add(1);
            if self.found.is_spent() {
                return;
            }
        }
        if let (Some(line), Some(count)) = (counted, count.filter(|&count| count != read_so_far)) {
            let message = format!("{count} {plural} are announced, but {read_so_far} follow");
            self.fault(SasCode::Layout, line, message, "another number");
        }
    }

    /// Reads a number from 0.
    fn number(&mut self, at: Piece<'_>) -> Option<u32> {
        let number = at.text.parse::<u32>().ok().filter(|&number| number <= LARGEST);
        if number.is_none() {
            let message = format!("`{}` is not a whole number from 0 to {LARGEST}", shorten(at.text));
            self.fault(SasCode::Number, at, message, "expected a number");
        }
        number
    }

    /// Reads a number from 0, or −1 as `None`.
    fn optional(&mut self, at: Piece<'_>) -> Option<Option<u32>> {
        if at.text == "-1" {
            Some(None)
        } else {
            self.number(at).map(Some)
        }
    }

    fn variable(&mut self) -> Option<()> {
        self.layers.push((None, 0));
        let mut variable = Variable {
            name: String::new(),
            layer: None,
            values: Vec::new(),
        };
        let read = self.variable_lines(&mut variable);
        // The values are only known if as many were announced.
        let complete = self.peek().is_some_and(|line| line.text == "end_variable");
        if let Some(last) = self.layers.last_mut().filter(|_| complete) {
            *last = (variable.layer, variable.values.len() as u32);
        }
        self.found.push(&mut self.task.variables, variable);
        read
    }

    fn variable_lines(&mut self, variable: &mut Variable) -> Option<()> {
        variable.name = self.line("the name of the variable")?.text.to_owned();
        let line = self.line("the layer")?;
        variable.layer = self.optional(line)?;
        let line = self.line("the number of values")?;
        let count = self.number(line)?;
        for _ in 0..count {
            let value = self.line("the name of a value")?.text.to_owned();
            if !self.found.charge(value.len()) {
                return None;
            }
            self.found.push(&mut variable.values, value);
        }
        if count == 0 {
            self.fault(
                SasCode::Number,
                line,
                "a variable has no value".to_owned(),
                "expected at least 1",
            );
        }
        if variable.layer.is_some() && count != 2 {
            let message = format!("a derived variable has {count} values");
            self.fault(SasCode::Layer, line, message, "expected 2");
        }
        Some(())
    }

    /// Reports a fault unless the variable has the value. Returns whether it has.
    fn check_value(&mut self, at: Piece<'_>, variable: u32, value: u32) -> bool {
        let Some(&(_, values)) = self.layers.get(variable as usize) else {
            let (message, count) = (format!("there is no variable {variable}"), self.layers.len());
            self.fault(
                SasCode::UnknownVariable,
                at,
                message,
                &format!("there are {count} variables, from 0"),
            );
            return false;
        };
        // The values of a variable with faults are not known.
        if values == 0 || value < values {
            return values > 0;
        }
        let message = format!("variable {variable} has no value {value}");
        self.fault(
            SasCode::UnknownValue,
            at,
            message,
            &format!("it has {values} values, from 0"),
        );
        false
    }

    /// Reads two words as a fact; `None` if it is not one of the task.
    fn fact(&mut self, variable: Piece<'_>, value: Piece<'_>) -> Option<Fact> {
        let numbers = (self.number(variable), self.number(value));
        let (Some(number), Some(index)) = numbers else {
            return None;
        };
        let at = if (number as usize) < self.layers.len() {
            value
        } else {
            variable
        };
        self.check_value(at, number, index)
            .then(|| Fact::new(number, index))
    }

    /// Reads the number of facts, then each on a line. In a condition, a variable has one value.
    fn facts(&mut self, condition: bool) -> Option<Vec<Fact>> {
        let line = self.line("a number of facts")?;
        let count = self.number(line)?;
        let mut facts = Vec::new();
        for _ in 0..count {
            let line = self.line("a variable and a value")?;
            let words: Vec<_> = line.words().take(3).collect();
            let [variable, value] = words.as_slice() else {
                self.fault(
                    SasCode::Layout,
                    line,
                    "a fact is two numbers".to_owned(),
                    "expected a variable and a value",
                );
                continue;
            };
            if let Some(fact) = self.fact(*variable, *value) {
                self.found.push(&mut facts, fact);
            }
            if self.found.is_spent() {
                return None;
            }
        }
        self.finish(&mut facts, line, condition);
        Some(facts)
    }

    /// Sorts facts. Reports a fault if they are a condition that gives one variable two values.
    fn finish(&mut self, facts: &mut Vec<Fact>, at: Piece<'_>, condition: bool) {
        facts.sort_unstable();
        facts.dedup();
        let twice = facts.windows(2).find(|pair| pair[0].variable == pair[1].variable);
        if let Some([fact, _]) = twice.filter(|_| condition) {
            let message = format!("a condition gives variable {} two values", fact.variable);
            self.fault(
                SasCode::Contradiction,
                at,
                message,
                "such a condition is never true",
            );
        }
    }

    fn operator(&mut self) -> Option<()> {
        let name = self.line("the name of the operator")?;
        let prevail = self.facts(true)?;
        let line = self.line("the number of effects")?;
        let count = self.number(line)?;
        let mut effects = Vec::new();
        for _ in 0..count {
            let line = self.line("an effect")?;
            if let Some(effect) = self.effect(line) {
                self.found.push(&mut effects, effect);
            }
            if self.found.is_spent() {
                return None;
            }
        }
        effects.sort_unstable();
        effects.dedup();
        let line = self.line("the cost")?;
        let cost = self.number(line)?;
        let operator = Operator {
            name: name.text.to_owned(),
            prevail,
            effects,
            cost: u64::from(cost),
        };
        let mut before: Vec<_> = operator.preconditions().collect();
        self.finish(&mut before, name, true);
        if self.found.charge(operator.name.len()) {
            self.found.push(&mut self.task.operators, operator);
        }
        Some(())
    }

    /// Reads an effect: the number of conditions, these, the variable, its old value and its new value.
    fn effect(&mut self, line: Piece<'_>) -> Option<Effect> {
        let words: Vec<_> = line.words().collect();
        let Some((first, rest)) = words.split_first() else {
            self.fault(
                SasCode::Layout,
                line,
                "an effect is empty".to_owned(),
                "expected numbers",
            );
            return None;
        };
        let count = self.number(*first)? as usize;
        if rest.len() != count.saturating_mul(2).saturating_add(3) {
            let message = format!(
                "an effect with {count} conditions has {} numbers after their number",
                rest.len()
            );
            let label = format!("expected {}", count.saturating_mul(2).saturating_add(3));
            self.fault(SasCode::Layout, line, message, &label);
            return None;
        }
        let mut condition = Vec::new();
        for pair in rest[..2 * count].chunks_exact(2) {
            let fact = self.fact(pair[0], pair[1]);
            condition.extend(fact);
        }
        self.finish(&mut condition, line, true);
        let [variable, before, after] = rest[2 * count..] else {
            return None;
        };
        let old = self.optional(before)?;
        let head = self.fact(variable, after)?;
        if let Some(old) = old {
            self.check_value(before, head.variable, old);
        }
        if self
            .layers
            .get(head.variable as usize)
            .is_some_and(|variable| variable.0.is_some())
        {
            let message = format!("an operator changes the derived variable {}", head.variable);
            self.fault(SasCode::Layer, variable, message, "only axioms change it");
        }
        Some(Effect {
            variable: head.variable,
            before: old,
            after: head.value,
            condition,
        })
    }

    fn axiom(&mut self) -> Option<()> {
        let condition = self.facts(true)?;
        let line = self.line("the head of the axiom")?;
        let words: Vec<_> = line.words().take(4).collect();
        let [variable, before, after] = words.as_slice() else {
            let expected = "expected a variable, its old value and its new value";
            self.fault(
                SasCode::Layout,
                line,
                "the head of an axiom is three numbers".to_owned(),
                expected,
            );
            return Some(());
        };
        let old = self.number(*before);
        let Some(head) = self.fact(*variable, *after) else {
            return Some(());
        };
        let default = self.task.initial.get(head.variable as usize).copied();
        let Some(&(Some(layer), _)) = self.layers.get(head.variable as usize) else {
            let message = format!(
                "an axiom defines variable {}, which is not derived",
                head.variable
            );
            self.fault(SasCode::Layer, *variable, message, "it has no layer");
            return Some(());
        };
        if default == Some(head.value) || old.is_some_and(|old| old == head.value) {
            let message = format!("an axiom gives variable {} its initial value", head.variable);
            self.fault(SasCode::Layer, *after, message, "expected the other value");
        }
        for fact in &condition {
            let Some(&(Some(other), _)) = self.layers.get(fact.variable as usize) else {
                continue;
            };
            let is_default = self.task.initial.get(fact.variable as usize) == Some(&fact.value);
            if other > layer || other == layer && is_default {
                let message = format!(
                    "an axiom of layer {layer} depends on value {} of variable {}, of layer {other}",
                    fact.value, fact.variable
                );
                self.fault(SasCode::Layer, line, message, "the layers are not in order");
            }
        }
        self.found.push(&mut self.task.axioms, Axiom { condition, head });
        Some(())
    }
}

#[derive(PartialEq, Eq)]
enum Section {
    Read,
    Missing,
}

/// Returns the beginning of a long word.
fn shorten(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
