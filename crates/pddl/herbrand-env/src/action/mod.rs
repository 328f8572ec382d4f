//! Agent actions: the interface by which an agent chooses some of an operator's parameters.

mod agent;
mod counts;
mod id;
pub(crate) mod ids;
mod numbers;
mod selector;
mod space;
pub(crate) mod unknown;

pub use agent::{AgentAction, AgentActions, Argument, Implementation};
pub(crate) use counts::OperatorCounts;
pub use id::AgentActionId;
pub(crate) use numbers::{Arguments, Overflow, TermNumbers};
pub use space::{ActionSpace, TooManyActions};
