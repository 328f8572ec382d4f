//! The valid actions of states as arrays of numbers.

use crate::atoms::object_nodes;
use crate::planning::{Grounded, Lifted, Planning, SteppingEngine};

/// The valid actions of one or more states, for networks that score the actions of a graph
/// ([`InstanceLearningGraph`](crate::InstanceLearningGraph)). [`Planning::write_actions`] appends those of a state.
///
/// ```text
///   ids         [ 4 7 | 4 9 ]              the actions of state 0, then those of state 1
///   schemas     [ 0 1 | 0 1 ]
///   arguments   [ 2   0 2 | 3   1 2 ]      action 1 has the arguments from offsets[1] to offsets[2]
///   offsets     [ 0 1 3 4 6 ]
///   rows        [ 0 2 4 ]                  state 1 has the actions from rows[1] to rows[2]
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionArrays {
    /// For each action, its id ([`AgentActionId`](crate::AgentActionId)). The ids of a state are in ascending order.
    pub ids: Vec<i64>,
    /// For each action, the index of its operator in the domain, or that of the declared action
    /// ([`AgentActions::actions`](crate::AgentActions::actions)).
    pub schemas: Vec<i64>,
    /// The arguments of all actions, each as the index of the object's node in the graph of its state.
    pub arguments: Vec<i64>,
    /// For each action, the start of its arguments; then the number of all arguments.
    pub offsets: Vec<i64>,
    /// For each state, its first action; then the number of all actions.
    pub rows: Vec<i64>,
}

/// No states.
impl Default for ActionArrays {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            schemas: Vec::new(),
            arguments: Vec::new(),
            offsets: vec![0],
            rows: vec![0],
        }
    }
}

impl ActionArrays {
    /// Ends the row of a state without further actions.
    pub fn end_row(&mut self) {
        self.rows.push(self.ids.len() as i64);
    }

    /// Adds an action to the row of the current state: its id, its schema, and the nodes of its arguments.
    pub fn add(&mut self, id: u32, schema: usize, arguments: impl Iterator<Item = u32>) {
        self.ids.push(i64::from(id));
        self.schemas.push(schema as i64);
        self.arguments.extend(arguments.map(i64::from));
        self.offsets.push(self.arguments.len() as i64);
    }
}

impl Planning<Grounded> {
    /// Appends the valid actions of the current state to `into`, as the next row.
    pub fn write_actions(&self, into: &mut ActionArrays) {
        let nodes = object_nodes(self.walk().vocabulary(), self.instance().ids());
        for id in self.valid_actions() {
            if let Some((schema, arguments)) = self.space().term(id) {
                into.add(
                    id.number(),
                    schema,
                    arguments.iter().map(|object| nodes[object.index()]),
                );
            }
        }
        into.end_row();
    }
}

impl Planning<Lifted> {
    /// Appends the valid actions of the current state to `into`, as the next row.
    pub fn write_actions(&self, into: &mut ActionArrays) {
        let nodes = object_nodes(self.walk().vocabulary(), self.walk().atoms().places());
        for id in self.valid_actions() {
            if let Some(action) = self.walk().action(id) {
                let arguments = action.arguments().iter().map(|object| nodes[object.index()]);
                into.add(id.number(), action.schema().index(), arguments);
            }
        }
        into.end_row();
    }
}
