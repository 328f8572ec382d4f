//! Writes finite-domain tasks in the format of Fast Downward's translator.

use crate::task::{Axiom, Effect, Fact, FiniteDomainTask, Operator, Variable};

impl FiniteDomainTask {
    /// Returns the task as a text in version 3 of the format of Fast Downward's translator. Line breaks in names become
    /// spaces. A task without variables, or with an empty goal, gets one more variable, because the format demands a goal.
    #[must_use]
    pub fn to_sas(&self) -> String {
        let names = self.operators.iter().map(|operator| operator.name.len() + 80);
        let mut writer = Writer {
            out: Vec::with_capacity(names.sum()),
        };
        writer.task(self);
        String::from_utf8(writer.out).expect("names, numbers and words")
    }
}

/// A text under construction: it is written byte by byte, without checks of its encoding.
struct Writer {
    out: Vec<u8>,
}

impl Writer {
    fn task(&mut self, task: &FiniteDomainTask) {
        self.text("begin_version\n3\nend_version\nbegin_metric\n");
        self.count(usize::from(task.metric));
        self.text("end_metric\n");
        let dummy = task.goal.is_empty().then(|| Variable {
            name: format!("var{}", task.variables.len()),
            layer: None,
            values: vec!["Atom dummy(val1)".to_owned(), "Atom dummy(val2)".to_owned()],
        });
        self.count(task.variables.len() + usize::from(dummy.is_some()));
        for variable in task.variables.iter().chain(&dummy) {
            self.variable(variable);
        }
        self.count(task.mutexes.len());
        for mutex in &task.mutexes {
            self.text("begin_mutex_group\n");
            self.facts(mutex);
            self.text("end_mutex_group\n");
        }
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
        task.operators.iter().for_each(|operator| self.operator(operator));
        self.count(task.axioms.len());
        task.axioms.iter().for_each(|axiom| self.axiom(axiom));
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

    fn operator(&mut self, operator: &Operator) {
        self.text("begin_operator\n");
        self.line(&operator.name);
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
            self.out.push(b' ');
            self.fact(*fact);
        }
        self.out.push(b' ');
        self.number(u64::from(effect.variable));
        match effect.before {
            Some(before) => {
                self.out.push(b' ');
                self.number(u64::from(before));
            }
            None => self.text(" -1"),
        }
        self.out.push(b' ');
        self.number(u64::from(effect.after));
        self.out.push(b'\n');
    }

    fn axiom(&mut self, axiom: &Axiom) {
        self.text("begin_rule\n");
        self.facts(&axiom.condition);
        self.fact(Fact::new(
            axiom.head.variable,
            1_u32.saturating_sub(axiom.head.value),
        ));
        self.out.push(b' ');
        self.number(u64::from(axiom.head.value));
        self.text("\nend_rule\n");
    }

    /// Writes the number of facts, then each on a line.
    fn facts(&mut self, facts: &[Fact]) {
        self.count(facts.len());
        for &fact in facts {
            self.fact(fact);
            self.out.push(b'\n');
        }
    }

    fn fact(&mut self, fact: Fact) {
        self.number(u64::from(fact.variable));
        self.out.push(b' ');
        self.number(u64::from(fact.value));
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes a name on a line of its own.
    fn line(&mut self, name: &str) {
        let start = self.out.len();
        self.text(name);
        for byte in &mut self.out[start..] {
            if matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        self.out.push(b'\n');
    }

    /// Writes a number on a line of its own.
    fn count(&mut self, count: usize) {
        self.number(count as u64);
        self.out.push(b'\n');
    }

    /// Writes a number in decimal. Most have one digit.
    fn number(&mut self, mut value: u64) {
        if value < 10 {
            self.out.push(b'0' + value as u8);
            return;
        }
        let mut digits = [0; 20];
        let mut start = digits.len();
        while value > 0 {
            start -= 1;
            digits[start] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.out.extend_from_slice(&digits[start..]);
    }
}
