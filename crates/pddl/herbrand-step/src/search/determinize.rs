//! Determinization: deterministic tasks derived from probabilistic ones, for classical planners.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_ground::{
    ActionId, AtomId, Block, BlockId, ConditionId, Effects, GroundAction, GroundActions, GroundAssignment,
    GroundTask, Signature,
};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::{Name, SchemaId};

use crate::grounded::simulator::Simulator;
use crate::semantics::error::StepError;

/// A determinized task ([`all_outcomes`]), with the original action of each of its actions. [`of`](Self::of) makes one.
/// Create a simulator of `task` by [`Simulator::new`] to step it; its states and atoms have the ids of the original
/// task.
#[derive(Clone, Debug)]
pub struct AllOutcomes {
    /// The determinized task.
    pub task: GroundTask,
    /// For each action of `task`, by its id, the action of the original task with this outcome.
    pub origins: Vec<ActionId>,
}

/// Returns the all-outcomes determinization of a simulator's task: every outcome of an action becomes a separate
/// deterministic action (Yoon, Fern & Givan, "FF-Replan: a baseline for probabilistic planning", ICAPS 2007). A classical
/// planner can then choose outcomes.
///
/// The actions of a schema `toss` with several outcomes get the schemas `toss-1`, `toss-2` and so on, in the order of
/// the text; an outcome without change comes last. If the task already has a schema of one of these names, more hyphens
/// are inserted: `toss--1` and so on. A random initial state stays random. Both tasks have the same reachable states. A
/// schema keeps its name if none of its actions has several outcomes. The [`Chance`](crate::Chance) of the simulator
/// does not matter.
///
/// The size of the task is proportional to the number of outcomes of all actions, so a budget limits it.
///
/// # Errors
/// [`StepError::TooManyOutcomes`] if an action has more combinations of draws, conditional ones included, than the
/// [`Options::outcome_limit`](crate::Options::outcome_limit) of the simulator. Fails with [`StepError::Limit`] if the
/// budget is exceeded.
pub fn all_outcomes(simulator: &Simulator, budget: &Budget) -> Result<GroundTask, StepError> {
    Ok(AllOutcomes::of(simulator, budget)?.task)
}

impl AllOutcomes {
    /// Determinizes the task of a simulator like [`all_outcomes`], and records the origin of each action. Use it
    /// instead of [`all_outcomes`] to translate a plan back to the original actions.
    ///
    /// # Errors
    /// The same as for [`all_outcomes`].
    pub fn of(simulator: &Simulator, budget: &Budget) -> Result<Self, StepError> {
        let task = simulator.task();
        let mut meter = budget.meter("splitting actions by their outcomes");
        meter.charge(task.bytes() as u64);
        if let Err(exhausted) = meter.check() {
            return Err(StepError::limit("the task".to_owned(), exhausted));
        }
        let mut split = Split {
            simulator,
            unfolding: Unfolding {
                effects: &task.effects,
                limit: simulator.options().outcome_limit,
                meter,
            },
            result: Self {
                task: GroundTask {
                    actions: GroundActions::default(),
                    ..task.clone()
                },
                origins: Vec::new(),
            },
            schemas: Vec::new(),
            names: Names::of(task),
        };
        let mut start = 0;
        for (number, signature) in (0..).zip(&task.vocabulary.schemas) {
            let actions = (start..task.actions.len()).map(ActionId::from_index);
            let group: Vec<_> = actions
                .take_while(|&id| task.actions.get(id).schema == SchemaId::new(number))
                .collect();
            start += group.len();
            split.schema(signature, &group)?;
        }
        Ok(split.finish())
    }
}

/// A determinization under construction.
struct Split<'a> {
    simulator: &'a Simulator,
    unfolding: Unfolding<'a>,
    result: AllOutcomes,
    schemas: Vec<Signature>,
    names: Names,
}

