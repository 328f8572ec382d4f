//! A sketch as a table: what a person edits.

use crate::{PARTS, Sign, Sketch, Target};

impl Target {
    /// The sketch as a table of actions and literals, with its integers as far as they fit in a line.
    ///
    /// In a propositional domain there is a row for each action and a column for each proposition; each cell has the sign in the
    /// precondition and the one in the effect. In a lifted domain each action has a table of its own, with a row for each
    /// literal.
    #[must_use]
    pub fn table(&self, sketch: &Sketch) -> String {
        let [preconditions, effects] = sketch.integers(self.vocabulary());
        let mut text = String::new();
        if self.vocabulary().len() <= 20 {
            text += &format!("preconditions {preconditions}, effects {effects}\n");
        }
        let rows = if self.vocabulary().is_propositional() {
            self.propositional_rows(sketch)
        } else {
            self.lifted_rows(sketch)
        };
        text + &aligned(&rows)
    }

    fn propositional_rows(&self, sketch: &Sketch) -> Vec<Vec<String>> {
        let operators = self.vocabulary().operators();
        let names = (0..)
            .zip(&operators[0].literals)
            .map(|(number, atom)| format!("{number} {atom}"));
        let mut rows = vec![std::iter::once(String::new()).chain(names).collect::<Vec<_>>()];
        for (number, operator) in operators.iter().enumerate() {
            let cell = |literal| {
                let [precondition, effect] = PARTS.map(|part| mark(sketch.get(part, number, literal)));
                format!("{precondition} → {effect}")
            };
            let cells = (0..operator.literals.len()).map(cell);
            rows.push(
                std::iter::once(format!("{number} {}", operator.name))
                    .chain(cells)
                    .collect(),
            );
        }
        rows
    }

    fn lifted_rows(&self, sketch: &Sketch) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (number, operator) in self.vocabulary().operators().iter().enumerate() {
            let parameters: Vec<_> = operator
                .parameters
                .iter()
                .map(|name| format!("?{name}"))
                .collect();
            rows.push(vec![
                format!("{number} {} {}", operator.name, parameters.join(" "))
                    .trim_end()
                    .to_owned(),
            ]);
            for (literal, atom) in operator.literals.iter().enumerate() {
                let [precondition, effect] = PARTS.map(|part| mark(sketch.get(part, number, literal)));
                rows.push(vec![
                    format!("  {literal} {atom}"),
                    format!("{precondition} → {effect}"),
                ]);
            }
        }
        rows
    }
}

/// A sign in one character.
const fn mark(sign: Sign) -> char {
    match sign {
        Sign::Positive => '+',
        Sign::Absent => '·',
        Sign::Negative => '-',
    }
}

/// Rows whose columns are as wide as their widest cell; a row of a single cell is as long as it is.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows
            .iter()
            .filter(|row| row.len() > 1)
            .filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("   ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
