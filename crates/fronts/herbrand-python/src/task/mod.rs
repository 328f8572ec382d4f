//! Planning problems as functions of states: on the grounded engine (`Task`, `State`) and on the lifted one (`LiftedTask`,
//! `LiftedState`).
//!
//! ```text
//!              task_methods!          state_methods!      the methods of both engines, written once
//!                    │                      │
//!   TaskParts ─▶ Task, LiftedTask ──▶ State, LiftedState
//!                    │
//!              PlanningTask                               what the methods need of an engine
//! ```
//!
//! `ids`, `planning`, `policy` and `spaces` add the methods that need a ground task.

mod chance;
mod grounded;
mod heuristic;
mod ids;
mod lifted;
mod lifted_state;
mod methods;
mod parts;
pub mod planning;
pub mod policy;
mod spaces;
mod state;
mod state_methods;

pub use grounded::Task;
pub use ids::tuple_text;
pub use lifted::LiftedTask;
pub use lifted_state::LiftedState;
pub use parts::PlanningTask;
pub use state::State;
