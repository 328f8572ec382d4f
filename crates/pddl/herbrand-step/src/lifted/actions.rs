//! The valid actions of a state of a lifted task.

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, SchemaId};
use std::fmt;

use super::tuples::SortedTuples;

/// A reference to an action of a lifted task: a schema with an object for each parameter. [`LiftedActions`] and
/// [`LiftedWalker::sample`](crate::LiftedWalker::sample) return it; [`LiftedWalker::apply`](crate::LiftedWalker::apply)
/// takes its two parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LiftedActionRef<'a> {
    /// The action schema.
    pub schema: SchemaId,
    /// The arguments, one object per parameter.
    pub arguments: &'a [ObjectId],
}

impl<'a> LiftedActionRef<'a> {
    /// Formats the action in PDDL syntax, such as `(move a b)`, with the names of the task's `vocabulary`.
    ///
    /// # Panics
    /// If `vocabulary` does not have the schema; formatting panics if it does not have an object.
    pub fn display(self, vocabulary: &'a Vocabulary) -> impl fmt::Display + 'a {
        vocabulary.term(&vocabulary.schema(self.schema).name, self.arguments)
    }
}

/// The valid actions of a state of a lifted task ([`LiftedWalker::valid`](crate::LiftedWalker::valid)), ascending by schema
/// and arguments. A ground task numbers its actions in the same order.
#[derive(Clone, Debug)]
pub struct LiftedActions {
    pub(super) schemas: Vec<SortedTuples>,
}

impl LiftedActions {
    pub(super) fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        Self {
            schemas: arities.into_iter().map(SortedTuples::new).collect(),
        }
    }

    /// Returns the number of valid actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.schemas.iter().map(SortedTuples::len).sum()
    }

    /// Returns whether no action is valid: the state is a dead end.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.schemas.iter().all(|actions| actions.len() == 0)
    }

    /// Returns the valid action at `index` in ascending order, counted from 0; `None` if there are at most `index` of them.
    #[must_use]
    pub fn nth(&self, mut index: usize) -> Option<LiftedActionRef<'_>> {
        for (schema, actions) in self.schemas.iter().enumerate() {
            if index < actions.len() {
                return Some(LiftedActionRef {
                    schema: SchemaId::from_index(schema),
                    arguments: actions.get(index),
                });
            }
            index -= actions.len();
        }
        None
    }

    /// Returns whether the action of this schema and these arguments is valid; `false` for an unknown schema or a wrong
    /// number of arguments.
    #[must_use]
    pub fn contains(&self, schema: SchemaId, arguments: &[ObjectId]) -> bool {
        self.schemas
            .get(schema.index())
            .is_some_and(|actions| actions.contains(arguments))
    }

    /// Returns the valid actions, ascending by schema and then by arguments.
    pub fn iter(&self) -> impl Iterator<Item = LiftedActionRef<'_>> {
        let schemas = self.schemas.iter().enumerate();
        schemas.flat_map(|(index, actions)| {
            let schema = SchemaId::from_index(index);
            actions
                .iter()
                .map(move |arguments| LiftedActionRef { schema, arguments })
        })
    }
}
