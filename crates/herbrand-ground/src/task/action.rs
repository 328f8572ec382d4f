//! Ground actions.

use herbrand_pddl::{ObjectId, SchemaId};

use super::{ActionId, BlockId, ConditionId};

/// The ground actions of a task, in flat blocks: eight bytes per action, and four for each argument.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Actions {
    /// The runs of actions of one schema, in order.
    runs: Vec<Run>,
    arguments: Vec<ObjectId>,
    preconditions: Vec<ConditionId>,
    effects: Vec<BlockId>,
}

/// Consecutive actions of one schema.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    schema: SchemaId,
    /// How many arguments each has.
    arity: u32,
    /// The first action.
    action: u32,
    /// The first argument of the first action.
    argument: u32,
}

/// A ground action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GroundAction<'a> {
    /// The schema it instantiates.
    pub schema: SchemaId,
    /// The values of the schema's parameters.
    pub arguments: &'a [ObjectId],
    /// The precondition.
    pub precondition: ConditionId,
    /// The effect.
    pub effect: BlockId,
}

impl Actions {
    /// Appends an action.
    ///
    /// # Panics
    /// When all actions together would have 2^32 arguments; the grounder's memory limit ends far below that.
    pub fn push(&mut self, action: GroundAction<'_>) -> ActionId {
        let small =
            |length: usize| u32::try_from(length).expect("fewer than 2^32 arguments fit in the memory limit");
        let id = ActionId::from_index(self.len());
        let (schema, arity) = (action.schema, small(action.arguments.len()));
        if self
            .runs
            .last()
            .is_none_or(|last| (last.schema, last.arity) != (schema, arity))
        {
            self.runs.push(Run {
                schema,
                arity,
                action: id.number(),
                argument: small(self.arguments.len()),
            });
        }
        self.arguments.extend_from_slice(action.arguments);
        small(self.arguments.len());
        self.preconditions.push(action.precondition);
        self.effects.push(action.effect);
        id
    }

    /// The action `id`. Takes time logarithmic in the number of schemas.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn get(&self, id: ActionId) -> GroundAction<'_> {
        let after = self.runs.partition_point(|run| run.action <= id.number());
        let run = &self.runs[after - 1];
        let start = run.argument as usize + (id.number() - run.action) as usize * run.arity as usize;
        GroundAction {
            schema: run.schema,
            arguments: &self.arguments[start..start + run.arity as usize],
            precondition: self.preconditions[id.index()],
            effect: self.effects[id.index()],
        }
    }

    /// The number of actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.effects.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// The ids of all actions, ascending.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ActionId> + use<> {
        (0..self.len()).map(ActionId::from_index)
    }

    /// The bytes that the actions hold on to, without their preconditions and effects.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.arguments.len() + self.preconditions.len() + self.effects.len();
        self.runs.len() * size_of::<Run>() + numbers * size_of::<u32>()
    }
}