impl Split<'_> {
    /// Adds the variants of one schema, whose actions are `group`.
    fn schema(&mut self, signature: &Signature, group: &[ActionId]) -> Result<(), StepError> {
        let task = self.simulator.task();
        let mut variants = Vec::with_capacity(group.len());
        for &id in group {
            let outcomes = self.unfolding.block(task.actions.get(id).effect);
            variants.push(outcomes.map_err(|refusal| self.refuse(id, refusal))?);
        }
        let most = variants.iter().map(Vec::len).max().unwrap_or(1);
        for (variant, name) in self
            .names
            .of_variants(&signature.name, most)
            .into_iter()
            .enumerate()
        {
            let schema = SchemaId::from_index(self.schemas.len());
            let bytes = size_of::<Signature>() + name.as_str().len() + size_of_val(&*signature.parameters);
            self.unfolding.meter.charge(bytes as u64);
            self.schemas.push(Signature {
                name,
                parameters: signature.parameters.clone(),
            });
            for (&id, outcomes) in group.iter().zip(&variants) {
                if let Some(outcome) = outcomes.get(variant) {
                    self.action(schema, id, outcome)?;
                }
            }
        }
        variants
            .iter()
            .for_each(|outcomes| self.unfolding.release(outcomes));
        Ok(())
    }

    /// Adds an action with a single outcome.
    fn action(&mut self, schema: SchemaId, origin: ActionId, outcome: &Certain) -> Result<(), StepError> {
        let action = self.simulator.task().actions.get(origin);
        let bytes = outcome.bytes() + size_of::<GroundAction<'_>>() + size_of_val(action.arguments);
        if !self.unfolding.meter.charge(bytes as u64) {
            return Err(self.refuse(origin, Refusal::BudgetExhausted));
        }
        let effect = outcome.write(&mut self.result.task.effects);
        self.result.origins.push(origin);
        self.result.task.actions.push(GroundAction {
            schema,
            effect,
            ..action
        });
        Ok(())
    }

    fn refuse(&mut self, action: ActionId, refusal: Refusal) -> StepError {
        let action = self.simulator.action_name(Some(action));
        let limit = self.unfolding.limit;
        match (refusal, self.unfolding.meter.exhausted()) {
            (Refusal::BudgetExhausted, Some(exhausted)) => StepError::limit(action, exhausted),
            (Refusal::BudgetExhausted | Refusal::TooMany, _) => StepError::TooManyOutcomes { action, limit },
        }
    }

    fn finish(mut self) -> AllOutcomes {
        Arc::make_mut(&mut self.result.task.vocabulary).schemas = self.schemas;
        self.result
    }
}

/// The names of all schemas, the original ones included. No two schemas of the result share a name.
struct Names(BTreeSet<Name>);

impl Names {
    fn of(task: &GroundTask) -> Self {
        Self(
            task.vocabulary
                .schemas
                .iter()
                .map(|schema| schema.name.clone())
                .collect(),
        )
    }

    /// Returns names for the variants of a schema. A single variant keeps the name of the schema. Several are numbered, with
    /// as many hyphens before the number as needed to make all names new.
    fn of_variants(&mut self, name: &Name, count: usize) -> Vec<Name> {
        if count <= 1 {
            return vec![name.clone(); count];
        }
        let mut hyphens = "-".to_owned();
        let names = loop {
            let numbered = (1..=count).map(|number| Name::new(&format!("{name}{hyphens}{number}")));
            let names: Vec<_> = numbered.collect();
            if names.iter().all(|name| !self.0.contains(name)) {
                break names;
            }
            hyphens.push('-');
        };
        self.0.extend(names.iter().cloned());
        names
    }
}

/// An effect block without draws.
#[derive(Clone, Default)]
struct Certain {
    adds: Vec<AtomId>,
    deletes: Vec<AtomId>,
    assignments: Vec<GroundAssignment>,
    whens: Vec<(ConditionId, Certain)>,
}

impl Certain {
    /// Returns the union of both blocks.
    fn and(&self, other: &Self) -> Self {
        Self {
            adds: [self.adds.as_slice(), &other.adds].concat(),
            deletes: [self.deletes.as_slice(), &other.deletes].concat(),
            assignments: [self.assignments.as_slice(), &other.assignments].concat(),
            whens: [self.whens.as_slice(), &other.whens].concat(),
        }
    }

