//! Random ground tasks.

use std::sync::Arc;

use herbrand_core::{Random, uniform_below};
use herbrand_pddl::{AssignOperator, Comparison};
use proptest::prelude::*;

use super::{Builder, atom};
use crate::task::{Block, BlockId, ConditionId, GroundAssignment, GroundComparison, GroundTask};

/// The parameters from which a random ground task is built ([`build`](Self::build)). Property tests generate
/// ([`sketches`]) and shrink sketches instead of tasks.
#[derive(Clone, Debug)]
pub struct TaskSketch {
    /// The number of fluent atoms, at least 1.
    pub fluents: u32,
    /// The number of derived atoms.
    pub derived: u32,
    /// The number of numeric fluents in the state, without the reward.
    pub numbers: u32,
    /// The number of actions.
    pub actions: u32,
    /// The largest number of literals in the conjunction of a condition.
    pub literals: u32,
    /// Whether a precondition may have several conjunctions or none.
    pub disjunctions: bool,
    /// The kinds of effects.
    pub effects: EffectKinds,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The kinds of effects of a random task. Each kind includes the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EffectKinds {
    /// Effects add and delete atoms.
    Plain,
    /// Some effects are conditional.
    Conditional,
    /// Effects change numbers and rewards.
    Numeric,
    /// Effects contain draws.
    Drawn,
}

/// Returns a strategy for sketches of all sizes, up to a few thousand actions: at most 13 fluent atoms, 6 derived atoms
/// and 2 numbers.
pub fn sketches() -> impl Strategy<Value = TaskSketch> {
    let actions = prop_oneof![6 => 1..12_u32, 2 => 60..140_u32, 2 => 2040..2600_u32, 1 => 4090..4200_u32];
    let literals = prop_oneof![4 => 1..4_u32, 1 => 4..20_u32];
    let effects = prop_oneof![
        1 => Just(EffectKinds::Plain),
        1 => Just(EffectKinds::Conditional),
        2 => Just(EffectKinds::Numeric),
        4 => Just(EffectKinds::Drawn),
    ];
    (
        1..14_u32,
        0..7_u32,
        0..3_u32,
        actions,
        literals,
        any::<bool>(),
        effects,
        any::<u64>(),
    )
        .prop_map(
            |(fluents, derived, numbers, actions, literals, disjunctions, effects, seed)| TaskSketch {
                fluents,
                derived,
                numbers,
                actions,
                literals,
                disjunctions,
                effects,
                seed,
            },
        )
}

impl TaskSketch {
    /// Builds the ground task. Equal sketches result in equal tasks.
    #[must_use]
    pub fn build(&self) -> Arc<GroundTask> {
        let mut writer = Writer {
            sketch: self.clone(),
            rng: Random::new(self.seed),
            builder: Builder::new(self.fluents, self.derived, self.numbers, 1),
        };
        writer.axioms();
        for _ in 0..self.actions {
            let ways = if self.disjunctions { writer.below(4) } else { 1 };
            let precondition = writer.condition(ways);
            let effect = writer.block(2);
            writer.builder.action(precondition, effect);
        }
        let ways = 1 + writer.below(2);
        writer.builder.task.goal = writer.condition(ways);
        writer.builder.task.initial = (0..self.fluents)
            .filter(|_| writer.below(2) == 0)
            .map(atom)
            .collect();
        if self.effects == EffectKinds::Drawn {
            writer.builder.task.initial_chance = writer.block(1);
        }
        writer.builder.build()
    }
}

struct Writer {
    sketch: TaskSketch,
    rng: Random,
    builder: Builder,
}

impl Writer {
    fn below(&mut self, bound: u32) -> u32 {
        uniform_below(&mut self.rng, bound)
    }

    /// Returns a random literal over the first `atoms` atoms.
    fn literal(&mut self, atoms: u32) -> i32 {
        let number = self.below(atoms).cast_signed();
        if self.below(3) == 0 { !number } else { number }
    }

    fn comparisons(&mut self) -> Vec<GroundComparison> {
        if self.sketch.numbers == 0 || self.below(3) > 0 {
            return Vec::new();
        }
        let id = self.below(self.sketch.numbers);
        let kinds = [Comparison::Less, Comparison::Equal, Comparison::GreaterOrEqual];
        let kind = kinds[self.below(3) as usize];
        let value = f64::from(self.below(5)) - 1.0;
        let mut comparison = self.builder.comparison(id, kind, value);
        comparison.negated = self.below(2) == 0;
        vec![comparison]
    }

