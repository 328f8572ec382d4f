//! The agent's actions: which parameters of an operator the agent chooses.

mod agent;
mod selector;
mod space;
mod tally;

pub use agent::{AgentAction, AgentActions, Argument, Carrier};
pub use space::{ActionSpace, TooManyActions};
pub(crate) use tally::Tally;
