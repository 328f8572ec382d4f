//! Grounding: compiles a checked instance into a graph of values and the tapes of a
//! [`CompiledInstance`](crate::simulate::CompiledInstance).
//!
//! ```text
//!   Instance ──guards──▶ Datalog program ──evaluate──▶ relevant tuples
//!      │                                                  │
//!      └──────────── lower: every ground CPF ◀────────────┘
//!                         │
//!                       Graph ──▶ tapes of the step, of conditions on a state, of preconditions ──▶ CompiledInstance
//! ```
//!
//! [`compile()`] is all that a simulator needs. [`StepGraph`] and [`ExactStep`] are for code that analyses problems.

mod aggregate;
mod bounds;
mod compile;
mod exact;
mod fold;
mod frame;
mod guard;
mod invariants;
mod literal;
mod lower;
mod preconditions;
mod step;
mod templates;
mod values;
mod vector;

pub use compile::{CompileError, compile, compile_with, compile_within, violating_items};
pub use exact::{ExactError, ExactStep, StepOutcome};
pub use guard::{GuardError, Guards};
pub use invariants::state_bounds;
pub use step::StepGraph;
pub use templates::Templates;
