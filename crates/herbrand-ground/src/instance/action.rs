//! Ground actions.

use herbrand_datalog::RuleId;
use herbrand_pddl::ObjectId;

use super::binding::Binding;
use super::condition::{GroundConjunction, Grounded, Value, compare};
use super::effect::{EffectWriter, Known};
use super::recorder::Row;
use super::{Input, Output};
use crate::normal::{NormalConjunction, NormalLeaf, NormalSchema};
use crate::program::Meaning;
use crate::{Actions, GroundAction, Literal};

/// One disjunct of a schema's precondition, and what its rule's firings tell.
struct Disjunct<'a> {
    rule: RuleId,
    conjunction: &'a NormalConjunction,
    /// For each unconditional delete, which premise it is.
    deletes: Vec<Option<usize>>,
}

/// Appends the ground actions of a schema, in ascending order of their arguments.
///
/// Firings that bind the parameters alike (by several disjuncts, or several witnesses of an existential) are one
/// action with several conjunctions.
pub(super) fn instantiate_schema(
    input: &Input<'_>,
    grounded: &Grounded<'_>,
    index: usize,
    output: &mut Output,
    actions: &mut Actions,
) {
    let schema = &input.normal.schemas[index];
    let disjuncts = disjuncts(input, schema, index);
    let arity = schema.arity as usize;
    let mut rows: Vec<(usize, Row<'_>)> = Vec::new();
    for (number, disjunct) in disjuncts.iter().enumerate() {
        rows.extend(input.recorder.rows(disjunct.rule).map(|row| (number, row)));
    }
    rows.sort_by(|(_, a), (_, b)| a.binding[..arity].cmp(&b.binding[..arity]));
    let adds_are_known = knows_adds(schema);
    let mut writer = ActionWriter {
        grounded,
        schema,
        binding: Binding::new(schema.scope.len()),
        output,
    };
    for group in rows.chunk_by(|(_, a), (_, b)| a.binding[..arity] == b.binding[..arity]) {
        let arguments: Vec<_> = group[0].1.binding[..arity]
            .iter()
            .copied()
            .map(ObjectId::new)
            .collect();
        let (number, first) = group[0];
        writer.binding.set_first(&first.binding[..arity]);
        let atom = |fact: u32| grounded.numbering.atom(fact);
        let adds: Option<Vec<_>> = first.conclusions.iter().map(|&fact| atom(fact)).collect();
        let premise = |index: &Option<usize>| index.and_then(|index| atom(first.premises[index]));
        let deletes: Vec<_> = disjuncts[number].deletes.iter().map(premise).collect();
        let known = Known {
            adds: adds.as_deref().filter(|_| adds_are_known),
            deletes: &deletes,
        };
        let conjunctions = group.iter().filter_map(|(number, row)| {
            writer.binding.set_first(&row.binding[..arity]);
            writer.conjunction(&disjuncts[*number], row)
        });
        let mut conjunctions: Vec<_> = conjunctions.collect();
        if conjunctions.is_empty() {
            continue;
        }
        without_repetition(&mut conjunctions);
        let effect = writer.effect(known);
        let precondition = super::condition::write(&mut writer.output.conditions, conjunctions);
        actions.push(GroundAction {
            schema: schema.schema,
            arguments: &arguments,
            precondition,
            effect,
        });
    }
}

/// The disjuncts of a schema with their rules.
fn disjuncts<'a>(input: &Input<'_>, schema: &'a NormalSchema, index: usize) -> Vec<Disjunct<'a>> {
    let meanings = input.reachability.meanings.iter().enumerate();
    let of_schema = meanings.filter_map(|(rule, meaning)| match *meaning {
        Meaning::Action { schema, disjunct } if schema == index => Some((rule, disjunct)),
        _ => None,
    });
    let disjunct = |(rule, disjunct): (usize, usize)| {
        let conjunction = &schema.precondition[disjunct];
        let rule = RuleId::new(crate::normal::u32_len(rule));
        Disjunct {
            rule,
            conjunction,
            deletes: deletes_among_premises(input, schema, conjunction),
        }
    };
    of_schema.map(disjunct).collect()
}

/// For each unconditional delete, the premise that names the same atom, if one does.
fn deletes_among_premises(
    input: &Input<'_>,
    schema: &NormalSchema,
    conjunction: &NormalConjunction,
) -> Vec<Option<usize>> {
    let reachability = input.reachability;
    let is_premise = |predicate: herbrand_pddl::PredicateId| {
        !reachability
            .program
            .is_static(reachability.signature.relations[predicate.index()])
    };
    let positive = conjunction
        .literals
        .iter()
        .filter(|(_, negated)| !negated)
        .map(|(atom, _)| atom);
    let premises: Vec<_> = positive.filter(|atom| is_premise(atom.predicate)).collect();
    let unconditional = schema.effect.iter().filter(|item| item.is_unconditional());
    let deletes = unconditional
        .flat_map(|item| &item.leaves)
        .filter_map(|leaf| match leaf {
            NormalLeaf::Delete(atom) => Some(atom),
            _ => None,
        });
    deletes
        .map(|atom| premises.iter().position(|premise| *premise == atom))
        .collect()
}

/// Whether the conclusions of a firing are the unconditional adds and nothing but them: no draw adds anything, and no
/// condition needs the rule to say that the action is applicable.
fn knows_adds(schema: &NormalSchema) -> bool {
    let unconditional = schema.effect.iter().filter(|item| item.is_unconditional());
    let all_unconditional = schema
        .effect
        .iter()
        .all(crate::normal::NormalItem::is_unconditional);
    all_unconditional
        && unconditional
            .flat_map(|item| &item.leaves)
            .all(|leaf| !matches!(leaf, NormalLeaf::Draw(_)))
}

/// Keeps the first of equal conjunctions.
fn without_repetition(conjunctions: &mut Vec<GroundConjunction>) {
    let mut index = 1;
    while index < conjunctions.len() {
        if conjunctions[..index].contains(&conjunctions[index]) {
            conjunctions.remove(index);
        } else {
            index += 1;
        }
    }
}

struct ActionWriter<'a, 'w> {
    grounded: &'a Grounded<'a>,
    schema: &'a NormalSchema,
    binding: Binding,
    output: &'w mut Output,
}

impl ActionWriter<'_, '_> {
    /// The ground precondition by one firing; `None` when it can never hold.
    ///
    /// The rule has decided what is static; its premises are the positive literals that are not.
    fn conjunction(&mut self, disjunct: &Disjunct<'_>, row: &Row<'_>) -> Option<GroundConjunction> {
        let arity = self.schema.arity as usize;
        for (&variable, &object) in disjunct
            .conjunction
            .existentials
            .iter()
            .zip(&row.binding[arity..])
        {
            self.binding.set(variable, ObjectId::new(object));
        }
        let mut ground = GroundConjunction::default();
        let premises = row
            .premises
            .iter()
            .filter_map(|&fact| self.grounded.numbering.atom(fact));
        ground.literals.extend(premises.map(Literal::positive));
        ground.literals.dedup();
        for (atom, _) in disjunct
            .conjunction
            .literals
            .iter()
            .filter(|(_, negated)| *negated)
        {
            match self.grounded.atom(atom, &self.binding) {
                Value::Never => {}
                Value::Always => return None,
                Value::Depends(atom) => {
                    if !ground.require(Literal::negative(atom)) {
                        return None;
                    }
                }
            }
        }
        let expressions = &mut self.output.expressions;
        let mut comparisons = disjunct.conjunction.comparisons.iter();
        comparisons
            .all(|one| compare(one, &self.binding, expressions, &mut ground))
            .then_some(ground)
    }

    fn effect(&mut self, known: Known<'_>) -> crate::BlockId {
        let mut writer = EffectWriter {
            grounded: self.grounded,
            scope: &self.schema.scope,
            expressions: &mut self.output.expressions,
            conditions: &mut self.output.conditions,
            effects: &mut self.output.effects,
        };
        writer.block(&self.schema.effect, &mut self.binding, known)
    }
}
