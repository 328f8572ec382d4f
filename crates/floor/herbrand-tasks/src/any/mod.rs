//! Systems, environments and batches of any language behind one set of traits.
//!
//! A language implements [`Playable`] for its sets of problems, and [`LanguageFeatures`] for its features beyond the traits
//! of the core. Each of the other traits has one implementation, over the generic types of `herbrand-core`.
//!
//! ```text
//!   WithObserver<P, O> ─ AnyEnvs: problems with an observation mode
//!     ├─ env ───▶ Env<P, O> ──── AnyEnv ── look ──▶ AnySystem ── features ──▶ LanguageFeatures
//!     └─ batch ─▶ VecEnv<P, O> ─ AnyBatch
//!   open ─▶ AnyProblem: one problem to walk through ── look ──▶ AnySystem
//! ```

mod batch;
mod env;
mod envs;
mod hints;
mod inside;
mod languages;
#[cfg(feature = "png")]
mod observed;
mod playable;
mod problem;
mod record;
mod system;
mod view;

pub(crate) use languages::{pddl::program as pddl_program, rddl::program as rddl_program};

pub use crate::any_error::{AnyError, ErrorKind};
pub use batch::{AnyBatch, AnyBuffers};
pub use env::{ActionInput, ActionOutput, AnyEnv, TakenStep};
pub use envs::{AnyEnvs, Description, WithObserver};
pub use hints::{Hints, Planned, planned};
pub use inside::{Internals, Section};
#[cfg(feature = "png")]
pub use observed::{observed_suite, pixel_size, shared};
pub use playable::{GoalDistance, Inquiry, LanguageFeatures, Playable, SuggestedPlan, field_bounds};
pub use problem::{AnyProblem, open};
pub use record::WalkRecord;
pub use system::AnySystem;
pub use view::{StateView, TrueAtoms, ViewForm};
