//! Writes finite-domain tasks in the format of Fast Downward's translator.

use std::fmt::{self, Write as _};

use crate::task::{Effect, Fact, FiniteDomainTask, Operator, Variable};

impl FiniteDomainTask {
    /// Returns the task as a text in version 3 of the format of Fast Downward's translator. Line breaks in names become
    /// spaces. A task without variables, or with an empty goal, gets one more variable, because the format demands a goal.
    #[must_use]
    pub fn to_sas(&self) -> String {
        let names = self.operators.iter().map(|operator| operator.name.len() + 64);
        let mut text = String::with_capacity(names.sum());
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let metric = u32::from(self.metric);
        writeln!(
            out,
            "begin_version\n3\nend_version\nbegin_metric\n{metric}\nend_metric"
        )?;
        let dummy = self.goal.is_empty().then(|| Variable {
            name: format!("var{}", self.variables.len()),
            layer: None,
            values: vec!["Atom dummy(val1)".to_owned(), "Atom dummy(val2)".to_owned()],
        });
        let dummy_goal = [Fact::new(self.variables.len() as u32, 0)];
        writeln!(out, "{}", self.variables.len() + usize::from(dummy.is_some()))?;
        for variable in self.variables.iter().chain(&dummy) {
            out.push_str("begin_variable\n");
            line(out, &variable.name);
            match variable.layer {
                Some(layer) => writeln!(out, "{layer}")?,
                None => out.push_str("-1\n"),
            }
            writeln!(out, "{}", variable.values.len())?;
            variable.values.iter().for_each(|value| line(out, value));
            out.push_str("end_variable\n");
        }
        writeln!(out, "{}", self.mutexes.len())?;
        for mutex in &self.mutexes {
            out.push_str("begin_mutex_group\n");
            facts(out, mutex);
            out.push_str("end_mutex_group\n");
        }
        out.push_str("begin_state\n");
        for &value in self.initial.iter().chain(dummy.as_ref().map(|_| &0)) {
            number(out, u64::from(value));
            out.push('\n');
        }
        out.push_str("end_state\nbegin_goal\n");
        facts(out, if dummy.is_some() { &dummy_goal } else { &self.goal });
        writeln!(out, "end_goal\n{}", self.operators.len())?;
        self.operators.iter().for_each(|one| operator(out, one));
        writeln!(out, "{}", self.axioms.len())?;
        for axiom in &self.axioms {
            out.push_str("begin_rule\n");
            facts(out, &axiom.condition);
            number(out, u64::from(axiom.head.variable));
            writeln!(
                out,
                " {} {}\nend_rule",
                1_u32.saturating_sub(axiom.head.value),
                axiom.head.value
            )?;
        }
        Ok(())
    }
}

fn operator(out: &mut String, operator: &Operator) {
    out.push_str("begin_operator\n");
    line(out, &operator.name);
    facts(out, &operator.prevail);
    number(out, operator.effects.len() as u64);
    out.push('\n');
    for Effect {
        variable,
        before,
        after,
        condition,
    } in &operator.effects
    {
        number(out, condition.len() as u64);
        for &fact in condition {
            out.push(' ');
            pair(out, fact);
        }
        out.push(' ');
        number(out, u64::from(*variable));
        match before {
            Some(before) => {
                out.push(' ');
                number(out, u64::from(*before));
            }
            None => out.push_str(" -1"),
        }
        out.push(' ');
        number(out, u64::from(*after));
        out.push('\n');
    }
    number(out, operator.cost);
    out.push_str("\nend_operator\n");
}

fn line(out: &mut String, name: &str) {
    if name.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
        out.push_str(&name.replace(['\n', '\r'], " "));
    } else {
        out.push_str(name);
    }
    out.push('\n');
}

/// Writes the number of facts, then each on a line.
fn facts(out: &mut String, facts: &[Fact]) {
    number(out, facts.len() as u64);
    out.push('\n');
    for &fact in facts {
        pair(out, fact);
        out.push('\n');
    }
}

fn pair(out: &mut String, fact: Fact) {
    number(out, u64::from(fact.variable));
    out.push(' ');
    number(out, u64::from(fact.value));
}

/// Writes a number in decimal. Most are small, for which this is several times faster than `write!`.
fn number(out: &mut String, mut value: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.push_str(str::from_utf8(&digits[start..]).unwrap_or_default());
}