    fn conjunction(&mut self, literals: u32, atoms: u32) {
        let count = self.below(literals + 1);
        let literals: Vec<i32> = (0..count).map(|_| self.literal(atoms)).collect();
        let comparisons = self.comparisons();
        self.builder.conjunction(&literals, &comparisons);
    }

    fn condition(&mut self, conjunctions: u32) -> ConditionId {
        let atoms = self.sketch.fluents + self.sketch.derived;
        (0..conjunctions).for_each(|_| self.conjunction(self.sketch.literals, atoms));
        self.builder.finish()
    }

    /// Up to four strata of recursive rules; each may negate atoms of those below.
    fn axioms(&mut self) {
        let TaskSketch { fluents, derived, .. } = self.sketch;
        let strata = derived.min(1 + self.below(4));
        let border = |stratum: u32| derived * stratum / strata;
        for heads in (0..strata).map(|stratum| border(stratum)..border(stratum + 1)) {
            let mut rules = Vec::new();
            for _ in 0..self.below(12) {
                let head = fluents + heads.start + self.below(heads.end - heads.start);
                let body: Vec<i32> = (0..=self.below(3))
                    .map(|_| match self.below(2) {
                        0 => (fluents + self.below(heads.end)).cast_signed(),
                        _ => self.literal(fluents + heads.start),
                    })
                    .collect();
                rules.push((head, body));
            }
            let rules: Vec<(u32, &[i32])> = rules
                .iter()
                .map(|(head, body)| (*head, body.as_slice()))
                .collect();
            self.builder.stratum(&rules);
        }
    }

    fn block(&mut self, depth: u32) -> BlockId {
        let mut atoms = || -> Vec<u32> {
            let count = uniform_below(&mut self.rng, 3);
            let mut atoms: Vec<u32> = (0..count)
                .map(|_| uniform_below(&mut self.rng, self.sketch.fluents))
                .collect();
            atoms.sort_unstable();
            atoms.dedup();
            atoms
        };
        let [adds, deletes] = [atoms(), atoms()].map(|list| list.into_iter().map(atom).collect::<Vec<_>>());
        let assignments = self.assignments();
        let (mut whens, mut draws) = (Vec::new(), Vec::new());
        if depth > 0 && self.sketch.effects >= EffectKinds::Conditional && self.below(3) == 0 {
            let ways = self.below(3);
            whens.push((self.condition(ways), self.block(depth - 1)));
        }
        if depth > 0 && self.sketch.effects >= EffectKinds::Conditional && self.below(4) == 0 {
            whens.push(self.undoing());
        }
        if depth > 0 && self.sketch.effects == EffectKinds::Drawn && self.below(3) == 0 {
            let alternatives = [((1, 4), self.block(depth - 1)), ((1, 2), self.block(depth - 1))];
            draws.push(self.builder.chance(&alternatives));
        }
        self.builder.block(Block {
            adds: &adds,
            deletes: &deletes,
            assignments: &assignments,
            whens: &whens,
            draws: &draws,
        })
    }

    /// Writes `when p (not p)` or `when (not p) p`.
    fn undoing(&mut self) -> (ConditionId, BlockId) {
        let atom = self.below(self.sketch.fluents);
        if self.below(2) == 0 {
            (
                self.builder.condition(&[atom.cast_signed()]),
                self.builder.change(&[], &[atom]),
            )
        } else {
            (
                self.builder.condition(&[!atom.cast_signed()]),
                self.builder.change(&[atom], &[]),
            )
        }
    }

    fn assignments(&mut self) -> Vec<GroundAssignment> {
        if self.sketch.effects < EffectKinds::Numeric {
            return Vec::new();
        }
        let all = self.sketch.numbers;
        let count = if all == 0 { 0 } else { self.below(3) };
        let mut assignments: Vec<_> = (0..count)
            .map(|_| {
                let operators = [
                    AssignOperator::Assign,
                    AssignOperator::Increase,
                    AssignOperator::Decrease,
                ];
                let operator = operators[self.below(3) as usize];
                let (target, value) = (self.below(all), f64::from(self.below(3)));
                self.builder.assignment(operator, target, value)
            })
            .collect();
        if self.below(3) == 0 {
            let amount = f64::from(self.below(3));
            assignments.push(self.builder.assignment(AssignOperator::Increase, all, amount));
        }
        assignments
    }
}
