//! The ground actions of a schema.

use herbrand_datalog::RuleId;
use herbrand_pddl::{ObjectId, PredicateId};

use super::binding::Binding;
use super::condition::{GroundConjunction, Grounded, Value, compare};
use super::effect::{EffectWriter, KnownEffects};
use super::order::Order;
use super::recorder::{Recorder, Row};
use super::{Input, Output};
use crate::normal::{NormalConjunction, NormalItem, NormalLeaf, NormalSchema, u32_len};
use crate::program::RuleMeaning;
use crate::task::{AtomId, GroundAction, GroundActions, Literal};

/// One disjunct of a schema's precondition, and its rule.
struct Disjunct<'a> {
    rule: RuleId,
    conjunction: &'a NormalConjunction,
    /// For each unconditional delete, the index of the premise with the same atom, if there is one.
    deletes: Vec<Option<usize>>,
}

/// Appends the ground actions of a schema in ascending order of their arguments, and frees the firings from which they are
/// made.
///
/// Several disjuncts or several values of existential variables may result in several firings with the same parameters.
/// These are one action with several conjunctions.
pub(super) fn instantiate_schema(
    input: &Input<'_>,
    recorder: &mut Recorder,
    grounded: &Grounded<'_>,
    index: usize,
    output: &mut Output,
    actions: &mut GroundActions,
) {
    let schema = &input.normal.schemas[index];
    let disjuncts = disjuncts(input, schema, index);
    let firings = Firings::of(&disjuncts, recorder);
    let arity = schema.arity as usize;
    let tuple = |number| firings.get(number).1.binding[..arity].iter().copied();
    let order = Order::of(firings.len(), arity, tuple);
    let mut writer = ActionWriter::new(grounded, schema, output);
    if matches!(&disjuncts[..], [only] if only.conjunction.existentials.is_empty()) {
        for number in order.rows() {
            writer.write(std::iter::once(firings.get(number)), actions);
        }
    } else {
        let mut start = 0;
        while start < order.len() {
            let parameters = |position| &firings.get(order.row(position)).1.binding[..arity];
            let alike = |&position: &usize| parameters(position) == parameters(start);
            let group = start
                ..(start + 1..order.len())
                    .find(|position| !alike(position))
                    .unwrap_or(order.len());
            start = group.end;
            writer.write(group.map(|position| firings.get(order.row(position))), actions);
        }
    }
    disjuncts
        .iter()
        .for_each(|disjunct| recorder.forget(disjunct.rule));
}

/// The firings of all rules of a schema, numbered disjunct by disjunct.
struct Firings<'a> {
    disjuncts: &'a [Disjunct<'a>],
    /// For each disjunct, the number after its last firing.
    ends: Vec<u32>,
    recorder: &'a Recorder,
}

impl<'a> Firings<'a> {
    fn of(disjuncts: &'a [Disjunct<'a>], recorder: &'a Recorder) -> Self {
        let ends = disjuncts.iter().scan(0, |end, disjunct| {
            *end += recorder.len(disjunct.rule);
            Some(u32_len(*end))
        });
        Self {
            disjuncts,
            ends: ends.collect(),
            recorder,
        }
    }

    fn len(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Returns the firing with this number, and its disjunct.
    #[inline]
    fn get(&self, number: u32) -> (&'a Disjunct<'a>, Row<'a>) {
        let index = match self.ends.len() {
            1 => 0,
            _ => self.ends.partition_point(|&end| end <= number),
        };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let disjunct = &self.disjuncts[index];
        (
            disjunct,
            self.recorder.row(disjunct.rule, (number - start) as usize),
        )
    }
}

/// Returns the disjuncts of a schema with their rules.
fn disjuncts<'a>(input: &Input<'_>, schema: &'a NormalSchema, index: usize) -> Vec<Disjunct<'a>> {
    let meanings = input.reachability.meanings.iter().enumerate();
    let of_schema = meanings.filter_map(|(rule, meaning)| match *meaning {
        RuleMeaning::Action { schema, disjunct } if schema == index => Some((rule, disjunct)),
        _ => None,
    });
    let disjunct = |(rule, disjunct): (usize, usize)| {
        let conjunction = &schema.precondition[disjunct];
        let rule = RuleId::new(u32_len(rule));
        Disjunct {
            rule,
            conjunction,
            deletes: deletes_among_premises(input, schema, conjunction),
        }
    };
    of_schema.map(disjunct).collect()
}

