//! Ground axioms.

use herbrand_datalog::RuleId;
use herbrand_pddl::ObjectId;

use super::binding::Binding;
use super::condition::{GroundConjunction, Grounded, Value, compare};
use super::recorder::Row;
use super::{Input, Output};
use crate::normal::NormalAxiom;
use crate::program::Meaning;
use crate::{AtomId, GroundAxiom, Literal};

/// The ground axioms in ascending order of stratum, head and body, each once, and where each stratum ends.
///
/// Instances that can never fire are left out: those whose body contradicts itself or needs the very head.
pub(super) fn instantiate(
    input: &Input<'_>,
    grounded: &Grounded<'_>,
    output: &mut Output,
) -> (Vec<GroundAxiom>, Vec<u32>) {
    let axioms: Vec<_> = input.normal.axioms.iter().chain(&input.goal.axioms).collect();
    let mut instances: Vec<(u32, AtomId, GroundConjunction)> = Vec::new();
    for (rule, meaning) in input.reachability.meanings.iter().enumerate() {
        let Meaning::Axiom { axiom: index } = *meaning else {
            continue;
        };
        let axiom = axioms[index];
        let mut binding = Binding::new(axiom.scope.len());
        for row in input.recorder.rows(RuleId::new(crate::normal::u32_len(rule))) {
            let head = row
                .conclusions
                .first()
                .and_then(|&fact| grounded.numbering.atom(fact));
            let body = body(axiom, &row, grounded, &mut binding, output);
            if let (Some(head), Some(body)) = (head, body)
                && !body.literals.contains(&Literal::positive(head))
            {
                instances.push((input.strata[index], head, body));
            }
        }
    }
    instances.sort_by(|(s, h, b), (t, i, c)| (s, h, &b.literals).cmp(&(t, i, &c.literals)));
    instances.dedup();
    write(instances, output)
}

fn body(
    axiom: &NormalAxiom,
    row: &Row<'_>,
    grounded: &Grounded<'_>,
    binding: &mut Binding,
    output: &mut Output,
) -> Option<GroundConjunction> {
    let variables = axiom.head.iter().chain(&axiom.body.existentials);
    variables
        .zip(row.binding)
        .for_each(|(&variable, &object)| binding.set(variable, ObjectId::new(object)));
    let mut ground = GroundConjunction::default();
    let premises = row
        .premises
        .iter()
        .filter_map(|&fact| grounded.numbering.atom(fact));
    ground.literals.extend(premises.map(Literal::positive));
    for (atom, _) in axiom.body.literals.iter().filter(|(_, negated)| *negated) {
        match grounded.atom(atom, binding) {
            Value::Never => {}
            Value::Always => return None,
            Value::Depends(atom) => ground.literals.push(Literal::negative(atom)),
        }
    }
    if !ground.settle() {
        return None;
    }
    ground.literals.sort_unstable();
    let mut comparisons = axiom.body.comparisons.iter();
    comparisons
        .all(|one| compare(one, binding, &mut output.expressions, &mut ground))
        .then_some(ground)
}

fn write(
    instances: Vec<(u32, AtomId, GroundConjunction)>,
    output: &mut Output,
) -> (Vec<GroundAxiom>, Vec<u32>) {
    let mut axioms = Vec::with_capacity(instances.len());
    let mut ends = Vec::new();
    let mut current = None;
    for (stratum, head, body) in instances {
        if current.is_some_and(|current| current != stratum) {
            ends.push(crate::normal::u32_len(axioms.len()));
        }
        current = Some(stratum);
        let body = output.conditions.conjunction(body.literals, body.comparisons);
        output.conditions.finish();
        axioms.push(GroundAxiom { head, body });
    }
    if !axioms.is_empty() {
        ends.push(crate::normal::u32_len(axioms.len()));
    }
    (axioms, ends)
}