    fn bytes(&self) -> usize {
        let inner = |(_, inner): &(ConditionId, Self)| size_of::<ConditionId>() + inner.bytes();
        size_of::<Self>()
            + size_of_val(&*self.adds)
            + size_of_val(&*self.deletes)
            + size_of_val(&*self.assignments)
            + self.whens.iter().map(inner).sum::<usize>()
    }

    fn write(&self, effects: &mut Effects) -> BlockId {
        let whens: Vec<_> = self
            .whens
            .iter()
            .map(|(condition, inner)| (*condition, inner.write(effects)))
            .collect();
        let [adds, deletes] = [&self.adds, &self.deletes].map(|atoms| {
            let mut atoms = atoms.clone();
            atoms.sort_unstable();
            atoms.dedup();
            atoms
        });
        effects.block(Block {
            adds: &adds,
            deletes: &deletes,
            assignments: &self.assignments,
            whens: &whens,
            draws: &[],
        })
    }
}

/// The reason why an action is not split.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// It has more outcomes than the limit.
    TooMany,
    /// The budget is exceeded.
    BudgetExhausted,
}

/// Enumerates the outcomes of blocks, up to the limit.
struct Unfolding<'a> {
    effects: &'a Effects,
    limit: usize,
    meter: Meter,
}

impl Unfolding<'_> {
    /// Returns one outcome for each combination of alternatives of a block's draws.
    fn block(&mut self, id: BlockId) -> Result<Vec<Certain>, Refusal> {
        let effects = self.effects;
        let block = effects.get(id);
        let mut all = Vec::new();
        let certain = Certain {
            adds: block.adds.to_vec(),
            deletes: block.deletes.to_vec(),
            assignments: block.assignments.to_vec(),
            whens: Vec::new(),
        };
        self.push(&mut all, certain)?;
        for &(condition, inner) in block.whens {
            let mut guarded = Vec::new();
            for inner in self.block(inner)? {
                let outcome = Certain {
                    whens: vec![(condition, inner)],
                    ..Certain::default()
                };
                // The memory of the guarded block is charged already.
                self.meter
                    .charge(size_of::<Certain>() as u64 + size_of::<ConditionId>() as u64);
                guarded.push(outcome);
            }
            all = self.pairs(&all, &guarded)?;
        }
        for &draw in block.draws {
            let mut alternatives = Vec::new();
            let draw = effects.draw(draw);
            for (number, &inner) in draw.blocks.iter().enumerate() {
                if draw.distribution.share(number) > 0.0 {
                    alternatives.extend(self.block(inner)?);
                }
            }
            if draw.distribution.rest() > 0.0 {
                self.push(&mut alternatives, Certain::default())?;
            }
            all = self.pairs(&all, &alternatives)?;
        }
        Ok(all)
    }

    /// Returns the product of both lists, and releases their memory from the meter.
    fn pairs(&mut self, left: &[Certain], right: &[Certain]) -> Result<Vec<Certain>, Refusal> {
        let count = left
            .len()
            .checked_mul(right.len())
            .filter(|&count| count <= self.limit);
        let mut pairs = Vec::with_capacity(count.ok_or(Refusal::TooMany)?);
        for one in left {
            for other in right {
                self.push(&mut pairs, one.and(other))?;
            }
        }
        self.release(left);
        self.release(right);
        Ok(pairs)
    }

    fn push(&mut self, list: &mut Vec<Certain>, outcome: Certain) -> Result<(), Refusal> {
        let there_is_budget = self.meter.charge(outcome.bytes() as u64);
        list.push(outcome);
        there_is_budget.then_some(()).ok_or(Refusal::BudgetExhausted)
    }

    fn release(&mut self, outcomes: &[Certain]) {
        let bytes: usize = outcomes.iter().map(Certain::bytes).sum();
        self.meter.release(bytes as u64);
    }
}