/// Returns, for each unconditional delete, the index of the premise with the same atom, if there is one.
fn deletes_among_premises(
    input: &Input<'_>,
    schema: &NormalSchema,
    conjunction: &NormalConjunction,
) -> Vec<Option<usize>> {
    let reachability = input.reachability;
    let is_premise = |predicate: PredicateId| {
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

/// Returns whether the conclusions of a firing are exactly the unconditional adds: the effect has no draws and no
/// conditional items.
fn knows_adds(schema: &NormalSchema) -> bool {
    let leaves = schema.effect.iter().flat_map(|item| &item.leaves);
    schema.effect.iter().all(NormalItem::is_unconditional)
        && leaves
            .into_iter()
            .all(|leaf| !matches!(leaf, NormalLeaf::Draw { .. }))
}

/// Writes the actions of one schema. Its buffers are reused for all actions.
struct ActionWriter<'a, 'w> {
    grounded: &'a Grounded<'a>,
    schema: &'a NormalSchema,
    knows_adds: bool,
    binding: Binding,
    output: &'w mut Output,
    arguments: Vec<ObjectId>,
    adds: Vec<AtomId>,
    deletes: Vec<Option<AtomId>>,
    ground: GroundConjunction,
    written: Vec<GroundConjunction>,
}

impl<'a, 'w> ActionWriter<'a, 'w> {
    fn new(grounded: &'a Grounded<'a>, schema: &'a NormalSchema, output: &'w mut Output) -> Self {
        Self {
            grounded,
            schema,
            knows_adds: knows_adds(schema),
            binding: Binding::new(schema.scope.len()),
            output,
            arguments: Vec::new(),
            adds: Vec::new(),
            deletes: Vec::new(),
            ground: GroundConjunction::default(),
            written: Vec::new(),
        }
    }

    /// Appends the action of a group of firings, unless its precondition can never hold.
    fn write<'d>(
        &mut self,
        mut group: impl ExactSizeIterator<Item = (&'d Disjunct<'d>, Row<'d>)>,
        actions: &mut GroundActions,
    ) {
        let Some((disjunct, row)) = group.next() else {
            return;
        };
        let arguments = &row.binding[..self.schema.arity as usize];
        self.binding.set_first(arguments);
        self.arguments.clear();
        self.arguments
            .extend(arguments.iter().copied().map(ObjectId::new));
        let effect = self.effect(disjunct, &row);
        let single = group.len() == 0;
        let mut applicable = self.conjunction(disjunct, &row, single);
        for (disjunct, row) in group {
            applicable |= self.conjunction(disjunct, &row, single);
        }
        self.written.clear();
        let precondition = self.output.conditions.finish();
        if applicable {
            let (schema, arguments) = (self.schema.schema, &self.arguments[..]);
            actions.push(GroundAction {
                schema,
                arguments,
                precondition,
                effect,
            });
        }
    }

    /// Appends the ground precondition of one firing, unless the same conjunction was appended before. Returns `false` if it
    /// can never hold.
    ///
    /// The rule has already decided static literals. Its premises are the positive literals over changing predicates.
    fn conjunction(&mut self, disjunct: &Disjunct<'_>, row: &Row<'_>, single: bool) -> bool {
        let witnesses = &row.binding[self.schema.arity as usize..];
        for (&variable, &object) in disjunct.conjunction.existentials.iter().zip(witnesses) {
            self.binding.set(variable, ObjectId::new(object));
        }
        let ground = &mut self.ground;
        ground.clear();
        let premises = row
            .premises
            .iter()
            .filter_map(|&fact| self.grounded.numbering.atom(fact));
        ground.literals.extend(premises.map(Literal::positive));
        for (atom, _) in disjunct
            .conjunction
            .literals
            .iter()
            .filter(|(_, negated)| *negated)
        {
            match self.grounded.atom(atom, &self.binding) {
                Value::Never => {}
                Value::Always => return false,
                Value::Depends(atom) => ground.literals.push(Literal::negative(atom)),
            }
        }
        if !ground.settle() {
            return false;
        }
        let expressions = &mut self.output.expressions;
        if !disjunct
            .conjunction
            .comparisons
            .iter()
            .all(|one| compare(one, &self.binding, expressions, ground))
        {
            return false;
        }
        if single || !self.written.contains(ground) {
            let literals = ground.literals.iter().copied();
            self.output
                .conditions
                .conjunction(literals, ground.comparisons.iter().copied());
            if !single {
                self.written.push(ground.clone());
            }
        }
        true
    }

    fn effect(&mut self, disjunct: &Disjunct<'_>, row: &Row<'_>) -> crate::task::BlockId {
        let atom = |fact: u32| self.grounded.numbering.atom(fact);
        self.adds.clear();
        self.adds
            .extend(row.conclusions.iter().filter_map(|&fact| atom(fact)));
        let premise = |index: &Option<usize>| index.and_then(|index| atom(row.premises[index]));
        self.deletes.clear();
        self.deletes.extend(disjunct.deletes.iter().map(premise));
        let known = KnownEffects {
            adds: self.knows_adds.then_some(&self.adds),
            deletes: &self.deletes,
        };
        let mut writer = EffectWriter {
            grounded: self.grounded,
            scope: &self.schema.scope,
            expressions: &mut self.output.expressions,
            conditions: &mut self.output.conditions,
            effects: &mut self.output.effects,
            spare: std::mem::take(&mut self.output.spare),
        };
        let block = writer.block(&self.schema.effect, &mut self.binding, known);
        self.output.spare = writer.spare;
        block
    }
}
