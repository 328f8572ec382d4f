//! The sink that stores the firings of actions and axioms.

use std::ops::ControlFlow;

use herbrand_datalog::{Firing, Program, RuleId, Sink};

use crate::program::RuleMeaning;

/// The estimated bytes per firing in the ground task, as part of an action or axiom with its precondition and effect. They
/// are charged during the evaluation, so that the memory limit covers the ground task too.
const BYTES_TO_COME: u64 = 64;

/// The firings of each rule of an action or axiom, as rows of equal width: the binding, the premises, then the conclusions.
pub(crate) struct Recorder {
    rules: Vec<Rows>,
}

/// The firings of one rule. A row is at least one cell wide.
struct Rows {
    kept: bool,
    variables: usize,
    premises: usize,
    conclusions: usize,
    cells: Vec<u32>,
}

impl Rows {
    fn width(&self) -> usize {
        (self.variables + self.premises + self.conclusions).max(1)
    }
}

/// One firing of a rule.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// The numbers of the objects of the rule's variables.
    pub(super) binding: &'a [u32],
    /// The ids of the facts of the positive literals over non-static relations.
    pub(super) premises: &'a [u32],
    /// The ids of the facts of the heads.
    pub(super) conclusions: &'a [u32],
}

impl Recorder {
    pub(crate) fn new(program: &Program, meanings: &[RuleMeaning]) -> Self {
        let rows = program.rules().iter().zip(meanings).map(|(rule, meaning)| Rows {
            kept: *meaning != RuleMeaning::Support,
            variables: rule.variables as usize,
            premises: rule
                .positive()
                .filter(|atom| !program.is_static(atom.relation))
                .count(),
            conclusions: rule.heads.len(),
            cells: Vec::new(),
        });
        Self {
            rules: rows.collect(),
        }
    }

    /// Returns the number of stored firings of a rule.
    pub(super) fn len(&self, rule: RuleId) -> usize {
        let rows = &self.rules[rule.index()];
        rows.cells.len() / rows.width()
    }

    /// Frees the memory of a rule's firings.
    pub(super) fn forget(&mut self, rule: RuleId) {
        self.rules[rule.index()].cells = Vec::new();
    }

    /// Returns a firing of a rule.
    #[inline]
    pub(super) fn row(&self, rule: RuleId, index: usize) -> Row<'_> {
        let rows = &self.rules[rule.index()];
        let cells = &rows.cells[index * rows.width()..(index + 1) * rows.width()];
        let (binding, rest) = cells.split_at(rows.variables);
        let (premises, rest) = rest.split_at(rows.premises);
        Row {
            binding,
            premises,
            conclusions: &rest[..rows.conclusions],
        }
    }

    /// Iterates over the firings of a rule.
    pub(super) fn rows(&self, rule: RuleId) -> impl Iterator<Item = Row<'_>> {
        (0..self.len(rule)).map(move |index| self.row(rule, index))
    }
}

impl Sink for Recorder {
    #[inline]
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        let rows = &mut self.rules[firing.rule.index()];
        if rows.kept {
            let cells = &mut rows.cells;
            cells.extend(firing.binding.iter().map(|symbol| symbol.number()));
            cells.extend(firing.premises.iter().map(|fact| fact.number()));
            cells.extend(firing.conclusions.iter().map(|fact| fact.number()));
            if rows.variables + rows.premises + rows.conclusions == 0 {
                cells.push(0);
            }
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        let bytes = |rows: &Rows| {
            let cells = rows.cells.capacity() as u64;
            4 * cells + BYTES_TO_COME * (rows.cells.len() / rows.width()) as u64
        };
        self.rules.iter().map(bytes).sum()
    }
}
