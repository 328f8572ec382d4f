//! The text of the `ascent!` programs.

use std::fmt::Write;

use super::{Text, column_type, support};
use crate::program::Program;
use crate::rule::{Atom, Clause, Rule, Term};

/// The maximal length of a rule on one line. A longer rule has a line for each condition.
const LONGEST_LINE: usize = 100;

impl Text<'_> {
    /// Returns the module with the comparison functions, or an empty text if no rule compares numbers.
    pub(super) fn comparisons(&self) -> String {
        let comparisons = &self.vocabulary.comparisons;
        if comparisons.is_empty() {
            return String::new();
        }
        let mut text =
            "/// Comparisons of numbers; `None` if a side has no value.\nmod comparison {\n".to_owned();
        for comparison in comparisons {
            let parameters: Vec<_> = comparison
                .parameters
                .iter()
                .map(|name| format!("{name}: f64"))
                .collect();
            let _ = write!(
                text,
                "    pub(super) fn {}({}) -> Option<bool> {{\n        {}\n    }}\n\n",
                comparison.name,
                parameters.join(", "),
                comparison.body
            );
        }
        let divides = comparisons
            .iter()
            .any(|comparison| comparison.body.contains("quotient("));
        if divides {
            text += support::QUOTIENT;
            text += "\n";
        }
        if divides
            || comparisons
                .iter()
                .any(|comparison| comparison.body.contains("finite("))
        {
            text += support::FINITE;
        }
        text.trim_end().to_owned() + "\n}\n"
    }

    /// Returns the module with all programs.
    pub(super) fn ascent(&self) -> String {
        let derived = self.programs.derived.iter();
        let programs = self
            .programs
            .reachable
            .iter()
            .chain(derived)
            .chain([&self.programs.applicable]);
        let programs: Vec<_> = programs.map(|program| self.program(program)).collect();
        let text = programs.join("\n");
        let mut names = vec![];
        let uses = |word: &str| text.contains(word);
        if uses("(Object") || uses(", Object") {
            names.push("Object");
        }
        if uses("Number)") {
            names.push("Number");
        }
        if uses("comparison::") {
            names.push("comparison");
        }
        if uses("constant::") {
            names.push("constant");
        }
        let imports = match &names[..] {
            [] => String::new(),
            [one] => format!("    use super::{one};\n"),
            several => format!("    use super::{{{}}};\n", several.join(", ")),
        };
        format!(
            "/// The programs: one per stratum. The fields of their types are the relations.\n\
             #[allow(dead_code, missing_docs, unused_variables, clippy::all)]\n\
             mod programs {{\n{imports}    use ascent::ascent;\n\n{text}}}\n"
        )
    }

    fn program(&self, program: &Program) -> String {
        let mut text = format!("    ascent! {{\n        /// {}.\n", program.sentence);
        let _ = writeln!(text, "        pub(super) struct {};\n", program.name);
        for &id in &program.relations {
            let relation = self.get(id);
            let columns: Vec<_> = relation
                .columns
                .iter()
                .map(|&column| column_type(column))
                .collect();
            let _ = writeln!(text, "        /// {}", relation.sentence);
            let _ = writeln!(
                text,
                "        relation {}({});\n",
                relation.name,
                columns.join(", ")
            );
        }
        for rule in &program.rules {
            let _ = writeln!(text, "        {}", self.rule(rule));
        }
        text.trim_end().to_owned() + "\n    }\n"
    }

    fn rule(&self, rule: &Rule) -> String {
        let read: Vec<&str> = rule
            .head
            .variables()
            .chain(rule.body.iter().flat_map(Clause::variables))
            .collect();
        let once = |name: &str| read.iter().filter(|other| **other == name).count() == 1;
        let head = self.atom(&rule.head, &|_| false);
        let body: Vec<_> = rule
            .body
            .iter()
            .map(|clause| self.clause(clause, &once))
            .collect();
        if body.is_empty() {
            return format!("{head};");
        }
        let line = format!("{head} <-- {};", body.join(", "));
        if line.len() <= LONGEST_LINE {
            return line;
        }
        format!("{head} <--\n            {};", body.join(",\n            "))
    }

    fn clause(&self, clause: &Clause, once: &dyn Fn(&str) -> bool) -> String {
        match clause {
            Clause::Holds(atom) => self.atom(atom, once),
            Clause::Absent(atom) => format!("!{}", self.atom(atom, &|_| false)),
            Clause::Equal(left, right) => self.relate(left, "==", right),
            Clause::Distinct(left, right) => self.relate(left, "!=", right),
            Clause::Compare { function, numbers } => {
                let values: Vec<_> = numbers.iter().map(|number| format!("{number}.value()")).collect();
                format!("if comparison::{function}({}) == Some(true)", values.join(", "))
            }
        }
    }

    /// Returns an (in)equality condition. Variables are references in conditions, so constants are referenced too.
    fn relate(&self, left: &Term, symbol: &str, right: &Term) -> String {
        let [left, right] = [left, right].map(|term| match term {
            Term::Constant(_) => format!("&{}", self.term(term)),
            _ => self.term(term),
        });
        format!("if {left} {symbol} {right}")
    }

    /// Returns an atom with `_` for the variables that are `ignored`.
    fn atom(&self, atom: &Atom, ignored: &dyn Fn(&str) -> bool) -> String {
        let terms = atom.terms.iter().map(|term| match term {
            Term::Variable(name) if ignored(name) => "_".to_owned(),
            term => self.term(term),
        });
        let terms: Vec<_> = terms.collect();
        format!("{}({})", self.get(atom.relation).name, terms.join(", "))
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Variable(name) => name.clone(),
            Term::Constant(object) => format!("constant::{}", self.constant(*object)),
            Term::Zero => "0".to_owned(),
            Term::Next(name) => format!("{name} + 1"),
        }
    }
}
