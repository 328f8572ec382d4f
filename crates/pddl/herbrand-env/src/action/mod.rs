//! Agent actions: the interface by which an agent chooses some of an operator's parameters.

mod agent;
mod id;
pub(crate) mod ids;
mod numbers;
mod selector;
mod space;
mod tally;

pub use agent::{AgentAction, AgentActions, Argument, Implementation};
pub use id::AgentActionId;
pub(crate) use numbers::{Arguments, Overflow, TermNumbers};
pub use space::{ActionSpace, TooManyActions};
pub(crate) use tally::Tally;
