//! The ground actions of a task, stored compactly.

use herbrand_pddl::{ObjectId, SchemaId};

use super::{ActionId, BlockId, ConditionId};

/// The ground actions of a task, by [`ActionId`]. [`GroundTask::actions`](crate::GroundTask::actions) holds them. They
/// are stored in flat lists: eight bytes per action and four per argument. The default has no action;
/// [`push`](Self::push) adds one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GroundActions {
    /// The runs of consecutive actions with the same schema, in order.
    runs: Vec<Run>,
    arguments: Vec<ObjectId>,
    preconditions: Vec<ConditionId>,
    effects: Vec<BlockId>,
}

/// Consecutive actions of one schema.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    schema: SchemaId,
    /// The number of arguments of each action.
    arity: u32,
    /// The number of the first action.
    action: u32,
    /// The index of the first action's first argument.
    argument: u32,
}

/// A ground action: a schema with an object for each parameter, and its ground precondition and effect.
/// [`GroundActions::get`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GroundAction<'a> {
    /// The action schema.
    pub schema: SchemaId,
    /// The values of the schema's parameters.
    pub arguments: &'a [ObjectId],
    /// The precondition.
    pub precondition: ConditionId,
    /// The effect.
    pub effect: BlockId,
}

impl GroundActions {
    /// Appends an action and returns its id. Nothing is checked; [`GroundTask::check`](crate::GroundTask::check)
    /// requires ascending schemas and arguments.
    ///
    /// # Panics
    /// If all actions together would have 2^32 arguments. The memory limit of the grounder is reached far earlier.
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

    /// Returns the action with this id. Takes time logarithmic in the number of schemas.
    ///
    /// # Panics
    /// If there is no such action.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ActionId) -> GroundAction<'_> {
        let after = self.runs.partition_point(|run| run.action <= id.number());
        self.of_run(&self.runs[after - 1], id)
    }

    /// Returns the action with this id, which belongs to `run`.
    #[inline]
    fn of_run(&self, run: &Run, id: ActionId) -> GroundAction<'_> {
        let start = run.argument as usize + (id.number() - run.action) as usize * run.arity as usize;
        GroundAction {
            schema: run.schema,
            arguments: &self.arguments[start..start + run.arity as usize],
            precondition: self.preconditions[id.index()],
            effect: self.effects[id.index()],
        }
    }

    /// Returns the number of ground actions in the task.
    #[must_use]
    pub fn len(&self) -> usize {
        self.effects.len()
    }

    /// Returns whether the task has no ground action.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// Iterates over all actions with their ids, in ascending order. This is faster than [`get`](Self::get) for each id.
    pub fn iter(&self) -> impl Iterator<Item = (ActionId, GroundAction<'_>)> {
        let starts = self.runs.iter().map(|run| run.action);
        let ends = starts.skip(1).chain([ActionId::from_index(self.len()).number()]);
        self.runs.iter().zip(ends).flat_map(move |(run, end)| {
            let ids = (run.action..end).map(ActionId::new);
            ids.map(move |id| (id, self.of_run(run, id)))
        })
    }

    /// Iterates over the ids of all actions in ascending order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ActionId> + use<> {
        (0..self.len()).map(ActionId::from_index)
    }

    /// Returns the memory that the actions take, in bytes, without the conditions and effects to which they refer.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.arguments.len() + self.preconditions.len() + self.effects.len();
        self.runs.len() * size_of::<Run>() + numbers * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_actions_come_in_order() {
        let mut actions = GroundActions::default();
        assert_eq!(actions.iter().count(), 0);
        // Runs of several lengths, without arguments and with some; one schema has actions of two lengths.
        for (number, (schema, arity)) in [(0, 0), (1, 2), (1, 2), (1, 1), (3, 0), (3, 0), (4, 3)]
            .into_iter()
            .enumerate()
        {
            let number = number as u32;
            let arguments: Vec<_> = (0..arity)
                .map(|place| ObjectId::new(10 * number + place))
                .collect();
            actions.push(GroundAction {
                schema: SchemaId::new(schema),
                arguments: &arguments,
                precondition: ConditionId::new(number),
                effect: BlockId::new(100 + number),
            });
            let each = actions.ids().map(|id| (id, actions.get(id)));
            assert_eq!(actions.iter().collect::<Vec<_>>(), each.collect::<Vec<_>>());
            let last = actions.iter().last().expect("an action");
            assert_eq!((last.0.number(), last.1.arguments), (number, &arguments[..]));
        }
    }
}
