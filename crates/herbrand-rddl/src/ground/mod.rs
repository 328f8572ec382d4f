//! From a checked instance to tapes.
//!
//! ```text
//!   Instance ──guards──▶ Datalog program ──evaluate──▶ tuples that count
//!      │                                                  │
//!      └──────────── lower: every ground CPF ◀────────────┘
//!                         │
//!                       Graph ──▶ tapes of the step, of conditions on a state, of preconditions ──▶ Process
//! ```

mod aggregate;
mod bounds;
mod compile;
mod exact;
mod fold;
mod frame;
mod guard;
mod literal;
mod lower;
mod templates;
mod values;
mod vector;

pub use compile::{CompileError, compile, compile_with, compile_within};
pub use exact::{ExactError, ExactStep};
pub use guard::{GuardError, Guards};
pub use templates::Templates;
