//! Tasks without chance that stand for tasks with it.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_ground::{
    ActionId, Actions, AtomId, Block, BlockId, ConditionId, Effects, GroundAction, GroundAssignment,
    GroundTask, Signature,
};
use herbrand_pddl::{Name, SchemaId};

use crate::grounded::simulator::Simulator;
use crate::semantics::error::StepError;

/// A task without chance, and what its actions stand for.
#[derive(Clone, Debug)]
pub struct AllOutcomes {
    /// The task.
    pub task: GroundTask,
    /// By action of the task: the action of which it is an outcome.
    pub origins: Vec<ActionId>,
}

/// The all-outcomes determinization of a task: for every outcome of an action, an action of its own that has just
/// this outcome (Yoon, Fern & Givan, "FF-Replan: a baseline for probabilistic planning", ICAPS 2007).
///
/// The actions of a schema `toss` with several outcomes belong to schemas `toss-1`, `toss-2` and so on, in the order
/// of the text, no change last; where the task has an action of such a name, to `toss--1` and so on. Chance in the
/// initial state stays. Both tasks reach the same states.
///
/// # Errors
/// When an action has more outcomes than the simulator's limit.
pub fn all_outcomes(simulator: &Simulator) -> Result<GroundTask, StepError> {
    Ok(AllOutcomes::of(simulator)?.task)
}

impl AllOutcomes {
    /// [`all_outcomes`] with the origin of each action.
    ///
    /// # Errors
    /// As [`all_outcomes`].
    pub fn of(simulator: &Simulator) -> Result<Self, StepError> {
        determinize(simulator)
    }
}

fn determinize(simulator: &Simulator) -> Result<AllOutcomes, StepError> {
    let task = simulator.task();
    let limit = simulator.options().outcome_limit;
    let mut result = task.clone();
    result.actions = Actions::default();
    let mut origins = Vec::new();
    let mut schemas: Vec<Signature> = Vec::new();
    let mut start = 0;
    let mut names = Names::of(task);
    for (number, signature) in (0..).zip(&task.vocabulary.schemas) {
        let same = |id: &ActionId| task.actions.get(*id).schema == SchemaId::new(number);
        let group: Vec<ActionId> = (start..task.actions.len())
            .map(ActionId::from_index)
            .take_while(same)
            .collect();
        start += group.len();
        let mut variants = Vec::with_capacity(group.len());
        for &id in &group {
            let all = outcomes_of(&task.effects, task.actions.get(id).effect, limit);
            variants.push(all.ok_or_else(|| StepError::TooManyOutcomes {
                action: simulator.action_name(Some(id)),
                limit,
            })?);
        }
        let most = variants.iter().map(Vec::len).max().unwrap_or(1);
        let names = names.of_variants(&signature.name, most);
        for (variant, name) in names.into_iter().enumerate() {
            let schema = SchemaId::from_index(schemas.len());
            schemas.push(Signature {
                name,
                parameters: signature.parameters.clone(),
            });
            for (&id, effects) in group.iter().zip(&variants) {
                let Some(effect) = effects.get(variant) else {
                    continue;
                };
                let effect = effect.write(&mut result.effects);
                origins.push(id);
                result.actions.push(GroundAction {
                    schema,
                    effect,
                    ..task.actions.get(id)
                });
            }
        }
    }
    Arc::make_mut(&mut result.vocabulary).schemas = schemas;
    Ok(AllOutcomes {
        task: result,
        origins,
    })
}

/// The names of schemas, those of the task among them: no two schemas of the result share one.
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

    /// Names for the variants of a schema: its own for a single one; else numbered ones, with as many hyphens before
    /// the number as it takes for all of them to be new.
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

/// A block without draws.
#[derive(Clone, Default)]
struct Certain {
    adds: Vec<AtomId>,
    deletes: Vec<AtomId>,
    assignments: Vec<GroundAssignment>,
    whens: Vec<(ConditionId, Certain)>,
}

impl Certain {
    /// Both together.
    fn and(&self, other: &Self) -> Self {
        Self {
            adds: [self.adds.as_slice(), &other.adds].concat(),
            deletes: [self.deletes.as_slice(), &other.deletes].concat(),
            assignments: [self.assignments.as_slice(), &other.assignments].concat(),
            whens: [self.whens.as_slice(), &other.whens].concat(),
        }
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

/// Every way in which the draws of a block can fall out; `None` when there are more than `limit`.
fn outcomes_of(effects: &Effects, block: BlockId, limit: usize) -> Option<Vec<Certain>> {
    let block = effects.get(block);
    let mut all = vec![Certain {
        adds: block.adds.to_vec(),
        deletes: block.deletes.to_vec(),
        assignments: block.assignments.to_vec(),
        whens: Vec::new(),
    }];
    for &(condition, inner) in block.whens {
        let inner = outcomes_of(effects, inner, limit)?
            .into_iter()
            .map(|inner| Certain {
                whens: vec![(condition, inner)],
                ..Certain::default()
            });
        all = pairs(&all, &inner.collect::<Vec<_>>(), limit)?;
    }
    for &draw in block.draws {
        let mut ways = Vec::new();
        let draw = effects.draw(draw);
        for (alternative, &inner) in draw.blocks.iter().enumerate() {
            if draw.distribution.share(alternative) > 0.0 {
                ways.extend(outcomes_of(effects, inner, limit)?);
            }
        }
        if draw.distribution.rest() > 0.0 {
            ways.push(Certain::default());
        }
        all = pairs(&all, &ways, limit)?;
    }
    Some(all)
}

fn pairs(left: &[Certain], right: &[Certain], limit: usize) -> Option<Vec<Certain>> {
    let few = left.len().checked_mul(right.len())? <= limit;
    few.then(|| {
        left.iter()
            .flat_map(|a| right.iter().map(move |b| a.and(b)))
            .collect()
    })
}
