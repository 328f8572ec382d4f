//! The ground axioms.

use std::ops::Range;

use herbrand_datalog::RuleId;
use herbrand_pddl::ObjectId;

use super::binding::Binding;
use super::condition::{GroundConjunction, Grounded, Value, compare};
use super::order::Order;
use super::recorder::{Recorder, Row};
use super::{Input, Output};
use crate::normal::{NormalAxiom, u32_len};
use crate::program::RuleMeaning;
use crate::task::{AtomId, GroundAxiom, GroundComparison, Literal, Rows};

/// Returns the ground axioms in ascending order of stratum, head and body, without repetition, and the end of each stratum.
///
/// Instances that can never derive anything new are left out: their body contradicts itself or contains the head.
pub(super) fn instantiate(
    input: &Input<'_>,
    mut recorder: Recorder,
    grounded: &Grounded<'_>,
    output: &mut Output,
) -> (Vec<GroundAxiom>, Vec<u32>) {
    let axioms: Vec<_> = input.normal.axioms.iter().chain(&input.goal.axioms).collect();
    let mut instances = Instances::default();
    for (rule, meaning) in input.reachability.meanings.iter().enumerate() {
        let RuleMeaning::Axiom { axiom: index } = *meaning else {
            continue;
        };
        let (axiom, rule) = (axioms[index], RuleId::new(u32_len(rule)));
        let mut binding = Binding::new(axiom.scope.len());
        let mut ground = GroundConjunction::default();
        for row in recorder.rows(rule) {
            let head = row
                .conclusions
                .first()
                .and_then(|&fact| grounded.numbering.atom(fact));
            if let Some(head) = head
                && body(axiom, &row, grounded, &mut binding, output, &mut ground)
                && !ground.literals.contains(&Literal::positive(head))
            {
                instances.push(input.strata[index], head, &ground);
            }
        }
        recorder.forget(rule);
    }
    drop(recorder);
    instances.write(output)
}

/// Writes the body of one instance to `ground`; returns `false` if it contradicts itself.
fn body(
    axiom: &NormalAxiom,
    row: &Row<'_>,
    grounded: &Grounded<'_>,
    binding: &mut Binding,
    output: &mut Output,
    ground: &mut GroundConjunction,
) -> bool {
    let variables = axiom.head.iter().chain(&axiom.body.existentials);
    variables
        .zip(row.binding)
        .for_each(|(&variable, &object)| binding.set(variable, ObjectId::new(object)));
    ground.clear();
    let premises = row
        .premises
        .iter()
        .filter_map(|&fact| grounded.numbering.atom(fact));
    ground.literals.extend(premises.map(Literal::positive));
    for (atom, _) in axiom.body.literals.iter().filter(|(_, negated)| *negated) {
        match grounded.atom(atom, binding) {
            Value::Never => {}
            Value::Always => return false,
            Value::Depends(atom) => ground.literals.push(Literal::negative(atom)),
        }
    }
    if !ground.settle() {
        return false;
    }
    ground.literals.sort_unstable();
    let mut comparisons = axiom.body.comparisons.iter();
    comparisons.all(|one| compare(one, binding, &mut output.expressions, ground))
}

/// Instances of axioms in order of discovery.
#[derive(Default)]
struct Instances {
    /// The stratum and the atom of each head.
    heads: Vec<(u32, AtomId)>,
    literals: Rows<Literal>,
    comparisons: Rows<GroundComparison>,
}

impl Instances {
    fn push(&mut self, stratum: u32, head: AtomId, body: &GroundConjunction) {
        self.heads.push((stratum, head));
        self.literals.push(body.literals.iter().copied());
        self.comparisons.push(body.comparisons.iter().copied());
    }

    /// Writes the instances in order, without repetition.
    fn write(self, output: &mut Output) -> (Vec<GroundAxiom>, Vec<u32>) {
        let order = Order::of(u32_len(self.heads.len()), 2, |row| {
            let (stratum, head) = self.heads[row as usize];
            [stratum, head.number()]
        });
        let mut axioms = Vec::new();
        let mut ends = Vec::new();
        let (mut start, mut current, mut same_head) = (0, None, Vec::new());
        while start < order.len() {
            let (stratum, head) = self.heads[order.row(start) as usize];
            if current.replace(stratum).is_some_and(|before| before != stratum) {
                ends.push(u32_len(axioms.len()));
            }
            let run = self.run(&order, start);
            start = run.end;
            same_head.clear();
            same_head.extend(run.map(|position| order.row(position) as usize));
            same_head.sort_by_key(|&row| self.literals.row(row));
            same_head.dedup_by_key(|row| (self.literals.row(*row), self.comparisons.row(*row)));
            for &row in &same_head {
                let (literals, comparisons) = (self.literals.row(row), self.comparisons.row(row));
                let body = output
                    .conditions
                    .conjunction(literals.iter().copied(), comparisons.iter().copied());
                output.conditions.finish();
                axioms.push(GroundAxiom { head, body });
            }
        }
        if !axioms.is_empty() {
            ends.push(u32_len(axioms.len()));
        }
        (axioms, ends)
    }

    /// Returns the range of positions from `start` on that have the same head.
    fn run(&self, order: &Order, start: usize) -> Range<usize> {
        let head = |position: usize| self.heads[order.row(position) as usize];
        let end = (start + 1..order.len()).find(|&position| head(position) != head(start));
        start..end.unwrap_or(order.len())
    }
}
