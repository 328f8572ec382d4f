//! Sketches as tables, for people who edit them.

use crate::sign::{PARTS, Sign};
use crate::sketch::Sketch;
use crate::target::Target;

impl Target {
    /// Formats a sketch as a table of actions and literals. If the vocabulary has at most 20 literals, the table is preceded
    /// by the integers.
    ///
    /// In a propositional domain, there is a row per action and a column per proposition. Each cell contains the signs in
    /// the precondition and in the effect. In a lifted domain, each action has its own table with a row per literal.
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

/// Returns a sign as one character.
const fn mark(sign: Sign) -> char {
    match sign {
        Sign::Positive => '+',
        Sign::Absent => '·',
        Sign::Negative => '-',
    }
}

/// Aligns the columns of rows. Rows with a single cell do not affect the widths.
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
